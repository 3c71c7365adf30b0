"""A reading that was not chosen leaves its rules not applicable: never unknown, never passed."""

from __future__ import annotations

import pytest

from auditor.derive.build import derive
from auditor.evaluate.catalogue import load_catalogue
from auditor.evaluate.run import JudgeOptions, judge
from auditor.evaluate.scenario import answers, changed
from auditor.model.answer import Header
from auditor.model.services import SERVICES
from auditor.model.verdict import Status
from auditor.record.decode import decode

CATALOGUE = load_catalogue()
SCENARIOS = sorted(p.stem for folder in CATALOGUE.folders for p in folder.glob("*.yaml"))
# The families of rules that rest on one optional reading alone.
OF_SERVICE = {
    "ecs": ("ecs-",),
    "rds": ("rds-", "aurora-"),
    "elasticache": ("elasticache-",),
    "nat": ("nat-",),
    "alarms": ("alarm-",),
}


def recording(name, services, deny=()):
    return answers(changed(CATALOGUE.scenario(name), {"services": services}), deny)


def verdicts(recorded, **options):
    judged = judge(derive(decode(*recorded)), CATALOGUE, JudgeOptions(all_verdicts=True, **options))
    return {f.id: f for f in judged.findings}, judged


@pytest.mark.parametrize("name", SCENARIOS)
def test_rules_of_what_was_not_chosen_are_not_applicable_and_the_others_as_ever(name):
    whole, _ = verdicts(recording(name, ["all"]))
    bare, judged = verdicts(recording(name, ["none"]))
    assert judged.counts[Status.UNKNOWN] == judged.counts[Status.ERROR] == 0
    for finding in bare.values():
        of_option = finding.rule_id.startswith(tuple(p for prefixes in OF_SERVICE.values() for p in prefixes))
        if of_option:
            assert finding.status is Status.NOT_APPLICABLE, finding.rule_id
        elif finding.status is Status.NOT_APPLICABLE and "--services" in finding.message:
            assert finding.rule_id == "lb-capacity-reservation-zone"
        else:
            assert finding.status is whole[finding.id].status, finding.rule_id


@pytest.mark.parametrize(
    ("service", "name"),
    [("ecs", "ecs"), ("rds", "databases"), ("elasticache", "databases"), ("nat", "nat"), ("alarms", "alb-three-zones")],
)
def test_the_reason_names_the_option_that_reads_it(service, name):
    others = sorted(set(SERVICES) - {service})
    mine = [f for f in verdicts(recording(name, others))[0].values() if f.rule_id.startswith(OF_SERVICE[service])]
    assert {f.status for f in mine} == {Status.NOT_APPLICABLE}
    assert {f.missing_actions for f in mine} == {()}
    whole, _ = verdicts(recording(name, ["all"]))
    judged_otherwise = {f.rule_id for f in whole.values() if f.status is Status.PASS}
    for finding in mine:
        if finding.rule_id in judged_otherwise:
            assert f"`--services default,{service}` reads them" in finding.message, finding.rule_id
    assert any(f.rule_id in judged_otherwise for f in mine)


@pytest.mark.parametrize(
    ("service", "name", "lost", "rule"),
    [
        ("rds", "databases", "DescribeDBInstances", "rds-single-az"),
        ("alarms", "alb-three-zones", "ListAlarmMuteRules", "alarm-healthy-hosts-missing"),
    ],
)
def test_where_it_was_chosen_what_is_lacking_is_unknown(service, name, lost, rule):
    lines, header, footer = recording(name, [service])
    kept = [a for a in lines if a.operation != lost]
    found, _ = verdicts((kept, header, footer))
    assert {f.status for f in found.values() if f.rule_id == rule} == {Status.UNKNOWN}


def test_only_all_verdicts_show_what_was_left_out_and_it_is_counted_either_way():
    recorded = recording("databases", ["none"])
    shown, judged = verdicts(recorded)
    quiet = judge(derive(decode(*recorded)), CATALOGUE, JudgeOptions())
    assert quiet.counts == judged.counts
    assert not any("--services" in f.message for f in quiet.findings)
    assert any("--services" in f.message for f in shown.values())


def test_what_was_left_out_is_no_gap_and_the_scan_is_complete():
    inventory = decode(*recording("practice-runs", ["none"]))
    assert inventory.complete
    assert inventory.gaps == ()


def test_alarms_of_practice_runs_are_judged_without_the_service_and_those_of_load_balancers_are_not():
    found, _ = verdicts(recording("practice-runs", ["none"]))
    by_rule = {}
    for finding in found.values():
        by_rule.setdefault(finding.rule_id, set()).add(finding.status)
    assert by_rule["arc-practice-alarm-broken"] == {Status.PASS}
    assert {s for rule, statuses in by_rule.items() if rule.startswith("alarm-") for s in statuses} == {
        Status.NOT_APPLICABLE
    }


def test_a_denied_action_of_the_core_stays_unknown_beside_what_was_left_out():
    found, _ = verdicts(recording("databases", ["none"], ["elasticloadbalancing:DescribeLoadBalancers"]))
    statuses = {f.status for f in found.values() if f.rule_id == "lb-single-zone"}
    assert statuses == {Status.UNKNOWN}


def test_a_recording_that_does_not_say_what_was_chosen_leaves_it_unknown():
    lines, header, footer = recording("databases", ["none"])
    silent = Header(v=1, tool_version=header.tool_version, scan_id="s", started=header.started, settings={})
    found, _ = verdicts((lines, silent, footer))
    assert {f.status for f in found.values() if f.rule_id == "rds-single-az"} == {Status.UNKNOWN}
