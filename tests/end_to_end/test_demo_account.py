"""The main job on the built-in account: the faults it was built with, each on the right resource and zone."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from auditor.record.recording import Recording

from ..program import Program, run
from .conftest import document_of, scan_again

NAMED_FAULTS = [
    ("lb-empty-zone", "checkout", "use1-az2", "critical"),
    ("nlb-alb-tls13-only-health-check", "edge-alb", None, "high"),
    ("tg-health-path-redirects", "blog", None, "high"),
    ("tg-uneven-zones", "ingest", None, "high"),
    ("lb-zonal-shift-disabled", "mqtt", None, "medium"),
]


def findings(document: dict[str, Any], status: str = "fail") -> list[dict[str, Any]]:
    return [f for f in document["findings"] if f["status"] == status]


@pytest.mark.parametrize(("rule", "name", "zone", "severity"), NAMED_FAULTS)
def test_a_named_fault_is_found_where_it_is(
    demo: Program, rule: str, name: str, zone: str | None, severity: str
) -> None:
    found = [f for f in findings(document_of(demo)) if f["rule_id"] == rule and f["resource"]["name"] == name]
    assert [f["severity"] for f in found] == [severity]
    assert found[0]["hidden_by"] is None
    if zone:
        assert [z["id"] for z in found[0]["zones"]] == [zone]


def test_every_finding_cites_what_it_rests_on(demo: Program) -> None:
    for finding in findings(document_of(demo)):
        assert finding["evidence"], finding["rule_id"]
        for row in finding["evidence"]:
            assert row["source"]
            assert row["at"], (finding["rule_id"], row)


def test_sound_parts_stay_silent(demo: Program) -> None:
    sound = {"shop", "portal"}
    assert [f["rule_id"] for f in findings(document_of(demo)) if f["resource"]["name"] in sound] == []


def test_nothing_is_unknown_and_no_rule_breaks(demo: Program) -> None:
    document = document_of(demo)
    assert document["scan"]["complete"] is True
    assert findings(document, "error") == []
    assert {f["rule_id"] for f in findings(document, "unknown")} == set()
    assert demo.exit_code == 0


def test_the_gate(demo: Program) -> None:
    assert run(["check", str(demo.recording)], demo.recording.parent).exit_code == 1
    assert run(["check", str(demo.recording), "--select", "tg-unattached"], demo.recording.parent).exit_code == 0


def test_check_says_what_the_scan_said(demo: Program) -> None:
    again = run(["check", str(demo.recording), "--all", "-f", "json", "--fail-on", "none"], demo.recording.parent)
    assert document_of(again) == document_of(demo)


def test_the_number_of_calls_is_the_minimum(demo: Program, recording: Recording) -> None:
    made = Counter(f"{a.service}:{a.operation}" for a in recording.answers)
    assert document_of(demo)["scan"]["calls"]["by_operation"] == dict(made)
    balancers = sum(
        len(a.response["LoadBalancers"])
        for a in recording.answers
        if a.operation == "DescribeLoadBalancers" and a.service == "elbv2" and a.response
    )
    assert made == {
        "sts:GetCallerIdentity": 1,
        "ec2:DescribeRegions": 1,
        "ec2:DescribeAvailabilityZones": 1,
        "ec2:DescribeSubnets": 1,
        "ec2:DescribeInstances": 1,
        "ec2:DescribeNetworkInterfaces": 1,
        "ec2:DescribeInstanceTypeOfferings": 1,
        "elbv2:DescribeLoadBalancers": 1,
        "elbv2:DescribeLoadBalancerAttributes": balancers,
        "elbv2:DescribeListeners": balancers,
    } | {k: v for k, v in made.items() if k not in PINNED}


PINNED = {
    "sts:GetCallerIdentity",
    "ec2:DescribeRegions",
    "ec2:DescribeAvailabilityZones",
    "ec2:DescribeSubnets",
    "ec2:DescribeInstances",
    "ec2:DescribeNetworkInterfaces",
    "ec2:DescribeInstanceTypeOfferings",
    "elbv2:DescribeLoadBalancers",
    "elbv2:DescribeLoadBalancerAttributes",
    "elbv2:DescribeListeners",
}


def test_a_replayed_scan_finds_the_same(demo: Program, recording: Recording) -> None:
    _, again, transport = scan_again(recording)
    said = {(f.rule_id, f.resource.name, f.status.value, f.id) for f in again if f.status.value == "fail"}
    assert said == {(f["rule_id"], f["resource"]["name"], f["status"], f["id"]) for f in findings(document_of(demo))}
    assert len(transport.calls) == len(recording.answers) - 1
