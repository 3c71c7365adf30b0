"""NAT gateways."""

from __future__ import annotations

from typing import Annotated

from ...model.identity import Zone
from ...model.known import Known
from ..node import Fact, Node

_NAT = "ec2:DescribeNatGateways"
_ROUTES = "ec2:DescribeRouteTables"
_SUBNETS = "ec2:DescribeSubnets"
_SERVED = (_ROUTES, _SUBNETS, _NAT)


class NatGateway(Node, frozen=True, kw_only=True):
    """A NAT gateway that is available."""

    NatGatewayId: Annotated[str, Fact("ID of the NAT gateway", _NAT)]
    zonal: Annotated[bool, Fact("whether it stands in one zone; a regional one does not", _NAT + "#AvailabilityMode")]
    zone: Annotated[
        Known[Zone | None], Fact("zone it stands in; null for a regional one", _NAT + "#SubnetId", _SUBNETS)
    ]
    subnets_elsewhere: Annotated[
        Known[tuple[str, ...]], Fact("subnets of other zones whose route tables lead to it", *_SERVED)
    ]
    zones_elsewhere: Annotated[Known[tuple[Zone, ...]], Fact("zones of those subnets", *_SERVED)]
    route_tables_elsewhere: Annotated[Known[tuple[str, ...]], Fact("route tables of those subnets", *_SERVED)]
