"""What the settings of a target group mean: matcher, port of the check, thresholds, targets of all zones."""

from __future__ import annotations

import pytest

from auditor.derive.group_settings import out_of_order
from auditor.derive.thresholds import DNS_KEY, ROUTING_KEY, part_of

from .region import denied, estate, unknown

COUNT, PERCENT = f"{DNS_KEY}.count", f"{DNS_KEY}.percentage"


def group(change=None, deny=(), kind="network"):
    """The facts of the one target group of a small load balancer."""
    protocol = {"network": "TCP", "application": "HTTP"}[kind]
    model = estate(
        f"""
        load_balancers:
          x: {{type: {kind}, zones: [a, b], listeners: [{{port: 80, protocol: {protocol}, default: {{forward: g}}}}]}}
        target_groups: {{g: {{type: ip, protocol: {protocol}, port: 8443, targets: {{a: 2 healthy, b: 3 healthy}}}}}}
        """,
        change={"target_groups": {"g": change or {}}},
        deny=deny,
    )
    return next(g for g in model.of("TargetGroup") if g.TargetGroupName == "g")


@pytest.mark.parametrize(
    ("matcher", "redirects", "errors"),
    [
        ("200", False, False),
        ("200-299", False, False),
        ("200-300", True, False),
        ("200,399", True, False),
        ("200-399", True, False),
        ("200,400", False, True),
        ("200-599", True, True),
        ("599", False, True),
    ],
)
def test_matcher(matcher, redirects, errors):
    node = group({"health_check": {"matcher": matcher}}, kind="application")
    assert (node.matcher_accepts_redirects, node.matcher_accepts_errors) == (redirects, errors)


def test_a_tcp_check_has_no_matcher():
    node = group()
    assert (node.matcher, node.matcher_accepts_redirects, node.matcher_accepts_errors) == ("", False, False)


@pytest.mark.parametrize(("port", "other"), [("traffic-port", False), ("8443", False), ("9000", True), ("80", True)])
def test_port_of_the_check(port, other):
    assert group({"health_check": {"protocol": "HTTP", "port": port}}).checks_other_port is other
    node = group({"health_check": {"protocol": "HTTP", "port": port}, "targets": None})
    assert node.checks_other_port is other


def test_port_of_the_check_needs_the_targets_only_where_they_decide():
    health = "elasticloadbalancing:DescribeTargetHealth"
    assert group(deny=[health]).checks_other_port is False
    assert unknown(
        group({"health_check": {"protocol": "HTTP", "port": "9000"}}, deny=[health]).checks_other_port, health
    )


def test_check_switched_off():
    assert group().health_check_enabled is True
    assert group({"health_check": {"enabled": False}}).health_check_enabled is False


@pytest.mark.parametrize(
    ("key", "attributes", "expected"),
    [
        (COUNT, {COUNT: "3"}, 3),
        (COUNT, {COUNT: "off"}, None),
        (PERCENT, {}, None),
        (PERCENT, {PERCENT: "40"}, 40),
        (f"{ROUTING_KEY}.count", {}, 1),
        (f"{ROUTING_KEY}.count", {f"{ROUTING_KEY}.count": "4"}, 4),
        (f"{ROUTING_KEY}.percentage", {}, None),
        (f"{ROUTING_KEY}.percentage", {f"{ROUTING_KEY}.percentage": "70"}, 70),
    ],
)
def test_one_minimum(key, attributes, expected):
    assert part_of(attributes, key) == expected


def test_the_documents_disagree_on_the_dns_count_alone():
    assert unknown(part_of({}, COUNT))
    assert unknown(part_of(denied("a:B"), PERCENT), "a:B")


