"""What a scan asks of single listeners and load balancers only where it matters, as a scenario has it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ...model import elb_defaults, elbv2
from .asking import Asking
from .balancers import attributes_of
from .form import Scenario
from .names import Names

Item = Mapping[str, Any]
_Actions = Mapping[str, Sequence[Item]]


def ask_listeners(
    asking: Asking, form: Scenario, actions: _Actions, listeners: Iterable[Item], lingering: Iterable[str]
) -> None:
    """Ask for the idle timeout of TCP listeners that forward to groups where connections outlive a deregistration.

    `actions` are those of each listener and its rules, as far as they were seen; `lingering` are the ARNs of such groups.
    """
    groups = set(lingering)
    for listener in listeners:
        arn = listener["ListenerArn"]
        if listener.get("Protocol") != "TCP" or "/net/" not in arn or not groups & set(_forwarded(actions[arn])):
            continue
        name = arn.split("/")[-3]
        written = next(x for x in form.load_balancers[name].listeners if x.port == listener["Port"])
        place = f"load_balancers.{name}.listeners"
        attributes = attributes_of(elb_defaults.listener_attributes(written.protocol), written.attributes, place)
        asking.ask(elbv2.LISTENER_ATTRIBUTES, attributes, {"ListenerArn": arn})


def lingers(group: Item, attributes: Sequence[Item]) -> bool:
    """Whether connections to the targets of an attached group outlive a deregistration; not known without its attributes."""
    known = {a["Key"]: a["Value"] for a in attributes}
    keeps = elb_defaults.keeps_connections(group.get("Protocol"), group["TargetType"], known)
    return bool(attributes and group["LoadBalancerArns"]) and keeps


def _forwarded(actions: Iterable[Item]) -> Iterator[str]:
    for action in actions:
        for group in action.get("ForwardConfig", {}).get("TargetGroups", ()):
            if group["Weight"] != 0:
                yield group["TargetGroupArn"]


def reservation(form: Scenario, names: Names, name: str) -> dict[str, Any]:
    """What DescribeCapacityReservation gives of a load balancer; nothing where no capacity is reserved."""
    balancer = form.load_balancers[name]
    reserved = balancer.reserved
    if reserved is None:
        return {}
    zones = []
    for zone in balancer.zones:
        code = reserved.states.get(zone, "provisioned")
        if code != "absent":
            state: dict[str, Any] = {"Code": code}
            if code == "failed":
                state["Reason"] = "Insufficient capacity in the Availability Zone"
            units = reserved.units / len(balancer.zones) if code == "provisioned" else 0.0
            zones.append({"State": state, "AvailabilityZone": names.zone_names[zone], "EffectiveCapacityUnits": units})
    return {"MinimumLoadBalancerCapacity": {"CapacityUnits": reserved.units}, "CapacityReservationState": zones}
