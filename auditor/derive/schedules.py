"""Does a scheduled action make a group smaller within a window?

What is in force when an action comes is not what is in force now: an action of the same morning may have made the group
larger. So the group's actions are followed from the scan to the end of the window, a few days at the most. Between two
actions scaling policies may bring the desired capacity back to where it is now, so it counts as no lower than that.
https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-scheduled-scaling.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec

from ..model import autoscaling
from ..model.inventory import RegionInventory
from ..model.known import Known, Unknown, merge, unclear
from .figures import Window

_BEFORE = timedelta(days=8)  # a week, and a day for time zones: the longest a weekly rhythm takes to come round
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
_FIELDS = ((0, 59, ()), (0, 23, ()), (1, 31, ()), (1, 12, tuple(_MONTHS)), (0, 7, tuple(_DAYS)))


class ScaleIn(msgspec.Struct, frozen=True, kw_only=True):
    """A scheduled action that lowers the minimum or the desired capacity of its group."""

    name: str
    at: datetime
    before: tuple[int, int]
    after: tuple[int, int]

    @property
    def words(self) -> str:
        """When, and from what to what."""
        pairs = zip(("minimum", "desired capacity"), self.before, self.after, strict=True)
        lower = " and ".join(f"{what} from {old} to {new}" for what, old, new in pairs if new < old)
        return f"{self.name} at {self.at:%Y-%m-%d %H:%M} UTC ({lower})"


class Recurrence(msgspec.Struct, frozen=True, kw_only=True):
    """A cron expression, field by field. A day fits by the month or by the week when both are limited, as in cron."""

    minutes: frozenset[int]
    hours: frozenset[int]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    either_day: bool

    def on(self, day: date) -> bool:
        """Whether it comes on a day."""
        by_month, by_week = day.day in self.days, day.isoweekday() % 7 in self.weekdays
        fits = by_month or by_week if self.either_day else by_month and by_week
        return day.month in self.months and fits


def recurrence_of(text: str) -> Recurrence | None:
    """A cron expression of five fields with numbers, names, ``*``, lists, ranges and steps; None for anything else."""
    words = text.split()
    if len(words) != len(_FIELDS):
        return None
    fields = [_field(word, *form) for word, form in zip(words, _FIELDS, strict=True)]
    minutes, hours, days, months, weekdays = fields
    if minutes is None or hours is None or days is None or months is None or weekdays is None:
        return None
    return Recurrence(
        minutes=minutes,
        hours=hours,
        days=days,
        months=months,
        weekdays=frozenset(d % 7 for d in weekdays),
        either_day=not words[2].startswith("*") and not words[4].startswith("*"),
    )


def _field(text: str, low: int, high: int, names: Sequence[str]) -> frozenset[int] | None:
    found: set[int] = set()
    for part in text.lower().split(","):
        match = re.fullmatch(r"(\*|\w+(?:-\w+)?)(?:/(\d+))?", part)
        if match is None:
            return None
        first, _, last = match[1].partition("-")
        start = low if first == "*" else _number(first, low, names)
        end = high if first == "*" or (match[2] and not last) else _number(last or first, low, names)
        step = int(match[2] or 1)
        if start is None or end is None or not low <= start <= end <= high or step < 1:
            return None
        found.update(range(start, end + 1, step))
    return frozenset(found)


def _number(text: str, low: int, names: Sequence[str]) -> int | None:
    if text.isdigit():
        return int(text)
    return names.index(text) + low if text in names else None


def _moments(action: autoscaling.ScheduledAction, start: datetime, end: datetime) -> Known[tuple[datetime, ...]]:
    """When an action comes between two moments, in UTC; unknown when its recurrence or time zone means nothing to us."""
    if not action.Recurrence:
        once = action.StartTime
        return (once.astimezone(UTC),) if once and start <= once <= end else ()
    recurrence = recurrence_of(action.Recurrence)
    zone = _zone(action.TimeZone or "UTC")
    if recurrence is None or zone is None:
        said = f"{action.Recurrence!r} in {action.TimeZone or 'UTC'}"
        return unclear(f"the recurrence {said} of the scheduled action {action.ScheduledActionName} could not be read")
    since = max(start, action.StartTime) if action.StartTime else start
    until = min(end, action.EndTime) if action.EndTime else end
    return tuple(m for m in _recurring(recurrence, zone, since, until) if since <= m <= until)


def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # not there, not a name, or not readable
        return None


def _recurring(recurrence: Recurrence, zone: ZoneInfo, start: datetime, end: datetime) -> Iterator[datetime]:
    day, last = start.astimezone(zone).date(), end.astimezone(zone).date()
    while day <= last:
        if recurrence.on(day):
            for hour in sorted(recurrence.hours):
                for minute in sorted(recurrence.minutes):
                    local = datetime(day.year, day.month, day.day, hour, minute, tzinfo=zone)
                    yield local.astimezone(UTC)
        day += timedelta(days=1)


def moment_of(text: str) -> datetime | None:
    """A moment as answers carry it (ISO 8601 with zone), or None."""
    return datetime.fromisoformat(text.replace("Z", "+00:00")) if text else None


def is_ahead(window: Window | None, inventory: RegionInventory) -> bool:
    """Whether there is a window, and it was not over when the groups were read."""
    now = moment_of(inventory.at(autoscaling.AUTO_SCALING_GROUPS))
    return window is not None and now is not None and now < window.end


def scale_ins(
    group: autoscaling.AutoScalingGroup, window: Window | None, inventory: RegionInventory
) -> Known[tuple[ScaleIn, ...]]:
    """Scheduled actions that lower a group's minimum or desired capacity within the window, in order of time.

    None when there is no window ahead, and for a group whose scheduled actions are suspended. Unknown when the actions were
    not all read: one that is missing may change what the others find in force.
    """
    now = moment_of(inventory.at(autoscaling.AUTO_SCALING_GROUPS))
    if window is None or now is None or not is_ahead(window, inventory):
        return ()
    if any(p.ProcessName == "ScheduledActions" for p in group.SuspendedProcesses):
        return ()
    listing = inventory.listing(autoscaling.SCHEDULED_ACTIONS)
    if not listing.complete:
        return listing.unknown
    own = [a for a in listing if a.AutoScalingGroupName == group.AutoScalingGroupName]
    start = max(now, window.start.astimezone(UTC) - _BEFORE)
    coming: list[tuple[datetime, str, autoscaling.ScheduledAction]] = []
    unknowns: list[Unknown] = []
    for action in own:
        moments = _moments(action, start, window.end)
        if isinstance(moments, Unknown):
            unknowns.append(moments)
        else:
            coming += [(moment, action.ScheduledActionName, action) for moment in moments]
    if unknowns:
        return merge(unknowns)
    return tuple(_followed(group, sorted(coming, key=lambda c: c[:2]), window))


def _followed(
    group: autoscaling.AutoScalingGroup,
    coming: Sequence[tuple[datetime, str, autoscaling.ScheduledAction]],
    window: Window,
) -> Iterator[ScaleIn]:
    low, high, desired = group.MinSize or 0, group.MaxSize or 0, group.DesiredCapacity or 0
    for moment, name, action in coming:
        desired = max(desired, group.DesiredCapacity or 0)
        before = (low, desired)
        low = low if action.MinSize is None else action.MinSize
        high = high if action.MaxSize is None else action.MaxSize
        wanted = desired if action.DesiredCapacity is None else action.DesiredCapacity
        desired = max(low, min(wanted, high))
        if moment >= window.start and (low < before[0] or desired < before[1]):
            yield ScaleIn(name=name, at=moment, before=before, after=(low, desired))
