"""Which finding wins: one cause, one finding (catalogue, last section)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import msgspec

from ..model.finding import Cause, Finding
from ..model.verdict import Status

__all__ = ["hide"]


def hide(findings: Sequence[Finding], hiding: Mapping[str, Sequence[str]]) -> list[Finding]:
    """Set `hidden_by` on findings whose every cause one other finding covers.

    Only violations hide, and only violations are hidden: what could not be judged stays in sight. A finding without a known
    cause is never hidden. `hidden_by` is the id of the finding that stays in sight, also where that hides a finding that
    hides this one.

    Args:
        findings: of all rules, in any order.
        hiding: for each rule that others hide, the ids of those (see `Catalogue.hiding`; it has no circles).
    """
    by_cause: dict[tuple[str, str], list[Finding]] = defaultdict(list)
    for finding in findings:
        if finding.status is Status.FAIL:
            for arn in dict.fromkeys(c.arn for c in finding.causes):
                by_cause[finding.rule_id, arn].append(finding)
    hidden: dict[str, str] = {}
    for finding in findings:
        if finding.rule_id in hiding and finding.status is Status.FAIL and finding.causes:
            winner = _winner(finding, hiding[finding.rule_id], by_cause)
            if winner:
                hidden[finding.id] = winner.id
    return [
        msgspec.structs.replace(f, hidden_by=_visible(f.id, hidden))
        if f.id in hidden and f.status is Status.FAIL
        else f
        for f in findings
    ]


def _winner(
    finding: Finding, rules: Sequence[str], by_cause: Mapping[tuple[str, str], Sequence[Finding]]
) -> Finding | None:
    arn = finding.causes[0].arn
    candidates = (c for rule in rules for c in by_cause.get((rule, arn), ()))
    return next((c for c in candidates if all(_covers(c.causes, cause) for cause in finding.causes)), None)


def _covers(causes: Sequence[Cause], wanted: Cause) -> bool:
    return any(c.arn == wanted.arn and c.zone in ("", wanted.zone) for c in causes)


def _visible(finding_id: str, hidden: Mapping[str, str]) -> str:
    while finding_id in hidden:
        finding_id = hidden[finding_id]
    return finding_id
