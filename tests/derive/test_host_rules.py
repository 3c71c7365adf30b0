"""Rules that forward only for host names, which the check of a Network Load Balancer does not have."""

from __future__ import annotations

import pytest

from auditor.derive.host_rules import forwarding_rules, only_host_rules
from auditor.derive.listener_rules import Probe
from auditor.model import elbv2
from auditor.model.known import Listing, Reason

from .region import denied, unknown

FORWARD = elbv2.Action(Type="forward", TargetGroupArn="arn:tg")
LOGIN = elbv2.Action(Type="authenticate-oidc", Order=1)
REDIRECT = elbv2.Action(Type="redirect", RedirectConfig=elbv2.RedirectConfig(StatusCode="HTTP_301"))
GONE = elbv2.Action(Type="fixed-response", FixedResponseConfig=elbv2.FixedResponseConfig(StatusCode="404"))
GAP = Reason(kind="refused", says="no", action="elasticloadbalancing:DescribeRules")


def host(*values, regex=()):
    return elbv2.RuleCondition(
        Field="host-header", HostHeaderConfig=elbv2.ConditionValues(Values=list(values), RegexValues=list(regex))
    )


def path(*values):
    return elbv2.RuleCondition(Field="path-pattern", PathPatternConfig=elbv2.ConditionValues(Values=list(values)))


def header():
    return elbv2.RuleCondition(Field="http-header", HttpHeaderConfig=elbv2.ConditionValues(Values=["1"]))


def rule(priority, actions, *conditions):
    return elbv2.Rule(
        RuleArn=f"arn:{priority}",
        Priority=str(priority),
        Conditions=list(conditions),
        Actions=actions if isinstance(actions, list) else [actions],
        IsDefault=priority == "default",
    )


def only(*rules, default=GONE, sources=("10.0.0.14", "10.0.16.14"), gaps=()):
    listener = elbv2.Listener(ListenerArn="arn:l", DefaultActions=[default])
    probe = Probe(path="/healthz", ports=(443,), sources=sources)
    return only_host_rules(Listing(rules, gaps), listener, probe)


SHOP = rule(5, FORWARD, host("shop.example.com"))


@pytest.mark.parametrize("default", [GONE, REDIRECT])
@pytest.mark.parametrize(
    "rules",
    [
        (SHOP,),
        (SHOP, rule(6, FORWARD, host("*.example.com", "api.example.org"), path("/healthz"))),
        (rule(5, [LOGIN, FORWARD], host("shop.example.com")),),
        (SHOP, rule(6, GONE, path("/old/*"))),
        (SHOP, rule(6, REDIRECT, host("old.example.com"))),
        (rule(5, FORWARD, host("shop.example.com"), header()),),
        (rule(5, FORWARD, host(regex=["^shop[.]"])),),
    ],
)
def test_every_rule_that_forwards_needs_a_host_name(rules, default):
    assert only(*rules, default=default) is True
    assert only(*reversed(rules), rule("default", default), default=FORWARD) is True


@pytest.mark.parametrize(
    "rules",
    [
        (),
        (rule(5, REDIRECT, host("shop.example.com")),),
        (SHOP, rule(6, FORWARD, path("/healthz"))),
        (SHOP, rule(6, FORWARD, path("/api/*"))),
        (SHOP, rule(6, FORWARD, header())),
        (SHOP, rule(6, FORWARD)),
        (SHOP, rule(1, GONE, path("/healthz"))),
        (SHOP, rule(9, GONE, path("/healthz"))),
        (SHOP, rule(9, REDIRECT)),
        (rule(5, FORWARD, host(regex=["^10[.].*$"])),),
    ],
)
def test_something_else_decides(rules):
    assert only(*rules) is False


@pytest.mark.parametrize("default", [FORWARD, elbv2.Action(Type="jwt-validation")])
def test_the_default_action_must_answer_itself(default):
    assert only(SHOP, default=default) is False


def test_a_default_action_that_forwards_after_a_login_does_forward():
    assert only(SHOP, rule("default", [LOGIN, elbv2.Action(Type="forward", Order=2, TargetGroupArn="arn:tg")])) is False


@pytest.mark.parametrize(
    ("expression", "holds"),
    [("^10[.]0[.][0-9]+[.]14$", None), ("^10[.]0[.].*:443$", None), ("^10[.].*$", False), ("^shop[.].*$", True)],
)
def test_an_expression_is_tried_on_the_address_with_and_without_the_port(expression, holds):
    found = only(rule(5, FORWARD, host(regex=[expression])))
    assert unknown(found) if holds is None else found is holds


def test_an_expression_needs_the_addresses():
    action = "ec2:DescribeNetworkInterfaces"
    assert unknown(only(rule(5, FORWARD, host(regex=["^10[.]"])), sources=denied(action)), action)
    assert only(SHOP, sources=denied(action)) is True


def test_a_rule_that_may_answer_leaves_it_open():
    assert unknown(only(SHOP, rule(6, GONE, header())))
    assert only(SHOP, rule(6, GONE, header()), rule(7, FORWARD, path("/api/*"))) is False


def test_unread_rules_leave_it_open():
    assert unknown(only(SHOP, gaps=(GAP,)), GAP.action)
    assert unknown(forwarding_rules(Listing((SHOP,), (GAP,))), GAP.action)


def test_rules_in_words():
    old = elbv2.RuleCondition(Field="host-header", Values=["a.example.com"])
    rules = (
        rule("default", FORWARD),
        rule(40, FORWARD, path("/x")),
        rule(7, FORWARD, host("a.example.com", "b.example.com", regex=["^c"])),
        rule(20, REDIRECT, host("d.example.com")),
        rule(10, FORWARD, old),
    )
    assert forwarding_rules(Listing(rules)) == (
        "priority 7: a.example.com or b.example.com or ^c",
        "priority 10: a.example.com",
        "priority 40: any host",
    )
