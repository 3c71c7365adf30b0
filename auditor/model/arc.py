"""ARC zonal shift. It speaks zone IDs; any value is mapped through the account's own zones all the same."""

from __future__ import annotations

from datetime import datetime

from .read import Read
from .shape import Shape


class ZonalShiftInResource(Shape, frozen=True, kw_only=True):
    """A shift in force on one managed resource; `appliedStatus` decides whether it moves traffic."""

    appliedStatus: str = ""
    zonalShiftId: str = ""
    resourceIdentifier: str = ""
    awayFrom: str = ""
    expiryTime: datetime | None = None
    startTime: datetime | None = None
    comment: str = ""
    shiftType: str | None = None
    practiceRunOutcome: str | None = None


class AutoshiftInResource(Shape, frozen=True, kw_only=True):
    """An autoshift as it concerns one managed resource."""

    appliedStatus: str = ""
    awayFrom: str = ""
    startTime: datetime | None = None


class ManagedResource(Shape, frozen=True, kw_only=True):
    """An item of ListManagedResources: a resource whose own service registered it."""

    arn: str = ""
    name: str = ""
    availabilityZones: list[str] = []
    appliedWeights: dict[str, float] = {}
    zonalShifts: list[ZonalShiftInResource] = []
    autoshifts: list[AutoshiftInResource] = []
    zonalAutoshiftStatus: str | None = None
    practiceRunStatus: str | None = None


class ControlCondition(Shape, frozen=True, kw_only=True):
    """An alarm a practice run watches."""

    type: str = ""
    alarmIdentifier: str = ""


class PracticeRunConfiguration(Shape, frozen=True, kw_only=True):
    """Alarms and windows of practice runs."""

    outcomeAlarms: list[ControlCondition] = []
    blockingAlarms: list[ControlCondition] = []
    blockedWindows: list[str] = []
    allowedWindows: list[str] = []
    blockedDates: list[str] = []


class ManagedResourceDetail(Shape, frozen=True, kw_only=True):
    """Answer of GetManagedResource; read only where a practice-run configuration exists."""

    arn: str = ""
    name: str = ""
    appliedWeights: dict[str, float] = {}
    zonalShifts: list[ZonalShiftInResource] = []
    autoshifts: list[AutoshiftInResource] = []
    zonalAutoshiftStatus: str | None = None
    practiceRunConfiguration: PracticeRunConfiguration | None = None


class ZonalShiftSummary(Shape, frozen=True, kw_only=True):
    """A customer shift or practice run, active or finished."""

    zonalShiftId: str = ""
    resourceIdentifier: str = ""
    awayFrom: str = ""
    expiryTime: datetime | None = None
    startTime: datetime | None = None
    status: str = ""
    comment: str = ""
    shiftType: str | None = None
    practiceRunOutcome: str | None = None


class AutoshiftSummary(Shape, frozen=True, kw_only=True):
    """An autoshift AWS started in the region."""

    awayFrom: str = ""
    startTime: datetime | None = None
    endTime: datetime | None = None
    status: str = ""


class ObserverStatus(Shape, frozen=True, kw_only=True):
    """Whether autoshift notifications are on in the region."""

    status: str | None = None


MANAGED_RESOURCES = Read("arc-zonal-shift", "ListManagedResources", "items", ManagedResource, identity="arn")
MANAGED_RESOURCE = Read("arc-zonal-shift", "GetManagedResource", "", ManagedResourceDetail, key="resourceIdentifier")
ZONAL_SHIFTS = Read("arc-zonal-shift", "ListZonalShifts", "items", ZonalShiftSummary, identity="zonalShiftId")
AUTOSHIFTS = Read("arc-zonal-shift", "ListAutoshifts", "items", AutoshiftSummary)
OBSERVER_STATUS = Read("arc-zonal-shift", "GetAutoshiftObserverNotificationStatus", "", ObserverStatus)
