"""Shifts: the applied status decides, and what was read twice may differ."""

from __future__ import annotations

import pytest

from auditor.derive.load_balancers import own_switch
from auditor.derive.shifts import ShiftState, applied_shift
from auditor.derive.zones import ZoneMap, zone_map
from auditor.model import arc, ec2
from auditor.model.known import Outcome, unclear

from .region import A, B, answer, estate, items, region, subject, unknown

MAP = ZoneMap([("us-east-1a", "use1-az1"), ("us-east-1b", "use1-az2")], {}, "us-east-1")
ZONES = items(
    ec2.AVAILABILITY_ZONES,
    [{"ZoneName": "us-east-1a", "ZoneId": "use1-az1"}, {"ZoneName": "us-east-1b", "ZoneId": "use1-az2"}],
)
ARN = "arn:aws:elasticloadbalancing:us-east-1:123456789012:loadbalancer/app/web/1"
TIMES = {"startTime": "2026-11-30T07:00:00Z", "expiryTime": "2026-11-30T19:00:00Z"}


def shift(away="use1-az1", status="APPLIED", kind="ZONAL_SHIFT", **more):
    found = {"appliedStatus": status, "awayFrom": away, "zonalShiftId": "s-1", **TIMES, **more}
    return found | ({"shiftType": kind} if kind else {})


def resource(shifts=(), autoshifts=(), weights=None):
    return {
        "arn": ARN,
        "name": "web",
        "availabilityZones": ["use1-az1", "use1-az2"],
        "appliedWeights": weights or {"use1-az1": 1.0, "use1-az2": 1.0},
        "zonalShifts": list(shifts),
        "autoshifts": list(autoshifts),
    }


def state(first, second=None):
    pages = [items(arc.MANAGED_RESOURCES, [first])]
    if second is not None:
        pages.append(items(arc.MANAGED_RESOURCES, [second] if second else [], pass_=2))
    inventory = region(ZONES, *pages)
    return ShiftState(inventory, zone_map(inventory))


def applied(**given):
    (found,) = region(items(arc.MANAGED_RESOURCES, [resource(**given)])).listing(arc.MANAGED_RESOURCES)
    return applied_shift(found, MAP)


@pytest.mark.parametrize("away", ["use1-az1", "us-east-1a"])
def test_away_from_is_an_id_or_a_name(away):
    assert applied(shifts=[shift(away)]).zone == A
    assert applied(autoshifts=[{"appliedStatus": "APPLIED", "awayFrom": away}]).zone == A


@pytest.mark.parametrize(
    ("kind", "words", "reported", "ends"),
    [
        ("ZONAL_SHIFT", "customer shift", True, True),
        (None, "customer shift", False, True),
        ("PRACTICE_RUN", "practice run", True, False),
        ("FIS_EXPERIMENT", "experiment", True, False),
        ("ZONAL_AUTOSHIFT", "autoshift", True, False),
    ],
)
def test_only_a_customer_shift_has_an_end(kind, words, reported, ends):
    found = applied(shifts=[shift(kind=kind, expiryTime="2026-11-30T07:01:00Z")])
    assert (found.kind, found.kind_reported) == (words, reported)
    assert (found.until is not None) is ends
    assert ("07:01" in found.until_words) is ends


def test_a_shift_counts_only_while_it_is_applied():
    assert applied(shifts=[shift(status="NOT_APPLIED")]) is None
    assert applied(autoshifts=[{"appliedStatus": "NOT_APPLIED", "awayFrom": "use1-az1"}]) is None
    masked = applied(shifts=[shift("use1-az2")], autoshifts=[{"appliedStatus": "NOT_APPLIED", "awayFrom": "use1-az1"}])
    assert (masked.kind, masked.zone) == ("customer shift", B)
    over = applied(
        shifts=[shift("use1-az2", "NOT_APPLIED")], autoshifts=[{"appliedStatus": "APPLIED", "awayFrom": "use1-az1"}]
    )
    assert (over.kind, over.zone, over.shift_id, over.until) == ("autoshift", A, "", None)


def test_an_expiry_in_the_past_ends_nothing():
    old = applied(shifts=[shift(expiryTime="2020-01-01T00:00:00Z")])
    assert old.zone == A


def test_which_zone_is_shifted():
    found = state(resource([shift()]))
    assert found.shifted(ARN) is True
    assert found.shifted(ARN, A) is True
    assert found.shifted(ARN, B) is False
    assert found.shifted("arn:other") is False
    assert found.listed(ARN) is True
    assert found.listed("arn:other") is False


def test_a_zone_known_only_by_name_may_be_the_shifted_one():
    inventory = region(items(arc.MANAGED_RESOURCES, [resource([shift()])]))
    found = ShiftState(inventory, zone_map(inventory))
    assert unknown(found.shifted(ARN, ZoneMap([], {}, "us-east-1").named("us-east-1a")))
    assert found.shifted(ARN) is True


def test_unread_and_partly_read():
    inventory = region(answer(arc.MANAGED_RESOURCES, fails=Outcome.DENIED))
    found = ShiftState(inventory, zone_map(inventory))
    assert unknown(found.listed(ARN), "arc-zonal-shift:ListManagedResources")
    assert unknown(found.shifted(ARN), "arc-zonal-shift:ListManagedResources")
    cut = region(ZONES, items(arc.MANAGED_RESOURCES, [resource([shift()])], more=True))
    found = ShiftState(cut, zone_map(cut))
    assert found.shifted(ARN, A) is True
    assert unknown(found.shifted("arn:other"))


