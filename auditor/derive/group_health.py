"""A target group as its load balancer sees it: effective cross-zone, thresholds, and counts per enabled zone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from ..model import elbv2
from ..model.identity import Zone
from ..model.known import Known, Unknown, merge, unclear
from ..model.verdict import Truth
from .cross_zone import effective_cross_zone
from .dns import GroupHealth
from .links import Links
from .nodes.target_groups import CrossZone, Target
from .targets import per_zone, targets_of
from .thresholds import Count, dns_threshold


class GroupView(msgspec.Struct, frozen=True, kw_only=True):
    """What the facts of one target group are computed from; made once per group and shared.

    `counts` has every enabled zone of the load balancer, empty ones included; for an `alb` group the one target stands in
    every zone of that ALB. `everywhere` are targets registered for all zones.
    """

    group: elbv2.TargetGroup
    balancer: Known[elbv2.LoadBalancer | None]
    enabled: Known[tuple[Zone, ...]]
    in_use: Truth
    cross_zone: Known[CrossZone | None]
    targets: Known[tuple[Target, ...]]
    counts: Known[Mapping[Zone, Count]]
    everywhere: Count
    has_zones: bool

    @property
    def in_dns_model(self) -> bool:
        """Whether the group takes part in the DNS model: thresholds do not exist for Lambda groups."""
        return self.group.TargetType != "lambda"

    def health(self, links: Links) -> GroupHealth:
        """The group as input of the DNS model and of the fail-open test."""
        attributes = links.inventory.attributes(elbv2.TARGET_GROUP_ATTRIBUTES, self.group.TargetGroupArn)
        cross_zone = self.cross_zone
        assert cross_zone is not None, "only groups of a load balancer have health"
        return GroupHealth(
            cross_zone=cross_zone,
            threshold=dns_threshold(attributes),
            zones=self.counts,
            everywhere=self.everywhere,
            pooled=_count(self.targets) if self.has_zones and not isinstance(self.targets, Unknown) else None,
        )


def _count(targets: Sequence[Target]) -> Count:
    usable = [t for t in targets if t.usable]
    return Count(len(usable), sum(t.healthy for t in usable), sum(t.pending for t in usable))


def enabled_zones(balancer: elbv2.LoadBalancer, links: Links) -> tuple[Zone, ...]:
    """Zones a load balancer is enabled in, by zone ID order."""
    return tuple(sorted((links.zones.named(z.ZoneName) for z in balancer.AvailabilityZones), key=lambda z: z.key))


def view_of(group: elbv2.TargetGroup, links: Links) -> GroupView:
    """Everything the facts of a group need; parts whose answers are missing are unknown."""
    balancer = links.balancer_of(group)
    targets: Known[tuple[Target, ...]] = (
        targets_of(group, links.inventory, links.places) if group.LoadBalancerArns else ()
    )
    enabled: Known[tuple[Zone, ...]]
    cross_zone: Known[CrossZone | None]
    if isinstance(balancer, Unknown):
        enabled, cross_zone = balancer, balancer
    elif balancer is None:
        enabled, cross_zone = (), None
    else:
        enabled = enabled_zones(balancer, links)
        cross_zone = effective_cross_zone(
            links.kind(balancer),
            group.TargetType,
            links.inventory.attributes(elbv2.TARGET_GROUP_ATTRIBUTES, group.TargetGroupArn),
            links.inventory.attributes(elbv2.LOAD_BALANCER_ATTRIBUTES, balancer.LoadBalancerArn),
        )
    counts, everywhere = _counts(group, targets, enabled, links)
    return GroupView(
        group=group,
        balancer=balancer,
        enabled=enabled,
        in_use=links.in_use(group),
        cross_zone=cross_zone,
        targets=targets,
        counts=counts,
        everywhere=everywhere,
        has_zones=group.TargetType in ("instance", "ip"),
    )


def _counts(
    group: elbv2.TargetGroup, targets: Known[tuple[Target, ...]], enabled: Known[tuple[Zone, ...]], links: Links
) -> tuple[Known[Mapping[Zone, Count]], Count]:
    nothing = Count(0, 0, 0)
    if isinstance(targets, Unknown):
        return targets, nothing
    if isinstance(enabled, Unknown):
        return enabled, nothing
    if group.TargetType == "alb":
        return _alb_counts(targets, enabled, links), nothing
    everywhere = _count([t for t in targets if t.zone is None])
    if lost := [t.zone for t in targets if t.usable and isinstance(t.zone, Unknown)]:
        return merge(lost), everywhere
    placed = per_zone(targets)
    return {zone: _count(placed.get(zone, ())) for zone in enabled}, everywhere


def _alb_counts(targets: tuple[Target, ...], enabled: tuple[Zone, ...], links: Links) -> Known[Mapping[Zone, Count]]:
    """The ALB behind the group counts once in each zone it is enabled in."""
    counts = dict.fromkeys(enabled, Count(0, 0, 0))
    for target in targets:
        alb = links.balancers.get(target.Id)
        if alb is None:
            listing = links.inventory.listing(elbv2.LOAD_BALANCERS)
            return listing.unknown if not listing.complete else unclear(f"the target {target.Id} was not listed")
        if (why := links.strange(alb)) is not None:
            return why
        for zone in enabled_zones(alb, links):
            if zone in counts:
                counts[zone] = counts[zone] + _count([target])
    return counts
