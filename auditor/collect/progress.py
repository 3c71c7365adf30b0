"""How far a scan is: what a person who waits wants to know."""

from __future__ import annotations

import dataclasses

__all__ = ["Progress"]


@dataclasses.dataclass(frozen=True, slots=True)
class Progress:
    """A moment of a scan.

    Attributes:
        done: calls that came back.
        expected: calls that will have been made in the end, as far as can be told now; grows as listings arrive.
        seconds_left: estimate of the time the rest takes, from the rate limits.
        scope: account and region of the latest answer, as text.
        says: the operation of the latest answer.
    """

    done: int
    expected: int
    seconds_left: float
    scope: str = ""
    says: str = ""
