"""How do the targets of a group lie over the zones, and what would the loss of the fullest zone take along?

Placement is judged on usable targets, load on healthy ones; worked examples are tests.
https://docs.aws.amazon.com/whitepapers/latest/aws-fault-isolation-boundaries/static-stability.html
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import msgspec

from ..model.identity import Zone


class Spread(msgspec.Struct, frozen=True, kw_only=True):
    """Numbers of a distribution over zones. `zone_count` is how many zones share the load, empty ones included."""

    total: int
    zone_count: int
    fullest: Zone | None
    fullest_count: int
    even_share: int
    share_percent: int
    survivable_percent: int
    crowded: bool


def spread_of(counts: Mapping[Zone, int], zone_count: int) -> Spread:
    """Numbers of one distribution.

    `even_share` is the total over the zones, rounded up; `share_percent` what is lost with the fullest zone;
    `survivable_percent` the highest utilisation before the loss at which what remains still carries everything.
    """
    total = sum(counts.values())
    fullest = max(sorted(counts, key=lambda z: z.key), key=lambda z: counts[z], default=None)
    most = counts[fullest] if fullest else 0
    return Spread(
        total=total,
        zone_count=zone_count,
        fullest=fullest,
        fullest_count=most,
        even_share=math.ceil(total / zone_count) if zone_count else 0,
        share_percent=round(100 * most / total) if total else 0,
        survivable_percent=math.floor(100 * (total - most) / total) if total else 0,
        crowded=is_crowded(total, most, zone_count),
    )


def is_crowded(total: int, most: int, zone_count: int) -> bool:
    """Whether, of four or more members, one zone holds over half and over one and a half times an even share."""
    return total >= 4 and zone_count > 1 and 2 * most > total and 2 * most * zone_count > 3 * total


def uneven_by(counts: Sequence[int]) -> int:
    """Most minus fewest; 0 for fewer than two zones. One is what rounding explains."""
    return max(counts) - min(counts) if len(counts) > 1 else 0


def load_ratio(healthy: Sequence[int]) -> float:
    """Load per target in the hottest zone over the mean, when every zone gets the same traffic and keeps it.

    ``max over zones of mean(H) / H_z`` over zones that have a healthy target: 2.0 for 2/4/6, 2.5 for 2/8, 1.0 for 4/4/4;
    1.0 when fewer than two zones have one.
    """
    present = [h for h in healthy if h > 0]
    if len(present) < 2:
        return 1.0
    return (sum(present) / len(present)) / min(present)


def in_words(counts: Mapping[Zone, int]) -> str:
    """Counts per zone as a phrase, in order of zone ID, such as ``2 in use1-az1 (us-east-1b), 4 in …``."""
    return ", ".join(f"{counts[z]} in {z}" for z in sorted(counts, key=lambda z: z.key)) or "none"
