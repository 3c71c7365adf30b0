"""All facts of every Auto Scaling group of a region."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from ..model import autoscaling, ec2
from ..model.known import Known, Reason, Unknown
from ..model.verdict import Truth
from . import addresses, headroom, offerings, scaling, schedules, zone_fit
from .figures import Figures
from .group_health import GroupView
from .headroom import Together
from .links import Links, fed_classic, fed_groups
from .node import Node
from .node_groups import cluster_arn_of
from .nodes.scaling import AutoScalingGroup
from .placement import in_words, is_crowded, uneven_by
from .shifts import ShiftState

T = TypeVar("T")


def scaling_nodes(
    views: Mapping[str, GroupView], figures: Figures, links: Links, shifts: ShiftState
) -> tuple[list[Node], Sequence[Reason]]:
    """Every Auto Scaling group, and why there may be more."""
    listing = links.inventory.listing(autoscaling.AUTO_SCALING_GROUPS)
    unions = scaling.Unions(links)
    staying = [g for g in listing if not scaling.being_deleted(g)]
    return [_node(g, unions, links, shifts, views=views, figures=figures) for g in staying], listing.gaps


def _node(
    group: autoscaling.AutoScalingGroup,
    unions: scaling.Unions,
    links: Links,
    shifts: ShiftState,
    *,
    views: Mapping[str, GroupView],
    figures: Figures,
) -> AutoScalingGroup:
    inventory = links.inventory
    zones = scaling.zones_of(group, links.zones, inventory.index(ec2.SUBNETS))
    capacity = scaling.capacity_per_zone(group, zones, links.zones)
    counts = {c.zone: c.healthy_capacity for c in capacity}
    fullest, total = max(counts.values(), default=0), sum(counts.values())
    members = unions.members(group)
    together = unions.zones(group)
    fed, by_name = fed_groups(group), fed_classic(group)
    names = {a: links.groups[a].TargetGroupName if a in links.groups else a for a in fed}
    node = scaling.as_node(group, links)
    return AutoScalingGroup(
        resource=node.resource,
        tags=node.tags,
        links={
            "autoscaling:DescribeAutoScalingGroups": group.AutoScalingGroupName,
            "arc-zonal-shift:ListManagedResources": group.AutoScalingGroupARN,
        },
        AutoScalingGroupName=group.AutoScalingGroupName,
        MinSize=group.MinSize,
        MaxSize=group.MaxSize,
        DesiredCapacity=group.DesiredCapacity,
        zones=zones,
        zone_count=len(zones),
        VPCZoneIdentifier=group.VPCZoneIdentifier or "",
        capacity=capacity,
        capacity_words=in_words(counts),
        healthy_capacity=total,
        uneven_by=uneven_by(list(counts.values())),
        tolerance=scaling.tolerance_of(group, fullest),
        fewer_than_zones=(group.DesiredCapacity or 0) < len(zones),
        settling=scaling.settling_of(group),
        crowded=is_crowded(total, fullest, len(counts)),
        feeds_load_balancer=scaling.feeds_load_balancer(group, links),
        feeds_words=", ".join(
            [*(f"target group {names[a]}" for a in fed), *(f"Classic Load Balancer {n}" for n in by_name)]
        ),
        owner=scaling.owner_of(group),
        shift_applied=shifts.shifted(group.AutoScalingGroupARN),
        union_names=unions.names(group),
        union_zones=together,
        union_zone_count=together if isinstance(together, Unknown) else len(together),
        serves=scaling.serves(group, links),
        behind_cross_zone_off=scaling.behind_cross_zone_off(group, links),
        only_source_of=scaling.only_source_of(group, members, links),
        cluster_shift_applied=_cluster_shifted(group, links, shifts),
        missing_target_groups=zone_fit.missing_groups(group, links),
        **_settings(group),
        **_loss(group, figures, unions, links),
        **_places(group, unions, links),
        **_fit(group, zone_fit.zone_fit(group, views, links), names),
        **_drill(group, figures, links),
    )


def _settings(group: autoscaling.AutoScalingGroup) -> dict[str, Any]:
    """What a group's own settings say; a policy or a value that AWS left out means the documented default."""
    impairment, distribution = group.AvailabilityZoneImpairmentPolicy, group.AvailabilityZoneDistribution
    floor = group.InstanceMaintenancePolicy.MinHealthyPercentage if group.InstanceMaintenancePolicy else None
    floor = floor if floor is not None and floor >= 0 else None
    checks = {"EC2", *(c.strip() for c in group.HealthCheckType.split(","))} - {""}
    return {
        "zonal_shift_enabled": bool(impairment and impairment.ZonalShiftEnabled),
        "impaired_zone_behavior": impairment.ImpairedZoneHealthCheckBehavior if impairment else None,
        "distribution": (distribution and distribution.CapacityDistributionStrategy) or "balanced-best-effort",
        "suspended": tuple(sorted({p.ProcessName for p in group.SuspendedProcesses})),
        "protected_from_scale_in": bool(group.NewInstancesProtectedFromScaleIn),
        "wants_instances": bool(group.DesiredCapacity),
        "health_checks": tuple(sorted(checks)),
        "min_healthy_percentage": floor or 0,
        "min_healthy_words": "no floor" if floor is None else f"a floor of {floor} percent",
    }


