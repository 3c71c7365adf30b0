"""Where do the nodes of an EKS cluster stand, what keeps its node groups from starting more, and who sends it traffic?

Nodes that Karpenter, Auto Mode or a person started are in no group that the AWS API shows, and are not counted here.
https://docs.aws.amazon.com/eks/latest/userguide/zone-shift.html
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from ..model import autoscaling, ec2, eks, elbv2
from ..model.finding import Cause
from ..model.identity import Zone
from ..model.known import Known, Unknown, merge
from ..model.verdict import Truth, all_of, any_of, negate
from .links import Links, fed_groups
from .load_balancers import shift_switch
from .placement import in_words
from .scaling import being_deleted, cluster_of, only_source_of, settling_of, zones_of
from .tags import group_tags

# Tags by which the controllers of a cluster mark the load balancers and target groups that they made for it.
_OWNER_TAGS = ("elbv2.k8s.aws/cluster", "eks:eks-cluster-name")
_CLUSTER_TAG = "kubernetes.io/cluster/"
# Codes of DescribeNodegroup that keep instances from starting, beside every Ec2Subnet… one.
_STOPS_LAUNCHES = frozenset({"InsufficientFreeAddresses", "AsgInstanceLaunchFailures"})


class Nodes(msgspec.Struct, frozen=True, kw_only=True):
    """Nodes of a cluster that are in service, by zone, and the zones its groups are configured for."""

    groups: tuple[autoscaling.AutoScalingGroup, ...]
    counts: Mapping[Zone, int]
    configured: frozenset[Zone]
    unseen: Unknown | None

    @property
    def zones(self) -> tuple[Zone, ...]:
        """Zones with nodes, or those the groups are configured for when there are none."""
        return tuple(sorted(self.counts or self.configured, key=lambda z: z.key))


def nodes_of(name: str, links: Links) -> Nodes:
    """What is seen of the nodes of a cluster."""
    listing = links.inventory.listing(autoscaling.AUTO_SCALING_GROUPS)
    subnets = links.inventory.index(ec2.SUBNETS)
    groups = tuple(
        sorted(
            (g for g in listing if cluster_of(g, links) == name and not being_deleted(g)),
            key=lambda g: g.AutoScalingGroupName,
        )
    )
    counts: dict[Zone, int] = {}
    for instance in (i for g in groups for i in g.Instances):
        if instance.LifecycleState == "InService":
            zone = links.zones.named(instance.AvailabilityZone)
            counts[zone] = counts.get(zone, 0) + 1
    configured = frozenset(z for g in groups for z in zones_of(g, links.zones, subnets))
    return Nodes(groups=groups, counts=counts, configured=configured, unseen=_unseen(listing.complete, links))


def _unseen(groups_complete: bool, links: Links) -> Unknown | None:
    gaps = [] if groups_complete else [links.inventory.listing(autoscaling.AUTO_SCALING_GROUPS).unknown]
    if links.node_groups_unknown is not None:
        gaps.append(links.node_groups_unknown)
    return merge(gaps) if gaps else None


def in_one_zone(nodes: Nodes) -> Truth:
    """Whether the node groups together cover one zone: they may start nodes in no other, or two or more nodes share one.

    A single node of groups over several zones is no such case, nor are groups that want no node at all.
    """
    if len(nodes.counts) > 1:
        return False
    if nodes.unseen is not None:
        return nodes.unseen
    total = sum(nodes.counts.values())
    if not total and not any(g.DesiredCapacity for g in nodes.groups):
        return False
    if len(nodes.configured | set(nodes.counts)) < 2:
        return bool(nodes.groups)
    return all_of((total > 1, negate(any_of(settling_of(g) for g in nodes.groups))))


def node_words(nodes: Nodes) -> Known[str]:
    """Nodes per zone as a phrase."""
    if nodes.unseen is not None:
        return nodes.unseen
    return in_words(nodes.counts) if nodes.counts else "none in service"


def node_zones(nodes: Nodes) -> Known[tuple[Zone, ...]]:
    """Zones of the nodes."""
    return nodes.zones if nodes.unseen is None else nodes.unseen


def nodes_causes(arn: str, nodes: Nodes, links: Links) -> tuple[Cause, ...]:
    """The cluster, and each target group all of whose usable targets are nodes of its groups."""
    found = {c for g in nodes.groups for c in only_source_of(g, nodes.groups, links) if c.arn != g.AutoScalingGroupARN}
    return (Cause(arn), *sorted(found))


def launch_problems(group: eks.Nodegroup) -> tuple[str, ...]:
    """Codes of health issues that keep a node group from starting instances, sorted."""
    codes = {i.code for i in (group.health.issues if group.health else ())}
    return tuple(sorted(c for c in codes if c in _STOPS_LAUNCHES or c.startswith("Ec2Subnet")))


def active_profiles(name: str, links: Links) -> Known[tuple[str, ...]]:
    """Fargate profiles of a cluster that take pods; a witness makes the list known, else anything unread wins."""
    listing = links.inventory.listing(eks.FARGATE_PROFILE_NAMES, name)
    unknowns = [] if listing.complete else [listing.unknown]
    found: list[str] = []
    for profile in sorted(listing):
        key = f"{name}/{profile}"
        detail = links.inventory.one(eks.FARGATE_PROFILE, key)
        if not isinstance(detail, Unknown):
            found += [profile] if detail.status == "ACTIVE" else []
        elif not links.inventory.vanished(eks.FARGATE_PROFILE, key):
            unknowns.append(detail)
    return tuple(found) if found or not unknowns else merge(unknowns)


# Load balancers that serve a cluster


def shift_gaps(cluster: eks.Cluster, enabled: bool, links: Links) -> Known[tuple[elbv2.LoadBalancer, ...]]:
    """Load balancers that serve a cluster and whose zonal-shift switch is not as the cluster's.

    Only Application and Network Load Balancers over two zones or more count; one that is the target of a Network Load
    Balancer moves with that. A witness makes the list known, else anything unread wins.
    """
    listing = links.inventory.listing(elbv2.LOAD_BALANCERS)
    unknowns = [] if listing.complete else [listing.unknown]
    found: list[elbv2.LoadBalancer] = []
    for balancer in sorted(listing, key=lambda b: b.LoadBalancerArn):
        if balancer.Type not in ("application", "network") or len(balancer.AvailabilityZones) < 2:
            continue
        truth = all_of(_gap(cluster, balancer, enabled, links))
        if isinstance(truth, Unknown):
            unknowns.append(truth)
        elif truth:
            found.append(balancer)
    return tuple(found) if found or not unknowns else merge(unknowns)


def _gap(cluster: eks.Cluster, balancer: elbv2.LoadBalancer, enabled: bool, links: Links) -> Iterator[Truth]:
    arn = balancer.LoadBalancerArn
    yield any_of(_serves(cluster.name, balancer, links))
    own = shift_switch(links.inventory.attributes(elbv2.LOAD_BALANCER_ATTRIBUTES, arn))
    yield own if isinstance(own, Unknown) else own != enabled
    yield negate(links.behind_nlb(arn)) if balancer.Type == "application" else True


def _serves(cluster: str, balancer: elbv2.LoadBalancer, links: Links) -> Iterator[Truth]:
    """Whether it sends traffic to a cluster: by a controller's tag on it or on its target groups, or by node groups."""
    yield _marked(balancer.LoadBalancerArn, cluster, links)
    for group in links.groups_of.get(balancer.LoadBalancerArn, ()):
        yield _marked(group.TargetGroupArn, cluster, links)
        yield any(cluster_of(g, links) == cluster for g in links.feeders.get(group.TargetGroupArn, ()))
    groups = links.inventory.listing(elbv2.TARGET_GROUPS)
    yield False if groups.complete else groups.unknown
    feeders = links.inventory.listing(autoscaling.AUTO_SCALING_GROUPS)
    if links.groups_of.get(balancer.LoadBalancerArn):
        yield False if feeders.complete else feeders.unknown
        if any(fed_groups(g) for g in feeders):
            yield False if links.node_groups_unknown is None else links.node_groups_unknown


