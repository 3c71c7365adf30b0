"""Auto Scaling groups."""

from __future__ import annotations

from typing import Annotated

from ...model.finding import Cause
from ...model.identity import Zone
from ...model.known import Known
from ..node import Fact, Facts, Node

_ASG = "autoscaling:DescribeAutoScalingGroups"
_ARC = "arc-zonal-shift:ListManagedResources"
_SUBNETS = "ec2:DescribeSubnets"


class ZoneCapacity(Facts, frozen=True, kw_only=True):
    """Capacity of a group in one of its zones, in instances or weight units."""

    zone: Annotated[Zone, Fact("the zone", _ASG)]
    healthy_capacity: Annotated[int, Fact("capacity that is InService and Healthy", _ASG + "#Instances")]
    instance_count: Annotated[int, Fact("instances in any state", _ASG + "#Instances")]


class AutoScalingGroup(Node, frozen=True, kw_only=True):
    """An EC2 Auto Scaling group."""

    AutoScalingGroupName: Annotated[str, Fact("name of the group", _ASG)]
    MinSize: Annotated[int | None, Fact("minimum size", _ASG + "#MinSize")]
    MaxSize: Annotated[int | None, Fact("maximum size", _ASG + "#MaxSize")]
    DesiredCapacity: Annotated[int | None, Fact("desired capacity", _ASG + "#DesiredCapacity")]
    zones: Annotated[tuple[Zone, ...], Fact("zones it is configured for", _ASG + "#AvailabilityZones")]
    zone_count: Annotated[int, Fact("how many zones it is configured for", _ASG + "#AvailabilityZones")]
    VPCZoneIdentifier: Annotated[str, Fact("its subnets, separated by commas", _ASG + "#VPCZoneIdentifier")]
    capacity: Annotated[tuple[ZoneCapacity, ...], Fact("healthy capacity per configured zone", _ASG + "#Instances")]
    capacity_words: Annotated[str, Fact("healthy capacity per zone, in words", _ASG + "#Instances")]
    healthy_capacity: Annotated[int, Fact("healthy capacity over all zones", _ASG + "#Instances")]
    uneven_by: Annotated[
        int, Fact("most minus least healthy capacity over its zones, empty zones included", _ASG + "#Instances")
    ]
    tolerance: Annotated[
        int,
        Fact(
            "difference that rounding explains (1 instance at its largest weight, or a tenth of the fullest zone)", _ASG
        ),
    ]
    fewer_than_zones: Annotated[bool, Fact("whether the desired capacity is below the number of zones", _ASG)]
    settling: Annotated[
        Known[bool], Fact("whether instances start, stop or are replaced (then counts say little)", _ASG + "#Instances")
    ]
    crowded: Annotated[
        bool, Fact("of four or more, over half and over 1.5 times an even share stand in one zone", _ASG + "#Instances")
    ]
    feeds_load_balancer: Annotated[
        Known[bool], Fact("whether it registers its instances with a load balancer", _ASG + "#TargetGroupARNs")
    ]
    feeds_words: Annotated[str, Fact("what it feeds, in words", _ASG + "#TargetGroupARNs")]
    owner: Annotated[str, Fact("service that owns it, or empty", _ASG + "#Tags")]
    zonal_shift_enabled: Annotated[
        bool, Fact("whether zonal shift is enabled on it", _ASG + "#AvailabilityZoneImpairmentPolicy.ZonalShiftEnabled")
    ]
    shift_applied: Annotated[
        Known[bool],
        Fact(
            "whether a shift is applied to it now", _ARC, _ASG + "#AvailabilityZoneImpairmentPolicy.ZonalShiftEnabled"
        ),
    ]
    union_names: Annotated[
        Known[tuple[str, ...]],
        Fact("groups behind the same target group or cluster, this one included", _ASG, "eks:DescribeNodegroup"),
    ]
    union_zones: Annotated[
        Known[tuple[Zone, ...]],
        Fact(
            "zones of all groups behind the same target group or cluster",
            _ASG + "#AvailabilityZones",
            "eks:DescribeNodegroup",
        ),
    ]
    union_zone_count: Annotated[
        Known[int],
        Fact(
            "how many zones all groups behind the same target group or cluster have",
            _ASG + "#AvailabilityZones",
            "eks:DescribeNodegroup",
        ),
    ]
    serves: Annotated[
        Known[bool],
        Fact(
            "whether it stands behind a load balancer or an EKS cluster",
            _ASG + "#TargetGroupARNs",
            "eks:DescribeNodegroup",
        ),
    ]
    behind_cross_zone_off: Annotated[
        Known[bool],
        Fact(
            "whether a target group it feeds has cross-zone off",
            "elbv2:DescribeTargetGroupAttributes",
            "elbv2:DescribeLoadBalancerAttributes",
        ),
    ]
    only_source_of: Annotated[
        Known[tuple[Cause, ...]],
        Fact(
            "itself, and the target groups whose every usable target it or its union supplies",
            _ASG,
            "elbv2:DescribeTargetHealth",
        ),
    ]
