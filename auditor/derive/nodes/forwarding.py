"""What a load balancer sends where: the zones its target groups cover, and the shares that end in dead ones."""

from __future__ import annotations

from typing import Annotated

from ...model.finding import Cause
from ...model.identity import Zone
from ...model.known import Known
from ..node import Fact, Facts
from .behind_nlb import BehindNlb

_CZ = (
    "elbv2:DescribeTargetGroupAttributes#load_balancing.cross_zone.enabled",
    "elbv2:DescribeLoadBalancerAttributes#load_balancing.cross_zone.enabled",
)
_HEALTH = "elbv2:DescribeTargetHealth"
_USE = ("elbv2:DescribeListeners", "elbv2:DescribeRules", "elbv2:DescribeTargetGroups")
_COVERAGE = (_HEALTH, "ec2:DescribeInstances", *_CZ, *_USE)
_SHARES = (_HEALTH, *_USE)


class DeadShare(Facts, frozen=True, kw_only=True):
    """The share of one weighted forward that goes to a target group without a usable, or without a healthy target."""

    TargetGroupName: Annotated[str, Fact("name of the target group", "elbv2:DescribeTargetGroups")]
    TargetGroupArn: Annotated[str, Fact("ARN of the target group", "elbv2:DescribeTargetGroups")]
    ListenerArn: Annotated[str, Fact("listener whose action forwards to it", "elbv2:DescribeListeners")]
    percent: Annotated[float, Fact("share of the action's traffic, in percent", *_USE)]
    empty: Annotated[bool, Fact("whether nothing usable is registered; else every target is failing", _HEALTH)]
    words: Annotated[str, Fact("share, action and what becomes of it, in words", *_SHARES)]


class Forwarding(BehindNlb, frozen=True, kw_only=True):
    """Facts about the target groups that a load balancer forwards to, taken together."""

    coverage_differs: Annotated[
        Known[bool],
        Fact("whether its in-use target groups with cross-zone off have targets in different zones", *_COVERAGE),
    ] = False
    coverage_words: Annotated[
        Known[str], Fact("zones in which each of those groups has usable targets, in words", *_COVERAGE)
    ] = ""
    zones_not_covered: Annotated[
        Known[tuple[Zone, ...]],
        Fact("its zones in which some of those groups have usable targets and others have none", *_COVERAGE),
    ] = ()
    coverage_effect: Annotated[str, Fact("what follows in such a zone, in words", *_CZ)] = ""
    coverage_causes: Annotated[
        Known[tuple[Cause, ...]], Fact("the (target group, zone) pairs without a usable target", *_COVERAGE)
    ] = ()
    dead_shares: Annotated[
        Known[tuple[DeadShare, ...]],
        Fact("shares of weighted forwards that go to empty or dead target groups", *_SHARES),
    ] = ()
    dead_share_causes: Annotated[Known[tuple[Cause, ...]], Fact("those target groups", *_SHARES)] = ()
