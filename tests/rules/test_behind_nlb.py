"""What the rules about an Application Load Balancer behind a Network Load Balancer hide, among all rules."""

from __future__ import annotations

from auditor.derive.build import derive
from auditor.evaluate.catalogue import load_catalogue
from auditor.evaluate.intent import intent_entries
from auditor.evaluate.run import JudgeOptions, judge
from auditor.evaluate.scenario import answers, changed
from auditor.model.verdict import Status
from auditor.record.decode import decode

CATALOGUE = load_catalogue()
ON = {"attributes": {"zonal_shift.config.enabled": "true"}}
OFF = {"attributes": {"zonal_shift.config.enabled": "false"}}


def failing(change, intent=()):
    """Findings by rule and resource, each with the rule that hides it or None."""
    scenario = changed(CATALOGUE.scenario("nlb-in-front-of-alb"), change)
    options = JudgeOptions(intent=intent_entries(list(intent), "intent"))
    found = judge(derive(decode(*answers(scenario))), CATALOGUE, options).findings
    rules = {f.id: f.rule_id for f in found}
    return {(f.rule_id, f.resource.name): rules.get(f.hidden_by or "") for f in found if f.status is Status.FAIL}


def network(group):
    return {
        "type": "network",
        "zones": ["a", "b", "c"],
        "listeners": [{"port": 443, "protocol": "TCP", "default": {"forward": group}}],
    }


# Which switch is meant


def shift(change, intent=()):
    found = failing(change, intent)
    return {key: hider for key, hider in found.items() if "shift" in key[0] and key[0].startswith(("lb-", "alb-"))}


def test_the_switch_that_is_off_stands_in_one_finding():
    assert shift({"load_balancers": {"front": OFF, "site": ON}}) == {
        ("alb-behind-nlb-shift-layer", "site"): None,
        ("lb-zonal-shift-disabled", "front"): "alb-behind-nlb-shift-layer",
    }


def test_other_network_load_balancers_stay_in_sight():
    """One that has no such load balancer behind it, one whose is not switched on either, and one that sends it nothing."""
    idle = network({"idle-site": 0})
    change = {
        "load_balancers": {
            "front": OFF,
            "site": ON,
            "plain": network("plain-tcp"),
            "other": network("other-alb"),
            "idle": idle,
            "quiet": {
                "type": "application",
                "zones": ["a", "b", "c"],
                "listeners": [{"port": 443, "protocol": "HTTPS", "default": {"forward": "quiet-web"}}],
            },
        },
        "target_groups": {
            "plain-tcp": {"type": "ip", "protocol": "TCP", "targets": dict.fromkeys("abc", "2 healthy")},
            "other-alb": {"type": "alb", "port": 443, "targets": {"quiet": "1 healthy"}},
            "idle-site": {"type": "alb", "port": 443, "targets": {"site": "1 healthy"}},
            "quiet-web": {"type": "ip", "targets": dict.fromkeys("abc", "2 healthy")},
        },
    }
    assert shift(change) == {
        ("alb-behind-nlb-shift-layer", "site"): None,
        ("lb-zonal-shift-disabled", "front"): "alb-behind-nlb-shift-layer",
        ("lb-zonal-shift-disabled", "idle"): None,
        ("lb-zonal-shift-disabled", "other"): None,
        ("lb-zonal-shift-disabled", "plain"): None,
    }


def test_without_the_one_the_other_is_in_sight():
    meant = [{"match": {"name": "site"}, "is": ["no-shift"], "reason": "edge only"}]
    change = {"load_balancers": {"front": OFF, "site": ON}}
    assert shift(change, meant) == {("lb-zonal-shift-disabled", "front"): None}


# Where the health check ends


def check(default, matcher, *rules, state="1 unhealthy"):
    listener = {
        "port": 443,
        "protocol": "HTTPS",
        "default": default,
        "rules": [{"priority": n, **r} for n, r in enumerate(rules, 1)],
    }
    change = {
        "load_balancers": {"site": {"listeners": [listener]}},
        "target_groups": {"front-site": {"health_check": {"matcher": matcher}, "targets": {"site": state}}},
    }
    return {rule: hider for (rule, name), hider in failing(change).items() if name == "front-site"}


HOST = {"when": {"host": ["shop.example.com"]}, "then": {"forward": "site-web"}}


def test_host_rules_explain_the_rejected_answer_and_the_failing_target():
    found = check({"fixed": 404}, "200", HOST)
    assert found["nlb-alb-host-rules-only"] is None
    for hidden in ("nlb-alb-redirect-rejected", "tg-https-check-all-failing", "tg-unhealthy-targets"):
        assert found[hidden] == "nlb-alb-host-rules-only"


def test_host_rules_explain_the_hollow_check():
    found = check({"redirect": 301}, "200-399", HOST, state="1 healthy")
    assert found["nlb-alb-host-rules-only"] is None
    assert found["nlb-alb-hollow-health-check"] == "nlb-alb-host-rules-only"


def test_an_answer_that_is_accepted_does_not_explain_a_failing_target():
    for rules in ((HOST,), ()):
        found = check({"redirect": 301}, "200-399", *rules)
        assert found["tg-https-check-all-failing"] is None


def test_every_cause_of_a_failing_target_hides_the_suspicions():
    for rule_id in ("nlb-alb-tls13-only-health-check", "nlb-alb-redirect-rejected", "nlb-alb-health-check-port"):
        for hidden in ("tg-https-check-all-failing", "tg-unhealthy-targets"):
            assert rule_id in CATALOGUE.hiding[hidden]
