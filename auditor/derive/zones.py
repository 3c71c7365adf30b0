"""Which physical zone does a zone name mean here? Names are per account, IDs are physical.

ELB, RDS, ECS and CloudWatch speak names; ARC speaks IDs; EC2 and Auto Scaling give both.
https://docs.aws.amazon.com/ram/latest/userguide/working-with-az-ids.html
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from ..model import autoscaling, ec2
from ..model.identity import Zone, ZoneId, ZoneName
from ..model.inventory import RegionInventory
from ..model.known import unclear
from ..model.verdict import Truth

_ZONE_ID = re.compile(r"^[a-z]+[0-9]+(-[a-z0-9]+)*-(az|wlz)[0-9]+$")


def same_zone(one: Zone, other: Zone) -> Truth:
    """Whether two zones are the same; unknown when one has only an ID and the other only a name."""
    if one.id and other.id:
        return one.id == other.id
    if one.name and other.name:
        return one.name == other.name
    return unclear(f"no answer says whether {one.id or one.name} is {other.id or other.name} in this account")


class ZoneMap:
    """Names and IDs of the zones of one account and region.

    A name that no answer maps gives a zone without ID, never a guess.
    """

    def __init__(self, pairs: Iterable[tuple[str, str]], types: Mapping[str, str], region: str) -> None:
        self._by_name: dict[str, Zone] = {}
        self._by_id: dict[str, Zone] = {}
        self._types = types
        self._region = region
        for name, zone_id in pairs:
            if name and zone_id and name not in self._by_name:
                zone = Zone(ZoneId(zone_id), ZoneName(name))
                self._by_name[name] = zone
                self._by_id[zone_id] = zone

    def named(self, name: str) -> Zone:
        """The zone of a name; without ID when nothing maps it."""
        return self._by_name.get(name) or Zone(None, ZoneName(name))

    def of(self, text: str) -> Zone:
        """The zone of a name or an ID, whichever `text` is."""
        if text in self._by_id:
            return self._by_id[text]
        if text in self._by_name:
            return self._by_name[text]
        return Zone(ZoneId(text), None) if _ZONE_ID.match(text) else Zone(None, ZoneName(text))

    def is_edge(self, name: str) -> bool:
        """Whether a zone name is a Local or Wavelength Zone: by its type, else by its form (region and one letter is not)."""
        if name in self._types:
            return self._types[name] != "availability-zone"
        return re.fullmatch(re.escape(self._region) + "[a-z]", name) is None


def zone_map(inventory: RegionInventory) -> ZoneMap:
    """The map of a region, from DescribeAvailabilityZones, and from subnets and Auto Scaling where that was not readable."""
    pairs: list[tuple[str, str]] = []
    types: dict[str, str] = {}
    for zone in inventory.listing(ec2.AVAILABILITY_ZONES):
        pairs.append((zone.ZoneName, zone.ZoneId))
        types[zone.ZoneName] = zone.ZoneType
    pairs += [(s.AvailabilityZone, s.AvailabilityZoneId) for s in inventory.listing(ec2.SUBNETS)]
    for group in inventory.listing(autoscaling.AUTO_SCALING_GROUPS):
        pairs += [(i.AvailabilityZone, i.AvailabilityZoneId) for i in group.Instances]
    for reservation in inventory.listing(ec2.INSTANCES):
        pairs += [(i.Placement.AvailabilityZone, i.Placement.AvailabilityZoneId) for i in reservation.Instances]
    return ZoneMap(pairs, types, inventory.scope.region)
