"""How many targets of a group carry load in each zone, by weight where the Auto Scaling groups behind it use weights?

A figure says what one target of weight 1 answers, so a target of weight 4 counts as four. A load balancer knows nothing of
these weights: in the default algorithm each target gets the same number of requests, so among targets of different weight
the lightest is overloaded first. Both counts are kept: by weight, which is the most they can carry, and each as the lightest,
which is the least.
https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-mixed-instances-groups-instance-weighting.html
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from ..model.identity import Zone
from ..model.known import Known, Unknown, unclear
from .group_health import GroupView
from .links import Links
from .nodes.target_groups import Target
from .scaling import weight_of
from .targets import per_zone, unresolved


class Placed(msgspec.Struct, frozen=True, kw_only=True):
    """Targets per enabled zone: `units` by weight, `least` as if each had the smallest weight that is there."""

    units: Mapping[Zone, int]
    least: Mapping[Zone, int]

    @property
    def mixed(self) -> bool:
        """Whether the weights differ, so that the two counts do."""
        return self.units != self.least

    @property
    def total(self) -> int:
        """All of them, by weight."""
        return sum(self.units.values())


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """Targets that are `healthy`, and all `registered` ones that could be; `weighted` where one counts for more than one."""

    healthy: Placed
    registered: Placed
    weighted: bool


def counts_of(view: GroupView, links: Links) -> Known[Counts]:
    """The counts of a target group in every enabled zone of its load balancer.

    Kubernetes nodes that fail their check on purpose never serve, so they count nowhere. Unknown while usable targets are not
    yet judged, or when the zone of one is not known.
    """
    if isinstance(view.enabled, Unknown):
        return view.enabled
    if isinstance(view.targets, Unknown):
        return view.targets
    if (lost := unresolved(view.targets)) is not None:
        return lost
    waiting = sum(t.pending for t in view.targets if t.usable)
    if waiting:
        many = "target is" if waiting == 1 else "targets are"
        return unclear(f"{waiting} {many} not yet judged by the health check")
    weights = _weights(view, links)
    zones = {
        z: [t for t in ts if t.usable and not t.fails_on_purpose] for z, ts in per_zone(view.targets).items()
    }  # fmt: skip
    serving = {z: zones.get(z, []) for z in view.enabled}
    return Counts(
        healthy=_placed({z: [t for t in ts if t.healthy] for z, ts in serving.items()}, weights),
        registered=_placed(serving, weights),
        weighted=any(weights.get(t.Id, 1) > 1 for ts in serving.values() for t in ts),
    )


def _weights(view: GroupView, links: Links) -> Mapping[str, int]:
    """Weight of each instance of the Auto Scaling groups that feed the target group."""
    groups = links.feeders.get(view.group.TargetGroupArn, ())
    return {i.InstanceId: max(1, weight_of(i)) for g in groups for i in g.Instances}


def _placed(zones: Mapping[Zone, Iterable[Target]], weights: Mapping[str, int]) -> Placed:
    found = {z: [weights.get(t.Id, 1) for t in ts] for z, ts in zones.items()}
    least = min((w for ws in found.values() for w in ws), default=1)
    return Placed(units={z: sum(ws) for z, ws in found.items()}, least={z: least * len(ws) for z, ws in found.items()})
