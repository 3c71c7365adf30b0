"""The short form of databases, caches and NAT gateways."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec


class DataForm(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of these parts of the form."""


class Database(DataForm, frozen=True, kw_only=True):
    """A database instance of its own. `standby` is the zone of its standby; Multi-AZ follows from it unless `multi_az` is given.

    `subnets` are the zones of its subnet group. `replica_of` names another instance; `ordered` is a standby not yet made.
    """

    zone: str | None = None
    standby: str | None = None
    multi_az: bool | Literal["absent"] | None = None
    ordered: bool = False
    subnets: tuple[str, ...] = ()
    subnet_group: str | None = None
    engine: str = "postgres"
    instance_class: str = "db.r6g.large"
    status: str = "available"
    replica_of: str | None = None
    tags: dict[str, str] = {}


class Member(DataForm, frozen=True, kw_only=True):
    """An instance of a cluster; one that is `lost` is named by the cluster and in no listing of instances."""

    zone: str | None = None
    writer: bool = False
    tier: int = 1
    instance_class: str = "db.r6g.large"
    status: str = "available"
    lost: bool = False


class DatabaseCluster(DataForm, frozen=True, kw_only=True):
    """A cluster of database instances."""

    engine: str = "aurora-postgresql"
    mode: str = "provisioned"
    scalability: str = "standard"
    status: str = "available"
    members: dict[str, Member] = {}
    subnets: tuple[str, ...] = ()
    tags: dict[str, str] = {}


class DatabaseProxy(DataForm, frozen=True, kw_only=True):
    """An RDS Proxy with a subnet in each zone; `lost_subnets` are in no listing."""

    zones: tuple[str, ...]
    lost_subnets: tuple[str, ...] = ()
    tags: dict[str, str] = {}


class Cache(DataForm, frozen=True, kw_only=True):
    """A replication group. A shard is the zones of its nodes, the primary first; a zone AWS does not name is ``unnamed``."""

    shards: dict[str, tuple[str, ...]]
    multi_az: str = "enabled"
    failover: str = "enabled"
    clustered: bool = False
    status: str = "available"
    tags: dict[str, str] = {}


class NatGateway(DataForm, frozen=True, kw_only=True):
    """A NAT gateway with a route table of its own for the subnets of the zones it `serves`; `main` makes it that of the VPC."""

    zone: str
    serves: tuple[str, ...] = ()
    main: bool = False
    mode: Literal["zonal", "regional"] = "zonal"
    state: str = "available"
    blackhole: bool = False
    tags: dict[str, str] = {}


UNNAMED = "unnamed"


def zone_lists(
    databases: Mapping[str, Database],
    clusters: Mapping[str, DatabaseCluster],
    proxies: Mapping[str, DatabaseProxy],
    caches: Mapping[str, Cache],
    gateways: Mapping[str, NatGateway],
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every zone these parts speak of, with its place."""
    for name, database in databases.items():
        yield f"databases.{name}", tuple(z for z in (database.zone, database.standby, *database.subnets) if z)
    for name, cluster in clusters.items():
        yield f"db_clusters.{name}.subnets", cluster.subnets
        for key, member in cluster.members.items():
            yield f"db_clusters.{name}.members.{key}", (member.zone,) if member.zone else ()
    for name, proxy in proxies.items():
        yield f"db_proxies.{name}.zones", proxy.zones
    for name, cache in caches.items():
        for shard, zones in cache.shards.items():
            yield f"caches.{name}.shards.{shard}", tuple(z for z in zones if z != UNNAMED)
    for name, gateway in gateways.items():
        yield f"nat_gateways.{name}", (gateway.zone, *gateway.serves)
