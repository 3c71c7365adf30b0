"""Zone names and IDs."""

from __future__ import annotations

import pytest

from auditor.derive.zones import ZoneMap, same_zone, zone_map
from auditor.model import autoscaling, ec2
from auditor.model.identity import Zone, ZoneId, ZoneName
from auditor.model.known import Outcome

from .region import A, B, answer, estate, items, region, subject, unknown

MAP = ZoneMap(
    [("us-east-1a", "use1-az1"), ("us-east-1-bos-1a", "use1-bos1-az1")],
    {"us-east-1a": "availability-zone", "us-east-1-bos-1a": "local-zone"},
    "us-east-1",
)


def test_either_form_gives_the_zone():
    assert MAP.named("us-east-1a") == MAP.of("us-east-1a") == MAP.of("use1-az1") == A


@pytest.mark.parametrize("zone_id", ["use1-az9", "apse1-az2", "use1-bos1-az2", "use1-wl1-bos-wlz1", "usgw1-az1"])
def test_an_unmapped_id_stays_an_id(zone_id):
    assert MAP.of(zone_id) == Zone(ZoneId(zone_id), None)
    assert MAP.of(zone_id).key == zone_id


@pytest.mark.parametrize("name", ["us-east-1f", "us-gov-west-1a", "us-east-1-nyc-2a", "us-east-1-wl1-bos-wlz-1"])
def test_an_unmapped_name_never_gets_an_id(name):
    assert MAP.named(name) == MAP.of(name) == Zone(None, ZoneName(name))
    assert MAP.of(name).key == f"?{name}"


@pytest.mark.parametrize(
    ("name", "edge"),
    [
        ("us-east-1a", False),
        ("us-east-1f", False),
        ("us-east-1-bos-1a", True),
        ("us-east-1-nyc-2a", True),
        ("us-east-1-wl1-bos-wlz-1", True),
    ],
)
def test_edge_zones_by_type_else_by_form(name, edge):
    assert MAP.is_edge(name) is edge


def test_same_zone():
    only_id, only_name = Zone(ZoneId("use1-az1"), None), Zone(None, ZoneName("us-east-1a"))
    assert same_zone(A, only_id) is True
    assert same_zone(A, only_name) is True
    assert same_zone(B, only_id) is False
    assert same_zone(B, only_name) is False
    assert unknown(same_zone(only_id, only_name))


REFUSED = answer(ec2.AVAILABILITY_ZONES, fails=Outcome.DENIED)
PAIR = {"AvailabilityZone": "us-east-1a", "AvailabilityZoneId": "use1-az1"}


@pytest.mark.parametrize(
    "page",
    [
        items(ec2.SUBNETS, [{"SubnetId": "s-1", **PAIR}]),
        items(autoscaling.AUTO_SCALING_GROUPS, [{"AutoScalingGroupName": "g", "Instances": [PAIR]}]),
        items(ec2.INSTANCES, [{"Instances": [{"InstanceId": "i-1", "Placement": PAIR}]}]),
        items(ec2.AVAILABILITY_ZONES, [{"ZoneName": "us-east-1a", "ZoneId": "use1-az1"}]),
    ],
)
def test_the_map_is_learnt_from_whatever_gives_both_forms(page):
    pages = (page,) if page.operation == "DescribeAvailabilityZones" else (REFUSED, page)
    assert zone_map(region(*pages)).named("us-east-1a") == A
    assert zone_map(region(*pages)).named("us-east-1b").id is None


EDGE = """
zones: {a: use1-az1, b: use1-az2, bos-1a: use1-bos1-az1}
zone_types: {bos-1a: local-zone}
zone_states: {b: impaired}
load_balancers:
  edge: {type: network, zones: [bos-1a]}
  mixed: {type: application, zones: [a, b]}
  rack: {type: application, zones: [a], outpost: true}
target_groups: {}
"""


@pytest.mark.parametrize("deny", [(), ("ec2:DescribeAvailabilityZones",), ("ec2:DescribeSubnets",)])
def test_load_balancers_at_the_edge(deny):
    model = estate(EDGE, deny=deny)
    found = {n.resource.name: n.on_edge for n in model.of("LoadBalancer")}
    assert found == {"edge": True, "mixed": False, "rack": True}


def test_states_and_inhabitants_of_zones():
    model = estate(EDGE)
    assert {n.ZoneName: n.State for n in model.of("AvailabilityZone")}["us-east-1b"] == "impaired"
    assert subject(model, "AvailabilityZone", "us-east-1b").inhabitants == ("load balancer mixed",)
    less = estate(EDGE, deny=["elasticloadbalancing:DescribeLoadBalancers"])
    assert unknown(subject(less, "AvailabilityZone", "us-east-1b").inhabitants)
    unlisted = estate(EDGE, deny=["elasticloadbalancing:DescribeTargetGroups"])
    empty = {n.ZoneId: n.inhabitants for n in unlisted.of("AvailabilityZone")}
    assert empty["use1-az2"] == ("load balancer mixed",)
    none = estate(EDGE, deny=["elasticloadbalancing:DescribeTargetGroups"], change={"load_balancers": {"mixed": None}})
    assert unknown(subject(none, "AvailabilityZone", "us-east-1b").inhabitants)