@pytest.mark.parametrize(
    ("second", "changed"),
    [
        (resource(), False),
        (resource([shift()], weights={"use1-az1": 0.0, "use1-az2": 1.0}), True),
        (resource([shift(status="NOT_APPLIED")]), True),
        (resource(autoshifts=[{"appliedStatus": "APPLIED", "awayFrom": "use1-az1"}]), True),
        (resource(weights={"use1-az1": 0.0, "use1-az2": 1.0}), True),
        (resource(weights={"use1-az2": 1.0, "use1-az1": 1.0}), False),
    ],
)
def test_changed_while_reading(second, changed):
    assert state(resource(), second).changed(ARN) is changed


def test_one_reading_cannot_tell_a_change():
    assert unknown(state(resource()).changed(ARN))
    gone = region(ZONES, items(arc.MANAGED_RESOURCES, [resource()]), items(arc.MANAGED_RESOURCES, [], pass_=2))
    assert ShiftState(gone, zone_map(gone)).changed(ARN) is True


def test_the_last_reading_counts():
    found = state(resource(), resource([shift()]))
    assert found.shifted(ARN, A) is True
    ended = state(resource([shift()]), resource())
    assert ended.shifted(ARN) is False


def test_a_404_of_a_detail_does_not_make_the_load_balancer_vanish():
    from auditor.model import elbv2

    refused = answer(
        arc.MANAGED_RESOURCE,
        None,
        {"resourceIdentifier": ARN},
        fails=Outcome.GONE,
        code="ResourceNotFoundException",
    )
    inventory = region(
        items(elbv2.LOAD_BALANCERS, [{"LoadBalancerArn": ARN}]), items(arc.MANAGED_RESOURCES, [resource()]), refused
    )
    assert ARN in inventory.index(elbv2.LOAD_BALANCERS)
    assert ARN in inventory.index(arc.MANAGED_RESOURCES)


ESTATE = """
load_balancers:
  web: {type: application, zones: [a, b], attributes: {zonal_shift.config.enabled: "true"}, tags: {auditor:intent: no-shift}}
  quiet: {type: network, zones: [a, b]}
auto_scaling_groups:
  nodes: {zones: [a, b], max: 4, desired: 2, zonal_shift: true, instances: {a: 1, b: 1}, tags: {env: prod}}
clusters: {main: {zonal_shift: true, tags: {team: x}}}
arc: {shifts: [{resource: web, away: a, kind: PRACTICE_RUN}]}
"""


def test_zones_of_managed_resources():
    model = estate(ESTATE)
    found = {(n.name, n.zone.name): n.shift_applied for n in model.of("ManagedResourceZone")}
    assert found == {
        ("web", "us-east-1a"): True,
        ("web", "us-east-1b"): False,
        ("nodes", "us-east-1a"): False,
        ("nodes", "us-east-1b"): False,
        ("main", "us-east-1a"): False,
        ("main", "us-east-1b"): False,
        ("main", "us-east-1c"): False,
    }
    assert subject(model, "ManagedResourceZone", "web", A).shift.kind == "practice run"
    assert subject(model, "ManagedResourceZone", "web", B).shift is None
    assert subject(model, "LoadBalancerZone", "web", A).shift_applied is True
    assert subject(model, "LoadBalancerZone", "quiet", A).shift_applied is False


def test_both_views_of_the_switch():
    found = {n.name: (n.own_switch, n.listed) for n in estate(ESTATE).of("ShiftResource")}
    assert found == {"web": (True, True), "quiet": (False, False), "nodes": (True, True), "main": (True, True)}
    drift = {"arc": {"unlisted": ["nodes"], "extra": ["quiet"]}}
    found = {n.name: (n.own_switch, n.listed) for n in estate(ESTATE, change=drift).of("ShiftResource")}
    assert (found["nodes"], found["quiet"]) == ((True, False), (False, True))
    orphan = {"arc": {"extra": ["arn:aws:elasticloadbalancing:us-east-1:123456789012:loadbalancer/app/lost/1"]}}
    model = estate(ESTATE, change=orphan)
    assert {n.name: n.own_switch for n in model.of("ShiftResource")}["1"] is None


@pytest.mark.parametrize(
    ("action", "name"),
    [
        ("elasticloadbalancing:DescribeLoadBalancers", "web"),
        ("autoscaling:DescribeAutoScalingGroups", "nodes"),
        ("eks:DescribeCluster", "main"),
        ("eks:ListClusters", "main"),
    ],
)
def test_tags_that_were_not_read_are_not_no_tags(action, name):
    model = estate(ESTATE, deny=[action])
    switch = subject(model, "ShiftResource", name)
    assert unknown(switch.own_switch, action)
    assert unknown(switch.tags, action)
    for zone in (n for n in model.of("ManagedResourceZone") if n.name == name):
        assert unknown(zone.tags)


def test_arc_refused():
    model = estate(ESTATE, deny=["arc-zonal-shift:ListManagedResources"])
    assert unknown(subject(model, "ShiftResource", "web").listed, "arc-zonal-shift:ListManagedResources")
    assert not model.of("ManagedResourceZone").complete
    assert unknown(subject(model, "LoadBalancerZone", "web", A).shift_applied)


def test_a_switch_that_aws_left_out_says_nothing_against_arc():
    assert own_switch({}, True) == unclear(
        "AWS did not return zonal_shift.config.enabled, and ARC lists the load balancer"
    )
    assert own_switch({}, False) is False
    assert own_switch({"zonal_shift.config.enabled": "false"}, True) is False
    assert own_switch({"zonal_shift.config.enabled": "true"}, False) is True
