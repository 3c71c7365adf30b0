"""Scenarios: a small, readable description of an account, expanded to the API answers a scan of it would record.

`answers` is pure and quick, because rule cases and their mutants call it by the hundred. It answers every call that
the collector makes, with AWS's documented defaults, so a case that passes here rests on the same data as a scan.

The form, by example (all its keys: `auditor.evaluate.scenario.form`)::

    zones: {a: use1-az6, b: use1-az1, c: use1-az2}
    load_balancers:
      web: {type: application, zones: [a, b, c], listeners: [{port: 80, protocol: HTTP, default: {forward: web}}]}
    target_groups:
      web: {type: ip, targets: {a: 2 healthy, b: "1 healthy, 1 unhealthy 302", c: 1 initial}}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from ...derive import tls
from ...model import arc, autoscaling, cloudwatch, ec2, eks, elb, elbv2
from ...model.answer import Answer, Footer, Header
from ...model.read import AnyRead, Read
from . import regional, shifting
from .asking import LAST_READ, Asking, refusals
from .balancers import Balancers, key_values
from .form import Scenario, parse, refuse
from .names import Names
from .scaling import Fleet

__all__ = ["answers", "changed"]

_BATCH = 20
_READS: tuple[AnyRead, ...] = tuple(
    value
    for module in (arc, autoscaling, cloudwatch, ec2, eks, elb, elbv2)
    for value in vars(module).values()
    if isinstance(value, Read)
)


def answers(scenario: Mapping[str, Any], deny: Sequence[str] = ()) -> tuple[list[Answer], Header, Footer]:
    """The recording of a scan of the account that `scenario` describes.

    Args:
        scenario: the short form.
        deny: IAM actions whose calls are refused. What depends on a refused listing is not asked, as in a real scan.

    Raises:
        RuleError: a key, name, zone or state that the form does not know, or an action that no call needs.
    """
    form = parse(scenario)
    asking = Asking(form, refusals(deny, form.throttle), _READS)
    names = Names(form)
    fleet = Fleet(form, names)
    managed = shifting.ManagedResources(form, names)
    _arc(asking, managed, pass_=1)
    asking.ask(ec2.REGIONS, regional.regions(form), {"AllRegions": True})
    asking.ask(ec2.AVAILABILITY_ZONES, regional.zones(form, names))
    asking.ask(ec2.SUBNETS, regional.subnets(form, names))
    balancers = Balancers(form, names, fleet)
    instances = [*_version2(asking, form, names, balancers), *_classic(asking, balancers)]
    _instances(asking, fleet, instances)
    _scaling(asking, form, fleet)
    _clusters(asking, form, names)
    _arc_details(asking, form, names, managed)
    _arc(asking, managed, pass_=2)
    header = Header(v=1, tool_version="scenario", scan_id="scenario", started="2026-11-30T07:59:55Z", settings={})
    errors = sum(1 for answer in asking.answers if answer.error)
    return asking.answers, header, Footer(v=1, finished=LAST_READ, calls=len(asking.answers), errors=errors)


def changed(scenario: Mapping[str, Any], change: Mapping[str, Any], place: str = "") -> dict[str, Any]:
    """A scenario with a change merged into it: maps are merged, everything else is replaced, null removes a key.

    Raises:
        RuleError: a null for a key that is not there, which would change nothing.
    """
    merged = dict(scenario)
    for key, value in change.items():
        where = f"{place}.{key}" if place else str(key)
        if value is None:
            if key not in merged:
                raise refuse(where, "there is nothing to remove")
            del merged[key]
        elif isinstance(value, Mapping) and isinstance(merged.get(key), Mapping):
            merged[key] = changed(merged[key], value, where)
        else:
            merged[key] = value
    return merged


def _arc(asking: Asking, managed: shifting.ManagedResources, *, pass_: int) -> None:
    asking.ask(arc.MANAGED_RESOURCES, managed.items(pass_), pass_=pass_)
    asking.ask(arc.ZONAL_SHIFTS, managed.shifts(pass_), pass_=pass_)
    asking.ask(arc.AUTOSHIFTS, managed.autoshifts(pass_), pass_=pass_)


def _arc_details(asking: Asking, form: Scenario, names: Names, managed: shifting.ManagedResources) -> None:
    asking.ask(arc.OBSERVER_STATUS, {"status": form.arc.observer} if form.arc.observer else {})
    listed = any(a.operation == "ListManagedResources" and a.response for a in asking.answers)
    read = [
        arn
        for arn in (managed.practised if listed else ())
        if asking.ask(arc.MANAGED_RESOURCE, managed.detail(arn), {"resourceIdentifier": arn})
    ]
    here = {cloudwatch.alarm_name(alarm, form.account, form.region) for alarm in managed.practice_alarms() if read}
    wanted = sorted(here - {""})
    if wanted:
        params = {"AlarmNames": wanted, "AlarmTypes": ["MetricAlarm", "CompositeAlarm"]}
        asking.ask(cloudwatch.ALARMS, shifting.alarms(form, names, wanted), params)


def _version2(asking: Asking, form: Scenario, names: Names, balancers: Balancers) -> Iterable[str]:
    """Ask for everything of API version 2; gives the instances that targets name."""
    found = asking.ask(elbv2.LOAD_BALANCERS, balancers.load_balancers())
    groups = asking.ask(elbv2.TARGET_GROUPS, balancers.target_groups())
    for balancer in found:
        name, key = balancer["LoadBalancerName"], {"LoadBalancerArn": balancer["LoadBalancerArn"]}
        asking.ask(elbv2.LOAD_BALANCER_ATTRIBUTES, balancers.load_balancer_attributes(name), key)
        for listener in asking.ask(elbv2.LISTENERS, balancers.listeners(name), key):
            if balancers.rules_matter(name, groups):
                params = {"ListenerArn": listener["ListenerArn"]}
                asking.ask(elbv2.RULES, balancers.rules(name, listener["Port"]), params)
    instances: list[str] = []
    for group in groups:
        name, key = group["TargetGroupName"], {"TargetGroupArn": group["TargetGroupArn"]}
        asking.ask(elbv2.TARGET_GROUP_ATTRIBUTES, balancers.target_group_attributes(name), key)
        health = balancers.health(name)
        if group["LoadBalancerArns"]:
            targets = asking.ask(elbv2.TARGET_HEALTH, health, {**key, "Include": ["All"]})
            if group["TargetType"] == "instance":
                instances += [target["Target"]["Id"] for target in targets]
    if any(g["TargetType"] == "alb" and g.get("HealthCheckProtocol") == "HTTPS" for g in groups):
        policies = [{"Name": tls.PREFIX + name, "SslProtocols": list(p)} for name, p in tls.TABLE.items()]
        asking.ask(elbv2.SSL_POLICIES, policies, {"LoadBalancerType": "application"})
    if any(g["TargetType"] in ("alb", "ip") and g["LoadBalancerArns"] for g in groups):
        filters = [{"Name": "description", "Values": ["ELB *"]}]
        interfaces = regional.network_interfaces(form, names)
        asking.ask(ec2.NETWORK_INTERFACES, interfaces, {"Filters": filters})
    tags = {b["LoadBalancerArn"]: form.load_balancers[b["LoadBalancerName"]].tags for b in found}
    tags |= {g["TargetGroupArn"]: form.target_groups[g["TargetGroupName"]].tags for g in groups}
    _tags(asking, elbv2.TAGS, tags)
    return instances


def _tags(asking: Asking, read: AnyRead, tags: Mapping[str, Mapping[str, str]]) -> None:
    keys = list(tags)
    for start in range(0, len(keys), _BATCH):
        batch = keys[start : start + _BATCH]
        items = [{read.item_key: key, "Tags": key_values(tags[key])} for key in batch]
        asking.ask(read, items, {read.key: batch})


def _classic(asking: Asking, balancers: Balancers) -> Iterable[str]:
    """Ask for everything of Classic Load Balancers; gives the instances registered with them."""
    found = asking.ask(elb.LOAD_BALANCERS, balancers.classics())
    for balancer in found:
        name = balancer["LoadBalancerName"]
        key = {"LoadBalancerName": name}
        asking.ask(elb.LOAD_BALANCER_ATTRIBUTES, balancers.classic_attributes(name), key)
        if balancer["Instances"]:
            asking.ask(elb.INSTANCE_HEALTH, balancers.classic_health(name), key)
    _tags(asking, elb.TAGS, {b["LoadBalancerName"]: balancers.classic_tags(b["LoadBalancerName"]) for b in found})
    return [i["InstanceId"] for balancer in found for i in balancer["Instances"]]


def _instances(asking: Asking, fleet: Fleet, instances: Sequence[str]) -> None:
    wanted = sorted(set(instances))
    if wanted:
        params = {"Filters": [{"Name": "instance-id", "Values": wanted}]}
        asking.ask(ec2.INSTANCES, fleet.reservations(wanted), params)


def _scaling(asking: Asking, form: Scenario, fleet: Fleet) -> None:
    groups = asking.ask(autoscaling.AUTO_SCALING_GROUPS, fleet.auto_scaling_groups())
    for group in groups:
        name = group["AutoScalingGroupName"]
        if "WarmPoolConfiguration" in group:
            asking.ask(autoscaling.WARM_POOL, fleet.warm_pool(name), {"AutoScalingGroupName": name})
    if groups:
        asking.ask(autoscaling.SCHEDULED_ACTIONS, fleet.scheduled_actions())
    seen = [msgspec.convert(group, autoscaling.AutoScalingGroup, strict=False) for group in groups]
    types = sorted({name for group in seen for name in autoscaling.instance_types(group)})
    if types:
        filters = [{"Name": "instance-type", "Values": types}]
        params = {"LocationType": "availability-zone-id", "Filters": filters}
        asking.ask(ec2.INSTANCE_TYPE_OFFERINGS, regional.offerings(form, types), params)


def _clusters(asking: Asking, form: Scenario, names: Names) -> None:
    for name in asking.ask(eks.CLUSTER_NAMES, list(form.clusters)):
        asking.ask(eks.CLUSTER, regional.cluster(form, names, name), {"name": name})
        key = {"clusterName": name}
        for node_group in asking.ask(eks.NODEGROUP_NAMES, list(form.clusters[name].node_groups), key):
            described = regional.node_group(form, names, name, node_group)
            asking.ask(eks.NODEGROUP, described, {**key, "nodegroupName": node_group})
        for profile in asking.ask(eks.FARGATE_PROFILE_NAMES, list(form.clusters[name].fargate_profiles), key):
            described = regional.fargate_profile(form, names, name, profile)
            asking.ask(eks.FARGATE_PROFILE, described, {**key, "fargateProfileName": profile})
