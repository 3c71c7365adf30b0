"""What do the settings of a load balancer mean, its own and those of its target groups?

https://docs.aws.amazon.com/elasticloadbalancing/latest/application/edit-load-balancer-attributes.html
https://docs.aws.amazon.com/elasticloadbalancing/latest/network/edit-load-balancer-attributes.html
https://docs.aws.amazon.com/elasticloadbalancing/latest/gateway/edit-target-group-attributes.html
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..model import ec2, elbv2
from ..model.known import Known, Unknown, merge, unclear
from ..model.verdict import Truth, all_of
from .group_health import GroupView
from .links import Links
from .nodes.group_settings import NamedGroup
from .nodes.load_balancers import Kind

_FAILOVER = ("target_failover.on_deregistration", "target_failover.on_unhealthy")


def settings_of(balancer: elbv2.LoadBalancer, views: Sequence[GroupView], links: Links) -> dict[str, Any]:
    """Facts of a load balancer that follow from its settings and those of its target groups."""
    kind = links.kind(balancer)
    attributes = links.inventory.attributes(elbv2.LOAD_BALANCER_ATTRIBUTES, balancer.LoadBalancerArn)

    def chosen(test: Callable[[GroupView], Truth]) -> Known[tuple[NamedGroup, ...]]:
        return groups_where(views, links, test)

    def sticky(view: GroupView) -> Truth:
        return setting(view, links, "stickiness.enabled", "false", "true")

    return {
        "client_keep_alive_seconds": keep_alive(kind, attributes),
        "client_routing_policy": routing_policy(kind, attributes),
        "impaired": impaired(balancer),
        "state_words": state_words(balancer),
        "region_zone_count": region_zone_count(links),
        "sticky_groups": chosen(sticky),
        "sticky_groups_local": chosen(lambda v: all_of((local(v), sticky(v)))) if kind == "application" else (),
        "groups_local": chosen(lambda v: all_of((v.in_use, local(v)))),
        "groups_not_rebalanced": chosen(lambda v: not_rebalanced(v, links)) if kind == "gateway" else (),
    }


def groups_where(
    views: Sequence[GroupView], links: Links, test: Callable[[GroupView], Truth]
) -> Known[tuple[NamedGroup, ...]]:
    """Target groups that pass a test, by name. One that passes makes the list known, else any unknown makes it unknown."""
    groups = links.inventory.listing(elbv2.TARGET_GROUPS)
    unknowns = [] if groups.complete else [groups.unknown]
    found: list[NamedGroup] = []
    for view in views:
        truth = test(view)
        if isinstance(truth, Unknown):
            unknowns.append(truth)
        elif truth:
            named = NamedGroup(TargetGroupName=view.group.TargetGroupName, TargetGroupArn=view.group.TargetGroupArn)
            found.append(named)
    found.sort(key=lambda g: (g.TargetGroupName, g.TargetGroupArn))
    return tuple(found) if found or not unknowns else merge(unknowns)


def setting(view: GroupView, links: Links, key: str, default: str, value: str) -> Truth:
    """Whether an attribute of a target group has a value; what AWS left out of a whole answer has the documented default."""
    attributes = links.inventory.attributes(elbv2.TARGET_GROUP_ATTRIBUTES, view.group.TargetGroupArn)
    return attributes if isinstance(attributes, Unknown) else attributes.get(key, default) == value


def local(view: GroupView) -> Truth:
    """Whether cross-zone is off in effect."""
    if isinstance(view.cross_zone, Unknown):
        return view.cross_zone
    return view.cross_zone is not None and view.cross_zone.value == "off"


def not_rebalanced(view: GroupView, links: Links) -> Truth:
    """Whether flows of a Gateway Load Balancer stay on an appliance that is unhealthy or deregistered.

    Both attributes must have the same value; where they do not, the one that does not rebalance counts.
    """
    rebalances = all_of(setting(view, links, key, "no_rebalance", "rebalance") for key in _FAILOVER)
    return rebalances if isinstance(rebalances, Unknown) else all_of((view.in_use, not rebalances))


def keep_alive(kind: Kind, attributes: Known[Mapping[str, str]]) -> Known[int]:
    """Seconds an Application Load Balancer keeps a client's connection at most; 3600 unless set. 0 for other kinds."""
    if kind != "application":
        return 0
    if isinstance(attributes, Unknown):
        return attributes
    text = attributes.get("client_keep_alive.seconds", "3600")
    return int(text) if text.isdigit() else unclear(f"client_keep_alive.seconds is {text!r}, which is no number")


def routing_policy(kind: Kind, attributes: Known[Mapping[str, str]]) -> Known[str | None]:
    """To which zones a Network Load Balancer's DNS leads clients; any of them unless set. None for other kinds."""
    if kind != "network":
        return None
    if isinstance(attributes, Unknown):
        return attributes
    return attributes.get("dns_record.client_routing_policy", "any_availability_zone")


def impaired(balancer: elbv2.LoadBalancer) -> Truth:
    """Whether AWS reports trouble with a load balancer; unclear while it is being made, or when no state is reported."""
    code = balancer.State.Code
    if code in ("active_impaired", "failed"):
        return True
    return False if code == "active" else unclear(f"the load balancer is {code or 'of no reported state'}")


def state_words(balancer: elbv2.LoadBalancer) -> str:
    """The state of a load balancer with AWS's reason for it, where AWS gives one."""
    state = balancer.State
    return f"{state.Code}: {state.Reason.rstrip('.')}" if state.Reason else state.Code


def region_zone_count(links: Links) -> Known[int]:
    """How many Availability Zones the account has in the region; Local and Wavelength Zones aside."""
    zones = links.inventory.listing(ec2.AVAILABILITY_ZONES)
    if not zones.complete:
        return zones.unknown
    return sum(z.ZoneType in ("availability-zone", "") for z in zones)
