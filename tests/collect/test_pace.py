"""Keeping below the rate limits: the bucket alone, and the engine's calls as AWS would count them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.collect.pace import PACES, Bucket, Rate, rate_of
from auditor.collect.progress import Progress
from auditor.errors import UsageError

from .estate import TG, estate, group
from .scripted import EUROPE, HOME, THROTTLED, FakeClock, Script, scan

MANY = {"TargetGroups": [group(f"{TG}/{n}", "lambda") for n in range(200)]}


def spend(bucket: Bucket, now: float, until: float) -> list[float]:
    """Call as often as the bucket lets one, and say when."""
    times = []
    while (at := bucket.ready_at(now)) <= until:
        now = at
        bucket.take(now)
        times.append(now)
    return times


@given(
    rate=st.floats(0.5, 50),
    burst=st.integers(1, 60),
    pauses=st.lists(st.floats(0, 20), max_size=8),
)
def test_no_window_holds_more_than_burst_and_rate_allow(rate: float, burst: int, pauses: list[float]) -> None:
    bucket = Bucket(Rate(rate, burst), 0.0)
    now, times = 0.0, []
    for pause in [0.0, *pauses]:
        now += pause
        times += spend(bucket, now, now + 1)
        now = max(now + 1, bucket.ready_at(now))
    for first in range(len(times)):
        for last in range(first, len(times)):
            assert last - first + 1 <= burst + rate * (times[last] - times[first]) + 1e-6


def test_a_bucket_lets_through_what_it_may() -> None:
    times = spend(Bucket(Rate(8, 30), 0.0), 0.0, 10.0)
    assert times[:30] == [0.0] * 30
    assert len(times) == 30 + 80
    assert times[30] == pytest.approx(0.125)


def test_a_throttle_empties_the_bucket_and_halves_the_rate_which_comes_back_slowly() -> None:
    bucket = Bucket(Rate(8, 30), 0.0)
    bucket.repeated(0.0, 0, throttled=True)
    assert bucket.rate == 4
    assert bucket.ready_at(0.0) == pytest.approx(0.25)
    # Those that were in flight at the same time say nothing new.
    bucket.repeated(0.5, 1, throttled=True)
    assert bucket.rate == 4
    bucket.repeated(2.0, 1, throttled=False)
    assert bucket.rate == pytest.approx(2, abs=0.3)
    spend(bucket, 2.0, 60.0)
    assert bucket.rate == 8


def test_the_rate_has_a_floor() -> None:
    bucket = Bucket(Rate(8, 30), 0.0)
    for second in range(0, 100, 2):
        bucket.repeated(float(second), 0, throttled=True)
    assert bucket.rate >= 8 * Bucket.FLOOR


def test_repeats_below_count_against_the_bucket() -> None:
    bucket = Bucket(Rate(1, 5), 0.0)
    bucket.repeated(0.0, 3, throttled=False)
    # Three calls went out that the bucket had not counted, at half the rate now.
    assert bucket.ready_at(0.0) == pytest.approx((3 - 5 + 5 + 1 - 3) / 0.5)
    bucket.repeated(0.0, 0, throttled=False)
    assert bucket.rate == 0.5


@pytest.mark.parametrize(
    ("pace", "family", "rate"),
    [
        ("normal", "elbv2", (8, 30)),
        ("normal", "elb", (8, 30)),
        ("full", "elbv2", (9.8, 38)),
        ("gentle", "elbv2", (3, 10)),
        ("gentle", "ec2", (15, 50)),
        ("full", "arc-zonal-shift", (5, 5)),
    ],
)
def test_rates(pace: str, family: str, rate: tuple[float, float]) -> None:
    assert rate_of(family, pace) == rate


@pytest.mark.parametrize("pace", [p for p in PACES if p != "unpaced"])
def test_no_pace_goes_beyond_what_aws_documents(pace: str) -> None:
    for family in ("elb", "elbv2"):
        rate = rate_of(family, pace)
        assert rate.per_second < 10
        assert rate.burst < 40


def test_an_unknown_pace_is_refused_before_any_call() -> None:
    script = Script({})
    with pytest.raises(UsageError, match="no pace 'wild'; choose one of gentle, normal, full"):
        scan(script, pace="wild")
    assert script.made == []


def times(script: Script, service: str, region: str = "us-east-1") -> list[float]:
    return [m.at for m in script.made if (m.service, m.scope.region) == (service, region)]


def test_the_engine_keeps_the_pace_and_wastes_none_of_it() -> None:
    script = Script({"elbv2:DescribeTargetGroups": MANY})
    scan(script)
    fast = script.clock.seconds
    assert fast == 0
    script = Script({"elbv2:DescribeTargetGroups": MANY})
    scan(script, pace="normal")
    made = times(script, "elbv2")
    # Two listings, 200 attributes and 10 batches of tags.
    assert len(made) == 212
    for first, start in enumerate(made):
        inside = [t for t in made[first:] if t <= start + 5]
        assert len(inside) <= 30 + 8 * 5 + 1
    assert made[-1] == pytest.approx((212 - 30) / 8, rel=0.02)


def test_apis_and_regions_do_not_share_a_bucket() -> None:
    script = Script(estate() | {"elbv2:DescribeTargetGroups": MANY})
    scan(script, HOME, EUROPE, pace="gentle")
    alone = Script(estate() | {"elbv2:DescribeTargetGroups": MANY})
    scan(alone, HOME, pace="gentle")
    assert script.clock.seconds == pytest.approx(alone.clock.seconds, rel=0.05)
    # While load balancers are read at three a second, the rest is long done.
    assert max(times(script, "eks")) < max(times(script, "elbv2")) / 4


def test_the_engine_slows_down_when_it_is_throttled() -> None:
    def seconds(replies: Any) -> float:
        script = Script({"elbv2:DescribeTargetGroups": MANY, "elbv2:DescribeTargetGroupAttributes": replies})
        scan(script, pace="normal", threads=1)
        return script.clock.seconds

    calm = seconds({"Attributes": []})
    repeated = seconds([{"Attributes": [], "ResponseMetadata": {"RetryAttempts": 2}}, {"Attributes": []}])
    refused = seconds([THROTTLED, {"Attributes": []}])
    assert calm + 5 < repeated < calm + 30
    assert calm + 5 < refused < calm + 30


def test_scopes_take_fair_turns() -> None:
    script = Script({"elbv2:DescribeTargetGroups": MANY})
    scan(script, HOME, EUROPE, threads=1)
    half = [m.scope.region for m in script.made if m.operation == "DescribeTargetGroupAttributes"][:200]
    counts = Counter(half)
    assert min(counts.values()) > 60


def test_the_time_left_comes_from_the_slowest_bucket() -> None:
    told: list[Progress] = []
    script = Script({"elbv2:DescribeTargetGroups": MANY})
    scan(script, pace="normal", progress=told.append)
    start = next(p for p in told if p.expected > 200)
    assert start.seconds_left == pytest.approx((212 - 30) / 8, rel=0.1)
    assert told[-1].seconds_left == 0


def test_the_clock_of_a_test_runs_at_its_own_speed() -> None:
    clock = FakeClock()
    clock.sleep(3600)
    assert clock.monotonic() == 3600
