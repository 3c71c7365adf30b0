"""The short form of a scenario, as its YAML file writes it, checked strictly.

A misspelt key, a name that nothing carries or a zone that does not exist is refused with its place, because a case that
changes nothing would pass for the wrong reason. See `auditor.evaluate.scenario` for what the form means.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypeVar

import msgspec

from ...errors import RuleError
from .shifting_form import Alarm, Arc

Zones = tuple[str, ...]


class Form(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of all parts of the form."""


class Action(Form, frozen=True, kw_only=True):
    """What a listener or rule does; `authenticate` and `jwt` come before the one of the other three that is given."""

    forward: str | dict[str, int] | None = None
    redirect: Literal[301, 302] | None = None
    fixed: int | None = None
    authenticate: Literal["oidc", "cognito"] | None = None
    unauthenticated: Literal["authenticate", "allow", "deny"] = "authenticate"
    jwt: bool = False


class When(Form, frozen=True, kw_only=True):
    """Conditions of a rule, all of which must hold. `header` maps one header name to its values."""

    path: tuple[str, ...] = ()
    path_regex: tuple[str, ...] = ()
    host: tuple[str, ...] = ()
    host_regex: tuple[str, ...] = ()
    header: dict[str, tuple[str, ...]] = {}
    method: tuple[str, ...] = ()
    source_ip: tuple[str, ...] = ()
    query: dict[str, str] = {}


class Rule(Form, frozen=True, kw_only=True):
    """A listener rule."""

    priority: int
    when: When
    then: Action


class Listener(Form, frozen=True, kw_only=True):
    """A listener; `mutual` is the client certificate mode."""

    port: int
    protocol: str
    default: Action
    policy: str | None = None
    mutual: Literal["off", "passthrough", "verify"] = "off"
    rules: tuple[Rule, ...] = ()


class LoadBalancer(Form, frozen=True, kw_only=True):
    """A load balancer of any kind. `instances` and `cross_zone` are for Classic ones only.

    An attribute with the value ``absent`` is left out of AWS's answer.
    """

    type: Literal["application", "network", "gateway", "classic"]
    zones: Zones
    scheme: Literal["internet-facing", "internal"] = "internet-facing"
    state: Literal["provisioning", "active", "active_impaired", "failed"] = "active"
    attributes: dict[str, str] = {}
    tags: dict[str, str] = {}
    listeners: tuple[Listener, ...] = ()
    outpost: bool = False
    cross_zone: bool = False
    instances: dict[str, str] = {}


class HealthCheck(Form, frozen=True, kw_only=True):
    """Settings of a health check; what is left out has AWS's default for the type of group."""

    protocol: str | None = None
    port: str | int | None = None
    path: str | None = None
    matcher: str | int | None = None
    enabled: bool | None = None


class TargetGroup(Form, frozen=True, kw_only=True):
    """A target group.

    `targets` maps a place to what stands there, such as ``2 healthy, 1 unhealthy 302``. A place is a zone, ``all`` (an
    address outside the VPC, registered for all zones), ``all-inside`` (one of the VPC, registered so), ``unplaced`` (an
    instance EC2 no longer knows); for ``alb`` groups the name of the load balancer, for ``lambda`` groups the name of the
    function. A group without `targets` has the instances of the Auto Scaling groups that feed it.
    """

    type: Literal["instance", "ip", "lambda", "alb"]
    protocol: str | None = None
    port: int | None = None
    health_check: HealthCheck = HealthCheck()
    attributes: dict[str, str] = {}
    tags: dict[str, str] = {}
    targets: dict[str, str] | None = None


class WarmPool(Form, frozen=True, kw_only=True):
    """A warm pool with its instances per zone."""

    min: int = 0
    instances: dict[str, str | int] = {}


class ScheduledAction(Form, frozen=True, kw_only=True):
    """A scheduled change of size: once at `start`, or by `recurrence` between `start` and `end`."""

    recurrence: str | None = None
    start: str = "2026-12-01T00:00:00Z"
    end: str | None = None
    time_zone: str | None = None
    min: int | None = None
    max: int | None = None
    desired: int | None = None


