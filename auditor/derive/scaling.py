"""Where does an Auto Scaling group keep its capacity, what does it serve, and who stands beside it?

Groups behind one target group or cluster are judged together: one group per zone is a sound pattern.
https://docs.aws.amazon.com/autoscaling/ec2/userguide/auto-scaling-benefits.html
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property

from ..model import autoscaling, ec2, eks, elbv2
from ..model.finding import Cause
from ..model.identity import AccountId, RegionName, Resource, Zone
from ..model.inventory import RegionInventory
from ..model.known import Known, Listing, Unknown, merge, unclear
from ..model.verdict import Truth, any_of
from .cross_zone import effective_cross_zone
from .links import Links, fed_classic, fed_groups
from .node import Node
from .nodes.scaling import ZoneCapacity
from .tags import as_mapping
from .zones import ZoneMap

TYPE = "AWS::AutoScaling::AutoScalingGroup"
_CLUSTER_TAG = "kubernetes.io/cluster/"
_RESTING = ("InService", "Standby", "Detached", "Terminated", "Terminating:Retained")


def as_node(group: autoscaling.AutoScalingGroup, links: Links) -> Node:
    """A group as something that entries of the settings may choose."""
    account, region = links.inventory.scope
    resource = Resource(
        type=TYPE,
        arn=group.AutoScalingGroupARN,
        name=group.AutoScalingGroupName,
        account_id=AccountId(account),
        region=RegionName(region),
    )
    return Node(resource=resource, tags=as_mapping(group.Tags))


def zones_of(
    group: autoscaling.AutoScalingGroup, zones: ZoneMap, subnets: Mapping[str, ec2.Subnet]
) -> tuple[Zone, ...]:
    """Zones a group is configured for, from its zone names, zone IDs or subnets, whichever AWS gave."""
    found = [zones.named(name) for name in group.AvailabilityZones]
    if not found:
        found = [zones.of(zone_id) for zone_id in group.AvailabilityZoneIds]
    if not found:
        ids = [s.strip() for s in (group.VPCZoneIdentifier or "").split(",")]
        found = [zones.named(subnets[s].AvailabilityZone) for s in ids if s in subnets]
    return tuple(sorted(dict.fromkeys(found), key=lambda z: z.key))


def weight_of(instance: autoscaling.Instance) -> int:
    """Capacity units of an instance: its weight where the group uses weights, else 1."""
    text = instance.WeightedCapacity or ""
    return int(text) if text.isdigit() else 1


def is_capacity(instance: autoscaling.Instance) -> bool:
    """Whether an instance counts as capacity: InService and Healthy, nothing else."""
    return instance.LifecycleState == "InService" and instance.HealthStatus.lower() == "healthy"


def capacity_per_zone(
    group: autoscaling.AutoScalingGroup, configured: Sequence[Zone], zones: ZoneMap
) -> tuple[ZoneCapacity, ...]:
    """Healthy capacity per zone, in zones the group is configured for and in any other that holds an instance."""
    healthy: dict[Zone, int] = dict.fromkeys(configured, 0)
    present: dict[Zone, int] = dict.fromkeys(configured, 0)
    for instance in group.Instances:
        zone = zones.named(instance.AvailabilityZone)
        present[zone] = present.get(zone, 0) + 1
        healthy.setdefault(zone, 0)
        if is_capacity(instance):
            healthy[zone] += weight_of(instance)
    return tuple(
        ZoneCapacity(zone=z, healthy_capacity=healthy[z], instance_count=present[z])
        for z in sorted(healthy, key=lambda z: z.key)
    )


def tolerance_of(group: autoscaling.AutoScalingGroup, fullest: int) -> int:
    """Difference between zones that rounding explains: one instance at its largest weight, or a tenth of the fullest zone."""
    return max(1, max((weight_of(i) for i in group.Instances), default=1), math.floor(fullest / 10))


def settling_of(group: autoscaling.AutoScalingGroup) -> Known[bool]:
    """False, or unknown while instances start, stop or are replaced: counts per zone say little at that moment."""
    moving = [
        i for i in group.Instances if i.LifecycleState not in _RESTING and not i.LifecycleState.startswith("Warmed")
    ]
    if moving:
        return unclear(
            f"{len(moving)} instances of {group.AutoScalingGroupName} are starting, stopping or being replaced"
        )
    return False


def being_deleted(group: autoscaling.AutoScalingGroup) -> bool:
    """Whether the group is on its way out: AWS gives it a status only while it is being deleted."""
    return (group.Status or "").lower().startswith("delete")


def feeds_load_balancer(group: autoscaling.AutoScalingGroup, links: Links) -> Truth:
    """Whether the group registers its instances where a load balancer uses them: a target group of none feeds none."""
    if fed_classic(group):
        return True
    listing = links.inventory.listing(elbv2.TARGET_GROUPS)
    gone: Truth = False if listing.complete else listing.unknown
    return any_of(
        bool(links.groups[arn].LoadBalancerArns) if arn in links.groups else gone for arn in fed_groups(group)
    )


def owner_of(group: autoscaling.AutoScalingGroup) -> str:
    """The service that manages the group, or "": EKS for node groups, else what AWS names as operator."""
    keys = {t.Key for t in group.Tags}
    if keys & {"eks:nodegroup-name", "eks:cluster-name"}:
        return "Amazon EKS"
    if group.Operator and group.Operator.Principal:
        return group.Operator.Principal
    return ""


def cluster_of(group: autoscaling.AutoScalingGroup, links: Links) -> str:
    """EKS cluster a group's instances are nodes of: by node group, by EKS's own tag, or by the Kubernetes tag; else ""."""
    if group.AutoScalingGroupName in links.node_group_clusters:
        return links.node_group_clusters[group.AutoScalingGroupName]
    for tag in group.Tags:
        if tag.Key == "eks:cluster-name":
            return tag.Value
        if tag.Key.startswith(_CLUSTER_TAG):
            return tag.Key.removeprefix(_CLUSTER_TAG)
    return ""


class Unions:
    """Groups that stand together behind one target group, Classic Load Balancer or cluster."""

    def __init__(self, links: Links) -> None:
        self._links = links
        self._listing = links.inventory.listing(autoscaling.AUTO_SCALING_GROUPS)
        self._subnets = links.inventory.index(ec2.SUBNETS)
        self._members: dict[str, dict[str, autoscaling.AutoScalingGroup]] = {}
        for group in (g for g in self._listing if not being_deleted(g)):
            for key in self._keys(group):
                self._members.setdefault(key, {})[group.AutoScalingGroupName] = group

    def _keys(self, group: autoscaling.AutoScalingGroup) -> list[str]:
        cluster = cluster_of(group, self._links)
        return [*fed_groups(group), *(f"elb/{n}" for n in fed_classic(group)), *([f"eks/{cluster}"] if cluster else [])]

    def members(self, group: autoscaling.AutoScalingGroup) -> tuple[autoscaling.AutoScalingGroup, ...]:
        """Every group seen beside this one, itself included, by name."""
        found = {group.AutoScalingGroupName: group}
        for key in self._keys(group):
            found |= self._members[key]
        return tuple(found[name] for name in sorted(found))

    def zones(self, group: autoscaling.AutoScalingGroup) -> Known[tuple[Zone, ...]]:
        """Zones of the union; unknown while a member may be missing, since with it the zones would be others."""
        if self.missing is not None:
            return self.missing
        found = {z for m in self.members(group) for z in zones_of(m, self._links.zones, self._subnets)}
        return tuple(sorted(found, key=lambda z: z.key))

    def names(self, group: autoscaling.AutoScalingGroup) -> Known[tuple[str, ...]]:
        """Names of the union's groups; unknown while a member may be missing."""
        if self.missing is not None:
            return self.missing
        return tuple(m.AutoScalingGroupName for m in self.members(group))

    @cached_property
    def missing(self) -> Unknown | None:
        """Why a union may have members that were not seen, or None."""
        reasons = [] if self._listing.complete else [self._listing.unknown]
        if self._links.node_groups_unknown is not None:
            reasons.append(self._links.node_groups_unknown)
        return merge(reasons) if reasons else None


