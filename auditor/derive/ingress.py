"""Where do clients of a target group arrive: which part of what they send comes in at the load balancer's address in each zone?

As the settings say; else as measured; else in equal parts. The parts sum to one.
https://docs.aws.amazon.com/elasticloadbalancing/latest/userguide/how-elastic-load-balancing-works.html
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from ..model import ec2
from ..model.identity import Zone
from ..model.known import Known, Unknown, merge, unclear
from .capacity import equal_shares, in_proportion
from .links import Links
from .measured import among
from .zones import same_zone


class Arriving(msgspec.Struct, frozen=True, kw_only=True):
    """Where clients arrive, when those zones serve that have targets.

    `given` are the parts of the settings, `measured` those of metrics; both are None where there are none. Parts that are given
    stand, whatever serves. What is not given is divided among the zones that serve: a zone without any target is out of DNS, or
    answers with errors, which is another matter.
    """

    zones: tuple[Zone, ...]
    given: Mapping[Zone, float] | None = None
    measured: Mapping[Zone, float] | None = None

    def shares(self, serving: Mapping[Zone, int]) -> Mapping[Zone, float]:
        """The part of every zone; `serving` are the targets per zone."""
        if self.given is not None:
            return self.given
        there = [z for z in self.zones if serving.get(z)] or list(self.zones)
        parts = (among(self.measured, there) if self.measured else {}) or equal_shares(there)
        return {z: parts.get(z, 0.0) for z in self.zones}

    @property
    def words(self) -> str:
        """Where the parts come from, as a sentence."""
        if self.given is not None:
            return f"Clients arrive as the settings say: {_percents(self.given)}"
        if self.measured:
            return f"Clients arrive as measured: {_percents(self.measured)}"
        return "Clients are taken to arrive evenly in the zones that have a healthy target, since the settings give no ingress"


def arriving(
    ingress: Mapping[str, float],
    zones: tuple[Zone, ...],
    measured: Known[Mapping[Zone, float] | None],
    links: Links,
) -> Known[Arriving]:
    """Where clients arrive; `ingress` are the parts of the settings by zone ID or name, empty for none.

    Unknown when they cannot be meant for this load balancer: a zone gets a part and is not one of its `zones`, or is named
    twice; and when nothing says which zone an ID or a name means here.
    """
    if not ingress:
        return measured if isinstance(measured, Unknown) else Arriving(zones=zones, measured=measured)
    parts: dict[Zone, float] = dict.fromkeys(zones, 0.0)
    named: dict[Zone, str] = {}
    for text, part in ingress.items():
        zone = _meant(text, zones, links)
        if isinstance(zone, Unknown):
            return zone
        if zone is None:
            if part:
                return unclear(f"`ingress` in the settings names {text}, where the load balancer is not enabled")
            continue
        if zone in named:
            return unclear(f"`ingress` in the settings names {zone} twice, as {named[zone]} and as {text}")
        named[zone], parts[zone] = text, part
    return Arriving(zones=zones, given=in_proportion(parts) or equal_shares(zones))


def _meant(text: str, zones: Iterable[Zone], links: Links) -> Known[Zone | None]:
    """The one of some zones that an ID or a name means; None when it is none of them."""
    wanted = links.zones.of(text)
    unknowns: list[Unknown] = []
    for zone in zones:
        same = same_zone(wanted, zone)
        if isinstance(same, Unknown):
            unknowns.append(same)
        elif same:
            return zone
    if not unknowns:
        return None
    listing = links.inventory.listing(ec2.AVAILABILITY_ZONES)
    return merge(unknowns) if listing.complete else listing.unknown


def _percents(parts: Mapping[Zone, float]) -> str:
    return ", ".join(f"{100 * parts[z]:.3g} % in {z}" for z in sorted(parts, key=lambda z: z.key))
