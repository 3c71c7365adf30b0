"""Which zones leave through a NAT gateway of another zone?

A subnet uses the route table it is associated with, else the main one of its VPC. A zonal NAT gateway is lost with its zone,
and with it the way out of every subnet that leads through it.
https://docs.aws.amazon.com/vpc/latest/userguide/nat-gateway-basics.html
https://docs.aws.amazon.com/vpc/latest/userguide/subnet-route-tables.html
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from ..model import ec2, vpc
from ..model.identity import AccountId, Arn, RegionName, Resource, Zone
from ..model.known import Known, Listing, Unknown, unclear
from .classic import partition_of
from .links import Links
from .node import Node
from .nodes.nat import NatGateway
from .tags import as_mapping


class Served(msgspec.Struct, frozen=True, kw_only=True):
    """A subnet that leads to a NAT gateway, and the route table by which it does."""

    subnet: str
    zone: Zone
    route_table: str


def nat_nodes(links: Links) -> Listing[Node]:
    """Every NAT gateway that is available, sorted by ID."""
    listing = links.inventory.listing(vpc.NAT_GATEWAYS)
    nodes = [_node(g, links) for g in listing if g.State == "available"]
    return Listing(tuple(sorted(nodes, key=lambda n: n.resource.name)), listing.gaps)


def _node(gateway: vpc.NatGateway, links: Links) -> NatGateway:
    account, region = links.inventory.scope
    name, zonal = gateway.NatGatewayId, gateway.AvailabilityMode != "regional"
    elsewhere = _elsewhere(gateway, links) if zonal else ()
    return NatGateway(
        resource=Resource(
            type="AWS::EC2::NatGateway",
            arn=Arn(f"arn:{partition_of(region)}:ec2:{region}:{account}:natgateway/{name}"),
            name=name,
            account_id=AccountId(account),
            region=RegionName(region),
        ),
        tags=as_mapping(gateway.Tags),
        links={"ec2:DescribeNatGateways": name, "ec2:DescribeSubnets": gateway.SubnetId},
        NatGatewayId=name,
        zonal=zonal,
        zone=zone_of(gateway, links) if zonal else None,
        subnets_elsewhere=_names(elsewhere, "subnet"),
        zones_elsewhere=elsewhere
        if isinstance(elsewhere, Unknown)
        else tuple(sorted({s.zone for s in elsewhere}, key=lambda z: z.key)),
        route_tables_elsewhere=_names(elsewhere, "route_table"),
    )


def _names(found: Known[Sequence[Served]], what: str) -> Known[Any]:
    return found if isinstance(found, Unknown) else tuple(sorted({getattr(s, what) for s in found}))


def zone_of(gateway: vpc.NatGateway, links: Links) -> Known[Zone]:
    """The zone of a zonal gateway, from its subnet."""
    subnet = links.inventory.index(ec2.SUBNETS).get(gateway.SubnetId)
    if subnet is not None:
        return links.zones.named(subnet.AvailabilityZone)
    listing = links.inventory.listing(ec2.SUBNETS)
    return unclear(f"no listing has the subnet of {gateway.NatGatewayId}") if listing.complete else listing.unknown


def _elsewhere(gateway: vpc.NatGateway, links: Links) -> Known[tuple[Served, ...]]:
    """Subnets of other zones that lead to a gateway; unknown only when none was seen and not everything was read."""
    zone = zone_of(gateway, links)
    if isinstance(zone, Unknown):
        return zone
    served = [s for s in served_by(gateway, links) if s.zone != zone]
    if served:
        return tuple(served)
    for listing in (links.inventory.listing(vpc.ROUTE_TABLES), links.inventory.listing(ec2.SUBNETS)):
        if not listing.complete:
            return listing.unknown
    return ()


def served_by(gateway: vpc.NatGateway, links: Links) -> list[Served]:
    """Subnets that lead to a gateway, as far as route tables and subnets were read.

    A subnet without a table of its own counts as one of the main table only when every table was read.
    """
    subnets = links.inventory.index(ec2.SUBNETS)
    tables = links.inventory.listing(vpc.ROUTE_TABLES)
    own = {a.SubnetId for t in tables for a in t.Associations if a.SubnetId}
    found: list[Served] = []
    for table in sorted(tables, key=lambda t: t.RouteTableId):
        if not any(r.NatGatewayId == gateway.NatGatewayId and r.State != "blackhole" for r in table.Routes):
            continue
        users = {a.SubnetId for a in table.Associations if a.SubnetId}
        if tables.complete and any(a.Main for a in table.Associations):
            users |= {s.SubnetId for s in subnets.values() if s.VpcId == table.VpcId and s.SubnetId not in own}
        for name in sorted(users & subnets.keys()):
            zone = links.zones.named(subnets[name].AvailabilityZone)
            found.append(Served(subnet=name, zone=zone, route_table=table.RouteTableId))
    return found
