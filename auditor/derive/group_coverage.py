"""Do the target groups of a load balancer stand in the same zones?

With cross-zone off a zone serves each group from its own targets alone. Where one group has none, a Network Load Balancer takes
the zone out of DNS for all its groups, and an Application Load Balancer answers the requests for that group with 503.
https://docs.aws.amazon.com/elasticloadbalancing/latest/network/load-balancer-target-groups.html
https://docs.aws.amazon.com/elasticloadbalancing/latest/application/edit-target-group-attributes.html
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from ..model import elbv2
from ..model.finding import Cause
from ..model.identity import Zone
from ..model.known import Unknown, merge, unclear
from ..model.verdict import Truth, all_of, any_of, negate
from .group_health import GroupView
from .links import Links
from .nodes.forwarding import GroupCoverage
from .targets import per_zone

_EFFECT = {
    "application": "requests for a group that has no target there get 503",
    "network": (
        "DNS leaves such a zone out for all groups, also for those that have targets there; where that would leave no zone,"
        " DNS answers with all of them, and what arrives for a missing group leads nowhere"
    ),
}


class _Seen(msgspec.Struct, frozen=True, kw_only=True):
    """One group: whether it is compared, and in which zones it has a usable target."""

    view: GroupView
    compared: Truth
    stands: Mapping[Zone, Truth]

    def covers(self, zone: Zone) -> Truth:
        """Whether it is compared and has a usable target in the zone."""
        return all_of((self.compared, self.stands[zone]))

    def lacks(self, zone: Zone) -> Truth:
        """Whether it is compared and has nothing usable in the zone."""
        return all_of((self.compared, negate(self.stands[zone])))


def coverage_of(kind: str, views: Sequence[GroupView], zones: Sequence[Zone], links: Links) -> dict[str, Any]:
    """Facts about the zones of a load balancer's in-use groups with cross-zone off.

    A zone that one group has and another lacks is enough, whatever is not known of the others; without one the list is unknown
    while the groups, their use, their cross-zone setting or the places of their targets are.
    """
    if kind not in _EFFECT:
        return {}
    groups = links.inventory.listing(elbv2.TARGET_GROUPS)
    more = [] if groups.complete else [groups.unknown]
    seen = [_seen(view, zones) for view in views]
    hurt: list[Zone] = []
    doubts: list[Unknown] = []
    for zone in zones:
        some, none = any_of([*(s.covers(zone) for s in seen), *more]), any_of([*(s.lacks(zone) for s in seen), *more])
        differs = all_of((some, none))
        if isinstance(differs, Unknown):
            doubts.append(differs)
        elif differs:
            hurt.append(zone)
    rows = tuple(_row(s, zones) for s in seen if s.compared is True)
    unsure = [*(s.compared for s in seen if isinstance(s.compared, Unknown)), *more]
    return {
        "group_coverage": rows if rows or not unsure else merge(unsure),
        "zones_not_covered": tuple(hurt) if hurt or not doubts else merge(doubts),
        "coverage_effect": _EFFECT[kind],
        "coverage_causes": tuple(
            Cause(s.view.group.TargetGroupArn, zone.key) for zone in hurt for s in seen if s.lacks(zone) is True
        ),
    }


def _seen(view: GroupView, zones: Sequence[Zone]) -> _Seen:
    """A group as it is compared.

    Left aside are groups without traffic, with cross-zone on, without any usable target (another matter), and those that do not
    stand in zones: functions, load balancers, and targets registered for all zones, which every zone may use.
    """
    cross_zone, targets = view.cross_zone, view.targets
    local: Truth = cross_zone if isinstance(cross_zone, Unknown) else bool(cross_zone and cross_zone.value == "off")
    placed: Truth
    if not view.has_zones:
        placed = False
    elif isinstance(targets, Unknown):
        placed = targets
    else:
        placed = any(t.usable for t in targets) and not any(t.usable and t.zone is None for t in targets)
    stands = {zone: _stands(view, zone) for zone in zones}
    return _Seen(view=view, compared=all_of((view.in_use, local, placed)), stands=stands)


def _stands(view: GroupView, zone: Zone) -> Truth:
    """Whether a group has a usable target in a zone.

    That it has none is not known while targets of it wait for their health check, as more may follow, or stand nobody knows
    where.
    """
    targets = view.targets
    if isinstance(targets, Unknown):
        return targets
    if any(t.usable for t in per_zone(targets).get(zone, ())):
        return True
    doubts = [t.zone for t in targets if t.usable and isinstance(t.zone, Unknown)]
    if waiting := sum(t.pending for t in targets if t.usable):
        name = view.group.TargetGroupName
        doubts.append(unclear(f"{waiting} targets of {name} are not yet judged by their health check"))
    return merge(doubts) if doubts else False


def _row(seen: _Seen, zones: Sequence[Zone]) -> GroupCoverage:
    group = seen.view.group
    there = [z for z in zones if seen.stands[z] is True]
    none = [z for z in zones if seen.stands[z] is False]
    unsure = [z for z in zones if isinstance(seen.stands[z], Unknown)]
    parts = [
        f"{words} {' and '.join(str(z) for z in its)}"
        for words, its in (("has targets in", there), ("none in", none), ("perhaps some in", unsure))
        if its
    ]
    return GroupCoverage(
        TargetGroupName=group.TargetGroupName,
        TargetGroupArn=group.TargetGroupArn,
        words=f"{group.TargetGroupName} {' but '.join(parts)}",
    )
