"""Which shift moves traffic now, away from which zone, and of which kind?

ARC's applied status decides, never an expiry time: a practice run's is one minute after its start.
https://docs.aws.amazon.com/r53recovery/latest/dg/arc-zonal-shift.how-it-works.html
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from ..model import arc
from ..model.identity import Zone
from ..model.inventory import RegionInventory
from ..model.known import Known
from ..model.verdict import Truth
from .nodes.shifts import AppliedShift
from .zones import ZoneMap, same_zone

_KINDS = {
    "ZONAL_SHIFT": "customer shift",
    "PRACTICE_RUN": "practice run",
    "FIS_EXPERIMENT": "experiment",
    "ZONAL_AUTOSHIFT": "autoshift",
}


def applied_shift(resource: arc.ManagedResource, zones: ZoneMap) -> AppliedShift | None:
    """The shift applied to a managed resource, or None. ARC applies one at a time; others stay active but not applied."""
    for shift in resource.zonalShifts:
        if shift.appliedStatus == "APPLIED":
            kind = _KINDS.get(shift.shiftType or "ZONAL_SHIFT", shift.shiftType or "")
            until = shift.expiryTime if kind == "customer shift" else None
            return AppliedShift(
                kind=kind,
                kind_words=kind if shift.shiftType else f"{kind}, as ARC did not report another type",
                kind_reported=shift.shiftType is not None,
                zone=zones.of(shift.awayFrom),
                shift_id=shift.zonalShiftId,
                since=shift.startTime,
                since_words=_since(shift.startTime),
                until=until,
                until_words=f"until {_utc(until)}" if until else "until ARC ends it",
                comment=shift.comment,
            )
    for autoshift in resource.autoshifts:
        if autoshift.appliedStatus == "APPLIED":
            return AppliedShift(
                kind="autoshift",
                kind_words="autoshift",
                kind_reported=True,
                zone=zones.of(autoshift.awayFrom),
                shift_id="",
                since=autoshift.startTime,
                since_words=_since(autoshift.startTime),
                until=None,
                until_words="until AWS ends it",
                comment="",
            )
    return None


def _since(moment: datetime | None) -> str:
    return f"since {_utc(moment)}" if moment else "since a time ARC did not report"


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")


class ShiftState:
    """ARC's view of one region: the last reading counts; the first one shows whether something changed meanwhile."""

    def __init__(self, inventory: RegionInventory, zones: ZoneMap) -> None:
        self.listing = inventory.listing(arc.MANAGED_RESOURCES)
        self.resources: Mapping[str, arc.ManagedResource] = {r.arn: r for r in self.listing}
        self.applied = {arn: applied_shift(r, zones) for arn, r in self.resources.items()}
        self._first = inventory.listing(arc.MANAGED_RESOURCES, pass_=1)
        self._second = inventory.listing(arc.MANAGED_RESOURCES, pass_=2)

    def listed(self, arn: str) -> Truth:
        """Whether ARC lists the resource as managed; a witness decides, absence needs the whole listing."""
        if arn in self.resources:
            return True
        return False if self.listing.complete else self.listing.unknown

    def shifted(self, arn: str, zone: Zone | None = None) -> Truth:
        """Whether a shift is applied to the resource, away from `zone` or from any; false for what ARC does not manage.

        Unknown when a shift is applied and no answer says whether its zone (an ID) and `zone` (a name) are the same.
        """
        if arn in self.applied:
            shift = self.applied[arn]
            return shift is not None and (zone is None or same_zone(shift.zone, zone))
        return False if self.listing.complete else self.listing.unknown

    def changed(self, arn: str) -> Known[bool]:
        """Whether weights or shifts of the resource differed between the two readings; unknown when one is missing."""
        for reading in (self._first, self._second):
            if not reading.complete:
                return reading.unknown
        before = next((r for r in self._first if r.arn == arn), None)
        after = next((r for r in self._second if r.arn == arn), None)
        return _state(before) != _state(after)


def _state(resource: arc.ManagedResource | None) -> object:
    if resource is None:
        return None
    return (
        sorted(resource.appliedWeights.items()),
        sorted((s.zonalShiftId, s.appliedStatus) for s in resource.zonalShifts),
        sorted((a.awayFrom, a.appliedStatus) for a in resource.autoshifts),
    )
