"""The calls a collector would make, answered from a scenario: answers, refusals, and listings that were cut off."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from ...model import arc, cloudwatch, ec2, eks, elb, elbv2
from ...model.answer import Answer, CallError
from ...model.known import Outcome
from ...model.read import AnyRead
from .form import Scenario, refuse

FIRST_READ = "2026-11-30T08:00:00Z"
LAST_READ = "2026-11-30T08:00:20Z"
_ONE_PAGE = frozenset(
    read.operation
    for read in (
        arc.MANAGED_RESOURCE,
        arc.OBSERVER_STATUS,
        cloudwatch.ALARMS,
        ec2.AVAILABILITY_ZONES,
        ec2.REGIONS,
        eks.CLUSTER,
        eks.FARGATE_PROFILE,
        eks.NODEGROUP,
        elb.INSTANCE_HEALTH,
        elbv2.LOAD_BALANCER_ATTRIBUTES,
        elbv2.TAGS,
        elbv2.TARGET_GROUP_ATTRIBUTES,
        elbv2.TARGET_HEALTH,
    )
)
_DENIED = {"ec2": "UnauthorizedOperation", "eks": "AccessDeniedException", "arc-zonal-shift": "AccessDeniedException"}


class Asking:
    """Collects the answers of one scenario; each `ask` is one call with all its pages."""

    def __init__(self, scenario: Scenario, refusals: Mapping[str, Outcome], reads: Iterable[AnyRead]) -> None:
        self.answers: list[Answer] = []
        self._scenario = scenario
        self._refusals = refusals
        actions = {read.action for read in reads}
        for place, named in (("deny or throttle", refusals), ("cut", scenario.cut)):
            for action in named:
                if action not in actions:
                    raise refuse(place, f"no call needs the action {action}")
        for action in scenario.cut:
            if action.partition(":")[2] in _ONE_PAGE:
                raise refuse("cut", f"{action} always answers in one page")

    def ask(
        self,
        read: AnyRead,
        items: Any,
        params: Mapping[str, Any] | None = None,
        *,
        extra: Mapping[str, Any] | None = None,
        pass_: int = 1,
    ) -> list[Any]:
        """Answer a call with `items` (a list, or the one item of a read that gives one); return those that were seen.

        A refused call gives none; a listing that is cut off gives its first half and names a page that never came.
        """
        refusal = self._refusals.get(read.action)
        if refusal:
            self._put(read, params, pass_, error=_refused(read, refusal))
            return []
        token = None
        if read.action in self._scenario.cut and isinstance(items, Sequence):
            items, token = list(items[: (len(items) + 1) // 2]), "page-2"
        response = dict(extra or {})
        if read.items:
            response[read.items] = items
        else:
            response |= items
        self._put(read, params, pass_, response=response, token=token)
        return list(items) if isinstance(items, list) else [items]

    def _put(
        self,
        read: AnyRead,
        params: Mapping[str, Any] | None,
        pass_: int,
        *,
        response: dict[str, Any] | None = None,
        error: CallError | None = None,
        token: str | None = None,
    ) -> None:
        self.answers.append(
            Answer(
                v=1,
                account=self._scenario.account,
                region=self._scenario.region,
                service=read.service,
                operation=read.operation,
                params=dict(params or {}),
                page=1,
                at=FIRST_READ if pass_ == 1 else LAST_READ,
                ms=12,
                pass_=pass_,
                next=token,
                response=response,
                error=error,
            )
        )


def refusals(deny: Collection[str], throttle: Collection[str]) -> dict[str, Outcome]:
    """How the calls of each named IAM action fail."""
    return {**dict.fromkeys(throttle, Outcome.THROTTLED), **dict.fromkeys(deny, Outcome.DENIED)}


def _refused(read: AnyRead, outcome: Outcome) -> CallError:
    if outcome is Outcome.THROTTLED:
        return CallError(code="Throttling", message="Rate exceeded", outcome=outcome)
    message = f"User: arn:aws:iam::123456789012:user/auditor is not authorized to perform: {read.action}"
    return CallError(code=_DENIED.get(read.service, "AccessDenied"), message=message, outcome=outcome)
