"""Do the subnets of the other zones have enough free addresses for the instances of a lost zone?

https://docs.aws.amazon.com/vpc/latest/userguide/subnet-sizing.html
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from ..model import autoscaling, ec2
from ..model.identity import Zone
from ..model.known import Known, Reason, Unknown, merge, unclear
from .links import Links
from .scaling import Unions


class Room(msgspec.Struct, frozen=True, kw_only=True):
    """Instances in a zone, and addresses that subnets of other zones have left."""

    zone: Zone
    instances: int
    free: int


def rooms_lacking(group: autoscaling.AutoScalingGroup, unions: Unions, links: Links) -> Known[tuple[Room, ...]]:
    """Zones whose instances would not find an address in the subnets of the other zones of the union, by zone.

    A subnet that several groups share counts once. One for IPv6 alone has no IPv4 addresses to run out of. An instance takes
    one address at least; what else draws from the same subnets is not counted, so what is said lacking is lacking.
    """
    if unions.missing is not None:
        return unions.missing
    members = unions.members(group)
    instances: dict[Zone, int] = {}
    for member in members:
        for instance in member.Instances:
            if instance.LifecycleState == "InService":
                zone = links.zones.named(instance.AvailabilityZone)
                instances[zone] = instances.get(zone, 0) + 1
    listing = links.inventory.index(ec2.SUBNETS)
    named = sorted({s.strip() for m in members for s in (m.VPCZoneIdentifier or "").split(",") if s.strip()})
    subnets = {name: listing[name] for name in named if name in listing}
    unseen = [_unseen(name, links) for name in named if name not in listing]
    unseen += [unclear(f"{m.AutoScalingGroupName} names no subnets") for m in members if not m.VPCZoneIdentifier]
    found: list[Room] = []
    for zone in sorted(instances, key=lambda z: z.key):
        free = _free(subnets, zone, links)
        if free is not None and free < instances[zone]:
            if unseen:
                return merge(unseen)
            found.append(Room(zone=zone, instances=instances[zone], free=free))
    return tuple(found)


def _free(subnets: Mapping[str, ec2.Subnet], lost: Zone, links: Links) -> int | None:
    """Free addresses of the subnets outside a zone; None when one of them does not count them."""
    elsewhere = [s for s in subnets.values() if links.zones.named(s.AvailabilityZone) != lost]
    counts = [None if s.Ipv6Native else s.AvailableIpAddressCount for s in elsewhere]
    known = [c for c in counts if c is not None]
    return sum(known) if len(known) == len(counts) else None


def _unseen(name: str, links: Links) -> Unknown:
    listing = links.inventory.listing(ec2.SUBNETS)
    if not listing.complete:
        return listing.unknown
    return Unknown((Reason(kind="unclear", says=f"the subnet {name} was not in the listing"),))


def in_words(rooms: tuple[Room, ...]) -> str:
    """What is lacking, as a phrase."""
    return ", ".join(f"{r.instances} instances in {r.zone} against {r.free} free addresses elsewhere" for r in rooms)
