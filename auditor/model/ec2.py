"""Amazon EC2: regions, zones, subnets, instances that targets name, types on offer, load balancer network interfaces."""

from __future__ import annotations

from .read import Read
from .shape import Shape, Tag


class Region(Shape, frozen=True, kw_only=True):
    """A region and whether the account has it enabled (`OptInStatus`)."""

    RegionName: str
    OptInStatus: str = ""


class AvailabilityZone(Shape, frozen=True, kw_only=True):
    """A zone. `ZoneName` is this account's name for it, `ZoneId` the physical zone."""

    ZoneName: str
    ZoneId: str = ""
    ZoneType: str = "availability-zone"
    State: str | None = None
    OptInStatus: str = ""
    RegionName: str = ""


class Subnet(Shape, frozen=True, kw_only=True):
    """A subnet; gives both forms of its zone."""

    SubnetId: str
    VpcId: str = ""
    AvailabilityZone: str = ""
    AvailabilityZoneId: str = ""
    CidrBlock: str = ""
    AvailableIpAddressCount: int | None = None
    Ipv6Native: bool | None = None
    OutpostArn: str | None = None
    OwnerId: str = ""


class InstanceTypeOffering(Shape, frozen=True, kw_only=True):
    """An instance type that EC2 offers in a zone; `Location` is a zone ID, as it was asked by zone ID."""

    InstanceType: str
    Location: str = ""


class Placement(Shape, frozen=True, kw_only=True):
    """Where an instance runs."""

    AvailabilityZone: str = ""
    AvailabilityZoneId: str = ""


class InstanceState(Shape, frozen=True, kw_only=True):
    """State of an instance, such as ``running``."""

    Name: str = ""


class Instance(Shape, frozen=True, kw_only=True):
    """An EC2 instance that a target group or Classic Load Balancer names."""

    InstanceId: str
    Placement: Placement = Placement()
    State: InstanceState = InstanceState()
    SubnetId: str = ""
    PrivateIpAddress: str = ""
    Tags: list[Tag] = []


class Reservation(Shape, frozen=True, kw_only=True):
    """What DescribeInstances groups instances by."""

    Instances: list[Instance] = []


class InterfaceAddress(Shape, frozen=True, kw_only=True):
    """One address of a network interface."""

    PrivateIpAddress: str = ""


class NetworkInterface(Shape, frozen=True, kw_only=True):
    """A network interface that belongs to a load balancer (its description begins with ``ELB``)."""

    NetworkInterfaceId: str
    Description: str = ""
    InterfaceType: str = ""
    RequesterManaged: bool | None = None
    AvailabilityZone: str = ""
    SubnetId: str = ""
    VpcId: str = ""
    PrivateIpAddress: str = ""
    PrivateIpAddresses: list[InterfaceAddress] = []
    TagSet: list[Tag] = []


REGIONS = Read("ec2", "DescribeRegions", "Regions", Region, identity="RegionName", regional=False)
AVAILABILITY_ZONES = Read(
    "ec2", "DescribeAvailabilityZones", "AvailabilityZones", AvailabilityZone, identity="ZoneName"
)
SUBNETS = Read("ec2", "DescribeSubnets", "Subnets", Subnet, identity="SubnetId")
INSTANCES = Read(
    "ec2",
    "DescribeInstances",
    "Reservations",
    Reservation,
    drops=("Reservations.Instances.UserData", "Reservations.Instances.MetadataOptions"),
)
INSTANCE_TYPE_OFFERINGS = Read("ec2", "DescribeInstanceTypeOfferings", "InstanceTypeOfferings", InstanceTypeOffering)
NETWORK_INTERFACES = Read(
    "ec2", "DescribeNetworkInterfaces", "NetworkInterfaces", NetworkInterface, identity="NetworkInterfaceId"
)
