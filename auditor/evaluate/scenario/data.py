"""RDS, ElastiCache and NAT gateways as a scenario has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...model import elasticache, rds, vpc
from .asking import Asking
from .balancers import key_values
from .data_form import UNNAMED, Cache, Database, DatabaseCluster, DatabaseProxy, Member, NatGateway
from .form import Scenario
from .names import Names, digits


def ask(asking: Asking, form: Scenario, names: Names) -> None:
    """Ask for databases, proxies and caches, with the tags that their own answers do not carry."""
    alone = [_database(name, one, names) for name, one in form.databases.items()]
    members = [
        _member(key, member, name, cluster, names)
        for name, cluster in form.db_clusters.items()
        for key, member in cluster.members.items()
        if not member.lost
    ]
    asking.ask(rds.DB_INSTANCES, [*alone, *members])
    asking.ask(rds.DB_CLUSTERS, [_cluster(name, one, names) for name, one in form.db_clusters.items()])
    proxies = asking.ask(rds.DB_PROXIES, [_proxy(name, one, names) for name, one in form.db_proxies.items()])
    for proxy in proxies:
        _tags(asking, rds.DB_PROXY_TAGS, proxy["DBProxyArn"], form.db_proxies[proxy["DBProxyName"]].tags)
    groups = asking.ask(elasticache.REPLICATION_GROUPS, [_cache(name, one, names) for name, one in form.caches.items()])
    for group in groups:
        _tags(asking, elasticache.CACHE_TAGS, group["ARN"], form.caches[group["ReplicationGroupId"]].tags)
    seen = asking.ask(vpc.NAT_GATEWAYS, [_gateway(name, one, names) for name, one in form.nat_gateways.items()])
    if any(gateway["State"] == "available" for gateway in seen):
        asking.ask(vpc.ROUTE_TABLES, [_route_table(name, one, names) for name, one in form.nat_gateways.items()])


def _tags(asking: Asking, read: Any, arn: str, tags: Mapping[str, str]) -> None:
    asking.ask(read, key_values(tags), {read.key: arn})


def _subnet_group(name: str, zones: Sequence[str], names: Names) -> dict[str, Any]:
    return {
        "DBSubnetGroupName": name,
        "DBSubnetGroupDescription": name,
        "DBSubnetGroupArn": names.arn("rds", f"subgrp:{name}"),
        "VpcId": names.vpc,
        "SubnetGroupStatus": "Complete",
        "Subnets": [
            {
                "SubnetIdentifier": names.subnet(zone),
                "SubnetAvailabilityZone": {"Name": names.zone_names[zone]},
                "SubnetStatus": "Active",
            }
            for zone in zones
        ],
    }


def _instance(name: str, one: Database | Member, names: Names) -> dict[str, Any]:
    found: dict[str, Any] = {
        "DBInstanceIdentifier": name,
        "DBInstanceArn": names.arn("rds", f"db:{name}"),
        "DBInstanceClass": one.instance_class,
        "DBInstanceStatus": one.status,
        "PreferredMaintenanceWindow": "sun:05:00-sun:05:30",
        "PreferredBackupWindow": "03:00-03:30",
        "PendingModifiedValues": {},
    }
    if one.zone:
        found["AvailabilityZone"] = names.zone_names[one.zone]
    return found


def _database(name: str, one: Database, names: Names) -> dict[str, Any]:
    multi_az = bool(one.standby) if one.multi_az is None else one.multi_az
    found = {**_instance(name, one, names), "Engine": one.engine, "TagList": key_values(one.tags)}
    if multi_az != "absent":
        found["MultiAZ"] = multi_az
    if one.standby:
        found["SecondaryAvailabilityZone"] = names.zone_names[one.standby]
    if one.ordered:
        found["PendingModifiedValues"] = {"MultiAZ": True}
    if one.replica_of:
        found["ReadReplicaSourceDBInstanceIdentifier"] = one.replica_of
    if one.subnets:
        found["DBSubnetGroup"] = _subnet_group(one.subnet_group or f"{name}-subnets", one.subnets, names)
    return found


def _member(key: str, member: Member, name: str, cluster: DatabaseCluster, names: Names) -> dict[str, Any]:
    found = {
        **_instance(key, member, names),
        "Engine": cluster.engine,
        "MultiAZ": False,
        "DBClusterIdentifier": name,
        "PromotionTier": member.tier,
        "TagList": [],
    }
    if cluster.subnets:
        found["DBSubnetGroup"] = _subnet_group(f"{name}-subnets", cluster.subnets, names)
    return found


def _cluster(name: str, one: DatabaseCluster, names: Names) -> dict[str, Any]:
    places = {m.zone for m in one.members.values() if m.zone}
    return {
        "DBClusterIdentifier": name,
        "DBClusterArn": names.arn("rds", f"cluster:{name}"),
        "Engine": one.engine,
        "EngineMode": one.mode,
        "ClusterScalabilityType": one.scalability,
        "Status": one.status,
        "MultiAZ": len(places) > 1,
        # Where instances may be made: every zone, whatever stands there.
        "AvailabilityZones": list(names.zone_names.values()),
        "DBClusterMembers": [
            {
                "DBInstanceIdentifier": key,
                "IsClusterWriter": member.writer,
                "DBClusterParameterGroupStatus": "in-sync",
                "PromotionTier": member.tier,
            }
            for key, member in one.members.items()
        ],
        "TagList": key_values(one.tags),
    }


def _proxy(name: str, one: DatabaseProxy, names: Names) -> dict[str, Any]:
    lost = [f"subnet-{digits(17, 'lost', s)}" for s in one.lost_subnets]
    return {
        "DBProxyName": name,
        "DBProxyArn": names.arn("rds", f"db-proxy:prx-{digits(17, 'proxy', name)}"),
        "Status": "available",
        "EngineFamily": "POSTGRESQL",
        "VpcSubnetIds": [*(names.subnet(zone) for zone in one.zones), *lost],
    }


def _cache(name: str, one: Cache, names: Names) -> dict[str, Any]:
    groups: list[dict[str, Any]] = []
    for shard, zones in one.shards.items():
        members: list[dict[str, Any]] = []
        for number, zone in enumerate(zones, 1):
            member: dict[str, Any] = {"CacheClusterId": f"{name}-{shard}-{number:03}", "CacheNodeId": "0001"}
            if zone != UNNAMED:
                member["PreferredAvailabilityZone"] = names.zone_names[zone]
            if not one.clustered:
                member["CurrentRole"] = "primary" if number == 1 else "replica"
            members.append(member)
        groups.append({"NodeGroupId": shard, "Status": "available", "NodeGroupMembers": members})
    found: dict[str, Any] = {
        "ReplicationGroupId": name,
        "ARN": names.arn("elasticache", f"replicationgroup:{name}"),
        "Description": name,
        "Status": one.status,
        "ClusterEnabled": one.clustered,
        "MemberClusters": [m["CacheClusterId"] for g in groups for m in g["NodeGroupMembers"]],
        "NodeGroups": groups,
    }
    if one.multi_az != "absent":
        found["MultiAZ"] = one.multi_az
    if one.failover != "absent":
        found["AutomaticFailover"] = one.failover
    return found


def gateway_id(name: str) -> str:
    """ID of a NAT gateway, in which its name can be read."""
    return f"nat-{name}"


def _gateway(name: str, one: NatGateway, names: Names) -> dict[str, Any]:
    found: dict[str, Any] = {
        "NatGatewayId": gateway_id(name),
        "State": one.state,
        "VpcId": names.vpc,
        "ConnectivityType": "public",
        "AvailabilityMode": one.mode,
        "Tags": key_values(one.tags),
    }
    if one.mode == "zonal":
        found["SubnetId"] = names.subnet(one.zone)
    return found


def _route_table(name: str, one: NatGateway, names: Names) -> dict[str, Any]:
    table = f"rtb-{digits(17, 'nat', name)}"
    associations: list[dict[str, Any]] = [
        {
            "RouteTableAssociationId": f"rtbassoc-{digits(17, name, zone)}",
            "RouteTableId": table,
            "SubnetId": names.subnet(zone),
        }
        for zone in one.serves
    ]
    if one.main:
        associations.append(
            {"RouteTableAssociationId": f"rtbassoc-{digits(17, name)}", "RouteTableId": table, "Main": True}
        )
    return {
        "RouteTableId": table,
        "VpcId": names.vpc,
        "Associations": associations,
        "Routes": [
            {"DestinationCidrBlock": "10.0.0.0/16", "GatewayId": "local", "State": "active"},
            {
                "DestinationCidrBlock": "0.0.0.0/0",
                "NatGatewayId": gateway_id(name),
                "State": "blackhole" if one.blackhole else "active",
            },
        ],
    }
