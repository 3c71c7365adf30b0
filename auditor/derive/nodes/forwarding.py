"""What a load balancer sends where: the zones its target groups cover, and the shares that end in dead ones."""

from __future__ import annotations

from typing import Annotated

from ...model.finding import Cause
from ...model.identity import Zone
from ...model.known import Known
from ..node import Fact
from .behind_nlb import BehindNlb
from .group_settings import NamedGroup

_CZ = (
    "elbv2:DescribeTargetGroupAttributes#load_balancing.cross_zone.enabled",
    "elbv2:DescribeLoadBalancerAttributes#load_balancing.cross_zone.enabled",
)
_HEALTH = "elbv2:DescribeTargetHealth"
_LISTENERS = "elbv2:DescribeListeners"
_RULES = "elbv2:DescribeRules"
_USE = (_LISTENERS, _RULES, "elbv2:DescribeTargetGroups")
_COVERAGE = (_HEALTH + "#targets_per_zone", "ec2:DescribeInstances", *_CZ, *_USE)
_SHARES = (_LISTENERS + "#forwards", _RULES + "#rule_forwards", _HEALTH + "#states", "elbv2:DescribeTargetGroups")


class GroupCoverage(NamedGroup, frozen=True, kw_only=True):
    """A target group with the zones it stands in."""

    words: Annotated[str, Fact("target group with the zones where it has usable targets, and where not", *_COVERAGE)]


class DeadShare(NamedGroup, frozen=True, kw_only=True):
    """The share of one weighted forward that goes to a target group without a usable, or without a healthy target."""

    ListenerArn: Annotated[str, Fact("listener that forwards to it, by default or by a rule", _LISTENERS)]
    rule_arn: Annotated[
        str, Fact("ARN of the rule that forwards to it; RULE_ARN where the default action does", _RULES)
    ]
    percent: Annotated[float, Fact("share of what the action forwards, in percent", _LISTENERS, _RULES)]
    empty: Annotated[bool, Fact("whether it has no usable target; else all of its targets fail", _HEALTH)]
    words: Annotated[str, Fact("share, action and what becomes of it, in words", *_SHARES)]
    new_actions: Annotated[
        str,
        Fact("the action as JSON, with weight 0 for such groups; ACTIONS where that is not all of it", *_SHARES),
    ]


class Forwarding(BehindNlb, frozen=True, kw_only=True):
    """Facts about the target groups that an Application or Network Load Balancer forwards to, taken together.

    Nothing, for load balancers of other kinds.
    """

    group_coverage: Annotated[
        Known[tuple[GroupCoverage, ...]],
        Fact(
            "its in-use instance and ip groups with cross-zone off and some usable target, with the zones of each",
            *_COVERAGE,
        ),
    ] = ()
    zones_not_covered: Annotated[
        Known[tuple[Zone, ...]],
        Fact("its zones in which some of those groups have usable targets and others have none", *_COVERAGE),
    ] = ()
    coverage_effect: Annotated[
        str, Fact("what follows in such a zone, in words", "elbv2:DescribeLoadBalancers#Type")
    ] = ""
    coverage_causes: Annotated[
        tuple[Cause, ...], Fact("the (target group, zone) pairs without a usable target in those zones", *_COVERAGE)
    ] = ()
    dead_shares: Annotated[
        Known[tuple[DeadShare, ...]],
        Fact("shares of weighted forwards that go to empty or failing target groups", *_SHARES),
    ] = ()
    dead_share_causes: Annotated[tuple[Cause, ...], Fact("those target groups", *_SHARES)] = ()
