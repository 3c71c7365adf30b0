"""Do the zones of an ECS service fit those of the load balancers it registers tasks with?

https://docs.aws.amazon.com/AmazonECS/latest/developerguide/service-load-balancing.html
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from ..model import ecs
from ..model.finding import Cause
from ..model.identity import Zone
from ..model.known import Known, Unknown, merge
from ..model.verdict import Truth
from .ecs import target_groups_of
from .ecs_tasks import zone_of
from .ecs_zones import reach
from .group_health import GroupView
from .links import Links
from .zone_fit import zones_served


class ServiceFit(msgspec.Struct, frozen=True, kw_only=True):
    """How the zones of a service and of its load balancers differ.

    `beyond` are zones of the service that the load balancer does not serve, `uncovered` zones of the load balancer in which no
    service behind the target group can run tasks; each with the target group. `lost`: tasks run beyond now.
    """

    beyond: tuple[tuple[Zone, str], ...] = ()
    uncovered: tuple[tuple[Zone, str], ...] = ()
    lost: Truth = False

    @property
    def zones(self) -> tuple[Zone, ...]:
        """Every zone that differs."""
        return tuple(sorted({z for z, _ in (*self.beyond, *self.uncovered)}, key=lambda z: z.key))

    def causes(self, arn: str) -> tuple[Cause, ...]:
        """The service `arn` in zones beyond, and the target groups in zones not covered."""
        found = {Cause(arn, z.key) for z, _ in self.beyond} | {Cause(group, z.key) for z, group in self.uncovered}
        return tuple(sorted(found))

    def words(self, links: Links) -> str:
        """The differences as a phrase."""
        said = [
            f"it can run tasks in {z}, which the load balancer of {_name(g, links)} does not serve"
            for z, g in self.beyond
        ]
        said += [
            f"the load balancer of {_name(g, links)} serves {z}, where no service behind it can run any"
            for z, g in self.uncovered
        ]
        return ", ".join(said)


def _name(arn: str, links: Links) -> str:
    return links.groups[arn].TargetGroupName if arn in links.groups else arn


def service_fit(service: ecs.Service, views: Mapping[str, GroupView], links: Links) -> Known[ServiceFit]:
    """How a service fits the load balancers behind whose target groups it stands, as far as these are in use.

    The idle target group of a blue/green pair is not in use. Unknown while a target group, its load balancer, its use, the
    zones of the service, or a service beside it may be missing.
    """
    own = reach(service, links).zones
    beyond: list[tuple[Zone, str]] = []
    uncovered: list[tuple[Zone, str]] = []
    unknowns: list[Unknown] = []
    for arn in sorted(target_groups_of(service)):
        zones = zones_served(arn, views, links)
        if isinstance(zones, Unknown):
            unknowns.append(zones)
        elif zones and isinstance(own, Unknown):
            unknowns.append(own)
        elif zones and not isinstance(own, Unknown):
            beyond += [(z, arn) for z in own if z not in zones]
            missing = _missing(arn, zones, links)
            unknowns += [missing] if isinstance(missing, Unknown) else []
            uncovered += [] if isinstance(missing, Unknown) else [(z, arn) for z in missing]
    if unknowns:
        return merge(unknowns)
    lost = _lost(service, {z for z, _ in beyond}, links)
    return ServiceFit(beyond=tuple(beyond), uncovered=tuple(uncovered), lost=lost)


def _missing(arn: str, zones: tuple[Zone, ...], links: Links) -> Known[tuple[Zone, ...]]:
    """Zones of a load balancer in which no service behind a target group can run tasks."""
    found = [reach(s, links) for s in links.ecs.feeders.get(arn, ())]
    missing = tuple(z for z in zones if not any(z in r.sure for r in found))
    if not missing:
        return ()
    doubts = [r.zones for r in found]
    unknowns = [d for d in doubts if isinstance(d, Unknown)]
    unknowns += [] if links.ecs.unread is None else [links.ecs.unread]
    covered = {z for d in doubts if not isinstance(d, Unknown) for z in d}
    return merge(unknowns) if unknowns else tuple(z for z in missing if z not in covered)


def _lost(service: ecs.Service, beyond: set[Zone], links: Links) -> Truth:
    """Whether tasks run in zones that the load balancer does not serve. One that is seen there decides."""
    places = [zone_of(t, links) for t in links.ecs.seen_tasks(service)]
    if not beyond or any(p in beyond for p in places if isinstance(p, Zone)):
        return bool(beyond)
    tasks = links.ecs.tasks(service)
    unknowns = [p for p in places if isinstance(p, Unknown)] + ([tasks] if isinstance(tasks, Unknown) else [])
    return merge(unknowns) if unknowns else False
