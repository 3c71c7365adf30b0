"""Which databases live through the loss of a zone, and what would take over?

A zonal shift moves no database. What keeps one is a standby or a reader in another zone, made beforehand.
https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/Concepts.MultiAZ.html
https://docs.aws.amazon.com/AmazonRDS/latest/AuroraUserGuide/Concepts.AuroraHighAvailability.html
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..model import ec2, rds
from ..model.identity import AccountId, RegionName, Resource, Zone
from ..model.known import Known, Listing, Unknown, merge, unclear
from . import failover
from .links import Links
from .node import Node
from .nodes.databases import DBCluster, DBInstance, DBProxy, DBSubnetGroup
from .tags import as_mapping

_ENDED = frozenset({"stopped", "stopping", "deleting", "deleted"})


def database_subjects(links: Links) -> Mapping[str, Listing[Node]]:
    """Instances, their subnet groups, clusters and proxies of a region, sorted by ARN."""
    inventory = links.inventory
    instances = inventory.listing(rds.DB_INSTANCES)
    clusters, proxies = inventory.listing(rds.DB_CLUSTERS), inventory.listing(rds.DB_PROXIES)
    return {
        "DBInstance": _sorted((_instance(i, links) for i in instances), instances),
        "DBSubnetGroup": _sorted(_subnet_groups(instances, links), instances),
        "DBCluster": _sorted((_cluster(c, links) for c in clusters), clusters),
        "DBProxy": _sorted((_proxy(p, links) for p in proxies), proxies),
    }


def _sorted(nodes: Iterable[Node], listing: Listing[Any]) -> Listing[Node]:
    return Listing(tuple(sorted(nodes, key=lambda n: (n.resource.arn, n.resource.name))), listing.gaps)


def _resource(kind: str, arn: str, name: str, links: Links) -> Resource:
    account, region = links.inventory.scope
    return Resource(
        type=f"AWS::RDS::{kind}", arn=arn, name=name, account_id=AccountId(account), region=RegionName(region)
    )


def zone_of(instance: rds.DBInstance, links: Links) -> Known[Zone]:
    """The zone an instance runs in; unknown while AWS names none, as for one that is being made."""
    if not instance.AvailabilityZone:
        return unclear(f"AWS names no zone for the instance {instance.DBInstanceIdentifier}")
    return links.zones.named(instance.AvailabilityZone)


def _instance(instance: rds.DBInstance, links: Links) -> DBInstance:
    name, pending = instance.DBInstanceIdentifier, instance.PendingModifiedValues
    replica = instance.ReadReplicaSourceDBInstanceIdentifier or instance.ReadReplicaSourceDBClusterIdentifier
    standby: Known[bool] = bool(instance.MultiAZ or (pending and pending.MultiAZ))
    if instance.MultiAZ is None and not standby:
        standby = unclear(f"AWS does not say whether the instance {name} has a standby")
    second: Known[Zone | None] = None
    if instance.SecondaryAvailabilityZone:
        second = links.zones.named(instance.SecondaryAvailabilityZone)
    elif instance.MultiAZ and not instance.DBClusterIdentifier:
        second = unclear(f"AWS names no zone for the standby of the instance {name}")
    return DBInstance(
        resource=_resource("DBInstance", instance.DBInstanceArn, name, links),
        tags=as_mapping(instance.TagList),
        links={"rds:DescribeDBInstances": name},
        DBInstanceIdentifier=name,
        Engine=instance.Engine,
        DBInstanceStatus=instance.DBInstanceStatus,
        zone=zone_of(instance, links),
        standby_zone=second,
        stands_alone=not (instance.DBClusterIdentifier or replica or instance.Engine.startswith("custom-")),
        stopped=instance.DBInstanceStatus in _ENDED,
        has_standby=standby,
    )


def _subnet_groups(instances: Listing[rds.DBInstance], links: Links) -> list[DBSubnetGroup]:
    """Subnet groups as instances name them. One that no instance stands in does not matter."""
    users: dict[str, list[rds.DBInstance]] = {}
    for instance in instances:
        if instance.DBSubnetGroup and instance.DBSubnetGroup.Subnets and instance.DBInstanceStatus not in _ENDED:
            users.setdefault(instance.DBSubnetGroup.DBSubnetGroupName, []).append(instance)
    found = []
    for name, among in users.items():
        first = min(among, key=lambda i: i.DBInstanceIdentifier)
        group = first.DBSubnetGroup
        assert group is not None
        named = {s.SubnetAvailabilityZone.Name for s in group.Subnets if s.SubnetAvailabilityZone}
        zones = tuple(sorted((links.zones.named(z) for z in named if z), key=lambda z: z.key))
        found.append(
            DBSubnetGroup(
                resource=_resource("DBSubnetGroup", group.DBSubnetGroupArn, name, links),
                tags={},
                links={"rds:DescribeDBInstances": first.DBInstanceIdentifier},
                DBSubnetGroupName=name,
                zones=zones,
                zone_count=len(zones),
                database_names=tuple(sorted(i.DBInstanceIdentifier for i in among)),
                region_zone_count=_region_zones(links),
            )
        )
    return found


def _region_zones(links: Links) -> Known[int]:
    listing = links.inventory.listing(ec2.AVAILABILITY_ZONES)
    if not listing.complete:
        return listing.unknown
    return sum(z.ZoneType == "availability-zone" for z in listing)


def _proxy(proxy: rds.DBProxy, links: Links) -> DBProxy:
    subnets = links.inventory.listing(ec2.SUBNETS)
    known = links.inventory.index(ec2.SUBNETS)
    missing = [s for s in proxy.VpcSubnetIds if s not in known]
    zones: Known[tuple[Zone, ...]]
    if missing or not proxy.VpcSubnetIds:
        lost = unclear(f"no listing has the subnets of the proxy {proxy.DBProxyName}")
        zones = lost if subnets.complete else subnets.unknown
    else:
        places = {links.zones.named(known[s].AvailabilityZone) for s in proxy.VpcSubnetIds}
        zones = tuple(sorted(places, key=lambda z: z.key))
    tags = links.inventory.listing(rds.DB_PROXY_TAGS, proxy.DBProxyArn)
    return DBProxy(
        resource=_resource("DBProxy", proxy.DBProxyArn, proxy.DBProxyName, links),
        tags=as_mapping(tags) if tags.complete else tags.unknown,
        links={"rds:DescribeDBProxies": proxy.DBProxyName, "ec2:DescribeSubnets": tuple(proxy.VpcSubnetIds)},
        DBProxyName=proxy.DBProxyName,
        VpcSubnetIds=tuple(proxy.VpcSubnetIds),
        zones=zones,
        zone_count=zones if isinstance(zones, Unknown) else len(zones),
    )


def _cluster(cluster: rds.DBCluster, links: Links) -> DBCluster:
    name = cluster.DBClusterIdentifier
    members = _members(cluster, links)
    writer = next((m.DBInstanceIdentifier for m in cluster.DBClusterMembers if m.IsClusterWriter), None)
    writer_zone: Known[Zone | None] = None
    if writer is not None:
        writer_zone = members if isinstance(members, Unknown) else next(m.zone for m in members if m.writes)
    return DBCluster(
        resource=_resource("DBCluster", cluster.DBClusterArn, name, links),
        tags=as_mapping(cluster.TagList),
        links={
            "rds:DescribeDBClusters": name,
            "rds:DescribeDBInstances": tuple(sorted(m.DBInstanceIdentifier for m in cluster.DBClusterMembers)),
        },
        DBClusterIdentifier=name,
        Engine=cluster.Engine,
        Status=cluster.Status,
        aurora=cluster.Engine.startswith("aurora")
        and cluster.EngineMode != "serverless"
        and cluster.ClusterScalabilityType != "limitless",
        stopped=cluster.Status in _ENDED,
        writer=writer,
        writer_zone=writer_zone,
        member_words=members if isinstance(members, Unknown) else failover.in_words(members),
        readers_elsewhere=members if isinstance(members, Unknown) else failover.readers_elsewhere(members),
        **failover.target_facts(members),
    )


def _members(cluster: rds.DBCluster, links: Links) -> Known[Sequence[failover.Member]]:
    """The instances of a cluster; unknown when one of them was not read."""
    listing = links.inventory.listing(rds.DB_INSTANCES)
    known = links.inventory.index(rds.DB_INSTANCES)
    found: list[failover.Member] = []
    lost: list[Unknown] = []
    for member in sorted(cluster.DBClusterMembers, key=lambda m: m.DBInstanceIdentifier):
        instance = known.get(member.DBInstanceIdentifier)
        if instance is None:
            name = f"the instance {member.DBInstanceIdentifier} of {cluster.DBClusterIdentifier} was not in the listing"
            lost.append(unclear(name) if listing.complete else listing.unknown)
            continue
        tier = member.PromotionTier if member.PromotionTier is not None else instance.PromotionTier
        found.append(
            failover.Member(
                name=member.DBInstanceIdentifier,
                writes=member.IsClusterWriter,
                zone=zone_of(instance, links),
                status=instance.DBInstanceStatus,
                instance_class=instance.DBInstanceClass,
                tier=1 if tier is None else tier,
            )
        )
    return merge(lost) if lost else found
