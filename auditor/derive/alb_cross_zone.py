"""Is cross-zone off in the whole of the Application Load Balancer behind an `alb` target group?

With cross-zone on, a Network Load Balancer sends from every zone to the nodes of that load balancer in every zone; with
cross-zone off there, each of these nodes has the targets of its own zone alone.
https://docs.aws.amazon.com/elasticloadbalancing/latest/network/application-load-balancer-target.html
"""

from __future__ import annotations

from collections.abc import Sequence

from ..model import elbv2
from ..model.known import Known, Unknown, merge, unclear
from ..model.verdict import Truth, all_of, any_of, negate
from .cross_zone import KEY, effective_cross_zone
from .links import Links
from .nodes.behind_nlb import AlbBehind, LocalGroup


def alb_behind(group: elbv2.TargetGroup, links: Links) -> Known[AlbBehind | None]:
    """The load balancer that stands in an `alb` group; None for other types, and where none is registered."""
    if group.TargetType != "alb":
        return None
    health = links.inventory.listing(elbv2.TARGET_HEALTH, group.TargetGroupArn)
    if not health.complete:
        return health.unknown
    arn = next((h.Target.Id for h in health if h.TargetHealth.State != "draining"), None)
    if arn is None:
        return None
    if arn not in links.balancers:
        balancers = links.inventory.listing(elbv2.LOAD_BALANCERS)
        return balancers.unknown if not balancers.complete else unclear("the ALB behind the group was not listed")
    members = links.groups_of.get(arn, ())
    return AlbBehind(
        LoadBalancerName=links.balancers[arn].LoadBalancerName,
        cross_zone_off=all_off(members, links),
        groups_off=groups_off(members, links),
    )


def all_off(groups: Sequence[elbv2.TargetGroup], links: Links) -> Truth:
    """Whether an Application Load Balancer uses any of its groups, and has cross-zone off in all that it uses."""
    listing = links.inventory.listing(elbv2.TARGET_GROUPS)
    unread = [] if listing.complete else [listing.unknown]
    some = any_of([*(all_of((links.in_use(g), _off(g, links))) for g in groups), *unread])
    return all_of([*(any_of((negate(links.in_use(g)), _off(g, links))) for g in groups), *unread, some])


def groups_off(groups: Sequence[elbv2.TargetGroup], links: Links) -> Known[tuple[LocalGroup, ...]]:
    """Those in-use groups by name; unknown as soon as that is so of one of them."""
    listing = links.inventory.listing(elbv2.TARGET_GROUPS)
    unknowns = [] if listing.complete else [listing.unknown]
    found: list[LocalGroup] = []
    for group in groups:
        truth = all_of((links.in_use(group), _off(group, links)))
        if isinstance(truth, Unknown):
            unknowns.append(truth)
        elif truth:
            found.append(_named(group))
    found.sort(key=lambda g: (g.TargetGroupName, g.TargetGroupArn))
    return merge(unknowns) if unknowns else tuple(found)


def _named(group: elbv2.TargetGroup) -> LocalGroup:
    return LocalGroup(
        TargetGroupName=group.TargetGroupName,
        TargetGroupArn=group.TargetGroupArn,
        words=f"{group.TargetGroupName} ({KEY} false)",
    )


def _off(group: elbv2.TargetGroup, links: Links) -> Truth:
    attributes = links.inventory.attributes(elbv2.TARGET_GROUP_ATTRIBUTES, group.TargetGroupArn)
    effective = effective_cross_zone("application", group.TargetType, attributes, {})
    return effective if isinstance(effective, Unknown) else effective.value == "off"
