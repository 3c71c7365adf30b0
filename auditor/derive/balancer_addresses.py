"""Which targets of an `ip` group are addresses of another load balancer's nodes?

The nodes of an Application, Classic or Gateway Load Balancer get other addresses without notice. Those of a Network Load
Balancer stay as long as it does, so they are left aside, but for two cases: AWS says itself that the address cannot be used, or
the group keeps the addresses of its clients, and then connections to another Network Load Balancer are lost. Load balancers of
other accounts are not seen.

https://docs.aws.amazon.com/elasticloadbalancing/latest/network/edit-target-group-attributes.html
"""

from __future__ import annotations

from ..model import ec2, elb_defaults, elbv2
from ..model.known import Known, Unknown
from ..model.verdict import Truth
from .group_health import GroupView
from .interfaces import Interfaces, moves, owner_of
from .links import Links
from .nodes.odd_targets import NodeTarget
from .nodes.target_groups import Target
from .stale_targets import argument_of, odd_ones

_PRESERVE = "preserve_client_ip.enabled"


def balancer_addresses(view: GroupView, links: Links, interfaces: Interfaces) -> Known[tuple[NodeTarget, ...]]:
    """Such targets, each with the load balancer and the interface; unknown where none is seen and one may be."""
    if isinstance(view.targets, Unknown):
        return view.targets
    if view.group.TargetType != "ip":
        return ()
    keeps = _keeps_client_addresses(view.group, links)
    return odd_ones(_judge(view, t, interfaces, keeps) for t in view.targets if t.State != "draining")


def interfaces_cited(found: Known[tuple[NodeTarget, ...]]) -> dict[str, tuple[str, ...]]:
    """The interfaces that such targets are known by, for the evidence."""
    ids = () if isinstance(found, Unknown) else (t.NetworkInterfaceId for t in found)
    return {ec2.NETWORK_INTERFACES.source: tuple(sorted({i for i in ids if i}))}


def _judge(view: GroupView, target: Target, interfaces: Interfaces, keeps: Truth) -> Known[NodeTarget | None]:
    interface = interfaces.node(view.group.VpcId or "", target.Id)
    refused = target.Reason == "Target.IpUnusable"
    if interface is None:
        if refused:
            return _node(
                target, "is the address of a load balancer, as AWS says, which does not use it (Target.IpUnusable)"
            )
        return None if interfaces.listing.complete else interfaces.listing.unknown
    words = f"is a node of {owner_of(interface)} ({interface.NetworkInterfaceId})"
    if refused:
        return _node(target, f"{words}, which AWS does not use (Target.IpUnusable)", interface)
    if moves(interface):
        return _node(target, words, interface)
    if isinstance(keeps, Unknown):
        return keeps
    return (
        _node(target, f"{words}, which loses connections that keep the address of the client", interface)
        if keeps
        else None
    )


def _node(target: Target, words: str, interface: ec2.NetworkInterface | None = None) -> NodeTarget:
    return NodeTarget(
        label=target.label,
        argument=argument_of(target),
        NetworkInterfaceId=interface.NetworkInterfaceId if interface else "",
        words=f"{target.label} {words}",
    )


def _keeps_client_addresses(group: elbv2.TargetGroup, links: Links) -> Truth:
    """Whether targets see the address of the client; only groups of a Network Load Balancer have the choice."""
    attributes = links.inventory.attributes(elbv2.TARGET_GROUP_ATTRIBUTES, group.TargetGroupArn)
    if isinstance(attributes, Unknown):
        return attributes
    default = elb_defaults.target_group_attributes(group.Protocol, group.TargetType).get(_PRESERVE, "false")
    return attributes.get(_PRESERVE, default) == "true"
