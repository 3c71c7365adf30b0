"""Which zones DNS answers with: the worked examples E1 to E9, and the empty cases."""

from __future__ import annotations

import pytest

from auditor.derive.dns import GroupHealth, published
from auditor.derive.nodes.target_groups import CrossZone
from auditor.derive.thresholds import Count, Threshold

from .region import A, B, C, denied, estate, subject, unknown

ONE = Threshold(1, None)
NONE = Count(0, 0, 0)


def group(cross_zone, counts, threshold=ONE, everywhere=NONE):
    """A group with (healthy, total) per zone."""
    zones = counts if not isinstance(counts, dict) else {z: Count(n, h, 0) for z, (h, n) in counts.items()}
    value = CrossZone(value=cross_zone, because="") if isinstance(cross_zone, str) else cross_zone
    return GroupHealth(cross_zone=value, threshold=threshold, zones=zones, everywhere=everywhere)


def answered(kind, groups, enabled=(A, B)):
    return {z for z, truth in published(kind, groups, enabled).items() if truth is True}


# name, health of A1 B1 A2 B2, zones with cross-zone off, zones with it on
TWO_GROUPS = [
    ("E1", "1111", {A, B}, {A, B}),
    ("E2", "0111", {B}, {A, B}),
    ("E3", "0110", {A, B}, {A, B}),
    ("E4", "0011", {B}, {A, B}),
    ("E5", "1010", {A, B}, {A, B}),
    ("E6", "0000", {A, B}, {A, B}),
]


@pytest.mark.parametrize(("name", "health", "off", "on"), TWO_GROUPS, ids=[v[0] for v in TWO_GROUPS])
@pytest.mark.parametrize("kind", ["network", "application"])
def test_two_groups_in_two_zones(name, health, off, on, kind):
    a1, b1, a2, b2 = map(int, health)
    for cross_zone, expected in (("off", off), ("on", on)):
        groups = [group(cross_zone, {A: (a1, 1), B: (a2, 1)}), group(cross_zone, {A: (b1, 1), B: (b2, 1)})]
        assert answered(kind, groups) == expected, name


def test_e5_in_cross_zone_on_is_fail_open_and_not_health():
    """Group B is dead everywhere; with a third, healthy group nothing changes: still every zone lacks one group."""
    dead, alive = group("on", {A: (0, 1), B: (0, 1)}), group("on", {A: (1, 1), B: (1, 1)})
    assert published("network", [alive, dead], (A, B)) == {A: True, B: True}
    assert published("network", [alive, group("on", {A: (0, 1), B: (1, 1)})], (A, B)) == {A: True, B: True}


def test_e7_half_of_ten():
    half = Threshold(None, 50)
    assert answered("network", [group("off", {A: (10, 10), B: (4, 10)}, half)]) == {A}
    assert answered("network", [group("on", {A: (10, 10), B: (4, 10)}, half)]) == {A, B}


def test_e8_targets_in_one_zone_only():
    assert answered("network", [group("off", {A: (2, 2), B: (0, 0)})]) == {A}
    assert answered("application", [group("off", {A: (2, 2), B: (0, 0)})]) == {A, B}
    for kind in ("network", "application"):
        assert answered(kind, [group("on", {A: (2, 2), B: (0, 0)})]) == {A, B}


def test_e9_withdrawal_switched_off():
    off = Threshold(None, None)
    assert answered("network", [group("off", {A: (2, 2), B: (0, 2)}, off)]) == {A, B}
    assert answered("network", [group("off", {A: (2, 2), B: (0, 0)}, off)]) == {A}  # empty is not a count


def test_an_empty_group_pulls_every_zone_of_a_network_load_balancer_which_then_publishes_all():
    assert answered("network", [group("off", {A: (0, 0), B: (0, 0)})]) == {A, B}
    assert answered("network", [group("off", {A: (0, 0), B: (0, 0)}), group("off", {A: (1, 1), B: (1, 1)})]) == {A, B}


