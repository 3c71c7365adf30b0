"""What a scan could not read, folded: one line for each account, region, action and reason."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from ..model.finding import Finding
from ..model.inventory import Gap, Inventory
from ..model.known import Outcome
from ..model.verdict import Status


def gaps_of(inventory: Inventory, findings: Iterable[Finding]) -> list[dict[str, Any]]:
    """Failed calls by account, region, action, outcome and code, with the rules that they leave unknown.

    A listing that ended early without an error code counts as ``failed``.
    """
    counts = Counter(_key(gap) for gap in inventory.gaps)
    rules = _unknown_rules(findings)
    return [
        {
            "account": account,
            "region": region,
            "action": action,
            "outcome": outcome,
            "code": code,
            "count": counts[account, region, action, outcome, code],
            "rules": sorted(rules[account, region, action]),
        }
        for account, region, action, outcome, code in sorted(counts)
    ]


def _key(gap: Gap) -> tuple[str, str, str, str, str]:
    outcome = gap.reason.outcome or Outcome.FAILED
    return gap.account_id, gap.region, gap.read.action, outcome.value, gap.reason.code


def _unknown_rules(findings: Iterable[Finding]) -> dict[tuple[str, str, str], set[str]]:
    rules: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for finding in findings:
        if finding.status is Status.UNKNOWN:
            for action in finding.missing_actions:
                rules[finding.resource.account_id, finding.resource.region, action].add(finding.rule_id)
    return rules