def serves(group: autoscaling.AutoScalingGroup, links: Links) -> Truth:
    """Whether a load balancer or an EKS cluster stands before the group."""
    if fed_groups(group) or fed_classic(group) or cluster_of(group, links):
        return True
    missing = links.node_groups_unknown
    return False if missing is None else missing


def behind_cross_zone_off(group: autoscaling.AutoScalingGroup, links: Links) -> Truth:
    """Whether a target group that it feeds has cross-zone off in effect."""
    truths: list[Truth] = []
    for arn in fed_groups(group):
        target_group = links.groups.get(arn)
        if target_group is None:
            listing = links.inventory.listing(elbv2.TARGET_GROUPS)
            truths.append(False if listing.complete else listing.unknown)
            continue
        balancer = links.balancer_of(target_group)
        if balancer is None or isinstance(balancer, Unknown):
            truths.append(False if balancer is None else balancer)
            continue
        effective = effective_cross_zone(
            links.kind(balancer),
            target_group.TargetType,
            links.inventory.attributes(elbv2.TARGET_GROUP_ATTRIBUTES, arn),
            links.inventory.attributes(elbv2.LOAD_BALANCER_ATTRIBUTES, balancer.LoadBalancerArn),
        )
        truths.append(effective if isinstance(effective, Unknown) else effective.value == "off")
    return any_of(truths)


