"""The shorthand of a scenario for things that are counted: ``2 healthy, 1 unhealthy 302``; ``2, 1 Pending``."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from .form import refuse

_STATES = ("healthy", "unhealthy", "unhealthy.draining", "initial", "draining", "unused", "unavailable")
_REASONS = {
    "RegistrationInProgress": "Elb.RegistrationInProgress",
    "InitialHealthChecking": "Elb.InitialHealthChecking",
    "InternalError": "Elb.InternalError",
    "ResponseCodeMismatch": "Target.ResponseCodeMismatch",
    "Timeout": "Target.Timeout",
    "FailedHealthChecks": "Target.FailedHealthChecks",
    "NotRegistered": "Target.NotRegistered",
    "NotInUse": "Target.NotInUse",
    "InvalidState": "Target.InvalidState",
    "IpUnusable": "Target.IpUnusable",
    "DeregistrationInProgress": "Target.DeregistrationInProgress",
    "HealthCheckDisabled": "Target.HealthCheckDisabled",
}
_DEFAULT_REASON = {
    "unhealthy": "FailedHealthChecks",
    "unhealthy.draining": "FailedHealthChecks",
    "initial": "InitialHealthChecking",
    "draining": "DeregistrationInProgress",
    "unused": "NotInUse",
    "unavailable": "HealthCheckDisabled",
}
_DESCRIPTIONS = {
    "Elb.RegistrationInProgress": "Target registration is in progress",
    "Elb.InitialHealthChecking": "Initial health checks in progress",
    "Elb.InternalError": "Health checks failed due to an internal error",
    "Target.Timeout": "Request timed out",
    "Target.FailedHealthChecks": "Health checks failed",
    "Target.NotRegistered": "Target is not registered to the target group",
    "Target.NotInUse": "Target group is not configured to receive traffic from the load balancer",
    "Target.InvalidState": "Target is in the stopped state",
    "Target.IpUnusable": "Target IP is used by a load balancer",
    "Target.DeregistrationInProgress": "Target deregistration is in progress",
    "Target.HealthCheckDisabled": "Health checks are disabled for this target",
}
ZONE_NOT_ENABLED = "Target is in an Availability Zone that is not enabled for the load balancer"


class TargetState(NamedTuple):
    """How many targets are in which state, as `TargetHealth` shows it."""

    number: int
    state: str
    reason: str | None
    description: str | None


class InstanceState(NamedTuple):
    """How many instances are in which lifecycle state."""

    number: int
    lifecycle: str
    healthy: bool


@lru_cache(maxsize=4096)
def target_states(text: str, place: str, *, says_codes: bool) -> tuple[TargetState, ...]:
    """Read ``N state [detail]``, separated by commas; a detail is a status code (``404`` or ``302/404``) or a reason.

    `says_codes`: whether the load balancer names a code mismatch as its reason (an Application Load Balancer does).

    Raises:
        RuleError: text that is not of this form.
    """
    found = []
    for part in text.split(","):
        words = part.split()
        if len(words) not in (2, 3) or not words[0].isdigit() or words[1] not in _STATES:
            raise refuse(place, f"'{part.strip()}' is not a number and one of {', '.join(_STATES)}")
        state, detail = words[1], words[2] if len(words) == 3 else ""
        found.append(TargetState(int(words[0]), state, *_detail(state, detail, place, says_codes=says_codes)))
    return tuple(found)


def _detail(state: str, detail: str, place: str, *, says_codes: bool) -> tuple[str | None, str | None]:
    if state == "healthy" and not detail:
        return None, None
    if re.fullmatch(r"\d{3}(/\d{3})*", detail):
        reason = "Target.ResponseCodeMismatch" if says_codes else "Target.FailedHealthChecks"
        return reason, f"Health checks failed with these codes: [{', '.join(detail.split('/'))}]"
    if detail and detail not in _REASONS:
        raise refuse(place, f"'{detail}' is neither a status code nor one of {', '.join(_REASONS)}")
    reason = _REASONS[detail or _DEFAULT_REASON[state]]
    return reason, _DESCRIPTIONS.get(reason)


@lru_cache(maxsize=4096)
def instance_states(value: str | int, place: str) -> tuple[InstanceState, ...]:
    """Read ``N [LifecycleState] [Unhealthy]``, separated by commas; a plain number is that many in service.

    Raises:
        RuleError: text that is not of this form.
    """
    found = []
    for part in str(value).split(","):
        number, *words = part.split() or [""]
        healthy = "Unhealthy" not in words
        lifecycles = [w for w in words if w != "Unhealthy"]
        if not number.isdigit() or len(lifecycles) > 1:
            raise refuse(place, f"'{part.strip()}' is not a number, a lifecycle state and perhaps Unhealthy")
        found.append(InstanceState(int(number), lifecycles[0] if lifecycles else "InService", healthy))
    return tuple(found)
