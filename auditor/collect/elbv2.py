"""Elastic Load Balancing v2. Its reads share one rate limit with the controllers in the account: as few calls as will do."""

from collections.abc import Iterator

from ..model import elbv2
from .call import Call, View, batches, each, once

# Some kinds of load balancer answer these for their listeners or rules; it means that there are none to list.
NO_SUCH_PROTOCOL = frozenset({"UnsupportedProtocol", "UnsupportedProtocolException"})
TAGS_AT_ONCE = 20
PAGE = 400


def _balancers(view: View) -> Iterator[str]:
    return (b.LoadBalancerArn for b in view.listing(elbv2.LOAD_BALANCERS))


def _groups(view: View) -> Iterator[str]:
    return (g.TargetGroupArn for g in view.listing(elbv2.TARGET_GROUPS))


def _attached_groups(view: View) -> Iterator[str]:
    return (g.TargetGroupArn for g in view.listing(elbv2.TARGET_GROUPS) if g.LoadBalancerArns)


def _tagged(view: View) -> Iterator[str]:
    yield from _balancers(view)
    yield from _groups(view)


def _forwarded(listeners: list[elbv2.Listener]) -> set[str]:
    """Target groups that default actions send traffic to."""
    found: set[str] = set()
    for action in (a for listener in listeners for a in listener.DefaultActions):
        if action.ForwardConfig and action.ForwardConfig.TargetGroups:
            found.update(t.TargetGroupArn for t in action.ForwardConfig.TargetGroups if t.Weight != 0)
        elif action.TargetGroupArn:
            found.add(action.TargetGroupArn)
    return found


def _listeners_with_rules(view: View) -> Iterator[str]:
    """All of an Application Load Balancer; of a Network Load Balancer only where a rule must explain an attached group."""
    attached: dict[str, set[str]] = {}
    for group in view.listing(elbv2.TARGET_GROUPS):
        for balancer_arn in group.LoadBalancerArns:
            attached.setdefault(balancer_arn, set()).add(group.TargetGroupArn)
    for balancer in view.listing(elbv2.LOAD_BALANCERS):
        if balancer.Type not in ("application", "network"):
            continue
        arn = balancer.LoadBalancerArn
        listeners = list(view.listing(elbv2.LISTENERS, arn))
        if balancer.Type == "application" or attached.get(arn, set()) - _forwarded(listeners):
            yield from (listener.ListenerArn for listener in listeners)


def _policies_matter(view: View) -> bool:
    return any(g.TargetType == "alb" and g.HealthCheckProtocol == "HTTPS" for g in view.listing(elbv2.TARGET_GROUPS))


LOAD_BALANCERS = Call(elbv2.LOAD_BALANCERS, page_size=PAGE)
TARGET_GROUPS = Call(elbv2.TARGET_GROUPS, page_size=PAGE)
LOAD_BALANCER_ATTRIBUTES = Call(
    elbv2.LOAD_BALANCER_ATTRIBUTES, each("LoadBalancerArn", _balancers), depends=(elbv2.LOAD_BALANCERS,)
)
LISTENERS = Call(
    elbv2.LISTENERS,
    each("LoadBalancerArn", _balancers),
    depends=(elbv2.LOAD_BALANCERS,),
    page_size=PAGE,
    empty_codes=NO_SUCH_PROTOCOL,
)
RULES = Call(
    elbv2.RULES,
    each("ListenerArn", _listeners_with_rules),
    depends=(elbv2.LOAD_BALANCERS, elbv2.LISTENERS, elbv2.TARGET_GROUPS),
    page_size=PAGE,
    empty_codes=NO_SUCH_PROTOCOL,
)
TARGET_GROUP_ATTRIBUTES = Call(
    elbv2.TARGET_GROUP_ATTRIBUTES, each("TargetGroupArn", _groups), depends=(elbv2.TARGET_GROUPS,)
)
TARGET_HEALTH = Call(
    elbv2.TARGET_HEALTH,
    each("TargetGroupArn", _attached_groups, Include=["All"]),
    depends=(elbv2.TARGET_GROUPS,),
    fades=True,
)
SSL_POLICIES = Call(
    elbv2.SSL_POLICIES,
    once(_policies_matter, LoadBalancerType="application"),
    depends=(elbv2.TARGET_GROUPS,),
    page_size=PAGE,
)
TAGS = Call(
    elbv2.TAGS,
    batches("ResourceArns", _tagged, TAGS_AT_ONCE),
    depends=(elbv2.LOAD_BALANCERS, elbv2.TARGET_GROUPS),
)
