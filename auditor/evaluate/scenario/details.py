"""What a scan asks of single listeners and load balancers only where it matters, as a scenario has it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from ...model import ec2, elb_defaults, elbv2
from ...model.vpc_addresses import VpcSubnets, calls_for_all_interfaces
from . import regional
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


class Seen(NamedTuple):
    """What a scan has seen when it asks for network interfaces: subnets, target groups, and their targets by group ARN."""

    subnets: Sequence[Item]
    groups: Sequence[Item]
    health: Mapping[str, Sequence[Item]]


def ask_interfaces(asking: Asking, form: Scenario, names: Names, seen: Seen, held: Mapping[str, str]) -> None:
    """Ask for the network interfaces of load balancers where an address matters, and for all where one may be nobody's.

    `held` are the addresses of targets that an interface has, with their zones.
    """
    attached = [msgspec.convert(g, elbv2.TargetGroup) for g in seen.groups if g["LoadBalancerArns"]]
    subnets = VpcSubnets(msgspec.convert(seen.subnets, list[ec2.Subnet]))
    targets = {
        arn: msgspec.convert(found, list[elbv2.TargetHealthDescription]) for arn, found in seen.health.items() if found
    }
    everything = any(
        calls_for_all_interfaces(group, targets.get(group.TargetGroupArn, ()), subnets, form.account)
        for group in attached
    )
    found = regional.balancer_interfaces(form, names)
    if everything:
        asking.ask(ec2.NETWORK_INTERFACES, [*found, *regional.other_interfaces(names, held)])
    elif any(g.TargetType in ("alb", "ip") for g in attached):
        asking.ask(ec2.NETWORK_INTERFACES, found, {"Filters": [{"Name": "description", "Values": ["ELB *"]}]})
