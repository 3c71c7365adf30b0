"""An Application Load Balancer behind a Network Load Balancer: whose shift works, and cross-zone at both."""

from __future__ import annotations

import pytest

from auditor.model.finding import Cause

from .region import A, estate, subject, unknown

LB_ATTR = "elasticloadbalancing:DescribeLoadBalancerAttributes"
TG_ATTR = "elasticloadbalancing:DescribeTargetGroupAttributes"
ARC = "arc-zonal-shift:ListManagedResources"
LISTENERS = "elasticloadbalancing:DescribeListeners"
ON, OFF = {"zonal_shift.config.enabled": "true"}, {"zonal_shift.config.enabled": "false"}
ESTATE = """
load_balancers:
  front:
    type: network
    zones: [a, b, c]
    listeners:
      - {port: 443, protocol: TCP, default: {forward: to-web}}
      - {port: 80, protocol: TCP, default: {forward: to-web-80}}
  inside: {type: network, zones: [a, b], listeners: [{port: 443, protocol: TCP, default: {forward: in-web}}]}
  web:
    type: application
    zones: [a, b]
    attributes: {zonal_shift.config.enabled: "true"}
    listeners: [{port: 443, protocol: HTTPS, default: {forward: {blue: 1, green: 0}}}]
target_groups:
  to-web: {type: alb, port: 443, targets: {web: 1 healthy}}
  to-web-80: {type: alb, port: 80, targets: {web: 1 healthy}}
  in-web: {type: alb, port: 443, targets: {web: 1 unhealthy}}
  blue: {type: ip, targets: {a: 1 healthy, b: 1 healthy}}
  green: {type: ip, targets: {}}
"""


def balancers(**changed):
    return {"load_balancers": changed}


def web(change=None, deny=()):
    return subject(estate(ESTATE, change=change, deny=deny), "LoadBalancer", "web")


def names(found):
    return [f.LoadBalancerName for f in found]


# Shifts


def test_each_front_without_the_switch_is_named_once():
    found = web()
    assert names(found.fronts_without_shift) == ["front", "inside"]
    front, inside = found.fronts_without_shift
    assert inside.words == "inside (zonal_shift.config.enabled false, traffic through in-web)"
    assert front.words == "front (zonal_shift.config.enabled false, traffic through to-web, to-web-80)"
    assert found.fronts_without_shift_causes == (Cause(front.LoadBalancerArn), Cause(inside.LoadBalancerArn))


def test_a_front_that_can_be_shifted_is_not():
    assert names(web(balancers(front={"attributes": ON})).fronts_without_shift) == ["inside"]
    found = web(balancers(front={"attributes": ON}, inside={"attributes": ON}))
    assert (found.fronts_without_shift, found.fronts_without_shift_causes) == ((), ())


def test_an_attribute_that_aws_left_out_is_off():
    change = balancers(front={"attributes": {"zonal_shift.config.enabled": "absent"}}, inside={"attributes": ON})
    (front,) = web(change).fronts_without_shift
    assert front.words.startswith("front (zonal_shift.config.enabled not returned, ")


def test_a_front_of_one_zone_has_no_zone_to_leave():
    assert names(web(balancers(front={"zones": ["a"]})).fronts_without_shift) == ["inside"]


@pytest.mark.parametrize("state", ["draining", "unused InvalidState"])
def test_a_target_that_gets_no_traffic(state):
    change = {"target_groups": {"in-web": {"targets": {"web": f"1 {state}"}}}}
    assert names(web(change).fronts_without_shift) == ["front"]


def test_a_group_without_weight_gets_no_traffic():
    change = balancers(inside={"listeners": [{"port": 443, "protocol": "TCP", "default": {"forward": {"in-web": 0}}}]})
    assert names(web(change).fronts_without_shift) == ["front"]


def test_other_load_balancers_have_no_front():
    model = estate(ESTATE + "\n  loose: {type: ip}\n")
    for name in ("front", "inside"):
        found = subject(model, "LoadBalancer", name)
        assert (found.fronts_without_shift, found.can_shift, found.groups_raising_dns) == ((), False, ())
    (alone,) = estate("load_balancers: {x: {type: application, zones: [a, b]}}").of("LoadBalancer")
    assert (alone.fronts_without_shift, alone.can_shift) == ((), False)
    (old,) = estate("load_balancers: {x: {type: classic, zones: [a, b]}}").of("LoadBalancer")
    assert (old.fronts_without_shift, old.can_shift) == ((), False)


@pytest.mark.parametrize(
    "action",
    [
        LB_ATTR,
        LISTENERS,
        "elasticloadbalancing:DescribeTargetGroups",
        "elasticloadbalancing:DescribeTargetHealth",
    ],
)
def test_fronts_that_may_be_hidden(action):
    found = web(deny=[action])
    assert unknown(found.fronts_without_shift, action)
    assert found.fronts_without_shift_causes == ()


def test_whether_it_can_be_shifted():
    assert (web().can_shift, web().can_shift_words) == (True, "can be shifted away from a zone")
    off = balancers(web={"attributes": OFF})
    assert (web(off).can_shift, web(off).can_shift_words) == (False, "cannot be shifted")
    shifted = {"arc": {"shifts": [{"resource": "web", "away": "a"}]}}
    assert web(shifted).can_shift is True
    assert web(shifted).can_shift_words == f"is shifted away from {A} now (customer shift)"


