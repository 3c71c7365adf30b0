"""Evidence: the answers behind a fact, with source, field, raw value and time."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import msgspec
import pytest

from auditor.derive.evidence import evidence_for, facts_of, plain
from auditor.derive.nodes import SUBJECTS
from auditor.derive.nodes.target_groups import CrossZone
from auditor.model.catalogue import all_reads
from auditor.model.identity import Zone, ZoneName

from .region import A, denied, estate, subject

ESTATE = """
load_balancers:
  front:
    type: network
    zones: [a, b]
    attributes: {zonal_shift.config.enabled: "true"}
    listeners: [{port: 80, protocol: TCP, default: {forward: web}}]
  old: {type: classic, zones: [a, b], cross_zone: true, instances: {a: 1 healthy}}
target_groups: {web: {type: ip, protocol: TCP, targets: {a: 2 healthy, b: "1 healthy, 1 unhealthy Timeout"}}}
auto_scaling_groups: {web: {zones: [a, b], max: 4, desired: 2, zonal_shift: true, instances: {a: 1, b: 1}}}
clusters: {main: {zonal_shift: true}}
arc: {shifts: [{resource: front, away: a}]}
"""
MODEL = estate(ESTATE)
AT = "2026-11-30T08:00:00Z"


def rows(node, fact, owner=None, model=MODEL):
    owner = owner or node
    return evidence_for(model, node, owner, fact, getattr(owner, fact))


def test_the_fact_first_then_what_aws_said():
    group = subject(MODEL, "TargetGroup", "web")
    said, own, whole = rows(group, "value", group.cross_zone)
    assert (said.value, said.says, said.at) == ("off", "web: effective cross-zone: off", AT)
    assert own.source == "elbv2:DescribeTargetGroupAttributes"
    assert own.field == "load_balancing.cross_zone.enabled"
    assert own.value == "use_load_balancer_configuration"
    assert whole.source == "elbv2:DescribeLoadBalancerAttributes"
    assert whole.value == "false"
    assert "front" in whole.says
    assert own.at == whole.at == AT


def test_an_absent_key_is_shown_as_such():
    change = {"target_groups": {"web": {"attributes": {"load_balancing.cross_zone.enabled": "absent"}}}}
    model = estate(ESTATE, change=change)
    group = subject(model, "TargetGroup", "web")
    values = [r.value for r in rows(group, "value", group.cross_zone, model)]
    assert "(not returned)" in values


def test_raw_fields():
    assert rows(subject(MODEL, "LoadBalancer", "front"), "State")[0].value == "active"
    asg = rows(subject(MODEL, "AutoScalingGroup", "web"), "zonal_shift_enabled")
    assert asg[0].field == "AvailabilityZoneImpairmentPolicy.ZonalShiftEnabled"
    assert rows(subject(MODEL, "AvailabilityZone", "us-east-1a"), "State")[0].value == "available"
    switch = rows(subject(MODEL, "LoadBalancer", "front"), "zonal_shift_enabled")
    assert switch[1].value == "true"


def test_targets_with_state_and_zone():
    group = subject(MODEL, "TargetGroup", "web")
    said, raw = rows(group, "placed_zones")[:2]
    assert (said.field, raw.field) == ("placed_zones", "TargetHealthDescriptions")
    assert len(raw.value) == 4
    assert sum("us-east-1a healthy" in v for v in raw.value) == 2
    assert "unhealthy Target.Timeout" in raw.value[0], "what fails comes first"


def test_an_instance_is_shown_with_its_zone_though_its_health_names_none():
    model = estate(ESTATE, change={"target_groups": {"web": {"type": "instance"}}})
    _, raw = rows(subject(model, "TargetGroup", "web"), "placed_zones", model=model)[:2]
    assert sum("healthy, in use1-az1 (us-east-1a)" in v for v in raw.value) == 2


def test_a_fact_is_a_statement_about_its_resource():
    group = subject(MODEL, "TargetGroup", "web")
    assert rows(group, "healthy_count")[0].says == "web: healthy targets: 3"
    assert rows(group, "failing_open")[0].says.endswith(": no")
    zone = subject(MODEL, "LoadBalancerZone", "front", A)
    assert rows(zone, "shift_applied")[0].says.startswith("front in use1-az1 (us-east-1a): a shift moves")


def test_what_sends_traffic_to_a_group_is_shown():
    said, raw = rows(subject(MODEL, "TargetGroup", "web"), "in_use")
    assert (said.field, said.value) == ("in_use", True)
    assert raw.field == "DefaultActions"
    (line,) = raw.value
    assert "TCP:80" in line
    assert "weight 1" in line


def test_shifts_are_shown_as_arc_lists_them():
    zone = subject(MODEL, "ManagedResourceZone", "front", A)
    found = rows(zone, "shift_applied")
    assert found[0].source == "arc-zonal-shift:ListManagedResources"
    assert found[0].at == "2026-11-30T08:00:20Z"
    assert any(isinstance(r.value, list) and r.value[0]["awayFrom"] == "use1-az1" for r in found)


def test_a_classic_load_balancer_cites_its_own_api():
    found = rows(subject(MODEL, "LoadBalancer", "old"), "cross_zone_setting")
    assert {r.source for r in found} == {"elb:DescribeLoadBalancerAttributes"}
    assert [r.field for r in found] == ["cross_zone_setting", "CrossZoneLoadBalancing.Enabled"]
    assert found[1].value is True
    assert rows(subject(MODEL, "LoadBalancer", "old"), "zones")[0].source == "elb:DescribeLoadBalancers"


def test_what_was_not_read_adds_no_row():
    model = estate(ESTATE, deny=["elasticloadbalancing:DescribeTargetGroupAttributes"])
    group = subject(model, "TargetGroup", "web")
    found = rows(group, "cross_zone", model=model)
    assert found[0].value == {
        "unknown": ["DescribeTargetGroupAttributes for " + group.TargetGroupArn + ": denied (AccessDenied)"]
    }
    assert all(r.source != "elbv2:DescribeTargetGroupAttributes" for r in found[1:])


def test_a_field_without_a_fact_has_no_evidence():
    node = subject(MODEL, "LoadBalancer", "front")
    assert evidence_for(MODEL, node, node, "tags", {}) == ()
    assert evidence_for(MODEL, node, node, "nonsense", 1) == ()


def test_every_fact_of_every_subject_can_be_shown():
    for kind in SUBJECTS:
        for node in MODEL.of(kind):
            for fact in facts_of(type(node)):
                found = rows(node, fact)
                assert found[0].says
                assert found[0].source
                json.dumps(msgspec.to_builtins(found))


def test_every_cite_is_a_read_that_is_declared():
    sources = {r.source for r in all_reads()}
    for cls in SUBJECTS.values():
        for name, fact in facts_of(cls).items():
            assert fact.says, name
            assert {c.partition("#")[0] for c in fact.cites} <= sources, name


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (A, "use1-az1 (us-east-1a)"),
        (Zone(None, ZoneName("us-east-1a")), "us-east-1a (zone ID not read)"),
        (datetime(2026, 11, 30, 7, tzinfo=UTC), "2026-11-30T07:00:00Z"),
        ((A,), ["use1-az1 (us-east-1a)"]),
        ({1: A}, {"1": "use1-az1 (us-east-1a)"}),
        (CrossZone(value="on", because="x"), {"value": "on", "because": "x"}),
        (denied(), {"unknown": ["refused"]}),
        (None, None),
        (tuple(range(25)), [*range(20), "and 5 more"]),
    ],
)
def test_plain_values(value, expected):
    assert plain(value) == expected
