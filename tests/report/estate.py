"""A small estate made by hand: two load balancers over three zones, their groups, and verdicts on them."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterable
from datetime import UTC, datetime

import msgspec

from auditor.derive.node import Node
from auditor.derive.nodes import SUBJECTS, AvailabilityZone, LoadBalancer, LoadBalancerZone, TargetGroupZone
from auditor.derive.nodes.shifts import AppliedShift, ManagedResourceZone
from auditor.derive.nodes.target_groups import Target
from auditor.derive.zonal_model import RegionModel, ZonalModel
from auditor.model.elbv2 import TARGET_HEALTH
from auditor.model.finding import Evidence, Finding, Mute, Remediation
from auditor.model.identity import AccountId, RegionName, Resource, Zone, ZoneId, ZoneName
from auditor.model.inventory import Gap, Inventory, RegionInventory, Scope
from auditor.model.known import Listing, Outcome, Reason, Unknown
from auditor.model.verdict import Severity, Status

ACCOUNT, REGION = "123456789012", "us-east-1"
ZONES = tuple(
    Zone(ZoneId(i), ZoneName(n))
    for i, n in (("use1-az6", "us-east-1a"), ("use1-az1", "us-east-1b"), ("use1-az2", "us-east-1c"))
)
DENIED = Reason(
    kind="refused",
    says="DescribeTargetHealth: denied (AccessDenied)",
    action=TARGET_HEALTH.action,
    outcome=Outcome.DENIED,
    code="AccessDenied",
)
UNREAD = Unknown((DENIED,))


def filled(struct: type, /, **given: object) -> typing.Any:
    """A struct with the fields that matter here; every other one gets the plainest value of its type."""
    hints = typing.get_type_hints(struct)
    rest = {
        f.name: plainest(hints[f.name]) for f in msgspec.structs.fields(struct) if f.required and f.name not in given
    }
    return struct(**rest, **given)


def plainest(hint: typing.Any) -> typing.Any:
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        return plainest(typing.get_args(hint)[0])
    if origin is typing.Literal:
        return typing.get_args(hint)[0]
    return () if origin is tuple else {} if origin else hint()


def resource(name: str, type_: str = "AWS::ElasticLoadBalancingV2::LoadBalancer", region: str = REGION) -> Resource:
    kind = "targetgroup" if type_.endswith("TargetGroup") else "loadbalancer/app"
    return Resource(
        type=type_,
        arn=f"arn:aws:elasticloadbalancing:{region}:{ACCOUNT}:{kind}/{name}/0123456789abcdef",
        name=name,
        account_id=AccountId(ACCOUNT),
        region=RegionName(region),
    )


def load_balancer(name: str, region: str = REGION, **changes: object) -> LoadBalancer:
    base = {
        "resource": resource(name, region=region),
        "tags": {"env": "prod"},
        "LoadBalancerArn": resource(name, region=region).arn,
        "LoadBalancerName": name,
        "Scheme": "internet-facing",
        "State": "active",
        "kind": "application",
        "kind_words": "Application Load Balancer",
        "zones": ZONES,
        "zone_count": 3,
        "on_edge": False,
        "targets_only_in_its_zones": False,
        "cross_zone_setting": "on",
        "zonal_shift_enabled": True,
        "is_target_of_nlb": False,
        "groups_pinning_cross_zone_off": (),
    }
    return filled(LoadBalancer, **{**base, **changes})


def balancer_zone(name: str, zone: Zone, region: str = REGION, **changes: object) -> LoadBalancerZone:
    base = {
        "resource": resource(name, region=region),
        "tags": {"env": "prod"},
        "LoadBalancerName": name,
        "kind": "application",
        "zone": zone,
        "groups": (),
        "empty_groups_local": (),
        "empty_groups_pooled": (),
        "empty_causes": (),
        "published": True,
        "shift_applied": False,
        "healthy_count": 2,
        "registered_count": 2,
    }
    return filled(LoadBalancerZone, **{**base, **changes})


def target(zone: Zone | None, state: str = "healthy", id_: str = "i-0aaaaaaaaaaaaaaaa") -> Target:
    return filled(
        Target,
        Id=id_,
        Port=80,
        State=state,
        Reason="",
        Description="",
        label=f"{id_}:80",
        zone=zone,
        codes=(),
        usable=True,
        healthy=state == "healthy",
        unhealthy=state == "unhealthy",
        pending=False,
        redirected=False,
        mismatched=False,
        fails_on_purpose=False,
    )


def group_zone(name: str, zone: Zone, *states: str) -> TargetGroupZone:
    return filled(
        TargetGroupZone,
        resource=resource(name, "AWS::ElasticLoadBalancingV2::TargetGroup"),
        tags={},
        TargetGroupName=name,
        LoadBalancerName="shop-web",
        zone=zone,
        attached=True,
        has_zones=True,
        served=True,
        registered_count=len(states),
        targets=tuple(target(zone, state) for state in states),
        target_labels=(),
    )


def available(zone: Zone) -> AvailabilityZone:
    return filled(
        AvailabilityZone,
        resource=Resource(
            type="AWS::EC2::AvailabilityZone",
            arn="",
            name=zone.name or "",
            account_id=AccountId(ACCOUNT),
            region=RegionName(REGION),
        ),
        tags={},
        ZoneName=zone.name or "",
        ZoneId=zone.id or "",
        State="available",
        zone=zone,
        inhabitants=(),
    )


def shifted(name: str, zone: Zone) -> ManagedResourceZone:
    shift = filled(
        AppliedShift,
        kind="customer shift",
        kind_reported=True,
        zone=zone,
        shift_id="shift-1",
        since=datetime(2026, 11, 30, 3, 0, tzinfo=UTC),
        until=datetime(2026, 11, 30, 9, 0, tzinfo=UTC),
        until_words="until 09:00",
        comment="game day",
    )
    return filled(
        ManagedResourceZone,
        resource=resource(name),
        tags={},
        name=name,
        zone=zone,
        shift=shift,
        shift_applied=True,
        changed_while_reading=False,
    )


def finding(rule_id: str = "lb-empty-zone", name: str = "shop-web", **changes: object) -> Finding:
    base = {
        "id": f"{rule_id}-{name}",
        "rule_id": rule_id,
        "title": "An enabled zone has no usable target",
        "status": Status.FAIL,
        "severity": Severity.CRITICAL,
        "confidence": "certain",
        "resource": resource(name),
        "tags": {"env": "prod"},
        "zones": (ZONES[2],),
        "message": "Zone use1-az2 has no usable target in shop-api, and cross-zone is off: a third of all requests get 503.",
        "why": "Each node sends requests to targets of its own zone only.",
        "remediation": Remediation(
            summary="Register targets in the zone, or take the zone off the load balancer.",
            commands=("aws elbv2 set-subnets --load-balancer-arn 'arn with blanks' --subnets subnet-1 subnet-2",),
            caution="Taking a zone off ends the connections through it.",
        ),
        "evidence": (
            Evidence(
                says="no target",
                source="elbv2:DescribeTargetHealth",
                field="State",
                value=[],
                at="2026-11-30T03:00:00Z",
            ),
        ),
    }
    return Finding(**{**base, **changes})


def unknown(rule_id: str, name: str, *actions: str, **changes: object) -> Finding:
    return finding(rule_id, name, status=Status.UNKNOWN, missing_actions=actions, message="cannot be judged", **changes)


MUTE = Mute(reason="planned", owner="ops", until="2027-01-31")


def gap(outcome: Outcome = Outcome.DENIED, code: str = "AccessDenied", key: str = "tg-1", read=TARGET_HEALTH) -> Gap:
    reason = Reason(kind="refused", says="denied", action=read.action, outcome=outcome, code=code)
    return Gap(account_id=AccountId(ACCOUNT), region=RegionName(REGION), read=read, key=key, reason=reason)


def model(
    subjects: dict[str, Iterable[Node]] | None = None,
    *,
    gaps: tuple[Gap, ...] = (),
    missing: dict[str, tuple[Reason, ...]] | None = None,
    finished: bool = True,
    region: str = REGION,
) -> ZonalModel:
    """A model of one scope that holds `subjects`; `missing` gives listings their gaps."""
    inventory = RegionInventory(Scope(AccountId(ACCOUNT), RegionName(region)), {}, frozenset())
    listings = {
        name: Listing(tuple((subjects or {}).get(name, ())), (missing or {}).get(name, ())) for name in SUBJECTS
    }
    return ZonalModel(
        inventory=Inventory(
            regions=(inventory,),
            gaps=gaps,
            started_at="2026-11-30T03:00:00+00:00",
            finished_at="2026-11-30T03:00:04+00:00",
            scan_id="scan-1",
            tool_version="0.1.0",
            settings={},
            calls={"elbv2:DescribeTargetHealth": 3, "elbv2:DescribeLoadBalancers": 1},
            finished=finished,
        ),
        regions=(RegionModel(inventory=inventory, subjects=listings),),
    )


def shop() -> ZonalModel:
    """shop-web is sound but for an empty third zone; shop-api could not be read, and is shifted away from one zone."""
    return model(
        {
            "LoadBalancer": [
                load_balancer("shop-web", cross_zone_setting="off", zonal_shift_enabled=False),
                load_balancer("shop-api", kind="network", Scheme="internal", cross_zone_setting=UNREAD),
            ],
            "LoadBalancerZone": [
                balancer_zone("shop-web", ZONES[0]),
                balancer_zone("shop-web", ZONES[1], healthy_count=1),
                balancer_zone("shop-web", ZONES[2], healthy_count=0, registered_count=0, published=False),
                balancer_zone(
                    "shop-api",
                    ZONES[0],
                    kind="network",
                    healthy_count=UNREAD,
                    registered_count=UNREAD,
                    published=UNREAD,
                ),
                balancer_zone(
                    "shop-api", ZONES[1], kind="network", healthy_count=UNREAD, published=UNREAD, shift_applied=True
                ),
            ],
            "TargetGroupZone": [
                group_zone("web", ZONES[0], "healthy", "healthy"),
                group_zone("web", ZONES[1], "healthy", "unhealthy"),
            ],
            "AvailabilityZone": [available(zone) for zone in ZONES],
            "ManagedResourceZone": [shifted("shop-api", ZONES[1])],
        },
        gaps=(gap(), gap(key="tg-2")),
    )


def shop_findings() -> list[Finding]:
    """One of each kind: open, hidden, muted, unknown for a missing action, unknown without one, broken, passing."""
    return [
        finding(),
        finding("tg-single-zone", "shop-web", severity=Severity.HIGH, zones=(), hidden_by="lb-empty-zone"),
        finding("lb-zonal-shift-disabled", "shop-web", severity=Severity.MEDIUM, zones=(), confidence="likely"),
        finding("lb-single-zone", "old", severity=Severity.HIGH, muted=MUTE),
        unknown("tg-failing-open", "api", TARGET_HEALTH.action, severity=Severity.CRITICAL),
        unknown("tg-no-targets", "api", TARGET_HEALTH.action, severity=Severity.HIGH),
        unknown("tg-uneven-zones", "web", severity=Severity.LOW),
        finding("x-odd", "shop-web", status=Status.ERROR, severity=Severity.LOW, message="division by zero"),
        finding("lb-single-zone", "shop-web", status=Status.PASS, severity=Severity.HIGH, zones=()),
    ]


def counts(findings: Iterable[Finding]) -> dict[Status, int]:
    tally: dict[Status, int] = {}
    for one in findings:
        tally[one.status] = tally.get(one.status, 0) + 1
    return tally
