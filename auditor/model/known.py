"""What is known, and why something is not: the states that must never look alike.

AWS said a value; AWS said none (a complete empty listing); the answer could not be read; a listing was read in part;
a call was not made. The last three end in an `Unknown` or in a `Listing` with gaps, and each says its `Reason`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Generic, Literal, TypeAlias, TypeVar

import msgspec

T = TypeVar("T")


class Outcome(StrEnum):
    """How a failed call failed. Only the first three leave a scan complete."""

    NOT_ENABLED = "not_enabled"
    NOT_OFFERED = "not_offered"
    GONE = "gone"
    DENIED = "denied"
    THROTTLED = "throttled"
    EXPIRED = "expired"
    FAILED = "failed"

    @property
    def leaves_complete(self) -> bool:
        """Whether a scan with this outcome still counts as complete."""
        return self in (Outcome.NOT_ENABLED, Outcome.NOT_OFFERED, Outcome.GONE)


class Reason(msgspec.Struct, frozen=True, kw_only=True):
    """Why a value is not known.

    `kind` is ``refused`` (a call failed), ``partial`` (a listing ended early), ``not_asked`` (the recording holds no such
    call) or ``unclear`` (every answer was read, and they do not settle the question, for example targets still starting).
    """

    kind: Literal["refused", "partial", "not_asked", "unclear"]
    says: str
    action: str = ""
    outcome: Outcome | None = None
    code: str = ""


class Unknown(msgspec.Struct, frozen=True):
    """A value that could not be established, with every reason that stands in the way."""

    reasons: tuple[Reason, ...]

    @property
    def actions(self) -> tuple[str, ...]:
        """The IAM actions whose answers are missing, sorted, without repeats."""
        return tuple(sorted({r.action for r in self.reasons if r.action}))

    def __bool__(self) -> bool:
        """Refuse to be used as a plain truth value: an unknown is neither true nor false."""
        raise TypeError("an Unknown has no truth value; use auditor.model.verdict")


Known: TypeAlias = T | Unknown


def unclear(says: str) -> Unknown:
    """An unknown for which no call is missing: the answers themselves do not settle it."""
    return Unknown((Reason(kind="unclear", says=says),))


def merge(unknowns: Iterable[Unknown]) -> Unknown:
    """One unknown with all reasons of several, in order, without repeats."""
    return Unknown(tuple(dict.fromkeys(r for u in unknowns for r in u.reasons)))


class Listing(msgspec.Struct, Generic[T], frozen=True):
    """Items of a listing, and what is missing from it. `complete` is true only when it was read to its last page."""

    items: tuple[T, ...] = ()
    gaps: tuple[Reason, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether absence from `items` proves absence."""
        return not self.gaps

    @property
    def unknown(self) -> Unknown:
        """The gaps as an unknown; only meaningful when not complete."""
        return Unknown(self.gaps)

    def __iter__(self) -> Iterator[T]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)
