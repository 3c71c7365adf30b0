"""What does each zone carry, and what is left when one is lost? The arithmetic of load and capacity, and nothing else.

Loads are in requests a second. With cross-zone on every target takes the same share of the whole load (pooled); with cross-zone
off the targets of a zone share what arrives in that zone (local). After the loss of a zone the others take its clients over,
each in proportion to its own share. It is assumed that targets are alike and that requests are spread evenly over them; for a
Network Load Balancer the figures are expectations over many connections, of which a single one never spreads.

Rules, simulations and reports stand on this module; it knows none of them, and nothing of AWS but the word zone.
https://docs.aws.amazon.com/whitepapers/latest/aws-fault-isolation-boundaries/static-stability.html
https://docs.aws.amazon.com/elasticloadbalancing/latest/userguide/how-elastic-load-balancing-works.html
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from ..model.identity import Zone
from ..model.known import Known, unclear

Verdict = Literal["holds", "overloads", "no_capacity"]
_TINY = 1e-9  # what floating point may be off by, as a part of a number: q * n == L holds


class Demand(msgspec.Struct, frozen=True, kw_only=True):
    """What users ask, and what one target can give.

    `peak_rps` is the peak as it arrives, `retry_factor` what retries make of it, `target_rps` what one target answers.
    `unavailable` are targets that a deployment takes away at a time, `unavailable_share` the same as a share of the
    targets; both are taken from each zone in proportion to its targets.

    Raises:
        ValueError: a number that nothing can be counted with: not finite, negative, or 0 for what one target answers.
    """

    peak_rps: float
    target_rps: float
    retry_factor: float = 1
    unavailable: float = 0
    unavailable_share: float = 0

    def __post_init__(self) -> None:
        numbers = (self.peak_rps, self.target_rps, self.retry_factor, self.unavailable, self.load, self.exact)
        if not all(map(math.isfinite, numbers)) or min(numbers) < 0 or not 0 <= self.unavailable_share < 1:
            raise ValueError(f"nothing can be counted with {self}")

    @property
    def load(self) -> float:
        """Load to be carried, in requests a second."""
        return self.peak_rps * self.retry_factor

    @property
    def targets_needed(self) -> int:
        """Fewest serving targets that carry the load (seven and a half are eight)."""
        return _up(self.load / self.target_rps)

    @property
    def targets_required(self) -> int:
        """Fewest targets that must be left for the load to be carried while a deployment takes some of them away."""
        return _up(self.exact)

    @property
    def exact(self) -> float:
        """The same before it is rounded up."""
        if self.target_rps <= 0 or self.unavailable_share >= 1:
            return math.inf
        return (self.load / self.target_rps + self.unavailable) / (1 - self.unavailable_share)

    def installed_for(self, zones: int) -> float:
        """Capacity, in requests a second, that evenly placed targets need so that one of some zones may go; infinite for one."""
        return self.load * zones / (zones - 1) if zones > 1 else math.inf

    def targets_in_each(self, zones: int) -> int | None:
        """Fewest targets in each of some zones so that any one zone may go, clients arriving evenly; None for one zone."""
        return _up(self.targets_required / (zones - 1)) if zones > 1 else None

    def serving(self, targets: float) -> float:
        """How many of all targets are there while a deployment is under way."""
        return max(0.0, targets * (1 - self.unavailable_share) - self.unavailable)

    def kept(self, targets: float) -> float:
        """The part of all targets that is there while a deployment is under way; 0 for no target."""
        return self.serving(targets) / targets if targets else 0.0


class ZoneLoad(msgspec.Struct, frozen=True, kw_only=True):
    """One zone in one state.

    `share` is its part of what clients send, `targets` those that serve there (a fraction during a deployment), `load`
    what they carry together. `per_target` and `utilisation` are infinite where load meets no target. `margin` is what they
    could carry beside it, negative where they cannot carry it. `missing` is how many targets more the zone must have where
    zones do not share targets; 0 where they do, since it makes no difference there in which zone targets are missing.
    """

    zone: Zone
    share: float
    targets: float
    load: float
    per_target: float
    utilisation: float
    margin: float
    missing: int


class State(msgspec.Struct, frozen=True, kw_only=True):
    """All zones that serve, before or after a loss.

    `missing` is how many targets more it takes to carry the load. A part of them is away during a deployment, so they may be
    more than capacity alone suggests; with cross-zone off they are counted in the zones where they are missing.
    """

    zones: tuple[ZoneLoad, ...]
    capacity: float
    load: float
    verdict: Verdict
    missing: int

    @property
    def hottest(self) -> ZoneLoad | None:
        """The zone whose targets carry most, each; None where no zone has any load."""
        return max((z for z in self.zones if z.load > 0), key=lambda z: z.per_target, default=None)

    @property
    def utilisation(self) -> float:
        """What the hottest targets carry over what they can; infinite where load meets no target."""
        if self.hottest is not None:
            return self.hottest.utilisation
        return math.inf if self.load > 0 else 0.0

    @property
    def margin(self) -> float:
        """Capacity beside the load, in requests a second; negative where there is too little of it."""
        return self.capacity - self.load


class Loss(msgspec.Struct, frozen=True, kw_only=True):
    """The loss of a zone: the part of all targets that goes with it, and what is left once its clients have moved."""

    zone: Zone
    share_lost: float
    after: State


class Fleet(msgspec.Struct, frozen=True, kw_only=True):
    """The targets of one group: how many serve in each zone, whether zones share them, and where clients arrive.

    `shares` has a part for each zone whose address clients use, and sums to one. A zone with targets and no share serves only
    with cross-zone on; a zone with a share and no target has nothing to serve it with when cross-zone is off.
    """

    targets: Mapping[Zone, int]
    shares: Mapping[Zone, float]
    pooled: bool

    def without(self, zone: Zone) -> Fleet:
        """The fleet once the zone is gone and its clients have moved: the other shares grow in proportion.

        Where nobody came to the other zones, they get equal parts.
        """
        left = {z: s for z, s in self.shares.items() if z != zone}
        shares = in_proportion(left) or equal_shares(left)
        return Fleet(targets={z: n for z, n in self.targets.items() if z != zone}, shares=shares, pooled=self.pooled)

    def while_clients_stay(self, zone: Zone, demand: Demand) -> Known[State]:
        """What is carried after the loss of a zone, while its clients still use the addresses there.

        Unknown unless nobody uses them: how many stay, and for how long, hangs on what clients keep of DNS answers and of
        connections, which no answer of AWS says.
        """
        if self.shares.get(zone, 0) > 0:
            return unclear(
                f"how long clients go on using the addresses in {zone} after its loss is in no answer of AWS"
            )
        return self.without(zone).state(demand)

    def losses(self, demand: Demand) -> tuple[Loss, ...]:
        """The loss of each zone in turn, in order of zone ID."""
        zones = sorted({**self.targets, **self.shares}, key=lambda z: z.key)
        return tuple(Loss(zone=z, share_lost=self.share_lost(z), after=self.without(z).state(demand)) for z in zones)

    def state(self, demand: Demand) -> State:
        """What each zone carries, and whether it can."""
        total = sum(self.targets.values())
        serving = {z: self.targets.get(z, 0) * demand.kept(total) for z in {**self.targets, **self.shares}}
        there = sum(serving.values())
        zones = tuple(self._zone(z, serving[z], there, demand) for z in sorted(serving, key=lambda z: z.key))
        missing = max(0, demand.targets_required - total) if self.pooled else sum(z.missing for z in zones)
        return State(
            zones=zones,
            capacity=demand.target_rps * there,
            load=demand.load,
            verdict=_verdict(zones, demand, missing),
            missing=missing,
        )

    def _zone(self, zone: Zone, serving: float, there: float, demand: Demand) -> ZoneLoad:
        share = self.shares.get(zone, 0.0)
        load = demand.load * (serving / there if self.pooled and there else share)
        per_target = load / serving if serving else (math.inf if load > 0 else 0.0)
        return ZoneLoad(
            zone=zone,
            share=share,
            targets=serving,
            load=load,
            per_target=per_target,
            utilisation=per_target / demand.target_rps,
            margin=demand.target_rps * serving - load,
            missing=0 if self.pooled else self._missing(zone, load, demand),
        )

    def _missing(self, zone: Zone, load: float, demand: Demand) -> int:
        """Targets that a zone lacks, counted with the part of them that is there when no zone lacks any.

        A deployment that takes a fixed number away takes a smaller part of more targets.
        """
        if load <= 0:
            return 0
        whole = max(sum(self.targets.values()), demand.exact)
        return max(0, _up(load / demand.target_rps / demand.kept(whole)) - self.targets.get(zone, 0))

    def share_lost(self, zone: Zone) -> float:
        """The part of all targets that goes with a zone; 0 without any target."""
        total = sum(self.targets.values())
        return self.targets.get(zone, 0) / total if total else 0.0

    def survivable_utilisation(self, zone: Zone) -> float:
        """Highest utilisation of the whole fleet before the loss of a zone at which every zone still carries its part after it.

        Utilisation of the whole is load over the capacity of all targets. 0 where a part of the load finds no target.
        """
        after = self.without(zone)
        total, left = sum(self.targets.values()), sum(after.targets.values())
        if not total or not left or not after.shares:
            return 0.0
        if self.pooled:
            return left / total
        return min(after.targets.get(z, 0) / (s * total) for z, s in after.shares.items() if s > 0)


def worst_of(losses: Iterable[Loss]) -> Loss | None:
    """The loss after which the hottest targets carry most; of several that are equally bad the first."""
    return max(losses, key=lambda x: x.after.utilisation, default=None)


def equal_shares(zones: Iterable[Zone]) -> dict[Zone, float]:
    """The same part for each zone; none for no zone."""
    among = list(zones)
    return {z: 1 / len(among) for z in among}


def in_proportion(parts: Mapping[Zone, float]) -> dict[Zone, float]:
    """Parts that sum to one; none where all of them are 0."""
    total = math.fsum(parts.values())
    return {z: part / total for z, part in parts.items()} if total > 0 else {}


def _verdict(zones: Iterable[ZoneLoad], demand: Demand, missing: int) -> Verdict:
    loaded = [z for z in zones if z.load > 0]
    if demand.load > 0 and (not loaded or any(math.isinf(z.per_target) for z in loaded)):
        return "no_capacity"
    return "overloads" if missing else "holds"


def _up(number: float) -> int:
    """The next whole number; a hair above one is not taken for more, and a hair above nothing is not taken for nothing."""
    return max(math.ceil(number - _TINY * max(1.0, abs(number))), 1 if number > 0 else 0)
