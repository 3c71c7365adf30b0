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
_NODES = "eks:DescribeNodegroup"
_OFFERINGS = "ec2:DescribeInstanceTypeOfferings"
_SCHEDULED = "autoscaling:DescribeScheduledActions"
# What says which zones a load balancer serves, and that a target group is in use there.
_SERVED = (
    "elbv2:DescribeLoadBalancers",
    "elbv2:DescribeTargetGroups",
    "elbv2:DescribeListeners",
    "elbv2:DescribeRules",
)
_EMPTY = (
    "elbv2:DescribeTargetHealth",
    "elbv2:DescribeTargetGroupAttributes",
    "elbv2:DescribeLoadBalancerAttributes",
)


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
    impaired_zone_behavior: Annotated[
        str | None,
        Fact(
            "what it does with unhealthy instances of a zone that is shifted away",
            _ASG + "#AvailabilityZoneImpairmentPolicy.ImpairedZoneHealthCheckBehavior",
        ),
    ]
    distribution: Annotated[
        str,
        Fact("how it spreads capacity over zones", _ASG + "#AvailabilityZoneDistribution.CapacityDistributionStrategy"),
    ]
    suspended: Annotated[tuple[str, ...], Fact("scaling processes that are suspended", _ASG + "#SuspendedProcesses")]
    protected_from_scale_in: Annotated[
        bool,
        Fact("whether new instances are protected from scale-in", _ASG + "#NewInstancesProtectedFromScaleIn"),
    ]
    wants_instances: Annotated[bool, Fact("whether its desired capacity is above 0", _ASG + "#DesiredCapacity")]
    health_checks: Annotated[
        tuple[str, ...], Fact("health checks that can replace an instance", _ASG + "#HealthCheckType")
    ]
    min_healthy_percentage: Annotated[
        int,
        Fact(
            "healthy capacity that replacements leave, in percent; 0 without a floor",
            _ASG + "#InstanceMaintenancePolicy.MinHealthyPercentage",
        ),
    ]
    min_healthy_words: Annotated[str, Fact("that floor, in words", _ASG + "#InstanceMaintenancePolicy")]
    cluster_shift_applied: Annotated[
        Known[bool],
        Fact(
            "whether a shift is applied to the EKS cluster its instances belong to", _ARC, "eks:DescribeCluster", _NODES
        ),
    ]
    union_capacity_words: Annotated[
        Known[str], Fact("healthy capacity of those groups together, per zone", _ASG, _NODES)
    ]
    union_settling: Annotated[
        Known[bool],
        Fact("false, or unknown while instances of those groups start or stop", _ASG, _NODES),
    ]
    union_desired: Annotated[Known[int], Fact("desired capacity of those groups together", _ASG, _NODES)]
    union_maximum: Annotated[Known[int], Fact("maximum size of those groups together", _ASG, _NODES)]
    union_at_maximum: Annotated[
        Known[bool],
        Fact("whether those groups may vary in size and run all that they may", _ASG, _NODES),
    ]
    headroom_shortfall: Annotated[
        Known[int],
        Fact("units of the largest zone that the maximum sizes leave no room for elsewhere", _ASG, _NODES),
    ]
    required_capacity: Annotated[
        Known[int | None],
        Fact(
            "units the settings say are needed without any one zone; null without a figure",
            _ASG,
            _NODES,
            "elbv2:DescribeTags",
        ),
    ]
    zones_short: Annotated[Known[tuple[Zone, ...]], Fact("zones whose loss leaves less than that", _ASG, _NODES)]
    advised_behavior: Annotated[
        Known[str | None],
        Fact("what it should do with unhealthy instances of a shifted zone, by that figure", _ASG, _NODES),
    ]
    zones_lacking_addresses: Annotated[
        Known[tuple[Zone, ...]],
        Fact("zones whose instances find no address in the subnets of other zones", _SUBNETS, _ASG, _NODES),
    ]
    address_words: Annotated[Known[str], Fact("instances against free addresses, in words", _SUBNETS, _ASG, _NODES)]
    instance_types: Annotated[
        Known[tuple[str, ...]],
        Fact("instance types it may start, as named or as seen; unknown where attributes choose them", _ASG),
    ]
    zones_not_offering: Annotated[
        Known[tuple[Zone, ...]], Fact("its zones in which EC2 offers none of those types", _OFFERINGS, _ASG)
    ]
    drill_ahead: Annotated[bool, Fact("whether the settings give a drill that is not over", _ASG)]
    drill_scale_ins: Annotated[
        Known[tuple[str, ...]],
        Fact(
            "scheduled actions that make it smaller during the drill, in words", _SCHEDULED, _ASG + "#DesiredCapacity"
        ),
    ]
    zones_that_differ: Annotated[
        Known[tuple[Zone, ...]],
        Fact("zones that only it or only the load balancer behind has", *_SERVED, _ASG + "#AvailabilityZones"),
    ]
    zone_fit_words: Annotated[Known[str], Fact("how they differ, in words", *_SERVED, _ASG)]
    targets_lost: Annotated[
        Known[bool], Fact("whether instances stand in a zone the load balancer does not serve", *_SERVED, _ASG)
    ]
    zone_empty_local: Annotated[
        Known[bool],
        Fact("whether a zone of the load balancer has nothing to send to, with cross-zone off", *_EMPTY, *_SERVED),
    ]
    zone_fit_causes: Annotated[
        Known[tuple[Cause, ...]], Fact("the group or the target group, in each zone that differs", *_SERVED, _ASG)
    ]
    missing_target_groups: Annotated[
        Known[tuple[str, ...]],
        Fact(
            "ARNs of target groups it names and that do not exist",
            "elbv2:DescribeTargetGroups",
            _ASG + "#TargetGroupARNs",
        ),
    ]
