"""Measured traffic: documented values, missing data, what was denied or cut off, and zones that only share a name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest
import yaml

from auditor.derive.build import derive
from auditor.derive.links import Links
from auditor.derive.measured import among
from auditor.derive.traffic import GIGABYTE, Traffic
from auditor.errors import RuleError
from auditor.evaluate.given_figures import Capacity, figures_of
from auditor.evaluate.matching import Match
from auditor.evaluate.scenario import answers, changed
from auditor.model import elbv2, metrics
from auditor.model.answer import Answer, CallError, Footer, Header
from auditor.model.inventory import Inventory
from auditor.model.known import Known, Outcome, Unknown
from auditor.record.decode import decode

from .region import ZONES, A, B, C, subject, unknown

ACTION = "cloudwatch:GetMetricData"
ESTATE = yaml.safe_load("""
load_balancers:
  shop:
    type: application
    zones: [a, b, c]
    listeners: [{port: 80, protocol: HTTP, default: {forward: web}}]
  edge:
    type: network
    zones: [a, b, c]
    attributes: {load_balancing.cross_zone.enabled: "true"}
    listeners: [{port: 443, protocol: TCP, default: {forward: tcp}}]
  spare: {type: application, zones: [a, b], listeners: [{port: 80, protocol: HTTP, default: {fixed: 503}}]}
  gate: {type: gateway, zones: [a], listeners: [{port: 6081, protocol: GENEVE, default: {forward: boxes}}]}
target_groups:
  web: {type: ip, targets: {a: 2 healthy, b: 2 healthy, c: 2 healthy}}
  tcp: {type: ip, protocol: TCP, targets: {a: 2 healthy, b: 2 healthy, c: 2 healthy}}
  boxes: {type: ip, protocol: GENEVE, port: 6081, targets: {a: 1 healthy}}
traffic:
  shop: {peak: 9000, shares: {a: 0.5, b: 0.3, c: 0.2}}
  edge: {peak: 40, shares: {a: 0.25, b: 0.25, c: 0.5}, bytes: 15032385536000}
