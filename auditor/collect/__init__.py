"""Collecting: which reads are made, declared one service a file, and the engine that makes them."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from .call import Call

__all__ = ["declared", "declared_actions"]


@cache
def declared() -> tuple[Call, ...]:
    """Every declared call, found in the modules of this package, by service and operation."""
    found: dict[tuple[str, str], Call] = {}
    for module in pkgutil.iter_modules(__path__, f"{__name__}."):
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, Call):
                found[value.read.service, value.read.operation] = value
    return tuple(found[key] for key in sorted(found))


def declared_actions() -> tuple[str, ...]:
    """The IAM actions that the declared calls need, sorted."""
    return tuple(sorted({call.read.action for call in declared()}))
