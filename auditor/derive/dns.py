"""Which zones does the load balancer's DNS name answer with, as far as target counts decide?

The model of AWS's pages on target group health; worked examples are tests. A zonal shift, an impaired zone or AWS itself may
withdraw a zone for other reasons; those are not in this model.
https://docs.aws.amazon.com/elasticloadbalancing/latest/network/load-balancer-target-groups.html#target-group-health
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from ..model.identity import Zone
from ..model.known import Known, Unknown, unclear
from ..model.verdict import Truth, all_of, any_of, negate
from .nodes.load_balancers import Kind
from .nodes.target_groups import CrossZone
from .thresholds import Count, Threshold, meets


class GroupHealth(msgspec.Struct, frozen=True, kw_only=True):
    """An in-use target group as the DNS model sees it.

    `everywhere` counts targets that every node may use (registered for all zones); they belong to each zone. `pooled` counts
    all usable targets wherever they stand, for cross-zone on, where it need not be known which zone each stands in: a target
    that is usable stands in an enabled zone. None where that count says nothing (`alb` groups).
    """

    cross_zone: Known[CrossZone]
    threshold: Known[Threshold]
    zones: Known[Mapping[Zone, Count]]
    everywhere: Count = Count(0, 0, 0)
    pooled: Count | None = None

    def scope(self, zone: Zone, enabled: Sequence[Zone]) -> Known[Count]:
        """Targets that the node of `zone` may use: its own with cross-zone off, those of all enabled zones with it on."""
        if isinstance(self.zones, Unknown):
            pooled = not isinstance(self.cross_zone, Unknown) and self.cross_zone.value == "on"
            return self.pooled if pooled and self.pooled is not None else self.zones
        if isinstance(self.cross_zone, Unknown):
            return self.cross_zone
        wanted = enabled if self.cross_zone.value == "on" else (zone,)
        return sum((self.zones.get(z, Count(0, 0, 0)) for z in wanted), self.everywhere)


def group_allows(kind: Kind, group: GroupHealth, zone: Zone, enabled: Sequence[Zone]) -> Truth:
    """Whether one group leaves `zone` in DNS. Empty counts as unhealthy on a Network Load Balancer, not on the others."""
    scope = group.scope(zone, enabled)
    if isinstance(scope, Unknown):
        return scope
    if scope.total == 0:
        return kind != "network"
    if isinstance(group.threshold, Unknown):
        return group.threshold
    return meets(group.threshold, scope)


def published(kind: Kind, groups: Known[Sequence[GroupHealth]], enabled: Sequence[Zone]) -> Mapping[Zone, Truth]:
    """For each enabled zone, whether it is in the DNS answer: one bad group pulls a zone; with no zone left all are published.

    A Gateway Load Balancer has neither the thresholds nor clients that resolve its name; for it the model says nothing.
    """
    if kind == "gateway":
        return dict.fromkeys(enabled, unclear("the DNS model does not cover Gateway Load Balancers"))
    if isinstance(groups, Unknown):
        return dict.fromkeys(enabled, groups)
    allowed = {zone: all_of(group_allows(kind, g, zone, enabled) for g in groups) for zone in enabled}
    nothing_left = all_of(negate(allowed[z]) for z in enabled)
    return {zone: any_of((allowed[zone], nothing_left)) for zone in enabled}
