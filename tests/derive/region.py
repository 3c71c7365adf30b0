"""Small regions for the tests: from single API answers, or from a scenario."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import yaml

from auditor.derive.build import derive
from auditor.derive.node import Node
from auditor.derive.zonal_model import RegionModel
from auditor.evaluate.scenario import answers, changed
from auditor.model.answer import Answer, CallError, Footer, Header
from auditor.model.identity import Zone, ZoneId, ZoneName
from auditor.model.inventory import Inventory, RegionInventory
from auditor.model.known import Outcome, Unknown
from auditor.model.read import AnyRead
from auditor.record.decode import decode

ACCOUNT, REGION = "123456789012", "us-east-1"
EARLY, LATE = "2026-11-30T08:00:00.000Z", "2026-11-30T08:00:20.000Z"
A, B, C = (Zone(ZoneId(f"use1-az{i}"), ZoneName(f"us-east-1{n}")) for i, n in ((1, "a"), (2, "b"), (3, "c")))
ZONES = {"a": "use1-az1", "b": "use1-az2", "c": "use1-az3"}
HEADER = Header(v=1, tool_version="test", scan_id="test", started=EARLY, settings={})


def answer(
    read: AnyRead,
    response: Mapping[str, Any] | None = None,
    params: Mapping[str, Any] | None = None,
    *,
    page: int = 1,
    more: bool = False,
    pass_: int = 1,
    at: str = EARLY,
    fails: Outcome | None = None,
    code: str = "AccessDenied",
) -> Answer:
    """One answer page, or a refusal when `fails` is given."""
    return Answer(
        v=1,
        account=ACCOUNT,
        region=REGION,
        service=read.service,
        operation=read.operation,
        params=dict(params or {}),
        page=page,
        at=at,
        ms=1,
        pass_=pass_,
        next=f"token-{page}" if more else None,
        response=None if fails else dict(response or {}),
        error=CallError(code=code, message="no", outcome=fails) if fails else None,
    )


def items(read: AnyRead, found: Iterable[Any], params: Mapping[str, Any] | None = None, **more: Any) -> Answer:
    """A page with these items."""
    return answer(read, {read.items: list(found)}, params, **more)


def whole(*pages: Answer) -> Inventory:
    """A finished recording of these pages."""
    return decode(pages, HEADER, Footer(v=1, finished=LATE, calls=len(pages), errors=0))


def region(*pages: Answer) -> RegionInventory:
    """The inventory of the one region these pages are of."""
    (found,) = whole(*pages).regions
    return found


def estate(text: str, *, deny: Iterable[str] = (), change: Mapping[str, Any] | None = None) -> RegionModel:
    """The model of a scenario given as YAML; zones a, b, c are use1-az1, use1-az2, use1-az3 unless it says otherwise."""
    scenario = {"zones": ZONES, **yaml.safe_load(text)}
    (model,) = derive(decode(*answers(changed(scenario, change or {}), tuple(deny)))).regions
    return model


def subject(model: RegionModel, kind: str, name: str, zone: Zone | None = None) -> Any:
    """The one subject of that kind, name and zone."""
    found: list[Node] = [
        n for n in model.of(kind) if n.resource.name == name and (zone is None or getattr(n, "zone", None) == zone)
    ]
    assert len(found) == 1, [(n.resource.name, getattr(n, "zone", None)) for n in model.of(kind)]
    return found[0]


def denied(action: str = "x:Y") -> Unknown:
    """An unknown as a refused call gives it."""
    from auditor.model.known import Reason

    return Unknown(
        (Reason(kind="refused", says="refused", action=action, outcome=Outcome.DENIED, code="AccessDenied"),)
    )


def unknown(value: Any, action: str = "") -> bool:
    """Whether a value is unknown and, if an action is given, for want of it."""
    return isinstance(value, Unknown) and (not action or action in value.actions)
