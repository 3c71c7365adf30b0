"""Which load balancers stand before target groups, as entries of the settings may choose them?

https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-target-groups.html
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..model import elbv2
from ..model.identity import AccountId, RegionName, Resource, arn_part
from ..model.known import Known, Unknown, merge
from ..model.verdict import Truth
from .figures import Front
from .links import Links
from .node import Node
from .scaling import as_node
from .tags import group_tags
from .target_groups import resource_of


def fronts_of(arns: Iterable[str], links: Links) -> tuple[Front, ...]:
    """The load balancer of each target group that may get traffic from one; none for a group that gets none."""
    groups = (links.groups[arn] for arn in arns if arn in links.groups)
    return tuple(_front(g, links) for g in groups if g.LoadBalancerArns and links.in_use(g) is not False)


def _front(group: elbv2.TargetGroup, links: Links) -> Front:
    arn = group.LoadBalancerArns[0]
    account, region = links.inventory.scope
    parts = arn_part(arn, 5).split("/")
    resource = Resource(
        type="AWS::ElasticLoadBalancingV2::LoadBalancer",
        arn=arn,
        name=parts[2] if len(parts) > 2 else arn,
        account_id=AccountId(account),
        region=RegionName(region),
    )
    others = [g for g in links.groups_of.get(arn, ()) if g.TargetGroupArn != group.TargetGroupArn]
    used = [(g, links.in_use(g)) for g in others]
    return Front(
        node=Node(resource=resource, tags=group_tags(arn, links.inventory)),
        group_name=group.TargetGroupName,
        beside=_beside(group, used, links),
        others=tuple(node for g, truth in used if truth is True for node in _behind(g, links)),
    )


def _beside(
    group: elbv2.TargetGroup, others: Sequence[tuple[elbv2.TargetGroup, Truth]], links: Links
) -> Known[tuple[str, ...]]:
    """Names of the other groups in use; one that was seen decides, and that there is none takes a complete listing."""
    own = links.in_use(group)
    listing = links.inventory.listing(elbv2.TARGET_GROUPS)
    unknowns = [] if listing.complete else [listing.unknown]
    unknowns += [truth for truth in (own, *(t for _, t in others)) if isinstance(truth, Unknown)]
    names = tuple(g.TargetGroupName for g, truth in others if truth is True)
    return names if names or not unknowns else merge(unknowns)


def _behind(group: elbv2.TargetGroup, links: Links) -> list[Node]:
    """A target group and the Auto Scaling groups that feed it."""
    node = Node(resource=resource_of(group, links), tags=group_tags(group.TargetGroupArn, links.inventory))
    return [node, *(as_node(g, links) for g in links.feeders.get(group.TargetGroupArn, ()))]
