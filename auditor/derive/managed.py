"""What is known of each resource that ARC manages: its shift, its stack, its practice runs.

https://docs.aws.amazon.com/r53recovery/latest/dg/arc-zonal-shift.html
https://docs.aws.amazon.com/r53recovery/latest/dg/arc-zonal-autoshift.html
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from ..model import arc, autoscaling, ec2, eks, elbv2
from ..model.finding import Cause
from ..model.identity import AccountId, RegionName, Resource, Zone
from ..model.known import Known, Unknown, merge, unclear
from ..model.verdict import Truth, all_of, any_of, exists, negate
from .alarms import PracticeAlarms
from .group_health import GroupView
from .links import Links
from .nodes.managed import ArcRegion, LateLayer, LayerDifference, ManagedResource
from .nodes.scaling import AutoScalingGroup
from .nodes.shifts import AppliedShift
from .nodes.target_groups import TargetGroup
from .practice_runs import History
from .practice_windows import too_tight
from .scaling import cluster_of, zones_of
from .shifts import ShiftState
from .stacks import LEAD, Stacks
from .target_groups import flat
from .zones import same_zone

Groups = Mapping[str, autoscaling.AutoScalingGroup]


def own_zones(resource: arc.ManagedResource, by_arn: Groups, links: Links) -> Known[tuple[Zone, ...]]:
    """Zones that a managed resource uses. ARC names every zone of the region for an Auto Scaling group: only its own count."""
    groups = links.inventory.listing(autoscaling.AUTO_SCALING_GROUPS)
    if ":autoscaling:" in resource.arn:
        group = by_arn.get(resource.arn)
        if group is None:
            return unclear(f"{resource.name} was not listed") if groups.complete else groups.unknown
        # By ID where Auto Scaling gives it, as ARC does: with a name beside it that nothing maps, a zone would count twice.
        ids = tuple(links.zones.of(zone_id) for zone_id in group.AvailabilityZoneIds)
        return ids or zones_of(group, links.zones, links.inventory.index(ec2.SUBNETS))
    if not resource.availabilityZones:
        return unclear(f"ARC did not name the zones of {resource.name}")
    return tuple(links.zones.of(text) for text in resource.availabilityZones)


class Managed:
    """Derives the facts of managed resources of one region; `now` is when the scan ended.

    `scaling` are the facts of its Auto Scaling groups, and `figures` says whether the user gave capacity figures.
    """

    def __init__(
        self, links: Links, shifts: ShiftState, now: datetime, scaling: Iterable[AutoScalingGroup], *, figures: bool
    ) -> None:
        self._links = links
        self._shifts = shifts
        self._now = now
        self.groups: Groups = {
            g.AutoScalingGroupARN: g for g in links.inventory.listing(autoscaling.AUTO_SCALING_GROUPS)
        }
        self.zones = {arn: own_zones(r, self.groups, links) for arn, r in shifts.resources.items()}
        self.history = History(links.inventory, links.zones, now)
        self._stacks = Stacks(links, shifts, self.zones)
        self._alarms = PracticeAlarms(links.inventory, now)
        self._scaling = {node.resource.arn: node for node in scaling} if figures else {}
        self._figures = figures

    def node(
        self,
        resource: Resource,
        tags: Known[Mapping[str, str]],
        views: Sequence[GroupView],
        groups: Sequence[TargetGroup],
    ) -> ManagedResource:
        """All facts of one managed resource; `views` and `groups` are the target groups of a load balancer."""
        arn = resource.arn
        listed, shift = self._shifts.resources[arn], self._shifts.applied[arn]
        balancer = ":loadbalancer/" in arn
        seen, more = self._stacks.differences(arn) if balancer else ((), None)
        differing: Known[tuple[LayerDifference, ...]] = more if more is not None and not seen else seen
        useless = self._useless(arn, views, groups) if balancer else ()
        customer = shift is not None and shift.kind == "customer shift"
        late = self._stacks.late_ends(arn) if balancer and customer else ()
        left = self._minutes_left(shift)
        configuration = self._configuration(listed)
        broken = flat(configuration, lambda c: self._alarms.broken(c) if c else ())
        return ManagedResource(
            resource=resource,
            tags=tags,
            links={
                "arc-zonal-shift:ListManagedResources": arn,
                "arc-zonal-shift:ListZonalShifts": arn,
                "arc-zonal-shift:GetManagedResource": arn,
            },
            name=listed.name,
            is_load_balancer=balancer,
            zone_count=flat(self.zones[arn], len),
            shift=shift,
            shift_applied=shift is not None,
            customer_shift=customer,
            minutes_left=left,
            time_left=flat(left, _duration),
            zone_in_trouble=self._in_trouble(listed, shift.zone) if shift else False,
            differing_layers=differing,
            differing_zones=flat(differing, lambda ds: tuple(dict.fromkeys(z for d in ds for z in d.zones))),
            own_shift_words=f"under a {shift.kind} away from {shift.zone}" if shift else "not shifted",
            differs_in_practice_only=all_of([*(d.practice for d in seen), True if more is None else more]),
            layers_ending_late=late,
            expiry_needed=flat(late, self._expiry),
            behind_arn=flat(differing, lambda ds: ds[0].behind_arn if ds else ""),
            behind_zone_id=flat(differing, lambda ds: ds[0].behind_zone.key if ds else ""),
            cross_zone_off=self._cross_zone_off(views),
            groups_without_effect=flat(useless, lambda us: tuple(name for name, _, _ in us)),
            without_effect_words=flat(useless, lambda us: tuple(f"{name} {words}" for name, words, _ in us)),
            without_effect_causes=flat(useless, lambda us: tuple(dict.fromkeys(cause for _, _, cause in us))),
            masked_zones=self._masked(listed, shift),
            practice_configured=configured(listed),
            autoshift_enabled=_enabled(listed.zonalAutoshiftStatus, "whether zonal autoshift is enabled"),
            last_run_outcome=self.history.last_outcome(arn),
            last_run_words=self.history.last_words(arn),
            interrupted_in_a_row=self.history.interrupted_in_a_row(arn),
            practice_overdue=self.history.overdue(arn),
            groups_short=self._groups_short(arn),
            windows_problem=flat(configuration, lambda c: too_tight(c, self._now) if c else ""),
            broken_alarms=broken,
            broken_alarm_words=flat(broken, lambda bs: tuple(f"{b.role} alarm {b.name}: {b.problem}" for b in bs)),
            self_tripping_alarms=flat(configuration, lambda c: self._alarms.self_tripping(c, arn) if c else ()),
        )

    def _configuration(self, listed: arc.ManagedResource) -> Known[arc.PracticeRunConfiguration | None]:
        """The practice-run configuration; None when the resource has none, in which case it is not asked for either."""
        there = configured(listed)
        if there is not True:
            return None if there is False else there
        detail = self._links.inventory.one(arc.MANAGED_RESOURCE, listed.arn)
        return flat(detail, lambda d: d.practiceRunConfiguration)

    def _minutes_left(self, shift: AppliedShift | None) -> Known[int]:
        if shift is None or shift.kind != "customer shift":
            return unclear("no customer shift is applied")
        if shift.until is None:
            return unclear("ARC did not report when the shift ends")
        return int((shift.until - self._now).total_seconds() // 60)

    def _groups_short(self, arn: str) -> Known[tuple[str, ...]]:
        """Auto Scaling groups of the resource that lose too much with a zone, by the figures of the settings."""
        if not self._figures:
            return ()
        listing = self._links.inventory.listing(autoscaling.AUTO_SCALING_GROUPS)
        unknowns = [] if listing.complete or arn in self._scaling else [listing.unknown]
        arns: Iterable[str] = (arn,)
        if ":loadbalancer/" in arn:
            arns, missing = self._stacks.groups_behind(arn)
            unknowns += missing
        elif ":cluster/" in arn:
            name = arn.rpartition("/")[2]
            arns = sorted(a for a, g in self.groups.items() if cluster_of(g, self._links) == name)
            unknowns += [] if self._links.node_groups_unknown is None else [self._links.node_groups_unknown]
        found: list[str] = []
        for node in (self._scaling[a] for a in arns if a in self._scaling):
            asked = flat(node.required_capacity, lambda n: n is not None)
            short = all_of((asked, flat(node.zones_short, lambda zs: len(zs) > 0), negate(node.union_settling)))
            if isinstance(short, Unknown):
                unknowns.append(short)
            elif short:
                found.append(node.AutoScalingGroupName)
        return tuple(found) if found or not unknowns else merge(unknowns)

    def _expiry(self, late: Sequence[LateLayer]) -> str:
        """What to give ARC as the new length of a shift, which it counts from now; a shift lasts 72 hours at most."""
        if not late:
            return ""
        minutes = math.ceil((max(x.until for x in late) + LEAD - self._now).total_seconds() / 60)
        return f"{min(max(minutes, 1), 72 * 60)}m"

    def _in_trouble(self, listed: arc.ManagedResource, zone: Zone) -> Truth:
        inventory = self._links.inventory
        truths = [exists(inventory.listing(arc.AUTOSHIFTS), lambda a: self._names(a.awayFrom, a.status, zone))]
        truths += [same_zone(self._links.zones.of(a.awayFrom), zone) for a in listed.autoshifts]
        states = inventory.listing(ec2.AVAILABILITY_ZONES)
        state = next((z for z in states if zone.id == z.ZoneId or (zone.id is None and zone.name == z.ZoneName)), None)
        if state is not None and state.State:
            truths.append(state.State in ("impaired", "unavailable"))
        else:
            truths.append(unclear(f"EC2 did not report a state of {zone}") if states.complete else states.unknown)
        return any_of(truths)

    def _names(self, away: str, status: str, zone: Zone) -> Truth:
        return all_of((status == "ACTIVE", same_zone(self._links.zones.of(away), zone)))

    def _masked(self, listed: arc.ManagedResource, shift: AppliedShift | None) -> Known[tuple[Zone, ...]]:
        """Zones of autoshifts that are active but not applied, because a customer shift away from another zone is.

        Between two autoshifts AWS documents no order, so that one is unknown.
        """
        found: list[Zone] = []
        unknowns: list[Unknown] = []
        for autoshift in listed.autoshifts if shift else ():
            assert shift is not None
            zone = self._links.zones.of(autoshift.awayFrom)
            applied: Truth = autoshift.appliedStatus == "APPLIED"
            if not autoshift.appliedStatus:
                applied = unclear(f"ARC did not report whether the autoshift away from {zone} is applied")
            masked = all_of((negate(applied), negate(same_zone(zone, shift.zone))))
            if masked is True and shift.kind == "autoshift":
                masked = unclear("AWS does not document which of two autoshifts away from different zones is applied")
            if isinstance(masked, Unknown):
                unknowns.append(masked)
            elif masked and shift.kind == "customer shift":
                found.append(zone)
        return tuple(found) if found or not unknowns else merge(unknowns)

    def _cross_zone_off(self, views: Sequence[GroupView]) -> Truth:
        truths: list[Truth] = []
        for view in views:
            effective = view.cross_zone
            off = flat(effective, lambda e: e is not None and e.value == "off")
            truths.append(all_of((view.in_use, off)))
        listing = self._links.inventory.listing(elbv2.TARGET_GROUPS)
        return any_of([*truths, *([] if listing.complete else [listing.unknown])])

    def _useless(
        self, arn: str, views: Sequence[GroupView], groups: Sequence[TargetGroup]
    ) -> Known[tuple[tuple[str, str, Cause], ...]]:
        """Groups for which a shift of the load balancer does nothing: name, reason, and what that is counted towards.

        While a shift is applied, failing open is no longer the fault of the group alone: the lever that was pulled is dead.
        """
        listing = self._links.inventory.listing(elbv2.TARGET_GROUPS)
        unknowns = [] if listing.complete else [listing.unknown]
        found: list[tuple[str, str, Cause]] = []
        shifted = self._shifts.applied[arn] is not None
        for view, group in zip(views, groups, strict=True):
            own = Cause(group.TargetGroupArn)
            for words, cause, truth in (
                ("has its targets in one zone only", own, one_zone(group)),
                ("is failing open in every zone", Cause(arn) if shifted else own, fails_everywhere(group)),
                ("has no target", Cause(arn) if shifted else own, _empty(view, group)),
            ):
                verdict = all_of((group.in_use, truth))
                if isinstance(verdict, Unknown):
                    unknowns.append(verdict)
                elif verdict:
                    found.append((group.TargetGroupName, words, cause))
                    break
        return tuple(found) if found or not unknowns else merge(unknowns)


def one_zone(group: TargetGroup) -> Truth:
    """Whether all usable targets stand in one zone although the load balancer has more; unknown while targets start."""
    if not group.has_zones:
        return False
    several = flat(group.balancer_zone_count, lambda n: n > 1)
    return all_of((several, flat(group.placed_zone_count, lambda n: n == 1), group.targets_settled))


def fails_everywhere(group: TargetGroup) -> Truth:
    """Whether the group fails open in every zone of its load balancer."""
    if isinstance(group.failing_open, Unknown) or not group.failing_open:
        return group.failing_open
    return flat(group.balancer_zones, lambda zones: flat(group.failing_open_zones, lambda now: len(now) == len(zones)))


def _empty(view: GroupView, group: TargetGroup) -> Truth:
    """Whether a group of a Network Load Balancer is empty without being meant to be: every zone then counts as failed."""
    if group.TargetType == "lambda":
        return False
    network = flat(view.balancer, lambda b: b is not None and b.Type == "network")
    return all_of((network, flat(group.usable_count, lambda n: n == 0), negate(group.wants_zero)))


def configured(listed: arc.ManagedResource) -> Known[bool]:
    """Whether a managed resource has a practice-run configuration, which is what ARC's status of practice runs says."""
    return _enabled(listed.practiceRunStatus, "whether practice runs are configured")


