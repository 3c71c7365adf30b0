"""Fail-open, and what an empty zone does."""

from __future__ import annotations

import msgspec
import pytest

from auditor.derive.fail_open import failing_open_in, summed
from auditor.derive.thresholds import Count, Threshold

from .region import A, B, C, denied, estate, subject, unknown
from .test_dns import group

ALL = {A: True, B: True}
ONE = Threshold(1, None)


@pytest.mark.parametrize(
    ("counts", "dns", "expected"),
    [
        ({A: (0, 2), B: (2, 2)}, {A: False, B: True}, {A: False, B: False}),
        ({A: (0, 2), B: (2, 2)}, ALL, {A: True, B: False}),
        ({A: (0, 2), B: (0, 2)}, ALL, {A: True, B: True}),
        ({A: (0, 0), B: (2, 2)}, ALL, {A: False, B: False}),
        ({A: (0, 0), B: (0, 0)}, ALL, {A: False, B: False}),
    ],
)
def test_cross_zone_off_each_published_node_decides_for_itself(counts, dns, expected):
    assert failing_open_in("network", group("off", counts), ONE, (A, B), dns) == expected


def test_cross_zone_on_counts_the_whole_group():
    assert failing_open_in("application", group("on", {A: (0, 2), B: (1, 2)}), ONE, (A, B), ALL) == {A: False, B: False}
    assert failing_open_in("application", group("on", {A: (0, 2), B: (0, 2)}), ONE, (A, B), ALL) == ALL
    half = Threshold(1, 50)
    assert failing_open_in("application", group("on", {A: (0, 2), B: (1, 2)}), half, (A, B), ALL) == ALL


def test_gateway_has_no_thresholds_and_no_dns():
    unread = dict.fromkeys((A, B), denied())
    counts = {A: (0, 2), B: (1, 2)}
    assert failing_open_in("gateway", group("off", counts), denied(), (A, B), unread) == {A: True, B: False}


def test_unknowns_stay_unknown_unless_another_part_decides():
    counts = {A: (0, 2), B: (2, 2)}
    assert unknown(failing_open_in("network", group("off", counts), denied("a:B"), (A,), ALL)[A], "a:B")
    assert unknown(failing_open_in("network", group(denied("a:B"), counts), ONE, (A,), ALL)[A], "a:B")
    assert failing_open_in("network", group("off", counts), ONE, (B,), {B: denied()}) == {B: False}
    pending = msgspec.structs.replace(group("off", {}), zones={A: Count(2, 0, 1)})
    assert unknown(failing_open_in("network", pending, ONE, (A,), ALL)[A])


def test_summary():
    assert summed({A: True, B: False}) == (True, (A,))
    assert summed({A: False, B: False}) == (False, ())
    assert summed({}) == (False, ())
    truth, which = summed({A: denied("a:B"), B: False})
    assert unknown(truth, "a:B")
    assert unknown(which, "a:B")
    assert summed({A: denied(), B: True}) == (True, (B,))


ESTATE = """
load_balancers:
  web: {type: application, zones: [a, b, c], listeners: [{port: 80, protocol: HTTP, default: {forward: web}}]}
target_groups:
  web: {type: ip, targets: {a: 2 unhealthy 302, b: 2 unhealthy, c: 2 healthy}}
"""
OFF = {"load_balancing.cross_zone.enabled": "false"}


def fails(change=None, deny=()):
    return subject(estate(ESTATE, change=change, deny=deny), "TargetGroup", "web")


def targets(**places):
    return {"target_groups": {"web": {"targets": places}}}


def test_one_healthy_zone_keeps_a_pooled_group_from_failing_open():
    assert fails().failing_open is False
    assert fails(targets(c="2 unhealthy Timeout")).failing_open is True
    assert fails(targets(c="2 unhealthy Timeout")).failing_open_zones == (A, B, C)


def test_withdrawn_zones_do_not_fail_open_and_all_of_them_together_do():
    off = {"target_groups": {"web": {"attributes": OFF}}}
    assert fails(off).failing_open is False
    off["target_groups"]["web"]["targets"] = {"c": "2 unhealthy"}
    assert fails(off).failing_open is True
    kept = {"target_groups": {"web": {"attributes": {
        **OFF, "target_group_health.dns_failover.minimum_healthy_targets.count": "off"
    }}}}  # fmt: skip
    assert fails(kept).failing_open_zones == (A, B)


@pytest.mark.parametrize("state", ["2 draining", "2 unused InvalidState"])
def test_what_is_leaving_or_unused_is_not_in_the_fail_open_set(state):
    assert fails(targets(a=state, b=state, c=state)).failing_open is False
    assert fails(targets(a=state, b=state, c="1 unhealthy")).failing_open is True


def test_a_rollout_is_unknown():
    assert unknown(fails(targets(a="2 unhealthy", b="2 initial", c="2 unhealthy")).failing_open)
    assert fails(targets(a="2 unhealthy", b="2 initial", c="1 healthy")).failing_open is False


def test_trouble_on_the_load_balancers_side_is_unknown():
    state = "2 unhealthy InternalError"
    found = fails(targets(a=state, b=state, c=state))
    assert unknown(found.failing_open)
    assert unknown(found.unhealthy_count)
    assert unknown(found.unexplained_count)
    assert unknown(found.unexplained_share)
    assert unknown(found.all_fail_without_code)
    mixed = fails(targets(a="1 unhealthy Timeout", b=state, c="1 healthy"))
    assert (mixed.unhealthy_count, mixed.unexplained_count) == (1, 1)


@pytest.mark.parametrize(
    "action",
    [
        "elasticloadbalancing:DescribeTargetHealth",
        "elasticloadbalancing:DescribeTargetGroupAttributes",
        "elasticloadbalancing:DescribeLoadBalancers",
    ],
)
def test_unread_inputs(action):
    found = fails(deny=[action])
    assert unknown(found.failing_open, action)
    assert unknown(found.failing_open_zones, action)


INSTANCES = """
load_balancers:
  web: {type: application, zones: [a, b], listeners: [{port: 80, protocol: HTTP, default: {forward: web}}]}
target_groups: {web: {type: instance, targets: {a: 2 unhealthy, b: 1 unhealthy}}}
"""


def test_with_cross_zone_on_nobody_needs_to_know_where_the_targets_stand():
    denied_places = ["ec2:DescribeInstances"]
    assert subject(estate(INSTANCES, deny=denied_places), "TargetGroup", "web").failing_open is True
    well = {"target_groups": {"web": {"targets": {"b": "1 healthy"}}}}
    assert subject(estate(INSTANCES, change=well, deny=denied_places), "TargetGroup", "web").failing_open is False
    local = {"target_groups": {"web": {"attributes": OFF}}}
    found = subject(estate(INSTANCES, change=local, deny=denied_places), "TargetGroup", "web")
    assert unknown(found.failing_open, "ec2:DescribeInstances")
