"""Verdicts and three-valued logic: true, false, unknown."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import TypeAlias, TypeVar

from .known import Listing, Unknown, merge

T = TypeVar("T")
Truth: TypeAlias = bool | Unknown


class Status(StrEnum):
    """What a rule says of one subject."""

    FAIL = "fail"
    PASS = "pass"
    UNKNOWN = "unknown"
    NOT_APPLICABLE = "not_applicable"
    ERROR = "error"


class Severity(StrEnum):
    """What happens to users, nothing else; ordered from `INFO` to `CRITICAL` by `rank`."""

    INFO = "info"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"

    @property
    def rank(self) -> int:
        """0 for info up to 4 for critical."""
        return list(Severity).index(self)


def all_of(truths: Iterable[Truth]) -> Truth:
    """And: one false decides; otherwise one unknown makes it unknown, with the reasons of all unknowns."""
    unknowns: list[Unknown] = []
    for truth in truths:
        if isinstance(truth, Unknown):
            unknowns.append(truth)
        elif not truth:
            return False
    return merge(unknowns) if unknowns else True


def any_of(truths: Iterable[Truth]) -> Truth:
    """Or: one true decides; otherwise one unknown makes it unknown, with the reasons of all unknowns."""
    unknowns: list[Unknown] = []
    for truth in truths:
        if isinstance(truth, Unknown):
            unknowns.append(truth)
        elif truth:
            return True
    return merge(unknowns) if unknowns else False


def negate(truth: Truth) -> Truth:
    """Not: an unknown stays unknown."""
    return truth if isinstance(truth, Unknown) else not truth


def exists(listing: Listing[T], test: Callable[[T], Truth]) -> Truth:
    """True when a witness is seen; false only over a complete listing; else unknown."""
    found = any_of(test(item) for item in listing)
    if found is True or listing.complete:
        return found
    return merge([listing.unknown, *([found] if isinstance(found, Unknown) else [])])
