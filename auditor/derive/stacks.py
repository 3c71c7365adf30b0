"""Which managed resources stand in one stack, and do their shifts agree?

A stack is a load balancer, the Application Load Balancers behind a Network Load Balancer, and the Auto Scaling groups and EKS
clusters whose instances are its targets. Each is shifted on its own; an Application Load Balancer behind a Network Load
Balancer needs no shift of its own.
https://docs.aws.amazon.com/r53recovery/latest/dg/arc-zonal-shift.resource-types.html
https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-zonal-shift.html
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from functools import cached_property

from ..model import autoscaling, elbv2
from ..model.identity import Zone
from ..model.known import Known, Unknown, merge
from ..model.verdict import Truth, all_of, any_of, negate
from .links import Links
from .nodes.managed import LateLayer, LayerDifference
from .nodes.shifts import AppliedShift
from .scaling import cluster_of
from .shifts import ShiftState
from .tags import group_tags
from .zones import same_zone

# The AWS Load Balancer Controller tags what it makes with the name of its cluster.
CLUSTER_TAG = "elbv2.k8s.aws/cluster"
# Traffic should come back to the load balancer only after its groups had time to fill the zone again.
LEAD = timedelta(minutes=30)

Found = tuple[tuple[str, ...], tuple[Unknown, ...]]


class Stacks:
    """The stacks of one region, seen from their load balancers. `zones` are the zones each managed resource uses."""

    def __init__(self, links: Links, shifts: ShiftState, zones: Mapping[str, Known[tuple[Zone, ...]]]) -> None:
        self._links = links
        self._shifts = shifts
        self._zones = zones
        self._groups = links.inventory.listing(autoscaling.AUTO_SCALING_GROUPS)
        self._clusters = {arn.rpartition("/")[2]: arn for arn in shifts.resources if ":cluster/" in arn}

    @cached_property
    def _owners(self) -> Mapping[str, autoscaling.AutoScalingGroup]:
        return {i.InstanceId: g for g in self._groups for i in g.Instances}

    @cached_property
    def _front_of(self) -> Mapping[str, tuple[str, ...]]:
        """Network Load Balancers that send traffic to an Application Load Balancer, by the ARN of that one."""
        found: dict[str, set[str]] = {}
        for group in self._links.groups.values():
            if group.TargetType == "alb" and self._links.in_use(group) is True:
                for alb in self._albs(group)[0]:
                    found.setdefault(alb, set()).update(group.LoadBalancerArns)
        return {alb: tuple(sorted(fronts)) for alb, fronts in found.items()}

    def _albs(self, group: elbv2.TargetGroup) -> Found:
        health = self._links.inventory.listing(elbv2.TARGET_HEALTH, group.TargetGroupArn)
        return tuple(sorted({h.Target.Id for h in health})), () if health.complete else (health.unknown,)

    def below(self, arn: str) -> Found:
        """ARNs of the managed Auto Scaling groups and clusters behind a load balancer, and what of it is unknown.

        What stands behind an Application Load Balancer that has a shift of its own is judged there.
        """
        found, unknowns = self._below(arn)
        managed = tuple(sorted(a for a in found if a in self._shifts.resources))
        if not self._shifts.listing.complete and len(managed) < len(found):
            unknowns = [*unknowns, self._shifts.listing.unknown]
        return managed, tuple(unknowns)

    def groups_behind(self, arn: str) -> Found:
        """ARNs of the Auto Scaling groups behind a load balancer, managed or not, and what of it is unknown."""
        found, unknowns = self._below(arn)
        return tuple(sorted(a for a in found if ":autoscaling:" in a)), tuple(unknowns)

    def _below(self, arn: str) -> tuple[set[str], list[Unknown]]:
        listing = self._links.inventory.listing(elbv2.TARGET_GROUPS)
        unknowns = [] if listing.complete else [listing.unknown]
        found = self._tagged([arn], unknowns)
        for group in self._links.groups_of.get(arn, ()):
            used = self._links.in_use(group)
            if isinstance(used, Unknown):
                unknowns.append(used)
            elif used and group.TargetType == "alb":
                albs, missing = self._albs(group)
                unknowns += missing
                for alb in albs:
                    if self._shifts.applied.get(alb) is None:
                        more, less = self._below(alb)
                        found |= more
                        unknowns += less
            elif used:
                found |= self._behind(group, unknowns)
        return found, unknowns

    def _tagged(self, arns: list[str], unknowns: list[Unknown]) -> set[str]:
        found = set()
        for arn in arns:
            tags = group_tags(arn, self._links.inventory)
            if isinstance(tags, Unknown):
                unknowns.append(tags)
            elif tags.get(CLUSTER_TAG) in self._clusters:
                found.add(self._clusters[tags[CLUSTER_TAG]])
        return found

    def _behind(self, group: elbv2.TargetGroup, unknowns: list[Unknown]) -> set[str]:
        """Auto Scaling groups that feed a target group or own its targets, and clusters they belong to."""
        arn = group.TargetGroupArn
        found = self._tagged([arn], unknowns)
        if group.TargetType != "instance":
            return found
        health = self._links.inventory.listing(elbv2.TARGET_HEALTH, arn)
        if not health.complete:
            unknowns.append(health.unknown)
        if not self._groups.complete:
            unknowns.append(self._groups.unknown)
        owners = [self._owners[h.Target.Id] for h in health if h.Target.Id in self._owners]
        for owner in (*self._links.feeders.get(arn, ()), *owners):
            found.add(owner.AutoScalingGroupARN)
            cluster = cluster_of(owner, self._links)
            if cluster in self._clusters:
                found.add(self._clusters[cluster])
            elif not cluster and self._links.node_groups_unknown is not None:
                unknowns.append(self._links.node_groups_unknown)
        return found

    # What the shifts of a stack say of one another

    def differences(self, arn: str) -> tuple[tuple[LayerDifference, ...], Unknown | None]:
        """Layers behind the load balancer whose shift is another than its own, and why there may be more of them.

        A layer that has nothing in the shifted zone has nothing to shift there.
        """
        if not self._matters(arn):
            return (), None
        own = self._shifts.applied[arn]
        layers, unknowns = self.below(arn)
        missing = list(unknowns)
        layers = (*layers, *self._shifted_albs(arn, missing))
        fronted: Truth = self._fronted(arn) if own is None else False
        found: list[LayerDifference] = []
        for layer in layers:
            truth = all_of((self._differ(arn, layer), negate(fronted)))
            if isinstance(truth, Unknown):
                missing.append(truth)
            elif truth:
                found.append(self._difference(arn, layer))
        return tuple(found), merge(missing) if missing and fronted is not True else None

    def _matters(self, arn: str) -> bool:
        """Whether any layer could differ: something is shifted, and something else is or may be managed."""
        if not self._shifts.listing.complete:
            return True
        others = [a for a in self._shifts.resources if a != arn]
        if self._shifts.applied[arn] is not None:
            return bool(others)
        return any(self._shifts.applied[a] is not None for a in others)

    def _fronted(self, arn: str) -> Truth:
        """Whether a managed Network Load Balancer stands before the load balancer, so that it needs no shift of its own."""
        truths: list[Truth] = [self._shifts.listed(front) for front in self._front_of.get(arn, ())]
        found = any_of(truths)
        if found is True or not arn.rpartition(":loadbalancer/")[2].startswith("app/"):
            return found
        behind = self._links.behind_nlb(arn)
        return found if behind is False or (behind is True and truths) else any_of((found, behind))

    def _shifted_albs(self, arn: str, unknowns: list[Unknown]) -> Iterator[str]:
        """Application Load Balancers behind a Network Load Balancer that have a shift of their own."""
        for group in self._links.groups_of.get(arn, ()):
            if group.TargetType == "alb" and self._links.in_use(group) is True:
                albs, missing = self._albs(group)
                unknowns += missing
                yield from (a for a in albs if self._shifts.applied.get(a) is not None)

    def _differ(self, arn: str, layer: str) -> Truth:
        own, other = self._shifts.applied[arn], self._shifts.applied[layer]
        if own is not None and other is not None:
            return negate(same_zone(own.zone, other.zone))
        if own is not None:
            return self._uses(layer, own.zone)
        return False if other is None else self._uses(arn, other.zone)

    def _uses(self, arn: str, zone: Zone) -> Truth:
        zones = self._zones[arn]
        return zones if isinstance(zones, Unknown) else any_of(same_zone(z, zone) for z in zones)

    def _difference(self, arn: str, layer: str) -> LayerDifference:
        own, other = self._shifts.applied[arn], self._shifts.applied[layer]
        return LayerDifference(
            arn=layer,
            name=self._shifts.resources[layer].name,
            words=f"{self._shifts.resources[layer].name} ({_away(other)})",
            practice=any(s is not None and s.kind == "practice run" for s in (own, other)),
            zones=tuple(dict.fromkeys(s.zone for s in (own, other) if s is not None)),
            behind_arn=layer if own is not None else arn,
            behind_zone=next(s.zone for s in (own, other) if s is not None),
        )

    def late_ends(self, arn: str) -> Known[tuple[LateLayer, ...]]:
        """Layers shifted away from the same zone whose shift ends later than 30 minutes before that of the load balancer.

        Only customer shifts have an end that means something.
        """
        own = self._shifts.applied[arn]
        if own is None or own.until is None:
            return ()
        layers, unknowns = self.below(arn)
        missing = list(unknowns) if self._matters(arn) else []
        found: list[LateLayer] = []
        for layer in layers:
            other = self._shifts.applied[layer]
            if other is None or other.until is None or own.until >= other.until + LEAD:
                continue
            same = same_zone(own.zone, other.zone)
            if isinstance(same, Unknown):
                missing.append(same)
            elif same:
                name = self._shifts.resources[layer].name
                found.append(LateLayer(name=name, words=f"{name} ({other.until_words})", until=other.until))
        return tuple(found) if found or not missing else merge(missing)


def _away(shift: AppliedShift | None) -> str:
    return f"{shift.kind} away from {shift.zone}" if shift else "not shifted"
