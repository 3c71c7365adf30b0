"""The zones of resources that ARC manages, one by one: is traffic kept away from it now, and has that been tried before?

https://docs.aws.amazon.com/r53recovery/latest/dg/arc-zonal-shift.html
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..model import arc, autoscaling, eks, elbv2
from ..model.identity import AccountId, RegionName, Resource, Zone, arn_part
from ..model.known import Known, Unknown, unclear
from ..model.read import AnyRead
from ..model.verdict import any_of
from . import load_balancers
from .links import Links
from .managed import Groups, Managed, configured
from .node import Node
from .nodes import ManagedResourceZone
from .shifts import ShiftState
from .tags import as_mapping, group_tags
from .zones import same_zone

ASG_TYPE = "AWS::AutoScaling::AutoScalingGroup"
EKS_TYPE = "AWS::EKS::Cluster"
_TYPES = {"elasticloadbalancing": load_balancers.TYPE, "autoscaling": ASG_TYPE, "eks": EKS_TYPE}


def type_of(arn: str) -> str:
    """CloudFormation type of what ARC manages."""
    return _TYPES.get(arn_part(arn, 2), "AWS::ARCZonalShift::ManagedResource")


def managed_tags(resource: arc.ManagedResource, by_arn: Groups, links: Links) -> Known[Mapping[str, str]]:
    """Tags of a managed resource, from the service it belongs to; {} when that service does not know it."""
    arn = resource.arn
    if arn in by_arn:
        return as_mapping(by_arn[arn].Tags)
    if arn in links.balancers:
        return group_tags(arn, links.inventory)
    if ":eks:" in arn:
        cluster = links.inventory.one(eks.CLUSTER, resource.name)
        return cluster if isinstance(cluster, Unknown) else cluster.tags
    owner: AnyRead = autoscaling.AUTO_SCALING_GROUPS if ":autoscaling:" in arn else elbv2.LOAD_BALANCERS
    gaps = links.inventory.listing(owner).gaps
    return Unknown(gaps) if gaps else {}


def managed_zones(managed: Managed, links: Links, shifts: ShiftState) -> Iterator[Node]:
    """Zones of managed resources. For an Auto Scaling group ARC names every zone of the region: only its own count.

    Where its own zones are not known, each zone that ARC names is there, and whether it is used is unknown.
    """
    account, region = links.inventory.scope
    for arn, listed in shifts.resources.items():
        shift, own = shifts.applied[arn], managed.zones[arn]
        named = [links.zones.of(text) for text in (*listed.availabilityZones, *listed.appliedWeights)]
        named += [shift.zone] if shift else []
        if not isinstance(own, Unknown):
            named = [*own, *([shift.zone] if shift else [])]
        changed, tags = shifts.changed(arn), managed_tags(listed, managed.groups, links)
        for zone in {z.key: z for z in named}.values():
            here = shift if shift and shift.zone.key == zone.key else None
            yield ManagedResourceZone(
                resource=Resource(
                    type=type_of(arn),
                    arn=arn,
                    name=listed.name,
                    account_id=AccountId(account),
                    region=RegionName(region),
                ),
                tags=tags,
                links={"arc-zonal-shift:ListManagedResources": arn, "arc-zonal-shift:ListZonalShifts": arn},
                name=listed.name,
                zone=zone,
                shift=here,
                shift_applied=here is not None,
                changed_while_reading=changed,
                reading_note="; ARC's answer changed while this scan ran" if changed is True else "",
                used=own if isinstance(own, Unknown) else any_of(same_zone(z, zone) for z in own),
                weight=_weight(listed, zone, links),
                named_by_shift=_named(listed, zone, links),
                practice_configured=configured(listed),
                practised=managed.history.practised(arn, zone),
            )


def _weight(listed: arc.ManagedResource, zone: Zone, links: Links) -> Known[float]:
    said = next((w for text, w in listed.appliedWeights.items() if links.zones.of(text).key == zone.key), None)
    return unclear(f"ARC reported no weight of {zone} for {listed.name}") if said is None else said


def _named(listed: arc.ManagedResource, zone: Zone, links: Links) -> bool:
    away = (*(s.awayFrom for s in listed.zonalShifts), *(a.awayFrom for a in listed.autoshifts))
    return any(links.zones.of(text).key == zone.key for text in away)
