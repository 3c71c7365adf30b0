"""Caches of Amazon ElastiCache: what a zonal shift leaves where it is."""

from __future__ import annotations

from typing import Annotated

from ...model.identity import Zone
from ...model.known import Known
from ..node import Fact, Node

_GROUPS = "elasticache:DescribeReplicationGroups"
_NODES = _GROUPS + "#NodeGroups"


class ReplicationGroup(Node, frozen=True, kw_only=True):
    """A replication group of Valkey or Redis OSS: one shard or several, each a primary with its replicas."""

    ReplicationGroupId: Annotated[str, Fact("name of the replication group", _GROUPS)]
    Status: Annotated[str, Fact("status AWS reports", _GROUPS + "#Status")]
    ClusterEnabled: Annotated[bool, Fact("whether cluster mode is on", _GROUPS + "#ClusterEnabled")]
    replica_count: Annotated[int, Fact("replicas over all shards", _NODES)]
    multi_az_off: Annotated[Known[bool], Fact("whether Multi-AZ is off", _GROUPS + "#MultiAZ")]
    failover_off: Annotated[
        Known[bool],
        Fact(
            "whether automatic failover is off (cluster mode always has it on)",
            _GROUPS + "#AutomaticFailover",
            _GROUPS + "#ClusterEnabled",
        ),
    ]
    failover_words: Annotated[
        str, Fact("both settings as AWS returned them", _GROUPS + "#MultiAZ", _GROUPS + "#AutomaticFailover")
    ]
    shards_in_one_zone: Annotated[
        Known[tuple[str, ...]], Fact("shards with replicas whose nodes all stand in one zone", _NODES)
    ]
    shards_without_replica: Annotated[tuple[str, ...], Fact("shards without a replica", _NODES)]
    zones_of_these: Annotated[Known[tuple[Zone, ...]], Fact("zones of the nodes of those shards", _NODES)]
    shard_words: Annotated[Known[str], Fact("nodes of each shard per zone, in words", _NODES)]