def only_source_of(
    group: autoscaling.AutoScalingGroup, members: Sequence[autoscaling.AutoScalingGroup], links: Links
) -> tuple[Cause, ...]:
    """The group, and each target group all of whose usable targets are instances of its union: one cause for both."""
    instances = {i.InstanceId for m in members for i in m.Instances}
    causes = [Cause(group.AutoScalingGroupARN)]
    for arn in fed_groups(group):
        health = links.inventory.listing(elbv2.TARGET_HEALTH, arn)
        usable = [h.Target.Id for h in health if h.TargetHealth.State not in ("unused", "draining")]
        if health.complete and usable and all(t in instances for t in usable):
            causes.append(Cause(arn))
    return tuple(causes)


_CLUSTER_TAGS = ("eks:cluster-name", "eks:eks-cluster-name", "aws:eks:cluster-name")


def _profile(inventory: RegionInventory, cluster: str, profile: str) -> Known[eks.FargateProfile]:
    return inventory.one(eks.FARGATE_PROFILE, f"{cluster}/{profile}")


def _has_nodes(cluster: eks.Cluster, links: Links) -> bool:
    """Whether anything seen says that instances are nodes of the cluster.

    That is: Auto Mode, a node group, an Auto Scaling group or instance tagged for it, or a Fargate profile for the
    namespace ``karpenter``: a Karpenter that runs on Fargate does so to start nodes.
    """
    inventory, name = links.inventory, cluster.name
    if cluster.computeConfig and cluster.computeConfig.enabled:
        return True
    if inventory.listing(eks.NODEGROUP_NAMES, name).items:
        return True
    if any(cluster_of(g, links) == name for g in inventory.listing(autoscaling.AUTO_SCALING_GROUPS)):
        return True
    for reservation in inventory.listing(ec2.INSTANCES):
        for tag in (t for i in reservation.Instances for t in i.Tags):
            if tag.Key == _CLUSTER_TAG + name or (tag.Key in _CLUSTER_TAGS and tag.Value == name):
                return True
    profiles = inventory.listing(eks.FARGATE_PROFILE_NAMES, name)
    details = [_profile(inventory, name, profile) for profile in profiles]
    return any(s.namespace == "karpenter" for d in details if not isinstance(d, Unknown) for s in d.selectors)


def fargate_only(cluster: eks.Cluster, links: Links) -> Truth:
    """Whether a cluster shows only Fargate: profiles, and nothing that says it has nodes.

    Nodes that Karpenter or a person started are visible only where a target group names them, so a cluster of profiles with
    such nodes elsewhere still counts as Fargate only.
    """
    if _has_nodes(cluster, links):
        return False
    inventory, name = links.inventory, cluster.name
    profiles = inventory.listing(eks.FARGATE_PROFILE_NAMES, name)
    if profiles.complete and not profiles.items:
        return False
    details = [_profile(inventory, name, profile) for profile in profiles]
    listings = (
        inventory.listing(eks.NODEGROUP_NAMES, name),
        inventory.listing(autoscaling.AUTO_SCALING_GROUPS),
        inventory.listing(ec2.INSTANCES) if inventory.asked(ec2.INSTANCES) else Listing[ec2.Reservation](),
        profiles,
    )
    gaps = [x.unknown for x in listings if not x.complete]
    gaps += [d for d in details if isinstance(d, Unknown)]
    return merge(gaps) if gaps else True
