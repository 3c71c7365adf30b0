"""What sharing targets across zones costs."""

from __future__ import annotations

from typing import Annotated

from ...model.known import Known
from ..node import Fact
from .connections import Connections
from .group_settings import NamedGroup

_CZ = (
    "elbv2:DescribeTargetGroupAttributes#load_balancing.cross_zone.enabled",
    "elbv2:DescribeLoadBalancerAttributes#load_balancing.cross_zone.enabled",
)
_ZONES = "elbv2:DescribeLoadBalancers#AvailabilityZones"


class CrossZoneCost(Connections, frozen=True, kw_only=True):
    """What the bytes that cross zones behind a Network Load Balancer cost."""

    groups_pooled: Annotated[
        Known[tuple[NamedGroup, ...]],
        Fact(
            "its in-use target groups with cross-zone on (Network Load Balancers)",
            *_CZ,
            "elbv2:DescribeListeners",
            "elbv2:DescribeRules",
        ),
    ] = ()
    cross_zone_usd_per_month: Annotated[
        Known[float | None],
        Fact(
            "estimated cost of the bytes that cross zones in a month, in USD; null when its traffic was not read",
            _ZONES,
            "cloudwatch:GetMetricData",
        ),
    ] = None
    cross_zone_cost_words: Annotated[
        str,
        Fact(
            "what the bytes that cross zones cost, or how to work it out, in words", _ZONES, "cloudwatch:GetMetricData"
        ),
    ] = ""
