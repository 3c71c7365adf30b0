"""``rules try``."""

from __future__ import annotations

import json

import pytest

ON_SHOP = ("--scenario", "alb-three-zones")
HEALTH = "elasticloadbalancing:DescribeTargetHealth"
EVEN = {"target_groups": {"shop-web": {"targets": {"c": "1 unhealthy"}}}}


def test_the_value_for_every_subject_of_a_recording(run, record):
    result = run("rules", "try", "healthy_count < `2`", record(EVEN), "--subject", "LoadBalancerZone")
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines() == [
        "shop in use1-az1  false",
        "shop in use1-az2  true",
        "shop in use1-az6  false",
        "",
        "3 subjects: 1 true, 2 false. The expression gives: truth value.",
    ]


@pytest.mark.parametrize(
    ("expression", "shown"),
    [
        ("zones", "use1-az1 (us-east-1b), use1-az2 (us-east-1c), use1-az6 (us-east-1a)"),
        ("zone_count", "3"),
        ("LoadBalancerName", "shop"),
        ('tags."no-such"', "null"),
        ("groups_pinning_cross_zone_off", "(empty list)"),
        ("groups_pinning_cross_zone_off[0]", "null"),
    ],
)
def test_values_of_every_kind(run, expression, shown):
    text = run("rules", "try", expression, "--subject", "LoadBalancer", *ON_SHOP).stdout
    assert text.splitlines()[0] == f"shop  {shown}"


def test_a_group_of_facts(run):
    text = run("rules", "try", "groups[0]", "--subject", "LoadBalancerZone", *ON_SHOP).stdout
    value = json.loads(text.splitlines()[0].partition("  ")[2])
    assert (value["TargetGroupName"], value["healthy_count"]) == ("shop-web", 2)


def test_why_a_value_is_unknown(run, record):
    lines = run("rules", "try", "healthy_count", record(deny=(HEALTH,)), "--subject", "TargetGroup").stdout.splitlines()
    assert lines[0].startswith("shop-web  unknown: ")
    assert lines[0].endswith(f"(missing: {HEALTH})")
    assert lines[-1] == "1 subject: 1 unknown. The expression gives: number."


def test_subjects_that_could_not_be_listed(run, record):
    path = record(deny=("elasticloadbalancing:DescribeLoadBalancers",))
    text = run("rules", "try", "zone_count", path, "--subject", "LoadBalancer").stdout
    assert text.startswith("us-east-1  unknown: perhaps not all are listed: ")
    assert "(missing: elasticloadbalancing:DescribeLoadBalancers)" in text


def test_no_subject_at_all(run):
    text = run("rules", "try", "zone_count", "--subject", "AutoScalingGroup", *ON_SHOP).stdout
    assert text == "There is no AutoScalingGroup in it. The expression gives: number.\n"


def test_as_json(run, record):
    path = record(deny=(HEALTH,))
    document = json.loads(run("rules", "try", "healthy_count", path, "--subject", "TargetGroup", "-f", "json").stdout)
    (subject,) = document.pop("subjects")
    assert document == {"expression": "healthy_count", "subject": "TargetGroup", "type": "number", "remark": ""}
    assert (subject["name"], subject["value"], subject["missing"]) == ("shop-web", None, [HEALTH])
    assert subject["unknown"]


def test_an_expression_too_long_for_a_rule_is_tried_with_a_note(run):
    text = run("rules", "try", " && ".join(["attached"] * 4), "--subject", "TargetGroup", *ON_SHOP).stdout
    assert text.splitlines()[0] == "shop-web  true"
    assert text.splitlines()[-1] == "Note: a rule takes at most 3 judgements in one expression, and this has 4."


def test_on_the_demo_account(run, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    result = run("rules", "try", "healthy_count", "--subject", "TargetGroup", "--demo")
    assert result.exit_code == 0, result.output
    assert any(line.split() == ["blog", "0"] for line in result.stdout.splitlines())
    assert list((tmp_path / "state").rglob("*.jsonl*")) == []


def test_on_a_scenario_of_ones_own(run, tmp_path):
    (tmp_path / "own" / "scenarios").mkdir(parents=True)
    (tmp_path / "own" / "scenarios" / "mine.yaml").write_text(
        "zones: {a: use1-az6}\nload_balancers: {solo: {type: network, zones: [a]}}\n"
    )
    args = ("--subject", "LoadBalancer", "--scenario", "mine", "--rules", tmp_path / "own")
    assert run("rules", "try", "zone_count", *args).stdout.splitlines()[0] == "solo  1"


def test_names_cannot_steer_the_terminal(run, tmp_path):
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "odd.yaml").write_text(
        'zones: {a: use1-az6}\nload_balancers: {solo: {type: network, zones: [a], tags: {note: "\\u001b[2Jgone"}}}\n'
    )
    args = ("--subject", "LoadBalancer", "--scenario", "odd", "--rules", tmp_path)
    assert run("rules", "try", "tags.note", *args).stdout.splitlines()[0] == "solo  \\x1b[2Jgone"


@pytest.mark.parametrize(
    ("expression", "subject", "where", "sentence"),
    [
        ("zone_cont", "LoadBalancer", ON_SHOP, "LoadBalancer has no field 'zone_cont'; did you mean zone_count? the fields"),
        ("zone_count <", "LoadBalancer", ON_SHOP, "'zone_count <' ends too early"),
        ("zone_count < 2", "LoadBalancer", ON_SHOP, "'zone_count < 2' cannot be parsed at character 14, '2'; a number is"),
        ("zone_count && zones", "LoadBalancer", ON_SHOP, "zone_count is a number, which is neither true nor false"),
        ("zone_count < $most", "LoadBalancer", ON_SHOP, "$most is not a param of this rule; the rule has no params"),
        ("", "LoadBalancer", ON_SHOP, "the expression is empty"),
        ("zones", "LoadBalance", ON_SHOP, "there is no subject 'LoadBalance'; did you mean LoadBalancer?"),
        ("zones", "LoadBalancer", ("--scenario", "alb-tree-zones"), "there is no scenario 'alb-tree-zones'; did you mean alb"),
        ("zones", "LoadBalancer", (), "name one place to try it on: a RECORDING, --demo or --scenario NAME"),
        ("zones", "LoadBalancer", ("--demo", *ON_SHOP), "name one place to try it on: a RECORDING, --demo or --scenario"),
        ("zones", "LoadBalancer", ("nothing.jsonl.gz",), "nothing.jsonl.gz cannot be read: no such file or directory"),
    ],
)  # fmt: skip
def test_what_cannot_be_tried_is_said_in_one_sentence(run, expression, subject, where, sentence):
    result = run("rules", "try", expression, "--subject", subject, *where)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"auditor: {sentence}")
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""
