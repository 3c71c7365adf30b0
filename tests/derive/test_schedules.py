"""Scheduled actions within the window of a drill."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from auditor.derive.figures import Window
from auditor.derive.schedules import is_ahead, recurrence_of, scale_ins
from auditor.model import autoscaling

from .region import items, region, unknown

WINDOW = Window(start=datetime(2026, 12, 2, 18, tzinfo=UTC), end=datetime(2026, 12, 2, 21, tzinfo=UTC))


def found(*actions, window=WINDOW, suspended=(), **sizes):
    raw = {"AutoScalingGroupName": "g", "MinSize": 3, "MaxSize": 9, "DesiredCapacity": 6, **sizes}
    raw["SuspendedProcesses"] = [{"ProcessName": p} for p in suspended]
    rows = [{"ScheduledActionARN": f"arn:{n}", "AutoScalingGroupName": "g", **a} for n, a in enumerate(actions)]
    inventory = region(items(autoscaling.AUTO_SCALING_GROUPS, [raw]), items(autoscaling.SCHEDULED_ACTIONS, rows))
    (group,) = inventory.listing(autoscaling.AUTO_SCALING_GROUPS)
    return scale_ins(group, window, inventory)


def daily(recurrence, name="night", **more):
    return {"ScheduledActionName": name, "Recurrence": recurrence, **more}


@pytest.mark.parametrize(
    ("text", "day", "on"),
    [
        ("0 20 * * *", date(2026, 12, 2), True),
        ("0 20 * * 3", date(2026, 12, 2), True),  # a Wednesday
        ("0 20 * * WED", date(2026, 12, 2), True),
        ("0 20 * * mon-fri", date(2026, 12, 2), True),
        ("0 20 * * 0", date(2026, 12, 6), True),
        ("0 20 * * 7", date(2026, 12, 6), True),
        ("0 20 * * 1", date(2026, 12, 2), False),
        ("0 20 2 * *", date(2026, 12, 2), True),
        ("0 20 1-31/2 * *", date(2026, 12, 2), False),
        ("0 20 * DEC *", date(2026, 12, 2), True),
        ("0 20 * 1-11 *", date(2026, 12, 2), False),
        ("0 20 15 * WED", date(2026, 12, 2), True),  # both limited: either fits
        ("0 20 15 * WED", date(2026, 12, 15), True),
        ("0 20 15 * WED", date(2026, 12, 16), True),
        ("0 20 15 * WED", date(2026, 12, 17), False),
    ],
)
def test_days_of_a_recurrence(text, day, on):
    assert recurrence_of(text).on(day) is on


def test_minutes_and_hours():
    read = recurrence_of("*/15 8-10,20 * * *")
    assert read.minutes == {0, 15, 30, 45}
    assert read.hours == {8, 9, 10, 20}
    assert recurrence_of("5/20 * * * *").minutes == {5, 25, 45}


@pytest.mark.parametrize(
    "text",
    ["", "@daily", "0 20 * *", "0 24 * * *", "60 0 * * *", "0 20 0 * *", "0 20 * * L", "0 9-8 * * *", "*/0 0 * * *"],
)
def test_what_is_no_recurrence(text):
    assert recurrence_of(text) is None


def test_what_is_lowered():
    (night,) = found(daily("0 20 * * *", DesiredCapacity=2, MinSize=1))
    assert (night.before, night.after) == ((1, 6), (1, 2))  # the minimum was lowered the evening before
    assert night.words == "night at 2026-12-02 20:00 UTC (desired capacity from 6 to 2)"
    (once,) = found({"ScheduledActionName": "once", "StartTime": "2026-12-02T19:00:00Z", "MinSize": 1})
    assert once.words == "once at 2026-12-02 19:00 UTC (minimum from 3 to 1)"
    (cap,) = found({"ScheduledActionName": "cap", "StartTime": "2026-12-02T19:00:00Z", "MaxSize": 4})
    assert cap.words == "cap at 2026-12-02 19:00 UTC (desired capacity from 6 to 4)"


def test_what_is_not_lowered():
    assert found() == ()
    assert found(daily("0 20 * * *", DesiredCapacity=6)) == ()
    assert found(daily("0 20 * * *", DesiredCapacity=8, MinSize=4)) == ()
    assert found(daily("0 22 * * *", DesiredCapacity=2)) == ()
    assert found({"AutoScalingGroupName": "other", "Recurrence": "0 20 * * *", "DesiredCapacity": 0}) == ()
    assert found(daily("0 20 * * *", DesiredCapacity=2), suspended=["ScheduledActions"]) == ()


def test_both_ends_of_the_window_belong_to_it():
    assert len(found(daily("0 18 2 * *", DesiredCapacity=2))) == 1
    assert len(found(daily("0 21 2 * *", DesiredCapacity=2))) == 1
    assert found(daily("59 17 2 * *", DesiredCapacity=2)) == ()


def test_an_action_before_it_changes_what_is_in_force():
    day, night = daily("0 6 * * *", "day", DesiredCapacity=9), daily("0 20 * * *", "night", DesiredCapacity=6)
    (down,) = found(day, night)
    assert (down.name, down.before[1], down.after[1]) == ("night", 9, 6)
    assert found(night) == ()


def test_time_zones_and_bounds():
    (west,) = found(daily("0 14 * * *", DesiredCapacity=2, TimeZone="America/New_York"))
    assert west.at == datetime(2026, 12, 2, 19, tzinfo=UTC)
    assert found(daily("0 20 * * *", DesiredCapacity=2, StartTime="2026-12-03T00:00:00Z")) == ()
    assert found(daily("0 20 * * *", DesiredCapacity=2, EndTime="2026-12-02T00:00:00Z")) == ()
    assert unknown(found(daily("0 20 * * *", DesiredCapacity=2, TimeZone="Nowhere/At-All")))
    assert unknown(found(daily("@daily", DesiredCapacity=2)))


def test_without_a_window_or_after_it_nothing_is_said():
    over = Window(start=datetime(2026, 11, 1, tzinfo=UTC), end=datetime(2026, 11, 2, tzinfo=UTC))
    for window in (None, over):
        assert found(daily("@daily", DesiredCapacity=2), window=window) == ()
    inventory = region(items(autoscaling.AUTO_SCALING_GROUPS, []))
    assert is_ahead(WINDOW, inventory) is True
    assert is_ahead(over, inventory) is False
    assert is_ahead(None, inventory) is False


def test_actions_that_were_not_read():
    inventory = region(items(autoscaling.AUTO_SCALING_GROUPS, [{"AutoScalingGroupName": "g"}]))
    (group,) = inventory.listing(autoscaling.AUTO_SCALING_GROUPS)
    assert unknown(scale_ins(group, WINDOW, inventory), "autoscaling:DescribeScheduledActions")
