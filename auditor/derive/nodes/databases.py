"""Databases of Amazon RDS and Aurora: what a zonal shift leaves where it is."""

from __future__ import annotations

from typing import Annotated

from ...model.identity import Zone
from ...model.known import Known
from ..node import Fact, Node

_INSTANCES = "rds:DescribeDBInstances"
_CLUSTERS = "rds:DescribeDBClusters"
_PROXIES = "rds:DescribeDBProxies"
_SUBNETS = "ec2:DescribeSubnets"
_MEMBERS = (_CLUSTERS + "#DBClusterMembers", _INSTANCES)


class DBInstance(Node, frozen=True, kw_only=True):
    """A database instance, the members of clusters included."""

    DBInstanceIdentifier: Annotated[str, Fact("name of the instance", _INSTANCES)]
    Engine: Annotated[str, Fact("database engine", _INSTANCES + "#Engine")]
    DBInstanceStatus: Annotated[str, Fact("status AWS reports", _INSTANCES + "#DBInstanceStatus")]
    zone: Annotated[Known[Zone], Fact("zone it runs in", _INSTANCES + "#AvailabilityZone")]
    standby_zone: Annotated[
        Known[Zone | None], Fact("zone of its standby; null without one", _INSTANCES + "#SecondaryAvailabilityZone")
    ]
    stands_alone: Annotated[
        bool,
        Fact(
            "whether a standby of its own is what could keep it: no member of a cluster, no replica, not RDS Custom",
            _INSTANCES + "#DBClusterIdentifier",
            _INSTANCES + "#ReadReplicaSourceDBInstanceIdentifier",
            _INSTANCES + "#Engine",
        ),
    ]
    stopped: Annotated[
        bool, Fact("whether it is stopped or being deleted, so that nothing uses it", _INSTANCES + "#DBInstanceStatus")
    ]
    has_standby: Annotated[
        Known[bool],
        Fact(
            "whether it has a standby in another zone, or one is ordered",
            _INSTANCES + "#MultiAZ",
            _INSTANCES + "#PendingModifiedValues.MultiAZ",
        ),
    ]


class DBSubnetGroup(Node, frozen=True, kw_only=True):
    """A DB subnet group in which a database stands."""

    DBSubnetGroupName: Annotated[str, Fact("name of the subnet group", _INSTANCES)]
    zones: Annotated[tuple[Zone, ...], Fact("zones of its subnets", _INSTANCES + "#DBSubnetGroup")]
    zone_count: Annotated[int, Fact("how many zones its subnets lie in", _INSTANCES + "#DBSubnetGroup")]
    database_names: Annotated[tuple[str, ...], Fact("instances that stand in it", _INSTANCES)]
    region_zone_count: Annotated[
        Known[int], Fact("Availability Zones the account has in the region", "ec2:DescribeAvailabilityZones")
    ]


class DBProxy(Node, frozen=True, kw_only=True):
    """An RDS Proxy."""

    DBProxyName: Annotated[str, Fact("name of the proxy", _PROXIES)]
    VpcSubnetIds: Annotated[tuple[str, ...], Fact("subnets it stands in", _PROXIES + "#VpcSubnetIds")]
    zones: Annotated[Known[tuple[Zone, ...]], Fact("zones of its subnets", _PROXIES + "#VpcSubnetIds", _SUBNETS)]
    zone_count: Annotated[Known[int], Fact("how many zones its subnets lie in", _PROXIES + "#VpcSubnetIds", _SUBNETS)]


class DBCluster(Node, frozen=True, kw_only=True):
    """A cluster of database instances: Aurora, Multi-AZ, Neptune or DocumentDB."""

    DBClusterIdentifier: Annotated[str, Fact("name of the cluster", _CLUSTERS)]
    Engine: Annotated[str, Fact("database engine", _CLUSTERS + "#Engine")]
    Status: Annotated[str, Fact("status AWS reports", _CLUSTERS + "#Status")]
    aurora: Annotated[
        bool,
        Fact(
            "whether it is an Aurora cluster whose instances one chooses (neither serverless v1 nor limitless)",
            _CLUSTERS + "#Engine",
            _CLUSTERS + "#EngineMode",
            _CLUSTERS + "#ClusterScalabilityType",
        ),
    ]
    stopped: Annotated[
        bool, Fact("whether it is stopped or being deleted, so that nothing uses it", _CLUSTERS + "#Status")
    ]
    writer: Annotated[str | None, Fact("the instance that writes; null where none does", *_MEMBERS)]
    writer_zone: Annotated[
        Known[Zone | None], Fact("zone of the instance that writes; null where none does", *_MEMBERS)
    ]
    member_words: Annotated[Known[str], Fact("its instances with zone, class and promotion tier, in words", *_MEMBERS)]
    readers_elsewhere: Annotated[
        Known[tuple[str, ...]],
        Fact("available readers in another zone than the writer", *_MEMBERS),
    ]
    failover_target: Annotated[
        Known[str | None],
        Fact(
            "the reader that a failover takes: lowest promotion tier, then largest class; null without one", *_MEMBERS
        ),
    ]
    target_in_writer_zone: Annotated[
        Known[bool], Fact("whether every reader that a failover may take stands in the writer's zone", *_MEMBERS)
    ]
    target_smaller: Annotated[
        Known[bool], Fact("whether the reader that a failover takes has a smaller class than the writer", *_MEMBERS)
    ]
