"""What is left of the groups behind one target group or cluster when a zone is lost, and can it be replaced elsewhere?

Counted in capacity units: weights where a group uses them, else instances. Groups that stand together count together.
https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-zonal-shift.html
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from ..model import autoscaling, ec2, elbv2
from ..model.identity import AccountId, RegionName, Resource, Zone
from ..model.known import Known, Unknown, unclear
from ..model.verdict import Truth, any_of
from .figures import Figures
from .links import Links, fed_groups
from .node import Node
from .placement import in_words
from .scaling import Unions, as_node, capacity_per_zone, settling_of, zones_of
from .tags import group_tags


class Together(msgspec.Struct, frozen=True, kw_only=True):
    """Numbers of a union of groups; `spare` is what the other zones may still start when a zone is lost."""

    capacity: Mapping[Zone, int]
    spare: Mapping[Zone, int]
    minimum: int
    maximum: int
    desired: int
    settling: Known[bool]

    @property
    def words(self) -> str:
        """Healthy capacity per zone as a phrase."""
        return in_words(self.capacity)

    @property
    def at_maximum(self) -> bool:
        """Whether every unit that may run does, in groups that may vary."""
        return self.desired >= self.maximum > self.minimum

    @property
    def shortfall(self) -> int:
        """What of the largest zone could not be started in other zones; 0 when all of it could.

        Of several zones that are equally large, the one that is worst off counts.
        """
        largest = max(self.capacity.values(), default=0)
        worst = max((largest - self.spare[z] for z, c in self.capacity.items() if c == largest), default=0)
        return max(0, worst)

    def left_without(self, zone: Zone) -> int:
        """Healthy capacity outside a zone."""
        return sum(c for z, c in self.capacity.items() if z != zone)


def together(group: autoscaling.AutoScalingGroup, unions: Unions, links: Links) -> Known[Together]:
    """Numbers of the union a group belongs to.

    Unknown while a member may be missing, and for groups whose sizes count vCPUs or memory: nothing says what an instance
    of theirs counts.
    """
    if unions.missing is not None:
        return unions.missing
    members = unions.members(group)
    for member in members:
        if member.DesiredCapacityType not in (None, "", "units"):
            return unclear(f"{member.AutoScalingGroupName} counts its size in {member.DesiredCapacityType}")
    subnets = links.inventory.index(ec2.SUBNETS)
    capacity: dict[Zone, int] = {}
    places: list[tuple[int, frozenset[Zone]]] = []
    for member in members:
        own = zones_of(member, links.zones, subnets)
        for part in capacity_per_zone(member, own, links.zones):
            capacity[part.zone] = capacity.get(part.zone, 0) + part.healthy_capacity
        places.append((max(0, (member.MaxSize or 0) - (member.DesiredCapacity or 0)), frozenset(own)))
    return Together(
        capacity=capacity,
        spare={z: sum(room for room, own in places if own - {z}) for z in capacity},
        minimum=sum(m.MinSize or 0 for m in members),
        maximum=sum(m.MaxSize or 0 for m in members),
        desired=sum(m.DesiredCapacity or 0 for m in members),
        settling=_settling(members),
    )


def _settling(members: Sequence[autoscaling.AutoScalingGroup]) -> Truth:
    return any_of(settling_of(m) for m in members)


def required(group: autoscaling.AutoScalingGroup, figures: Figures, unions: Unions, links: Links) -> Known[int | None]:
    """Capacity the union must keep without any one zone, by the user's figures; None when no figure is meant for it.

    A figure is meant for the union when it chooses one of its groups or a target group that one of them feeds.
    """
    if not figures.capacity:
        return None
    if unions.missing is not None:
        return unions.missing
    members = unions.members(group)
    arns = sorted({arn for m in members for arn in fed_groups(m)})
    return figures.required([*(as_node(m, links) for m in members), *(_target_group(arn, links) for arn in arns)])


def _target_group(arn: str, links: Links) -> Node:
    known = links.groups.get(arn)
    account, region = links.inventory.scope
    name = known.TargetGroupName if known else arn.split("/")[1] if arn.count("/") > 1 else arn
    resource = Resource(
        type="AWS::ElasticLoadBalancingV2::TargetGroup",
        arn=arn,
        name=name,
        account_id=AccountId(account),
        region=RegionName(region),
    )
    listing = links.inventory.listing(elbv2.TARGET_GROUPS)
    tags = group_tags(arn, links.inventory) if known or listing.complete else listing.unknown
    return Node(resource=resource, tags=tags)


def zones_short(numbers: Known[Together], needed: Known[int | None]) -> Known[tuple[Zone, ...]]:
    """Zones whose loss leaves less healthy capacity than needed; none without a figure."""
    if needed is None:
        return ()
    if isinstance(needed, Unknown):
        return needed
    if isinstance(numbers, Unknown):
        return numbers
    short = (z for z in numbers.capacity if numbers.left_without(z) < needed)
    return tuple(sorted(short, key=lambda z: z.key))


def advised_behavior(short: Known[tuple[Zone, ...]], needed: Known[int | None]) -> Known[str | None]:
    """What a group should do with unhealthy instances of a zone that is shifted away; None without a figure.

    Instances that are left alone go on counting towards the desired capacity, so nothing replaces them: right only when the
    other zones carry everything as they are.
    """
    if needed is None:
        return None
    if isinstance(needed, Unknown):
        return needed
    if isinstance(short, Unknown):
        return short
    return "ReplaceUnhealthy" if short else "IgnoreUnhealthy"