@pytest.mark.parametrize(
    ("dns", "routing", "lower"),
    [
        ({"count": "1"}, {}, False),
        ({"count": "1"}, {"count": "2"}, True),
        ({"count": "2"}, {"count": "2"}, False),
        ({"count": "off"}, {"count": "2"}, False),
        ({"count": "1", "percentage": "20"}, {"percentage": "21"}, True),
        ({"count": "1", "percentage": "21"}, {"percentage": "21"}, False),
        ({"count": "1", "percentage": "20"}, {"percentage": "off"}, False),
        ({"count": "1", "percentage": "off"}, {"percentage": "50"}, False),
        ({"percentage": "20"}, {"percentage": "30"}, True),
    ],
)
def test_order_of_thresholds(dns, routing, lower):
    attributes = {f"{DNS_KEY}.{k}": v for k, v in dns.items()} | {f"{ROUTING_KEY}.{k}": v for k, v in routing.items()}
    assert out_of_order(attributes) is lower


def test_order_is_unknown_without_the_dns_count():
    assert unknown(out_of_order({}))
    assert unknown(out_of_order(denied("a:B")), "a:B")


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ({COUNT: "2"}, []),
        ({COUNT: "3"}, [("use1-az1", 3, 2)]),
        ({COUNT: "4"}, [("use1-az1", 4, 2), ("use1-az2", 4, 3)]),
        ({f"{ROUTING_KEY}.count": "3"}, [("use1-az1", 3, 2)]),
        ({COUNT: "off"}, []),
        ({COUNT: "absent", f"{ROUTING_KEY}.count": "3"}, [("use1-az1", 3, 2)]),
        ({COUNT: "5", "load_balancing.cross_zone.enabled": "true"}, []),
        ({COUNT: "6", "load_balancing.cross_zone.enabled": "true"}, [(None, 6, 5)]),
    ],
)
def test_minimum_out_of_reach(attributes, expected):
    found = group({"attributes": attributes}).unreachable_thresholds
    assert [(t.zone.id if t.zone else None, t.minimum, t.usable_count) for t in found] == expected


def test_minimum_out_of_reach_is_unclear_while_targets_start_and_without_the_count():
    starting = {"attributes": {COUNT: "3"}, "targets": {"a": "1 healthy, 1 initial"}}
    assert unknown(group(starting).unreachable_thresholds)
    assert unknown(group({"attributes": {COUNT: "absent"}}).unreachable_thresholds)
    attributes = "elasticloadbalancing:DescribeTargetGroupAttributes"
    assert unknown(group(deny=[attributes]).unreachable_thresholds, attributes)


def test_targets_registered_for_all_zones():
    assert group().all_zone_targets == ()
    assert group({"targets": {"all": "2 healthy"}}).all_zone_targets == ()
    (inside,) = group({"targets": {"all": "1 healthy", "all-inside": "1 healthy"}}).all_zone_targets
    assert inside.Id.startswith("10.0.")
    assert unknown(group({"targets": {"all": "1 healthy"}}, deny=["ec2:DescribeSubnets"]).all_zone_targets)
    assert group(deny=["ec2:DescribeSubnets"]).all_zone_targets == ()


def test_an_alb_behind_an_nlb():
    text = """
    load_balancers:
      front: {type: network, zones: [a], listeners: [{port: 80, protocol: TCP, default: {forward: to-alb}}]}
      alb: {type: application, zones: [a], listeners: [{port: 80, protocol: HTTP, default: {forward: web}}]}
    target_groups:
      to-alb: {type: alb, port: 80, targets: {alb: 1 healthy}}
      web: {type: ip, targets: {a: 1 healthy}}
      idle: {type: ip, targets: {}}
    """
    found = {g.TargetGroupName: g.balancer_behind_nlb for g in estate(text).of("TargetGroup")}
    assert found == {"to-alb": False, "web": True, "idle": False}
    health = "elasticloadbalancing:DescribeTargetHealth"
    found = {g.TargetGroupName: g.balancer_behind_nlb for g in estate(text, deny=[health]).of("TargetGroup")}
    assert unknown(found["web"], health)
    assert found["to-alb"] is False
