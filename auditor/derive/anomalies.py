"""Do the targets that an Application Load Balancer calls anomalous gather in one zone?

Detection compares the share of failing requests of a target with that of the others, and needs three healthy ones.

https://docs.aws.amazon.com/elasticloadbalancing/latest/application/edit-target-group-attributes.html
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ..model.identity import Zone
from ..model.known import Known, Unknown, merge, unclear
from .nodes.target_groups import Target
from .placement import in_words

ANOMALOUS = "anomalous"
NAMES = ("anomalous_zone", "anomalous_in_zone", "anomalous_share", "anomalous_words")


def anomalies_of(targets: Known[tuple[Target, ...]]) -> Mapping[str, Any]:
    """The zone with most anomalous targets, how many those are, and their share of all anomalous ones.

    Unknown while a healthy target has no result, or the zone of an anomalous one is not known.
    """
    if isinstance(targets, Unknown):
        return dict.fromkeys(NAMES, targets)
    odd = [t for t in targets if t.usable and t.anomaly == ANOMALOUS]
    doubts = [_silent(t) for t in targets if t.healthy and not t.anomaly]
    doubts += [t.zone for t in odd if isinstance(t.zone, Unknown)]
    return dict.fromkeys(NAMES, merge(doubts)) if doubts else _gathered(odd)


def _silent(target: Target) -> Unknown:
    return unclear(f"AWS gave no result of anomaly detection for {target.label}")


def _gathered(odd: Sequence[Target]) -> Mapping[str, Any]:
    counts: Counter[Zone] = Counter(t.zone for t in odd if isinstance(t.zone, Zone))
    zone = max(sorted(counts, key=lambda z: z.key), key=lambda z: counts[z], default=None)
    most = counts[zone] if zone else 0
    return {
        "anomalous_zone": zone,
        "anomalous_in_zone": most,
        "anomalous_share": most / len(odd) if odd else 0.0,
        "anomalous_words": in_words(counts),
    }
