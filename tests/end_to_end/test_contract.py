"""The report of the demo, key by key and type by type: other people's scripts hang on it (schema ``auditor.report/1``)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import botocore.session
import pytest

from auditor.model.catalogue import all_reads

from ..program import Program
from .conftest import document_of

Check = Callable[[Any], bool]
SEVERITIES = ("critical", "high", "medium", "low", "info")
STATUSES = ("fail", "pass", "unknown", "not_applicable", "error")
OUTCOMES = ("denied", "throttled", "not_enabled", "not_offered", "gone", "failed", "expired")
TYPES = {
    "AWS::AccountRegion",
    "AWS::AutoScaling::AutoScalingGroup",
    "AWS::EC2::AvailabilityZone",
    "AWS::EC2::Subnet",
    "AWS::EKS::Cluster",
    "AWS::EKS::Nodegroup",
    "AWS::ElasticLoadBalancing::LoadBalancer",
    "AWS::ElasticLoadBalancingV2::LoadBalancer",
    "AWS::ElasticLoadBalancingV2::TargetGroup",
}
SOURCES = {read.source for read in all_reads()}


def text(value: Any) -> bool:
    return isinstance(value, str)


def filled(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def flag(value: Any) -> bool:
    return isinstance(value, bool)


def count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def moment(value: Any) -> bool:
    return (
        isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)", value) is not None
    )


def one_of(*values: str) -> Check:
    return lambda value: value in values


def like(pattern: str) -> Check:
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None


def null_or(check: Check) -> Check:
    return lambda value: value is None or check(value)


def each(check: Check) -> Check:
    return lambda value: isinstance(value, list) and all(map(check, value))


def by_name(check: Check) -> Check:
    return lambda value: isinstance(value, dict) and all(text(k) and check(v) for k, v in value.items())


class Of(Mapping[str, Check]):
    """Exactly these members; with `may_lack`, a value that is not known is null and named under ``unknown``."""

    def __init__(self, members: Mapping[str, Check], *, may_lack: bool = False) -> None:
        self._members, self._may_lack = members, may_lack

    def __getitem__(self, key: str) -> Check:
        return self._members[key]

    def __iter__(self) -> Any:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def __call__(self, value: Any) -> bool:
        assert isinstance(value, dict), value
        lacking = value.get("unknown", {}) if self._may_lack else {}
        assert set(value) - ({"unknown"} if self._may_lack else set()) == set(self), set(value) ^ set(self)
        assert all(each(filled)(missing) and missing for missing in lacking.values()), lacking
        for key, check in self.items():
            assert check(value[key]) or (value[key] is None and key in lacking), (key, value[key])
        return True


ZONE = {"id": null_or(like(r"[a-z0-9]+(-[a-z0-9]+)*-az\d+")), "name": null_or(like(r"[a-z]+(-[a-z0-9]+)+"))}
SCOPE = {"account_id": like(r"\d{12}"), "region": like(r"[a-z]+(-[a-z]+)+-\d")}
RESOURCE = {**SCOPE, "arn": text, "name": filled}
FINDING = Of(
    {
        "id": like(r"[0-9a-f]{16}"),
        "rule_id": like(r"[a-z][a-z0-9-]+"),
        "title": filled,
        "status": one_of(*STATUSES),
        "severity": one_of(*SEVERITIES),
        "confidence": one_of("certain", "likely", "possible"),
        **SCOPE,
        "resource": Of({"type": one_of(*TYPES), "arn": text, "name": filled, "tags": by_name(text)}),
        "zones": each(Of(ZONE)),
        "message": filled,
        "why": filled,
        "remediation": Of({"summary": text, "commands": each(filled), "caution": text}),
        "evidence": each(
            Of(
                {
                    "says": filled,
                    "source": one_of(*SOURCES),
                    "field": filled,
                    "value": lambda value: True,
                    "at": moment,
                }
            )
        ),
        "missing_actions": each(like(r"[a-z0-9-]+:[A-Z]\w+")),
        "references": each(like(r"https://docs\.aws\.amazon\.com/\S+")),
        "hidden_by": null_or(like(r"[0-9a-f]{16}")),
        "muted": null_or(Of({"reason": filled, "owner": text, "until": null_or(text)})),
        "first_seen_at": null_or(moment),
    }
)
REPORT = Of(
    {
        "schema": one_of("auditor.report/1"),
        "scan": Of(
            {
                "id": filled,
                "tool_version": filled,
                "started_at": moment,
                "finished_at": moment,
                "regions": each(SCOPE["region"]),
                "accounts": each(Of({"id": SCOPE["account_id"], "name": null_or(filled)})),
                "calls": Of({"total": count, "by_operation": by_name(count)}),
                "complete": flag,
                "gaps": each(
                    Of(
                        {
                            "account": SCOPE["account_id"],
                            "region": SCOPE["region"],
                            "action": filled,
                            "outcome": one_of(*OUTCOMES),
                            "code": text,
                            "count": count,
                            "rules": each(filled),
                        }
                    )
                ),
            }
        ),
        "summary": Of(
            {
                "by_status": Of(dict.fromkeys(STATUSES, count)),
                "by_severity": Of(dict.fromkeys(SEVERITIES, count)),
                "zones": each(
                    Of(
                        {
                            **SCOPE,
                            **ZONE,
                            "load_balancers": count,
                            "targets": Of({"healthy": count, "registered": count, "complete": flag}),
                            "in_dns": Of({"yes": count, "no": count, "unknown": count}),
                        }
                    )
                ),
            }
        ),
        "findings": each(FINDING),
        "inventory": Of(
            {
                "load_balancers": each(
                    Of(
                        {
                            **RESOURCE,
                            "type": one_of("application", "network", "gateway", "classic"),
                            "scheme": text,
                            "state": text,
                            "cross_zone": one_of("on", "off"),
                            "zonal_shift_enabled": flag,
                            "tags": by_name(text),
                            "zones": each(
                                Of(
                                    {
                                        **ZONE,
                                        "healthy": count,
                                        "registered": count,
                                        "in_dns": flag,
                                        "shifted_away": flag,
                                    },
                                    may_lack=True,
                                )
                            ),
                        },
                        may_lack=True,
                    )
                ),
                "target_groups": each(
                    Of(
                        {
                            **RESOURCE,
                            "target_type": one_of("instance", "ip", "alb", "lambda"),
                            "protocol": null_or(filled),
                            "port": null_or(count),
                            "load_balancer": null_or(filled),
                            "load_balancer_arn": null_or(filled),
                            "in_use": flag,
                            "cross_zone": null_or(one_of("on", "off")),
                            "registered": count,
                            "healthy": count,
                            "tags": by_name(text),
                            "zones": each(Of({"id": ZONE["id"], "name": null_or(filled), "states": by_name(count)})),
                        },
                        may_lack=True,
                    )
                ),
                "auto_scaling_groups": each(
                    Of(
                        {
                            **RESOURCE,
                            "min_size": count,
                            "max_size": count,
                            "desired_capacity": count,
                            "owner": null_or(filled),
                            "zonal_shift_enabled": flag,
                            "shifted": flag,
                            "tags": by_name(text),
                            "zones": each(Of({**ZONE, "healthy_capacity": count, "instances": count})),
                        },
                        may_lack=True,
                    )
                ),
                "clusters": each(
                    Of(
                        {
                            **RESOURCE,
                            "status": filled,
                            "zonal_shift_enabled": flag,
                            "node_groups": count,
                            "fargate_only": flag,
                            "tags": by_name(text),
                        },
                        may_lack=True,
                    )
                ),
                "managed_resources": each(
                    Of(
                        {
                            **RESOURCE,
                            "type": one_of(*TYPES),
                            "own_switch": null_or(flag),
                            "listed": flag,
                            "zones": each(Of({**ZONE, "shifted_away": flag})),
                        },
                        may_lack=True,
                    )
                ),
                "shifts": each(
                    Of(
                        {
                            **RESOURCE,
                            "kind": one_of("customer shift", "autoshift", "practice run", "experiment"),
                            "kind_reported": flag,
                            "away_from": Of(ZONE),
                            "shift_id": null_or(filled),
                            "since": null_or(moment),
                            "until": null_or(moment),
                            "comment": text,
                        }
                    )
                ),
                "incomplete": each(Of({"list": filled, **SCOPE, "missing": each(filled)})),
            }
        ),
    }
)


@pytest.fixture(scope="module")
def report(demo: Program) -> dict[str, Any]:
    return document_of(demo)


def test_every_key_and_type(report: dict[str, Any]) -> None:
    assert REPORT(report)
    for finding in report["findings"]:
        assert FINDING(finding)


def test_a_finding_says_what_why_and_how_and_a_verdict_without_fault_says_no_more(report: dict[str, Any]) -> None:
    ids = [finding["id"] for finding in report["findings"]]
    assert len(ids) == len(set(ids))
    for finding in report["findings"]:
        fails = finding["status"] == "fail"
        assert bool(finding["remediation"]["commands"]) is bool(finding["remediation"]["summary"]) is fails
        assert bool(finding["evidence"]) is fails
        assert bool(finding["missing_actions"]) <= (finding["status"] == "unknown")
        assert finding["hidden_by"] is None or finding["hidden_by"] in ids


def test_zones_carry_id_and_name(report: dict[str, Any]) -> None:
    assert all(zone["id"] and zone["name"] for finding in report["findings"] for zone in finding["zones"])


def found(report: dict[str, Any], rule: str, name: str) -> list[tuple[str, Any]]:
    (finding,) = (
        f
        for f in report["findings"]
        if f["rule_id"] == rule and f["resource"]["name"] == name and f["status"] == "fail"
    )
    return [(row["field"], row["value"]) for row in finding["evidence"]]


def test_evidence_is_enough_to_check_a_finding_without_aws(report: dict[str, Any]) -> None:
    redirect = dict(found(report, "tg-health-path-redirects", "blog"))
    assert redirect["HealthCheckPath"] == "/"
    assert redirect["HealthCheckPort"] == "traffic-port"
    assert redirect["Matcher"] == {"HttpCode": "200"}
    assert redirect["redirect_codes"] == [301]
    assert all("Target.ResponseCodeMismatch" in row and "[301]" in row for row in redirect["TargetHealthDescriptions"])
    assert all(row.startswith("10.") and "use1-az" in row for row in redirect["redirected"])
    assert ("zonal_shift.config.enabled", "false") in found(report, "lb-zonal-shift-disabled", "mqtt")
    empty = found(report, "lb-empty-zone", "checkout")
    assert ("load_balancing.cross_zone.enabled", "false") in empty
    assert [zone["ZoneName"] for zone in dict(empty)["AvailabilityZones"]] == ["us-east-1a", "us-east-1b", "us-east-1c"]
    (shift,) = dict(found(report, "arc-shift-active", "telemetry"))["zonalShifts"]
    assert shift["awayFrom"] == "use1-az1"
    assert {"zonalShiftId", "startTime", "expiryTime", "shiftType"} <= set(shift)
    assert dict(found(report, "arc-shift-active", "telemetry"))["zone"] == "use1-az1 (us-east-1b)"
    tls = dict(found(report, "nlb-alb-tls13-only-health-check", "edge-alb"))
    assert tls["probe.tls_protocols"] == ["TLSv1.3"]
    assert any("ELBSecurityPolicy-TLS13-1-3-2021-06" in str(value) for value in tls.values())


def test_evidence_names_fields_that_exist_and_says_nothing_twice(report: dict[str, Any]) -> None:
    session = botocore.session.get_session()
    known: set[str] = set()
    for source in SOURCES:
        service, _, operation = source.partition(":")
        known |= _members(session.get_service_model(service).operation_model(operation).output_shape)
    for finding in report["findings"]:
        rows = [(row["source"], row["field"], str(row["value"])) for row in finding["evidence"]]
        assert len(rows) == len(set(rows)), finding["rule_id"]
        for row in finding["evidence"]:
            assert len(str(row["value"])) < 8_000, (finding["rule_id"], row["field"])
            name = row["field"]
            if "as AWS returned it" in row["says"] and "DescribeLoadBalancerAttributes" not in row["source"]:
                if "DescribeTargetGroupAttributes" not in row["source"]:
                    assert set(name.split(".")) <= known, name
            else:
                assert row["says"].startswith(finding["resource"]["name"]) or "returned" in row["says"], row


def _members(shape: Any, seen: frozenset[str] = frozenset()) -> set[str]:
    if shape is None or shape.name in seen:
        return set()
    seen |= {shape.name}
    if shape.type_name == "structure":
        return set(shape.members).union(*(_members(member, seen) for member in shape.members.values()))
    return _members(shape.member, seen) if shape.type_name == "list" else set()
