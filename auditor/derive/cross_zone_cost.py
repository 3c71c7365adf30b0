"""What do the bytes that cross zones behind a Network Load Balancer cost?

With cross-zone on, a node sends to the targets of every zone. Bytes between zones are charged in both directions: 0.01 USD per
GB in each in most regions. With targets spread evenly over Z zones, and clients over the nodes, (Z - 1)/Z of the bytes cross.
Cross-zone traffic of Application Load Balancers is not charged. Without its traffic no amount can be given, and none is. With it
the amount is an estimate: what was measured over a window, scaled to 30 days.
https://docs.aws.amazon.com/elasticloadbalancing/latest/network/target-group-cross-zone.html
https://docs.aws.amazon.com/cur/latest/userguide/cur-data-transfers-charges.html
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..model import elbv2
from ..model.known import Known, Unknown
from ..model.verdict import Truth, all_of
from .balancer_settings import groups_where
from .group_health import GroupView
from .links import Links

USD_PER_GB = 0.01  # in each direction
_DIRECTIONS = 2


def cost_facts(
    balancer: elbv2.LoadBalancer, views: Sequence[GroupView], links: Links, gigabytes: Known[float | None] = None
) -> dict[str, Any]:
    """Facts about the cost of cross-zone traffic; other kinds than Network Load Balancers have none.

    `gigabytes` is what it processed in a month, see `auditor.derive.traffic`; None where its traffic was not read.
    """
    if balancer.Type != "network":
        return {}
    zones = len(balancer.AvailabilityZones)
    usd = gigabytes if gigabytes is None or isinstance(gigabytes, Unknown) else estimated_usd(gigabytes, zones)
    return {
        "groups_pooled": groups_where(views, links, lambda v: all_of((v.in_use, pooled(v)))),
        "cross_zone_usd_per_month": usd,
        "cross_zone_cost_words": cost_words(zones, usd),
    }


def pooled(view: GroupView) -> Truth:
    """Whether cross-zone is on in effect."""
    if isinstance(view.cross_zone, Unknown):
        return view.cross_zone
    return view.cross_zone is not None and view.cross_zone.value == "on"


def estimated_usd(gigabytes: float, zones: int) -> float:
    """What so many GB cost in cross-zone charges, with targets and clients spread evenly over some zones (one or more)."""
    return gigabytes * (zones - 1) / zones * _DIRECTIONS * USD_PER_GB


def cost_words(zones: int, usd: Known[float | None]) -> str:
    """The cost of a month in words: the amount where it is known, else how to work it out."""
    price = f"{USD_PER_GB} USD per GB in each direction"
    if usd is None or isinstance(usd, Unknown):
        why = "which this scan did not read (`--metrics 14d` reads them)"
        if usd is not None:
            why = f"which are not known ({'; '.join(r.says for r in usd.reasons)})"
        return (
            f"an amount needs its traffic figures, {why}: GB a month x {zones - 1}/{zones} x "
            f"{_DIRECTIONS} directions x {USD_PER_GB} USD, with targets and clients spread evenly over {zones} zones"
        )
    return (
        f"estimated at {usd:,.2f} USD a month, at {price} and with targets and clients spread evenly over {zones} zones"
    )
