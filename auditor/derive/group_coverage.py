"""Do the target groups of a load balancer stand in the same zones?

With cross-zone off a zone serves each group from its own targets alone. Where one group has none, a Network Load Balancer takes
the zone out of DNS for all its groups, and an Application Load Balancer answers the requests for that group with 503.
https://docs.aws.amazon.com/elasticloadbalancing/latest/network/load-balancer-target-groups.html
https://docs.aws.amazon.com/elasticloadbalancing/latest/application/edit-target-group-attributes.html
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..model import elbv2
from ..model.finding import Cause
from ..model.identity import Zone
from ..model.known import Known, Unknown, merge, unclear
from .group_health import GroupView
from .links import Links

_EFFECT = {
    "application": "requests for the group that has no target there get 503",
    "network": "such a zone leaves DNS for all groups, those with targets there as well",
}


def coverage_of(kind: str, views: Sequence[GroupView], zones: Sequence[Zone], links: Links) -> dict[str, Any]:
    """Facts about the zones of a load balancer's in-use groups with cross-zone off.

    Groups without any usable target, of functions, and with targets registered for all zones are left aside: the first are
    another matter, the others stand in no zone. Unknown while a target is not yet judged or the zone of one is not known.
    """
    if kind not in _EFFECT:
        return {}
    covered = _covered(views, zones, links)
    if isinstance(covered, Unknown):
        names = ("coverage_differs", "coverage_words", "zones_not_covered", "coverage_causes")
        return {**dict.fromkeys(names, covered), "coverage_effect": _EFFECT[kind]}
    lacking = {
        z: [v for v in covered.values() if z not in v[1]] for z in zones if any(z in v[1] for v in covered.values())
    }
    uneven = tuple(z for z in zones if lacking.get(z))
    return {
        "coverage_differs": bool(uneven),
        "coverage_words": "; ".join(
            f"{view.group.TargetGroupName} in {', '.join(str(z) for z in zones if z in its)}"
            for view, its in covered.values()
        ),
        "zones_not_covered": uneven,
        "coverage_effect": _EFFECT[kind],
        "coverage_causes": tuple(Cause(v.group.TargetGroupArn, z.key) for z in uneven for v, _ in lacking[z]),
    }


def _covered(
    views: Sequence[GroupView], zones: Sequence[Zone], links: Links
) -> Known[Mapping[str, tuple[GroupView, frozenset[Zone]]]]:
    """The groups that are compared, by ARN, each with the zones in which it has a usable target."""
    groups = links.inventory.listing(elbv2.TARGET_GROUPS)
    unknowns: list[Unknown] = [] if groups.complete else [groups.unknown]
    found: dict[str, tuple[GroupView, frozenset[Zone]]] = {}
    for view in views:
        if view.in_use is False or view.group.TargetType == "lambda":
            continue
        if isinstance(view.cross_zone, Unknown) or isinstance(view.in_use, Unknown):
            unknowns += [x for x in (view.cross_zone, view.in_use) if isinstance(x, Unknown)]
            continue
        if view.cross_zone is None or view.cross_zone.value == "on" or view.everywhere.total:
            continue
        if isinstance(view.counts, Unknown):
            unknowns.append(view.counts)
            continue
        waiting = sum(c.pending for c in view.counts.values())
        if waiting:
            name = view.group.TargetGroupName
            unknowns.append(unclear(f"{waiting} targets of {name} are not yet judged by their health check"))
            continue
        stands = frozenset(z for z in zones if (c := view.counts.get(z)) is not None and c.total)
        if stands:
            found[view.group.TargetGroupArn] = (view, stands)
    return merge(unknowns) if unknowns else found
