"""The inventory section of the report document: what stands where, per zone, whether or not a rule complains of it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, TypeVar

from ..derive.node import Node
from ..derive.nodes import (
    AutoScalingGroup,
    EksCluster,
    LoadBalancer,
    LoadBalancerZone,
    ManagedResourceZone,
    ShiftResource,
    TargetGroup,
)
from ..derive.nodes.target_groups import Target
from ..derive.zonal_model import RegionModel, ZonalModel
from ..model.identity import Zone
from ..model.known import Unknown
from .facts import in_dns, missing, shown, tags_of, zone_of

N = TypeVar("N", bound=Node)

_LISTINGS = {
    "load_balancers": "LoadBalancer",
    "target_groups": "TargetGroup",
    "auto_scaling_groups": "AutoScalingGroup",
    "clusters": "EksCluster",
    "managed_resources": "ShiftResource",
}


def inventory_of(model: ZonalModel) -> dict[str, Any]:
    """The section, each list in the order of account, region and ARN.

    ``incomplete`` names, per list, scope and missing action, what could not be listed; when it is empty, the lists are
    whole.
    """
    sections: dict[str, list[dict[str, Any]]] = {name: [] for name in (*_LISTINGS, "shifts")}
    incomplete: list[dict[str, Any]] = []
    for region in sorted(model, key=lambda r: r.inventory.scope):
        zones = _by_arn(_nodes(region, "LoadBalancerZone", LoadBalancerZone))
        managed = _by_arn(_nodes(region, "ManagedResourceZone", ManagedResourceZone))
        sections["load_balancers"] += [
            _load_balancer(lb, zones[lb.resource.arn]) for lb in _nodes(region, "LoadBalancer", LoadBalancer)
        ]
        sections["target_groups"] += [_target_group(g) for g in _nodes(region, "TargetGroup", TargetGroup)]
        sections["auto_scaling_groups"] += [
            _auto_scaling_group(g) for g in _nodes(region, "AutoScalingGroup", AutoScalingGroup)
        ]
        sections["clusters"] += [_cluster(c) for c in _nodes(region, "EksCluster", EksCluster)]
        sections["managed_resources"] += [
            _managed(r, managed[r.resource.arn]) for r in _nodes(region, "ShiftResource", ShiftResource)
        ]
        for arn in sorted(managed):
            sections["shifts"] += [_shift(z) for z in managed[arn] if z.shift is not None]
        incomplete += _incomplete(region)
    return {**sections, "incomplete": incomplete}


def _nodes(region: RegionModel, subject: str, kind: type[N]) -> list[N]:
    found = region.subjects.get(subject)
    nodes = [node for node in found or () if isinstance(node, kind)]
    return sorted(nodes, key=lambda node: (node.resource.arn, node.resource.name))


def _by_arn(nodes: Iterable[N]) -> Mapping[str, list[N]]:
    grouped: dict[str, list[N]] = defaultdict(list)
    for node in nodes:
        grouped[node.resource.arn].append(node)
    return grouped


def _incomplete(region: RegionModel) -> list[dict[str, Any]]:
    account, name = region.inventory.scope
    return [
        {"list": section, "account_id": account, "region": name, "missing": missing(found.unknown)}
        for section, subject in _LISTINGS.items()
        if (found := region.subjects.get(subject)) is not None and not found.complete
    ]


def _identity(node: Node) -> dict[str, Any]:
    resource = node.resource
    return {
        "account_id": resource.account_id,
        "region": resource.region,
        "arn": resource.arn,
        "name": resource.name,
    }


def _load_balancer(lb: LoadBalancer, zones: list[LoadBalancerZone]) -> dict[str, Any]:
    shiftable = lb.zonal_shift_enabled if lb.kind in ("application", "network") else False
    return {
        **_identity(lb),
        "type": lb.kind,
        **shown(
            scheme=lb.Scheme,
            state=lb.State,
            cross_zone=lb.cross_zone_setting,
            zonal_shift_enabled=shiftable,
            tags=tags_of(lb.tags),
        ),
        "zones": [
            {
                **zone_of(z.zone),
                **shown(
                    healthy=z.healthy_count,
                    registered=z.registered_count,
                    in_dns=in_dns(z),
                    shifted_away=z.shift_applied,
                ),
            }
            for z in sorted(zones, key=lambda z: z.zone.key)
        ],
    }


def _target_group(group: TargetGroup) -> dict[str, Any]:
    cross_zone = group.cross_zone
    return {
        **_identity(group),
        **shown(
            target_type=group.TargetType,
            protocol=group.Protocol,
            port=group.Port,
            load_balancer=group.LoadBalancerName or None,
            load_balancer_arn=group.LoadBalancerArn or None,
            in_use=group.in_use,
            cross_zone=cross_zone if cross_zone is None or isinstance(cross_zone, Unknown) else cross_zone.value,
            registered=group.registered_count,
            healthy=group.healthy_count,
            tags=tags_of(group.tags),
            zones=_states(group.targets),
        ),
    }


def _states(targets: tuple[Target, ...] | Unknown) -> list[dict[str, Any]] | Unknown:
    """Targets per zone and state. A target registered for all zones counts under the zone name ``all``."""
    if isinstance(targets, Unknown):
        return targets
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for target in targets:
        counts[_place(target.zone)][target.State] += 1
    return [
        {"id": zone_id or None, "name": name or None, "states": dict(sorted(counts[zone_id, name].items()))}
        for zone_id, name in sorted(counts, key=lambda place: (place[0] == "", place))
    ]


def _place(zone: Zone | Unknown | None) -> tuple[str, str]:
    if zone is None:
        return "", "all"
    return ("", "") if isinstance(zone, Unknown) else (zone.id or "", zone.name or "")


def _auto_scaling_group(group: AutoScalingGroup) -> dict[str, Any]:
    return {
        **_identity(group),
        "min_size": group.MinSize,
        "max_size": group.MaxSize,
        "desired_capacity": group.DesiredCapacity,
        "owner": group.owner or None,
        **shown(zonal_shift_enabled=group.zonal_shift_enabled, shifted=group.shift_applied, tags=tags_of(group.tags)),
        "zones": [
            {**zone_of(c.zone), "healthy_capacity": c.healthy_capacity, "instances": c.instance_count}
            for c in sorted(group.capacity, key=lambda c: c.zone.key)
        ],
    }


def _cluster(cluster: EksCluster) -> dict[str, Any]:
    return {
        **_identity(cluster),
        "status": cluster.status,
        **shown(
            zonal_shift_enabled=cluster.zonal_shift_enabled,
            node_groups=cluster.node_group_count,
            fargate_only=cluster.fargate_only,
            tags=tags_of(cluster.tags),
        ),
    }


def _managed(resource: ShiftResource, zones: list[ManagedResourceZone]) -> dict[str, Any]:
    return {
        **_identity(resource),
        "type": resource.resource.type,
        **shown(own_switch=resource.own_switch, listed=resource.listed),
        "zones": [
            {**zone_of(z.zone), "shifted_away": z.shift_applied} for z in sorted(zones, key=lambda z: z.zone.key)
        ],
    }


def _shift(managed: ManagedResourceZone) -> dict[str, Any]:
    shift = managed.shift
    assert shift is not None
    return {
        **_identity(managed),
        "kind": shift.kind,
        "kind_reported": shift.kind_reported,
        "away_from": zone_of(shift.zone),
        "shift_id": shift.shift_id or None,
        "since": _time(shift.since),
        "until": _time(shift.until),
        "comment": shift.comment,
    }


def _time(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None
