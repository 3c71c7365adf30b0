"""``rules`` and ``permissions``."""

from __future__ import annotations

import json

from auditor import app
from auditor.aws.guard import declared_operations
from auditor.collect import declared_actions
from auditor.record.last import LastScan, recall, remember

from .cli_data import NO_SHIFT


def test_list_as_json_has_the_promised_keys(run):
    rules = json.loads(run("rules", "list", "-f", "json").stdout)
    assert [r["id"] for r in rules] == ["lb-no-shift", "tg-empty"]
    assert rules[0] | {"needs": []} == {
        "id": "lb-no-shift",
        "title": "The load balancer cannot be shifted",
        "severity": "high",
        "severities": ["high"],
        "confidence": "certain",
        "family": "elb",
        "subject": "LoadBalancer",
        "needs": [],
        "builtin": True,
    }
    assert set(rules[1]["needs"]) >= {"elasticloadbalancing:DescribeTargetHealth"}


def test_list_as_table(run):
    text = run("rules", "list").stdout
    assert "lb-no-shift" in text
    assert "critical" in text
    assert "2 rules." in text


def test_show_explains_a_rule(run):
    text = run("rules", "show", "lb-no-shift").stdout
    for part in (
        "The load balancer cannot be shifted",
        "Nothing moves its traffic.",
        "!zonal_shift_enabled",
        "zone_count > `1`",
        "whether zonal shift is enabled on it",
        "Enable zonal shift.",
        "$ aws elbv2 modify-load-balancer-attributes --load-balancer-arn {LoadBalancerArn}",
        "Switched off by intent",
        "https://docs.aws.amazon.com/",
    ):
        assert part in text
    assert max(len(line) for line in text.splitlines() if "http" not in line and "$ " not in line) <= 80


def test_show_knows_what_was_meant(run):
    result = run("rules", "show", "lb-noshift")
    assert result.exit_code == 2
    assert result.stderr == "auditor: there is no rule 'lb-noshift'; did you mean lb-no-shift?\n"


def test_test_runs_cases_and_mutants(run):
    result = run("rules", "test", "lb-no-shift")
    assert result.exit_code == 1, result.output
    assert "no case notices the mutant" in result.stdout
    assert "1 rule, 1 with problems; 3 cases, 0 failed" in result.stdout


def test_test_names_a_case_that_fails_and_a_rule_without_cases(run, own_rules):
    (own_rules / "lb-no-shift.yaml").write_text(NO_SHIFT.replace("expect: {pass: [shop]}", "expect: {fail: [shop]}"))
    result = run("rules", "test", "-f", "json")
    assert result.exit_code == 1
    first, second = json.loads(result.stdout)
    assert [(c["name"], c["passed"]) for c in first["cases"]] == [
        ("switched off", True),
        ("switched on", False),
        ("one zone", True),
    ]
    assert "shop: expected fail, got pass" in first["problems"][0]
    assert second["problems"] == ["the rule has no cases"]


def test_test_passes_a_sound_rule_of_ones_own(run, tmp_path):
    own = tmp_path / "own"
    own.mkdir()
    sound = NO_SHIFT.replace("id: lb-no-shift", "id: x-no-shift").replace("applies_when: zone_count > `1`\n", "")
    sound = sound.replace("expect: {not_applicable: [shop]}", "expect: {pass: [shop]}")
    (own / "x-no-shift.yaml").write_text(sound)
    result = run("rules", "test", "x-no-shift", "--rules", own)
    assert result.exit_code == 0, result.output
    assert "1 rule, 0 with problems; 3 cases, 0 failed" in result.stdout


