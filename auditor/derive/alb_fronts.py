"""Does a zonal shift of an Application Load Balancer reach the traffic that a Network Load Balancer sends it?

It does not: the Network Load Balancer does not notice such a shift and goes on sending, so that the shift has to be started
there. Clients that resolve the name of the Application Load Balancer itself are moved; the API does not show whether any do.
https://docs.aws.amazon.com/r53recovery/latest/dg/arc-zonal-shift.resource-types.app-load-balancers.html
"""

from __future__ import annotations

from typing import Any

from ..model import elbv2
from ..model.finding import Cause
from ..model.known import Known, Unknown, merge
from ..model.verdict import Truth, all_of, any_of, negate
from .links import Links
from .nodes.behind_nlb import FrontBalancer
from .shift_switch import KEY, shift_switch
from .shifts import ShiftState


def shift_facts(balancer: elbv2.LoadBalancer, links: Links, shifts: ShiftState) -> dict[str, Any]:
    """Facts of an Application Load Balancer about shifts of it and of what stands in front; nothing for other kinds."""
    if balancer.Type != "application":
        return {}
    fronts = fronts_without_shift(balancer.LoadBalancerArn, links)
    return {
        "can_shift": can_shift(balancer.LoadBalancerArn, links, shifts),
        "can_shift_words": can_shift_words(balancer.LoadBalancerArn, links, shifts),
        "fronts_without_shift": fronts,
        "fronts_without_shift_causes": () if isinstance(fronts, Unknown) else tuple(_cause(f) for f in fronts),
    }


def _cause(front: FrontBalancer) -> Cause:
    return Cause(front.LoadBalancerArn)


def _switch(arn: str, links: Links) -> Known[bool]:
    return shift_switch(links.inventory.attributes(elbv2.LOAD_BALANCER_ATTRIBUTES, arn))


def can_shift(arn: str, links: Links, shifts: ShiftState) -> Truth:
    """Whether somebody can shift a load balancer, or has: its switch is on, or ARC applies a shift to it now."""
    return any_of((_switch(arn, links), shifts.shifted(arn)))


def can_shift_words(arn: str, links: Links, shifts: ShiftState) -> Known[str]:
    """The same as a phrase that fits behind a name. Says nothing of a shift where ARC could not be read."""
    shift = shifts.applied.get(arn)
    if shift is not None:
        return f"is shifted away from {shift.zone} now ({shift.kind_words})"
    switch = _switch(arn, links)
    if isinstance(switch, Unknown):
        return switch
    return "can be shifted away from a zone" if switch else "cannot be shifted"


def fronts_without_shift(arn: str, links: Links) -> Known[tuple[FrontBalancer, ...]]:
    """Network Load Balancers that send traffic to an Application Load Balancer and cannot be shifted, by name.

    An Application Load Balancer may serve two of them, and one of these several target groups. Traffic flows where a listener
    uses the group and the target is neither unused nor draining. A Network Load Balancer of one zone has no zone to be
    shifted away from and does not count. One that is found makes the list known, else any unknown makes it unknown.
    """
    edges, more = links.alb_edges
    through: dict[str, list[str]] = {}
    unknowns = [] if more is None else [more]
    for group in edges.get(arn, ()):
        front = links.balancer_of(group)
        if isinstance(front, Unknown):
            unknowns.append(front)
            continue
        if front is None or len(front.AvailabilityZones) < 2 or not _serves(group, arn, links):
            continue
        truth = all_of((links.in_use(group), negate(_switch(front.LoadBalancerArn, links))))
        if isinstance(truth, Unknown):
            unknowns.append(truth)
        elif truth:
            through.setdefault(front.LoadBalancerArn, []).append(group.TargetGroupName)
    found = [_front(links.balancers[front_arn], tuple(sorted(names)), links) for front_arn, names in through.items()]
    found.sort(key=lambda f: (f.LoadBalancerName, f.LoadBalancerArn))
    return tuple(found) if found or not unknowns else merge(unknowns)


def _serves(group: elbv2.TargetGroup, arn: str, links: Links) -> bool:
    health = links.inventory.listing(elbv2.TARGET_HEALTH, group.TargetGroupArn)
    return any(h.Target.Id == arn and h.TargetHealth.State not in ("unused", "draining") for h in health)


def _front(balancer: elbv2.LoadBalancer, through: tuple[str, ...], links: Links) -> FrontBalancer:
    attributes = links.inventory.attributes(elbv2.LOAD_BALANCER_ATTRIBUTES, balancer.LoadBalancerArn)
    setting = "not read" if isinstance(attributes, Unknown) else attributes.get(KEY, "not returned")
    return FrontBalancer(
        LoadBalancerName=balancer.LoadBalancerName,
        LoadBalancerArn=balancer.LoadBalancerArn,
        words=f"{balancer.LoadBalancerName} ({KEY} {setting}, traffic through {', '.join(through)})",
    )
