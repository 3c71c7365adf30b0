"""A target group in the zones that its load balancer serves."""

from __future__ import annotations

from typing import Annotated

from ...model.identity import Zone
from ...model.known import Known
from ..node import Fact, Node

_TG = "elbv2:DescribeTargetGroups"
_HEALTH = "elbv2:DescribeTargetHealth"
_PLACED = (_HEALTH + "#targets_per_zone", "ec2:DescribeInstances")


class TargetGroupServedZone(Node, frozen=True, kw_only=True):
    """A zone that the load balancer of an instance or ip target group is enabled in, with or without targets there."""

    TargetGroupName: Annotated[str, Fact("name of the target group", _TG)]
    LoadBalancerName: Annotated[str, Fact("name of its load balancer", "elbv2:DescribeLoadBalancers")]
    zone: Annotated[Zone, Fact("the zone", "elbv2:DescribeLoadBalancers#AvailabilityZones")]
    in_use: Annotated[
        Known[bool],
        Fact("whether a listener or rule sends traffic to the group", "elbv2:DescribeListeners", "elbv2:DescribeRules"),
    ]
    usable_count: Annotated[Known[int], Fact("usable targets here", *_PLACED)]
    healthy_count: Annotated[Known[int], Fact("healthy targets here", *_PLACED)]
    most_elsewhere: Annotated[Known[int], Fact("most healthy targets in any other zone", *_PLACED)]
    most_around: Annotated[
        Known[int], Fact("the larger of its usable targets here and the most healthy ones in another zone", *_PLACED)
    ]
    settled: Annotated[
        Known[bool],
        Fact("true, or unknown while usable targets of the group are not yet judged by their check", _HEALTH),
    ]
    shift_applied: Annotated[
        Known[bool],
        Fact(
            "whether a shift moves its load balancer's traffic away from this zone now",
            "arc-zonal-shift:ListManagedResources",
        ),
    ]
