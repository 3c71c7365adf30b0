"""Load balancers of a type added later, or whose zones AWS did not name, are not judged as something they may not be."""

from __future__ import annotations

import pytest

from auditor.derive.build import derive
from auditor.model import elbv2

from .region import ZONES, items, subject, unknown, whole

BALANCER, GROUP = "arn:lb/edge", "arn:tg/web"


def model(**balancer):
    arn = {"LoadBalancerArn": BALANCER}
    named = [{"ZoneName": f"us-east-1{z}", "SubnetId": f"subnet-{z}"} for z in ZONES]
    forward = {"Type": "forward", "TargetGroupArn": GROUP}
    given = {**arn, "LoadBalancerName": "edge", "Type": "application", "AvailabilityZones": named, **balancer}
    healthy = {"Target": {"Id": "10.0.0.1", "AvailabilityZone": "us-east-1a"}, "TargetHealth": {"State": "healthy"}}
    group = {
        "TargetGroupArn": GROUP,
        "TargetGroupName": "web",
        "TargetType": "ip",
        "LoadBalancerArns": [BALANCER],
    }
    (found,) = derive(
        whole(
            items(elbv2.LOAD_BALANCERS, [given]),
            items(elbv2.TARGET_GROUPS, [group]),
            items(elbv2.LISTENERS, [{"ListenerArn": "arn:li", "DefaultActions": [forward]}], arn),
            items(elbv2.RULES, [], {"ListenerArn": "arn:li"}),
            items(elbv2.TARGET_HEALTH, [healthy], {"TargetGroupArn": GROUP, "Include": ["All"]}),
        )
    ).regions
    return found


def test_an_ordinary_load_balancer_is_judged():
    found = model()
    assert subject(found, "LoadBalancer", "edge").zone_count == len(ZONES)
    assert subject(found, "TargetGroup", "web").in_use is True


@pytest.mark.parametrize(
    ("balancer", "says"),
    [
        ({"Type": "quantum"}, "quantum"),
        ({"AvailabilityZones": []}, "did not name the zones"),
        ({"AvailabilityZones": [{"SubnetId": "subnet-a"}]}, "did not name the zones"),
    ],
)
def test_a_strange_one_leaves_a_gap_and_its_groups_unknown(balancer, says):
    found = model(**balancer)
    for kind in ("LoadBalancer", "LoadBalancerZone"):
        listing = found.of(kind)
        assert not listing.items
        assert says in " ".join(r.says for r in listing.gaps)
    group = subject(found, "TargetGroup", "web")
    assert all(unknown(v) for v in (group.in_use, group.balancer_zones, group.failing_open))
    assert all(unknown(n.served) for n in found.of("TargetGroupZone"))
