"""The short form of ARC and of the alarms of practice runs."""

from __future__ import annotations

from typing import Any, Literal

import msgspec


class ArcForm(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of these parts of the form."""


class Shift(ArcForm, frozen=True, kw_only=True):
    """A shift. `passes` names the readings of ARC state that see it; a kind of null is one that ARC did not report."""

    resource: str
    away: str
    kind: Literal["ZONAL_SHIFT", "PRACTICE_RUN", "FIS_EXPERIMENT", "ZONAL_AUTOSHIFT"] | None = "ZONAL_SHIFT"
    applied: bool = True
    status: Literal["ACTIVE", "EXPIRED", "CANCELED"] = "ACTIVE"
    started: str = "2026-11-30T07:00:00Z"
    expires: str = "2026-11-30T19:00:00Z"
    comment: str = "moved away for the drill"
    outcome: str | None = None  # of a practice run; PENDING without it; "absent" is left out of ARC's answer
    passes: tuple[Literal[1, 2], ...] = (1, 2)


class Practice(ArcForm, frozen=True, kw_only=True):
    """A practice-run configuration. An alarm is named, or given by its ARN when it is somewhere else."""

    outcome: tuple[str, ...]
    blocking: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    blocked_dates: tuple[str, ...] = ()


class Arc(ArcForm, frozen=True, kw_only=True):
    """What differs in ARC from what follows from the resources' own switches. `extra` may hold a name or an ARN.

    `practice` maps a resource to its configuration, or to the names of its outcome alarms. `autoshifts` are zones of
    autoshifts in the region that are applied to none of the resources. `weights` overrides the weight of zones.
    `unsaid` names members of ListManagedResources that ARC leaves out for a resource.
    """

    shifts: tuple[Shift, ...] = ()
    unlisted: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    autoshift: tuple[str, ...] = ()
    autoshifts: tuple[str, ...] = ()
    practice: dict[str, tuple[str, ...] | Practice] = {}
    weights: dict[str, dict[str, float]] = {}
    unsaid: dict[str, tuple[str, ...]] = {}
    observer: Literal["ENABLED", "DISABLED"] | None = "DISABLED"


class Alarm(ArcForm, frozen=True, kw_only=True):
    """A CloudWatch alarm: on one metric, on `metrics` (queries as in the API), or composite where it has a `rule`.

    `dimensions` may name a load balancer of the scenario, whose dimension value it stands for, and a zone.
    """

    namespace: str = "AWS/ApplicationELB"
    metric: str = "HTTPCode_Target_5XX_Count"
    dimensions: dict[str, str] = {}
    statistic: Literal["SampleCount", "Average", "Sum", "Minimum", "Maximum"] = "Sum"
    comparison: str = "GreaterThanThreshold"
    threshold: float = 10
    metrics: tuple[dict[str, Any], ...] = ()
    rule: str = ""
    state: Literal["OK", "ALARM", "INSUFFICIENT_DATA"] = "OK"
    since: str = "2026-11-01T00:00:00Z"  # "absent" is left out of the answer
    evaluation: Literal["PARTIAL_DATA", "EVALUATION_FAILURE", "EVALUATION_ERROR"] | None = None
