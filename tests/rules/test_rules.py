"""Every rule: its cases, its mutants, its text and its commands; and what holds for all rules together."""

from __future__ import annotations

import itertools
import re
import shlex

import botocore.session
import pytest
from botocore import xform_name

from auditor.collect import declared_actions
from auditor.derive.build import derive
from auditor.evaluate.cases import Models, run_cases
from auditor.evaluate.catalogue import load_catalogue
from auditor.evaluate.run import JudgeOptions, judge
from auditor.evaluate.scenario import answers, changed
from auditor.model.verdict import Severity, Status
from auditor.record.decode import decode

CATALOGUE = load_catalogue()
MODELS = Models(CATALOGUE)
SESSION = botocore.session.get_session()
WANTED = {
    "lb-empty-zone", "tg-target-in-disabled-zone", "tg-no-targets", "tg-failing-open", "tg-single-zone",
    "tg-single-target", "tg-unattached", "tg-unhealthy-targets", "tg-uneven-zones", "tg-placement-skew",
    "tg-health-path-redirects", "tg-health-check-code-mismatch", "tg-https-check-all-failing",
    "nlb-alb-tls13-only-health-check", "nlb-alb-hollow-health-check", "nlb-alb-redirect-rejected",
    "nlb-alb-health-check-port", "lb-single-zone", "lb-zonal-shift-disabled", "asg-zonal-shift-disabled",
    "eks-zonal-shift-disabled", "asg-single-zone", "asg-uneven-zones", "arc-shift-active", "arc-opt-in-drift",
    "nlb-target-group-blocks-zonal-shift", "zone-impaired",
    "asg-zone-loss-capacity", "asg-no-headroom", "asg-zones-differ-from-lb", "asg-impaired-zone-policy",
    "asg-not-balanced-only", "asg-azrebalance-suspended", "asg-launch-or-register-suspended", "asg-ignores-elb-health",
    "asg-min-healthy-percentage", "asg-subnets-low-free-ips", "asg-type-not-offered", "asg-scheduled-scale-in",
    "asg-references-missing-target-group", "eks-lb-shift-gap", "eks-nodes-one-zone", "eks-nodegroup-degraded",
    "eks-fargate-not-shiftable",
    "arc-partial-evacuation", "arc-shift-expiring", "arc-expiry-order", "arc-shift-no-effect",
    "arc-autoshift-not-prescaled", "arc-autoshift-off", "arc-autoshift-masked", "arc-practice-run-missing",
    "arc-practice-run-failing", "arc-zone-never-practised", "arc-outcome-alarm-self-tripping",
    "arc-practice-alarm-broken", "arc-practice-windows-too-tight", "arc-zone-weight-zero", "arc-observer-off",
}  # fmt: skip
SCENARIOS = sorted(p.stem for folder in CATALOGUE.folders for p in folder.glob("*.yaml"))
EACH_RULE = pytest.mark.parametrize("rule_id", sorted(CATALOGUE.rules))


def verdicts(model):
    """Findings by identity, which is the same whatever the verdict; hidden ones as well."""
    return {f.id: f for f in judge(model, CATALOGUE, JudgeOptions(all_verdicts=True)).findings}


def test_the_catalogue_has_the_rules_of_this_version():
    assert set(CATALOGUE.rules) >= WANTED
    for rule in CATALOGUE:
        prefix = rule.id.partition("-")[0]
        family = {"zone": "vpc", **dict.fromkeys(("lb", "tg", "alb", "nlb", "gwlb", "clb"), "elb")}.get(prefix, prefix)
        assert rule.family == family, rule.id


@EACH_RULE
def test_cases_hold_and_every_mutant_is_noticed(rule_id):
    report = run_cases(CATALOGUE, rule_id, models=MODELS)
    assert report.passed, "\n".join(report.problems)
    assert report.mutants > 0
    assert report.undenied == (), "no case denies these"


@EACH_RULE
def test_cases_show_each_verdict_each_level_and_the_zone(rule_id):
    rule, cases = CATALOGUE[rule_id], CATALOGUE.cases(rule_id)
    assert any(c.expect.fail for c in cases)
    assert any(c.expect.pass_ for c in cases)
    assert any(c.expect.unknown and c.expect.missing for c in cases)
    assert {c.expect.severity for c in cases if c.expect.fail} >= set(rule.severities)
    names = [c.name for c in cases]
    assert len(set(names)) == len(names)
    if rule.per_zone:
        assert "{zone}" in rule.file.message
        assert any("use1-az" in text for c in cases for text in itertools.chain(c.expect.message_has))


@EACH_RULE
def test_text_says_what_why_and_how(rule_id):
    file = CATALOGUE[rule_id].file
    texts = [file.message, file.why, file.fix.summary, file.fix.caution]
    for text in texts:
        assert text.strip().endswith("."), text
        assert "  " not in text.strip(), text
    assert not file.title.endswith(".")
    assert len(file.title) <= 100
    assert file.fix.cli
    assert file.references
    assert all(re.fullmatch(r"https://docs\.aws\.amazon\.com/\S+\.html", url) for url in file.references)


