"""Capacity and the drill as the settings and the cases of rules write them."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Annotated

import msgspec

from ..derive.figures import CapacityFigure, Figures, Window
from .matching import Match

__all__ = ["Capacity", "Drill", "figures_of"]

Positive = Annotated[float, msgspec.Meta(gt=0)]
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

    `unavailable_during_deploy` is how many targets a deployment takes away at a time; `retry_factor` what retries make of
    the peak.
    """

    match: Match
    peak_rps: Positive | None = None
    target_rps: Positive | None = None
    ingress: dict[str, Share] = {}
    unavailable_during_deploy: Annotated[float, msgspec.Meta(ge=0)] = 0
    retry_factor: Annotated[float, msgspec.Meta(ge=1)] = 1


def figures_of(capacity: Sequence[Capacity], drill: Drill | None) -> Figures:
    """Both as derive takes them. An entry that lacks the peak or what one target answers says nothing of capacity."""
    return Figures(
        capacity=tuple(
            CapacityFigure(
                match=entry.match,
                peak_rps=entry.peak_rps,
                target_rps=entry.target_rps,
                retry_factor=entry.retry_factor,
                unavailable_during_deploy=entry.unavailable_during_deploy,
            )
            for entry in capacity
            if entry.peak_rps is not None and entry.target_rps is not None
        ),
        drill=Window(start=drill.start, end=drill.end) if drill else None,
    )
