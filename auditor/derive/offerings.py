"""Does EC2 offer the instance types of a group in every zone it is configured for?

https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instance-discovery.html
"""

from __future__ import annotations

from collections.abc import Sequence

from ..model import autoscaling, ec2
from ..model.identity import Zone
from ..model.known import Known, merge, unclear
from .links import Links


def zones_not_offering(
    group: autoscaling.AutoScalingGroup, zones: Sequence[Zone], links: Links
) -> Known[tuple[Zone, ...]]:
    """Zones of a group in which EC2 offers none of its types; a type that is offered there decides, absence needs all.

    Unknown for a group that describes its instances by attributes. None for a group that shows no type.
    """
    if autoscaling.requires_attributes(group):
        return unclear(f"{group.AutoScalingGroupName} describes its instances by attributes, not by type")
    types = autoscaling.instance_types(group)
    if not types:
        return ()
    listing = links.inventory.listing(ec2.INSTANCE_TYPE_OFFERINGS)
    offered = {o.Location for o in listing if o.InstanceType in types}
    missing = [z for z in zones if z.id not in offered]
    if missing and not listing.complete:
        return listing.unknown
    nameless = [unclear(f"no answer gives the zone ID of {z.name}") for z in missing if z.id is None]
    return merge(nameless) if nameless else tuple(missing)


def types_of(group: autoscaling.AutoScalingGroup) -> Known[tuple[str, ...]]:
    """The types a group may start; unknown when it describes them by attributes."""
    if autoscaling.requires_attributes(group):
        return unclear(f"{group.AutoScalingGroupName} describes its instances by attributes, not by type")
    return autoscaling.instance_types(group)