""") | {"zones": ZONES}

Lines = tuple[list[Answer], Header, Footer]


def recorded(change: Mapping[str, Any] | None = None, *deny: str) -> Lines:
    return answers(changed(ESTATE, change or {}), deny)


def book(lines: Lines) -> Links:
    (region,) = decode(*lines).regions
    return Links(region)


def traffic(name: str, lines: Lines | None = None) -> Known[Traffic | None]:
    links = book(lines or recorded())
    (balancer,) = [b for b in links.inventory.listing(elbv2.LOAD_BALANCERS) if b.LoadBalancerName == name]
    return links.traffic.of(balancer)


def seen(name: str, lines: Lines | None = None) -> Traffic:
    found = traffic(name, lines)
    assert isinstance(found, Traffic), found
    return found


def says(value: Any) -> str:
    assert isinstance(value, Unknown), value
    return "; ".join(r.says for r in value.reasons)


def series(lines: Lines, change: Any) -> Lines:
    """The recording with each series of GetMetricData changed; None leaves one out."""

    def changed_answer(answer: Answer) -> Answer:
        if answer.operation != "GetMetricData" or answer.response is None:
            return answer
        results = [r for r in map(change, answer.response["MetricDataResults"]) if r is not None]
        return msgspec.structs.replace(answer, response={"MetricDataResults": results})

    return [changed_answer(a) for a in lines[0]], lines[1], lines[2]


def of(word: str, **fields: Any) -> Any:
    """A change of the series in whose name a word stands."""
    return lambda result: {**result, **fields} if word in result["Id"] else result


def points(*values: float | None) -> dict[str, Any]:
    """Points of consecutive periods; None for a period without one."""
    start = datetime(2026, 11, 20, tzinfo=UTC)
    kept = [(start + timedelta(hours=n), v) for n, v in enumerate(values) if v is not None]
    return {"Timestamps": [f"{at:%Y-%m-%dT%H:%M:%SZ}" for at, _ in kept], "Values": [v for _, v in kept]}


# Documented values


def test_requests_of_an_application_load_balancer() -> None:
    found = seen("shop")
    assert (found.unit, found.peak, found.bytes) == ("requests", 9000, None)
    assert found.shares == {A: 0.5, B: 0.3, C: 0.2}
    assert (found.window.text, found.window.period) == ("14 days", 3600)
    assert found.window.end == datetime(2026, 11, 30, 7, tzinfo=UTC)


def test_flows_of_a_network_load_balancer() -> None:
    found = seen("edge")
    assert (found.unit, found.peak, found.bytes) == ("flows", 40, 14_000 * GIGABYTE)
    assert found.shares == {A: 0.25, B: 0.25, C: 0.5}


def test_a_peak_is_the_mean_of_its_period_so_a_longer_one_understates_it() -> None:
    burst = of("requestCount_app_shop", **points(36_000))
    rates = {span: seen("shop", series(recorded({"metrics": span}), burst)).peak for span in ("1h", "1d", "14d")}
    assert rates == {"1h": 600, "1d": 120, "14d": 10}


def test_bytes_of_the_window_are_scaled_to_thirty_days_and_two_thirds_of_them_cross() -> None:
    links = book(recorded())
    by_name = {b.LoadBalancerName: b for b in links.inventory.listing(elbv2.LOAD_BALANCERS)}
    assert links.traffic.gigabytes_a_month(by_name["edge"]) == pytest.approx(30_000)
    assert links.traffic.gigabytes_a_month(by_name["shop"]) is None
    (region,) = derive(decode(*recorded())).regions
    node = subject(region, "LoadBalancer", "edge")
    assert node.cross_zone_usd_per_month == pytest.approx(30_000 * 2 / 3 * 2 * 0.01)
    assert node.cross_zone_cost_words.startswith("estimated at 400.00 USD a month")
    weekly = {"metrics": "7d", "traffic": {"edge": {"bytes": 15032385536000 / 2}}}
    (region,) = derive(decode(*recorded(weekly))).regions
    assert subject(region, "LoadBalancer", "edge").cross_zone_usd_per_month == pytest.approx(400)


# What nobody asked for


def test_without_metrics_everything_is_none() -> None:
    lines = recorded({"traffic": None})
    assert not [a for a in lines[0] if a.operation == "GetMetricData"]
    assert "metrics" not in lines[1].settings
    for name in ("shop", "edge", "spare", "gate"):
        assert traffic(name, lines) is None
    (region,) = derive(decode(*lines)).regions
    assert subject(region, "LoadBalancer", "edge").cross_zone_usd_per_month is None
    links = book(lines)
    (edge,) = [b for b in links.inventory.listing(elbv2.LOAD_BALANCERS) if b.LoadBalancerName == "edge"]
    assert links.traffic.group_peak(edge, "any") is None


def test_what_is_not_in_use_is_not_asked() -> None:
    assert traffic("spare") is None
    assert traffic("gate") is None
    asked = {
        query["Id"].split("_")[2]
        for answer in recorded()[0]
        if answer.operation == "GetMetricData"
        for query in answer.params["MetricDataQueries"]
    }
    assert asked == {"shop", "edge"}


# Missing data is unknown, not zero


def test_a_load_balancer_of_which_nothing_was_published() -> None:
    lines = recorded({"traffic": {"shop": None, "edge": None}})
    shop, edge = seen("shop", lines), seen("edge", lines)
    assert says(shop.peak) == (
        "CloudWatch has no RequestCount of app/shop/"
        + says(shop.peak).split("app/shop/")[1].split(" ")[0]
        + " in the window: no traffic, or nothing was published"
    )
    for value in (shop.peak, shop.shares, edge.peak, edge.shares, edge.bytes):
        assert unknown(value)
        assert not isinstance(value, Unknown) or value.actions == ()


def test_a_zone_that_published_nothing_had_none_where_the_others_account_for_all() -> None:
    whole = recorded({"traffic": {"shop": {"shares": {"a": 0.6, "b": 0.4, "c": None}}}})
    assert seen("shop", whole).shares == {A: 0.6, B: 0.4, C: 0}
    lacking = recorded({"traffic": {"shop": {"shares": {"c": None}}}})
    found = seen("shop", lacking)
    assert found.peak == 9000
    assert "data of a zone is missing" in says(found.shares)


@pytest.mark.parametrize(
    ("share", "known"), [(0.2, True), (0.191, True), (0.209, True), (0.188, False), (0.212, False)]
)
def test_zones_account_for_the_requests_within_a_hundredth(share: float, known: bool) -> None:
    found = seen("shop", recorded({"traffic": {"shop": {"shares": {"c": share}}}})).shares
    assert isinstance(found, Unknown) is not known
    if not isinstance(found, Unknown):
        assert sum(found.values()) == pytest.approx(1)


def test_zeros_are_known_and_give_no_shares() -> None:
    lines = series(recorded(), of("", **points(0, 0)))
    shop, edge = seen("shop", lines), seen("edge", lines)
    assert (shop.peak, edge.peak, edge.bytes) == (0, 0, 0)
    assert "took no traffic in the window" in says(shop.shares)
    assert "took no traffic in the window" in says(edge.shares)


def open_flows(**zones: Sequence[float | None]) -> Known[Mapping[Any, float]]:
    def change(result: dict[str, Any]) -> dict[str, Any]:
        zone = result["Id"][-1]
        return {**result, **points(*zones[zone])} if "activeFlow" in result["Id"] else result

    return seen("edge", series(recorded(), change)).shares


def test_open_flows_are_compared_over_the_periods_in_which_all_zones_reported() -> None:
    # In its second hour zone c did not report: that hour counts for none of them.
    assert open_flows(a=[10, 90, 10], b=[10, 90, 10], c=[20, None, 20]) == {A: 0.25, B: 0.25, C: 0.5}
    assert open_flows(a=[1, 1], b=[1, None], c=[2, 2]) == {A: 0.25, B: 0.25, C: 0.5}
    few: dict[str, list[float | None]] = {"a": [1, 1, 1], "b": [1, 1, 1], "c": [1, None, None]}
    one_never: dict[str, list[float | None]] = {"a": [1], "b": [1], "c": []}
    for zones in (few, one_never, {zone: [] for zone in "abc"}):
        assert "did not report open flows at the same time" in says(open_flows(**zones))


# What could not be read


@pytest.mark.parametrize(("how", "outcome"), [("deny", Outcome.DENIED), ("throttle", Outcome.THROTTLED)])
def test_a_call_that_was_refused_is_a_gap_with_its_action_never_zero(how: str, outcome: Outcome) -> None:
    lines = recorded({"throttle": [ACTION]}) if how == "throttle" else recorded(None, ACTION)
    for name in ("shop", "edge"):
        found = seen(name, lines)
        for value in (found.peak, found.shares, *([found.bytes] if name == "edge" else [])):
            assert unknown(value, ACTION)
            assert isinstance(value, Unknown)
            assert {r.outcome for r in value.reasons} == {outcome}
    inventory = decode(*lines)
    assert [(g.read.action, g.reason.outcome) for g in inventory.gaps] == [(ACTION, outcome)]
    assert not inventory.complete


def test_series_on_a_page_that_never_came_are_unknown_and_those_before_it_stand() -> None:
    lines = recorded({"cut": [ACTION]})
    edge, shop = seen("edge", lines), seen("shop", lines)
    # Answers come in the order of ARNs: those of `shop` (app/) before those of `edge` (net/).
    assert shop.peak == 9000
    assert shop.shares == {A: 0.5, B: 0.3, C: 0.2}
    assert unknown(edge.peak, ACTION) or unknown(edge.shares, ACTION)
    assert unknown(edge.bytes, ACTION)
    assert "the listing was cut off after page 1" in says(edge.bytes)


def two_pages(first: dict[str, Any], second: dict[str, Any] | None, refusal: CallError | None = None) -> Lines:
    """The peak of `shop` on two pages; the rest on the first."""
    lines, header, footer = recorded()
    (line,) = [a for a in lines if a.operation == "GetMetricData"]
    assert line.response
    rest = [r for r in line.response["MetricDataResults"] if not r["Id"].startswith("requestCount_app_shop")]
    name = next(q["Id"] for q in line.params["MetricDataQueries"])
    page1 = msgspec.structs.replace(
        line, next="two", response={"MetricDataResults": [*rest, {"Id": name, "StatusCode": "PartialData", **first}]}
    )
    page2 = msgspec.structs.replace(
        line,
        page=2,
        response=None if second is None else {"MetricDataResults": [{"Id": name, "StatusCode": "Complete", **second}]},
        error=refusal,
    )
    others = [a for a in lines if a.operation != "GetMetricData"]
    return [*others, page1, *([page2] if second is not None or refusal else [])], header, footer


def test_a_series_may_go_on_over_pages_and_is_known_once_it_is_whole() -> None:
    later = points(None, None, 7200, 1800)
    assert seen("shop", two_pages(points(3600, 1800), later)).peak == 2
    assert "cut off after page 1" in says(seen("shop", two_pages(points(3600), None)).peak)
    denied = CallError(code="Throttling", message="no", outcome=Outcome.THROTTLED)
    found = seen("shop", two_pages(points(3600), None, denied))
    assert unknown(found.peak, ACTION)
    assert "throttled" in says(found.peak)
    assert seen("edge", two_pages(points(3600), None, denied)).peak == 40  # its series had come to their end


@pytest.mark.parametrize(
    "fields",
    [
        {"StatusCode": "PartialData"},
        {"StatusCode": "InternalError", "Values": [], "Timestamps": []},
        {"StatusCode": "Forbidden", "Values": [], "Timestamps": []},
        {"StatusCode": ""},
        {"Values": [1.0]},
    ],
)
def test_a_series_that_is_not_whole_is_unknown(fields: dict[str, Any]) -> None:
    found = seen("shop", series(recorded(), of("requestCount_app_shop", **fields)))
    assert unknown(found.peak, ACTION)
    assert unknown(found.shares, ACTION)


def test_a_series_that_the_answer_lacks_is_unknown() -> None:
    lines = series(recorded(), lambda result: None if "requestCount" in result["Id"] else result)
    assert unknown(seen("shop", lines).peak, ACTION)
    assert seen("edge", lines).peak == 40


def test_where_target_groups_were_not_seen_nobody_knows_what_is_in_use() -> None:
    lines = recorded(None, "elasticloadbalancing:DescribeTargetGroups")
    for name in ("shop", "edge", "spare"):
        assert unknown(traffic(name, lines), "elasticloadbalancing:DescribeTargetGroups")
    assert traffic("gate", lines) is None


def test_a_load_balancer_that_was_deleted_meanwhile_is_no_subject_and_disturbs_no_other() -> None:
    lines, header, footer = recorded()
    gone = CallError(code="LoadBalancerNotFound", message="no", outcome=Outcome.GONE)
    lines = [
        msgspec.structs.replace(a, response=None, error=gone)
        if a.operation == "DescribeLoadBalancerAttributes" and "/shop/" in a.params["LoadBalancerArn"]
        else a
        for a in lines
    ]
    inventory = decode(lines, header, footer)
    (region,) = derive(inventory).regions
    assert {n.resource.name for n in region.of("LoadBalancer")} == {"edge", "spare", "gate"}
    assert seen("edge", (lines, header, footer)).peak == 40
    assert inventory.complete


# Names of zones


def test_zones_of_the_same_name_in_two_accounts_are_kept_apart() -> None:
    other = {
        "account": "444455556666",
        "zones": {"a": "use1-az3", "b": "use1-az1", "c": "use1-az2"},
        "traffic": {"shop": {"peak": 10, "shares": {"a": 0.1, "b": 0.1, "c": 0.8}}},
    }
    mine, theirs = recorded(), recorded(other)
    both: Inventory = decode([*mine[0], *theirs[0]], mine[1], mine[2])
    found = {}
    for region in both.regions:
        links = Links(region)
        (shop,) = [b for b in region.listing(elbv2.LOAD_BALANCERS) if b.LoadBalancerName == "shop"]
        measured = links.traffic.of(shop)
        assert isinstance(measured, Traffic)
        assert isinstance(measured.shares, dict)
        found[region.scope.account_id] = (measured.peak, {z.key: s for z, s in measured.shares.items()})
    assert found == {
        "123456789012": (9000, {"use1-az1": 0.5, "use1-az2": 0.3, "use1-az3": 0.2}),
        "444455556666": (10, {"use1-az3": pytest.approx(0.1), "use1-az1": pytest.approx(0.1), "use1-az2": pytest.approx(0.8)}),
    }  # fmt: skip


# The peak of a target group


def group_peak(name: str, lines: Lines) -> Any:
    links = book(lines)
    group = next(g for g in links.groups.values() if g.TargetGroupName == name)
    return links.traffic.group_peak(links.balancers[group.LoadBalancerArns[0]], group.TargetGroupArn)


TWO = {
    "load_balancers": {"shop": {"listeners": [{"port": 80, "protocol": "HTTP", "default": {"forward": {"web": 1, "api": 1}}}]}},
    "target_groups": {"api": {"type": "ip", "targets": {"a": "1 healthy"}}},
}  # fmt: skip


def test_the_only_group_has_all_requests_and_groups_that_share_have_their_own() -> None:
    assert group_peak("web", recorded()) == 9000
    shared = recorded({**TWO, "traffic": {"shop": {"groups": {"web": 8000}}}})
    assert group_peak("web", shared) == 8000
    assert "no RequestCount of targetgroup/api/" in says(group_peak("api", shared))
    assert unknown(group_peak("web", recorded(TWO, ACTION)), ACTION)
    assert "counts flows, not requests" in says(group_peak("tcp", recorded()))


def test_a_group_is_the_only_one_only_where_all_groups_were_seen() -> None:
    lines, header, footer = recorded()
    lines = [msgspec.structs.replace(a, next="more") if a.operation == "DescribeTargetGroups" else a for a in lines]
    assert unknown(group_peak("web", (lines, header, footer)), "elasticloadbalancing:DescribeTargetGroups")


# Figures


def loss(lines: Lines, name: str = "web", **figure: Any) -> Any:
    figures = figures_of([Capacity(match=Match(name=name), **figure)], None)
    (region,) = derive(decode(*lines), figures).regions
    return subject(region, "TargetGroup", name).zone_loss


def test_what_is_not_given_is_measured_and_said_so() -> None:
    found = loss(recorded(), target_rps=2000, retry_factor=1.5)
    assert found.targets_needed == 7
    assert found.figure_words == (
        "peak 9000 requests a second (measured: mean of the busiest hour in 14 days), 2000 for each target, "
        "times 1.5 for retries, arriving as measured"
    )
    assert "arriving as measured" in loss(recorded(), peak_rps=100, target_rps=100).figure_words
    given = loss(recorded(), peak_rps=100, target_rps=100, ingress={"us-east-1a": 1})
    assert given.figure_words == "peak 100 requests a second, 100 for each target"


def test_without_metrics_figures_mean_what_they_meant() -> None:
    lines = recorded({"traffic": None})
    assert loss(lines, target_rps=2000) is None
    assert (
        loss(lines, peak_rps=9000, target_rps=2000).figure_words == "peak 9000 requests a second, 2000 for each target"
    )


def test_a_denied_metric_makes_what_rests_on_it_unknown_and_nothing_else() -> None:
    lines = recorded(None, ACTION)
    assert unknown(loss(lines, target_rps=2000), ACTION)
    given = loss(lines, peak_rps=9000, target_rps=2000)
    assert unknown(given.local_short, ACTION)
    assert given.pooled_short is True
    whole = loss(lines, peak_rps=9000, target_rps=2000, ingress={"us-east-1a": 0.5, "us-east-1b": 0.5})
    assert whole.local_short is True


def test_of_several_figures_the_most_demanding_takes_the_peak_and_a_given_peak_wins() -> None:
    def needed(*entries: Capacity) -> Any:
        (region,) = derive(decode(*recorded()), figures_of(entries, None)).regions
        found = subject(region, "TargetGroup", "web").zone_loss
        return found if found is None or isinstance(found, Unknown) else found.targets_needed

    web = Match(name="web")
    low, high = Capacity(match=web, target_rps=100), Capacity(match=web, target_rps=1000)
    assert needed(low, high) == needed(high, low) == 90
    assert needed(low, Capacity(match=web, target_rps=1000, peak_rps=3000)) == 3
    assert needed(Capacity(match=Match(name="other"), target_rps=1)) is None


def test_no_request_is_no_figure() -> None:
    lines = series(recorded(), of("requestCount_app_shop", **points(0, 0)))
    assert "got no request in the window" in says(loss(lines, target_rps=2000))


def test_a_zone_without_a_healthy_target_leaves_its_share_to_the_others() -> None:
    down = recorded({"target_groups": {"web": {"targets": {"c": None}}}})
    found = loss(down, peak_rps=1000, target_rps=1000)
    # Half and 0.3 of the requests arrived in a and b; without c these are five and three eighths, so the loss of either is
    # carried by the two targets of the other.
    assert found.local_short is False
    assert among({A: 0.5, B: 0.3, C: 0.2}, [A, B]) == {A: pytest.approx(0.625), B: pytest.approx(0.375)}
    assert among({C: 1.0}, [A, B]) == {}


# The short form


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"traffic": {"shopp": {"peak": 1}}}, "traffic.shopp: is no Application or Network Load Balancer"),
        ({"traffic": {"gate": {"peak": 1}}}, "traffic.gate: is no Application or Network Load Balancer"),
        ({"traffic": {"shop": {"shares": {"d": 1}}}}, "traffic.shop.shares: zone d is not one of a, b, c"),
        ({"traffic": {"shop": {"groups": {"x": 1}}}}, "traffic.shop.groups: x is not one of web, tcp, boxes"),
        ({"traffic": {"shop": {"peaks": 1}}}, "peaks"),
        ({"metrics": "2w"}, "metrics: '2w' is no time to look back"),
    ],
)
def test_traffic_that_cannot_be_is_refused(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(RuleError, match=sentence):
        recorded(change)


def test_the_series_of_a_scenario_are_those_that_a_scan_asks_for() -> None:
    (line,) = [a for a in recorded()[0] if a.operation == "GetMetricData"]
    (region,) = decode(*recorded()).regions
    assert region.window is not None
    balancers, groups = region.listing(elbv2.LOAD_BALANCERS), region.listing(elbv2.TARGET_GROUPS)
    assert [line.params] == list(metrics.requests_for(balancers, groups, region.window))
