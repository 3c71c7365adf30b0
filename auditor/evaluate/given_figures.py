"""Capacity and the drill as the settings and the cases of rules write them."""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from typing import Annotated

import msgspec

from ..derive.figures import Figures, TargetFigure, Window
from .matching import Match

__all__ = ["Capacity", "Drill", "figures_of"]

_PERCENT = r"^\d+(\.\d+)?\s*%$"
_OFF_BY = 0.02  # shares are written with two digits or so: three of 0.33, six of 0.17
Positive = Annotated[float, msgspec.Meta(gt=0)]
Rate = Annotated[float, msgspec.Meta(gt=0, le=1e12)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]


class Drill(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The window of the next game day; both ends carry a time zone."""

    start: Annotated[datetime.datetime, msgspec.Meta(tz=True)]
    end: Annotated[datetime.datetime, msgspec.Meta(tz=True)]

    def __post_init__(self) -> None:
        if self.end <= self.start:
            raise ValueError("the drill ends before it starts")


class Capacity(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What users ask at the peak (`peak_rps`) and what one target can answer (`target_rps`), in requests a second.

    `match` chooses target groups or Auto Scaling groups. It may choose a load balancer of which one target group is in use:
    that group is then meant. Where several entries mean the same group, the one that asks most of it counts.
    `ingress` is the part of what clients send that arrives in each zone, by zone ID or name; the parts sum to one, give or take
    0.02, and a zone that is not named gets nothing.
    `unavailable_during_deploy` is how many targets a deployment takes away at a time, as a number or as ``10%``;
    `retry_factor` what retries make of the peak.

    What can be seen in the entry alone is refused when it is read. What takes the estate to see (a zone that a load balancer
    does not serve, a load balancer with several groups in use) leaves the verdicts on the groups concerned unknown, with the
    reason, and `auditor.evaluate.capacity_notes` says it once more: one entry may be right for one region and wrong for
    another, and everything else of the estate can still be judged.
    """

    match: Match
    peak_rps: Rate | None = None
    target_rps: Annotated[float, msgspec.Meta(ge=1e-6, le=1e12)] | None = None
    ingress: dict[str, Share] = {}
    unavailable_during_deploy: (
        Annotated[float, msgspec.Meta(ge=0, le=1e6)] | Annotated[str, msgspec.Meta(pattern=_PERCENT)]
    ) = 0
    retry_factor: Annotated[float, msgspec.Meta(ge=1, le=1000)] = 1

    def __post_init__(self) -> None:
        total = math.fsum(self.ingress.values())
        if self.ingress and abs(total - 1) > _OFF_BY + 1e-9:
            raise ValueError(f"the parts of `ingress` sum to {total:.4g}, not to 1 (give or take {_OFF_BY})")
        if self.unavailable_share >= 1:
            raise ValueError("a deployment that takes every target away leaves nothing to count")

    @property
    def unavailable_share(self) -> float:
        """The part of the targets that a deployment takes away, where it is given so; else 0."""
        given = self.unavailable_during_deploy
        return float(given.rstrip("% ")) / 100 if isinstance(given, str) else 0.0


def figures_of(capacity: Sequence[Capacity], drill: Drill | None) -> Figures:
    """Both as derive takes them. An entry that lacks what one target answers says nothing of capacity."""
    found = [(_target_figure(entry, entry.target_rps), entry.peak_rps) for entry in capacity if entry.target_rps]
    return Figures(
        capacity=tuple(figure.at(peak) for figure, peak in found if peak is not None),
        peakless=tuple(figure for figure, peak in found if peak is None),
        drill=Window(start=drill.start, end=drill.end) if drill else None,
    )


def _target_figure(entry: Capacity, target_rps: float) -> TargetFigure:
    number = entry.unavailable_during_deploy
    return TargetFigure(
        match=entry.match,
        target_rps=target_rps,
        retry_factor=entry.retry_factor,
        unavailable_during_deploy=0.0 if isinstance(number, str) else number,
        unavailable_share=entry.unavailable_share,
        ingress=entry.ingress,
    )
