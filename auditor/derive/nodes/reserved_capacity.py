"""Reserved capacity of a load balancer, as it stands in one of its zones."""

from __future__ import annotations

from typing import Annotated

from ...model.known import Known
from ..node import Fact, Node

_RESERVATION = "elbv2:DescribeCapacityReservation"


class ReservedCapacity(Node, frozen=True, kw_only=True):
    """What AWS says of the capacity that is reserved for a load balancer in a zone."""

    reserved_state: Annotated[
        Known[str | None],
        Fact(
            "state of its reserved capacity here; provisioned, rebalancing or failed, null when none is reserved",
            _RESERVATION + "#CapacityReservationState",
        ),
    ] = None
    reserved_units: Annotated[
        Known[int | None],
        Fact(
            "capacity units reserved over all its zones; null when none are",
            _RESERVATION + "#MinimumLoadBalancerCapacity.CapacityUnits",
        ),
    ] = None
    reserved_words: Annotated[
        Known[str],
        Fact("how the reservation stands here, in words", _RESERVATION + "#CapacityReservationState"),
    ] = ""
