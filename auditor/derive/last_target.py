"""Is a zone one failure away from having no healthy target, although there is more to have?

A zone with one healthy target is close to the edge when it has more targets registered, or when another zone has more healthy
ones. A group with one target in each zone is small, not close to the edge.
https://docs.aws.amazon.com/elasticloadbalancing/latest/network/target-group-health-checks.html
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..model import elbv2
from ..model.identity import Zone
from ..model.known import Listing, Reason, Unknown, unclear
from .group_health import GroupView
from .links import Links
from .node import Node
from .nodes.served_zones import TargetGroupServedZone
from .nodes.target_groups import Target
from .shifts import ShiftState
from .tags import group_tags
from .target_groups import balancer_name, evidence_links, resource_of
from .targets import per_zone, unresolved


def served_zones(views: Iterable[GroupView], links: Links, shifts: ShiftState) -> Listing[Node]:
    """Every zone in which the load balancer of an attached instance or ip group is enabled.

    A group whose load balancer was not read leaves a gap.
    """
    nodes: list[Node] = []
    gaps: list[Reason] = list(links.inventory.listing(elbv2.TARGET_GROUPS).gaps)
    for view in views:
        if not view.has_zones or not view.group.LoadBalancerArns:
            continue
        if isinstance(view.enabled, Unknown) or isinstance(view.balancer, Unknown) or view.balancer is None:
            gaps += view.enabled.reasons if isinstance(view.enabled, Unknown) else ()
            continue
        for zone in view.enabled:
            nodes.append(
                TargetGroupServedZone(
                    resource=resource_of(view.group, links),
                    tags=group_tags(view.group.TargetGroupArn, links.inventory),
                    links=evidence_links(view, links),
                    TargetGroupName=view.group.TargetGroupName,
                    LoadBalancerName=balancer_name(view),
                    zone=zone,
                    in_use=view.in_use,
                    shift_applied=shifts.shifted(view.balancer.LoadBalancerArn, zone),
                    **_counts(view, zone),
                )
            )
    ordered = sorted(nodes, key=lambda n: (n.resource.arn, getattr(n, "zone").key))  # noqa: B009
    return Listing(tuple(ordered), tuple(dict.fromkeys(gaps)))


def _counts(view: GroupView, zone: Zone) -> dict[str, Any]:
    """Counts of one zone beside the others; unknown while the health, or the zone of a usable target, is."""
    names = ("usable_count", "healthy_count", "most_elsewhere", "most_around", "settled")
    lost = view.targets if isinstance(view.targets, Unknown) else unresolved(view.targets)
    if lost is not None or isinstance(view.targets, Unknown):
        return dict.fromkeys(names, lost)
    zones = per_zone(view.targets)
    usable = sum(t.usable for t in zones.get(zone, ()))
    most = max((_healthy(zones.get(z, ())) for z in zones if z != zone), default=0)
    waiting = sum(t.pending for t in view.targets if t.usable)
    settled = unclear(f"{waiting} targets are not yet judged by their health check") if waiting else True
    return dict(zip(names, (usable, _healthy(zones.get(zone, ())), most, max(usable, most), settled), strict=True))


def _healthy(targets: Sequence[Target]) -> int:
    """Healthy ones; nodes that fail on purpose, since no pod of the service runs there, are not missing."""
    return sum(t.healthy or t.fails_on_purpose for t in targets if t.usable)
