"""Do the zones of the groups behind a target group fit those of its load balancer, and do those target groups exist?

https://docs.aws.amazon.com/autoscaling/ec2/userguide/as-add-availability-zone.html
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from ..model import autoscaling, ec2, elbv2
from ..model.finding import Cause
from ..model.identity import Zone, arn_part
from ..model.known import Known, Unknown, merge, unclear
from ..model.verdict import Truth, all_of, any_of
from .group_health import GroupView
from .links import Links, fed_groups
from .load_balancers import emptiness
from .scaling import being_deleted, zones_of


class ZoneFit(msgspec.Struct, frozen=True, kw_only=True):
    """How the zones of a group and of what it feeds differ.

    `beyond` are zones of the group that its load balancer does not serve, `uncovered` zones of the load balancer in which no
    group behind the target group may start anything; each with the target group. `lost`: instances stand beyond now;
    `empty`: an uncovered zone has nothing to send to now, with cross-zone off.
    """

    beyond: tuple[tuple[Zone, str], ...] = ()
    uncovered: tuple[tuple[Zone, str], ...] = ()
    lost: bool = False
    empty: Truth = False

    @property
    def zones(self) -> tuple[Zone, ...]:
        """Every zone that differs."""
        return tuple(sorted({z for z, _ in (*self.beyond, *self.uncovered)}, key=lambda z: z.key))

    def causes(self, arn: str) -> tuple[Cause, ...]:
        """The group `arn` in zones beyond, and the target groups in zones not covered."""
        found = {Cause(arn, z.key) for z, _ in self.beyond} | {Cause(group, z.key) for z, group in self.uncovered}
        return tuple(sorted(found))

    def words(self, names: Mapping[str, str]) -> str:
        """The differences as a phrase; `names` are those of target groups by ARN."""
        said = [
            f"it may start instances in {z}, which the load balancer of {names[g]} does not serve"
            for z, g in self.beyond
        ]
        said += [
            f"the load balancer of {names[g]} serves {z}, where no group behind it starts any"
            for z, g in self.uncovered
        ]
        return ", ".join(said)


def zone_fit(group: autoscaling.AutoScalingGroup, views: Mapping[str, GroupView], links: Links) -> Known[ZoneFit]:
    """How a group fits the load balancers it feeds through target groups that are in use.

    Unknown while a target group, its load balancer, its use or one of the groups beside it may be missing.
    """
    subnets = links.inventory.index(ec2.SUBNETS)
    own = zones_of(group, links.zones, subnets)
    listing = links.inventory.listing(autoscaling.AUTO_SCALING_GROUPS)
    there = {links.zones.named(i.AvailabilityZone) for i in group.Instances if i.LifecycleState == "InService"}
    beyond: list[tuple[Zone, str]] = []
    uncovered: list[tuple[Zone, str]] = []
    empty: list[Truth] = []
    unknowns: list[Unknown] = []
    for arn in sorted(fed_groups(group)):
        served = _served(arn, views, links)
        if isinstance(served, Unknown):
            unknowns.append(served)
            continue
        covered = {z for g in links.feeders[arn] if not being_deleted(g) for z in zones_of(g, links.zones, subnets)}
        beyond += [(z, arn) for z in own if served and z not in served]
        missing = [z for z in served if z not in covered]
        if missing and not listing.complete:
            unknowns.append(listing.unknown)
        uncovered += [(z, arn) for z in missing]
        empty += [_empty(views[arn], z) for z in missing]
    if unknowns:
        return merge(unknowns)
    lost = any(z in there for z, _ in beyond)
    return ZoneFit(beyond=tuple(beyond), uncovered=tuple(uncovered), lost=lost, empty=any_of(empty))


def _served(arn: str, views: Mapping[str, GroupView], links: Links) -> Known[tuple[Zone, ...]]:
    """Zones that the load balancer of a target group serves; none for one that is missing, unattached or not in use."""
    view = views.get(arn)
    if view is None:
        listing = links.inventory.listing(elbv2.TARGET_GROUPS)
        return () if listing.complete else listing.unknown
    return view.in_use if isinstance(view.in_use, Unknown) else view.enabled if view.in_use else ()


def _empty(view: GroupView, zone: Zone) -> Truth:
    effective = view.cross_zone
    off: Truth = effective if isinstance(effective, Unknown) else effective is not None and effective.value == "off"
    return all_of((off, emptiness(view, zone)))


def missing_groups(group: autoscaling.AutoScalingGroup, links: Links) -> Known[tuple[str, ...]]:
    """ARNs of target groups that a group names and that do not exist.

    One that vanished during the scan may have been taken from the group as well by now; one of another account or region is
    not in the listing anyway. Both stay unknown.
    """
    listing = links.inventory.listing(elbv2.TARGET_GROUPS)
    account, region = links.inventory.scope
    found: list[str] = []
    unknowns: list[Unknown] = []
    for arn in sorted(fed_groups(group)):
        if arn in links.groups:
            continue
        if not listing.complete:
            unknowns.append(listing.unknown)
        elif links.inventory.vanished(elbv2.TARGET_GROUPS, arn):
            unknowns.append(unclear(f"{arn} vanished during the scan"))
        elif (arn_part(arn, 3), arn_part(arn, 4)) != (region, account):
            unknowns.append(unclear(f"{arn} is of another account or region"))
        else:
            found.append(arn)
    return merge(unknowns) if unknowns else tuple(found)
