"""What does a health check prove? Matchers, what codes point to, and the walk from an NLB through the ALB it checks.

https://docs.aws.amazon.com/elasticloadbalancing/latest/network/application-load-balancer-target.html
https://docs.aws.amazon.com/elasticloadbalancing/latest/network/target-group-health-checks.html
"""

from __future__ import annotations

from collections.abc import Sequence

from ..model import ec2, elbv2
from ..model.inventory import RegionInventory
from ..model.known import Known, Unknown, unclear
from .links import Links, weights
from .listener_rules import Outcome, Probe, walk
from .nodes.target_groups import ProbeWalk
from .tls import only_tls13, protocols_of

_NLB_DEFAULT = "200-399"


def matcher_of(group: elbv2.TargetGroup) -> str:
    """The codes that count as healthy, as AWS writes them; empty where the check has none (TCP, Lambda without a check)."""
    if group.Matcher and (group.Matcher.HttpCode or group.Matcher.GrpcCode):
        return group.Matcher.HttpCode or group.Matcher.GrpcCode or ""
    return _NLB_DEFAULT if group.TargetType == "alb" and group.HealthCheckProtocol in ("HTTP", "HTTPS") else ""


def accepts(matcher: str, code: int) -> bool:
    """Whether a matcher such as ``200,301`` or ``200-399`` accepts a code."""
    for part in matcher.replace(" ", "").split(","):
        low, _, high = part.partition("-")
        if low.isdigit() and int(low) <= code <= int(high if high.isdigit() else low):
            return True
    return False


def code_words(codes: Sequence[int]) -> str:
    """What wrong codes point to, in words; AWS documents none of these causes, so they are clues, not proof."""
    clues = {
        "an authentication in front of the health path": {401, 403, 407},
        "a health path that does not exist": {404, 410},
        "a host name or protocol that the target does not expect": {400, 421, 426, 505},
        "an application that fails or is not ready": set(range(500, 600)) - {505},
    }
    found = [words for words, members in clues.items() if members & set(codes)]
    return " or ".join(found) or "an answer outside the matcher"


def probe_port(group: elbv2.TargetGroup, health: elbv2.TargetHealthDescription) -> int | None:
    """The port a check goes to: the literal one, or the traffic port (the target's own, else the group's)."""
    port = group.HealthCheckPort or "traffic-port"
    return int(port) if port.isdigit() else health.Target.Port or group.Port


def node_addresses(inventory: RegionInventory, balancer_arn: str) -> Known[tuple[str, ...]]:
    """Private IPv4 addresses of a load balancer's nodes, from its network interfaces (description ``ELB net/name/id``)."""
    interfaces = inventory.listing(ec2.NETWORK_INTERFACES)
    if not interfaces.complete:
        return interfaces.unknown
    wanted = f"ELB {balancer_arn.partition('loadbalancer/')[2]}"
    found = tuple(sorted(i.PrivateIpAddress for i in interfaces if i.Description == wanted and i.PrivateIpAddress))
    return found or unclear("no network interface of the load balancer was listed")


def probe_walk(group: elbv2.TargetGroup, links: Links) -> Known[ProbeWalk | None]:
    """Walk of the health check of an `alb` group; None for other types, for a TCP check, and without a registered ALB.

    Unknown when target health, the Application Load Balancer or its listeners could not be read.
    """
    if group.TargetType != "alb" or group.HealthCheckProtocol not in ("HTTP", "HTTPS"):
        return None
    health = links.inventory.listing(elbv2.TARGET_HEALTH, group.TargetGroupArn)
    if not health.complete:
        return health.unknown
    if not health.items:
        return None
    target = health.items[0]
    alb = links.balancers.get(target.Target.Id)
    if alb is None:
        balancers = links.inventory.listing(elbv2.LOAD_BALANCERS)
        return balancers.unknown if not balancers.complete else unclear("the ALB behind the group was not listed")
    listeners = links.inventory.listing(elbv2.LISTENERS, alb.LoadBalancerArn)
    if not listeners.complete:
        return listeners.unknown
    port = probe_port(group, target)
    if port is None:
        return unclear("the port of the health check is not known")
    listener = next((x for x in listeners if x.Port == port and x.Protocol == group.HealthCheckProtocol), None)
    protocols, source = protocols_of(
        listener.SslPolicy if listener and listener.Protocol == "HTTPS" else None, links.inventory
    )
    outcome = _outcome(group, listener, listeners.items, port, links)
    code = outcome.code if isinstance(outcome, Outcome) else None
    return ProbeWalk(
        alb_name=alb.LoadBalancerName,
        port=port,
        protocol=group.HealthCheckProtocol,
        alb_ports=tuple(f"{x.Protocol}:{x.Port}" for x in sorted(listeners, key=lambda x: x.Port or 0)),
        listener_found=listener is not None,
        ListenerArn=listener.ListenerArn if listener else None,
        SslPolicy=listener.SslPolicy if listener and listener.Protocol == "HTTPS" else None,
        tls_protocols=protocols,
        tls13_only=only_tls13(protocols),
        tls_source=source,
        outcome=outcome if isinstance(outcome, Unknown) else _kind(outcome),
        outcome_code=outcome if isinstance(outcome, Unknown) else code,
        outcome_words=outcome if isinstance(outcome, Unknown) else _words(outcome),
        accepted=outcome
        if isinstance(outcome, Unknown)
        else None
        if code is None
        else accepts(matcher_of(group), code),
    )


def _listener_ports(group: elbv2.TargetGroup, balancer: elbv2.LoadBalancer, links: Links) -> tuple[int, ...]:
    listeners = links.inventory.listing(elbv2.LISTENERS, balancer.LoadBalancerArn)
    return tuple(
        x.Port
        for x in listeners
        if x.Port is not None and any(arn == group.TargetGroupArn for arn, _ in weights(x.DefaultActions))
    )


def _kind(outcome: Outcome | str) -> str:
    return outcome if isinstance(outcome, str) else outcome.kind


def _words(outcome: Outcome | str) -> str:
    if isinstance(outcome, Outcome):
        return outcome.words
    return {
        "no_listener": "no listener has the port of the check",
        "wrong_protocol": "the listener on that port speaks another protocol",
    }[outcome]


def _outcome(
    group: elbv2.TargetGroup,
    listener: elbv2.Listener | None,
    listeners: Sequence[elbv2.Listener],
    port: int,
    links: Links,
) -> Known[Outcome | str]:
    if listener is None:
        return "wrong_protocol" if any(x.Port == port for x in listeners) else "no_listener"
    balancer = links.balancer_of(group)
    if isinstance(balancer, Unknown):
        return balancer
    if balancer is None:
        return unclear("no load balancer uses the group")
    if listener.MutualAuthentication and listener.MutualAuthentication.Mode == "verify":
        return Outcome(kind="denied", code=None, rule="the listener, which asks for a client certificate,")
    probe = Probe(
        path=group.HealthCheckPath or "/",
        ports=_listener_ports(group, balancer, links) or (group.Port or port,),
        sources=node_addresses(links.inventory, balancer.LoadBalancerArn),
    )
    return walk(links.inventory.listing(elbv2.RULES, listener.ListenerArn), listener, probe)
