"""Which targets serve several load balancers, so that a shift of one of them thins what the others have?

With cross-zone on, a zonal shift takes the targets of the zone out of use, not only the load balancer's address there. Two
targets are the same when they have the same ID and port; an address means something within its VPC alone.

https://docs.aws.amazon.com/r53recovery/latest/dg/arc-zonal-shift.resource-types.html
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property

from ..model import elbv2
from ..model.known import Known, Unknown, merge
from ..model.verdict import Truth, all_of
from .group_health import GroupView
from .links import Links
from .nodes.odd_targets import SharingGroup
from .nodes.target_groups import Target
from .shift_switch import shift_switch

_SHOWN = 3  # in words; the labels are all there
_Key = tuple[str, str, int | None]


class SharedTargets:
    """An index over the targets of all groups of a region."""

    def __init__(self, views: Iterable[GroupView], links: Links) -> None:
        self._links = links
        self._views = sorted(
            (v for v in views if v.has_zones and v.group.LoadBalancerArns), key=lambda v: v.group.TargetGroupArn
        )

    def of(self, view: GroupView) -> Known[tuple[SharingGroup, ...]]:
        """Groups in use by other load balancers that have targets of this one; unknown where none is seen and one may be."""
        if isinstance(view.targets, Unknown):
            return view.targets
        found: dict[str, list[str]] = {}
        doubts: list[Unknown] = []
        for target in view.targets:
            for other in self._users.get(_key(view, target), ()) if _serves(target) else ():
                if _same_balancer(view, other):
                    continue
                if isinstance(other.in_use, Unknown):
                    doubts.append(other.in_use)
                elif other.in_use:
                    found.setdefault(other.group.TargetGroupArn, []).append(target.label)
        if found:
            return tuple(self._group(arn, labels) for arn, labels in sorted(found.items()))
        groups = self._links.inventory.listing(elbv2.TARGET_GROUPS)
        doubts += [] if groups.complete else [groups.unknown]
        doubts += [why for other, why in self._unread if not _same_balancer(view, other) and _alike(view, other)]
        return merge(doubts) if doubts else ()

    def _group(self, arn: str, labels: list[str]) -> SharingGroup:
        group = self._links.groups[arn]
        balancer = self._links.balancers.get(group.LoadBalancerArns[0])
        name = balancer.LoadBalancerName if balancer else group.LoadBalancerArns[0]
        return SharingGroup(
            TargetGroupName=group.TargetGroupName,
            TargetGroupArn=arn,
            LoadBalancerName=name,
            labels=tuple(labels),
            words=f"{len(labels)} with {group.TargetGroupName} of {name} ({_some(labels)})",
        )

    @cached_property
    def _users(self) -> dict[_Key, list[GroupView]]:
        found: dict[_Key, list[GroupView]] = defaultdict(list)
        for view in self._views:
            for target in () if isinstance(view.targets, Unknown) else view.targets:
                if _serves(target):
                    found[_key(view, target)].append(view)
        return found

    @cached_property
    def _unread(self) -> list[tuple[GroupView, Unknown]]:
        return [(v, v.targets) for v in self._views if isinstance(v.targets, Unknown) and v.in_use is not False]

    def thins(self, view: GroupView) -> Truth:
        """Whether a shift of the group's load balancer is possible and takes the group's targets in the zone out of use."""
        if not view.group.LoadBalancerArns:
            return False
        attributes = self._links.inventory.attributes(elbv2.LOAD_BALANCER_ATTRIBUTES, view.group.LoadBalancerArns[0])
        cross_zone, enabled = view.cross_zone, view.enabled
        pooled: Truth = (
            cross_zone if isinstance(cross_zone, Unknown) else cross_zone is not None and cross_zone.value == "on"
        )
        several: Truth = enabled if isinstance(enabled, Unknown) else len(enabled) > 1
        return all_of((shift_switch(attributes), pooled, several))


def _some(labels: list[str]) -> str:
    shown = ", ".join(labels[:_SHOWN])
    return shown if len(labels) <= _SHOWN else f"{shown} and {len(labels) - _SHOWN} more"


def _key(view: GroupView, target: Target) -> _Key:
    return view.group.VpcId or "" if view.group.TargetType == "ip" else "", target.Id, target.Port


def _serves(target: Target) -> bool:
    """Whether a shift can take the target out of use: it is in use, and stands in a zone."""
    return target.usable and target.zone is not None


def _same_balancer(view: GroupView, other: GroupView) -> bool:
    return bool(set(view.group.LoadBalancerArns) & set(other.group.LoadBalancerArns))


def _alike(view: GroupView, other: GroupView) -> bool:
    """Whether two groups can have a target in common."""
    kinds = view.group.TargetType, other.group.TargetType
    return kinds[0] == kinds[1] and (kinds[0] == "instance" or view.group.VpcId == other.group.VpcId)
