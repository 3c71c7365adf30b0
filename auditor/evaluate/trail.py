"""What a judgement read: facts, noted while an expression runs in its traced form."""

from __future__ import annotations

import dataclasses
from typing import Any

import msgspec

from ..derive.node import Facts, Node

__all__ = ["Reading", "Trail"]


@dataclasses.dataclass(frozen=True, slots=True)
class Reading:
    """A fact that was read.

    A fact read on several members of a list is one reading: `owner` is the first member, `value` the tuple of distinct values.

    Attributes:
        node: the nearest subject above it.
        owner: what it was read on: `node`, or a group of facts below it.
        path: its dotted name from `node`.
        value: its value.
    """

    node: Node
    owner: Facts
    path: str
    value: Any

    @property
    def fact(self) -> str:
        """Its name on `owner`."""
        return self.path.rpartition(".")[2]


class Trail:
    """Notes readings during one run. Not for two runs at once."""

    def __init__(self) -> None:
        self._found: dict[tuple[int, str], tuple[Node, Facts, list[Any]]] = {}
        self._owners: dict[int, tuple[Node, str]] = {}

    def clear(self) -> None:
        """Forget everything, before the next subject."""
        self._found.clear()
        self._owners.clear()

    def saw(self, container: Facts, name: str, value: Any) -> None:
        """Note that `name` was read on `container`. A value below a subject belongs to the nearest subject above it."""
        if isinstance(container, Node):
            node, path = container, name
        elif id(container) in self._owners:
            node, above = self._owners[id(container)]
            path = f"{above}.{name}"
        else:  # not read from a fact, so nothing is known of where it belongs
            return
        values = self._found.setdefault((id(node), path), (node, container, []))[2]
        if value not in values:
            values.append(value)
        self._own(value, (node, path))

    def _own(self, value: Any, owner: tuple[Node, str]) -> None:
        if isinstance(value, msgspec.Struct):
            self._owners[id(value)] = owner
        elif isinstance(value, tuple):
            for member in value:
                self._own(member, owner)

    def readings(self) -> tuple[Reading, ...]:
        """The readings in the order in which they were first made; a group of facts gives way to what was read in it."""
        deeper = {(key, path.rpartition(".")[0]) for key, path in self._found}
        return tuple(
            Reading(node, owner, path, values[0] if len(values) == 1 else tuple(values))
            for (key, path), (node, owner, values) in self._found.items()
            if (key, path) not in deeper
        )
