"""Findings for people: grouped by severity; what, where, and the command that mends it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ..plain import columns, plain
from ..registry import Document
from .ink import Ink, counted

_SEVERITIES = ("critical", "high", "medium", "low", "info")

Item = Mapping[str, Any]


def is_open(finding: Item) -> bool:
    """Whether it fails, and is neither hidden by another finding nor muted."""
    return finding["status"] == "fail" and finding["hidden_by"] is None and finding["muted"] is None


def findings(document: Document, ink: Ink, *, show_all: bool) -> Iterator[str]:
    """Lines of all open findings; hidden and muted ones are counted, and with `show_all` listed in a line each."""
    listed = [finding for finding in document["findings"] if is_open(finding)]
    scopes = {(b["account_id"], b["region"]) for b in document["findings"]} | {
        (zone["account_id"], zone["region"]) for zone in document["summary"]["zones"]
    }
    for severity in _SEVERITIES:
        group = [finding for finding in listed if finding["severity"] == severity]
        if not group:
            continue
        yield ink.severity(f"{severity.upper()} ({len(group)})", severity)
        yield ""
        for finding in group:
            yield from _finding(finding, ink, with_scope=len(scopes) > 1)
            yield ""
    yield from _crashed(document, ink)
    if show_all:
        yield from _verdicts(document, ink)
    else:
        yield from _set_aside(document, ink)


def where(finding: Item) -> str:
    """The resource with its kind, and the zones the finding is about, by ID and name."""
    resource = finding["resource"]
    zones = ", ".join(_zone(zone) for zone in finding["zones"])
    return plain(f"{kind(resource['type'])} {resource['name']}" + (f" in {zones}" if zones else ""))


def kind(cloudformation_type: str) -> str:
    """A CloudFormation type in words: ``AWS::ElasticLoadBalancingV2::TargetGroup`` is ``target group``."""
    last = cloudformation_type.rsplit("::", 1)[-1]
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", last).lower().replace("dbinstance", "DB instance")


def _zone(zone: Item) -> str:
    if zone["id"] and zone["name"]:
        return f"{zone['id']} ({zone['name']})"
    return str(zone["id"] or f"? ({zone['name']})")


def _finding(finding: Item, ink: Ink, *, with_scope: bool) -> Iterator[str]:
    rule = plain(finding["rule_id"])
    if finding["confidence"] != "certain":
        rule += f" ({finding['confidence']})"
    yield from _title(where(finding), rule, ink)
    if with_scope:
        yield ink.dim(plain(f"    {finding['account_id']} {finding['region']}"))
    yield from ink.wrapped(finding["message"], 4)
    remedy = finding["remediation"]
    if remedy["summary"]:
        yield from ink.wrapped(remedy["summary"], 4, label="fix   ")
    for command in remedy["commands"]:
        yield from ink.command(command, 10)
    if remedy["caution"]:
        yield from ink.wrapped(remedy["caution"], 4, label="care  ")


def _title(place: str, rule: str, ink: Ink) -> Iterator[str]:
    """Place at the left, rule at the right edge; on a line of its own where both do not fit."""
    space = ink.width - 2 - columns(place) - len(rule)
    if space >= 2:
        yield "  " + ink.bold(place) + " " * space + ink.dim(rule)
        return
    for line in ink.wrapped(place, 2):
        yield ink.bold(line)
    yield "    " + ink.dim(rule)


def _crashed(document: Document, ink: Ink) -> Iterator[str]:
    crashed = [finding for finding in document["findings"] if finding["status"] == "error"]
    if not crashed:
        return
    yield ink.bad(f"RULES THAT BROKE ({len(crashed)})")
    yield ""
    for finding in crashed:
        yield from ink.wrapped(f"{finding['rule_id']} on {where(finding)}: {finding['message']}", 2)
    yield from ink.wrapped("A broken rule says nothing of the account: it is a fault of the rule.", 2)
    yield ""


def _set_aside(document: Document, ink: Ink) -> Iterator[str]:
    failing = [finding for finding in document["findings"] if finding["status"] == "fail"]
    muted = sum(finding["muted"] is not None for finding in failing)
    hidden = sum(finding["hidden_by"] is not None and finding["muted"] is None for finding in failing)
    parts = []
    if hidden:
        parts.append(f"{counted(hidden, 'more follows', 'more follow')} from the findings above")
    if muted:
        parts.append(f"{muted} muted")
    if parts:
        yield from map(ink.dim, ink.wrapped(f"{', '.join(parts)}; --all lists them."))
        yield ""


def _verdicts(document: Document, ink: Ink) -> Iterator[str]:
    """Every verdict that is not an open finding, a line each."""
    rest = [f for f in document["findings"] if not is_open(f) and f["status"] not in ("error", "unknown")]
    if not rest:
        return
    yield ink.bold(f"OTHER VERDICTS ({len(rest)})")
    yield ""
    rules = {finding["id"]: finding["rule_id"] for finding in document["findings"]}
    for finding in rest:
        yield from ink.wrapped(f"{_verdict(finding, rules)}: {finding['rule_id']}, {where(finding)}", 2)
    yield ""


def _verdict(finding: Item, rules: Mapping[str, str]) -> str:
    if finding["muted"] is not None:
        muted = finding["muted"]
        until = f" until {muted['until']}" if muted["until"] else ""
        return f"muted{until} ({muted['reason']})"
    if finding["hidden_by"] is not None:
        return f"hidden by {rules.get(finding['hidden_by'], finding['hidden_by'])}"
    return str(finding["status"]).replace("_", " ")