def test_a_shift_that_is_applied_is_a_witness_and_so_is_the_switch():
    shifted = {"arc": {"shifts": [{"resource": "web", "away": "a"}]}}
    assert web(shifted, [LB_ATTR]).can_shift is True
    assert unknown(web(deny=[LB_ATTR]).can_shift, LB_ATTR)
    assert unknown(web(deny=[LB_ATTR]).can_shift_words, LB_ATTR)
    assert web(deny=[ARC]).can_shift is True
    assert unknown(web(balancers(web={"attributes": OFF}), [ARC]).can_shift, ARC)


# DNS thresholds

COUNT = "target_group_health.dns_failover.minimum_healthy_targets.count"
PERCENTAGE = "target_group_health.dns_failover.minimum_healthy_targets.percentage"


def raising(deny=(), **groups):
    change = {"target_groups": {name: {"attributes": attributes} for name, attributes in groups.items()}}
    return web(change, deny).groups_raising_dns


def test_groups_with_a_raised_threshold():
    (found,) = raising(blue={COUNT: "2"}, green={COUNT: "2"})
    assert (found.TargetGroupName, found.words) == ("blue", "blue (count 2, percentage off)")
    (found,) = raising(blue={COUNT: "absent", PERCENTAGE: "50"})
    assert found.words == "blue (count not returned, percentage 50)"
    assert raising() == ()
    assert raising(blue={COUNT: "off"}) == ()


@pytest.mark.parametrize("action", [TG_ATTR, LISTENERS, "elasticloadbalancing:DescribeTargetGroups"])
def test_a_raised_threshold_that_may_be_hidden(action):
    assert unknown(raising([action], blue={COUNT: "2"}), action)


# Cross-zone

CROSS_ZONE = "load_balancing.cross_zone.enabled"


def behind(change=None, deny=(), name="to-web"):
    return subject(estate(ESTATE, change=change, deny=deny), "TargetGroup", name).alb_behind


def cross_zone(**groups):
    return {"target_groups": {name: {"attributes": {CROSS_ZONE: value}} for name, value in groups.items()}}


@pytest.mark.parametrize(
    ("blue", "green", "off"),
    [
        ("false", "true", True),  # green gets no traffic
        ("true", "false", False),
        ("use_load_balancer_configuration", "false", False),
        ("absent", "false", False),
    ],
)
def test_groups_in_use_with_cross_zone_off(blue, green, off):
    found = behind(cross_zone(blue=blue, green=green))
    assert (found.LoadBalancerName, found.cross_zone_off) == ("web", off)
    assert [g.words for g in found.groups_off] == (["blue (load_balancing.cross_zone.enabled false)"] if off else [])


@pytest.mark.parametrize(("green", "off"), [("false", True), ("true", False)])
def test_every_group_in_use_counts(green, off):
    change = cross_zone(blue="false", green=green)
    forwards = {"default": {"forward": {"blue": 1, "green": 1}}}
    change |= balancers(web={"listeners": [{"port": 443, "protocol": "HTTPS", **forwards}]})
    found = behind(change)
    assert found.cross_zone_off is off
    assert [g.TargetGroupName for g in found.groups_off] == (["blue", "green"] if off else ["blue"])


def test_an_alb_that_uses_no_group_has_nothing_off():
    change = balancers(web={"listeners": [{"port": 443, "protocol": "HTTPS", "default": {"fixed": 200}}]})
    found = behind({**change, "target_groups": {"blue": None, "green": None}})
    assert (found.cross_zone_off, found.groups_off) == (False, ())


def test_a_lambda_group_always_has_it_on():
    forwards = {
        "default": {"forward": "blue"},
        "rules": [{"priority": 1, "when": {"path": ["/f"]}, "then": {"forward": "f"}}],
    }
    change = balancers(web={"listeners": [{"port": 443, "protocol": "HTTPS", **forwards}]})
    change["target_groups"] = {
        "blue": {"attributes": {CROSS_ZONE: "false"}},
        "green": None,
        "f": {"type": "lambda", "targets": {"f": "1 healthy"}},
    }
    assert behind(change).cross_zone_off is False


def test_groups_without_an_alb():
    assert behind(name="blue") is None
    assert behind({"target_groups": {"to-web": {"targets": None}}}) is None
    assert behind({"target_groups": {"to-web": {"targets": {"web": "1 draining"}}}}) is None


def test_what_cannot_be_read_of_the_alb():
    health, lbs = "elasticloadbalancing:DescribeTargetHealth", "elasticloadbalancing:DescribeLoadBalancers"
    assert unknown(behind(deny=[health]), health)
    assert unknown(behind(deny=[lbs]), lbs)
    for action in (TG_ATTR, LISTENERS):
        found = behind(cross_zone(blue="false"), [action])
        assert unknown(found.cross_zone_off, action)
        assert unknown(found.groups_off, action)


def test_a_group_with_cross_zone_on_is_a_witness():
    """It is used by the default action, so rules that were not read make no difference."""
    assert behind(deny=["elasticloadbalancing:DescribeRules"]).cross_zone_off is False
