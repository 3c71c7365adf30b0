"""The walk of a probe through listener rules."""

from __future__ import annotations

import pytest

from auditor.derive.health_checks import accepts
from auditor.derive.listener_rules import Outcome, Probe, condition_holds, outcome_of, walk
from auditor.model import elbv2
from auditor.model.known import Listing, Reason

from .region import denied, unknown

NODES = ("10.0.0.14", "10.0.16.14")


def probe(path="/healthz", sources=NODES, ports=(80,)):
    return Probe(path=path, ports=ports, sources=sources)


def condition(field, *values, regex=(), **more):
    config = {
        "host-header": "HostHeaderConfig",
        "path-pattern": "PathPatternConfig",
        "http-header": "HttpHeaderConfig",
        "http-request-method": "HttpRequestMethodConfig",
        "source-ip": "SourceIpConfig",
    }[field]
    found = elbv2.ConditionValues(Values=list(values), RegexValues=list(regex), **more)
    return elbv2.RuleCondition(Field=field, **{config: found})


@pytest.mark.parametrize("name", ["www.example.com", "*.example.com", "*.com", "api-?.example.com"])
def test_a_host_name_never_matches_an_address(name):
    assert condition_holds(condition("host-header", name), probe()) is False
    assert condition_holds(elbv2.RuleCondition(Field="host-header", Values=[name]), probe()) is False


@pytest.mark.parametrize(
    ("regex", "holds"),
    [
        (r"^10\.0\.\d+\.14(:80)?$", True),
        (r"^www\..*$", False),
        (r"^10\.0\.0\.14$", None),  # with or without a port? with which node?
        (r"^10\.0\.\d+\.14:80$", None),
        (r"10\.0", None),  # found in it, but not all of it
        (r".*", True),
        (r"(", None),
    ],
)
def test_a_regular_expression_must_agree_for_every_form_of_the_host(regex, holds):
    found = condition_holds(condition("host-header", regex=[regex]), probe())
    assert unknown(found) if holds is None else found is holds
    unread = condition_holds(condition("host-header", regex=[regex]), probe(sources=denied("a:B")))
    assert unknown(unread, "a:B")


@pytest.mark.parametrize(
    ("pattern", "path", "holds"),
    [
        ("/healthz", "/healthz", True),
        ("/Healthz", "/healthz", False),
        ("/health*", "/healthz", True),
        ("/health?", "/healthz", True),
        ("/healthz?", "/healthz", False),
        ("*", "/a/b", True),
        ("/a/*", "/a", False),
        ("/a.c", "/abc", False),
        ("/healthz", "/healthz?deep=1", True),
        ("/healthz?deep=1", "/healthz?deep=1", False),
    ],
)
def test_paths(pattern, path, holds):
    assert condition_holds(condition("path-pattern", pattern), probe(path)) is holds
    assert condition_holds(elbv2.RuleCondition(Field="path-pattern", Values=[pattern]), probe(path)) is holds


def test_path_expressions():
    assert condition_holds(condition("path-pattern", regex=["^/health.*$"]), probe()) is True
    assert condition_holds(condition("path-pattern", regex=["^/other$"]), probe()) is False
    assert unknown(condition_holds(condition("path-pattern", regex=["health"]), probe()))
    assert condition_holds(condition("path-pattern", "/healthz", regex=["health"]), probe()) is True


@pytest.mark.parametrize(
    ("key", "value", "holds"),
    [
        ("deep", "1", True),
        ("DEEP", "1", True),
        ("deep", "?", True),
        (None, "1", True),
        ("deep", "2", False),
        ("shallow", "1", False),
        (None, "*", True),
        ("deep", r"\*", False),
    ],
)
def test_query_strings(key, value, holds):
    pair = elbv2.QueryStringKeyValue(Key=key, Value=value)
    wanted = elbv2.RuleCondition(Field="query-string", QueryStringConfig=elbv2.QueryStringValues(Values=[pair]))
    assert condition_holds(wanted, probe("/healthz?deep=1")) is holds
    assert condition_holds(wanted, probe("/healthz")) is False


def test_an_escaped_star_is_a_star():
    pair = elbv2.QueryStringKeyValue(Key="q", Value=r"a\*")
    wanted = elbv2.RuleCondition(Field="query-string", QueryStringConfig=elbv2.QueryStringValues(Values=[pair]))
    assert condition_holds(wanted, probe("/?q=a*")) is True
    assert condition_holds(wanted, probe("/?q=ab")) is False


@pytest.mark.parametrize(("methods", "holds"), [(["GET"], True), (["HEAD", "GET"], True), (["POST"], False)])
def test_methods(methods, holds):
    assert condition_holds(condition("http-request-method", *methods), probe()) is holds


@pytest.mark.parametrize(
    ("ranges", "holds"),
    [
        (["10.0.0.0/8"], True),
        (["192.168.0.0/16"], False),
        (["10.0.0.0/24"], None),
        (["10.0.0.0/24", "10.0.16.0/24"], True),
        (["2001:db8::/32"], False),
    ],
)
def test_source_addresses(ranges, holds):
    found = condition_holds(condition("source-ip", *ranges), probe())
    assert unknown(found) if holds is None else found is holds
    assert unknown(condition_holds(condition("source-ip", *ranges), probe(sources=denied("a:B"))), "a:B")


