"""Capacity reservations, which moto answers with an empty shell."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any


@dataclasses.dataclass
class Reservation:
    """Capacity units reserved for a load balancer; `failed` are the names of zones where AWS could not provide them."""

    units: int
    failed: tuple[str, ...] = ()

    def answer(self, zones: Sequence[str]) -> dict[str, Any]:
        """The reservation in AWS spelling: the units, spread evenly over the zones of the load balancer."""
        states = []
        for zone in zones:
            state: dict[str, Any] = {
                "State": {"Code": "provisioned"},
                "EffectiveCapacityUnits": self.units / len(zones),
            }
            if zone in self.failed:
                reason = "The requested capacity is not available in this Availability Zone"
                state = {"State": {"Code": "failed", "Reason": reason}, "EffectiveCapacityUnits": 0.0}
            states.append({"AvailabilityZone": zone, **state})
        return {"MinimumLoadBalancerCapacity": {"CapacityUnits": self.units}, "CapacityReservationState": states}
