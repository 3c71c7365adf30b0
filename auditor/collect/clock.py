"""Time as the engine sees it, so that tests can run it at their own speed."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Protocol

__all__ = ["Clock", "SystemClock"]


class Clock(Protocol):
    """A source of time."""

    def now(self) -> datetime:
        """The date and time, in UTC."""

    def monotonic(self) -> float:
        """Seconds since some moment; never goes back."""

    def sleep(self, seconds: float) -> None:
        """Wait."""


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        """The date and time, in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Seconds since the machine started, or some such moment."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait; a signal interrupts it."""
        time.sleep(seconds)
