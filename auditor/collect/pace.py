"""Keeping below AWS's rate limits, which a scan shares with whatever else runs in the account.

Reads of Elastic Load Balancing have one token bucket per account and region, 40 tokens and 10 more a second, the Classic API
its own (Elastic Load Balancing user guide, request throttling). Controllers in the account draw from the same bucket. The
other services publish no figures for their reads; ours are modest.
"""

from __future__ import annotations

from typing import NamedTuple

from ..errors import UsageError

__all__ = ["PACES", "Bucket", "Rate", "rate_of"]


class Rate(NamedTuple):
    """Calls a second in the long run, and how many may be made at once after a pause."""

    per_second: float
    burst: float


_ELB = {"gentle": Rate(3, 10), "normal": Rate(8, 30), "full": Rate(9.8, 38)}
_OTHERS = {
    "arc-zonal-shift": Rate(5, 5),
    "autoscaling": Rate(10, 10),
    "cloudwatch": Rate(5, 5),
    "ec2": Rate(15, 50),
    "eks": Rate(10, 10),
    "sts": Rate(10, 10),
}
_DEFAULT = Rate(5, 5)
_UNPACED = Rate(1e9, 1e9)
# `unpaced` is for endpoints that are not AWS: the built-in demo account and tests.
PACES = (*_ELB, "unpaced")


def rate_of(family: str, pace: str) -> Rate:
    """The rate of an API family (`elb` and `elbv2` are apart) at a pace.

    Raises:
        UsageError: no such pace.
    """
    if pace not in PACES:
        raise UsageError(f"there is no pace {pace!r}; choose one of {', '.join(PACES)}")
    if pace == "unpaced":
        return _UNPACED
    return _ELB[pace] if family in ("elb", "elbv2") else _OTHERS.get(family, _DEFAULT)


class Bucket:
    """A token bucket that slows down when AWS throttles, and regains its rate little by little.

    Times are seconds of one monotonic clock. Not safe for use from several threads; the engine uses it from one.
    """

    FLOOR = 1 / 16  # of the full rate
    REGAIN = 1 / 40  # of the full rate, each second without a throttle
    SETTLE = 1.0  # seconds in which throttles count as one

    def __init__(self, rate: Rate, now: float) -> None:
        self.full = rate.per_second
        self.burst = rate.burst
        self.rate = rate.per_second
        self._tokens = rate.burst
        self._at = now
        self._throttled_at = float("-inf")

    def ready_at(self, now: float) -> float:
        """When the next call may be made: `now`, or later."""
        self._refill(now)
        # A hair of tolerance, lest rounding makes the caller wake up a moment too early for ever.
        return now if self._tokens >= 1 - 1e-9 else now + (1 - self._tokens) / self.rate

    def take(self, now: float) -> None:
        """Count one call."""
        self._refill(now)
        self._tokens -= 1

    def repeated(self, now: float, times: int, *, throttled: bool) -> None:
        """Count calls that were repeated below, and slow down: AWS repeats a call's cost, and seldom without need.

        Args:
            now: the time.
            times: how many more times the call was sent.
            throttled: whether it ended throttled all the same.
        """
        self._refill(now)
        self._tokens -= times
        if not (times or throttled):
            return
        # Everything saved up is gone: the bucket on AWS's side is evidently empty.
        self._tokens = min(self._tokens, 0.0)
        if now - self._throttled_at >= self.SETTLE:
            self.rate = max(self.full * self.FLOOR, self.rate / 2)
            self._throttled_at = now

    def seconds_for(self, calls: int, now: float) -> float:
        """How long that many calls will take at the present rate."""
        self._refill(now)
        return max(0.0, calls - self._tokens) / self.rate

    def _refill(self, now: float) -> None:
        passed = max(0.0, now - self._at)
        self._at = max(self._at, now)
        self._tokens = min(self.burst, self._tokens + passed * self.rate)
        if self.rate < self.full and now - self._throttled_at >= self.SETTLE:
            self.rate = min(self.full, self.rate + passed * self.full * self.REGAIN)
