"""Where the groups of a load balancer stand together, what weighted shares end in, and which zones are near their end."""

from __future__ import annotations

import pytest

from auditor.model.finding import Cause
from auditor.model.known import Unknown

from .region import A, B, C, estate, subject

ESTATE = """
load_balancers:
  edge:
    type: network
    zones: [a, b, c]
    listeners:
      - {port: 443, protocol: TCP, default: {forward: web}}
      - {port: 444, protocol: TCP, default: {forward: admin}}
  shop:
    type: application
    zones: [a, b, c]
    listeners:
      - port: 80
        protocol: HTTP
        default: {forward: {blue: 3, green: 1}}
        rules: [{priority: 10, when: {path: [/x]}, then: {forward: {blue: 1, green: 1, red: 0}}}]
target_groups:
  web: {type: ip, protocol: TCP, targets: {a: 2 healthy, b: 2 healthy, c: 2 healthy}}
  admin: {type: ip, protocol: TCP, targets: {a: 1 healthy, b: "1 healthy, 1 unhealthy"}}
  blue: {type: ip, targets: {a: 2 healthy}}
  green: {type: ip, targets: {}}
  red: {type: ip, targets: {}}
"""


def balancer(name="edge", change=None, deny=()):
    return subject(estate(ESTATE, change=change, deny=deny), "LoadBalancer", name)


def groups(**more):
    return {"target_groups": more}


def test_a_zone_that_one_group_lacks():
    region = estate(ESTATE)
    node = subject(region, "LoadBalancer", "edge")
    admin = subject(region, "TargetGroup", "admin").TargetGroupArn
    assert node.coverage_differs is True
    assert node.zones_not_covered == (C,)
    assert node.coverage_words == f"admin in {A}, {B}; web in {A}, {B}, {C}"
    assert node.coverage_causes == (Cause(admin, C.key),)


@pytest.mark.parametrize(
    "admin",
    [
        {"targets": {"c": "1 healthy"}},
        {"targets": {"all": "1 healthy"}},
        {"targets": {"a": None, "b": None}},
        {"attributes": {"load_balancing.cross_zone.enabled": "true"}},
    ],
    ids=["everywhere", "for all zones", "none at all", "cross-zone on"],
)
def test_what_is_no_difference(admin):
    assert balancer(change=groups(admin=admin)).coverage_differs is False


def test_failing_targets_stand_in_a_zone_as_well():
    assert balancer(change=groups(admin={"targets": {"c": "1 unhealthy"}})).coverage_differs is False


@pytest.mark.parametrize(
    "admin", [{"targets": {"c": "1 initial"}}, {"type": "instance", "targets": {"unplaced": "1 healthy"}}]
)
def test_what_is_not_settled(admin):
    assert isinstance(balancer(change=groups(admin=admin)).coverage_differs, Unknown)


def shares(change=None, deny=()):
    return balancer("shop", change, deny).dead_shares


def test_shares_are_of_the_action_they_stand_in():
    assert [(s.TargetGroupName, s.percent, s.empty) for s in shares()] == [("green", 25.0, True), ("green", 50.0, True)]
    assert shares()[0].words == (
        "25 % of what the default action of listener HTTP:80 forwards falls to green and gets 503, "
        "as nothing usable is registered"
    )
    assert "priority 10" in shares()[1].words


def test_a_group_whose_targets_all_fail_is_dead_but_not_empty():
    found = shares(groups(green={"targets": {"b": "1 unhealthy, 1 draining"}}))
    assert [s.empty for s in found] == [False, False]
    assert "targets that all fail" in found[0].words


def test_one_healthy_target_serves():
    assert shares(groups(green={"targets": {"b": "1 unhealthy, 1 healthy"}})) == ()


def test_targets_that_are_starting_settle_nothing():
    assert isinstance(shares(groups(green={"targets": {"b": "1 initial"}})), Unknown)
    assert isinstance(shares(groups(green={"targets": {"b": "1 unhealthy, 1 initial"}})), Unknown)


def test_a_dead_share_that_was_seen_is_enough():
    assert len(shares(deny=["elasticloadbalancing:DescribeRules"])) == 1
    alive = groups(green={"targets": {"b": "1 healthy"}})
    assert isinstance(shares(alive, ["elasticloadbalancing:DescribeRules"]), Unknown)
    assert isinstance(shares(deny=["elasticloadbalancing:DescribeTargetHealth"]), Unknown)


def zone(zone, change=None, deny=(), name="admin"):
    return subject(estate(ESTATE, change=change, deny=deny), "TargetGroupServedZone", name, zone)


@pytest.mark.parametrize(
    ("place", "counts"), [(A, (1, 1, 1, 1)), (B, (2, 1, 1, 2)), (C, (0, 0, 1, 1))], ids=["a", "b", "c"]
)
def test_counts_of_a_zone_beside_the_others(place, counts):
    node = zone(place)
    assert (node.usable_count, node.healthy_count, node.most_elsewhere, node.most_around) == counts


def test_an_unplaced_target_makes_every_count_unknown():
    lost = groups(admin={"type": "instance", "targets": {"unplaced": "1 healthy"}})
    assert isinstance(zone(A, lost).healthy_count, Unknown)
    assert isinstance(zone(A, deny=["elasticloadbalancing:DescribeTargetHealth"]).settled, Unknown)


def test_without_its_load_balancer_the_zones_of_a_group_are_a_gap():
    listing = estate(ESTATE, deny=["elasticloadbalancing:DescribeLoadBalancers"]).of("TargetGroupServedZone")
    assert list(listing) == []
    assert not listing.complete
