"""Metrics: which series are asked for, over which time, in how few calls; and that a scan that goes on asks for the same."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest
from botocore.loaders import create_loader
from botocore.validate import ParamValidator

from auditor.collect import chosen_calls, declared_actions
from auditor.collect.metrics import cost
from auditor.model import elbv2, metrics
from auditor.model.answer import Header
from auditor.model.known import Outcome
from auditor.model.services import SERVICES
from auditor.record.decode import decode
from auditor.record.resume import answered

from .estate import ALB, GWLB, NLB, TG, balancer, estate, group
from .scripted import ACCOUNT, DENIED, EUROPE, HEADER, HOME, THROTTLED, Memory, Script, failed, scan

NOW = datetime(2026, 1, 1, 12, 34, 56, 789000, tzinfo=UTC)
WINDOW = metrics.window_before(NOW, 14 * 24)
ALL = [*SERVICES, metrics.METRICS.name]
OPERATION = "cloudwatch:GetMetricData"
WEB, API, TCP = f"{TG}/web/1", f"{TG}/api/2", f"{TG}/tcp/3"


def zoned(arn: str, kind: str, *zones: str) -> dict[str, Any]:
    return balancer(arn, kind) | {"AvailabilityZones": [{"ZoneName": f"us-east-1{z}"} for z in zones]}


SMALL: dict[str, Any] = {
    "elbv2:DescribeLoadBalancers": {
        "LoadBalancers": [zoned(ALB, "application", "a", "b"), zoned(NLB, "network", "a", "b")]
    },
    "elbv2:DescribeTargetGroups": {"TargetGroups": [group(WEB, "ip", ALB), group(TCP, "ip", NLB)]},
}


def run(replies: dict[str, Any] = SMALL, *scopes: Any, **options: Any) -> tuple[Script, Memory]:
    script = Script(replies)
    recorder, _ = scan(script, *scopes, **({"services": ALL, "window": WINDOW} | options))
    return script, recorder


def asked(replies: dict[str, Any]) -> list[tuple[str, str, dict[str, str]]]:
    """Metric, statistic and dimensions of every series."""
    return [
        (
            query["MetricStat"]["Metric"]["MetricName"],
            query["MetricStat"]["Stat"],
            {d["Name"]: d["Value"] for d in query["MetricStat"]["Metric"]["Dimensions"]},
        )
        for params in run(replies)[0].asked(OPERATION)
        for query in params["MetricDataQueries"]
    ]


# The window


@pytest.mark.parametrize(
    ("text", "hours", "written"),
    [("1h", 1, "1h"), ("6 h", 6, "6h"), ("24h", 24, "1d"), (" 14D ", 336, "14d"), ("36h", 36, "36h"), ("63d", 1512, "63d")],
)  # fmt: skip
def test_a_span_is_whole_hours_or_days(text: str, hours: int, written: str) -> None:
    assert metrics.hours_of(text) == hours
    assert metrics.span_of(text) == written


@pytest.mark.parametrize(
    "text", ["", "0h", "14", "d", "-1d", "1.5d", "90m", "2w", "64d", "1513h", "14d6h", "99999d", "soon", "1\u0661d"]
)
def test_anything_else_is_refused_with_the_form_that_can_be_used(text: str) -> None:
    with pytest.raises(ValueError, match="write whole hours or days from 1h to 63d, such as 14d"):
        metrics.hours_of(text)


@pytest.mark.parametrize(
    ("hours", "period", "points"),
    [
        (1, 60, 60),
        (6, 60, 360),
        (7, 300, 84),
        (24, 300, 288),
        (33, 300, 396),
        (34, 900, 136),
        (100, 900, 400),
        (101, 3600, 101),
        (336, 3600, 336),
        (1512, 3600, 1512),
    ],
)
def test_long_windows_have_long_periods_and_both_ends_are_whole_periods(hours: int, period: int, points: int) -> None:
    window = metrics.window_before(NOW, hours)
    assert window.period == period
    assert window.end - window.start == timedelta(hours=hours) == timedelta(seconds=period * points)
    assert window.end <= NOW < window.end + timedelta(seconds=period)
    assert window.start.timestamp() % period == window.end.timestamp() % period == 0


def test_no_period_is_shorter_than_what_cloudwatch_has_kept() -> None:
    for hours in range(1, metrics.LONGEST + 1):
        window = metrics.window_before(NOW, hours)
        age = NOW - window.start
        kept = 60 if age <= timedelta(days=15) else 300 if age <= timedelta(days=63) else 3600
        assert window.period % kept == 0


@pytest.mark.parametrize(
    ("hours", "text", "period"),
    [(1, "1 hour", "minute"), (24, "1 day", "5 minutes"), (36, "36 hours", "15 minutes"), (336, "14 days", "hour")],
)
def test_a_window_in_words(hours: int, text: str, period: str) -> None:
    window = metrics.window_before(NOW, hours)
    assert (window.text, window.period_text) == (text, period)


def header(**settings: Any) -> Header:
    return msgspec.structs.replace(HEADER, settings=settings)


def test_the_header_of_a_recording_gives_the_window() -> None:
    assert metrics.window_of(header(metrics="1d")) == metrics.window_before(datetime(2026, 1, 1, tzinfo=UTC), 24)
    for settings in ({}, {"metrics": None}, {"metrics": ""}, {"metrics": "2 weeks"}, {"metrics": 14}):
        assert metrics.window_of(header(**settings)) is None
    assert metrics.chosen_in(header(services=["rds"])) == {"rds"}
    assert metrics.chosen_in(header(services=["rds"], metrics="1d")) == {"rds", "metrics"}
    assert metrics.chosen_in(header(metrics="1d")) is None


# What is asked


def test_every_series_of_every_load_balancer_in_use_in_one_call() -> None:
    assert asked(SMALL) == [
        ("RequestCount", "Sum", {"LoadBalancer": "app/web/1"}),
        ("RequestCount", "Sum", {"AvailabilityZone": "us-east-1a", "LoadBalancer": "app/web/1"}),
        ("RequestCount", "Sum", {"AvailabilityZone": "us-east-1b", "LoadBalancer": "app/web/1"}),
        ("NewFlowCount", "Sum", {"LoadBalancer": "net/tcp/2"}),
        ("ActiveFlowCount", "Average", {"AvailabilityZone": "us-east-1a", "LoadBalancer": "net/tcp/2"}),
        ("ActiveFlowCount", "Average", {"AvailabilityZone": "us-east-1b", "LoadBalancer": "net/tcp/2"}),
        ("ProcessedBytes", "Sum", {"LoadBalancer": "net/tcp/2"}),
    ]
    (params,) = run()[0].asked(OPERATION)
    assert params["StartTime"] == "2025-12-18T12:00:00Z"
    assert params["EndTime"] == "2026-01-01T12:00:00Z"
    assert params["MaxDatapoints"] == 100_800
    assert {q["MetricStat"]["Period"] for q in params["MetricDataQueries"]} == {3600}
    names = {q["MetricStat"]["Metric"]["Namespace"] for q in params["MetricDataQueries"]}
    assert names == {"AWS/ApplicationELB", "AWS/NetworkELB"}
    assert params["MetricDataQueries"][0]["MetricStat"]["Metric"]["Namespace"] == "AWS/ApplicationELB"


def test_groups_that_share_an_application_load_balancer_are_counted_apart() -> None:
    groups = [group(WEB, "ip", ALB), group(API, "ip", ALB), group(TCP, "ip", NLB), group(f"{TG}/udp/4", "ip", NLB)]
    found = asked(SMALL | {"elbv2:DescribeTargetGroups": {"TargetGroups": groups}})
    assert [dimensions["TargetGroup"] for _, _, dimensions in found if "TargetGroup" in dimensions] == [
        "targetgroup/api/2",
        "targetgroup/web/1",
    ]


def test_nothing_is_asked_of_what_is_not_in_use_or_publishes_other_metrics() -> None:
    assert asked(SMALL | {"elbv2:DescribeTargetGroups": {"TargetGroups": [group(WEB, "ip")]}}) == []
    gateway = {"elbv2:DescribeLoadBalancers": {"LoadBalancers": [zoned(GWLB, "gateway", "a")]}}
    assert asked(gateway | {"elbv2:DescribeTargetGroups": {"TargetGroups": [group(WEB, "ip", GWLB)]}}) == []
    assert asked(SMALL | {"elbv2:DescribeLoadBalancers": DENIED}) == []
    assert asked(SMALL | {"elbv2:DescribeTargetGroups": DENIED}) == []


def test_without_the_option_nothing_is_asked() -> None:
    for options in ({"window": None}, {"services": list(SERVICES)}, {"services": []}):
        assert not run(SMALL, **options)[0].asked(OPERATION)


def many(number: int) -> dict[str, Any]:
    arns = [f"{ALB}{n:04}" for n in range(number)]
    return {
        "elbv2:DescribeLoadBalancers": {"LoadBalancers": [zoned(a, "application", "a", "b", "c") for a in arns]},
        "elbv2:DescribeTargetGroups": {"TargetGroups": [group(f"{TG}/{n}/1", "ip", a) for n, a in enumerate(arns)]},
    }


@pytest.mark.parametrize(("number", "sizes"), [(125, [500]), (126, [500, 4]), (300, [500, 500, 200])])
def test_five_hundred_series_go_in_a_call(number: int, sizes: list[int]) -> None:
    script, _ = run(many(number))
    assert [len(params["MetricDataQueries"]) for params in script.asked(OPERATION)] == sizes


def test_names_of_series_can_be_used_and_are_all_different() -> None:
    longest = f"{ALB.rpartition('app/')[0]}app/{'a-b' * 10}zz/0123456789abcdef"
    one = elbv2.LoadBalancer(
        LoadBalancerArn=longest,
        Type="application",
        AvailabilityZones=[elbv2.LoadBalancerZone(ZoneName=z) for z in ("us-east-1a", "us-west-2-lax-1a")],
    )
    groups = [f"{TG}/{'t-' * 16}/0123456789abcdef", f"{TG}/t-t/0123456789abcdee"]
    other = msgspec.structs.replace(one, LoadBalancerArn=NLB, Type="network")
    ids = [s.id for b in (one, other) for s in metrics.series_of(b, groups)]
    assert len(ids) == len(set(ids)) == 5 + 4
    assert all(re.fullmatch("[a-z][A-Za-z0-9_]{0,254}", name) for name in ids)
    queries = [q for b in (one, other) for s in metrics.series_of(b, groups) for q in [s.query(60)]]
    assert [q["Id"] for q in queries] == ids


def test_the_request_is_one_that_aws_takes() -> None:
    from botocore.model import ServiceModel

    model = ServiceModel(create_loader().load_service_model("cloudwatch", "service-2"))
    shape = model.operation_model("GetMetricData").input_shape
    for params in run()[0].asked(OPERATION):
        assert not ParamValidator().validate(params, shape).has_errors()


def test_only_with_metrics_is_the_permission_needed() -> None:
    assert "cloudwatch:GetMetricData" not in declared_actions(list(SERVICES))
    assert set(declared_actions(ALL)) - set(declared_actions(list(SERVICES))) == {"cloudwatch:GetMetricData"}
    assert len(chosen_calls(ALL)) == len(chosen_calls(list(SERVICES))) + 1


# What it costs


def test_the_cost_is_said_before_the_calls_are_made() -> None:
    script, said = Script(many(300)), []

    def say(text: str) -> None:
        assert not script.asked(OPERATION)
        said.append(text)

    scan(script, services=ALL, window=WINDOW, say=say)
    assert said == [
        "123456789012 us-east-1: asking CloudWatch for 1,200 metrics, which AWS bills at 0.01 USD per 1,000: about 0.012 USD"
    ]


@pytest.mark.parametrize(
    ("number", "words"), [(1, "1 metric, "), (7, "0.00007 USD"), (1000, "about 0.01 USD"), (250_000, "250,000 metrics")]
)
def test_the_cost_in_words(number: int, words: str) -> None:
    assert words in cost([{"MetricDataQueries": [{}] * number}])


def test_where_nothing_is_asked_nothing_is_said() -> None:
    said: list[str] = []
    run(SMALL | {"elbv2:DescribeTargetGroups": {"TargetGroups": []}}, say=said.append)
    run(SMALL, window=None, say=said.append)
    run(SMALL, services=[], say=said.append)
    assert said == []


def test_each_region_says_what_it_costs() -> None:
    said: list[str] = []
    run(SMALL, HOME, EUROPE, say=said.append)
    assert sorted(text.partition(":")[0] for text in said) == [f"{ACCOUNT} eu-west-1", f"{ACCOUNT} us-east-1"]


# What comes back


def series(name: str, *values: float, status: str = "Complete", hours: int = 0) -> dict[str, Any]:
    times = [f"2025-12-20T{hours + n:02}:00:00Z" for n in range(len(values))]
    return {"Id": name, "Label": "x", "StatusCode": status, "Timestamps": times, "Values": list(values)}


def results(recorder: Memory) -> Any:
    (region,) = decode(recorder.answers, header(services=[], metrics="14d"), None).regions
    return region.listing(metrics.METRIC_DATA)


def test_pages_are_followed_and_a_series_may_go_on_over_them() -> None:
    pages = [
        {"MetricDataResults": [series("a", 1, 2, status="PartialData")], "NextToken": "two"},
        {"MetricDataResults": [series("a", 3, hours=2), series("b", 9)]},
    ]
    script, recorder = run(SMALL | {OPERATION: pages})
    assert [p.get("NextToken") for p in script.asked(OPERATION)] == [None, "two"]
    found = results(recorder)
    assert found.complete
    assert [(r.Id, r.StatusCode, r.Values) for r in found] == [
        ("a", "PartialData", [1, 2]),
        ("a", "Complete", [3]),
        ("b", "Complete", [9]),
    ]
    lines = recorder.of("GetMetricData")
    assert [line.page for line in lines] == [1, 2]
    assert all("NextToken" not in line.params and "MaxDatapoints" not in line.params for line in lines)
    assert lines[0].params["MetricDataQueries"] == script.asked(OPERATION)[0]["MetricDataQueries"]
    assert "Label" not in lines[0].response["MetricDataResults"][0]  # type: ignore[index]


def test_a_refused_call_is_a_gap_with_its_action_and_is_asked_once() -> None:
    for refusal in (DENIED, THROTTLED, failed("InternalServiceFault", Outcome.FAILED, status=500)):
        script, recorder = run(many(126) | {OPERATION: refusal})
        assert [len(p["MetricDataQueries"]) for p in script.asked(OPERATION)] == [500, 4]
        found = results(recorder)
        assert len(found) == 0
        assert {(g.action, g.outcome) for g in found.gaps} == {("cloudwatch:GetMetricData", refusal.outcome)}
        inventory = decode(recorder.answers, header(services=[], metrics="14d"), None)
        assert {g.read.action for g in inventory.gaps} == {"cloudwatch:GetMetricData"}


def test_a_scan_that_goes_on_asks_only_for_what_it_lacks() -> None:
    first, memory = run(many(126) | {OPERATION: [{"MetricDataResults": [series("a", 1)]}, THROTTLED]})
    assert len(first.asked(OPERATION)) == 2
    again, rest = Script(many(126)), Memory()
    said: list[str] = []
    scan(again, recorder=rest, services=ALL, window=WINDOW, answered=answered(memory.answers), say=said.append)
    asked_again = again.asked(OPERATION)
    assert len(asked_again) == 1
    refused = next(a for a in memory.of("GetMetricData") if a.error)
    assert asked_again[0]["MetricDataQueries"] == refused.params["MetricDataQueries"]
    assert f"for {len(refused.params['MetricDataQueries'])} metrics" in said[0]


def test_a_scan_that_goes_on_takes_up_the_page_it_stopped_at() -> None:
    page = {"MetricDataResults": [series("a", 1, status="PartialData")], "NextToken": "two"}
    _, memory = run(SMALL | {OPERATION: [page, THROTTLED]})
    again, rest = Script(SMALL | {OPERATION: {"MetricDataResults": [series("a", 2, hours=1)]}}), Memory()
    scan(again, recorder=rest, services=ALL, window=WINDOW, answered=answered(memory.answers))
    assert [p["NextToken"] for p in again.asked(OPERATION)] == ["two"]
    rest.lines = memory.lines + rest.lines
    found = results(rest)
    assert found.complete
    assert [r.Values for r in found] == [[1], [2]]


def test_a_load_balancer_that_goes_meanwhile_costs_no_second_call() -> None:
    gone = failed("LoadBalancerNotFound", Outcome.GONE)
    emptied = {"elbv2:DescribeListeners": {}, "elbv2:DescribeTargetHealth": {}}
    script, recorder = run(estate() | SMALL | emptied | {"elbv2:DescribeLoadBalancerAttributes": gone})
    assert len(script.asked(OPERATION)) == 1
    assert results(recorder).complete


def test_what_is_not_asked_for_lack_of_the_option_says_how_to_ask() -> None:
    _, recorder = run(SMALL, window=None)
    (region,) = decode(recorder.answers, header(services=[]), None).regions
    (gap,) = region.listing(metrics.METRIC_DATA).gaps
    assert (gap.kind, gap.action) == ("not_chosen", "cloudwatch:GetMetricData")
    assert gap.says == "the traffic of load balancers was not read: `--metrics 14d` reads it"
