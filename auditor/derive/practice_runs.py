"""How did practice runs end, and which zones has traffic been moved away from before?

ARC starts a practice run about weekly for each resource with a practice-run configuration. How long it keeps records is not
documented, so the absence of a record never means more than that.
https://docs.aws.amazon.com/r53recovery/latest/dg/arc-zonal-autoshift.how-it-works.scheduled-practice-runs.html
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from ..model import arc
from ..model.identity import Zone
from ..model.inventory import RegionInventory
from ..model.known import Known, Unknown, merge, unclear
from ..model.verdict import Truth, all_of, any_of
from .zones import ZoneMap, same_zone

RECENT = timedelta(days=14)
_ENDED = ("EXPIRED", "CANCELED")


def is_practice_run(shift: arc.ZonalShiftSummary) -> bool:
    """Whether a record is of a practice run. Without a type it counts as a customer shift, unless it has a run's outcome."""
    return shift.shiftType == "PRACTICE_RUN" or (shift.shiftType is None and shift.practiceRunOutcome is not None)


def is_finished(run: arc.ZonalShiftSummary) -> bool:
    """Whether a practice run has ended; its expiry time says nothing, being one minute after its start."""
    if run.practiceRunOutcome is None:
        return run.status in _ENDED
    return run.practiceRunOutcome != "PENDING"


class History:
    """ARC's records of customer shifts and practice runs in one region."""

    def __init__(self, inventory: RegionInventory, zones: ZoneMap, now: datetime) -> None:
        self._listing = inventory.listing(arc.ZONAL_SHIFTS)
        self._zones = zones
        self._since = now - RECENT
        self._by_resource: dict[str, list[arc.ZonalShiftSummary]] = {}
        for shift in self._listing:
            self._by_resource.setdefault(shift.resourceIdentifier, []).append(shift)

    def finished(self, arn: str) -> Known[Sequence[arc.ZonalShiftSummary]]:
        """Finished practice runs of a resource on record, newest first; unknown when one may be missing."""
        if not self._listing.complete:
            return self._listing.unknown
        runs = self._runs(arn)
        if any(run.startTime is None for run in runs):
            return unclear("ARC did not report when a practice run started")
        return sorted(runs, key=lambda r: (r.startTime or self._since, r.zonalShiftId), reverse=True)

    def _runs(self, arn: str) -> list[arc.ZonalShiftSummary]:
        return [s for s in self._by_resource.get(arn, ()) if is_practice_run(s) and is_finished(s)]

    def last_outcome(self, arn: str) -> Known[str | None]:
        """Outcome of the newest finished run; None when no finished run is on record."""
        runs = self.finished(arn)
        if isinstance(runs, Unknown):
            return runs
        if not runs:
            return None
        return runs[0].practiceRunOutcome or unclear("ARC did not report how the last practice run ended")

    def last_words(self, arn: str) -> Known[str]:
        """The newest finished run in words, with the comment in which ARC writes the reason of a failed capacity check."""
        runs = self.finished(arn)
        if isinstance(runs, Unknown):
            return runs
        if not runs:
            return "there is no record of a finished practice run"
        run = runs[0]
        when = run.startTime.astimezone(UTC).strftime("%Y-%m-%d") if run.startTime else "an unknown day"
        zone = self._zones.of(run.awayFrom)
        words = f"the last practice run, of {when} away from {zone}, ended {run.practiceRunOutcome or 'unreported'}"
        return f"{words}, with the comment: {run.comment}" if run.comment else words

    def interrupted_in_a_row(self, arn: str) -> Known[int]:
        """How many of the newest runs were interrupted, up to the first that was not."""
        runs = self.finished(arn)
        if isinstance(runs, Unknown):
            return runs
        count = 0
        for run in runs:
            if run.practiceRunOutcome is None:
                return unclear("ARC did not report how a practice run ended")
            if run.practiceRunOutcome != "INTERRUPTED":
                break
            count += 1
        return count

    def overdue(self, arn: str) -> Truth:
        """Whether practice runs were configured 14 days ago and none of those on record since then succeeded.

        When they were configured is not in any answer: a run from before those days proves it, else it is unknown.
        """
        recent = [r for r in self._runs(arn) if r.startTime is not None and r.startTime >= self._since]
        if any(r.practiceRunOutcome == "SUCCEEDED" for r in recent):
            return False
        runs = self.finished(arn)
        if isinstance(runs, Unknown):
            return runs
        if any(r.practiceRunOutcome is None for r in recent):
            return unclear("ARC did not report how a practice run ended")
        if len(runs) > len(recent):
            return True
        return unclear(
            "no practice run on record is older than 14 days, so practice runs may have been configured since"
        )

    def practised(self, arn: str, zone: Zone) -> Truth:
        """Whether a successful practice run or an ended customer shift away from the zone is on record."""
        truths: list[Truth] = []
        for shift in self._by_resource.get(arn, ()):
            succeeded: Truth
            if is_practice_run(shift):
                succeeded = shift.practiceRunOutcome == "SUCCEEDED"
                if shift.practiceRunOutcome is None and is_finished(shift):
                    succeeded = unclear("ARC did not report how a practice run ended")
            else:
                succeeded = shift.shiftType in (None, "ZONAL_SHIFT") and shift.status in _ENDED
            truths.append(all_of((succeeded, same_zone(self._zones.of(shift.awayFrom), zone))))
        found = any_of(truths)
        if found is True or self._listing.complete:
            return found
        return merge([self._listing.unknown, *([found] if isinstance(found, Unknown) else [])])
