"""How subnets reach what is outside: NAT gateways and route tables (of the EC2 API)."""

from __future__ import annotations

from . import services
from .read import Read
from .shape import Shape, Tag


class NatGateway(Shape, frozen=True, kw_only=True):
    """A NAT gateway. A zonal one stands in its subnet; a regional one in every zone, and names no subnet."""

    NatGatewayId: str
    State: str = ""
    SubnetId: str = ""
    VpcId: str = ""
    AvailabilityMode: str | None = None
    ConnectivityType: str = ""
    Tags: list[Tag] = []


class Association(Shape, frozen=True, kw_only=True):
    """A subnet that uses a route table; with `Main` every subnet of the VPC that names no other one."""

    Main: bool | None = None
    SubnetId: str | None = None


class Route(Shape, frozen=True, kw_only=True):
    """A route."""

    DestinationCidrBlock: str | None = None
    DestinationIpv6CidrBlock: str | None = None
    DestinationPrefixListId: str | None = None
    NatGatewayId: str | None = None
    State: str = ""


class RouteTable(Shape, frozen=True, kw_only=True):
    """A route table of a VPC."""

    RouteTableId: str
    VpcId: str = ""
    Associations: list[Association] = []
    Routes: list[Route] = []


NAT_GATEWAYS = Read(
    "ec2", "DescribeNatGateways", "NatGateways", NatGateway, identity="NatGatewayId", option=services.NAT
)
ROUTE_TABLES = Read(
    "ec2", "DescribeRouteTables", "RouteTables", RouteTable, identity="RouteTableId", option=services.NAT
)
