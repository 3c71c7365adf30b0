"""Availability Zones of a region."""

from __future__ import annotations

from typing import Annotated

from ...model.identity import Zone
from ...model.known import Known
from ..node import Fact, Node

_ZONES = "ec2:DescribeAvailabilityZones"


class AvailabilityZone(Node, frozen=True, kw_only=True):
    """A zone of the region, as this account sees it."""

    ZoneName: Annotated[str, Fact("this account's name of the zone", _ZONES + "#ZoneName")]
    ZoneId: Annotated[str, Fact("physical ID of the zone", _ZONES + "#ZoneId")]
    State: Annotated[
        Known[str],
        Fact("state EC2 reports; available, information, impaired, unavailable or constrained", _ZONES + "#State"),
    ]
    zone: Annotated[Zone, Fact("the zone", _ZONES)]
    inhabitants: Annotated[
        Known[tuple[str, ...]],
        Fact(
            "load balancers, target groups and Auto Scaling groups with something in this zone",
            "elbv2:DescribeLoadBalancers",
            "elb:DescribeLoadBalancers",
            "elbv2:DescribeTargetHealth",
            "autoscaling:DescribeAutoScalingGroups",
        ),
    ]
