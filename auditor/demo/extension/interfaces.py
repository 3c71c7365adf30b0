"""Network interfaces of load balancers: one in every subnet, owned by ELB, as EC2 shows them."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from typing import Any


def make_interfaces(ec2: Any, subnets: Iterable[Any], owner: str, interface_type: str) -> None:
    """One interface in each subnet, at the highest free address.

    Args:
        ec2: moto's EC2 backend.
        subnets: moto's subnets.
        owner: the load balancer as the description names it, such as ``net/edge/0123456789abcdef``.
        interface_type: EC2's InterfaceType.
    """
    for subnet in subnets:
        interface = ec2.create_network_interface(subnet, _free_address(ec2, subnet), description=f"ELB {owner}")
        interface.requester_managed = True
        interface.requester_id = "amazon-elb"
        interface.status = "in-use"
        interface.interface_type = interface_type


def delete_interfaces(ec2: Any, owner: str) -> None:
    """Remove the interfaces of a load balancer."""
    for interface in [item for item in ec2.enis.values() if item.description == f"ELB {owner}"]:
        del ec2.enis[interface.id]


def _free_address(ec2: Any, subnet: Any) -> str:
    taken = {interface.private_ip_address for interface in ec2.enis.values()}
    network = ipaddress.ip_network(subnet.cidr_block)
    last = int(network.broadcast_address) - 1
    return next(
        str(address) for number in range(last, 0, -1) if str(address := ipaddress.ip_address(number)) not in taken
    )
