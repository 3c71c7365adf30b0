"""Small estates at random, in the short form of scenarios; every kind of thing that derive looks at may be in one."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

LETTERS = ("a", "b", "c", "d")
_CROSS_ZONE = "load_balancing.cross_zone.enabled"
_DNS = "target_group_health.dns_failover.minimum_healthy_targets"
_ROUTING = "target_group_health.unhealthy_state_routing.minimum_healthy_targets"
_STATES = (
    "healthy",
    "healthy",
    "healthy",
    "unhealthy",
    "unhealthy 302",
    "unhealthy 404",
    "unhealthy Timeout",
    "unhealthy InternalError",
    "unhealthy.draining",
    "initial",
    "draining",
    "unused InvalidState",
)
_CHECK = st.sampled_from(
    [
        {},
        {"protocol": "HTTP", "port": "traffic-port"},
        {"protocol": "HTTPS"},
        {"protocol": "HTTP", "port": 31000, "path": "/healthz"},
    ]
)

counted = st.builds(lambda n, s: f"{n} {s}", st.integers(1, 3), st.sampled_from(_STATES))
placed = st.lists(counted, min_size=1, max_size=2).map(", ".join)


@st.composite
def group(draw: Any, kind: str, zones: tuple[str, ...]) -> dict[str, Any]:
    """A target group for a kind of load balancer."""
    target_type = draw(st.sampled_from(["ip", "instance"]))
    places = draw(st.lists(st.sampled_from(zones), unique=True, max_size=len(zones)))
    targets = {place: draw(placed) for place in places}
    if draw(st.integers(0, 5)) == 0:
        targets[draw(st.sampled_from(["all", "all-inside"])) if target_type == "ip" else "unplaced"] = "1 healthy"
    form: dict[str, Any] = {"type": target_type, "targets": targets}
    form["protocol"] = {"application": "HTTP", "network": "TCP", "gateway": "GENEVE"}[kind]
    if kind == "gateway":
        rebalance = draw(st.sampled_from(["rebalance", "no_rebalance", "absent"]))
        form["attributes"] = {"target_failover.on_deregistration": rebalance, "target_failover.on_unhealthy": rebalance}
        return form
    form["health_check"] = draw(_CHECK)
    form["attributes"] = {
        _CROSS_ZONE: draw(st.sampled_from(["true", "false", "use_load_balancer_configuration", "absent"])),
        f"{_DNS}.count": draw(st.sampled_from(["1", "2", "off", "absent"])),
        f"{_DNS}.percentage": draw(st.sampled_from(["off", "50"])),
        f"{_ROUTING}.count": draw(st.sampled_from(["1", "2"])),
        "stickiness.enabled": draw(st.sampled_from(["true", "false", "absent"])),
    }
    return form


@st.composite
def forwards(draw: Any, names: list[str]) -> dict[str, Any]:
    """An action that sends traffic to some of the groups, or to none."""
    if not names or draw(st.integers(0, 4)) == 0:
        return draw(st.sampled_from([{"redirect": 301}, {"fixed": 200}, {"fixed": 503}]))
    some = draw(st.lists(st.sampled_from(names), min_size=1, max_size=2, unique=True))
    return {"forward": {name: draw(st.sampled_from([1, 1, 0, 9])) for name in some}}


_WHEN = st.sampled_from(
    [
        {"path": ["/api/*"]},
        {"path": ["/"]},
        {"host": ["*.example.com"]},
        {"host_regex": ["^10\\."]},
        {"header": {"X-Test": ["1"]}},
        {"source_ip": ["10.0.0.0/8"]},
    ]
)


@st.composite
def balancer(draw: Any, name: str, kind: str, zones: tuple[str, ...]) -> tuple[dict[str, Any], dict[str, Any]]:
    """A load balancer with its listeners, and its target groups."""
    enabled = draw(st.lists(st.sampled_from(zones), min_size=1, unique=True))
    form: dict[str, Any] = {
        "type": kind,
        "zones": enabled,
        "tags": draw(st.sampled_from([{}, {"env": "prod"}, {"elbv2.k8s.aws/cluster": "main"}])),
    }
    if kind == "classic":
        form |= {"cross_zone": draw(st.booleans()), "instances": dict.fromkeys(enabled[:2], "1 healthy")}
        return form, {}
    groups = {f"{name}-{n}": draw(group(kind, zones)) for n in range(draw(st.integers(0, 3)))}
    names = list(groups)
    attributes = {} if kind == "application" else {_CROSS_ZONE: draw(st.sampled_from(["true", "false"]))}
    if kind != "gateway":
        attributes["zonal_shift.config.enabled"] = draw(st.sampled_from(["true", "false"]))
    form |= {"attributes": attributes, "scheme": "internal", "listeners": []}
    if kind == "application":
        rules = [
            {"priority": n, "when": draw(_WHEN), "then": draw(forwards(names))}
            for n in range(1, draw(st.integers(1, 3)))
        ]
        protocol = draw(st.sampled_from(["HTTP", "HTTPS"]))
        form["listeners"] = [{"port": 80, "protocol": protocol, "default": draw(forwards(names)), "rules": rules}]
    elif names:
        port = {"network": (80, "TCP"), "gateway": (6081, "GENEVE")}[kind]
        form["listeners"] = [
            {"port": port[0], "protocol": port[1], "default": {"forward": dict.fromkeys(names[:1], 1)}}
        ]
        if kind == "network" and len(names) > 1:
            weights = {n: draw(st.sampled_from([0, 1])) for n in names[1:]}
            form["listeners"].append({"port": 81, "protocol": "TCP", "default": {"forward": weights}})
    return form, groups


@st.composite
def scaling(draw: Any, zones: tuple[str, ...], fed: list[str]) -> dict[str, Any]:
    """An Auto Scaling group."""
    own = draw(st.lists(st.sampled_from(zones), min_size=1, unique=True))
    states = st.sampled_from([0, 1, 2, "1, 1 Pending", "1 Unhealthy"])
    return {
        "zones": own,
        "max": draw(st.integers(4, 9)),
        "types": draw(st.sampled_from([[], ["m6i.large", "m7i.large"]])),
        "suspended": draw(st.sampled_from([[], ["AZRebalance", "Launch"]])),
        "tags": draw(st.sampled_from([{}, {}, {"kubernetes.io/cluster/main": "owned"}])),
        "lost_target_groups": draw(st.sampled_from([[], ["gone"]])),
        "scheduled_actions": {"night": {"recurrence": "0 20 * * *", "desired": 1}},
        "desired": draw(st.integers(0, 4)),
        "zonal_shift": draw(st.booleans()),
        "instances": {z: draw(states) for z in own},
        "target_groups": fed,
    }


@st.composite
def estates(draw: Any) -> dict[str, Any]:
    """A whole account."""
    zones = LETTERS[: draw(st.integers(2, 4))]
    ids = draw(st.permutations(range(1, len(zones) + 1)))
    scenario: dict[str, Any] = {
        "zones": {z: f"use1-az{i}" for z, i in zip(zones, ids, strict=True)},
        "load_balancers": {},
        "target_groups": {},
        "auto_scaling_groups": {},
        "clusters": {},
        "arc": {"shifts": [], "extra": []},
        "free_addresses": draw(st.sampled_from([{}, {"a": 1, "b": 0}])),
        "not_offered": draw(st.sampled_from([{}, {"m6i.large": ["b"], "m7i.large": ["b"]}])),
    }
    kinds = draw(st.lists(st.sampled_from(["application", "application", "network", "gateway", "classic"]), max_size=3))
    for n, kind in enumerate(kinds):
        form, groups = draw(balancer(f"lb{n}", kind, zones))
        scenario["load_balancers"][f"lb{n}"] = form
        scenario["target_groups"] |= groups
    albs = [n for n, f in scenario["load_balancers"].items() if f["type"] == "application"]
    if albs and draw(st.booleans()):
        form, groups = draw(balancer("front", "network", zones))
        scenario["target_groups"] |= groups
        check = draw(
            st.sampled_from([{}, {"protocol": "HTTPS"}, {"protocol": "HTTP", "path": "/api/x", "matcher": "200"}])
        )
        state = draw(st.sampled_from(["1 healthy", "1 unhealthy", "1 initial"]))
        scenario["target_groups"]["to-alb"] = {"type": "alb", "targets": {albs[0]: state}, "health_check": check}
        form["listeners"].append({"port": 443, "protocol": "TCP", "default": {"forward": "to-alb"}})
        scenario["load_balancers"]["front"] = form
    if draw(st.booleans()):
        scenario["target_groups"]["idle"] = {"type": "ip", "targets": {}}
    _add_fleet(draw, scenario, zones)
    _add_shifts(draw, scenario, zones)
    return scenario


def _add_fleet(draw: Any, scenario: dict[str, Any], zones: tuple[str, ...]) -> None:
    instance = [n for n, f in scenario["target_groups"].items() if f["type"] == "instance"]
    for n in range(draw(st.integers(0, 3))):
        fed = draw(st.lists(st.sampled_from(instance), max_size=1)) if instance else []
        scenario["auto_scaling_groups"][f"asg{n}"] = draw(scaling(zones, fed))
        if fed and draw(st.booleans()):
            scenario["target_groups"][fed[0]].pop("targets", None)
    names = list(scenario["auto_scaling_groups"])
    if draw(st.booleans()):
        nodes = {f"ng-{n}": {"zones": list(zones), "auto_scaling_group": n} for n in names[: draw(st.integers(0, 2))]}
        profiles = {"fp": {"zones": list(zones)}} if draw(st.booleans()) else {}
        scenario["clusters"]["main"] = {
            "zonal_shift": draw(st.booleans()),
            "node_groups": nodes,
            "fargate_profiles": profiles,
        }


def _add_shifts(draw: Any, scenario: dict[str, Any], zones: tuple[str, ...]) -> None:
    on = [
        f"load_balancers.{n}"
        for n, f in scenario["load_balancers"].items()
        if f.get("attributes", {}).get("zonal_shift.config.enabled") == "true"
    ]
    on += [f"auto_scaling_groups.{n}" for n, f in scenario["auto_scaling_groups"].items() if f["zonal_shift"]]
    for text in on:
        kind, _, name = text.partition(".")
        if draw(st.booleans()):
            away = draw(st.sampled_from(scenario[kind][name]["zones"]))
            shift_kind = draw(st.sampled_from(["ZONAL_SHIFT", "PRACTICE_RUN", "ZONAL_AUTOSHIFT"]))
            passes = draw(st.sampled_from([[1, 2], [2]]))
            scenario["arc"]["shifts"].append({"resource": text, "away": away, "kind": shift_kind, "passes": passes})
            scenario["arc"]["shifts"] += draw(_history(text, scenario[kind][name]["zones"]))
        if draw(st.booleans()):
            configuration = draw(st.sampled_from(_PRACTICE))
            scenario["arc"].setdefault("practice", {})[text] = configuration
    scenario["alarms"] = draw(st.sampled_from([{}, _ALARMS]))


_PRACTICE = (
    {"outcome": ["errors"], "blocking": ["maintenance"]},
    {"outcome": ["zonal", "all"], "allowed": ["Mon:08:00-Mon:08:20"]},
    {"outcome": ["arn:aws:cloudwatch:eu-west-1:123456789012:alarm:errors"], "blocked": ["Tue:00:00-Tue:23:59"]},
)
_ALARMS = {
    "errors": {"state": "INSUFFICIENT_DATA"},
    "zonal": {
        "namespace": "AWS/NetworkELB",
        "metric": "ZonalHealthStatus",
        "dimensions": {"LoadBalancer": "lb0", "AvailabilityZone": "a"},
        "comparison": "LessThanThreshold",
    },
    "all": {"rule": "ALARM(errors)"},
}


@st.composite
def _history(draw: Any, resource: str, zones: list[str]) -> list[dict[str, Any]]:
    """Ended practice runs and customer shifts, each at a time of its own."""
    days = draw(st.lists(st.integers(1, 29), max_size=3, unique=True))
    outcomes = st.sampled_from(["SUCCEEDED", "FAILED", "INTERRUPTED", "CAPACITY_CHECK_FAILED", "absent"])
    return [
        {
            "resource": resource,
            "away": draw(st.sampled_from(zones)),
            "status": "EXPIRED",
            "started": f"2026-11-{day:02}T09:00:00Z",
            "kind": "PRACTICE_RUN",
            "outcome": draw(outcomes),
        }
        for day in days
    ]
