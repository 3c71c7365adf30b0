"""What does a fact rest on? The API answers behind it, each with field, value and time."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import cache, partial
from typing import Any, get_type_hints

import msgspec

from ..model import elbv2
from ..model.finding import Evidence
from ..model.identity import Zone
from ..model.inventory import RegionInventory
from ..model.known import Unknown
from ..model.read import AnyRead
from ..model.shape import KeyValue
from .node import Fact, Facts, Node
from .zonal_model import RegionModel

_LISTED = 20
_SHOWN = 5


@cache
def facts_of(cls: type[Facts]) -> Mapping[str, Fact]:
    """The annotated facts of a node or sub-struct, by field name."""
    hints = get_type_hints(cls, include_extras=True)
    return {name: m for name, hint in hints.items() for m in getattr(hint, "__metadata__", ()) if isinstance(m, Fact)}


def evidence_for(region: RegionModel, node: Node, owner: Facts, fact: str, value: Any) -> tuple[Evidence, ...]:
    """Evidence for one fact that a rule read on `owner`, which is `node` or something below it.

    The first row says the fact itself; a cite with ``#field`` adds the raw value AWS gave for that field, so that a reader
    can check the derivation. A cite whose answer the recording does not hold adds nothing.
    """
    found = facts_of(type(owner)).get(fact)
    if found is None or not found.cites:
        return ()
    inventory = region.inventory
    rows: list[Evidence] = []
    cites = [_own(node, cite) for cite in found.cites]
    first, _, field = cites[0].partition("#")
    rows.append(
        Evidence(
            says=found.says,
            source=first,
            field=_field(field) or fact,
            value=plain(value),
            at=_at(inventory, node, first, field),
        )
    )
    for cite in cites:
        source, _, field = cite.partition("#")
        read = _read(source)
        if read is None or not field:
            continue
        for key in _keys(node, source, field)[:_SHOWN]:
            raw = _raw(inventory, read, key, field)
            if raw is not None and raw != rows[0].value:
                rows.append(
                    Evidence(
                        says=f"as AWS returned it for {_of(node, key)}",
                        source=source,
                        field=_field(field),
                        value=raw,
                        at=inventory.at(read, key) or inventory.at(read),
                    )
                )
    return tuple(rows)


_HEALTH_FIELDS = {
    "states": "TargetHealth.State",
    "unhealthy": "TargetHealth",
    "targets_per_zone": "Target, TargetHealth.State",
}


_CLASSIC_FIELDS = {"load_balancing.cross_zone.enabled": "CrossZoneLoadBalancing.Enabled"}


def _own(node: Node, cite: str) -> str:
    """A cite of API version 2 as it reads for a Classic Load Balancer, whose answers come from the older API."""
    source, _, field = cite.partition("#")
    older = source.replace("elbv2:", "elb:", 1)
    if older == source or older not in node.links:
        return cite
    field = _CLASSIC_FIELDS.get(field, field)
    return f"{older}#{field}" if field else older


def _field(field: str) -> str:
    return _HEALTH_FIELDS.get(field, "DefaultActions" if field == "probe" else field)


def _of(node: Node, key: str) -> str:
    """Whose answer it is: the name in the key when that is another resource's ARN, else the node's own name."""
    if key.startswith("arn:") and key != node.resource.arn:
        resource = key.split(":", 5)[-1].split("/")
        return resource[-2] if len(resource) > 2 else resource[-1]
    return node.resource.name or node.resource.region


def _keys(node: Node, source: str, field: str) -> tuple[str, ...]:
    """Keys of the answers behind a source."""
    found = node.links.get("probe" if field == "probe" else source, ())
    return (found,) if isinstance(found, str) else found


def _at(inventory: RegionInventory, node: Node, source: str, field: str) -> str:
    """When AWS last gave an answer of this read for the node; of the whole region where none is kept for the node alone."""
    read = _read(source)
    if read is None:
        return ""
    of_node = [inventory.at(read, key) for key in _keys(node, source, field)]
    return (
        max(of_node, default="")
        or inventory.at(read)
        or max(map(partial(inventory.at, read), inventory.keys(read)), default="")
    )


@cache
def _reads() -> Mapping[str, AnyRead]:
    from ..model.catalogue import all_reads  # noqa: PLC0415  (scans the model package once, on first use)

    return {read.source: read for read in all_reads()}


def _read(source: str) -> AnyRead | None:
    return _reads().get(source)


def _raw(inventory: RegionInventory, read: AnyRead, key: str, field: str) -> Any:
    """The raw value of one field in the answer behind a fact, or None when there is none to show."""
    if not key or field == "probe":
        return None
    if read is elbv2.TARGET_HEALTH:
        return _targets(inventory, key, field)
    if read.of is KeyValue:
        attributes = inventory.attributes(read, key)
        return None if isinstance(attributes, Unknown) else f"{field}={attributes.get(field, '(not returned)')}"
    items = inventory.listing(read, key).items if read.key else ()
    item = items[0] if items else inventory.index(read).get(key) if read.identity and not read.key else None
    for step in field.split("."):
        item = getattr(item, step, None)
    return plain(item)


def _targets(inventory: RegionInventory, arn: str, field: str) -> Any:
    rows = []
    for health in inventory.listing(elbv2.TARGET_HEALTH, arn):
        state = health.TargetHealth
        if field == "unhealthy" and not state.State.startswith("unhealthy"):
            continue
        words = [
            health.Target.Id,
            health.Target.AvailabilityZone or "",
            state.State,
            state.Reason or "",
            state.Description or "",
        ]
        rows.append(" ".join(w for w in words if w))
    rows.sort()
    return [*rows[:_LISTED], f"and {len(rows) - _LISTED} more"] if len(rows) > _LISTED else rows


def plain(value: Any) -> Any:
    """A value as JSON can hold it: zones as text, structs as mappings of plain values, an unknown as its reasons."""
    if isinstance(value, Unknown):
        return {"unknown": [r.says for r in value.reasons]}
    if isinstance(value, Zone):
        return str(value)
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, msgspec.Struct):
        names = (f for f in value.__struct_fields__ if f not in ("resource", "tags", "links"))
        return {name: plain(getattr(value, name)) for name in names}
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        rows = [plain(v) for v in value[:_LISTED]]
        return [*rows, f"and {len(value) - _LISTED} more"] if len(value) > _LISTED else rows
    return value
