"""Cases and mutants: a case goes the way of a scan, says what differs, and some case must notice every mutant."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from auditor.evaluate.cases import CaseReport, Models, run_cases
from auditor.evaluate.catalogue import Catalogue
from auditor.evaluate.expression import parsed_condition
from auditor.evaluate.mutation import _mutated, mutants_of

from .conftest import Load, Write

SCENARIO = """\
account: "123456789012"
region: us-east-1
zones: {a: use1-az6, b: use1-az1}
load_balancers:
  web: {type: application, zones: [a, b], listeners: [{port: 80, protocol: HTTP, default: {forward: web}}]}
target_groups:
  web: {type: ip, targets: {a: 2 healthy, b: 2 healthy}}
  spare: {type: ip, targets: {}}
"""
HEALTH = "elasticloadbalancing:DescribeTargetHealth"


@pytest.fixture
def report(write: Write, load: Load, tmp_path: Path) -> Any:
    """`report(cases, *lines)`: write a rule about target groups with few healthy targets, run its cases."""
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "small.yaml").write_text(SCENARIO)

    def run(
        cases: list[dict[str, Any]], *lines: str, mutate: bool = False, rule_id: str = "x-few", **options: str
    ) -> CaseReport:
        options = {"subject": "TargetGroup", "message": "{TargetGroupName} has {healthy_count}", **options}
        body = lines or ("applies_when: attached", "violated_when: healthy_count < `3`")
        write(rule_id, *body, "cases: " + json.dumps(cases), **options)
        return run_cases(load(), rule_id, mutate=mutate)

    return run


def case(expect: dict[str, Any], change: dict[str, Any] | None = None, **given: Any) -> dict[str, Any]:
    start = {"scenario": "small", "change": change or {}, **given}
    return {"name": "a case", "given": start, "expect": expect}


FEW = {"target_groups": {"web": {"targets": {"b": None}}}}


@pytest.mark.parametrize(
    "cases",
    [
        case({"pass": ["web"], "not_applicable": ["spare"]}),
        case({"fail": ["web"], "message_has": "web has 2", "severity": "high"}, FEW),
        case({"fail": ["web"], "message_has": ["web", "has 2"]}, FEW),
        case({"unknown": ["web"], "missing": [HEALTH], "message_has": "DescribeTargetHealth denied"}, deny=[HEALTH]),
        case({"unknown": ["us-east-1"], "absent": ["web"]}, deny=["elasticloadbalancing:DescribeTargetGroups"]),
        case({"absent": ["spare"]}, {"target_groups": {"spare": None}}),
    ],
)
def test_an_expectation_that_is_met(report: Any, cases: dict[str, Any]) -> None:
    found = report([cases])
    assert found.problems == ()
    assert found.passed


@pytest.mark.parametrize(
    ("cases", "says"),
    [
        (case({"fail": ["web"]}), "web: expected fail, got pass: no violation"),
        (case({"pass": ["web"]}, FEW), "web: expected pass, got fail: web has 2"),
        (case({"pass": ["webb"]}), "webb: expected pass, got no verdict; there are verdicts on spare and web"),
        (case({"absent": ["web"]}), "web: expected no verdict, got pass"),
        (case({"fail": ["web"], "message_has": "three"}, FEW), "no message has 'three'; there is 'web has 2'"),
        (case({"fail": ["web"], "severity": "low"}, FEW), "web: expected severity low, got high"),
        (
            case({"unknown": ["web"], "missing": ["ec2:DescribeSubnets"]}, deny=[HEALTH]),
            f"web: ec2:DescribeSubnets should be named as missing; named: {HEALTH}",
        ),
        (case({"fail": ["web"], "hidden_by": "x-other"}, FEW), "web: expected to be hidden by x-other, is in sight"),
        (case({"pass": ["web"]}, scenario="smal"), "there is no scenario 'smal'; did you mean small?"),
        (
            case({"pass": ["web"]}, intent=[{"match": {}, "is": ["no-shift"], "reason": "r"}]),
            "given.intent: `[0].match`: a match needs",
        ),
        (case({"pass": ["web"]}, {"target_groups": {"web": {"tpye": "ip"}}}), "tpye"),
        (case({"pass": ["web"]}, deny=["ec2:DescribeNothing"]), "DescribeNothing"),
    ],
)
def test_an_expectation_that_is_not_met_says_what_came(report: Any, cases: dict[str, Any], says: str) -> None:
    found = report([cases])
    assert not found.passed
    assert any(says in problem for problem in found.problems), found.problems
    assert all(problem.startswith("case 'a case': ") for problem in found.problems)


ZONES = ("violated_when: registered_count < `9`",)


@pytest.mark.parametrize(
    ("expect", "says"),
    [
        ({"fail": ["web@use1-az6", "web@use1-az1"]}, None),
        ({"fail": ["web"]}, None),
        ({"fail": ["web@use1-az6"]}, "web: fails in use1-az1 too, which is not expected: web"),
        ({"fail": ["web@us-east-1a", "web@us-east-1b"]}, None),
        ({"fail": ["web@use1-az9"]}, "web@use1-az9: expected fail, got no verdict"),
        ({"pass": ["web"]}, "web: expected pass, got fail in use1-az1"),
    ],
)
def test_the_zones_of_a_resource_are_exact(report: Any, expect: dict[str, Any], says: str | None) -> None:
    found = report([case(expect)], *ZONES, subject="TargetGroupZone", message="{TargetGroupName}")
    assert (found.problems == ()) is (says is None)
    if says:
        assert any(says in problem for problem in found.problems)


def test_a_finding_is_hidden_by_the_rule_that_is_named(report: Any, write: Write) -> None:
    write("x-top", "violated_when: healthy_count < `9`", "hides: [x-few]", subject="TargetGroup")
    assert report([case({"fail": ["web"], "hidden_by": "x-top"}, FEW)]).passed
    found = report([case({"fail": ["web"], "hidden_by": "x-few"}, FEW)])
    assert not found.passed


def test_a_rule_that_breaks_fails_its_cases(report: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Any, node: Any) -> str:
        raise KeyError("x")

    monkeypatch.setattr("auditor.evaluate.template.Template.__call__", broken)
    found = report([case({"not_applicable": ["spare"]}, FEW)])
    assert "case 'a case': the rule failed on web: KeyError: 'x'" in found.problems


def test_a_rule_without_cases_has_not_passed(report: Any) -> None:
    found = report([])
    assert not found.passed
    assert found.problems == ("the rule has no cases",)


def test_actions_that_no_case_denies_are_named(report: Any) -> None:
    assert HEALTH in report([case({"pass": ["web"]})]).undenied
    assert HEALTH not in report([case({"unknown": ["web"]}, deny=[HEALTH])]).undenied


def test_a_scenario_is_derived_once(report: Any, load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    report(
        [case({"pass": ["web"]}), case({"pass": ["web"], "not_applicable": ["spare"]}), case({"fail": ["web"]}, FEW)]
    )
    catalogue: Catalogue = load()
    models = Models(catalogue)
    count = 0
    answers = models.of.__globals__["answers"]

    def counted(*args: Any) -> Any:
        nonlocal count
        count += 1
        return answers(*args)

    monkeypatch.setitem(models.of.__globals__, "answers", counted)
    assert run_cases(catalogue, "x-few", models=models).mutants == 5
    assert count == 2


# Mutation

ENOUGH = [
    case({"fail": ["web"]}, FEW),
    case({"pass": ["web"]}, {"target_groups": {"web": {"targets": {"b": "1 healthy"}}}}),
    case({"not_applicable": ["spare"]}),
    case({"pass": ["web"]}),
]


def test_good_cases_notice_every_mutant(report: Any) -> None:
    found = report(ENOUGH, mutate=True)
    assert found.problems == ()
    # attached negated; < to <= and >=; 3 to 2 and 4
    assert (found.mutants, found.killed) == (5, 5)


def test_a_survivor_is_named(report: Any) -> None:
    found = report([ENOUGH[0], ENOUGH[2], ENOUGH[3]], mutate=True)
    assert found.survivors == (
        "violated_when: healthy_count < `3` => healthy_count <= `3`",
        "violated_when: healthy_count < `3` => healthy_count < `4`",
    )
    assert (found.mutants, found.killed) == (5, 3)
    assert not found.passed
    assert found.problems[0].startswith("no case notices the mutant  violated_when: healthy_count < `3` =>")


def test_an_equivalent_mutant_is_listed_with_its_reason(report: Any) -> None:
    lines = (
        "applies_when: attached",
        "violated_when: healthy_count < `3`",
        "equivalent:",
        "- {mutant: 'violated_when: healthy_count < `3` => healthy_count <= `3`', reason: r}",
        "- {mutant: 'violated_when: healthy_count < `3` => healthy_count < `4`', reason: r}",
    )
    found = report([ENOUGH[0], ENOUGH[2], ENOUGH[3]], *lines, mutate=True)
    assert found.survivors == found.stale == ()
    assert found.passed
    found = report(ENOUGH, *lines, mutate=True)
    assert len(found.stale) == 2
    assert not found.passed
    assert found.problems[0].startswith("listed as equivalent, but a case notices it or there is no such mutant:  ")


def test_mutants_wait_until_the_cases_pass(report: Any) -> None:
    assert report([case({"fail": ["web"]})], mutate=True).mutants == 0


def test_severities_are_mutated_too(report: Any) -> None:
    severity = "[{level: low, when: healthy_count == `2`}, {level: high}]"
    lines = ("applies_when: attached", "violated_when: healthy_count < `3`")
    weak = report(ENOUGH, *lines, mutate=True, severity=severity)
    assert all(name.startswith("severity[0].when: ") for name in weak.survivors)
    assert len(weak.survivors) == 3
    strong = [
        *ENOUGH,
        case({"fail": ["web"], "severity": "low"}, FEW),
        case(
            {"fail": ["web"], "severity": "high"},
            {"target_groups": {"web": {"targets": {"a": "1 healthy", "b": None}}}},
        ),
    ]
    assert report(strong, *lines, mutate=True, severity=severity).problems == ()


@pytest.mark.parametrize(
    ("condition", "changes"),
    [
        ("lit", {"lit => !lit"}),
        ("!lit", {"!lit => lit"}),
        ("count == `1`", {"count == `1` => count != `1`", "count == `1` => count == `0`", "count == `1` => count == `2`"}),
        ("color != 'red'", {"color != 'red' => color == 'red'"}),
        ("count > floors", {"count > floors => count >= floors", "count > floors => count <= floors"}),
        ("count >= floors", {"count >= floors => count > floors", "count >= floors => count < floors"}),
        ("count <= floors", {"count <= floors => count < floors", "count <= floors => count > floors"}),
        (
            "lit && paid",
            {"lit && paid => lit || paid", "lit => !lit", "paid => !paid"},
        ),
        (
            "lit || !paid",
            {"lit || !paid => lit && !paid", "lit => !lit", "!paid => paid"},
        ),
        ("boxes[?full]", {"boxes[?full] => !(boxes[?full])", "full => !full"}),
        (
            "contains(codes, `3`)",
            {
                "contains(codes, `3`) => !contains(codes, `3`)",
                "contains(codes, `3`) => contains(codes, `2`)",
                "contains(codes, `3`) => contains(codes, `4`)",
            },
        ),
        (
            "contains(`[1, 5]`, count)",
            {
                "contains(`[1, 5]`, count) => !contains(`[1, 5]`, count)",
                *(f"contains(`[1, 5]`, count) => contains(`[{m}]`, count)" for m in ("0, 5", "2, 5", "1, 4", "1, 6")),
            },
        ),
        (
            "!(count == `1`)",
            {
                "!(count == `1`) => count == `1`",
                "count == `1` => count != `1`",
                "count == `1` => count == `0`",
                "count == `1` => count == `2`",
            },
        ),
    ],
)  # fmt: skip
def test_every_part_of_a_condition_is_mutated(condition: str, changes: set[str]) -> None:
    assert {name for name, _ in _mutated(parsed_condition(condition, {}), truth=True)} == changes


def test_the_same_change_in_two_places_has_two_names(write: Write, load: Load) -> None:
    write("x-a", "violated_when: {all: [lit || paid, lit || note]}")
    names = [mutant.name for mutant in mutants_of(load()["x-a"])]
    assert len(names) == len(set(names))
    assert "violated_when: lit => !lit (2)" in names


def test_a_param_is_mutated_as_the_number_it_is(write: Write, load: Load) -> None:
    write("x-a", "violated_when: count > $most", "params: {most: 3}")
    assert "violated_when: count > `3` => count > `4`" in [m.name for m in mutants_of(load()["x-a"])]
