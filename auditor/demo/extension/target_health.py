"""What DescribeTargetHealth says of one target: state, reason, zone, override and anomaly detection."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

NOT_USED = {
    "State": "unused",
    "Reason": "Target.NotInUse",
    "Description": "Target group is not configured to receive traffic from the load balancer",
}
ZONE_NOT_ENABLED = {
    "State": "unused",
    "Reason": "Target.NotInUse",
    "Description": "Target is in an Availability Zone that is not enabled for the load balancer",
}
STOPPED = {
    "State": "unused",
    "Reason": "Target.InvalidState",
    "Description": "Target is in the stopped state",
}
NOT_REGISTERED = {
    "State": "unused",
    "Reason": "Target.NotRegistered",
    "Description": "Target is not registered to the target group",
}
CHECK_DISABLED = {
    "State": "unavailable",
    "Reason": "Target.HealthCheckDisabled",
    "Description": "Health checks are not enabled for this target",
}
HEALTHY = {"State": "healthy"}

_OVERRIDES = {
    "no_override": ("AdministrativeOverride.NoOverride", "No override is currently active on target"),
    "zonal_shift_active": (
        "AdministrativeOverride.ZonalShiftActive",
        "Zonal shift is active on target",
    ),
    "zonal_shift_delegated_to_dns": (
        "AdministrativeOverride.ZonalShiftDelegatedToDns",
        "Zonal shift state is not tracked per target and is applied in DNS",
    ),
}


@dataclasses.dataclass(slots=True)
class Registration:
    """A registered target. `zone` is a zone name, "all", or None where AWS reports none (instances, ALBs, functions).

    `health` is what the checks say once the target is in use; a whole TargetHealth in AWS spelling.
    """

    id: str
    port: int | None
    zone: str | None
    health: Mapping[str, str] = dataclasses.field(default_factory=lambda: dict(HEALTHY))


@dataclasses.dataclass(frozen=True, slots=True)
class Setting:
    """What the state of a group's targets depends on beside the targets.

    Attributes:
        kind: type of the load balancer that uses the group, None while nothing uses it.
        zones: zone names the load balancer has enabled.
        checked: health checks are enabled.
        cross_zone: effective cross-zone of the group.
        shift_enabled: the load balancer is registered with zonal shift.
        away_from: name of the zone that a shift in force moves traffic away from.
    """

    kind: str | None
    zones: frozenset[str]
    checked: bool
    cross_zone: bool
    shift_enabled: bool
    away_from: str | None


def state_of(target: Registration, zone: str | None, stopped: bool, setting: Setting) -> Mapping[str, str]:
    """TargetHealth of a registered target; `zone` is where it is, None where that plays no part."""
    if setting.kind is None:
        return NOT_USED
    if stopped:
        return STOPPED
    if zone not in (None, "all") and zone not in setting.zones:
        return ZONE_NOT_ENABLED
    if not setting.checked:
        return CHECK_DISABLED
    return target.health


def override_of(zone: str | None, setting: Setting) -> dict[str, str] | None:
    """AdministrativeOverride of a target; AWS reports it for targets of Network Load Balancers."""
    if setting.kind != "network":
        return None
    state = "no_override"
    if setting.shift_enabled and not setting.cross_zone:
        state = "zonal_shift_delegated_to_dns"
    elif setting.away_from is not None and zone == setting.away_from:
        state = "zonal_shift_active"
    reason, description = _OVERRIDES[state]
    return {"State": state, "Reason": reason, "Description": description}


def anomaly_of(health: Mapping[str, Any], include: list[str], setting: Setting) -> dict[str, str] | None:
    """AnomalyDetection of a target; only when asked for, and only for Application Load Balancers."""
    if setting.kind != "application" or not {"All", "AnomalyDetection"} & set(include):
        return None
    if health.get("State") not in ("healthy", "unhealthy"):
        return None
    return {"Result": "normal", "MitigationInEffect": "no"}
