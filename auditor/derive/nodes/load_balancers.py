"""Load balancers and their zones."""

from __future__ import annotations

from typing import Annotated, Literal

from ...model.finding import Cause
from ...model.identity import Zone
from ...model.known import Known
from ..node import Fact, Facts, Node
from .group_settings import NamedGroup

Kind = Literal["application", "network", "gateway", "classic"]

_LB = "elbv2:DescribeLoadBalancers"
_LB_ATTR = "elbv2:DescribeLoadBalancerAttributes"
_TG = "elbv2:DescribeTargetGroups"
_TG_ATTR = "elbv2:DescribeTargetGroupAttributes"
_HEALTH = "elbv2:DescribeTargetHealth"
_LISTENERS = "elbv2:DescribeListeners"
_RULES = "elbv2:DescribeRules"
_CLASSIC = "elb:DescribeLoadBalancers"
_ARC = "arc-zonal-shift:ListManagedResources"


class LoadBalancer(Node, frozen=True, kw_only=True):
    """A load balancer of any of the four kinds."""

    LoadBalancerArn: Annotated[str, Fact("ARN of the load balancer (empty for a Classic one)", _LB)]
    LoadBalancerName: Annotated[str, Fact("name of the load balancer", _LB)]
    Scheme: Annotated[str, Fact("internet-facing or internal", _LB + "#Scheme")]
    State: Annotated[
        str, Fact("state AWS reports; provisioning, active, active_impaired or failed", _LB + "#State.Code")
    ]
    kind: Annotated[Kind, Fact("type; application, network, gateway or classic", _LB + "#Type")]
    kind_words: Annotated[str, Fact("the kind in words, such as Network Load Balancer", _LB)]
    zones: Annotated[tuple[Zone, ...], Fact("zones it is enabled in", _LB + "#AvailabilityZones")]
    zone_count: Annotated[int, Fact("how many zones it is enabled in", _LB + "#AvailabilityZones")]
    subnet_ids: Annotated[tuple[str, ...], Fact("subnets it is enabled in", _LB)]
    on_edge: Annotated[
        Known[bool],
        Fact("whether it stands on an Outpost or in a Local or Wavelength Zone", _LB, "ec2:DescribeAvailabilityZones"),
    ]
    targets_only_in_its_zones: Annotated[
        Known[bool],
        Fact("whether every usable target stands in the zones it is enabled in (false without targets)", _HEALTH),
    ]
    cross_zone_setting: Annotated[
        Known[Literal["on", "off"]],
        Fact("cross-zone at the load balancer itself", _LB_ATTR + "#load_balancing.cross_zone.enabled"),
    ]
    zonal_shift_enabled: Annotated[
        Known[bool],
        Fact("whether zonal shift is enabled on it", _LB_ATTR + "#zonal_shift.config.enabled"),
    ]
    is_target_of_nlb: Annotated[
        Known[bool],
        Fact("whether it is the target of a Network Load Balancer", _TG, _HEALTH),
    ]
    groups_pinning_cross_zone_off: Annotated[
        Known[tuple[str, ...]],
        Fact(
            "names of its target groups that set cross-zone off themselves (alb groups cannot)",
            _TG_ATTR + "#load_balancing.cross_zone.enabled",
        ),
    ]
    arns_pinning_cross_zone_off: Annotated[
        Known[tuple[str, ...]],
        Fact(
            "ARNs of its target groups that set cross-zone off themselves",
            _TG_ATTR + "#load_balancing.cross_zone.enabled",
        ),
    ]

    client_keep_alive_seconds: Annotated[
        Known[int],
        Fact(
            "seconds it keeps a client's connection at most; 0 unless it is an Application Load Balancer",
            _LB_ATTR + "#client_keep_alive.seconds",
        ),
    ]
    client_routing_policy: Annotated[
        Known[str | None],
        Fact(
            "zones that its DNS leads clients to; null unless it is a Network Load Balancer",
            _LB_ATTR + "#dns_record.client_routing_policy",
        ),
    ]
    impaired: Annotated[Known[bool], Fact("whether AWS reports that it is impaired or has failed", _LB + "#State.Code")]
    state_words: Annotated[
        str, Fact("state AWS reports, with the reason it gives", _LB + "#State.Code", _LB + "#State.Reason")
    ]
    region_zone_count: Annotated[
        Known[int], Fact("Availability Zones the account has in the region", "ec2:DescribeAvailabilityZones")
    ]
    sticky_groups: Annotated[
        Known[tuple[NamedGroup, ...]], Fact("its target groups with stickiness", _TG_ATTR + "#stickiness.enabled")
    ]
    sticky_groups_local: Annotated[
        Known[tuple[NamedGroup, ...]],
        Fact(
            "its target groups with stickiness and with cross-zone off (Application Load Balancers)",
            _TG_ATTR + "#stickiness.enabled",
            _TG_ATTR + "#load_balancing.cross_zone.enabled",
        ),
    ]
    groups_local: Annotated[
        Known[tuple[NamedGroup, ...]],
        Fact(
            "its in-use target groups with cross-zone off",
            _TG_ATTR + "#load_balancing.cross_zone.enabled",
            _LB_ATTR + "#load_balancing.cross_zone.enabled",
            _LISTENERS,
            _RULES,
        ),
    ]
    groups_not_rebalanced: Annotated[
        Known[tuple[NamedGroup, ...]],
        Fact(
            "its in-use target groups whose flows stay on a dead appliance (Gateway Load Balancers)",
            _TG_ATTR + "#target_failover.on_unhealthy",
            _TG_ATTR + "#target_failover.on_deregistration",
            _LISTENERS,
        ),
    ]
    instances_uneven_by: Annotated[
        Known[int],
        Fact(
            "most minus fewest registered instances over its zones (Classic Load Balancers)",
            _CLASSIC + "#Instances",
            "ec2:DescribeInstances",
        ),
    ] = 0
    instances_per_zone: Annotated[
        Known[str],
        Fact(
            "registered instances per zone, in words (Classic Load Balancers)",
            _CLASSIC + "#Instances",
            "ec2:DescribeInstances",
        ),
    ] = ""
    zones_without_instance: Annotated[
        Known[tuple[Zone, ...]],
        Fact(
            "its zones without a registered instance though others have some (Classic Load Balancers)",
            _CLASSIC + "#Instances",
            "ec2:DescribeInstances",
        ),
    ] = ()


