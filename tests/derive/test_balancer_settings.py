"""What the settings of a load balancer mean: keepalive, affinity, state, stickiness, flows, instances of Classic ones."""

from __future__ import annotations

import pytest

from auditor.derive.balancer_settings import impaired, keep_alive, routing_policy, state_words
from auditor.model.elbv2 import LoadBalancer, LoadBalancerState

from .region import denied, estate, unknown

LB_ATTR = "elasticloadbalancing:DescribeLoadBalancerAttributes"
TG_ATTR = "elasticloadbalancing:DescribeTargetGroupAttributes"


def names(groups):
    return [g.TargetGroupName for g in groups]


@pytest.mark.parametrize(
    ("kind", "attributes", "seconds"),
    [
        ("application", {}, 3600),
        ("application", {"client_keep_alive.seconds": "60"}, 60),
        ("application", {"client_keep_alive.seconds": "604800"}, 604800),
        ("network", {"client_keep_alive.seconds": "60"}, 0),
        ("gateway", {}, 0),
    ],
)
def test_client_keepalive(kind, attributes, seconds):
    assert keep_alive(kind, attributes) == seconds


def test_client_keepalive_that_cannot_be_read():
    assert unknown(keep_alive("application", denied("a:B")), "a:B")
    assert keep_alive("network", denied("a:B")) == 0
    assert unknown(keep_alive("application", {"client_keep_alive.seconds": "soon"}))


@pytest.mark.parametrize(
    ("kind", "attributes", "policy"),
    [
        ("network", {}, "any_availability_zone"),
        ("network", {"dns_record.client_routing_policy": "availability_zone_affinity"}, "availability_zone_affinity"),
        ("application", {}, None),
        ("gateway", {}, None),
    ],
)
def test_routing_policy(kind, attributes, policy):
    assert routing_policy(kind, attributes) == policy
    assert unknown(routing_policy(kind, denied("a:B"))) is (kind == "network")


@pytest.mark.parametrize(
    ("code", "reason", "expected", "words"),
    [
        ("active", "", False, "active"),
        ("active_impaired", "No free addresses.", True, "active_impaired: No free addresses"),
        ("failed", "", True, "failed"),
    ],
)
def test_state(code, reason, expected, words):
    balancer = LoadBalancer(LoadBalancerArn="x", State=LoadBalancerState(Code=code, Reason=reason))
    assert impaired(balancer) is expected
    assert state_words(balancer) == words


@pytest.mark.parametrize("code", ["provisioning", "", "something_new"])
def test_state_that_says_nothing_yet(code):
    assert unknown(impaired(LoadBalancer(LoadBalancerArn="x", State=LoadBalancerState(Code=code))))


def balancer(kind="network", change=None, deny=()):
    """The facts of a load balancer with an in-use group g, and h of weight 0."""
    protocol = {"network": "TCP", "application": "HTTP", "gateway": "GENEVE"}[kind]
    forward = "g" if kind == "gateway" else "{g: 1, h: 0}"
    model = estate(
        f"""
        load_balancers:
          x: {{type: {kind}, zones: [a, b], listeners: [{{port: 80, protocol: {protocol}, default: {{forward: {forward}}}}}]}}
        target_groups:
          g: {{type: ip, protocol: {protocol}, targets: {{a: 1 healthy}}}}
          h: {{type: ip, protocol: {protocol}, targets: {{a: 1 healthy}}}}
        """,
        change={"target_groups": change or {}},
        deny=deny,
    )
    (found,) = model.of("LoadBalancer")
    return found


def attributes(**values):
    return {name: {"attributes": given} for name, given in values.items()}


def test_sticky_groups():
    sticky = {"stickiness.enabled": "true"}
    assert balancer().sticky_groups == ()
    assert names(balancer(change=attributes(h=sticky, g=sticky)).sticky_groups) == ["g", "h"]
    assert balancer(change=attributes(g={"stickiness.enabled": "absent"})).sticky_groups == ()
    assert unknown(balancer(deny=[TG_ATTR]).sticky_groups, TG_ATTR)


def test_sticky_groups_with_cross_zone_off():
    sticky, off = {"stickiness.enabled": "true"}, {"load_balancing.cross_zone.enabled": "false"}
    found = balancer("application", attributes(g=sticky | off, h=sticky))
    assert names(found.sticky_groups_local) == ["g"]
    assert balancer("application", attributes(g=off)).sticky_groups_local == ()
    assert balancer("network", attributes(g=sticky)).sticky_groups_local == ()
    assert unknown(balancer("application", deny=[TG_ATTR]).sticky_groups_local, TG_ATTR)


def test_in_use_groups_with_cross_zone_off():
    assert names(balancer().groups_local) == ["g"]
    assert balancer(change=attributes(g={"load_balancing.cross_zone.enabled": "true"})).groups_local == ()
    assert balancer("application").groups_local == ()
    assert unknown(balancer(deny=[LB_ATTR]).groups_local, LB_ATTR)


@pytest.mark.parametrize(
    ("unhealthy", "deregistration", "found"),
    [
        ("rebalance", "rebalance", []),
        ("no_rebalance", "rebalance", ["g"]),
        ("rebalance", "no_rebalance", ["g"]),
        ("absent", "absent", ["g"]),
        ("absent", "rebalance", ["g"]),
    ],
)
def test_flows_that_stay_on_a_dead_appliance(unhealthy, deregistration, found):
    given = {"target_failover.on_unhealthy": unhealthy, "target_failover.on_deregistration": deregistration}
    assert names(balancer("gateway", attributes(g=given)).groups_not_rebalanced) == found


def test_flows_need_the_attributes_and_are_no_matter_of_other_kinds():
    assert unknown(balancer("gateway", deny=[TG_ATTR]).groups_not_rebalanced, TG_ATTR)
    assert balancer("network", deny=[TG_ATTR]).groups_not_rebalanced == ()


def test_zones_of_the_region():
    text = "{load_balancers: {x: {type: network, zones: [a]}}, zone_types: {c: local-zone}}"
    (found,) = estate(text).of("LoadBalancer")
    assert found.region_zone_count == 2
    (found,) = estate(text, deny=["ec2:DescribeAvailabilityZones"]).of("LoadBalancer")
    assert unknown(found.region_zone_count, "ec2:DescribeAvailabilityZones")


@pytest.mark.parametrize(
    ("instances", "uneven", "empty"),
    [
        ({"a": "2 healthy", "b": "2 healthy"}, 0, []),
        ({"a": "2 healthy", "b": "5 healthy"}, 3, []),
        ({"a": "1 unhealthy", "b": "2 healthy"}, 1, []),
        ({"a": "1 healthy"}, 1, ["use1-az2"]),
        ({}, 0, []),
    ],
)
def test_instances_of_a_classic_load_balancer(instances, uneven, empty):
    (found,) = estate(
        "load_balancers: {x: {type: classic, zones: [a, b]}}",
        change={"load_balancers": {"x": {"instances": instances}}},
    ).of("LoadBalancer")
    assert found.instances_uneven_by == uneven
    assert [z.id for z in found.zones_without_instance] == empty
    assert found.instances_per_zone.count(" in ") == 2


def test_instances_whose_place_is_not_known():
    text = "load_balancers: {x: {type: classic, zones: [a, b], instances: {a: 1 healthy}}}"
    (found,) = estate(text, deny=["ec2:DescribeInstances"]).of("LoadBalancer")
    assert unknown(found.instances_uneven_by, "ec2:DescribeInstances")
    assert unknown(found.zones_without_instance, "ec2:DescribeInstances")
