"""Collecting: which reads are made, declared one service a file, and the engine that makes them."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Collection
from functools import cache

from .call import Call

__all__ = ["chosen_calls", "declared", "declared_actions"]


@cache
def declared() -> tuple[Call, ...]:
    """Every declared call, found in the modules of this package, by service and operation."""
    found: dict[tuple[str, str], Call] = {}
    for module in pkgutil.iter_modules(__path__, f"{__name__}."):
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, Call):
                found[value.read.service, value.read.operation] = value
    return tuple(found[key] for key in sorted(found))


def chosen_calls(services: Collection[str] | None = None) -> tuple[Call, ...]:
    """The calls of the core and of the optional readings with these names; None for everything there is."""
    if services is None:
        return declared()
    return tuple(made for call in declared() if (made := call.among(services)) is not None)


def declared_actions(services: Collection[str] | None = None) -> tuple[str, ...]:
    """The IAM actions that those calls need, sorted."""
    return tuple(sorted({call.read.action for call in chosen_calls(services)}))
