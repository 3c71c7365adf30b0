"""What an expression is compiled to, and what the compiler notes while it reads."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, TypeAlias

from ..derive.node import Fact, Node
from ..errors import RuleError
from ..model.known import Unknown
from .types import Field, Kind, Type, closest, fields_of, joined

__all__ = ["Code", "Reads", "Run", "Scope", "field", "through"]

Run: TypeAlias = Callable[[Any], Any]
# Called in traced code for every fact that was read: the struct it was read on, its name, its value.
Saw: TypeAlias = Callable[[Any, str, Any], None]


@dataclasses.dataclass(frozen=True, slots=True)
class Code:
    """A compiled expression.

    Attributes:
        type: what it gives.
        run: the closure; takes the current node.
        path: dotted names from the nearest subject to the value, for reading on below it ("" for the subject itself).
        dotted: the attribute path when `run` is nothing but attribute reads that cannot meet null or unknown.
        literal: whether it is a constant, held in `value`.
    """

    type: Type
    run: Run
    path: str = ""
    dotted: str | None = None
    literal: bool = False
    value: Any = None


@dataclasses.dataclass(slots=True)
class Reads:
    """Facts an expression reads, by dotted name from the subject; and, in traced code, who wants to be told."""

    facts: dict[str, Fact] = dataclasses.field(default_factory=dict)
    saw: Saw | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Scope:
    """The current node (`@`) while an expression is compiled."""

    type: Type
    path: str = ""


def through(left: Code, right: Run) -> Run:
    """Run `left`, then `right` on what it gives."""
    if left.dotted == "":
        return right
    first = left.run
    return lambda node: right(first(node))


def field(left: Code, name: str, reads: Reads) -> Code:
    """Read `name` on what `left` gives. A path through null is null; one through an unknown is unknown.

    Raises:
        RuleError: when there is no such name; the sentence holds the names there are.
    """
    if left.type.kind is Kind.MAP:
        return _tag(left, name)
    if left.type.kind is not Kind.FACTS or left.type.of is None:
        raise RuleError(f"{left.path or 'the value'} is a {left.type}, so .{name} cannot be read on it{_hint(left)}")
    names = fields_of(left.type.of)
    if name not in names:
        raise RuleError(_misspelt(name, left.type.of, names))
    found = names[name]
    path = f"{left.path}.{name}" if left.path else name
    if found.fact:
        reads.facts[path] = found.fact
    if found.type.kind is Kind.FACTS and found.type.of and issubclass(found.type.of, Node):
        path = ""
    return _read(left, found, path, reads.saw)


def _hint(left: Code) -> str:
    return "; to read the members write [*] or [?…] first" if left.type.kind is Kind.LIST else ""


def _misspelt(name: str, struct: type[Any], names: Mapping[str, Field]) -> str:
    if name in ("true", "false", "null"):
        return f"{name} is a literal and is written in backticks: `{name}`"
    near = closest(name, list(names))
    return (
        f"{struct.__name__} has no field {name!r};{f' {near}' if near else ''} the fields are {joined(sorted(names))}"
    )


def _tag(left: Code, name: str) -> Code:
    def read(value: Any) -> Any:
        return value if value is None or value.__class__ is Unknown else value.get(name)

    type_ = Type(Kind.TEXT, nullable=True, vague=left.type.vague)
    return Code(type_, through(left, read), f"{left.path}.{name}")


def _read(left: Code, found: Field, path: str, saw: Saw | None) -> Code:
    name = found.name
    passing = left.type.nullable or left.type.vague
    type_ = found.type.but(
        nullable=found.type.nullable or left.type.nullable, vague=found.type.vague or left.type.vague
    )
    if saw is None and not passing and left.dotted is not None:
        dotted = f"{left.dotted}.{name}" if left.dotted else name
        return Code(type_, attrgetter(dotted), path, dotted)
    get = attrgetter(name)
    if saw is not None and found.fact:
        return Code(type_, through(left, _traced(get, name, saw)), path)

    def read(value: Any) -> Any:
        return value if value is None or value.__class__ is Unknown else get(value)

    return Code(type_, through(left, read if passing else get), path)


def _traced(get: Run, name: str, saw: Saw) -> Run:
    def read(value: Any) -> Any:
        if value is None or value.__class__ is Unknown:
            return value
        result = get(value)
        saw(value, name, result)
        return result

    return read
