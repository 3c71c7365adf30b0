"""Small test-only subjects, so that tests of the engine do not hang on the facts of AWS."""

from __future__ import annotations

import datetime
from typing import Annotated, Any, Literal

import msgspec

from auditor.derive.node import Fact, Facts, Node
from auditor.derive.zonal_model import RegionModel, ZonalModel
from auditor.model.finding import Cause
from auditor.model.identity import AccountId, RegionName, Resource, Zone, ZoneId, ZoneName
from auditor.model.inventory import Inventory, RegionInventory, Scope
from auditor.model.known import Known, Listing, Outcome, Reason, Unknown

ACCOUNT, REGION = AccountId("123456789012"), RegionName("us-east-1")
HEALTH, GROUPS, BALANCERS = (
    f"elbv2:{name}" for name in ("DescribeTargetHealth", "DescribeTargetGroups", "DescribeLoadBalancers")
)


class Box(Facts, frozen=True, kw_only=True):
    """Something below a subject."""

    full: Annotated[Known[bool], Fact("whether it is full", HEALTH)] = True
    weight: Annotated[Known[int], Fact("its weight", HEALTH)] = 1
    label: Annotated[Known[str | None], Fact("its label", HEALTH)] = None
    codes: Annotated[Known[tuple[int, ...]], Fact("codes on it", HEALTH)] = ()
    sealed: Annotated[bool, Fact("whether it is sealed", HEALTH)] = True


class Shop(Node, frozen=True, kw_only=True):
    """A subject with a fact of every kind."""

    ShopName: Annotated[str, Fact("its name", GROUPS)] = "corner"
    color: Annotated[Known[Literal["red", "blue"]], Fact("its colour", GROUPS + "#Color")] = "red"
    mood: Annotated[Literal["open", "shut"] | None, Fact("its mood", GROUPS)] = "open"
    lit: Annotated[Known[bool], Fact("whether the light is on", BALANCERS)] = True
    paid: Annotated[bool, Fact("whether it is paid for", GROUPS)] = True
    count: Annotated[Known[int], Fact("how many are in it", HEALTH)] = 3
    floors: Annotated[int, Fact("how many floors it has", GROUPS)] = 2
    share: Annotated[Known[float], Fact("a share", HEALTH)] = 0.5
    size: Annotated[Known[int | None], Fact("its size", HEALTH)] = None
    note: Annotated[Known[str | None], Fact("a note", HEALTH)] = None
    words: Annotated[tuple[str, ...], Fact("words on it", GROUPS)] = ()
    codes: Annotated[Known[tuple[int, ...]], Fact("codes on it", HEALTH)] = ()
    boxes: Annotated[Known[tuple[Box, ...]], Fact("boxes in it", HEALTH)] = ()
    lid: Annotated[Known[Box | None], Fact("the box on top", HEALTH)] = None
    place: Annotated[Known[Zone | None], Fact("where it stands", HEALTH)] = None
    home: Annotated[Known[Zone | None], Fact("where it should stand", HEALTH)] = None
    since: Annotated[datetime.datetime | None, Fact("since when", GROUPS)] = None
    built: Annotated[datetime.datetime, Fact("when it was built", GROUPS)] = datetime.datetime(
        2026, 1, 1, tzinfo=datetime.UTC
    )
    causes: Annotated[Known[tuple[Cause, ...]], Fact("what it is caused by", GROUPS)] = ()


class Stall(Node, frozen=True, kw_only=True):
    """A subject with a zone."""

    zone: Annotated[Zone, Fact("the zone", BALANCERS)]
    busy: Annotated[Known[bool], Fact("whether it is busy", HEALTH)] = False


class Street(Node, frozen=True, kw_only=True):
    """A subject that holds another."""

    shop: Annotated[Shop, Fact("its one shop", GROUPS)]
    long: Annotated[bool, Fact("whether it is long", BALANCERS)] = True


def zone(number: int) -> Zone:
    """Zone ``use1-az<number>``."""
    return Zone(ZoneId(f"use1-az{number}"), ZoneName(f"us-east-1{'abcdef'[number - 1]}"))


def resource(name: str, arn: str | None = None) -> Resource:
    return Resource(
        type="AWS::ElasticLoadBalancingV2::TargetGroup",
        arn=f"arn:aws:test:us-east-1:123456789012:{name}" if arn is None else arn,
        name=name,
        account_id=ACCOUNT,
        region=REGION,
    )


def shop(name: str = "corner", *, tags: Any = None, arn: str | None = None, **facts: Any) -> Shop:
    return Shop(resource=resource(name, arn), tags={} if tags is None else tags, ShopName=name, **facts)


def stall(name: str, number: int, **facts: Any) -> Stall:
    return Stall(resource=resource(name), tags=facts.pop("tags", {}), zone=zone(number), **facts)


def unread(operation: str = "DescribeTargetHealth", says: str = "") -> Unknown:
    return Unknown(
        (
            Reason(
                kind="refused",
                says=says or f"{operation}: denied",
                action=f"elasticloadbalancing:{operation}",
                outcome=Outcome.DENIED,
                code="AccessDenied",
            ),
        )
    )


def model(*nodes: Node, gaps: tuple[Reason, ...] = (), also: dict[str, tuple[Reason, ...]] | None = None) -> ZonalModel:
    """A model of one region with these subjects; `gaps` are those of the `Shop` listing."""
    scope = Scope(ACCOUNT, REGION)
    inventory = RegionInventory(scope, {}, frozenset())
    subjects: dict[str, Listing[Node]] = {}
    for kind in (Shop, Stall, Street):
        of_kind = tuple(n for n in nodes if isinstance(n, kind))
        subjects[kind.__name__] = Listing(of_kind, gaps if kind is Shop else (also or {}).get(kind.__name__, ()))
    whole = Inventory(
        regions=(inventory,),
        gaps=(),
        started_at="2026-11-30T07:59:55Z",
        finished_at="2026-11-30T08:00:00Z",
        scan_id="test",
        tool_version="0",
        settings={},
        calls={},
        finished=True,
    )
    return ZonalModel(inventory=whole, regions=(RegionModel(inventory=inventory, subjects=subjects),))


def jsonable(node: Any) -> Any:
    """A node as plain JSON values, for jmespath itself."""
    return msgspec.json.decode(msgspec.json.encode(node))
