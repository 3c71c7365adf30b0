"""Amazon ElastiCache: replication groups of Valkey and Redis OSS."""

from __future__ import annotations

from . import services
from .read import Read
from .shape import Shape, Tag


class NodeGroupMember(Shape, frozen=True, kw_only=True):
    """A node of a shard. `CurrentRole` is given with cluster mode off only."""

    CacheClusterId: str = ""
    CacheNodeId: str = ""
    PreferredAvailabilityZone: str | None = None
    CurrentRole: str | None = None


class NodeGroup(Shape, frozen=True, kw_only=True):
    """A shard: a primary and its replicas."""

    NodeGroupId: str = ""
    Status: str = ""
    NodeGroupMembers: list[NodeGroupMember] = []


class ReplicationGroup(Shape, frozen=True, kw_only=True):
    """Shards that are one cache."""

    ReplicationGroupId: str
    ARN: str = ""
    Description: str = ""
    Status: str = ""
    AutomaticFailover: str = ""
    MultiAZ: str = ""
    ClusterEnabled: bool | None = None
    MemberClusters: list[str] = []
    NodeGroups: list[NodeGroup] = []


REPLICATION_GROUPS = Read(
    "elasticache",
    "DescribeReplicationGroups",
    "ReplicationGroups",
    ReplicationGroup,
    identity="ReplicationGroupId",
    option=services.ELASTICACHE,
)
CACHE_TAGS = Read("elasticache", "ListTagsForResource", "TagList", Tag, key="ResourceName", option=services.ELASTICACHE)
