"""What share of a weighted forward goes to a target group that cannot serve it?

Weights are static: traffic that falls to a group stays with it, whatever becomes of its targets. No failover between the
groups of one action is documented. An Application Load Balancer answers 503 for a group that has no usable target; one whose
targets all fail is sent its share all the same (fail-open).
https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-listeners.html
https://docs.aws.amazon.com/elasticloadbalancing/latest/network/load-balancer-listeners.html
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from ..model import elbv2
from ..model.finding import Cause
from ..model.known import Known, Unknown, merge, unclear
from .group_health import GroupView
from .links import Links, weights
from .nodes.forwarding import DeadShare

_END = {
    "failing": "goes to targets that all fail their health check (fail-open)",
    "application": "gets 503, as it has no usable target",
    "network": "leads nowhere, as it has no usable target",
}
_State = Literal["empty", "failing", "serving"]


class Forward(msgspec.Struct, frozen=True, kw_only=True):
    """The actions of a listener or of one of its rules."""

    listener: elbv2.Listener
    rule: elbv2.Rule | None
    actions: Sequence[elbv2.Action]

    @property
    def weighted(self) -> dict[str, int]:
        """The weight of each target group that has one above 0."""
        found: dict[str, int] = {}
        for arn, weight in weights(self.actions):
            if weight > 0:
                found[arn] = found.get(arn, 0) + weight
        return found

    @property
    def words(self) -> str:
        """Which of the actions of the load balancer it is."""
        name = f"listener {self.listener.Protocol}:{self.listener.Port}"
        if self.rule is None:
            return f"the default action of {name}"
        return f"the rule with priority {self.rule.Priority} of {name}"

    def without(self, dead: Container[str]) -> str:
        """The action with weight 0 for the dead groups, as JSON; the word ACTIONS where that is no help.

        It is none when other actions stand beside the forward, which the command would drop, and when no group serves.
        """
        if len(self.actions) != 1 or all(arn in dead for arn in self.weighted):
            return "ACTIONS"
        groups = [
            {"TargetGroupArn": arn, "Weight": 0 if arn in dead else weight} for arn, weight in weights(self.actions)
        ]
        return json.dumps([{"Type": "forward", "ForwardConfig": {"TargetGroups": groups}}], separators=(",", ":"))


def shares_of(balancer: elbv2.LoadBalancer, views: Sequence[GroupView], links: Links) -> dict[str, Any]:
    """Facts about the shares of a load balancer's weighted forwards that end in dead groups.

    Nothing is weighted where AWS names one group for the load balancer. Only actions with two groups or more of a weight
    above 0 count: a group that gets everything is another matter. A share that was seen is enough; without one the list is
    unknown while listeners, rules or the health of a group are.
    """
    if balancer.Type not in ("application", "network"):
        return {}
    by_arn = {v.group.TargetGroupArn: v for v in views}
    found: list[DeadShare] = []
    alone = len(views) < 2 and links.inventory.listing(elbv2.TARGET_GROUPS).complete
    doubts: list[Unknown] = [] if alone else list(links.forwards(balancer)[1])
    for forward in _forwards(balancer, links):
        states = {arn: _state(arn, by_arn, links) for arn in forward.weighted}
        if len(states) < 2:
            continue
        doubts += [s for s in states.values() if isinstance(s, Unknown)]
        dead = {
            arn: _END[balancer.Type if s == "empty" else s] for arn, s in states.items() if s in ("empty", "failing")
        }
        found += [_share(forward, by_arn[arn].group, dead, empty=states[arn] == "empty") for arn in dead]
    shares: Known[tuple[DeadShare, ...]] = tuple(found) if found or not doubts else merge(doubts)
    return {
        "dead_shares": shares,
        "dead_share_causes": tuple(dict.fromkeys(Cause(s.TargetGroupArn) for s in found)),
    }


def _forwards(balancer: elbv2.LoadBalancer, links: Links) -> Iterator[Forward]:
    """What every listener of a load balancer does by default, and what each of its rules does, in their order."""
    listeners = links.inventory.listing(elbv2.LISTENERS, balancer.LoadBalancerArn)
    for listener in sorted(listeners, key=lambda x: x.ListenerArn):
        yield Forward(listener=listener, rule=None, actions=listener.DefaultActions)
        rules = [r for r in links.inventory.listing(elbv2.RULES, listener.ListenerArn) if not r.IsDefault]
        for rule in sorted(rules, key=lambda r: (len(r.Priority), r.Priority, r.RuleArn)):
            yield Forward(listener=listener, rule=rule, actions=rule.Actions)


def _state(arn: str, views: Mapping[str, GroupView], links: Links) -> Known[_State]:
    """Whether a group can serve what falls to it; unknown when its health is, or while targets are not yet judged.

    A target that nobody checks, such as a function without a health check, serves.
    """
    view = views.get(arn)
    if view is None:
        listing = links.inventory.listing(elbv2.TARGET_GROUPS)
        return listing.unknown if not listing.complete else unclear(f"no listing has the target group {arn}")
    if isinstance(view.targets, Unknown):
        return view.targets
    usable = [t for t in view.targets if t.usable]
    if not usable:
        return "empty"
    if not all(t.unhealthy or t.pending for t in usable):
        return "serving"
    if any(t.pending for t in usable):
        return unclear(f"no target of {view.group.TargetGroupName} has been judged healthy or unhealthy yet")
    return "failing"


def _share(forward: Forward, group: elbv2.TargetGroup, dead: Mapping[str, str], *, empty: bool) -> DeadShare:
    weighted, arn = forward.weighted, group.TargetGroupArn
    percent = 100 * weighted[arn] / sum(weighted.values())
    return DeadShare(
        TargetGroupName=group.TargetGroupName,
        TargetGroupArn=arn,
        ListenerArn=forward.listener.ListenerArn,
        rule_arn=forward.rule.RuleArn if forward.rule else "RULE_ARN",
        percent=round(percent, 1),
        empty=empty,
        words=f"{percent:.3g} % of what {forward.words} forwards falls to {group.TargetGroupName} and {dead[arn]}",
        new_actions=forward.without(dead),
    )