def _marked(arn: str, cluster: str, links: Links) -> Truth:
    tags = group_tags(arn, links.inventory)
    if isinstance(tags, Unknown):
        return tags
    return f"{_CLUSTER_TAG}{cluster}" in tags or any(tags.get(key) == cluster for key in _OWNER_TAGS)


def gap_causes(arn: str, enabled: bool, gaps: Known[tuple[elbv2.LoadBalancer, ...]]) -> tuple[Cause, ...]:
    """Where the switch is off: the load balancers of a cluster that has it on, else the cluster."""
    if isinstance(gaps, Unknown):
        return ()
    return tuple(Cause(b.LoadBalancerArn) for b in gaps) if enabled else (Cause(arn),)


def cluster_arn_of(group: autoscaling.AutoScalingGroup, links: Links) -> Known[str | None]:
    """ARN of the cluster whose nodes a group's instances are; None when there is none."""
    name = cluster_of(group, links)
    if not name:
        return links.node_groups_unknown
    names = links.inventory.listing(eks.CLUSTER_NAMES)
    if name in names.items:
        cluster = links.inventory.one(eks.CLUSTER, name)
        gone = links.inventory.vanished(eks.CLUSTER, name)
        return None if gone else cluster if isinstance(cluster, Unknown) else cluster.arn
    return None if names.complete else names.unknown
