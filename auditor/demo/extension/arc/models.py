"""ARC zonal shift of one account and region. moto has no such service.

What is managed follows from the opt-in switches of load balancers, Auto Scaling groups and EKS clusters, as in AWS: a
resource whose own service has not registered it is absent here. Zones are zone IDs throughout.
"""

from __future__ import annotations

import dataclasses
import datetime
import re
from collections.abc import Iterator
from typing import Any

from moto.autoscaling.models import autoscaling_backends
from moto.core.base_backend import BackendDict, BaseBackend
from moto.core.exceptions import ServiceException
from moto.ec2.models import ec2_backends
from moto.eks.models import eks_backends
from moto.elbv2.models import elbv2_backends
from moto.moto_api._internal import mock_random

from ..validate import check_part

_EXPIRES_IN = re.compile(r"([1-9][0-9]{0,3})(m|h)")
_LONGEST = datetime.timedelta(hours=72)


class ValidationException(ServiceException):
    """A request that ARC refuses; `reason` is one of its ValidationExceptionReason values."""

    code = "ValidationException"

    def __init__(self, message: str, reason: str) -> None:
        super().__init__(message)
        self.reason = reason


class ConflictException(ServiceException):
    """A shift that another one stands in the way of."""

    code = "ConflictException"

    def __init__(self, message: str, reason: str, zonal_shift_id: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.zonalShiftId = zonal_shift_id


class ResourceNotFoundException(ServiceException):
    """A resource that is not registered."""

    code = "ResourceNotFoundException"


@dataclasses.dataclass(slots=True)
class Shift:
    """A customer shift or practice run; times are UTC."""

    id: str
    resource: str
    away_from: str
    started: datetime.datetime
    expires: datetime.datetime
    comment: str
    kind: str = "ZONAL_SHIFT"
    canceled: bool = False
    outcome: str | None = None

    def status(self, now: datetime.datetime) -> str:
        """ACTIVE, EXPIRED or CANCELED at a moment."""
        if self.canceled:
            return "CANCELED"
        return "ACTIVE" if now < self.expires else "EXPIRED"


@dataclasses.dataclass(frozen=True, slots=True)
class Managed:
    """A registered resource, its zones and the zones ARC lists weights for."""

    arn: str
    name: str
    zones: tuple[str, ...]
    weighted: tuple[str, ...]


class ArcZonalShiftBackend(BaseBackend):
    """ARC zonal shift of one account and region."""

    def __init__(self, region_name: str, account_id: str) -> None:
        super().__init__(region_name, account_id)
        self.shifts: list[Shift] = []
        self.autoshifts: list[dict[str, Any]] = []
        self.practice: dict[str, dict[str, Any]] = {}
        self.autoshift_status: dict[str, str] = {}
        self.observer_status = "DISABLED"

    def managed(self) -> list[Managed]:
        """Registered resources, ordered by ARN."""
        return sorted(self._registered(), key=lambda item: item.arn)

    def find(self, identifier: str) -> Managed:
        """A registered resource by ARN; ResourceNotFoundException if its service has not registered it."""
        for item in self._registered():
            if item.arn == identifier:
                return item
        raise ResourceNotFoundException(f"The resource {identifier} is not registered for zonal shift")

    def start_zonal_shift(self, identifier: str, away_from: str, expires_in: str, comment: str) -> Shift:
        """Start a customer shift."""
        item = self.find(identifier)
        if away_from not in item.zones:
            raise ValidationException(f"{away_from} is no zone of the resource", "InvalidAz")
        lasts = _duration(expires_in)
        now = now_utc()
        for running in self.running(identifier):
            raise ConflictException("A zonal shift is active already", "ZonalShiftAlreadyExists", running.id)
        shift = Shift(str(mock_random.uuid4()), identifier, away_from, now, now + lasts, comment)
        self.shifts.append(shift)
        return shift

    def running(self, identifier: str) -> list[Shift]:
        """Shifts of a resource that are in force now."""
        now = now_utc()
        return [shift for shift in self.shifts if shift.resource == identifier and shift.status(now) == "ACTIVE"]

    def away_from(self, identifier: str) -> str | None:
        """Zone that traffic of a resource is moved away from now, None when no shift is applied."""
        return next((shift.away_from for shift in self.running(identifier)), None)

    def configure_practice(self, identifier: str, configuration: dict[str, Any], autoshift: str) -> None:
        """Give a resource a practice-run configuration and switch its zonal autoshift ENABLED or DISABLED."""
        check_part("arc-zonal-shift", "PracticeRunConfiguration", configuration)
        check_part("arc-zonal-shift", "ZonalAutoshiftStatus", autoshift)
        self.practice[self.find(identifier).arn] = configuration
        self.autoshift_status[identifier] = autoshift

    def add_practice_run(self, identifier: str, away_from: str, started: datetime.datetime, outcome: str) -> None:
        """Record a practice run that is over; its expiry time is one minute after its start, as in AWS."""
        check_part("arc-zonal-shift", "PracticeRunOutcome", outcome)
        lasts = datetime.timedelta(minutes=1)
        comment = "Practice run"
        run = Shift(str(mock_random.uuid4()), identifier, away_from, started, started + lasts, comment, "PRACTICE_RUN")
        run.outcome = outcome
        self.shifts.append(run)

    def add_autoshift(self, summary: dict[str, Any]) -> None:
        """Record an autoshift of the region, in AWS spelling."""
        check_part("arc-zonal-shift", "AutoshiftSummary", summary)
        self.autoshifts.append(summary)

    def _registered(self) -> Iterator[Managed]:
        ids = {z.name: z.zone_id for z in self._ec2.describe_availability_zones()}
        for balancer in elbv2_backends[self.account_id][self.region_name].load_balancers.values():
            if balancer.attrs.get("zonal_shift.config.enabled") == "true":
                zones = tuple(sorted(ids[subnet.availability_zone] for subnet in balancer.subnets))
                yield Managed(balancer.arn, balancer.name, zones, zones)
        for group in autoscaling_backends[self.account_id][self.region_name].autoscaling_groups.values():
            policy = getattr(group, "availability_zone_impairment_policy", None) or {}
            if policy.get("ZonalShiftEnabled"):
                zones = tuple(sorted({ids[zone] for zone in group.availability_zones}))
                yield Managed(group.arn, group.name, zones, tuple(sorted(ids.values())))
        clusters: dict[str, Any] = eks_backends[self.account_id][self.region_name].clusters
        for cluster in clusters.values():
            if cluster.zonal_shift_config.get("enabled"):
                subnets = [self._ec2.get_subnet(s) for s in cluster.resources_vpc_config["subnetIds"]]
                zones = tuple(sorted({ids[subnet.availability_zone] for subnet in subnets}))
                yield Managed(cluster.arn, cluster.name, zones, zones)

    @property
    def _ec2(self) -> Any:
        return ec2_backends[self.account_id][self.region_name]


def now_utc() -> datetime.datetime:
    """The present moment, in whole seconds as AWS reports it."""
    return datetime.datetime.now(datetime.UTC).replace(microsecond=0)


def _duration(text: str) -> datetime.timedelta:
    match = _EXPIRES_IN.fullmatch(text)
    lasts = datetime.timedelta(0)
    if match:
        amount = int(match.group(1))
        lasts = datetime.timedelta(minutes=amount) if match.group(2) == "m" else datetime.timedelta(hours=amount)
    if not datetime.timedelta(minutes=1) <= lasts <= _LONGEST:
        raise ValidationException(f"expiresIn {text} is not between 1m and 72h", "InvalidExpiresIn")
    return lasts


# The name under which moto looks for the backends of the service it calls arczonalshift.
arczonalshift_backends = BackendDict(ArcZonalShiftBackend, "arc-zonal-shift")
