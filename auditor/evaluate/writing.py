"""Verdicts written down as findings: identity, text, evidence, remediation."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from ..derive.evidence import evidence_for
from ..derive.node import Node
from ..derive.zonal_model import RegionModel
from ..model.finding import Cause, Evidence, Finding, Remediation
from ..model.identity import Resource, Zone
from ..model.known import Reason, Unknown
from ..model.verdict import Severity, Status
from .intent import Intent
from .rule import Rule
from .types import joined
from .values import VAGUE, Partial, entries

__all__ = ["Writer", "fingerprint", "reason_words", "zone_key"]

REGION_TYPE = "AWS::AccountRegion"
_MOST_REASONS = 3
# Facts that a text reads to name things or to say what other facts hold: they prove nothing.
_NAMES = frozenset(
    [
        "TargetGroupArn",
        "TargetGroupName",
        "LoadBalancerArn",
        "LoadBalancerName",
        "AutoScalingGroupName",
        "ListenerArn",
        "ZoneName",
        "ZoneId",
        "name",
        "alb_name",
        "label",
        "target_labels",
        "kind_words",
        "feeds_words",
        "since_words",
        "until_words",
        "reading_note",
        "empty_group_names",
        "arns_pinning_cross_zone_off",
        "has_zones",
    ]
)


def fingerprint(rule_id: str, resource: Resource, zone: str = "") -> str:
    """The stable id of a finding: 16 hex digits of a hash over the rule and what it is about."""
    parts = (rule_id, resource.account_id, resource.region, resource.arn or f"{resource.type}/{resource.name}", zone)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def reason_words(unknown: Unknown) -> str:
    """Why something cannot be judged, in words: "DescribeTargetHealth denied"."""
    words = list(dict.fromkeys(_reason(r) for r in unknown.reasons))
    if len(words) > _MOST_REASONS:
        words = [*words[:_MOST_REASONS], f"{len(words) - _MOST_REASONS} more"]
    return joined(words)


def _reason(reason: Reason) -> str:
    operation = reason.action.partition(":")[2]
    if reason.kind == "unclear" or not operation:
        return reason.says
    if reason.kind == "not_asked":
        return f"{operation} was not asked"
    outcome = str(reason.outcome or "failed").replace("_", " ")
    return f"{operation} read in part only ({outcome})" if reason.kind == "partial" else f"{operation} {outcome}"


class Writer:
    """Writes the findings of one rule in one account and region."""

    def __init__(self, rule: Rule, region: RegionModel) -> None:
        self.rule = rule
        self._region = region

    def finding(self, node: Node, status: Status, truth: Any, excuse: Intent | None = None) -> Finding:
        """The verdict `status` on `node`; `truth` is the unknown that made it `unknown`."""
        rule, unknown = self.rule, truth if isinstance(truth, Unknown) else None
        zones = self._zones(node)
        return self._made(
            node.resource,
            status,
            zone=zone_key(node) if rule.per_zone else "",
            severity=self._severity(node),
            tags=node.tags,
            zones=zones,
            message=self._message(node, status, unknown, excuse),
            remediation=self._remediation(node) if status is Status.FAIL else Remediation(summary=""),
            evidence=self._evidence(node, status) if status in (Status.FAIL, Status.UNKNOWN) else (),
            missing_actions=unknown.actions if unknown is not None and status is Status.UNKNOWN else (),
            causes=self._causes(node),
        )

    def region_unknown(self, unknown: Unknown) -> Finding:
        """The verdict about the region where subjects may be missing from the listing."""
        scope = self._region.inventory.scope
        resource = Resource(
            type=REGION_TYPE, arn="", name=scope.region, account_id=scope.account_id, region=scope.region
        )
        return self._made(
            resource,
            Status.UNKNOWN,
            severity=self.rule.severities[-1],
            message=f"cannot be judged for every {self.rule.subject.__name__} here: {reason_words(unknown)}",
            missing_actions=unknown.actions,
        )

    def broken(self, node: Node, error: Exception) -> Finding:
        """The verdict where the rule itself failed on `node`."""
        what = " ".join(str(error).split()) or "no further word"
        return self._made(
            node.resource,
            Status.ERROR,
            zone=zone_key(node) if self.rule.per_zone else "",
            severity=self.rule.severities[-1],
            tags=node.tags,
            message=f"the rule failed on {node.resource.name}: {type(error).__name__}: {what}",
        )

    def _made(
        self,
        resource: Resource,
        status: Status,
        *,
        severity: Severity,
        message: str,
        zone: str = "",
        tags: Mapping[str, str] | Unknown | None = None,
        zones: tuple[Zone, ...] = (),
        remediation: Remediation | None = None,
        evidence: tuple[Evidence, ...] = (),
        missing_actions: tuple[str, ...] = (),
        causes: tuple[Cause, ...] = (),
    ) -> Finding:
        file = self.rule.file
        return Finding(
            id=fingerprint(file.id, resource, zone),
            rule_id=file.id,
            title=file.title,
            status=status,
            severity=severity,
            confidence=file.confidence,
            resource=resource,
            tags={} if tags is None or isinstance(tags, Unknown) else dict(tags),
            zones=zones,
            message=message,
            why=file.why.strip(),
            remediation=remediation or Remediation(summary=""),
            evidence=evidence,
            missing_actions=missing_actions,
            references=file.references,
            causes=causes,
        )

    def _severity(self, node: Node) -> Severity:
        levels = self.rule.conditions.severities
        return next(level for level, when in levels if when is None or when.run(node) is True)

    def _zones(self, node: Node) -> tuple[Zone, ...]:
        if self.rule.zones:
            return tuple(_known(self.rule.zones.run(node)))
        return tuple(_known(getattr(node, "zone", None))) if self.rule.per_zone else ()

    def _causes(self, node: Node) -> tuple[Cause, ...]:
        """What it is caused by; () when that is not known, so that nothing covers it."""
        if self.rule.causes:
            value = self.rule.causes.run(node)
            return () if value.__class__ in VAGUE else tuple(_known(value))
        resource = node.resource
        return (
            Cause(
                resource.arn or f"{resource.account_id}/{resource.region}/{resource.type}/{resource.name}",
                zone_key(node),
            ),
        )

    def _message(self, node: Node, status: Status, unknown: Unknown | None, excuse: Intent | None) -> str:
        rule = self.rule
        if status is Status.UNKNOWN and unknown is not None:
            return f"cannot be judged: {reason_words(unknown)}"
        if status is Status.NOT_APPLICABLE:
            return excuse.reason if excuse else rule.file.not_applicable.strip() or "the rule does not apply here"
        if status is Status.PASS:
            return "no violation"
        message = rule.message(node)
        if rule.file.intent and isinstance(node.tags, Unknown):
            message += f" (tags were not read, so no intent is known: {reason_words(node.tags)})"
        return message

    def _remediation(self, node: Node) -> Remediation:
        rule = self.rule
        return Remediation(
            summary=rule.fix_summary(node),
            commands=tuple(command(node) for command in rule.fix_cli),
            caution=rule.file.fix.caution.strip(),
        )

    def _evidence(self, node: Node, status: Status) -> tuple[Evidence, ...]:
        found: dict[tuple[str, str, str], Evidence] = {}
        for reading in self.rule.readings(node, told=status is Status.FAIL):
            if reading.fact in _NAMES and not isinstance(reading.value, Unknown):
                continue
            for row in evidence_for(
                self._region, reading.node, reading.owner, reading.fact, reading.value, path=reading.path
            ):
                found.setdefault((row.source, row.field, row.says), row)
        return tuple(found.values())


def zone_key(node: Node) -> str:
    """The zone ID of a subject with a zone, else ""."""
    zone = getattr(node, "zone", None)
    return zone.key if isinstance(zone, Zone) else ""


def _known(value: Any) -> Iterable[Any]:
    if value is None or isinstance(value, Unknown):
        return ()
    members = entries(value) if isinstance(value, tuple | Partial) else ((value, True),)
    return (item for item, sure in members if sure is True and item is not None and not isinstance(item, Unknown))
