"""All facts of the EKS clusters of a region and of their node groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..model import eks
from ..model.identity import AccountId, RegionName, Resource
from ..model.known import Known, Reason, Unknown
from . import node_groups, scaling
from .links import Links
from .node import Node
from .nodes.clusters import EksCluster, EksNodegroup

CLUSTER_TYPE = "AWS::EKS::Cluster"
NODEGROUP_TYPE = "AWS::EKS::Nodegroup"


def _resource(kind: str, arn: str, name: str, links: Links) -> Resource:
    account, region = links.inventory.scope
    return Resource(type=kind, arn=arn, name=name, account_id=AccountId(account), region=RegionName(region))


def _names(links: Links) -> Iterator[str]:
    """Clusters that were there to the end of the scan."""
    return (n for n in links.inventory.listing(eks.CLUSTER_NAMES) if not links.inventory.vanished(eks.CLUSTER, n))


def cluster_nodes(links: Links) -> tuple[list[Node], Sequence[Reason]]:
    """Every EKS cluster that could be described, and why there may be more."""
    nodes: list[Node] = []
    gaps = list(links.inventory.listing(eks.CLUSTER_NAMES).gaps)
    for name in _names(links):
        cluster = links.inventory.one(eks.CLUSTER, name)
        if isinstance(cluster, Unknown):
            gaps += cluster.reasons
        elif cluster.status != "DELETING":
            nodes.append(_cluster(cluster, links))
    return nodes, gaps


def _cluster(cluster: eks.Cluster, links: Links) -> EksCluster:
    inventory, name = links.inventory, cluster.name
    groups = inventory.listing(eks.NODEGROUP_NAMES, name)
    profiles = inventory.listing(eks.FARGATE_PROFILE_NAMES, name)
    enabled = bool(cluster.zonalShiftConfig and cluster.zonalShiftConfig.enabled)
    nodes = node_groups.nodes_of(name, links)
    return EksCluster(
        resource=_resource(CLUSTER_TYPE, cluster.arn, name, links),
        tags=cluster.tags,
        links={
            "eks:DescribeCluster": name,
            "eks:ListNodegroups": name,
            "eks:ListFargateProfiles": name,
            "eks:DescribeFargateProfile": tuple(f"{name}/{p}" for p in sorted(profiles)),
            "eks:DescribeNodegroup": tuple(f"{name}/{g}" for g in sorted(groups)),
        },
        name=name,
        status=cluster.status,
        external=cluster.connectorConfig is not None,
        auto_mode=bool(cluster.computeConfig and cluster.computeConfig.enabled),
        zonal_shift_enabled=enabled,
        node_group_count=len(groups) if groups.complete else groups.unknown,
        fargate_only=scaling.fargate_only(cluster, links),
        fargate_profiles=node_groups.active_profiles(name, links),
        nodes_in_one_zone=node_groups.in_one_zone(nodes),
        node_zones=node_groups.node_zones(nodes),
        node_words=node_groups.node_words(nodes),
        nodes_causes=node_groups.nodes_causes(cluster.arn, nodes, links),
        **_gaps(cluster, enabled, links),
    )


def _gaps(cluster: eks.Cluster, enabled: bool, links: Links) -> dict[str, Any]:
    """Load balancers of a cluster that are switched otherwise than it is."""
    found = node_groups.shift_gaps(cluster, enabled, links)
    known = () if isinstance(found, Unknown) else found
    names: Known[tuple[str, ...]] = found if isinstance(found, Unknown) else tuple(b.LoadBalancerName for b in found)
    return {
        "lb_shift_gaps": names,
        "lb_shift_gap_arns": found if isinstance(found, Unknown) else tuple(b.LoadBalancerArn for b in known),
        "lb_shift_gap_words": "takes part in zonal shift, but not" if enabled else "has zonal shift off, unlike",
        "lb_shift_gap_causes": node_groups.gap_causes(cluster.arn, enabled, found),
    }


def node_group_nodes(links: Links) -> tuple[list[Node], Sequence[Reason]]:
    """Every managed node group that could be described and is not being deleted, and why there may be more."""
    inventory = links.inventory
    nodes: list[Node] = []
    gaps = list(inventory.listing(eks.CLUSTER_NAMES).gaps)
    for cluster in _names(links):
        listing = inventory.listing(eks.NODEGROUP_NAMES, cluster)
        gaps += listing.gaps
        for name in listing:
            key = f"{cluster}/{name}"
            if inventory.vanished(eks.NODEGROUP, key):
                continue
            group = inventory.one(eks.NODEGROUP, key)
            if isinstance(group, Unknown):
                gaps += group.reasons
            elif group.status != "DELETING":
                nodes.append(_node_group(group, key, links))
    return nodes, gaps


def _node_group(group: eks.Nodegroup, key: str, links: Links) -> EksNodegroup:
    problems = node_groups.launch_problems(group)
    issues = sorted((i.code, i.message) for i in (group.health.issues if group.health else ()))
    return EksNodegroup(
        resource=_resource(NODEGROUP_TYPE, group.nodegroupArn, group.nodegroupName, links),
        tags=group.tags,
        links={"eks:DescribeNodegroup": key},
        name=group.nodegroupName,
        cluster=group.clusterName,
        status=group.status,
        launch_problems=problems,
        issue_words=", ".join(f"{code} ({message})" if message else code for code, message in issues)
        or "no issue named",
    )
