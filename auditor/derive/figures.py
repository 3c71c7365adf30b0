"""What the user gives beside what AWS answers: capacity figures and the window of the next drill.

The settings are read elsewhere; derive gets them in this form, so that it stays pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Protocol, TypeVar

import msgspec

from ..model.known import Known, Unknown, merge, unclear
from ..model.verdict import Truth, all_of, any_of
from .capacity import Demand
from .node import Node


class Choice(Protocol):
    """A choice of resources by name, ARN or tag."""

    def of(self, node: Node) -> Truth:
        """Whether the resource of `node` is meant; unknown when that hangs on tags that could not be read."""
        ...


class TargetFigure(msgspec.Struct, frozen=True, kw_only=True):
    """What one target of the chosen groups can do; the peak is not given, so it counts only where one was measured.

    `target_rps` is what one target (of weight 1) answers, in requests a second; `retry_factor` is what clients that ask again
    add to the peak; `unavailable_during_deploy` is how many targets a deployment takes away, `unavailable_share` the same as a
    share of them. `ingress` is the part of what clients send that arrives in each zone, by zone ID or name; empty where it is
    not given.
    """

    match: Choice
    target_rps: float
    retry_factor: float = 1
    unavailable_during_deploy: float = 0
    unavailable_share: float = 0
    ingress: Mapping[str, float] = {}

    def at(self, peak_rps: float, measured: str = "") -> CapacityFigure:
        """The figure with a peak; `measured` says in words how it was measured, where it was."""
        given = {name: getattr(self, name) for name in TargetFigure.__struct_fields__}
        return CapacityFigure(**given, peak_rps=peak_rps, measured=measured)


class CapacityFigure(TargetFigure, frozen=True, kw_only=True):
    """How much capacity the chosen target groups or Auto Scaling groups need.

    `peak_rps` is what users ask at the peak, in requests a second; `measured` says how it was measured, and is empty where it
    was given.
    """

    peak_rps: float
    measured: str = ""

    @property
    def required(self) -> int:
        """Capacity units that must be left when a zone is lost."""
        return self.demand.targets_required

    @property
    def demand(self) -> Demand:
        """The figure as the arithmetic takes it."""
        return Demand(
            peak_rps=self.peak_rps,
            target_rps=self.target_rps,
            retry_factor=self.retry_factor,
            unavailable=self.unavailable_during_deploy,
            unavailable_share=self.unavailable_share,
        )


F = TypeVar("F", bound=TargetFigure)


class Front(msgspec.Struct, frozen=True, kw_only=True):
    """A load balancer that sends to a target group, and its other groups that are in use, by name.

    A figure for the load balancer is one for the group only when there are none: otherwise nothing says how much of the peak
    goes where. `others` are those groups and what feeds them: a choice that means one of them is not for the load balancer,
    whatever its name.
    """

    node: Node
    group_name: str
    beside: Known[tuple[str, ...]]
    others: tuple[Node, ...] = ()

    def chooses(self, match: Choice) -> Truth:
        """Whether a choice means the target group because it means the load balancer."""
        alone = self.beside if isinstance(self.beside, Unknown) else not self.beside
        return all_of((match.of(self.node), alone))

    def refused(self, match: Choice) -> Unknown | None:
        """Why a choice that means the load balancer says nothing of the target group, or None."""
        if match.of(self.node) is not True or isinstance(self.beside, Unknown) or not self.beside:
            return None
        if any(match.of(other) is True for other in self.others):
            return None
        names = ", ".join(sorted((self.group_name, *self.beside)))
        return unclear(
            f"a capacity entry is for the load balancer {self.node.resource.name}, of which several target groups are in use: "
            f"let it match one of {names}"
        )


class Window(msgspec.Struct, frozen=True, kw_only=True):
    """From when to when something is planned; both ends carry a time zone."""

    start: datetime
    end: datetime


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """Everything the user gave. Without it, what needs it is left unjudged. `peakless` are figures that lack the peak."""

    capacity: tuple[CapacityFigure, ...] = ()
    peakless: tuple[TargetFigure, ...] = ()
    drill: Window | None = None

    def for_peaks(self, *, measured: bool) -> bool:
        """Whether any figure says what must be carried: one with a peak, or one without where peaks were measured."""
        return bool(self.capacity) or (measured and bool(self.peakless))

    def chosen(self, nodes: Iterable[Node], fronts: Iterable[Front] = ()) -> Known[CapacityFigure | None]:
        """The figure that is meant for any of some resources, the most demanding of several; None when none is.

        `fronts` are the load balancers before them. Unknown while tags that were not read may choose another figure.
        """
        found = meant(self.capacity, nodes, fronts)
        return found if isinstance(found, Unknown) else max(found, key=lambda f: f.required, default=None)

    def required(self, nodes: Iterable[Node], fronts: Iterable[Front] = ()) -> Known[int | None]:
        """The largest capacity that is meant for any of some resources; None when none is."""
        figure = self.chosen(nodes, fronts)
        return figure if figure is None or isinstance(figure, Unknown) else figure.required

    def refused(self, fronts: Iterable[Front]) -> Unknown | None:
        """Why figures for load balancers say nothing of the target groups behind them, or None."""
        among = tuple(fronts)
        reasons = [
            why for f in (*self.capacity, *self.peakless) for x in among if (why := x.refused(f.match)) is not None
        ]
        return merge(reasons) if reasons else None


def meant(figures: Iterable[F], nodes: Iterable[Node], fronts: Iterable[Front] = ()) -> Known[tuple[F, ...]]:
    """The figures that choose any of some resources; unknown while tags that were not read may choose another."""
    among, before = tuple(nodes), tuple(fronts)
    found: list[F] = []
    unknowns: list[Unknown] = []
    for figure in figures:
        truth = any_of([*(figure.match.of(n) for n in among), *(f.chooses(figure.match) for f in before)])
        if isinstance(truth, Unknown):
            unknowns.append(truth)
        elif truth:
            found.append(figure)
    return merge(unknowns) if unknowns else tuple(found)
