"""The report document: its form, its order, and that what is unknown never looks like none."""

from __future__ import annotations

import itertools
import json
import random

from auditor.derive.nodes import TargetGroupZone
from auditor.model.elbv2 import LOAD_BALANCERS, TARGET_HEALTH
from auditor.model.finding import Evidence
from auditor.model.identity import Zone, ZoneName
from auditor.model.known import Outcome
from auditor.model.verdict import Severity, Status
from auditor.report.document import DocumentOptions, build
from auditor.report.inventory import _states
from auditor.report.registry import FORMATS, RenderOptions, render

from .estate import (
    DENIED,
    MUTE,
    REGION,
    UNREAD,
    ZONES,
    balancer_zone,
    counts,
    finding,
    gap,
    group_zone,
    load_balancer,
    model,
    shop,
    shop_findings,
    target,
    unknown,
)


def built(findings=None, options=None, the_model=None):
    findings = shop_findings() if findings is None else findings
    return build(the_model or shop(), findings, counts(findings), options)


def test_top_level_is_as_the_contract_says():
    document = built()
    assert list(document) == ["schema", "scan", "summary", "findings", "inventory"]
    assert document["schema"] == "auditor.report/1"
    assert list(document["scan"]) == [
        "id", "tool_version", "started_at", "finished_at", "regions", "accounts", "calls", "complete", "gaps",
    ]  # fmt: skip
    assert list(document["findings"][0]) == [
        "id", "rule_id", "title", "status", "severity", "confidence", "account_id", "region", "resource", "zones",
        "message", "why", "remediation", "evidence", "missing_actions", "references", "hidden_by", "muted", "first_seen_at",
    ]  # fmt: skip


def test_scan_counts_calls_and_folds_gaps():
    scan = built()["scan"]
    assert scan["calls"] == {
        "total": 4,
        "by_operation": {"elbv2:DescribeLoadBalancers": 1, "elbv2:DescribeTargetHealth": 3},
    }
    assert scan["gaps"] == [
        {
            "account": "123456789012",
            "region": REGION,
            "action": "elasticloadbalancing:DescribeTargetHealth",
            "outcome": "denied",
            "code": "AccessDenied",
            "count": 2,
            "rules": ["tg-failing-open", "tg-no-targets"],
        }
    ]
    assert scan["complete"] is False


def test_gaps_of_other_outcomes_stay_apart_and_name_only_their_rules():
    gaps = (gap(), gap(Outcome.THROTTLED, "Throttling"), gap(read=LOAD_BALANCERS))
    findings = [
        unknown("tg-failing-open", "api", TARGET_HEALTH.action),
        unknown("lb-single-zone", "x", LOAD_BALANCERS.action),
    ]
    found = built(findings, the_model=model(gaps=gaps))["scan"]["gaps"]
    assert [(g["action"].split(":")[1], g["outcome"], g["rules"]) for g in found] == [
        ("DescribeLoadBalancers", "denied", ["lb-single-zone"]),
        ("DescribeTargetHealth", "denied", ["tg-failing-open"]),
        ("DescribeTargetHealth", "throttled", ["tg-failing-open"]),
    ]


def test_vanished_and_absent_things_leave_the_scan_complete():
    harmless = tuple(gap(o, "X") for o in (Outcome.GONE, Outcome.NOT_ENABLED, Outcome.NOT_OFFERED))
    document = built([], the_model=model(gaps=harmless))
    assert document["scan"]["complete"] is True
    assert len(document["scan"]["gaps"]) == 3
    assert built([], the_model=model(gaps=(*harmless, gap(Outcome.FAILED))))["scan"]["complete"] is False


def test_a_scan_without_end_is_not_complete():
    assert built([], the_model=model(finished=False))["scan"]["complete"] is False


def test_account_names_come_from_the_settings():
    options = DocumentOptions(account_names={"123456789012": "shop"})
    assert built(options=options)["scan"]["accounts"] == [{"id": "123456789012", "name": "shop"}]