class AutoScalingGroup(Form, frozen=True, kw_only=True):
    """An Auto Scaling group. `instances` maps a zone to a number, or to text such as ``2, 1 Pending, 1 Unhealthy``.

    `types` are the choices of a mixed instances policy, which names attributes instead when `by_attributes`; instances are
    of the first type. `lost_target_groups` are names of target groups that do not exist. `min_healthy` is the percentage
    of an instance maintenance policy; the group has none without it.
    """

    zones: Zones
    min: int = 0
    max: int
    desired: int
    target_groups: tuple[str, ...] = ()
    load_balancers: tuple[str, ...] = ()
    zonal_shift: bool = False
    impaired_zone: Literal["ReplaceUnhealthy", "IgnoreUnhealthy", "absent"] = "IgnoreUnhealthy"
    distribution: str = "balanced-best-effort"
    health_check: str = "EC2"
    instances: dict[str, str | int] = {}
    weights: dict[str, int] = {}
    suspended: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    by_attributes: bool = False
    capacity_type: str | None = None
    lost_target_groups: tuple[str, ...] = ()
    min_healthy: int | None = None
    protected: bool = False
    operator: str | None = None
    tags: dict[str, str] = {}
    warm_pool: WarmPool | None = None
    scheduled_actions: dict[str, ScheduledAction] = {}


class NodeGroup(Form, frozen=True, kw_only=True):
    """A managed node group and the Auto Scaling group that EKS made for it."""

    zones: Zones
    auto_scaling_group: str
    status: str = "ACTIVE"
    issues: tuple[str, ...] = ()


class FargateProfile(Form, frozen=True, kw_only=True):
    """A Fargate profile; `namespace` is whose pods it takes."""

    zones: Zones
    namespace: str = "default"
    status: str = "ACTIVE"


class Cluster(Form, frozen=True, kw_only=True):
    """An EKS cluster."""

    zonal_shift: bool
    status: str = "ACTIVE"
    auto_mode: bool = False
    external: bool = False
    tags: dict[str, str] = {}
    node_groups: dict[str, NodeGroup] = {}
    fargate_profiles: dict[str, FargateProfile] = {}


class Scenario(Form, frozen=True, kw_only=True):
    """A small account in one region. `zones` maps the end of a zone's name to its zone ID.

    `free_addresses` is what the subnet of a zone has left (``ipv6``: it has no IPv4 addresses at all); `not_offered` maps an
    instance type to the zones in which EC2 does not offer it.
    """

    account: str = "123456789012"
    region: str = "us-east-1"
    zones: dict[str, str]
    zone_states: dict[str, Literal["available", "information", "impaired", "unavailable", "constrained"]] = {}
    zone_types: dict[str, Literal["availability-zone", "local-zone", "wavelength-zone"]] = {}
    free_addresses: dict[str, int | Literal["ipv6"]] = {}
    not_offered: dict[str, Zones] = {}
    load_balancers: dict[str, LoadBalancer] = {}
    target_groups: dict[str, TargetGroup] = {}
    auto_scaling_groups: dict[str, AutoScalingGroup] = {}
    clusters: dict[str, Cluster] = {}
    arc: Arc = Arc()
    alarms: dict[str, Alarm] = {}
    throttle: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()


F = TypeVar("F", bound=Form)
_NAMED: dict[str, type[Form]] = {
    "load_balancers": LoadBalancer,
    "target_groups": TargetGroup,
    "auto_scaling_groups": AutoScalingGroup,
    "clusters": Cluster,
}
_NAMED_IN_CLUSTER: dict[str, type[Form]] = {"node_groups": NodeGroup, "fargate_profiles": FargateProfile}


def refuse(place: str, says: str) -> RuleError:
    """The error for a scenario that cannot be used: where, and why."""
    return RuleError(f"scenario: {place}: {says}" if place else f"scenario: {says}")


def _convert(raw: Any, into: type[F], place: str) -> F:
    try:
        return msgspec.convert(raw, into)
    except msgspec.ValidationError as error:
        says, _, path = str(error).partition(" - at ")
        inner = path.strip("`").removeprefix("$")
        raise refuse(f"{place}{inner}".lstrip("."), says) from None


