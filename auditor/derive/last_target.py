"""Is a zone one failure away from having no healthy target, although there is more to have?

A zone with one healthy target is close to the edge when it has more targets registered, or when another zone has more healthy
ones. A group with one target in each zone is small, not close to the edge.
https://docs.aws.amazon.com/elasticloadbalancing/latest/network/target-group-health-checks.html
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..model import elbv2
from ..model.identity import Zone
from ..model.known import Known, Listing, Reason, Unknown, unclear
from .group_health import GroupView
from .links import Links
from .node import Node
from .nodes.served_zones import TargetGroupServedZone
from .shifts import ShiftState
from .tags import group_tags
from .target_groups import balancer_name, evidence_links, resource_of
from .targets import per_zone, unresolved


def served_zones(views: Iterable[GroupView], links: Links, shifts: ShiftState) -> Listing[Node]:
    """Every zone in which the load balancer of an attached instance or ip group is enabled, by group and zone.

    A group whose load balancer was not read leaves a gap.
    """
    nodes: list[TargetGroupServedZone] = []
    gaps: list[Reason] = list(links.inventory.listing(elbv2.TARGET_GROUPS).gaps)
    for view in views:
        if not view.has_zones or view.balancer is None:
            continue
        if isinstance(view.balancer, Unknown) or isinstance(view.enabled, Unknown):
            gaps += [r for x in (view.balancer, view.enabled) if isinstance(x, Unknown) for r in x.reasons]
            continue
        nodes += [
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
            for zone in view.enabled
        ]
    ordered = sorted(nodes, key=lambda n: (n.resource.arn, n.zone.key))
    return Listing(tuple(ordered), tuple(dict.fromkeys(gaps)))


def _counts(view: GroupView, zone: Zone) -> dict[str, Any]:
    """Counts of one zone beside the others; unknown while the health, or the zone of a usable target, is.

    Nodes that fail on purpose, since no pod of the service runs on them, are not missing: they do not count as registered, and
    a zone that has some is not compared with the others, for the pods may lie so.
    """
    names = ("usable_count", "healthy_count", "healthy_labels", "most_elsewhere", "most_around", "settled")
    lost = view.targets if isinstance(view.targets, Unknown) else unresolved(view.targets)
    if lost is not None or isinstance(view.targets, Unknown):
        return dict.fromkeys(names, lost)
    zones = per_zone(view.targets)
    here = [t for t in zones.get(zone, ()) if t.usable]
    healthy = tuple(t.label for t in here if t.healthy)
    usable = sum(not t.fails_on_purpose for t in here)
    most = max((sum(t.healthy for t in its) for z, its in zones.items() if z != zone), default=0)
    waiting = sum(t.pending for t in here)
    settled: Known[bool] = True
    if waiting:
        settled = unclear(f"{waiting} targets in {zone} are not yet judged by their health check")
    around = max(usable, most if usable == len(here) else 0)
    return dict(zip(names, (usable, len(healthy), healthy, most, around, settled), strict=True))