def _enabled(status: str | None, what: str) -> Known[bool]:
    return unclear(f"ARC did not report {what}") if status is None else status == "ENABLED"


def _duration(minutes: int) -> str:
    if minutes < 0:
        return "no time at all"
    hours, rest = divmod(minutes, 60)
    return f"{hours} h {rest} min" if hours else f"{rest} min"


def region_node(links: Links) -> ArcRegion:
    """The region's own settings of zonal autoshift."""
    inventory = links.inventory
    account, region = inventory.scope
    status = inventory.one(arc.OBSERVER_STATUS)
    there = (
        exists(inventory.listing(elbv2.LOAD_BALANCERS), lambda b: b.Type in ("application", "network")),
        exists(inventory.listing(autoscaling.AUTO_SCALING_GROUPS), lambda _: True),
        exists(inventory.listing(eks.CLUSTER_NAMES), lambda _: True),
    )
    return ArcRegion(
        resource=Resource(
            type="AWS::AccountRegion",
            arn="",
            name=region,
            account_id=AccountId(account),
            region=RegionName(region),
        ),
        tags={},
        links={"arc-zonal-shift:GetAutoshiftObserverNotificationStatus": ""},
        observer_enabled=flat(status, lambda s: _enabled(s.status, "whether autoshift notifications are on")),
        anything_shiftable=any_of(there),
    )
