"""Values that are only partly known: counts with bounds, and lists with doubtful members."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from ..model.known import Unknown, merge
from ..model.verdict import Truth, all_of, any_of, negate

__all__ = [
    "VAGUE",
    "Bounds",
    "Partial",
    "before",
    "counted",
    "entries",
    "equal",
    "gathered",
    "held",
    "not_before",
    "settled",
]


class Bounds(msgspec.Struct, frozen=True):
    """A number of which only the least and the greatest possible value are known, and why. Always ``lo < hi``."""

    lo: float
    hi: float
    why: Unknown


class Partial(msgspec.Struct, frozen=True):
    """A list of which some members are doubtful.

    Attributes:
        entries: each value that is or may be in the list, with whether it is (true or unknown); a value may be an `Unknown`.
        more: why any number of further members may be in it; None when there are no others.
    """

    entries: tuple[tuple[Any, Truth], ...]
    more: Unknown | None = None


VAGUE: frozenset[type[Any]] = frozenset({Unknown, Bounds, Partial})


def entries(value: Any) -> Iterable[tuple[Any, Truth]]:
    """Members of a list (whole or partial), each with whether it is in it."""
    return value.entries if value.__class__ is Partial else ((item, True) for item in value)


def gathered(found: list[tuple[Any, Truth]], more: Unknown | None = None) -> Any:
    """A list from members and whether each is in it: a tuple when nothing is in doubt."""
    if more is None and all(sure is True for _, sure in found):
        return tuple(value for value, _ in found)
    return Partial(tuple(found), more)


def _doubts(value: Any) -> Iterator[Unknown]:
    if value.__class__ is Partial:
        yield from (sure for _, sure in value.entries if isinstance(sure, Unknown))
        if value.more is not None:
            yield value.more
    for item, _ in entries(value):
        if isinstance(item, Unknown):
            yield item


def settled(value: Any) -> Any:
    """The members of a list as a tuple when the list and every member are known, else one `Unknown` with all reasons."""
    doubts = list(_doubts(value))
    return merge(doubts) if doubts else tuple(value)


def held(value: Any) -> Truth:
    """Whether a list has a member: one sure member decides."""
    if value.__class__ is not Partial:
        return len(value) > 0
    truth = any_of(sure for _, sure in value.entries)
    return truth if truth is True or value.more is None else merge(_unknowns((truth, value.more)))


def counted(value: Any) -> Any:
    """How many members a list has: a number, or `Bounds` when some are doubtful."""
    if value.__class__ is not Partial:
        return len(value)
    doubts = [sure for _, sure in value.entries if isinstance(sure, Unknown)]
    sure = len(value.entries) - len(doubts)
    if value.more is not None:
        return Bounds(sure, math.inf, merge([*doubts, value.more]))
    return Bounds(sure, sure + len(doubts), merge(doubts))


def contains(value: Any, wanted: Any) -> Truth:
    """Whether a list has a member equal to `wanted`: one sure member that is equal decides."""
    truth = any_of(all_of((sure, equal(item, wanted))) for item, sure in entries(value))
    more = value.more if value.__class__ is Partial else None
    return truth if truth is True or more is None else merge(_unknowns((truth, more)))


def _unknowns(values: Iterable[Any]) -> list[Unknown]:
    found = []
    for value in values:
        if isinstance(value, Unknown):
            found.append(value)
        elif isinstance(value, Bounds):
            found.append(value.why)
        elif isinstance(value, Partial):
            found.extend(_doubts(value))
    return found


def _range(value: Any) -> tuple[float, float]:
    return (value.lo, value.hi) if value.__class__ is Bounds else (value, value)


def equal(left: Any, right: Any) -> Truth:
    """Whether two values of the same kind are equal, as far as that is known. Null is equal to null only."""
    if left.__class__ in VAGUE or right.__class__ in VAGUE:
        if Bounds in (left.__class__, right.__class__) and not _unread((left, right)):
            (a, b), (c, d) = _range(left), _range(right)
            if b < c or d < a:
                return False
        return merge(_unknowns((left, right)))
    if left.__class__ is tuple and right.__class__ is tuple:
        return len(left) == len(right) and all_of(equal(a, b) for a, b in zip(left, right, strict=True))
    return bool(left == right)


def _unread(values: Iterable[Any]) -> bool:
    return any(v is None or v.__class__ is Unknown for v in values)


def before(left: Any, right: Any) -> Truth:
    """Whether ``left < right``, as far as bounds decide."""
    if left.__class__ not in VAGUE and right.__class__ not in VAGUE:
        return bool(left < right)
    if not _unread((left, right)):
        (a, b), (c, d) = _range(left), _range(right)
        if b < c:
            return True
        if a >= d:
            return False
    return merge(_unknowns((left, right)))


def not_before(left: Any, right: Any) -> Truth:
    """Whether ``left >= right``."""
    return negate(before(left, right))


def swapped(compare: Callable[[Any, Any], Truth]) -> Callable[[Any, Any], Truth]:
    """The same comparison with its sides exchanged."""
    return lambda left, right: compare(right, left)
