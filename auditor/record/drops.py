"""Leaving out of a recording what must not be kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

__all__ = ["without"]


def without(response: dict[str, Any], drops: Iterable[str]) -> dict[str, Any]:
    """The answer without the fields that its read declares as dropped.

    Args:
        response: an answer; it is changed in place.
        drops: dotted paths of fields; lists on the way are stepped through.
    """
    for path in drops:
        _drop(response, path.split("."))
    return response


def _drop(value: Any, path: Sequence[str]) -> None:
    if isinstance(value, list):
        for item in value:
            _drop(item, path)
    elif isinstance(value, dict):
        if len(path) == 1:
            value.pop(path[0], None)
        elif path[0] in value:
            _drop(value[path[0]], path[1:])
