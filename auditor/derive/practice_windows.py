"""Do the windows and dates of a practice-run configuration leave room for a run?

A run takes about 30 minutes and comes about weekly. Windows are in UTC, each within one day: ``Mon:08:00-Mon:18:00``.
https://docs.aws.amazon.com/r53recovery/latest/dg/arc-zonal-autoshift.considerations.html
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta

from ..model import arc
from ..model.known import Known, unclear

RUN_MINUTES = 30
DAYS = 14
MOST_BLOCKED_DAYS = 6
_DAY = 24 * 60
_NAMES = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WINDOW = re.compile(r"([a-z]{3}):(\d\d):(\d\d)-([a-z]{3}):(\d\d):(\d\d)")

Span = tuple[int, int]


def window(text: str) -> Span | None:
    """Start and end of a window in minutes of the week, from Monday; None when it is not of the documented form.

    The last minute of a day cannot be written as an end, so 23:59 stands for midnight.
    """
    match = _WINDOW.fullmatch(text.strip().lower())
    if not match or match[1] != match[4] or match[1] not in _NAMES:
        return None
    day = _NAMES.index(match[1]) * _DAY
    start, end = (int(match[i]) * 60 + int(match[i + 1]) for i in (2, 5))
    end = _DAY if end == _DAY - 1 else end
    return (day + start, day + end) if 0 <= start < end <= _DAY else None


def too_tight(configuration: arc.PracticeRunConfiguration, now: datetime) -> Known[str]:
    """Why there is no room for a run, in words; "" when there is.

    Unknown when a window is not of the documented form, since it may be the one that leaves room.
    """
    allowed = [window(text) for text in configuration.allowedWindows]
    blocked = [window(text) for text in configuration.blockedWindows]
    if None in (*allowed, *blocked):
        return unclear("a window of the practice-run configuration is not of the documented form")
    dates = _dates(configuration.blockedDates)
    today = now.astimezone(UTC).date()
    if _longest(_spans(allowed)) < RUN_MINUTES and allowed:
        return f"no allowed window is {RUN_MINUTES} minutes long"
    week = _fill(bytearray(7 * _DAY), _spans(blocked), 1)
    if sum(week) > MOST_BLOCKED_DAYS * _DAY:
        return f"blocked windows cover more than {MOST_BLOCKED_DAYS} days of every week"
    days = [today + timedelta(days=n) for n in range(DAYS)]
    if all(day in dates for day in days):
        return f"every one of the next {DAYS} days is a blocked date"
    if _most_free(_free(days, _spans(allowed), _spans(blocked), dates)) < RUN_MINUTES:
        return f"windows and blocked dates leave no {RUN_MINUTES} minutes free in the next {DAYS} days"
    return ""


def _spans(windows: Iterable[Span | None]) -> list[Span]:
    return [w for w in windows if w is not None]


def _fill(minutes: bytearray, spans: Iterable[Span], value: int) -> bytearray:
    for start, end in spans:
        minutes[start:end] = bytes([value]) * (end - start)
    return minutes


def _longest(spans: Sequence[Span]) -> int:
    """The longest stretch that the spans give together; the week begins again after its end."""
    return _most_free(bytes(_fill(bytearray(7 * _DAY), spans, 1)) * 2)


def _free(days: Sequence[date], allowed: Sequence[Span], blocked: Sequence[Span], dates: set[date]) -> bytes:
    week = _fill(bytearray(7 * _DAY), allowed, 1) if allowed else bytearray(b"\1") * (7 * _DAY)
    _fill(week, blocked, 0)
    of_day = (week[d.weekday() * _DAY : (d.weekday() + 1) * _DAY] if d not in dates else bytes(_DAY) for d in days)
    return b"".join(of_day)


def _most_free(minutes: bytes) -> int:
    return max(map(len, minutes.split(b"\0")))


def _dates(texts: Iterable[str]) -> set[date]:
    def parsed() -> Iterator[date]:
        for text in texts:
            try:
                yield date.fromisoformat(text)
            except ValueError:
                continue

    return set(parsed())
