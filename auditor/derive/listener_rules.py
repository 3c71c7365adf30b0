"""Where does the health-check request of a Network Load Balancer end inside an Application Load Balancer?

One GET is walked through the listener's rules. The host of the request is the address of an NLB node, so
a literal or wildcard host name never matches. What the answers cannot settle (a regular expression that depends on
undocumented handling, an HTTP header, an unread address) makes that rule's match unknown; the outcome stays known when
every possible way ends alike.
https://docs.aws.amazon.com/elasticloadbalancing/latest/application/listener-rules.html
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Sequence
from typing import Literal
from urllib.parse import parse_qsl

import msgspec

from ..model import elbv2
from ..model.known import Known, Listing, Unknown, merge, unclear
from ..model.verdict import Truth, all_of, any_of

Kind = Literal["redirect", "fixed_response", "denied", "forward", "none"]


class Probe(msgspec.Struct, frozen=True, kw_only=True):
    """The request: path with query, ports of the NLB listeners it may name, and the private addresses of the NLB's nodes."""

    path: str
    ports: tuple[int, ...]
    sources: Known[tuple[str, ...]]


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """How the request ends; `code` is None when the targets decide. `rule` names the rule that decided."""

    kind: Kind
    code: int | None
    rule: str

    @property
    def words(self) -> str:
        """The outcome as a phrase."""
        if self.kind == "forward":
            return f"{self.rule} forwards it to targets"
        if self.kind == "none":
            return f"{self.rule} has no action that answers"
        verb = {"redirect": "redirects it", "fixed_response": "answers it itself", "denied": "refuses it"}[self.kind]
        return f"{self.rule} {verb}" if self.code is None else f"{self.rule} {verb} with {self.code}"


def outcome_of(actions: Sequence[elbv2.Action], rule: str) -> Outcome:
    """What a list of actions does with a request that carries no session and no token."""
    for action in sorted(actions, key=lambda a: a.Order or 0):
        if action.Type == "redirect" and action.RedirectConfig:
            code = 302 if action.RedirectConfig.StatusCode == "HTTP_302" else 301
            return Outcome(kind="redirect", code=code, rule=rule)
        if action.Type == "fixed-response" and action.FixedResponseConfig:
            status = action.FixedResponseConfig.StatusCode
            return Outcome(kind="fixed_response", code=int(status) if status.isdigit() else None, rule=rule)
        if action.Type == "jwt-validation":
            return Outcome(kind="denied", code=401, rule=rule)
        if action.Type.startswith("authenticate-"):
            config = action.AuthenticateOidcConfig or action.AuthenticateCognitoConfig
            on_missing = (config.OnUnauthenticatedRequest if config else None) or "authenticate"
            if on_missing == "authenticate":
                return Outcome(kind="redirect", code=302, rule=rule)
            if on_missing == "deny":
                return Outcome(kind="denied", code=401, rule=rule)
        elif action.Type == "forward":
            return Outcome(kind="forward", code=None, rule=rule)
    return Outcome(kind="none", code=None, rule=rule)


def _glob(pattern: str, text: str, *, ignore_case: bool = False) -> bool:
    """Match of ``*`` and ``?``; in a query string a backslash takes their meaning away (which ignores case as well)."""
    parts = re.findall(r"\\[*?]|.", pattern, re.DOTALL) if ignore_case else list(pattern)
    special = {"*": ".*", "?": "."}
    translated = "".join(special.get(p) or re.escape(p[-1] if len(p) > 1 else p) for p in parts)
    return re.fullmatch(translated, text, re.DOTALL | (re.IGNORECASE if ignore_case else 0)) is not None


# A repeated group that itself repeats can take for ever to fail; such an expression is not evaluated.
_EXPLOSIVE = re.compile(r"\([^()]*[*+}][^()]*\)\s*[*+{]|\)[*+}]?\)\s*[*+{]")


