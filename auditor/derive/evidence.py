"""What does a fact rest on? The API answers behind it, each with field, value and time.

The first row of a fact states it; the others are what AWS returned, so that the finding can be checked without access to AWS.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
from .links import weights
from .node import Fact, Facts, Node
from .nodes.target_groups import Target, TargetGroup
from .zonal_model import RegionModel

_LISTED = 20
_SHOWN = 5
_SHORT = 60


@cache
def facts_of(cls: type[Facts]) -> Mapping[str, Fact]:
    """The annotated facts of a node or sub-struct, by field name."""
    hints = get_type_hints(cls, include_extras=True)
    return {name: m for name, hint in hints.items() for m in getattr(hint, "__metadata__", ()) if isinstance(m, Fact)}


def evidence_for(
    region: RegionModel, node: Node, owner: Facts, fact: str, value: Any, *, path: str = ""
) -> tuple[Evidence, ...]:
    """Evidence for one fact that a rule read on `owner`, which is `node` or something below it.

    The first row states the fact; a cite with ``#field`` adds the raw value AWS gave for that field, so that a reader can
    check the derivation without access to AWS. A cite whose answer the recording does not hold adds nothing. `path` is the
    dotted name of the fact from `node`, where that is not its name alone.
    """
    found = facts_of(type(owner)).get(fact)
    if found is None or not found.cites:
        return ()
    inventory = region.inventory
    cites = [_own(node, cite) for cite in found.cites]
    first, _, field = cites[0].partition("#")
    shown = plain(value)
    said = _field(field) if field and not fact.islower() else path or fact
    at = _at(inventory, node, first, field)
    rows = [Evidence(says=_statement(node, found.says, shown), source=first, field=said, value=shown, at=at)]
    for cite in cites:
        source, _, field = cite.partition("#")
        read = _read(source)
        if read is None or not field:
            continue
        for key in _keys(node, source, field)[:_SHOWN]:
            raw = _raw(region, read, key, field, node)
            if raw is None:
                continue
            if raw == shown and source == first:
                rows[0] = msgspec.structs.replace(rows[0], field=_field(field))
            else:
                rows.append(
                    Evidence(
                        says=f"{_field(field)} of {_of(node, key)}, as AWS returned it",
                        source=source,
                        field=_field(field),
                        value=raw,
                        at=inventory.at(read, key) or inventory.at(read),
                    )
                )
    return tuple(rows)


def _statement(node: Node, says: str, shown: Any) -> str:
    """A fact as a statement about its resource: ``mqtt: zonal shift is enabled on it: no``."""
    zone = getattr(node, "zone", None)
    place = f" in {zone}" if isinstance(zone, Zone) else ""
    text = says.partition(";")[0].removesuffix(", or empty").removesuffix(", in words")
    if isinstance(shown, bool):
        text = f"{text.removeprefix('whether ')}: {'yes' if shown else 'no'}"
    elif isinstance(shown, int | float) or (isinstance(shown, str) and len(shown) <= _SHORT):
        text = f"{text}: {shown if shown != '' else 'none'}"
    elif shown is None or shown == []:
        text = f"{text}: none"
    elif isinstance(shown, dict) and "unknown" in shown:
        text = f"{text}: not known"
    return f"{node.resource.name or node.resource.region}{place}: {text}"


# Fields that stand for a part of an answer that has no name of its own there.
_HEALTH = "TargetHealthDescriptions"
_PARTS = {
    "states": _HEALTH,
    "unhealthy": _HEALTH,
    "targets_per_zone": _HEALTH,
    "probe": "Listeners",
    "forwards": "DefaultActions",
    "rule_forwards": "Actions",
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
    return _PARTS.get(field, field)


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


def _raw(region: RegionModel, read: AnyRead, key: str, field: str, node: Node) -> Any:
    """The raw value of one field in the answer behind a fact, or None when there is none to show."""
    inventory = region.inventory
    if not key:
        return None
    if field == "probe":
        return _cut(sorted(_listener(x) for x in inventory.listing(elbv2.LISTENERS, key))) or None
    if field in ("forwards", "rule_forwards"):
        return _forwards(inventory, read, key, node.resource.arn) or None
    if read is elbv2.TARGET_HEALTH:
        return _targets(region, key)
    if read.of is KeyValue:
        attributes = inventory.attributes(read, key)
        return None if isinstance(attributes, Unknown) else attributes.get(field, "(not returned)")
    items = inventory.listing(read, key).items if read.key else ()
    item = items[0] if items else inventory.index(read).get(key) if read.identity and not read.key else None
    if item is None:
        return None
    for step in field.split("."):
        item = getattr(item, step, None)
    shown = plain(item)
    return "(not returned)" if shown is None or shown == "" else shown


def _listener(listener: elbv2.Listener) -> str:
    policy = f", {listener.SslPolicy}" if listener.SslPolicy else ""
    kinds = ", ".join(a.Type for a in listener.DefaultActions)
    return f"{listener.Protocol}:{listener.Port}{policy}, default action {kinds or 'none'}"


def _forwards(inventory: RegionInventory, read: AnyRead, key: str, group: str) -> list[str]:
    """The listeners, or the rules of one listener, that forward to a target group, with the weight it has there."""
    found = [
        f"{where}, weight {weight}"
        for where, actions in _actions(inventory, read, key)
        for arn, weight in weights(actions)
        if arn == group
    ]
    return _cut(sorted(found))


def _actions(inventory: RegionInventory, read: AnyRead, key: str) -> Iterator[tuple[str, list[elbv2.Action]]]:
    if read is elbv2.LISTENERS:
        for listener in inventory.listing(elbv2.LISTENERS, key):
            name = f"{listener.Protocol}:{listener.Port}"
            yield f"default action of listener {name} ({listener.ListenerArn})", listener.DefaultActions
    else:
        for rule in inventory.listing(elbv2.RULES, key):
            if not rule.IsDefault:
                yield f"rule {rule.Priority} ({rule.RuleArn})", rule.Actions


def _targets(region: RegionModel, arn: str) -> list[str]:
    """Targets with zone, state and reason, the failing ones first; a zone that another call gave comes last, after "in"."""
    rows = []
    places = _places(region, arn)
    for health in region.inventory.listing(elbv2.TARGET_HEALTH, arn):
        state = health.TargetHealth
        words = [
            health.Target.Id,
            health.Target.AvailabilityZone or "",
            state.State,
            state.Reason or "",
            state.Description or "",
        ]
        place = "" if health.Target.AvailabilityZone else places.get(health.Target.Id, "")
        rows.append((state.State == "healthy", " ".join(w for w in words if w) + place))
    return _cut([text for _, text in sorted(rows)])


def _places(region: RegionModel, arn: str) -> Mapping[str, str]:
    """Where the targets of a group stand, by ID, as far as that is known."""
    for group in region.of("TargetGroup"):
        if isinstance(group, TargetGroup) and group.TargetGroupArn == arn and not isinstance(group.targets, Unknown):
            return {t.Id: f", in {t.zone}" for t in group.targets if isinstance(t.zone, Zone)}
    return {}


def _cut(rows: list[Any]) -> list[Any]:
    return [*rows[:_LISTED], f"and {len(rows) - _LISTED} more"] if len(rows) > _LISTED else rows


def plain(value: Any) -> Any:
    """A value as JSON can hold it: zones and targets as text, structs as mappings of what is set, an unknown as its reasons."""
    if isinstance(value, Unknown):
        return {"unknown": [r.says for r in value.reasons]}
    if isinstance(value, Zone):
        return str(value)
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, Target):
        place = f" in {value.zone}" if isinstance(value.zone, Zone) else ""
        return f"{value.label}{place}"
    if isinstance(value, msgspec.Struct):
        names = (f for f in value.__struct_fields__ if f not in ("resource", "tags", "links"))
        return {name: shown for name in names if (shown := plain(getattr(value, name))) not in (None, [], {}, "")}
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return _cut([plain(v) if i < _LISTED else None for i, v in enumerate(value)])
    return value
