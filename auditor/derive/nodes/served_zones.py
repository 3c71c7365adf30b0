"""A target group in the zones that its load balancer serves."""

from __future__ import annotations

from typing import Annotated

from ...model.identity import Zone
from ...model.known import Known
from ..node import Fact, Node

_TG = "elbv2:DescribeTargetGroups"
_LB = "elbv2:DescribeLoadBalancers"
_HEALTH = "elbv2:DescribeTargetHealth"
_PLACED = (_HEALTH + "#targets_per_zone", "ec2:DescribeInstances")


class TargetGroupServedZone(Node, frozen=True, kw_only=True):
    """A zone that the load balancer of an instance or ip target group is enabled in, with or without targets there."""

    TargetGroupName: Annotated[str, Fact("name of the target group", _TG)]
    LoadBalancerName: Annotated[str, Fact("name of its load balancer", _LB)]
    zone: Annotated[Zone, Fact("the zone", _LB + "#AvailabilityZones")]
    in_use: Annotated[
        Known[bool],
        Fact(
            "whether a listener or rule forwards to it with a weight other than 0",
            "elbv2:DescribeListeners#forwards",
            "elbv2:DescribeRules#rule_forwards",
        ),
    ]
    usable_count: Annotated[
        Known[int], Fact("usable targets here, Kubernetes nodes that fail on purpose aside", *_PLACED)
    ]
    healthy_count: Annotated[Known[int], Fact("healthy targets here", *_PLACED)]
    healthy_labels: Annotated[Known[tuple[str, ...]], Fact("healthy targets here, by name", *_PLACED)]
    most_elsewhere: Annotated[Known[int], Fact("most healthy targets in any other zone", *_PLACED)]
    most_around: Annotated[
        Known[int],
        Fact(
            "the larger of its usable targets here and the most healthy ones in another zone (the latter 0 where Kubernetes"
            " nodes fail on purpose here)",
            *_PLACED,
        ),
    ]
    settled: Annotated[
        Known[bool],
        Fact("true, or unknown while usable targets here are not yet judged by their check", *_PLACED),
    ]
    shift_applied: Annotated[
        Known[bool],
        Fact(
            "whether a shift moves its load balancer's traffic away from this zone now",
            "arc-zonal-shift:ListManagedResources",
        ),
    ]