def _regex(patterns: Iterable[str], texts: Known[Sequence[str]], what: str) -> Truth:
    """Match of regular expressions; unknown when searching and full matching differ, or the texts do."""
    truths: list[Truth] = []
    for pattern in patterns:
        if isinstance(texts, Unknown):
            truths.append(texts)
            continue
        try:
            compiled = None if _EXPLOSIVE.search(pattern) else re.compile(pattern)
        except re.error:
            compiled = None
        if compiled is None:
            truths.append(unclear(f"the {what} expression {pattern} cannot be evaluated here"))
            continue
        found = {bool(m) for t in texts for m in (compiled.search(t), compiled.fullmatch(t))}
        truths.append(
            found.pop() if len(found) == 1 else unclear(f"it is not documented how {what} is matched by {pattern}")
        )
    return any_of(truths)


def _host(condition: elbv2.RuleCondition, probe: Probe) -> Truth:
    regexes = [*(condition.HostHeaderConfig.RegexValues if condition.HostHeaderConfig else ()), *condition.RegexValues]
    hosts: Known[list[str]] = (
        probe.sources
        if isinstance(probe.sources, Unknown)
        else [h for s in probe.sources for h in (s, *(f"{s}:{port}" for port in probe.ports))]
    )
    return _regex(regexes, hosts, "the host") if regexes else False


def _path(condition: elbv2.RuleCondition, probe: Probe) -> Truth:
    path = probe.path.split("?", 1)[0]
    config = condition.PathPatternConfig
    if any(_glob(p, path) for p in [*(config.Values if config else ()), *condition.Values]):
        return True
    return _regex([*(config.RegexValues if config else ()), *condition.RegexValues], [path], "the path")


def _query(condition: elbv2.RuleCondition, probe: Probe) -> Truth:
    pairs = parse_qsl(probe.path.partition("?")[2], keep_blank_values=True)
    wanted = condition.QueryStringConfig.Values if condition.QueryStringConfig else []
    return any(
        (w.Key is None or _glob(w.Key, key, ignore_case=True)) and _glob(w.Value, value, ignore_case=True)
        for w in wanted
        for key, value in pairs
    )


def _source(condition: elbv2.RuleCondition, probe: Probe) -> Truth:
    if isinstance(probe.sources, Unknown):
        return probe.sources
    networks = [
        ipaddress.ip_network(v, strict=False) for v in (condition.SourceIpConfig or elbv2.ConditionValues()).Values
    ]
    inside = {any(ipaddress.ip_address(s) in n for n in networks) for s in probe.sources}
    return (
        inside.pop()
        if len(inside) == 1
        else unclear("only some nodes of the load balancer match a source-ip condition")
    )


def condition_holds(condition: elbv2.RuleCondition, probe: Probe) -> Truth:
    """Whether one condition of a rule matches the probe."""
    match condition.Field:
        case "host-header":
            return _host(condition, probe)
        case "path-pattern":
            return _path(condition, probe)
        case "query-string":
            return _query(condition, probe)
        case "http-request-method":
            config = condition.HttpRequestMethodConfig
            return "GET" in [*(config.Values if config else ()), *condition.Values]
        case "source-ip":
            return _source(condition, probe)
        case other:
            return unclear(f"a condition on {other or 'an unnamed field'} cannot be evaluated from the API")


def walk(rules: Listing[elbv2.Rule], listener: elbv2.Listener, probe: Probe) -> Known[Outcome]:
    """The end of the probe: the first rule by priority that matches decides, else the default action.

    Unknown when rules could not be read, or when a rule whose match is unknown would end differently from what follows it.
    """
    if not rules.complete:
        return rules.unknown
    ways: list[Outcome] = []
    doubts: list[Unknown] = []
    numbered = [r for r in rules if not r.IsDefault and r.Priority.isdigit()]
    for rule in sorted(numbered, key=lambda r: int(r.Priority)):
        holds = all_of(condition_holds(c, probe) for c in rule.Conditions)
        if holds is False:
            continue
        ways.append(outcome_of(rule.Actions, f"the rule with priority {rule.Priority}"))
        if holds is True:
            break
        doubts.append(holds)
    else:
        default = next((r.Actions for r in rules if r.IsDefault), listener.DefaultActions)
        ways.append(outcome_of(default, "the default action"))
    if len({(w.kind, w.code) for w in ways}) == 1:
        return msgspec.structs.replace(ways[-1], rule=" or ".join(w.rule for w in ways))
    return merge(doubts)
