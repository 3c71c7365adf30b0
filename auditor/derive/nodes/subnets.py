"""Subnets that load balancers stand in."""

from __future__ import annotations

from typing import Annotated

from ...model.identity import Zone
from ...model.known import Known
from ..node import Fact, Node

_SUBNETS = "ec2:DescribeSubnets"
_LB = "elbv2:DescribeLoadBalancers"
_CLASSIC = "elb:DescribeLoadBalancers"


class LoadBalancerSubnet(Node, frozen=True, kw_only=True):
    """A subnet that one or more load balancers, of whatever kind, are enabled in."""

    SubnetId: Annotated[str, Fact("ID of the subnet", _LB, _CLASSIC)]
    zone: Annotated[Zone, Fact("zone the subnet lies in", _LB, _SUBNETS + "#AvailabilityZone")]
    AvailableIpAddressCount: Annotated[
        Known[int], Fact("free IPv4 addresses of the subnet", _SUBNETS + "#AvailableIpAddressCount")
    ]
    ipv6_only: Annotated[
        Known[bool], Fact("whether the subnet is for IPv6 alone, without IPv4 addresses", _SUBNETS + "#Ipv6Native")
    ]
    load_balancer_names: Annotated[
        tuple[str, ...], Fact("names of the load balancers that are enabled in it", _LB, _CLASSIC)
    ]