@EACH_RULE
def test_commands_are_of_the_aws_cli(rule_id):
    """Service, operation and options exist; checked against the service models of botocore."""
    for template in CATALOGUE[rule_id].fix_cli:
        words = shlex.split("".join(p if isinstance(p, str) else "VALUE" for p in template.pieces))
        if words[0] != "aws":
            assert words[0] == "openssl"
            continue
        model = SESSION.get_service_model(words[1])
        operations = {xform_name(name, "-"): name for name in model.operation_names}
        assert words[2] in operations, template.text
        members = model.operation_model(operations[words[2]]).input_shape.members
        options = {f"--{xform_name(name, '-')}" for name in members} | {"--query", "--output", "--max-items"}
        assert {word for word in words if word.startswith("--")} <= options, template.text


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_sound_estate_comes_out_clean(name):
    found = verdicts(derive(decode(*answers(CATALOGUE.scenario(name)))))
    assert [f for f in found.values() if f.status is Status.ERROR] == []
    assert [f.rule_id for f in found.values() if f.status is Status.UNKNOWN] == []
    failing = [f for f in found.values() if f.status is Status.FAIL and f.severity is not Severity.INFO]
    # Only one scenario is about practice runs. That the others have none is said, at the lowest level there is for a fault.
    assert {(f.rule_id, f.severity) for f in failing} <= {("arc-practice-run-missing", Severity.LOW)}
    assert failing == [] or name != "practice-runs"


def faulty():
    """The state of each rule's first failing case, by the name of the rule."""
    for rule_id in sorted(CATALOGUE.rules):
        case = next(c for c in CATALOGUE.cases(rule_id) if c.expect.fail and not c.given.deny)
        yield pytest.param(case.given, id=rule_id)


@pytest.mark.parametrize("given", list(faulty()))
@pytest.mark.parametrize("how", ["deny", "throttle", "cut"])
def test_a_missing_answer_never_turns_fail_into_pass_or_pass_into_fail(given, how):
    """Denied, throttled for good, or cut after page one: each action in turn."""
    scenario = changed(CATALOGUE.scenario(given.scenario), given.change)
    whole = verdicts(derive(decode(*answers(scenario))))
    one_page = {a.partition(":")[2] for a in declared_actions()} & {
        "DescribeAlarms", "DescribeAvailabilityZones", "DescribeCluster", "DescribeFargateProfile", "DescribeInstanceHealth",
        "DescribeLoadBalancerAttributes", "DescribeNodegroup", "DescribeRegions", "DescribeTags",
        "DescribeTargetGroupAttributes", "DescribeTargetHealth", "GetAutoshiftObserverNotificationStatus",
        "GetManagedResource",
    }  # fmt: skip
    for action in declared_actions():
        if action.startswith("sts:") or (how == "cut" and action.partition(":")[2] in one_page):
            continue
        part = dict(scenario) if how == "deny" else {**scenario, how: [action]}
        less = verdicts(derive(decode(*answers(part, [action] if how == "deny" else []))))
        assert len(whole.keys() & less.keys()) > 0 or "DescribeLoadBalancers" in action or "List" in action, action
        for key, finding in less.items():
            assert finding.status is not Status.ERROR, (action, finding.message)
            before = whole.get(key)
            pair = {before.status if before else None, finding.status}
            assert pair != {Status.FAIL, Status.PASS}, (action, finding.rule_id, finding.message)
            assert pair != {None, Status.FAIL}, (action, finding.rule_id, finding.message)


def test_zone_names_do_not_matter():
    """The same physical zones under other names give the same verdicts."""
    letters = {"a": "c", "b": "a", "c": "b"}

    def renamed(value):
        if isinstance(value, dict):
            return {letters.get(k, k): renamed(v) for k, v in value.items()}
        if isinstance(value, list):
            return [renamed(v) for v in value]
        return letters.get(value, value) if isinstance(value, str) else value

    def statuses(scenario):
        found = judge(derive(decode(*answers(scenario))), CATALOGUE, JudgeOptions(all_verdicts=True)).findings
        return sorted(
            (f.rule_id, f.resource.arn, tuple(sorted(str(z.id) for z in f.zones)), f.status, f.severity)
            for f in found
            if f.resource.arn
        )

    for param in faulty():
        given = param.values[0]
        scenario = changed(CATALOGUE.scenario(given.scenario), given.change)
        if set(scenario["zones"]) <= set(letters):
            assert statuses(scenario) == statuses(renamed(scenario)), param.id


def test_hidden_findings_name_a_finding_that_is_there():
    for param in faulty():
        found = judge(MODELS.of(param.values[0]), CATALOGUE, JudgeOptions(all_verdicts=True)).findings
        ids = {f.id for f in found}
        assert all(f.hidden_by in ids for f in found if f.hidden_by)
        assert len(ids) == len(found), "two findings of one identity"


def test_scenarios_answer_in_the_shapes_of_the_api():
    """Every key of every answer exists in the service model, and every text of an enumeration is one of its values."""
    for name in SCENARIOS:
        for answer in answers(CATALOGUE.scenario(name))[0]:
            model = SESSION.get_service_model(answer.service).operation_model(answer.operation)
            assert list(problems(model.output_shape, answer.response, answer.operation)) == []
            assert set(answer.params) <= set(model.input_shape.members if model.input_shape else ())


def problems(shape, value, place):
    if shape.type_name == "structure":
        for key, inner in value.items():
            if key in shape.members:
                yield from problems(shape.members[key], inner, f"{place}.{key}")
            else:
                yield f"{place}.{key} is not in the model"
    elif shape.type_name == "list":
        for inner in value:
            yield from problems(shape.member, inner, f"{place}[]")
    elif shape.type_name == "map":
        for inner in value.values():
            yield from problems(shape.value, inner, f"{place}{{}}")
    elif shape.type_name == "string" and shape.enum and value not in shape.enum:
        yield f"{place}: {value} is not one of {shape.enum}"
