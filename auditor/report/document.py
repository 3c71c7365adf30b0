"""The report document, schema ``auditor.report/1``: everything a format may show, in one fixed order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from ..derive.zonal_model import ZonalModel
from ..model.finding import Finding
from ..model.inventory import Inventory
from ..model.verdict import Severity, Status
from .facts import ordered, plain_value, zone_of
from .gaps import gaps_of
from .inventory import inventory_of
from .zones import zones_of

SCHEMA = "auditor.report/1"

_SHOWN_BY_DEFAULT = frozenset({Status.FAIL, Status.UNKNOWN, Status.ERROR})


class DocumentOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What the findings list shows. The summary always counts everything.

    `min_severity` leaves out findings below it (rules that crashed are always shown); `all_verdicts` adds pass and
    not_applicable; `account_names` are those of the settings.
    """

    all_verdicts: bool = False
    min_severity: Severity = Severity.INFO
    account_names: Mapping[str, str] = msgspec.field(default_factory=dict)


def build(
    model: ZonalModel,
    findings: Iterable[Finding],
    by_status: Mapping[Status, int],
    options: DocumentOptions | None = None,
) -> dict[str, Any]:
    """The document of a judged scan, in terms of JSON.

    Args:
        model: the zonal model that was judged.
        findings: the verdicts that were written down, in any order; must hold every fail, unknown and error.
        by_status: how many verdicts of each status there are, those that were not written down included.
        options: what to show; by default fail, unknown and error of every severity.
    """
    options = options or DocumentOptions()
    everything = sorted(findings, key=_order)
    return {
        "schema": SCHEMA,
        "scan": _scan(model.inventory, everything, options.account_names),
        "summary": {
            "by_status": {status.value: by_status.get(status, 0) for status in Status},
            "by_severity": _by_severity(everything),
            "zones": zones_of(model),
        },
        "findings": [finding_of(finding) for finding in everything if _is_shown(finding, options)],
        "inventory": plain_value(inventory_of(model)),
    }


def counts_for_gate(finding: Finding) -> bool:
    """Whether a finding may hold up a gate: it fails, and is neither hidden by another finding nor muted."""
    return finding.status is Status.FAIL and finding.hidden_by is None and finding.muted is None


def _order(finding: Finding) -> tuple[Any, ...]:
    resource = finding.resource
    return (
        -finding.severity.rank,
        resource.account_id,
        resource.region,
        resource.name,
        resource.arn,
        finding.rule_id,
        [zone.key for zone in ordered(finding.zones)],
        finding.id,
    )


def _is_shown(finding: Finding, options: DocumentOptions) -> bool:
    if finding.status is Status.ERROR:
        return True
    if finding.severity.rank < options.min_severity.rank:
        return False
    return options.all_verdicts or finding.status in _SHOWN_BY_DEFAULT


def _by_severity(findings: Iterable[Finding]) -> dict[str, int]:
    counts = Counter(finding.severity for finding in findings if counts_for_gate(finding))
    return {severity.value: counts[severity] for severity in reversed(Severity)}


def _scan(inventory: Inventory, findings: list[Finding], account_names: Mapping[str, str]) -> dict[str, Any]:
    accounts = sorted({region.scope.account_id for region in inventory.regions})
    return {
        "id": inventory.scan_id,
        "tool_version": inventory.tool_version,
        "started_at": inventory.started_at,
        "finished_at": inventory.finished_at,
        "regions": sorted({region.scope.region for region in inventory.regions}),
        "accounts": [{"id": account, "name": account_names.get(account)} for account in accounts],
        "calls": {
            "total": sum(inventory.calls.values()),
            "by_operation": dict(sorted(inventory.calls.items())),
        },
        "complete": inventory.complete,
        "gaps": gaps_of(inventory, findings),
    }


def finding_of(finding: Finding) -> dict[str, Any]:
    """One finding as the document writes it."""
    resource, muted = finding.resource, finding.muted
    return {
        "id": finding.id,
        "rule_id": finding.rule_id,
        "title": finding.title,
        "status": finding.status.value,
        "severity": finding.severity.value,
        "confidence": finding.confidence,
        "account_id": resource.account_id,
        "region": resource.region,
        "resource": {
            "type": resource.type,
            "arn": resource.arn,
            "name": resource.name,
            "tags": dict(sorted(finding.tags.items())),
        },
        "zones": [zone_of(zone) for zone in ordered(finding.zones)],
        "message": finding.message,
        "why": finding.why,
        "remediation": {
            "summary": finding.remediation.summary,
            "commands": list(finding.remediation.commands),
            "caution": finding.remediation.caution,
        },
        "evidence": [
            {
                "says": evidence.says,
                "source": evidence.source,
                "field": evidence.field,
                "value": plain_value(evidence.value),
                "at": evidence.at,
            }
            for evidence in finding.evidence
        ],
        "missing_actions": sorted(finding.missing_actions),
        "references": list(finding.references),
        "hidden_by": finding.hidden_by,
        "muted": None if muted is None else {"reason": muted.reason, "owner": muted.owner, "until": muted.until},
        "first_seen_at": finding.first_seen_at,
    }