def parse(raw: Mapping[str, Any]) -> Scenario:
    """The form of a scenario.

    Raises:
        RuleError: a key, a value, a name or a zone that the form does not know; the sentence says where.
    """
    for section, of in _NAMED.items():
        for name, part in _mapping(raw, section, section).items():
            for inner, of_inner in _NAMED_IN_CLUSTER.items() if of is Cluster else ():
                for key, piece in _mapping(part, inner, f"{section}.{name}.{inner}").items():
                    _convert(piece, of_inner, f"{section}.{name}.{inner}.{key}")
            _convert(part, of, f"{section}.{name}")
    scenario = _convert(dict(raw), Scenario, "")
    for place, zone in _zones_named(scenario):
        if zone not in scenario.zones:
            raise refuse(place, f"zone {zone} is not one of {', '.join(scenario.zones)}")
    for place, name, among in _names_named(scenario):
        if name not in among:
            raise refuse(place, f"{name} is not one of {', '.join(among) or 'none'}")
    return scenario


def _mapping(raw: Any, key: str, place: str) -> Mapping[str, Any]:
    part = raw.get(key, {}) if isinstance(raw, Mapping) else {}
    if not isinstance(part, Mapping):
        raise refuse(place, "must map names to what they are")
    return part


def _zones_named(s: Scenario) -> Iterator[tuple[str, str]]:
    """Every zone the scenario speaks of, with its place."""
    for place, zones in _zone_lists(s):
        for zone in zones:
            yield place, zone
    for name, group in s.target_groups.items():
        if group.type in ("instance", "ip"):
            for place in group.targets or ():
                if place not in ("all", "all-inside", "unplaced"):
                    yield f"target_groups.{name}.targets", place
    for shift in s.arc.shifts:
        yield "arc.shifts", shift.away
    yield from (("arc.autoshifts", zone) for zone in s.arc.autoshifts)
    for resource, weights in s.arc.weights.items():
        yield from ((f"arc.weights.{resource}", zone) for zone in weights)


def _zone_lists(s: Scenario) -> Iterator[tuple[str, tuple[str, ...]]]:
    yield "zone_states", tuple(s.zone_states)
    yield "zone_types", tuple(s.zone_types)
    yield "free_addresses", tuple(s.free_addresses)
    yield from ((f"not_offered.{name}", zones) for name, zones in s.not_offered.items())
    for name, balancer in s.load_balancers.items():
        yield f"load_balancers.{name}.zones", balancer.zones
        yield f"load_balancers.{name}.instances", tuple(balancer.instances)
    for name, scaling in s.auto_scaling_groups.items():
        yield f"auto_scaling_groups.{name}.zones", scaling.zones
        yield f"auto_scaling_groups.{name}.instances", tuple(scaling.instances)
        yield f"auto_scaling_groups.{name}.weights", tuple(scaling.weights)
    for name, cluster in s.clusters.items():
        for key, nodes in cluster.node_groups.items():
            yield f"clusters.{name}.node_groups.{key}.zones", nodes.zones
        for key, profile in cluster.fargate_profiles.items():
            yield f"clusters.{name}.fargate_profiles.{key}.zones", profile.zones


def groups_of(action: Action) -> dict[str, int]:
    """Target groups an action forwards to, with their weights."""
    if action.forward is None:
        return {}
    return action.forward if isinstance(action.forward, dict) else {action.forward: 1}


def actions_of(balancer: LoadBalancer) -> Iterator[Action]:
    """Every action of a load balancer's listeners and rules."""
    for listener in balancer.listeners:
        yield listener.default
        for rule in listener.rules:
            yield rule.then


def _groups_named(s: Scenario) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    for name, balancer in s.load_balancers.items():
        for action in actions_of(balancer):
            for group in groups_of(action):
                yield f"load_balancers.{name}.listeners", group, s.target_groups


def _names_named(s: Scenario) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Every name that must exist, with its place and where it must exist."""
    yield from _groups_named(s)
    albs = {n: b for n, b in s.load_balancers.items() if b.type == "application"}
    classics = {n: b for n, b in s.load_balancers.items() if b.type == "classic"}
    for name, target_group in s.target_groups.items():
        if target_group.type == "alb":
            for target in target_group.targets or ():
                yield f"target_groups.{name}.targets", target, albs
    for name, scaling in s.auto_scaling_groups.items():
        yield from ((f"auto_scaling_groups.{name}", group, s.target_groups) for group in scaling.target_groups)
        yield from ((f"auto_scaling_groups.{name}", classic, classics) for classic in scaling.load_balancers)
    for name, cluster in s.clusters.items():
        for key, nodes in cluster.node_groups.items():
            place = f"clusters.{name}.node_groups.{key}.auto_scaling_group"
            yield place, nodes.auto_scaling_group, s.auto_scaling_groups
