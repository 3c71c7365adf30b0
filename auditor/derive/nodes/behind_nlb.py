"""An Application Load Balancer behind a Network Load Balancer: what each of the two says about the other."""

from __future__ import annotations

from typing import Annotated

from ...model.finding import Cause
from ...model.known import Known
from ..node import Fact, Facts, Node
from .group_settings import NamedGroup

_LB = "elbv2:DescribeLoadBalancers"
_LB_ATTR = "elbv2:DescribeLoadBalancerAttributes"
_SHIFT_KEY = _LB_ATTR + "#zonal_shift.config.enabled"
_TG = "elbv2:DescribeTargetGroups"
_TG_ATTR = "elbv2:DescribeTargetGroupAttributes"
_CZ_KEY = _TG_ATTR + "#load_balancing.cross_zone.enabled"
_DNS_KEY = _TG_ATTR + "#target_group_health.dns_failover.minimum_healthy_targets"
_HEALTH = "elbv2:DescribeTargetHealth"
_LISTENERS = "elbv2:DescribeListeners"
_RULES = "elbv2:DescribeRules"
_ARC = "arc-zonal-shift:ListManagedResources"


class FrontBalancer(Facts, frozen=True, kw_only=True):
    """A Network Load Balancer that sends traffic to an Application Load Balancer."""

    LoadBalancerName: Annotated[str, Fact("name of the Network Load Balancer", _LB)]
    LoadBalancerArn: Annotated[str, Fact("ARN of the Network Load Balancer", _LB)]
    words: Annotated[
        str,
        Fact("Network Load Balancer in front, with its switch and the target groups it sends through", _SHIFT_KEY, _TG),
    ]


class RaisedThreshold(NamedGroup, frozen=True, kw_only=True):
    """A target group that takes a zone out of DNS before the last healthy target there is gone."""

    words: Annotated[str, Fact("target group with its DNS thresholds", _DNS_KEY + ".count", _DNS_KEY + ".percentage")]


class LocalGroup(NamedGroup, frozen=True, kw_only=True):
    """A target group of an Application Load Balancer that has cross-zone off."""

    words: Annotated[str, Fact("target group with its own cross-zone setting", _CZ_KEY)]


class BehindNlb(Node, frozen=True, kw_only=True):
    """Facts of an Application Load Balancer that matter where a Network Load Balancer stands in front of it.

    Nothing, for load balancers of other kinds.
    """

    can_shift: Annotated[
        Known[bool],
        Fact("whether zonal shift is enabled on it, or a shift is applied to it now", _SHIFT_KEY, _ARC),
    ] = False
    can_shift_words: Annotated[Known[str], Fact("state of its zonal shift, in words", _SHIFT_KEY, _ARC)] = ""
    fronts_without_shift: Annotated[
        Known[tuple[FrontBalancer, ...]],
        Fact(
            "Network Load Balancers of two zones or more that send it traffic and have zonal shift off",
            _SHIFT_KEY,
            _TG,
            _HEALTH,
            _LB,
            _LISTENERS,
            _RULES,
        ),
    ] = ()
    fronts_without_shift_causes: Annotated[
        Known[tuple[Cause, ...]], Fact("those Network Load Balancers: where the switch is off", _SHIFT_KEY)
    ] = ()
    groups_raising_dns: Annotated[
        Known[tuple[RaisedThreshold, ...]],
        Fact(
            "its in-use target groups whose DNS failover threshold is above the default (Application Load Balancers)",
            _DNS_KEY + ".count",
            _DNS_KEY + ".percentage",
            _LISTENERS,
            _RULES,
        ),
    ] = ()


class AlbBehind(Facts, frozen=True, kw_only=True):
    """The Application Load Balancer that is registered with an `alb` target group."""

    LoadBalancerName: Annotated[str, Fact("name of the Application Load Balancer that is the target", _LB, _HEALTH)]
    cross_zone_off: Annotated[
        Known[bool],
        Fact("whether every in-use target group of it has cross-zone off", _CZ_KEY, _TG, _LISTENERS, _RULES),
    ]
    groups_off: Annotated[
        Known[tuple[LocalGroup, ...]],
        Fact("in-use target groups of it with cross-zone off", _CZ_KEY, _TG, _LISTENERS, _RULES),
    ]
