"""Is the capacity that is reserved for a load balancer there, zone by zone?

Capacity is reserved for the load balancer as a whole, in capacity units (LCU), and spread evenly over its zones; AWS tracks it
per zone. ``pending`` is being provided, ``rebalancing`` follows on a zone that was added or taken out, ``failed`` cannot be
provided at present. A load balancer without a reservation, and one whose API knows none, has no state anywhere. Unknown while it
is pending, and where the answer is missing.
https://docs.aws.amazon.com/elasticloadbalancing/latest/network/monitor-capacity-unit-reservation.html
https://docs.aws.amazon.com/elasticloadbalancing/latest/application/monitor-capacity-unit-reservation.html
"""

from __future__ import annotations

from typing import Any

from ..model import elbv2
from ..model.identity import Zone
from ..model.known import Known, Unknown, unclear
from .links import Links

_SAYS = {
    "provisioned": "are there",
    "failed": "could not be provided",
    "rebalancing": "are being rebalanced",
}


def reserved_in(balancer: elbv2.LoadBalancer, zone: Zone, links: Links) -> dict[str, Any]:
    """Facts about the reserved capacity of an Application, Network or Gateway Load Balancer in one of its zones."""
    found = links.inventory.one(elbv2.CAPACITY_RESERVATION, balancer.LoadBalancerArn)
    if isinstance(found, Unknown):
        if all(r.outcome is not None and r.outcome.leaves_complete for r in found.reasons):
            return {}  # nobody can reserve anything here
        return {"reserved_state": found, "reserved_units": found, "reserved_words": found}
    whole = found.MinimumLoadBalancerCapacity
    if whole is None or not whole.CapacityUnits:
        return {}
    units = whole.CapacityUnits
    here = next((s for s in found.CapacityReservationState if s.AvailabilityZone == zone.name), None)
    state = _state(here, zone)
    words = state if here is None or isinstance(state, Unknown) else _words(here, units)
    return {"reserved_state": state, "reserved_units": units, "reserved_words": words}


def _state(here: elbv2.ZonalCapacityReservationState | None, zone: Zone) -> Known[str]:
    if here is None:
        return unclear(f"AWS does not say how the reserved capacity stands in {zone}")
    code = here.State.Code
    if code in _SAYS:
        return code
    if code == "pending":
        return unclear(f"AWS is still providing the reserved capacity in {zone}")
    return unclear(
        f"AWS reports the state {code or '(none)'} of the reserved capacity in {zone}, which is not known here"
    )


def _words(here: elbv2.ZonalCapacityReservationState, units: int) -> str:
    text = f"{units} capacity units are reserved over all zones, and those of this one {_SAYS[here.State.Code]}"
    if here.EffectiveCapacityUnits is not None:
        text += f" ({here.EffectiveCapacityUnits:g} in effect now)"
    reason = here.State.Reason.rstrip(".")
    return f"{text}: {reason}" if reason else text
