"""All declared reads, found in the modules of this package: a new service is one file of shapes."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from .read import AnyRead, Read

_PACKAGE = __name__.rpartition(".")[0]


@cache
def all_reads() -> tuple[AnyRead, ...]:
    """Every `Read` declared in `auditor.model`, sorted by service and operation."""
    package = importlib.import_module(_PACKAGE)
    found = {
        value
        for module in pkgutil.iter_modules(package.__path__, f"{_PACKAGE}.")
        if module.name != __name__
        for value in vars(importlib.import_module(module.name)).values()
        if isinstance(value, Read)
    }
    return tuple(sorted(found, key=lambda r: (r.service, r.operation)))
