"""Amazon RDS and Aurora: instances, clusters, proxies.

DescribeDBInstances and DescribeDBClusters answer for Neptune and DocumentDB as well; `Engine` tells them apart.
"""

from __future__ import annotations

from . import services
from .read import Read
from .shape import Shape, Tag


class SubnetZone(Shape, frozen=True, kw_only=True):
    """The zone of a subnet, by name."""

    Name: str = ""


class GroupSubnet(Shape, frozen=True, kw_only=True):
    """A subnet of a DB subnet group."""

    SubnetIdentifier: str = ""
    SubnetAvailabilityZone: SubnetZone | None = None
    SubnetStatus: str = ""


class DBSubnetGroup(Shape, frozen=True, kw_only=True):
    """Subnets in which a database may stand."""

    DBSubnetGroupName: str = ""
    DBSubnetGroupArn: str = ""
    VpcId: str = ""
    Subnets: list[GroupSubnet] = []


class PendingModifiedValues(Shape, frozen=True, kw_only=True):
    """Changes of an instance that are ordered and not yet made."""

    MultiAZ: bool | None = None


class DBInstance(Shape, frozen=True, kw_only=True):
    """A database instance: one of its own, a replica, or the member of a cluster."""

    DBInstanceIdentifier: str
    DBInstanceArn: str = ""
    DBInstanceClass: str = ""
    Engine: str = ""
    DBInstanceStatus: str = ""
    AvailabilityZone: str | None = None
    SecondaryAvailabilityZone: str | None = None
    MultiAZ: bool | None = None
    DBClusterIdentifier: str | None = None
    ReadReplicaSourceDBInstanceIdentifier: str | None = None
    ReadReplicaSourceDBClusterIdentifier: str | None = None
    PendingModifiedValues: PendingModifiedValues | None = None
    PromotionTier: int | None = None
    PreferredMaintenanceWindow: str | None = None
    PreferredBackupWindow: str | None = None
    DBSubnetGroup: DBSubnetGroup | None = None
    TagList: list[Tag] = []


class DBClusterMember(Shape, frozen=True, kw_only=True):
    """An instance as a member of a cluster."""

    DBInstanceIdentifier: str = ""
    IsClusterWriter: bool = False
    PromotionTier: int | None = None


class DBCluster(Shape, frozen=True, kw_only=True):
    """An Aurora, Multi-AZ, Neptune or DocumentDB cluster.

    `AvailabilityZones` says where instances may be made, not where they are; `MultiAZ` that they stand in several zones.
    """

    DBClusterIdentifier: str
    DBClusterArn: str = ""
    Engine: str = ""
    EngineMode: str | None = None
    Status: str = ""
    MultiAZ: bool | None = None
    ClusterScalabilityType: str | None = None
    GlobalClusterIdentifier: str | None = None
    ReplicationSourceIdentifier: str | None = None
    DBClusterInstanceClass: str | None = None
    PreferredMaintenanceWindow: str | None = None
    PreferredBackupWindow: str | None = None
    DBClusterMembers: list[DBClusterMember] = []
    TagList: list[Tag] = []


class DBProxy(Shape, frozen=True, kw_only=True):
    """A proxy in front of databases."""

    DBProxyName: str
    DBProxyArn: str = ""
    Status: str = ""
    VpcSubnetIds: list[str] = []


DB_INSTANCES = Read(
    "rds",
    "DescribeDBInstances",
    "DBInstances",
    DBInstance,
    identity="DBInstanceIdentifier",
    drops=("DBInstances.MasterUsername", "DBInstances.MasterUserSecret"),
    option=services.RDS,
)
DB_CLUSTERS = Read(
    "rds",
    "DescribeDBClusters",
    "DBClusters",
    DBCluster,
    identity="DBClusterIdentifier",
    drops=("DBClusters.MasterUsername", "DBClusters.MasterUserSecret"),
    option=services.RDS,
)
DB_PROXIES = Read(
    "rds",
    "DescribeDBProxies",
    "DBProxies",
    DBProxy,
    identity="DBProxyName",
    drops=("DBProxies.Auth",),
    option=services.RDS,
)
DB_PROXY_TAGS = Read("rds", "ListTagsForResource", "TagList", Tag, key="ResourceName", option=services.RDS)