def test_findings_are_ordered_by_severity_resource_rule_and_zone_whatever_comes_in():
    base = [
        *shop_findings(),
        finding("lb-empty-zone", "shop-web", zones=(ZONES[0],), id="a"),
        finding("lb-empty-zone", "a-web", zones=(ZONES[0],)),
    ]
    expected = built(base)
    for seed in range(5):
        shuffled = base[:]
        random.Random(seed).shuffle(shuffled)
        assert built(shuffled) == expected
    ranks = [Severity(f["severity"]).rank for f in expected["findings"]]
    assert ranks == sorted(ranks, reverse=True)
    critical = [f for f in expected["findings"] if f["severity"] == "critical"]
    assert [(f["resource"]["name"], [z["id"] for z in f["zones"]]) for f in critical] == [
        ("a-web", ["use1-az6"]),
        ("api", ["use1-az2"]),
        ("shop-web", ["use1-az2"]),
        ("shop-web", ["use1-az6"]),
    ]


def test_default_shows_fail_unknown_error_and_all_shows_everything():
    assert {f["status"] for f in built()["findings"]} == {"fail", "unknown", "error"}
    everything = built(options=DocumentOptions(all_verdicts=True))
    assert {f["status"] for f in everything["findings"]} == {"fail", "unknown", "error", "pass"}


def test_min_severity_hides_findings_but_no_count_and_no_broken_rule():
    document = built(options=DocumentOptions(min_severity=Severity.HIGH))
    assert {f["severity"] for f in document["findings"] if f["status"] != "error"} == {"critical", "high"}
    assert [f["rule_id"] for f in document["findings"] if f["status"] == "error"] == ["x-odd"]
    assert document["summary"] == built()["summary"]
    assert document["scan"] == built()["scan"]


def test_hidden_and_muted_findings_are_listed_but_not_counted_by_severity():
    document = built()
    assert document["summary"]["by_severity"] == {"critical": 1, "high": 0, "medium": 1, "low": 0, "info": 0}
    assert document["summary"]["by_status"] == {"fail": 4, "pass": 1, "unknown": 3, "not_applicable": 0, "error": 1}
    by_rule = {(f["rule_id"], f["resource"]["name"]): f for f in document["findings"]}
    assert by_rule["tg-single-zone", "shop-web"]["hidden_by"] == "lb-empty-zone"
    assert by_rule["lb-single-zone", "old"]["muted"] == {"reason": MUTE.reason, "owner": "ops", "until": "2027-01-31"}


def test_zones_in_numbers():
    zones = {z["id"]: z for z in built()["summary"]["zones"]}
    assert zones["use1-az2"] == {
        "account_id": "123456789012",
        "region": REGION,
        "id": "use1-az2",
        "name": "us-east-1c",
        "load_balancers": 1,
        "targets": {"healthy": 0, "registered": 0, "complete": True},
        "in_dns": {"yes": 0, "no": 1, "unknown": 0},
    }
    assert zones["use1-az6"]["targets"] == {"healthy": 2, "registered": 2, "complete": False}
    assert zones["use1-az1"]["targets"] == {"healthy": 1, "registered": 2, "complete": True}
    assert zones["use1-az6"]["in_dns"] == {"yes": 1, "no": 0, "unknown": 1}


def test_targets_of_classic_load_balancers_count_and_gaps_make_every_zone_a_floor():
    subjects = {
        "LoadBalancerZone": [balancer_zone("old", ZONES[0], kind="classic", healthy_count=1, registered_count=3)],
        "TargetGroupZone": [group_zone("web", ZONES[0], "healthy", "unhealthy")],
    }
    whole = built([], the_model=model(subjects))["summary"]["zones"]
    assert [z["targets"] for z in whole] == [{"healthy": 2, "registered": 5, "complete": True}]
    partial = built([], the_model=model(subjects, missing={"TargetGroupZone": (DENIED,)}))["summary"]["zones"]
    assert [z["targets"] for z in partial] == [{"healthy": 2, "registered": 5, "complete": False}]