def test_test_counts_cases_mutants_and_comparisons_of_each_rule(run, own_rules):
    (own_rules / "tg-empty.yaml").unlink()
    (report,) = json.loads(run("rules", "test", "-f", "json").stdout)
    mutants = report["mutants"]
    assert (len(report["cases"]), report["failed"], report["comparisons"]) == (3, 0, 1)
    assert mutants["total"] == mutants["killed"] + len(mutants["survivors"]) + len(mutants["equivalent"])
    assert mutants["killed"] > 0
    (own_rules / "lb-no-shift.yaml").write_text(NO_SHIFT.replace("expect: {pass: [shop]}", "expect: {fail: [shop]}"))
    (report,) = json.loads(run("rules", "test", "-f", "json").stdout)
    assert (report["failed"], report["mutants"]["total"]) == (1, 0)


def test_test_names_what_is_equivalent_and_what_compares_nothing(run, own_rules):
    survivors = json.loads(run("rules", "test", "lb-no-shift", "-f", "json").stdout)[0]["mutants"]["survivors"]
    listed = [{"mutant": name, "reason": "cases cannot tell"} for name in survivors]
    told = NO_SHIFT.replace("equivalent: []", f"equivalent: {json.dumps(listed)}")
    (own_rules / "lb-no-shift.yaml").write_text(told)
    result = run("rules", "test", "lb-no-shift")
    assert result.exit_code == 0, result.output
    words = " ".join(result.stdout.split())
    assert all(f"lb-no-shift: equivalent: {name}: cases cannot tell" in words for name in survivors)
    assert "Without any comparison" not in words
    assert "0 that no case notices." in words
    (report,) = json.loads(run("rules", "test", "lb-no-shift", "-f", "json").stdout)
    assert report["mutants"]["equivalent"] == listed
    assert listed
    (own_rules / "lb-no-shift.yaml").write_text(NO_SHIFT.replace("applies_when: zone_count > `1`\n", ""))
    assert "Without any comparison: lb-no-shift\n" in run("rules", "test", "lb-no-shift").stdout


def test_test_of_an_unknown_rule(run):
    assert run("rules", "test", "nothing").exit_code == 2


def test_permissions_are_the_reads_that_are_declared_and_nothing_else(run):
    result = run("permissions")
    assert result.exit_code == 0
    policy = json.loads(result.stdout)
    (statement,) = policy["Statement"]
    assert statement["Effect"] == "Allow"
    assert set(statement["Action"]) == set(declared_actions())
    assert {a.split(":")[1] for a in statement["Action"]} == {operation for _, operation in declared_operations()}
    assert all(a.split(":")[1].startswith(("Describe", "List", "Get")) for a in statement["Action"])


def test_missing_permissions_are_those_the_last_scan_was_denied(run):
    nothing = run("permissions", "--missing")
    assert nothing.exit_code == 2
    assert "no scan is remembered" in nothing.stderr
    denied = ("arc-zonal-shift:ListManagedResources", "eks:ListClusters")
    remember(LastScan(finished="2026-11-30T12:00:00Z", accounts=("123456789012",), denied=denied))
    result = run("permissions", "--missing")
    assert result.exit_code == 0
    assert [s["Action"] for s in json.loads(result.stdout)["Statement"]] == [list(denied)]
    assert "scan of 123456789012 that ended 2026-11-30T12:00:00Z was denied 2 actions" in result.stderr
    remember(LastScan(finished="2026-11-30T13:00:00Z", accounts=("123456789012",), denied=()))
    assert json.loads(run("permissions", "--missing").stdout)["Statement"] == []


def test_a_scan_remembers_what_it_was_denied(run):
    gaps = [
        {"action": "eks:ListClusters", "outcome": "denied"},
        {"action": "ec2:DescribeSubnets", "outcome": "throttled"},
    ]
    scan = {"finished_at": "2026-11-30T12:00:00Z", "accounts": [{"id": "123456789012"}], "gaps": gaps}
    app._remember({"scan": scan})
    assert recall() == LastScan(
        finished="2026-11-30T12:00:00Z", accounts=("123456789012",), denied=("eks:ListClusters",)
    )
