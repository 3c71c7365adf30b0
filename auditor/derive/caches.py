"""Which caches live through the loss of a zone?

A primary is replaced by a replica in another zone when Multi-AZ and automatic failover are on and there is such a replica.
https://docs.aws.amazon.com/AmazonElastiCache/latest/dg/AutoFailover.html
"""

from __future__ import annotations

from collections import Counter

from ..model import elasticache
from ..model.identity import AccountId, RegionName, Resource, Zone
from ..model.known import Known, Listing, Unknown, merge, unclear
from .links import Links
from .node import Node
from .nodes.caches import ReplicationGroup
from .placement import in_words
from .tags import as_mapping

_ON = ("enabled", "enabling")


def cache_nodes(links: Links) -> Listing[Node]:
    """Every replication group that is not being deleted, sorted by ARN."""
    listing = links.inventory.listing(elasticache.REPLICATION_GROUPS)
    nodes = [_node(g, links) for g in listing if g.Status != "deleting"]
    return Listing(tuple(sorted(nodes, key=lambda n: (n.resource.arn, n.resource.name))), listing.gaps)


def _node(group: elasticache.ReplicationGroup, links: Links) -> ReplicationGroup:
    account, region = links.inventory.scope
    name, clustered, unsaid = group.ReplicationGroupId, bool(group.ClusterEnabled), "not returned"
    tags = links.inventory.listing(elasticache.CACHE_TAGS, group.ARN)
    multi_az = _off(group.MultiAZ, f"whether {name} has Multi-AZ on")
    failover = False if clustered else _off(group.AutomaticFailover, f"whether {name} has automatic failover on")
    shards = {shard.NodeGroupId: _zones(shard, name, links) for shard in group.NodeGroups}
    together = _in_one_zone(group, shards)
    return ReplicationGroup(
        resource=Resource(
            type="AWS::ElastiCache::ReplicationGroup",
            arn=group.ARN,
            name=name,
            account_id=AccountId(account),
            region=RegionName(region),
        ),
        tags=as_mapping(tags) if tags.complete else tags.unknown,
        links={"elasticache:DescribeReplicationGroups": name},
        ReplicationGroupId=name,
        Status=group.Status,
        ClusterEnabled=clustered,
        replica_count=sum(max(0, len(s.NodeGroupMembers) - 1) for s in group.NodeGroups),
        multi_az_off=multi_az,
        failover_off=failover,
        failover_words=f"Multi-AZ {group.MultiAZ or unsaid}, automatic failover {group.AutomaticFailover or unsaid}",
        shards_in_one_zone=together,
        shards_without_replica=tuple(sorted(s.NodeGroupId for s in group.NodeGroups if len(s.NodeGroupMembers) == 1)),
        zones_of_these=_zones_of(group, shards, together),
        shard_words=_words(shards),
    )


def _off(setting: str, question: str) -> Known[bool]:
    return setting not in _ON if setting else unclear(f"AWS does not say {question}")


def _zones(shard: elasticache.NodeGroup, name: str, links: Links) -> Known[Counter[Zone]]:
    """Nodes of a shard per zone; unknown while AWS names no zone for one of them."""
    found: Counter[Zone] = Counter()
    for member in shard.NodeGroupMembers:
        if not member.PreferredAvailabilityZone:
            return unclear(f"AWS names no zone for the node {member.CacheClusterId} of {name}")
        found[links.zones.named(member.PreferredAvailabilityZone)] += 1
    return found


def _in_one_zone(
    group: elasticache.ReplicationGroup, shards: dict[str, Known[Counter[Zone]]]
) -> Known[tuple[str, ...]]:
    replicated = [s.NodeGroupId for s in group.NodeGroups if len(s.NodeGroupMembers) > 1]
    sure = [s for s in replicated if not isinstance(zones := shards[s], Unknown) and len(zones) == 1]
    doubts = [zones for s in replicated if isinstance(zones := shards[s], Unknown)]
    return tuple(sorted(sure)) if sure or not doubts else merge(doubts)


def _zones_of(
    group: elasticache.ReplicationGroup,
    shards: dict[str, Known[Counter[Zone]]],
    together: Known[tuple[str, ...]],
) -> Known[tuple[Zone, ...]]:
    """Zones in which a shard is lost whole: of the shards in one zone, else of those without a replica."""
    if isinstance(together, Unknown):
        return together
    named = together or tuple(s.NodeGroupId for s in group.NodeGroups if len(s.NodeGroupMembers) == 1)
    found: set[Zone] = set()
    for shard in named:
        zones = shards[shard]
        if isinstance(zones, Unknown):
            return zones
        found.update(zones)
    return tuple(sorted(found, key=lambda z: z.key))


def _words(shards: dict[str, Known[Counter[Zone]]]) -> Known[str]:
    parts = []
    for shard, zones in sorted(shards.items()):
        if isinstance(zones, Unknown):
            return zones
        parts.append(f"shard {shard}: {in_words(zones)}")
    return "; ".join(parts) or "no shard"
