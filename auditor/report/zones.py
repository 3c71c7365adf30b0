"""The zones of a scan in numbers: per account and region, what each Availability Zone holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..derive.nodes import AvailabilityZone, LoadBalancerZone, TargetGroupZone
from ..derive.zonal_model import RegionModel, ZonalModel
from ..model.identity import Zone
from ..model.known import Unknown
from .facts import in_dns


class _Tally:
    """Counts of one zone. `complete` turns false as soon as something that should count could not be read."""

    __slots__ = ("complete", "healthy", "in_dns", "load_balancers", "registered", "zone")

    def __init__(self, zone: Zone) -> None:
        self.zone = zone
        self.load_balancers = 0
        self.healthy = 0
        self.registered = 0
        self.in_dns = {"yes": 0, "no": 0, "unknown": 0}
        self.complete = True

    def count_load_balancer(self, node: LoadBalancerZone) -> None:
        self.load_balancers += 1
        answer = in_dns(node)
        self.in_dns["unknown" if isinstance(answer, Unknown) else "yes" if answer else "no"] += 1
        if node.kind == "classic":
            self._add(node.healthy_count, node.registered_count)
        elif isinstance(node.registered_count, Unknown):
            self.complete = False

    def count_group(self, node: TargetGroupZone) -> None:
        self._add(sum(target.healthy for target in node.targets), node.registered_count)

    def _add(self, healthy: int | Unknown, registered: int | Unknown) -> None:
        if isinstance(healthy, Unknown) or isinstance(registered, Unknown):
            self.complete = False
        else:
            self.healthy += healthy
            self.registered += registered


def zones_of(model: ZonalModel) -> list[dict[str, Any]]:
    """Every zone of every scope with its load balancers, targets and publication in DNS, by account, region, zone.

    Targets of Classic Load Balancers and of target groups that a load balancer uses both count. ``targets.complete`` is
    false when some could not be read: the numbers are then a floor.
    """
    rows = []
    for region in sorted(model, key=lambda r: r.inventory.scope):
        account, name = region.inventory.scope
        for tally in sorted(_tallies(region), key=lambda t: t.zone.key):
            rows.append(
                {
                    "account_id": account,
                    "region": name,
                    "id": tally.zone.id,
                    "name": tally.zone.name,
                    "load_balancers": tally.load_balancers,
                    "targets": {
                        "healthy": tally.healthy,
                        "registered": tally.registered,
                        "complete": tally.complete,
                    },
                    "in_dns": tally.in_dns,
                }
            )
    return rows


def _tallies(region: RegionModel) -> Iterator[_Tally]:
    tallies: dict[str, _Tally] = {}

    def of(zone: Zone) -> _Tally:
        return tallies.setdefault(zone.key, _Tally(zone))

    for node in _listed(region, "AvailabilityZone"):
        if isinstance(node, AvailabilityZone):
            of(node.zone)
    for node in _listed(region, "LoadBalancerZone"):
        if isinstance(node, LoadBalancerZone):
            of(node.zone).count_load_balancer(node)
    for node in _listed(region, "TargetGroupZone"):
        if isinstance(node, TargetGroupZone):
            of(node.zone).count_group(node)
    gaps = any(
        not found.complete
        for subject in ("LoadBalancerZone", "TargetGroupZone")
        if (found := region.subjects.get(subject)) is not None
    )
    for tally in tallies.values():
        tally.complete = tally.complete and not gaps
        yield tally


def _listed(region: RegionModel, subject: str) -> Iterator[object]:
    yield from region.subjects.get(subject) or ()