class GroupInZone(Facts, frozen=True, kw_only=True):
    """A target group of a load balancer, seen from one of its zones."""

    TargetGroupArn: Annotated[str, Fact("ARN of the target group", _TG)]
    TargetGroupName: Annotated[str, Fact("name of the target group", _TG)]
    registered_count: Annotated[Known[int], Fact("targets registered in this zone, draining ones aside", _HEALTH)]
    usable_count: Annotated[int, Fact("targets in this zone whose state is neither unused nor draining", _HEALTH)]
    healthy_count: Annotated[int, Fact("healthy targets in this zone", _HEALTH)]


class LoadBalancerZone(Node, frozen=True, kw_only=True):
    """One enabled zone of a load balancer."""

    LoadBalancerName: Annotated[str, Fact("name of the load balancer", _LB)]
    kind: Annotated[Kind, Fact("type; application, network, gateway or classic", _LB + "#Type")]
    zone: Annotated[
        Zone, Fact("the zone it is enabled in", _LB + "#AvailabilityZones", "ec2:DescribeAvailabilityZones")
    ]
    groups: Annotated[
        Known[tuple[GroupInZone, ...]], Fact("its in-use target groups as they stand in this zone", _HEALTH)
    ]
    empty_groups_local: Annotated[
        Known[tuple[GroupInZone, ...]],
        Fact(
            "in-use groups with cross-zone off and no usable target here, though they have some in other zones",
            _HEALTH + "#targets_per_zone",
            _TG_ATTR + "#load_balancing.cross_zone.enabled",
            _LB_ATTR + "#load_balancing.cross_zone.enabled",
            _LISTENERS,
            _RULES,
        ),
    ]
    empty_groups_pooled: Annotated[
        Known[tuple[GroupInZone, ...]],
        Fact(
            "in-use groups with cross-zone on and no usable target here, though they have some in other zones",
            _HEALTH + "#targets_per_zone",
            _TG_ATTR + "#load_balancing.cross_zone.enabled",
            _LB_ATTR + "#load_balancing.cross_zone.enabled",
            _LISTENERS,
            _RULES,
        ),
    ]
    empty_group_names: Annotated[
        Known[tuple[str, ...]],
        Fact("names of its in-use groups without a usable target here", _HEALTH + "#targets_per_zone"),
    ]
    empty_effect: Annotated[
        Known[str],
        Fact("what the empty groups do to requests and capacity here, in words", _HEALTH, _TG_ATTR, _LB_ATTR),
    ]
    empty_causes: Annotated[
        Known[tuple[Cause, ...]], Fact("the (target group, zone) pairs without a usable target", _HEALTH)
    ]
    withdrawn_by: Annotated[
        Known[tuple[GroupInZone, ...]],
        Fact(
            "in-use groups whose targets fall short of the DNS threshold for this zone",
            _HEALTH + "#targets_per_zone",
            _TG_ATTR + "#target_group_health.dns_failover.minimum_healthy_targets.count",
            _TG_ATTR + "#target_group_health.dns_failover.minimum_healthy_targets.percentage",
            _TG_ATTR + "#load_balancing.cross_zone.enabled",
            _LB_ATTR + "#load_balancing.cross_zone.enabled",
        ),
    ]
    withdrawn_causes: Annotated[
        Known[tuple[Cause, ...]], Fact("the (target group, zone) pairs of those groups", _HEALTH)
    ]
    published: Annotated[
        Known[bool],
        Fact(
            "whether the DNS model says that this zone is in the load balancer's DNS answer",
            _HEALTH,
            _TG_ATTR,
            _LB_ATTR,
            _LISTENERS,
            _RULES,
        ),
    ]
    shift_applied: Annotated[
        Known[bool], Fact("whether a shift moves this load balancer's traffic away from this zone now", _ARC)
    ]
    healthy_count: Annotated[Known[int], Fact("healthy targets here, over all in-use groups", _HEALTH)]
    registered_count: Annotated[Known[int], Fact("registered targets here, over all in-use groups", _HEALTH)]
