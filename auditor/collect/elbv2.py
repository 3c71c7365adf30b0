"""Elastic Load Balancing v2. Its reads share one rate limit with the controllers in the account: as few calls as will do."""

from collections.abc import Iterable, Iterator

from ..model import elb_defaults, elbv2
from ..model.known import Unknown
from .call import Call, View, batches, each, once

# Some kinds of load balancer answer these for their listeners or rules; it means that there are none to list.
NO_SUCH_PROTOCOL = frozenset({"UnsupportedProtocol", "UnsupportedProtocolException"})
# Errors by which a kind of load balancer, or a partition, may say that it knows no reservations; it means that there is none.
NO_RESERVATIONS = frozenset(
    {
        "InvalidAction",
        "InvalidConfigurationRequest",
        "OperationNotPermitted",
        "UnsupportedFeature",
        "UnsupportedOperation",
    }
)
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


def _forwarded(actions: Iterable[elbv2.Action]) -> set[str]:
    """Target groups that actions send traffic to."""
    found: set[str] = set()
    for action in actions:
        if action.ForwardConfig and action.ForwardConfig.TargetGroups:
            found.update(t.TargetGroupArn for t in action.ForwardConfig.TargetGroups if t.Weight != 0)
        elif action.TargetGroupArn:
            found.add(action.TargetGroupArn)
    return found


def _listeners_with_rules(view: View) -> Iterator[str]:
    """All of an Application Load Balancer; of a Network Load Balancer where a rule may say more than its default actions.

    That is where a rule must explain an attached group, and where there are two groups or more to weight against each other.
    """
    attached: dict[str, set[str]] = {}
    for group in view.listing(elbv2.TARGET_GROUPS):
        for balancer_arn in group.LoadBalancerArns:
            attached.setdefault(balancer_arn, set()).add(group.TargetGroupArn)
    for balancer in view.listing(elbv2.LOAD_BALANCERS):
        if balancer.Type not in ("application", "network"):
            continue
        arn = balancer.LoadBalancerArn
        listeners = list(view.listing(elbv2.LISTENERS, arn))
        groups = attached.get(arn, set())
        if (
            balancer.Type == "application"
            or len(groups) > 1
            or groups - _forwarded(action for listener in listeners for action in listener.DefaultActions)
        ):
            yield from (listener.ListenerArn for listener in listeners)


def _lingering(view: View) -> set[str]:
    """Target groups in which connections go on after their target was deregistered."""
    found = set()
    for group in view.listing(elbv2.TARGET_GROUPS):
        attributes = view.attributes(elbv2.TARGET_GROUP_ATTRIBUTES, group.TargetGroupArn)
        if isinstance(attributes, Unknown) or not group.LoadBalancerArns:
            continue
        if elb_defaults.keeps_connections(group.Protocol, group.TargetType, attributes):
            found.add(group.TargetGroupArn)
    return found


def _listeners_with_an_idle_timeout(view: View) -> Iterator[str]:
    """TCP listeners of Network Load Balancers that forward to a group where connections outlive the deregistration of a target.

    Their idle timeout is the last thing that ends such a connection; nowhere else does it matter.
    """
    lingering = _lingering(view)
    for balancer in view.listing(elbv2.LOAD_BALANCERS):
        if balancer.Type != "network":
            continue
        for listener in view.listing(elbv2.LISTENERS, balancer.LoadBalancerArn):
            rules = view.listing(elbv2.RULES, listener.ListenerArn)
            actions = [*listener.DefaultActions, *(action for rule in rules for action in rule.Actions)]
            if listener.Protocol == "TCP" and _forwarded(actions) & lingering:
                yield listener.ListenerArn


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
LISTENER_ATTRIBUTES = Call(
    elbv2.LISTENER_ATTRIBUTES,
    each("ListenerArn", _listeners_with_an_idle_timeout),
    depends=(
        elbv2.LOAD_BALANCERS,
        elbv2.LISTENERS,
        elbv2.RULES,
        elbv2.TARGET_GROUPS,
        elbv2.TARGET_GROUP_ATTRIBUTES,
    ),
)
CAPACITY_RESERVATION = Call(
    elbv2.CAPACITY_RESERVATION,
    each("LoadBalancerArn", _balancers),
    depends=(elbv2.LOAD_BALANCERS,),
    empty_codes=NO_RESERVATIONS,
)
