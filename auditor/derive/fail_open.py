"""Does traffic go to failing targets now, because too few are healthy?

Facts/elb.md B.4. With cross-zone off each zone's node decides for itself, and only zones still in DNS receive traffic.
https://docs.aws.amazon.com/elasticloadbalancing/latest/application/target-group-health.html
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..model.identity import Zone
from ..model.known import Known, Unknown, merge
from ..model.verdict import Truth, all_of, any_of, negate
from .dns import GroupHealth
from .nodes.load_balancers import Kind
from .thresholds import Threshold, meets

_GATEWAY = Threshold(1, None)


def failing_open_in(
    kind: Kind,
    group: GroupHealth,
    routing: Known[Threshold],
    enabled: Sequence[Zone],
    published: Mapping[Zone, Truth],
) -> Mapping[Zone, Truth]:
    """For each enabled zone, whether its node is published and sends to failing targets.

    A scope without any usable target is empty, not failing open. Gateway Load Balancers have no thresholds: with every
    target unhealthy they pick one at random.
    """
    threshold = _GATEWAY if kind == "gateway" else routing
    found: dict[Zone, Truth] = {}
    for zone in enabled:
        scope = group.scope(zone, enabled)
        if isinstance(scope, Unknown):
            found[zone] = scope
        elif scope.total == 0:
            found[zone] = False
        elif isinstance(threshold, Unknown):
            found[zone] = threshold
        else:
            found[zone] = all_of((negate(meets(threshold, scope)), True if kind == "gateway" else published[zone]))
    return found


def summed(zones: Mapping[Zone, Truth]) -> tuple[Truth, Known[tuple[Zone, ...]]]:
    """Whether any zone fails open, and which do; the list is unknown while any zone is."""
    unknowns = [t for t in zones.values() if isinstance(t, Unknown)]
    which: Known[tuple[Zone, ...]] = tuple(z for z, t in zones.items() if t is True)
    if unknowns and not which:
        which = merge(unknowns)
    return any_of(zones.values()), which
