"""What share of a weighted forward goes to a target group that cannot serve it?

Weights are static: traffic that falls to a group stays with it, whatever becomes of its targets. No failover between the
groups of one action is documented.
https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-listeners.html
https://docs.aws.amazon.com/elasticloadbalancing/latest/network/load-balancer-listeners.html
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from ..model import elbv2
from ..model.finding import Cause
from ..model.known import Known, Unknown, merge, unclear
from .group_health import GroupView
from .links import Links, weights
from .nodes.forwarding import DeadShare

_END = {
    "failing": "goes to targets that all fail",
    "application": "gets 503, as nothing usable is registered",
    "network": "has nowhere to go, as nothing usable is registered",
}
_State = Literal["empty", "failing", "serving"]


def shares_of(balancer: elbv2.LoadBalancer, views: Sequence[GroupView], links: Links) -> dict[str, Any]:
    """Facts about the shares of a load balancer's weighted forwards that end in dead groups.

    Nothing is weighted where AWS names one group for the load balancer. Only actions with two groups or more of a weight above 0
    count: a group that gets everything is another matter. A share that was seen is enough; without one the list is unknown
    while listeners, rules or the health of a group are.
    """
    if balancer.Type not in ("application", "network"):
        return {}
    by_arn = {v.group.TargetGroupArn: v for v in views}
    found: list[DeadShare] = []
    alone = len(views) < 2 and links.inventory.listing(elbv2.TARGET_GROUPS).complete
    doubts: list[Unknown] = [] if alone else list(links.forwards(balancer)[1])
    for listener, where, pairs in _actions(balancer, links):
        total = sum(pairs.values())
        if len(pairs) < 2:
            continue
        for arn, weight in pairs.items():
            state = _state(arn, by_arn, links)
            if isinstance(state, Unknown):
                doubts.append(state)
            elif state != "serving":
                percent = 100 * weight / total
                end = _END["failing" if state == "failing" else balancer.Type]
                name = links.groups[arn].TargetGroupName
                found.append(
                    DeadShare(
                        TargetGroupName=name,
                        TargetGroupArn=arn,
                        ListenerArn=listener.ListenerArn,
                        percent=round(percent, 1),
                        empty=state == "empty",
                        words=f"{percent:.3g} % of what {where} forwards falls to {name} and {end}",
                    )
                )
    dead: Known[tuple[DeadShare, ...]] = tuple(found) if found or not doubts else merge(doubts)
    return {
        "dead_shares": dead,
        "dead_share_causes": dead
        if isinstance(dead, Unknown)
        else tuple(dict.fromkeys(Cause(s.TargetGroupArn) for s in dead)),
    }


def _actions(balancer: elbv2.LoadBalancer, links: Links) -> Iterator[tuple[elbv2.Listener, str, Mapping[str, int]]]:
    """Every action list of a load balancer that forwards: its listener, its name, and the weight of each group above 0."""
    listeners = links.inventory.listing(elbv2.LISTENERS, balancer.LoadBalancerArn)
    for listener in sorted(listeners, key=lambda x: x.ListenerArn):
        name = f"listener {listener.Protocol}:{listener.Port}"
        yield listener, f"the default action of {name}", _positive(listener.DefaultActions)
        rules = [r for r in links.inventory.listing(elbv2.RULES, listener.ListenerArn) if not r.IsDefault]
        for rule in sorted(rules, key=lambda r: (len(r.Priority), r.Priority, r.RuleArn)):
            yield listener, f"the rule with priority {rule.Priority} of {name}", _positive(rule.Actions)


def _positive(actions: Sequence[elbv2.Action]) -> dict[str, int]:
    found: dict[str, int] = {}
    for arn, weight in weights(actions):
        if weight > 0:
            found[arn] = found.get(arn, 0) + weight
    return found


def _state(arn: str, views: Mapping[str, GroupView], links: Links) -> Known[_State]:
    """Whether a group can serve what falls to it; unknown when its health is, or while targets are not yet judged."""
    view = views.get(arn)
    if view is None:
        listing = links.inventory.listing(elbv2.TARGET_GROUPS)
        return listing.unknown if not listing.complete else unclear(f"no listing has the target group {arn}")
    if isinstance(view.targets, Unknown):
        return view.targets
    usable = [t for t in view.targets if t.usable]
    if not usable:
        return "empty"
    if any(t.healthy for t in usable):
        return "serving"
    if any(t.pending for t in usable):
        return unclear(f"no target of {view.group.TargetGroupName} has been judged healthy or unhealthy yet")
    return "failing"