def test_targets_registered_for_all_zones_stand_in_each():
    everywhere = Count(1, 1, 0)
    assert answered("network", [group("off", {A: (0, 1), B: (0, 0)}, ONE, everywhere)]) == {A, B}


def test_without_groups_everything_is_published():
    assert published("application", [], (A, B, C)) == {A: True, B: True, C: True}


def test_a_known_bad_group_decides_even_beside_an_unknown_one():
    unread = group("off", denied("h:H"))
    found = published("network", [group("off", {A: (0, 1), B: (1, 1)}), unread], (A, B))
    assert unknown(found[A], "h:H")  # it may be published after all: fail open when zone B is bad as well
    assert unknown(found[B], "h:H")
    sound = published("network", [group("off", {A: (0, 1), B: (1, 1)})], (A, B))
    assert sound == {A: False, B: True}


@pytest.mark.parametrize(
    "broken",
    [
        denied("x:Y"),
        [group(denied("x:Y"), {A: (1, 1), B: (1, 1)})],
        [group("off", denied("x:Y"))],
        [group("off", {A: (1, 1), B: (1, 1)}, denied("x:Y"))],
    ],
)
def test_what_could_not_be_read_makes_it_unknown(broken):
    assert all(unknown(t, "x:Y") for t in published("network", broken, (A, B)).values())


def test_gateways_are_not_modelled():
    found = published("gateway", [group("off", {A: (1, 1), B: (0, 0)})], (A, B))
    assert all(unknown(t) for t in found.values())
    assert published("gateway", [], ()) == {}


NLB = """
load_balancers:
  front: {type: network, zones: [a, b, c], listeners: [{port: 80, protocol: TCP, default: {forward: web}}]}
target_groups:
  web: {type: ip, protocol: TCP, targets: {a: 2 healthy, b: 2 unhealthy, c: "1 healthy, 1 initial"}}
"""


def zones(model):
    return {n.zone: n.published for n in model.of("LoadBalancerZone")}


def test_on_an_estate():
    assert zones(estate(NLB)) == {A: True, B: False, C: True}
    on = {"load_balancers": {"front": {"attributes": {"load_balancing.cross_zone.enabled": "true"}}}}
    assert zones(estate(NLB, change=on)) == {A: True, B: True, C: True}
    raised = {"target_groups": {"web": {"attributes": {
        "target_group_health.dns_failover.minimum_healthy_targets.count": "2"
    }}}}  # fmt: skip
    found = zones(estate(NLB, change=raised))
    assert (found[A], found[B]) == (True, False)
    assert unknown(found[C])
    absent = {"target_groups": {"web": {"attributes": {
        "target_group_health.dns_failover.minimum_healthy_targets.count": "absent"
    }}}}  # fmt: skip
    assert all(unknown(t) for t in zones(estate(NLB, change=absent)).values())


def test_a_group_with_weight_zero_or_lambda_targets_pulls_no_zone():
    listener = {"port": 80, "protocol": "TCP", "default": {"forward": {"web": 1, "old": 0}}}
    sound = dict.fromkeys("abc", "1 healthy")
    change = {
        "load_balancers": {"front": {"listeners": [listener]}},
        "target_groups": {
            "web": {"targets": sound},
            "old": {"type": "ip", "protocol": "TCP", "targets": {"a": "1 unhealthy"}},
        },
    }
    model = estate(NLB, change=change)
    assert zones(model) == {A: True, B: True, C: True}
    assert subject(model, "TargetGroup", "old").in_use is False
    assert zones(estate(LAMBDA)) == {A: True, B: True}


LAMBDA = """
load_balancers:
  web: {type: application, zones: [a, b], listeners: [{port: 80, protocol: HTTP, default: {forward: fn}}]}
target_groups: {fn: {type: lambda, targets: {handler: 1 unavailable}}}
"""


def test_lambda_targets_never_fail_open_and_are_not_pending():
    found = subject(estate(LAMBDA), "TargetGroup", "fn")
    assert found.failing_open is False
    assert [t.pending for t in found.targets] == [False]
    assert found.has_zones is False
