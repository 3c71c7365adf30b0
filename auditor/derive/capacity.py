"""What does each zone carry, and what is left when one is lost? The arithmetic of load and capacity, and nothing else.

Loads are in requests a second. With cross-zone on every target takes the same share of the whole load (pooled); with cross-zone
off the targets of a zone share what arrives in that zone (local). After the loss of a zone the others take its clients over,
each in proportion to its own share. It is assumed that targets are alike and that requests are spread evenly over them; for a
Network Load Balancer the figures are expectations over many connections, of which a single one never spreads.
https://docs.aws.amazon.com/whitepapers/latest/aws-fault-isolation-boundaries/static-stability.html
https://docs.aws.amazon.com/elasticloadbalancing/latest/userguide/how-elastic-load-balancing-works.html
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from ..model.identity import Zone

Verdict = Literal["holds", "overloads", "no_capacity"]
_TINY = 1e-9


class Demand(msgspec.Struct, frozen=True, kw_only=True):
    """What users ask, and what one target can give.

    `peak_rps` is the peak as it arrives, `retry_factor` what retries make of it, `target_rps` what one target answers.
    `unavailable` are targets that a deployment takes away at a time, `unavailable_share` the same as a share of the
    targets; both are taken from each zone in proportion to its targets.
    """

    peak_rps: float
    target_rps: float
    retry_factor: float = 1
    unavailable: float = 0
    unavailable_share: float = 0

    @property
    def load(self) -> float:
        """Load to be carried, in requests a second."""
        return self.peak_rps * self.retry_factor

    @property
    def targets_needed(self) -> int:
        """Fewest targets that carry the load, all of them being there (seven and a half are eight)."""
        return _up(self.load / self.target_rps)

    def installed_for(self, zones: int) -> float:
        """Capacity, in requests a second, that evenly placed targets need so that one of some zones may go; infinite for one."""
        return self.load * zones / (zones - 1) if zones > 1 else math.inf

    def serving(self, targets: int) -> float:
        """How many of all targets are there while a deployment is under way."""
        return max(0.0, targets * (1 - self.unavailable_share) - self.unavailable)


class ZoneLoad(msgspec.Struct, frozen=True, kw_only=True):
    """One zone in one state.

    `share` is its part of what clients send, `targets` those that serve there (a fraction during a deployment), `load`
    what they carry together. `per_target` and `utilisation` are infinite where load meets no target.
    """

    zone: Zone
    share: float
    targets: float
    load: float
    per_target: float
    utilisation: float
    margin: float


class State(msgspec.Struct, frozen=True, kw_only=True):
    """All zones that serve, before or after a loss. `missing` is how many targets more it would take to carry the load."""

    zones: tuple[ZoneLoad, ...]
    capacity: float
    load: float
    verdict: Verdict
    missing: int

    @property
    def hottest(self) -> ZoneLoad | None:
        """The zone whose targets carry most, each; None where no zone has any load."""
        return max((z for z in self.zones if z.load > 0), key=lambda z: z.per_target, default=None)


class Fleet(msgspec.Struct, frozen=True, kw_only=True):
    """The targets of one group: how many serve in each zone, whether zones share them, and where clients arrive.

    `shares` has a part for each zone whose address clients use, and sums to one. A zone with targets and no share serves only
    with cross-zone on; a zone with a share and no target has nothing to serve it with when cross-zone is off.
    """

    targets: Mapping[Zone, int]
    shares: Mapping[Zone, float]
    pooled: bool

    def without(self, zone: Zone) -> Fleet:
        """The fleet once the zone is gone and its clients have moved: the other shares grow in proportion."""
        left = {z: s for z, s in self.shares.items() if z != zone}
        total = sum(left.values())
        shares = {z: s / total for z, s in left.items()} if total > 0 else equal_shares(left)
        return Fleet(targets={z: n for z, n in self.targets.items() if z != zone}, shares=shares, pooled=self.pooled)

    def state(self, demand: Demand) -> State:
        """What each zone carries, and whether it can."""
        total = sum(self.targets.values())
        kept = demand.serving(total) / total if total else 0.0
        serving = {z: self.targets.get(z, 0) * kept for z in {**self.targets, **self.shares}}
        there = sum(serving.values())
        zones = tuple(self._zone(z, serving[z], there, demand) for z in sorted(serving, key=lambda z: z.key))
        return State(
            zones=zones,
            capacity=demand.target_rps * there,
            load=demand.load,
            verdict=_verdict(zones, demand),
            missing=_missing(zones, there, demand, pooled=self.pooled),
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
        )

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


def _verdict(zones: Iterable[ZoneLoad], demand: Demand) -> Verdict:
    loaded = [z for z in zones if z.load > 0]
    if any(math.isinf(z.per_target) for z in loaded) or not loaded:
        return "no_capacity"
    return "overloads" if any(z.margin < -_TINY * demand.load for z in loaded) else "holds"


def _missing(zones: Iterable[ZoneLoad], there: float, demand: Demand, *, pooled: bool) -> int:
    if pooled:
        return max(0, _up(demand.load / demand.target_rps - there))
    return sum(max(0, _up(z.load / demand.target_rps - z.targets)) for z in zones)


def _up(number: float) -> int:
    """The next whole number, a hair above one not being taken for more."""
    return math.ceil(number - _TINY * max(1.0, abs(number)))


def equal_shares(zones: Iterable[Zone]) -> dict[Zone, float]:
    """The same part for each zone; none for no zone."""
    among = list(zones)
    return {z: 1 / len(among) for z in among}
