"""Does anything end the connections to a target of a Network Load Balancer when the target leaves?

A target that is deregistered gets no new connection. Those it has go on, unless the group ends them when its deregistration
delay is over (``deregistration_delay.connection_termination.enabled``). What is left is the idle timeout of the listener: 350
seconds by default and for TLS, from 60 to 6000 for TCP, 120 for UDP. At 350 seconds or more it ends next to nothing: pings of
drivers and agents come more often. Groups whose target is an Application Load Balancer are left out, since that one ends
connections by its own timeouts (inferred), and so are QUIC listeners, for which no idle timeout is documented.
https://docs.aws.amazon.com/elasticloadbalancing/latest/network/edit-target-group-attributes.html
https://docs.aws.amazon.com/elasticloadbalancing/latest/network/update-idle-timeout.html
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..model import elb_defaults, elbv2
from ..model.known import Known, Unknown, merge, unclear
from ..model.verdict import Truth
from .group_health import GroupView
from .links import Links, weights
from .nodes.connections import LongConnections

LONG = 350  # seconds


def connection_facts(balancer: elbv2.LoadBalancer, views: Sequence[GroupView], links: Links) -> dict[str, Any]:
    """Facts about the connections of a load balancer; other kinds than Network Load Balancers have none."""
    if balancer.Type != "network":
        return {}
    return {"long_connections": long_connections(balancer, views, links)}


def long_connections(
    balancer: elbv2.LoadBalancer, views: Sequence[GroupView], links: Links
) -> Known[tuple[LongConnections, ...]]:
    """Groups and listeners between which nothing ends connections; one makes the list known, else any unknown wins."""
    groups = links.inventory.listing(elbv2.TARGET_GROUPS)
    keeping: Mapping[str, tuple[GroupView, Truth]] = {
        v.group.TargetGroupArn: (v, keeps) for v in views if (keeps := _keeps(v, links)) is not False
    }
    doubts: list[Unknown] = [] if groups.complete else [groups.unknown]
    if not keeping:
        return merge(doubts) if doubts else ()
    listeners = links.inventory.listing(elbv2.LISTENERS, balancer.LoadBalancerArn)
    if not listeners.complete:
        doubts.append(listeners.unknown)
    found: list[LongConnections] = []
    for listener in sorted(listeners, key=lambda x: (x.Port or 0, x.ListenerArn)):
        targets, missing = _targets(listener, links)
        doubts += missing
        for arn in sorted(targets & keeping.keys()):
            view, keeps = keeping[arn]
            idle = idle_timeout(listener, links) if keeps is True else keeps
            if isinstance(idle, Unknown):
                doubts.append(idle)
            elif idle is not None and idle >= LONG:
                found.append(_row(view.group, listener, idle))
    return tuple(found) if found or not doubts else merge(doubts)


def _keeps(view: GroupView, links: Links) -> Truth:
    """Whether connections go on after their target was deregistered and the delay is over."""
    group = view.group
    attributes = links.inventory.attributes(elbv2.TARGET_GROUP_ATTRIBUTES, group.TargetGroupArn)
    if group.TargetType == "alb" or not isinstance(attributes, Unknown):
        given = {} if isinstance(attributes, Unknown) else attributes
        return elb_defaults.keeps_connections(group.Protocol, group.TargetType, given)
    return attributes


def _targets(listener: elbv2.Listener, links: Links) -> tuple[set[str], list[Unknown]]:
    """Target groups that a listener sends traffic to, and why there may be more.

    Rules that were not asked for, although the listeners were read, have nothing to add.
    """
    rules = links.inventory.listing(elbv2.RULES, listener.ListenerArn)
    pairs = [*weights(listener.DefaultActions), *(pair for rule in rules for pair in weights(rule.Actions))]
    refused = not rules.complete and listener.ListenerArn in links.inventory.keys(elbv2.RULES)
    return {arn for arn, weight in pairs if weight}, [rules.unknown] if refused else []


def idle_timeout(listener: elbv2.Listener, links: Links) -> Known[int | None]:
    """Seconds without data after which a listener ends a connection; None where AWS documents none."""
    if listener.Protocol != "TCP":
        return elb_defaults.fixed_idle_timeout(listener.Protocol)
    attributes = links.inventory.attributes(elbv2.LISTENER_ATTRIBUTES, listener.ListenerArn)
    if isinstance(attributes, Unknown):
        return attributes
    key = elb_defaults.IDLE_TIMEOUT
    text = attributes.get(key, elb_defaults.listener_attributes("TCP")[key])
    return int(text) if text.isdigit() else unclear(f"{key} is {text!r}, which is no number")


def _row(group: elbv2.TargetGroup, listener: elbv2.Listener, idle: int) -> LongConnections:
    fixed = "" if listener.Protocol == "TCP" else ", which cannot be set"
    return LongConnections(
        TargetGroupName=group.TargetGroupName,
        TargetGroupArn=group.TargetGroupArn,
        ListenerArn=listener.ListenerArn,
        idle_seconds=idle,
        words=f"{group.TargetGroupName} (listener {listener.Protocol}:{listener.Port}, idle timeout {idle} s{fixed})",
    )
