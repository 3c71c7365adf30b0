"""Amazon EKS as the AWS API shows it: clusters, node groups, Fargate profiles."""

from __future__ import annotations

from typing import Any

from .read import Read
from .shape import Shape


class Switch(Shape, frozen=True, kw_only=True):
    """A switch that may be unset."""

    enabled: bool | None = None


class Cluster(Shape, frozen=True, kw_only=True):
    """An EKS cluster. `resourcesVpcConfig.subnetIds` is where the control plane has interfaces, not where nodes run."""

    name: str
    arn: str = ""
    status: str = ""
    version: str = ""
    zonalShiftConfig: Switch | None = None
    computeConfig: Switch | None = None
    connectorConfig: dict[str, Any] | None = None
    outpostConfig: dict[str, Any] | None = None
    tags: dict[str, str] = {}


class NamedGroup(Shape, frozen=True, kw_only=True):
    """An Auto Scaling group behind a node group."""

    name: str = ""


class NodegroupResources(Shape, frozen=True, kw_only=True):
    """What EKS made for a node group."""

    autoScalingGroups: list[NamedGroup] = []


class Issue(Shape, frozen=True, kw_only=True):
    """A health issue of a node group."""

    code: str = ""
    message: str = ""


class Health(Shape, frozen=True, kw_only=True):
    """Health of a node group."""

    issues: list[Issue] = []


class Nodegroup(Shape, frozen=True, kw_only=True):
    """A managed node group."""

    nodegroupName: str
    nodegroupArn: str = ""
    clusterName: str = ""
    status: str = ""
    subnets: list[str] = []
    resources: NodegroupResources | None = None
    health: Health | None = None
    tags: dict[str, str] = {}


class Selector(Shape, frozen=True, kw_only=True):
    """Which pods a Fargate profile takes."""

    namespace: str = ""


class FargateProfile(Shape, frozen=True, kw_only=True):
    """A Fargate profile; its pods are outside a zonal shift."""

    fargateProfileName: str
    clusterName: str = ""
    status: str = ""
    subnets: list[str] = []
    selectors: list[Selector] = []


CLUSTER_NAMES = Read("eks", "ListClusters", "clusters", str)
CLUSTER = Read("eks", "DescribeCluster", "cluster", Cluster, key="name")
NODEGROUP_NAMES = Read("eks", "ListNodegroups", "nodegroups", str, key="clusterName")
NODEGROUP = Read("eks", "DescribeNodegroup", "nodegroup", Nodegroup, key="clusterName/nodegroupName")
FARGATE_PROFILE_NAMES = Read("eks", "ListFargateProfiles", "fargateProfileNames", str, key="clusterName")
FARGATE_PROFILE = Read(
    "eks", "DescribeFargateProfile", "fargateProfile", FargateProfile, key="clusterName/fargateProfileName"
)
