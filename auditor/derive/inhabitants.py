"""What of the estate has something in a zone? Where EC2 reports the zone impaired, that is what it touches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..model import autoscaling, elb, elbv2
from ..model.identity import Zone
from ..model.known import Unknown
from .group_health import GroupView, enabled_zones
from .links import Links
from .nodes.load_balancers import LoadBalancerZone

_Names = dict[str, set[str]]


def inhabitants_of(
    classic_zones: Iterable[LoadBalancerZone],
    views: Sequence[GroupView],
    capacity: Mapping[str, Sequence[Zone]],
    links: Links,
) -> tuple[_Names, list[Unknown]]:
    """Words for what stands in each zone, by zone key, and why more may stand somewhere.

    `capacity` names the zones in which each Auto Scaling group has instances.
    """
    found: _Names = {}
    balancers = links.inventory.listing(elbv2.LOAD_BALANCERS)
    lacking = (
        balancers.gaps,
        links.inventory.listing(elb.LOAD_BALANCERS).gaps,
        links.inventory.listing(elbv2.TARGET_GROUPS).gaps,
        links.inventory.listing(autoscaling.AUTO_SCALING_GROUPS).gaps,
    )
    unknowns = [Unknown(gaps) for gaps in lacking if gaps]
    for balancer in balancers:
        for zone in enabled_zones(balancer, links):
            found.setdefault(zone.key, set()).add(f"load balancer {balancer.LoadBalancerName}")
    for part in classic_zones:
        found.setdefault(part.zone.key, set()).add(f"load balancer {part.LoadBalancerName}")
    _add_instances(found, unknowns, links)
    _add_targets(found, unknowns, views)
    for name, zones in capacity.items():
        for zone in zones:
            found.setdefault(zone.key, set()).add(f"Auto Scaling group {name}")
    return found, unknowns


def _add_instances(found: _Names, unknowns: list[Unknown], links: Links) -> None:
    for balancer in sorted(links.inventory.listing(elb.LOAD_BALANCERS), key=lambda b: b.LoadBalancerName):
        for place in map(links.places.instance, sorted(i.InstanceId for i in balancer.Instances)):
            if isinstance(place, Unknown):
                unknowns.append(place)
            else:
                found.setdefault(place.key, set()).add(f"instances of load balancer {balancer.LoadBalancerName}")


def _add_targets(found: _Names, unknowns: list[Unknown], views: Sequence[GroupView]) -> None:
    for view in views:
        places = (view.targets,) if isinstance(view.targets, Unknown) else {t.zone for t in view.targets}
        for place in places:
            if isinstance(place, Unknown):
                unknowns.append(place)
            elif isinstance(place, Zone):
                found.setdefault(place.key, set()).add(f"target group {view.group.TargetGroupName}")