def test_a_zone_whose_id_was_not_read_has_no_id():
    nameless = Zone(None, ZoneName("us-east-1d"))
    the_model = model({"LoadBalancer": [load_balancer("a")], "LoadBalancerZone": [balancer_zone("a", nameless)]})
    document = built([finding(zones=(nameless,))], the_model=the_model)
    assert document["findings"][0]["zones"] == [{"id": None, "name": "us-east-1d"}]
    assert document["inventory"]["load_balancers"][0]["zones"][0]["id"] is None
    assert document["summary"]["zones"][0]["id"] is None


def test_unknown_values_are_null_and_say_what_is_missing():
    api = built()["inventory"]["load_balancers"][0]
    assert api["cross_zone"] is None
    assert api["unknown"] == {"cross_zone": [TARGET_HEALTH.action]}
    second = api["zones"][1]
    assert (second["healthy"], second["registered"]) == (None, None)
    assert set(second["unknown"]) == {"healthy", "registered", "in_dns"}
    web = built()["inventory"]["load_balancers"][1]
    assert "unknown" not in web


def test_listings_that_were_cut_are_named():
    document = built([], the_model=model(missing={"LoadBalancer": (DENIED,)}))
    assert document["inventory"]["load_balancers"] == []
    assert document["inventory"]["incomplete"] == [
        {"list": "load_balancers", "account_id": "123456789012", "region": REGION, "missing": [DENIED.action]}
    ]
    assert built([], the_model=model())["inventory"]["incomplete"] == []


def test_targets_per_zone_and_state():
    targets = (target(ZONES[0]), target(ZONES[0], "unhealthy"), target(ZONES[0]), target(None), target(UNREAD))
    assert _states(targets) == [
        {"id": "use1-az6", "name": "us-east-1a", "states": {"healthy": 2, "unhealthy": 1}},
        {"id": None, "name": None, "states": {"healthy": 1}},
        {"id": None, "name": "all", "states": {"healthy": 1}},
    ]
    assert _states(UNREAD) is UNREAD
    assert isinstance(group_zone("web", ZONES[0]), TargetGroupZone)


def test_shifts_are_listed():
    (shift,) = built()["inventory"]["shifts"]
    assert shift["kind"] == "customer shift"
    assert shift["away_from"] == {"id": "use1-az1", "name": "us-east-1b"}
    assert shift["until"] == "2026-11-30T09:00:00+00:00"


def test_json_reads_back_whole_for_any_text_and_number():
    hostile = 'a"b\\ \u202e \x1b[31m \u2028 </script> 日本 \U0001f4a5'
    odd = Evidence(says="x", source="s", field="f", value={"n": float("nan"), "i": float("inf"), "z": ZONES[0]}, at="")
    document = built([finding(name=hostile, tags={hostile: hostile}, message=hostile, evidence=(odd,))])
    text = render("json", document, RenderOptions())
    again = json.loads(text, parse_constant=lambda name: (_ for _ in ()).throw(AssertionError(name)))
    assert again == document
    assert "日本" in text
    assert again["findings"][0]["evidence"][0]["value"] == {
        "n": None,
        "i": None,
        "z": {"id": "use1-az6", "name": "us-east-1a"},
    }


def test_every_format_renders_an_empty_account_and_ends_its_last_line():
    document = built([], the_model=model())
    for name, everything in itertools.product(FORMATS, (False, True)):
        text = render(name, document, RenderOptions(all_verdicts=everything))
        assert text.endswith("\n")
        assert not text.endswith("\n\n")


def test_gate_counts_only_open_failures():
    document = built([finding(status=Status.UNKNOWN), finding(hidden_by="x"), finding(muted=MUTE)])
    assert set(document["summary"]["by_severity"].values()) == {0}
