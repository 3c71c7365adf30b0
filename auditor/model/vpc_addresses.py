"""Addresses of a VPC: which subnet holds one, and which targets call for a look at every network interface."""

from __future__ import annotations

import ipaddress
from collections import defaultdict
from collections.abc import Iterable

from .ec2 import Subnet
from .elbv2 import TargetGroup, TargetHealthDescription

_Network = ipaddress.IPv4Network | ipaddress.IPv6Network
# A target in one of these states serves, is about to, or leaves; with one of these reasons something answered at its address.
_SOMEBODYS = frozenset({"healthy", "initial", "draining"})
_ANSWERED = frozenset({"Target.ResponseCodeMismatch", "Target.IpUnusable"})


class VpcSubnets:
    """Subnets by the VPC they lie in, to look addresses up."""

    def __init__(self, subnets: Iterable[Subnet]) -> None:
        self._of: dict[str, list[tuple[_Network, Subnet]]] = defaultdict(list)
        for subnet in sorted(subnets, key=lambda s: s.SubnetId):
            for block in (subnet.CidrBlock, *(a.Ipv6CidrBlock for a in subnet.Ipv6CidrBlockAssociationSet)):
                if block:
                    self._of[subnet.VpcId].append((ipaddress.ip_network(block, strict=False), subnet))

    def holding(self, vpc_id: str, address: str) -> Subnet | None:
        """The subnet of a VPC that an address lies in; None when it lies in none of those given."""
        try:
            wanted = ipaddress.ip_address(address)
        except ValueError:
            return None
        return next((subnet for network, subnet in self._of.get(vpc_id, ()) if wanted in network), None)

    def owners(self, vpc_id: str) -> frozenset[str]:
        """Accounts that own subnets of a VPC, as far as AWS names them ("" where it does not)."""
        return frozenset(subnet.OwnerId for _, subnet in self._of.get(vpc_id, ()))


def may_be_nobodys(state: str, reason: str | None) -> bool:
    """Whether the state of a target leaves open that there is nothing at its address."""
    return state not in _SOMEBODYS and reason not in _ANSWERED


def calls_for_all_interfaces(
    group: TargetGroup, targets: Iterable[TargetHealthDescription], subnets: VpcSubnets, account_id: str
) -> bool:
    """Whether only the network interfaces of the whole region tell if a target of a group is still somebody's.

    An interface may hold whole ranges of addresses, for which EC2 has no filter, so they cannot be asked for by address. In
    a subnet that another account owns, its interfaces are not listed, and reading the others settles nothing.
    """
    if group.TargetType != "ip" or not group.LoadBalancerArns:
        return False
    for target in targets:
        if may_be_nobodys(target.TargetHealth.State, target.TargetHealth.Reason):
            subnet = subnets.holding(group.VpcId or "", target.Target.Id)
            if subnet is not None and subnet.OwnerId == account_id:
                return True
    return False