def test_headers_and_conditions_of_the_future_are_unknown():
    assert unknown(condition_holds(condition("http-header", "*", HttpHeaderName="X-Test"), probe()))
    assert unknown(condition_holds(elbv2.RuleCondition(Field="moon-phase"), probe()))


# Actions


def action(kind, order=None, **config):
    return elbv2.Action(Type=kind, Order=order, **config)


REDIRECT = action("redirect", RedirectConfig=elbv2.RedirectConfig(StatusCode="HTTP_301"))
FOUND = action("redirect", RedirectConfig=elbv2.RedirectConfig(StatusCode="HTTP_302"))
FORWARD = action("forward", TargetGroupArn="arn:tg")


def fixed(code):
    return action("fixed-response", FixedResponseConfig=elbv2.FixedResponseConfig(StatusCode=code))


def authenticate(kind, on_missing, order=1):
    field = {"authenticate-oidc": "AuthenticateOidcConfig", "authenticate-cognito": "AuthenticateCognitoConfig"}[kind]
    config = elbv2.AuthenticateConfig(OnUnauthenticatedRequest=on_missing)
    return action(kind, order, **{field: config})


@pytest.mark.parametrize(
    ("actions", "kind", "code"),
    [
        ([REDIRECT], "redirect", 301),
        ([FOUND], "redirect", 302),
        ([fixed("200")], "fixed_response", 200),
        ([fixed("503")], "fixed_response", 503),
        ([FORWARD], "forward", None),
        ([authenticate("authenticate-oidc", None), action("forward", 2)], "redirect", 302),
        ([action("forward", 2), authenticate("authenticate-cognito", "authenticate")], "redirect", 302),
        ([authenticate("authenticate-oidc", "deny"), action("forward", 2)], "denied", 401),
        ([authenticate("authenticate-cognito", "allow"), action("forward", 2)], "forward", None),
        ([action("jwt-validation", 1), action("forward", 2)], "denied", 401),
        ([], "none", None),
    ],
)
def test_what_actions_do_with_a_bare_request(actions, kind, code):
    found = outcome_of(actions, "the rule")
    assert (found.kind, found.code) == (kind, code)
    assert "None" not in found.words
    assert str(code or "") in found.words


def test_words_without_a_code():
    assert Outcome(kind="denied", code=None, rule="the listener").words == "the listener refuses it"


# Walk


def rule(priority, actions, *conditions):
    return elbv2.Rule(
        RuleArn=f"arn:{priority}",
        Priority=str(priority),
        Conditions=list(conditions),
        Actions=actions,
        IsDefault=priority == "default",
    )


LISTENER = elbv2.Listener(ListenerArn="arn:l", DefaultActions=[fixed("404")])
HEADER = condition("http-header", "1", HttpHeaderName="X-Test")


def ended(*rules, path="/healthz"):
    return walk(Listing(rules), LISTENER, probe(path))


def test_the_lowest_priority_that_matches_decides_whatever_the_order():
    found = ended(
        rule("default", [fixed("404")]), rule(100, [FORWARD]), rule(20, [REDIRECT]), rule(3, [FORWARD], HEADER)
    )
    assert unknown(found)
    found = ended(rule(100, [FORWARD]), rule(20, [REDIRECT], condition("path-pattern", "/healthz")))
    assert (found.kind, found.rule) == ("redirect", "the rule with priority 20")
    found = ended(rule(100, [FORWARD]), rule(20, [REDIRECT], condition("path-pattern", "/other")))
    assert (found.kind, found.rule) == ("forward", "the rule with priority 100")


def test_all_conditions_of_a_rule_must_hold():
    both = [condition("path-pattern", "/healthz"), condition("host-header", "*.example.com")]
    assert ended(rule(1, [FORWARD], *both)).rule == "the default action"
    assert ended(rule(1, [FORWARD], condition("host-header", "*.example.com"), HEADER)).code == 404


def test_the_default_action_ends_the_walk():
    assert ended().code == 404
    assert ended(rule("default", [REDIRECT])).code == 301


def test_a_doubt_matters_only_where_the_ends_differ():
    assert unknown(ended(rule(1, [FORWARD], HEADER)))
    same = ended(rule(1, [fixed("404")], HEADER))
    assert same.code == 404
    assert same.rule == "the rule with priority 1 or the default action"
    assert unknown(ended(rule(1, [fixed("200")], HEADER)))


def test_unread_rules_are_unknown():
    gap = Reason(kind="refused", says="no", action="elasticloadbalancing:DescribeRules")
    assert unknown(walk(Listing((), (gap,)), LISTENER, probe()), "elasticloadbalancing:DescribeRules")


@pytest.mark.parametrize(
    ("code", "default", "strict", "range_"),
    [
        (301, True, False, False),
        (302, True, False, False),
        (200, True, True, True),
        (204, True, False, True),
        (404, False, False, False),
        (503, False, False, False),
    ],
)
def test_the_matcher_table(code, default, strict, range_):
    assert (accepts("200-399", code), accepts("200", code), accepts("200-299", code)) == (default, strict, range_)


@pytest.mark.parametrize(
    ("matcher", "code", "accepted"),
    [
        ("200,301", 301, True),
        ("200, 301", 301, True),
        ("200,300-302", 303, False),
        ("", 200, False),
        ("200-", 200, True),
    ],
)
def test_forms_of_a_matcher(matcher, code, accepted):
    assert accepts(matcher, code) is accepted
