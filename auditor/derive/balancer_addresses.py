"""Which targets of an `ip` group are addresses of another load balancer's nodes?

The nodes of an Application, Classic or Gateway Load Balancer get other addresses without notice. Those of a Network Load
Balancer stay as long as it does, so they are left aside, but for two cases: AWS says itself that the address cannot be used, or
the group keeps the addresses of its clients, and then connections to another Network Load Balancer are lost. Load balancers of
other accounts are not seen.

https://docs.aws.amazon.com/elasticloadbalancing/latest/network/edit-target-group-attributes.html
"""

from __future__ import annotations

from ..model import elb_defaults, elbv2
from ..model.known import Known, Unknown
from ..model.verdict import Truth
from .group_health import GroupView
from .interfaces import Interfaces, moves, owner_of
from .links import Links
from .nodes.odd_targets import OddTarget
from .nodes.target_groups import Target
from .stale_targets import odd_of

_PRESERVE = "preserve_client_ip.enabled"


def balancer_addresses(view: GroupView, links: Links, interfaces: Interfaces) -> Known[tuple[OddTarget, ...]]:
    """Such targets, each with the load balancer and the interface; unknown where none is seen and one may be."""
    if isinstance(view.targets, Unknown):
        return view.targets
    if view.group.TargetType != "ip":
        return ()
    keeps = _keeps_client_addresses(view.group, links)
    return odd_of((t, _judge(view, t, interfaces, keeps)) for t in view.targets if t.State != "draining")


def _judge(view: GroupView, target: Target, interfaces: Interfaces, keeps: Truth) -> Known[str]:
    interface = interfaces.node(view.group.VpcId or "", target.Id)
    refused = target.Reason == "Target.IpUnusable"
    if interface is None:
        if refused:
            return "is the address of a load balancer, as AWS says, which does not use it (Target.IpUnusable)"
        return "" if interfaces.listing.complete else interfaces.listing.unknown
    node = f"is a node of {owner_of(interface)} ({interface.NetworkInterfaceId})"
    if refused:
        return f"{node}, which AWS does not use (Target.IpUnusable)"
    if moves(interface):
        return node
    if isinstance(keeps, Unknown):
        return keeps
    return f"{node}, which loses connections that keep the address of the client" if keeps else ""


def _keeps_client_addresses(group: elbv2.TargetGroup, links: Links) -> Truth:
    """Whether targets see the address of the client; only groups of a Network Load Balancer have the choice."""
    attributes = links.inventory.attributes(elbv2.TARGET_GROUP_ATTRIBUTES, group.TargetGroupArn)
    if isinstance(attributes, Unknown):
        return attributes
    default = elb_defaults.target_group_attributes(group.Protocol, group.TargetType).get(_PRESERVE, "false")
    return attributes.get(_PRESERVE, default) == "true"
