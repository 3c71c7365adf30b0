"""What could not be read, folded by missing action, and what is not settled yet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..registry import Document
from .findings import where
from .ink import Ink, counted

_OUTCOMES = {
    "denied": "denied",
    "throttled": "throttled to the end",
    "expired": "refused, the credentials have expired",
    "failed": "failed",
    "not_enabled": "not enabled there",
    "not_offered": "not offered there",
    "gone": "about something that vanished during the scan",
}
_HARMLESS = ("gone", "not_enabled", "not_offered")
_REGION = "AWS::AccountRegion"

Item = Mapping[str, Any]


def unread(document: Document, ink: Ink) -> Iterator[str]:
    """Lines for gaps and for unknown verdicts; none when everything was read and settled."""
    unknown = [finding for finding in document["findings"] if finding["status"] == "unknown"]
    lines = [*_gaps(document, unknown, ink), *_not_asked(document, unknown, ink), *_unsettled(unknown, ink)]
    if not lines:
        return
    yield ink.warn("NOT KNOWN")
    yield ""
    yield from lines
    if any(gap["outcome"] == "denied" for gap in document["scan"]["gaps"]):
        yield ""
        yield from ink.wrapped("`auditor permissions` prints the policy that permits these reads.", 2)
    yield ""


def _gaps(document: Document, unknown: list[Item], ink: Ink) -> Iterator[str]:
    folded: dict[tuple[str, str], list[Item]] = defaultdict(list)
    for gap in document["scan"]["gaps"]:
        folded[gap["action"], gap["outcome"]].append(gap)
    for (action, outcome), gaps in sorted(folded.items(), key=lambda entry: (entry[0][1] in _HARMLESS, entry[0])):
        calls = sum(gap["count"] for gap in gaps)
        codes = sorted({gap["code"] for gap in gaps if gap["code"]})
        detail = ", ".join([counted(calls, "call"), *codes, *_places(document, gaps)])
        scopes = {(gap["account"], gap["region"]) for gap in gaps}
        touched = [f for f in unknown if action in f["missing_actions"] and (f["account_id"], f["region"]) in scopes]
        rules = {rule for gap in gaps for rule in gap["rules"]}
        effect = _effect(rules, touched)
        text = f"{action} {_OUTCOMES.get(outcome, outcome)} ({detail})" + (f": {effect}" if effect else "")
        lines = ink.wrapped(text, 2)
        yield from map(ink.dim, lines) if outcome in _HARMLESS else lines


def _places(document: Document, gaps: list[Item]) -> list[str]:
    """The regions, where the scan has more than one."""
    if len(document["scan"]["regions"]) < 2:
        return []
    return sorted({gap["region"] for gap in gaps})


def _effect(rules: Iterable[str], touched: list[Item]) -> str:
    """What stays open, in a few words."""
    number = len(set(rules))
    if not number:
        return ""
    resources = {(f["resource"]["arn"], f["resource"]["name"]) for f in touched if f["resource"]["type"] != _REGION}
    regions = sorted({f["region"] for f in touched if f["resource"]["type"] == _REGION})
    about = [counted(len(resources), "resource")] if resources else []
    about += (
        [f"whatever else is in {', '.join(regions)}" if resources else f"anything in {', '.join(regions)}"]
        if regions
        else []
    )
    return f"{counted(number, 'rule')} cannot be judged" + (f" for {' and '.join(about)}" if about else "")


def _not_asked(document: Document, unknown: list[Item], ink: Ink) -> Iterator[str]:
    """Actions that verdicts miss although no call of theirs failed: the recording does not hold them."""
    failed = {gap["action"] for gap in document["scan"]["gaps"]}
    folded: dict[str, list[Item]] = defaultdict(list)
    for finding in unknown:
        for action in finding["missing_actions"]:
            if action not in failed:
                folded[action].append(finding)
    for action in sorted(folded):
        rules = {finding["rule_id"] for finding in folded[action]}
        yield from ink.wrapped(f"{action} was not asked: {_effect(rules, folded[action])}", 2)


def _unsettled(unknown: list[Item], ink: Ink) -> Iterator[str]:
    """Verdicts that no call would settle, such as targets still starting: by rule, with the first message."""
    folded: dict[str, list[Item]] = defaultdict(list)
    for finding in unknown:
        if not finding["missing_actions"]:
            folded[finding["rule_id"]].append(finding)
    for rule, group in sorted(folded.items()):
        first = where(group[0])
        more = f" and {counted(len(group) - 1, 'other')}" if len(group) > 1 else ""
        yield from ink.wrapped(f"{rule} on {first}{more}: {group[0]['message']}", 2)
