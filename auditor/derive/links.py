"""Who sends traffic to whom: load balancer → listener → rule → weighted action → target group → target → group of instances.

https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-listeners.html
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import cast

from ..model import autoscaling, eks, elbv2
from ..model.inventory import RegionInventory
from ..model.known import Known, Unknown, merge, unclear
from ..model.verdict import Truth, any_of
from .nodes.load_balancers import Kind
from .targets import TargetPlaces
from .zones import zone_map


def weights(actions: Iterable[elbv2.Action]) -> Iterator[tuple[str, int]]:
    """Target groups that a list of actions forwards to, each with its weight (1 where AWS gives none)."""
    for action in actions:
        if action.Type not in ("forward", ""):
            continue
        if action.ForwardConfig and action.ForwardConfig.TargetGroups:
            for group in action.ForwardConfig.TargetGroups:
                yield group.TargetGroupArn, 1 if group.Weight is None else group.Weight
        elif action.TargetGroupArn:
            yield action.TargetGroupArn, 1


class Links:
    """Indexes over one region's answers; built once, asked by every other file of this package."""

    def __init__(self, inventory: RegionInventory) -> None:
        self.inventory = inventory
        self.zones = zone_map(inventory)
        self.places = TargetPlaces(inventory, self.zones)
        self.balancers = inventory.index(elbv2.LOAD_BALANCERS)
        self.groups = inventory.index(elbv2.TARGET_GROUPS)

    def kind(self, balancer: elbv2.LoadBalancer) -> Kind:
        """Kind of a load balancer that is not `strange`."""
        return cast("Kind", balancer.Type)

    def strange(self, balancer: elbv2.LoadBalancer) -> Unknown | None:
        """Why nothing can be judged about a load balancer: AWS gave it a type added later, or did not name its zones."""
        if balancer.Type not in ("application", "network", "gateway"):
            return unclear(f"{balancer.LoadBalancerName} is a load balancer of a type not known here ({balancer.Type})")
        if not balancer.AvailabilityZones or not all(z.ZoneName for z in balancer.AvailabilityZones):
            return unclear(f"AWS did not name the zones of the load balancer {balancer.LoadBalancerName}")
        return None

    @cached_property
    def groups_of(self) -> Mapping[str, tuple[elbv2.TargetGroup, ...]]:
        """Target groups by the ARN of the load balancer AWS names for them."""
        found: dict[str, list[elbv2.TargetGroup]] = {}
        for group_arn in sorted(self.groups):
            for arn in self.groups[group_arn].LoadBalancerArns:
                found.setdefault(arn, []).append(self.groups[group_arn])
        return {arn: tuple(groups) for arn, groups in found.items()}

    def balancer_of(self, group: elbv2.TargetGroup) -> Known[elbv2.LoadBalancer | None]:
        """The load balancer of a group; None when AWS names none; unknown when the one it names was not read."""
        for arn in group.LoadBalancerArns:
            if arn in self.balancers:
                why = self.strange(self.balancers[arn])
                return self.balancers[arn] if why is None else why
        if not group.LoadBalancerArns:
            return None
        if self.inventory.vanished(elbv2.LOAD_BALANCERS, group.LoadBalancerArns[0]):
            return unclear(f"its load balancer {group.LoadBalancerArns[0]} vanished during the scan")
        listing = self.inventory.listing(elbv2.LOAD_BALANCERS)
        return (
            listing.unknown
            if not listing.complete
            else unclear(f"its load balancer {group.LoadBalancerArns[0]} was not in the listing")
        )

    @cached_property
    def _forwards(self) -> dict[str, tuple[dict[str, int], tuple[Unknown, ...]]]:
        return {}

    def forwards(self, balancer: elbv2.LoadBalancer) -> tuple[Mapping[str, int], tuple[Unknown, ...]]:
        """Highest weight with which each target group is forwarded to, and what of the listeners and rules is unknown."""
        arn = balancer.LoadBalancerArn
        if arn not in self._forwards:
            self._forwards[arn] = self._read_forwards(balancer)
        return self._forwards[arn]

    def _read_forwards(self, balancer: elbv2.LoadBalancer) -> tuple[dict[str, int], tuple[Unknown, ...]]:
        best: dict[str, int] = {}
        unknowns: list[Unknown] = []
        listeners = self.inventory.listing(elbv2.LISTENERS, balancer.LoadBalancerArn)
        if not listeners.complete:
            unknowns.append(listeners.unknown)
        for listener in sorted(listeners, key=lambda x: x.ListenerArn):
            actions = list(weights(listener.DefaultActions))
            if balancer.Type != "gateway":
                rules = self.inventory.listing(elbv2.RULES, listener.ListenerArn)
                actions += [pair for rule in rules for pair in weights(rule.Actions)]
                if not rules.complete:
                    unknowns.append(rules.unknown)
            for group_arn, weight in actions:
                best[group_arn] = max(best.get(group_arn, 0), weight)
        return best, tuple(unknowns)

    def in_use(self, group: elbv2.TargetGroup) -> Truth:
        """Whether a listener or rule forwards to the group with a weight other than 0.

        A witness decides; absence needs every listener and rule of its load balancer to have been read.
        """
        balancer = self.balancer_of(group)
        if balancer is None:
            return False
        if isinstance(balancer, Unknown):
            return balancer
        best, unknowns = self.forwards(balancer)
        if best.get(group.TargetGroupArn, 0) != 0:
            return True
        return merge(unknowns) if unknowns else False

    @cached_property
    def feeders(self) -> Mapping[str, tuple[autoscaling.AutoScalingGroup, ...]]:
        """Auto Scaling groups by the target group ARN they register instances with."""
        found: dict[str, list[autoscaling.AutoScalingGroup]] = {}
        for group in self.inventory.listing(autoscaling.AUTO_SCALING_GROUPS):
            for arn in fed_groups(group):
                found.setdefault(arn, []).append(group)
        return {arn: tuple(groups) for arn, groups in found.items()}

    @cached_property
    def node_group_clusters(self) -> Mapping[str, str]:
        """EKS cluster by the name of the Auto Scaling group behind one of its node groups."""
        found: dict[str, str] = {}
        for key in self.inventory.keys(eks.NODEGROUP):
            node_group = self.inventory.one(eks.NODEGROUP, key)
            if not isinstance(node_group, Unknown) and node_group.resources:
                for group in node_group.resources.autoScalingGroups:
                    found[group.name] = node_group.clusterName
        return found

    @cached_property
    def node_groups_unknown(self) -> Unknown | None:
        """Why not every node group of the region is known, or None when all are."""
        names = self.inventory.listing(eks.CLUSTER_NAMES)
        unknowns = [] if names.complete else [names.unknown]
        for cluster in sorted(n for n in names if not self.inventory.vanished(eks.CLUSTER, n)):
            groups = self.inventory.listing(eks.NODEGROUP_NAMES, cluster)
            if not groups.complete:
                unknowns.append(groups.unknown)
            for name in groups:
                key = f"{cluster}/{name}"
                detail = self.inventory.one(eks.NODEGROUP, key)
                if isinstance(detail, Unknown) and not self.inventory.vanished(eks.NODEGROUP, key):
                    unknowns.append(detail)
        return merge(unknowns) if unknowns else None

    def behind_nlb(self, alb_arn: str) -> Truth:
        """Whether an Application Load Balancer is the registered target of an attached `alb` group."""
        groups = self.inventory.listing(elbv2.TARGET_GROUPS)
        truths: list[Truth] = []
        for group in sorted(groups, key=lambda g: g.TargetGroupArn):
            if group.TargetType != "alb" or not group.LoadBalancerArns:
                continue
            health = self.inventory.listing(elbv2.TARGET_HEALTH, group.TargetGroupArn)
            if any(h.Target.Id == alb_arn for h in health):
                return True
            if not health.complete:
                truths.append(health.unknown)
        if not groups.complete:
            truths.append(groups.unknown)
        return any_of(truths)


def fed_groups(group: autoscaling.AutoScalingGroup) -> tuple[str, ...]:
    """ARNs of the target groups an Auto Scaling group registers its instances with."""
    sources = [s.Identifier for s in group.TrafficSources if s.Type == "elbv2"]
    return tuple(dict.fromkeys([*group.TargetGroupARNs, *sources]))


def fed_classic(group: autoscaling.AutoScalingGroup) -> tuple[str, ...]:
    """Names of the Classic Load Balancers an Auto Scaling group registers its instances with."""
    sources = [s.Identifier for s in group.TrafficSources if s.Type == "elb"]
    return tuple(dict.fromkeys([*group.LoadBalancerNames, *sources]))
