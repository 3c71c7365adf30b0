"""Requests to ARC zonal shift and their answers in AWS spelling."""

from __future__ import annotations

import base64
import binascii
from typing import Any

from moto.core.responses import ActionResult, BaseResponse

from ..validate import check_answer
from .models import ArcZonalShiftBackend, Managed, Shift, ValidationException, arczonalshift_backends, now_utc


class ArcZonalShiftResponse(BaseResponse):
    """The operations that the auditor calls, and StartZonalShift."""

    def __init__(self) -> None:
        super().__init__(service_name="arc-zonal-shift")
        self.automated_parameter_parsing = True

    @property
    def backend(self) -> ArcZonalShiftBackend:
        """ARC of the account and region of the request."""
        return arczonalshift_backends[self.current_account][self.region]

    def list_managed_resources(self) -> ActionResult:
        """Every registered resource with weights and shifts in force."""
        return self._listing("ListManagedResources", [self._summary(item) for item in self.backend.managed()])

    def get_managed_resource(self) -> ActionResult:
        """One registered resource, with its practice-run configuration."""
        item = self.backend.find(self._get_param("resourceIdentifier"))
        answer = self._common(item)
        practice = self.backend.practice.get(item.arn)
        if practice:
            answer["practiceRunConfiguration"] = practice
        return _answer("GetManagedResource", answer)

    def list_zonal_shifts(self) -> ActionResult:
        """Customer shifts and practice runs, active and finished."""
        wanted, resource = self._get_param("status"), self._get_param("resourceIdentifier")
        summaries = [_shift(shift) for shift in self.backend.shifts if resource in (None, shift.resource)]
        return self._listing("ListZonalShifts", [item for item in summaries if wanted in (None, item["status"])])

    def list_autoshifts(self) -> ActionResult:
        """Autoshifts of the region; only active ones unless a status is asked for."""
        wanted = self._get_param("status") or "ACTIVE"
        return self._listing("ListAutoshifts", [item for item in self.backend.autoshifts if item["status"] == wanted])

    def get_autoshift_observer_notification_status(self) -> ActionResult:
        """Whether autoshift notifications are on."""
        return _answer("GetAutoshiftObserverNotificationStatus", {"status": self.backend.observer_status})

    def start_zonal_shift(self) -> ActionResult:
        """Start a customer shift."""
        shift = self.backend.start_zonal_shift(
            self._get_param("resourceIdentifier"),
            self._get_param("awayFrom"),
            self._get_param("expiresIn"),
            self._get_param("comment"),
        )
        answer = _shift(shift)
        del answer["shiftType"]
        return _answer("StartZonalShift", answer)

    def _summary(self, item: Managed) -> dict[str, Any]:
        status = "ENABLED" if item.arn in self.backend.practice else "DISABLED"
        return self._common(item) | {"availabilityZones": list(item.zones), "practiceRunStatus": status}

    def _common(self, item: Managed) -> dict[str, Any]:
        running = self.backend.running(item.arn)
        away = {shift.away_from for shift in running}
        return {
            "arn": item.arn,
            "name": item.name,
            "appliedWeights": {zone: 0.0 if zone in away else 1.0 for zone in item.weighted},
            "zonalShifts": [_in_resource(shift) for shift in running],
            "autoshifts": [],
            "zonalAutoshiftStatus": self.backend.autoshift_status.get(item.arn, "DISABLED"),
        }

    def _listing(self, operation: str, items: list[dict[str, Any]]) -> ActionResult:
        size = self._get_int_param("maxResults", 100)
        if not 1 <= size <= 100:
            raise ValidationException("maxResults must be between 1 and 100", "MissingValue")
        start = _offset(self._get_param("nextToken"))
        answer: dict[str, Any] = {"items": items[start : start + size]}
        if start + size < len(items):
            answer["nextToken"] = base64.b64encode(str(start + size).encode()).decode()
        return _answer(operation, answer)


def _answer(operation: str, answer: dict[str, Any]) -> ActionResult:
    check_answer("arc-zonal-shift", operation, answer)
    return ActionResult(answer)


def _offset(token: str | None) -> int:
    if token is None:
        return 0
    try:
        return int(base64.b64decode(token, validate=True))
    except (binascii.Error, ValueError):
        raise ValidationException("nextToken was not given by this service", "InvalidToken") from None


def _shift(shift: Shift) -> dict[str, Any]:
    summary = {
        "zonalShiftId": shift.id,
        "resourceIdentifier": shift.resource,
        "awayFrom": shift.away_from,
        "startTime": shift.started,
        "expiryTime": shift.expires,
        "comment": shift.comment,
        "status": shift.status(now_utc()),
        "shiftType": shift.kind,
    }
    return summary | ({"practiceRunOutcome": shift.outcome} if shift.outcome else {})


def _in_resource(shift: Shift) -> dict[str, Any]:
    return {key: value for key, value in _shift(shift).items() if key != "status"} | {"appliedStatus": "APPLIED"}
