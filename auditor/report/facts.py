"""How values of the model are written into the document: unknown ones as null, with what is missing beside them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from ..derive.nodes import LoadBalancerZone
from ..model.identity import Zone
from ..model.known import Known, Unknown, unclear


def shown(**facts: Any) -> dict[str, Any]:
    """Facts as members of an object of the document.

    A value that is not known becomes null and is listed under ``unknown`` with the IAM actions whose answers are
    missing (or, where no call is missing, with the reason), so that null alone always means "AWS says none".
    """
    members: dict[str, Any] = {}
    unknown: dict[str, list[str]] = {}
    for name, value in facts.items():
        if isinstance(value, Unknown):
            members[name] = None
            unknown[name] = missing(value)
        else:
            members[name] = value
    if unknown:
        members["unknown"] = unknown
    return members


def missing(value: Unknown) -> list[str]:
    """What stands in the way of a value: IAM actions, or reasons in words where no call is missing."""
    return list(value.actions) or sorted({reason.says for reason in value.reasons})


def zone_of(zone: Zone) -> dict[str, Any]:
    """A zone in the document; `id` is null where no answer gave it."""
    return {"id": zone.id, "name": zone.name}


def in_dns(zone: LoadBalancerZone) -> Known[bool]:
    """Whether DNS answers with a zone: as the health of its targets has it, less a shift that moves traffic away.

    A shift does nothing while a load balancer sends traffic to failing targets, so without a healthy target here its effect
    is not known.
    """
    if zone.published is not True or zone.shift_applied is not True:
        return zone.published
    if isinstance(zone.healthy_count, Unknown):
        return zone.healthy_count
    return False if zone.healthy_count else unclear("a shift has no effect while traffic goes to failing targets")


def tags_of(tags: Mapping[str, str] | Unknown) -> dict[str, str] | Unknown:
    """Tags in a fixed order."""
    return tags if isinstance(tags, Unknown) else dict(sorted(tags.items()))


def plain_value(value: Any) -> Any:
    """`value` in terms of JSON: structs as objects, other types as text, NaN and infinities as null."""
    return _finite(msgspec.to_builtins(value, str_keys=True, enc_hook=str))


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value


def ordered(zones: Iterable[Zone]) -> list[Zone]:
    """Zones by ID, those without one last, by name."""
    return sorted(zones, key=lambda zone: (zone.id is None, zone.id or "", zone.name or ""))
