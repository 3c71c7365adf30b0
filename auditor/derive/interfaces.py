"""Which address does a network interface hold, and which interface is a node of a load balancer?

https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeNetworkInterfaces.html
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from functools import cached_property

from ..model import ec2
from ..model.inventory import RegionInventory
from ..model.known import Listing, Unknown, unclear

_NODES = frozenset({"network_load_balancer", "gateway_load_balancer"})
_OWNED = "ELB "
_KINDS = {"app": "Application", "net": "Network", "gwy": "Gateway"}


class Interfaces:
    """The network interfaces of a region, by the addresses they hold. An address means something within its VPC alone."""

    def __init__(self, inventory: RegionInventory) -> None:
        self._inventory = inventory
        self.listing: Listing[ec2.NetworkInterface] = inventory.listing(ec2.NETWORK_INTERFACES)

    def holds(self, vpc_id: str, address: str) -> bool:
        """Whether an interface that was read has the address, or a range of addresses that it lies in."""
        return (vpc_id, canonical(address)) in self._held or self._in_a_range(vpc_id, address)

    @property
    def absence_unknown(self) -> Unknown | None:
        """Why an interface may hold an address although none that was read does; None when all were read."""
        if not self.listing.complete:
            return self.listing.unknown
        if self._inventory.narrowed(ec2.NETWORK_INTERFACES):
            return unclear("only the network interfaces of load balancers were asked for")
        return None

    def node(self, vpc_id: str, address: str) -> ec2.NetworkInterface | None:
        """The interface of a load balancer's node that has the address."""
        return self._nodes.get((vpc_id, canonical(address)))

    @cached_property
    def _held(self) -> frozenset[tuple[str, str]]:
        return frozenset((i.VpcId, a) for i in self.listing for a in addresses(i))

    @cached_property
    def _nodes(self) -> dict[tuple[str, str], ec2.NetworkInterface]:
        return {(i.VpcId, a): i for i in self.listing if is_node(i) for a in addresses(i)}

    @cached_property
    def _ranges(self) -> frozenset[tuple[str, str]]:
        return frozenset((i.VpcId, p) for i in self.listing for p in _ranges(i))

    @cached_property
    def _lengths(self) -> frozenset[int]:
        return frozenset(int(p.rpartition("/")[2]) for _, p in self._ranges)

    def _in_a_range(self, vpc_id: str, address: str) -> bool:
        if not self._ranges:
            return False
        try:
            ip = ipaddress.ip_address(address)
        except ValueError:
            return False
        around = (ipaddress.ip_network((ip, n), strict=False) for n in self._lengths if n <= ip.max_prefixlen)
        return any((vpc_id, str(network)) in self._ranges for network in around)


def is_node(interface: ec2.NetworkInterface) -> bool:
    """Whether an interface is a load balancer's. Anybody may write a description; only AWS manages an interface itself."""
    owned = interface.RequesterManaged is True and interface.Description.startswith(_OWNED)
    return owned or interface.InterfaceType in _NODES


def moves(interface: ec2.NetworkInterface) -> bool:
    """Whether the load balancer may get another address in its place; a Network Load Balancer keeps those it has."""
    return not interface.InterfaceType.startswith("network_") and not interface.Description.startswith("ELB net/")


def owner_of(interface: ec2.NetworkInterface) -> str:
    """The load balancer of a node, in words, from a description such as ``ELB app/shop/0123456789abcdef``."""
    path = interface.Description.removeprefix(_OWNED)
    kind, *name = path.split("/")
    if kind in _KINDS and name:
        return f"the {_KINDS[kind]} Load Balancer {name[0]}"
    return f"the Classic Load Balancer {path}" if path != interface.Description else "a load balancer"


def addresses(interface: ec2.NetworkInterface) -> Iterator[str]:
    """Every single address of an interface, those of IPv6 in their one short form."""
    found = (interface.PrivateIpAddress, *(a.PrivateIpAddress for a in interface.PrivateIpAddresses))
    yield from (a for a in found if a)
    yield from (canonical(a.Ipv6Address) for a in interface.Ipv6Addresses if a.Ipv6Address)


def canonical(address: str) -> str:
    """An address as text that equals that of the same address written otherwise; IPv4 has one form only."""
    if ":" not in address:
        return address
    try:
        return str(ipaddress.ip_address(address))
    except ValueError:
        return address


def _ranges(interface: ec2.NetworkInterface) -> Iterator[str]:
    prefixes = (*(p.Ipv4Prefix for p in interface.Ipv4Prefixes), *(p.Ipv6Prefix for p in interface.Ipv6Prefixes))
    yield from (str(ipaddress.ip_network(p, strict=False)) for p in prefixes if p)