def _of(found: Known[T], attribute: str) -> Any:
    """A part of a value; unknown where the value is."""
    return found if isinstance(found, Unknown) else getattr(found, attribute)


def _loss(
    group: autoscaling.AutoScalingGroup, figures: Figures, unions: scaling.Unions, links: Links
) -> dict[str, Any]:
    """What the loss of a zone leaves to the union of groups."""
    numbers: Known[Together] = headroom.together(group, unions, links)
    needed = headroom.required(group, figures, unions, links)
    short = headroom.zones_short(numbers, needed)
    return {
        "union_capacity_words": _of(numbers, "words"),
        "union_settling": _of(numbers, "settling"),
        "union_desired": _of(numbers, "desired"),
        "union_maximum": _of(numbers, "maximum"),
        "union_at_maximum": _of(numbers, "at_maximum"),
        "headroom_shortfall": _of(numbers, "shortfall"),
        "required_capacity": needed,
        "zones_short": short,
        "advised_behavior": headroom.advised_behavior(short, needed),
    }


def _places(group: autoscaling.AutoScalingGroup, unions: scaling.Unions, links: Links) -> dict[str, Any]:
    """Whether what a zone loses finds addresses and instance types elsewhere."""
    rooms = addresses.rooms_lacking(group, unions, links)
    zones = scaling.zones_of(group, links.zones, links.inventory.index(ec2.SUBNETS))
    return {
        "zones_lacking_addresses": rooms if isinstance(rooms, Unknown) else tuple(r.zone for r in rooms),
        "address_words": rooms if isinstance(rooms, Unknown) else addresses.in_words(rooms),
        "instance_types": offerings.types_of(group),
        "zones_not_offering": offerings.zones_not_offering(group, zones, links),
    }


def _fit(group: autoscaling.AutoScalingGroup, fit: Known[zone_fit.ZoneFit], names: Mapping[str, str]) -> dict[str, Any]:
    """How the zones fit those of the load balancers."""
    known = None if isinstance(fit, Unknown) else fit
    return {
        "zones_that_differ": _of(fit, "zones"),
        "targets_lost": _of(fit, "lost"),
        "zone_empty_local": _of(fit, "empty"),
        "zone_fit_words": fit if known is None else known.words(names),
        "zone_fit_causes": fit if known is None else known.causes(group.AutoScalingGroupARN),
    }


def _drill(group: autoscaling.AutoScalingGroup, figures: Figures, links: Links) -> dict[str, Any]:
    """What is scheduled for the drill."""
    found = schedules.scale_ins(group, figures.drill, links.inventory)
    return {
        "drill_ahead": schedules.is_ahead(figures.drill, links.inventory),
        "drill_scale_ins": found if isinstance(found, Unknown) else tuple(s.words for s in found),
    }


def _cluster_shifted(group: autoscaling.AutoScalingGroup, links: Links, shifts: ShiftState) -> Truth:
    """Whether a shift is applied to the cluster whose nodes the group's instances are."""
    arn = cluster_arn_of(group, links)
    return arn if isinstance(arn, Unknown) else arn is not None and shifts.shifted(arn)
