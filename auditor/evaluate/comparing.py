"""Comparisons: which are allowed, checked once at load, and the closures they become."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from ..derive.node import Facts
from ..errors import RuleError
from ..model.verdict import Truth, negate
from .code import Code, Run
from .types import Kind, Type, closest, fields_of, joined
from .values import VAGUE, before, equal, not_before, swapped

__all__ = ["check_equal", "comparison"]


def _unequal(left: Any, right: Any) -> Truth:
    return negate(equal(left, right))


_PLAIN: dict[str, Callable[[Any, Any], Any]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "lte": operator.le,
    "gt": operator.gt,
    "gte": operator.ge,
}
_VAGUE: dict[str, Callable[[Any, Any], Truth]] = {
    "eq": equal,
    "ne": _unequal,
    "lt": before,
    "gte": not_before,
    "gt": swapped(before),
    "lte": swapped(not_before),
}


def comparison(name: str, left: Code, right: Code) -> Run:
    """The closure of a comparison.

    Raises:
        RuleError: when it can have no clear answer: values of two kinds, an order of what has none or may be null, a value
            that the field never takes.
    """
    if left.literal and right.literal:
        raise RuleError("both sides of the comparison are literals, so it never changes")
    if name in ("eq", "ne"):
        check_equal(left, right)
    else:
        _check_order(left, right)
    plain, vague = _PLAIN[name], _VAGUE[name]
    if left.type.vague or right.type.vague or left.type.kind is Kind.LIST:
        return _with_vague(left, right, plain, vague)
    first, second = left.run, right.run
    if right.literal:
        constant = right.value
        return lambda node: plain(first(node), constant)
    return lambda node: plain(first(node), second(node))


def _with_vague(left: Code, right: Code, plain: Callable[[Any, Any], Any], vague: Callable[[Any, Any], Truth]) -> Run:
    first, second = left.run, right.run
    if left.type.kind is Kind.LIST:
        return lambda node: vague(first(node), second(node))

    def compare(node: Any) -> Any:
        a, b = first(node), second(node)
        if a.__class__ in VAGUE or b.__class__ in VAGUE:
            return vague(a, b)
        return plain(a, b)

    return compare


def _named(code: Code) -> str:
    return repr(code.value) if code.literal else code.path or "the value"


def check_equal(left: Code, right: Code) -> None:
    """Refuse an equality that could only ever have one answer.

    Raises:
        RuleError: one sentence.
    """
    kinds = {left.type.kind, right.type.kind}
    for one, other in ((left, right), (right, left)):
        if one.type.kind is Kind.NULL:
            if not other.type.nullable:
                raise RuleError(f"{_named(other)} is never null, so comparing it with null never changes")
            return
    if len(kinds) > 1:
        raise RuleError(f"{_named(left)} is a {left.type} and {_named(right)} a {right.type}; they cannot be compared")
    if left.type.kind in (Kind.FACTS, Kind.MAP) or not _alike(left.type, right.type):
        _check_structs(left, right)
    _check_values(left, right)
    _check_values(right, left)


def _alike(left: Type, right: Type) -> bool:
    if left.kind is not Kind.LIST or not left.item or not right.item:
        return left.kind is right.kind
    return left.item.kind not in (Kind.FACTS, Kind.MAP) and _alike(left.item, right.item)


def _check_structs(left: Code, right: Code) -> None:
    a, b = (t.item if t.kind is Kind.LIST and t.item else t for t in (left.type, right.type))
    if a.of is None or a.of is not b.of:
        raise RuleError(f"{_named(left)} is a {left.type} and {_named(right)} another; they cannot be compared")
    if issubclass(a.of, Facts) or any(f.type.vague for f in fields_of(a.of).values()):
        raise RuleError(f"{_named(left)} is a group of facts; compare one of its fields")


def _check_values(field: Code, other: Code) -> None:
    values = field.type.values or (field.type.item.values if field.type.item else None)
    if not other.literal or values is None:
        return
    for value in other.value if isinstance(other.value, tuple) else (other.value,):
        if value is not None and value not in values:
            near = closest(str(value), sorted(values))
            raise RuleError(
                f"{_named(field)} is never {value!r};{f' {near}' if near else ''} its values are {joined(sorted(values))}"
            )


def _check_order(left: Code, right: Code) -> None:
    for code in (left, right):
        if code.type.kind not in (Kind.NUMBER, Kind.TIME):
            raise RuleError(
                f"{_named(code)} is a {code.type}, which has no order; only numbers and times can be larger or smaller"
            )
        if code.type.nullable:
            raise RuleError(
                f"{_named(code)} may be null, which has no order; give a value for null: not_null({_named(code)}, `0`)"
            )
    if left.type.kind is not right.type.kind:
        raise RuleError(f"{_named(left)} is a {left.type} and {_named(right)} a {right.type}; they cannot be compared")
