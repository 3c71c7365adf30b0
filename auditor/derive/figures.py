"""What the user gives beside what AWS answers: capacity figures and the window of the next drill.

The settings are read elsewhere; derive gets them in this form, so that it stays pure.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import datetime
from typing import Protocol

import msgspec

from ..model.known import Known, Unknown, merge
from ..model.verdict import Truth
from .node import Node


class Choice(Protocol):
    """A choice of resources by name, ARN or tag."""

    def of(self, node: Node) -> Truth:
        """Whether the resource of `node` is meant; unknown when that hangs on tags that could not be read."""
        ...


class CapacityFigure(msgspec.Struct, frozen=True, kw_only=True):
    """How much capacity the chosen target groups or Auto Scaling groups need.

    `peak_rps` is what users ask at the peak, `target_rps` what one target (of weight 1) answers, both in requests a second;
    `retry_factor` is what clients that ask again add to the peak; `unavailable_during_deploy` is how many targets a
    deployment takes away.
    """

    match: Choice
    peak_rps: float
    target_rps: float
    retry_factor: float = 1
    unavailable_during_deploy: float = 0

    @property
    def required(self) -> int:
        """Capacity units that must be left when a zone is lost."""
        return math.ceil(self.peak_rps * self.retry_factor / self.target_rps + self.unavailable_during_deploy)


class Window(msgspec.Struct, frozen=True, kw_only=True):
    """From when to when something is planned; both ends carry a time zone."""

    start: datetime
    end: datetime


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """Everything the user gave. Without it, what needs it is left unjudged."""

    capacity: tuple[CapacityFigure, ...] = ()
    drill: Window | None = None

    def required(self, nodes: Iterable[Node]) -> Known[int | None]:
        """The largest figure that is meant for any of some resources; None when none is.

        Unknown while tags that were not read may choose another figure.
        """
        if not self.capacity:
            return None
        among = tuple(nodes)
        found: list[int] = []
        unknowns: list[Unknown] = []
        for figure in self.capacity:
            truths = [figure.match.of(node) for node in among]
            if any(t is True for t in truths):
                found.append(figure.required)
            else:
                unknowns += [t for t in truths if isinstance(t, Unknown)]
        return merge(unknowns) if unknowns else max(found, default=None)
