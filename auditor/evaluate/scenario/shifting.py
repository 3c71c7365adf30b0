"""ARC and the alarms of practice runs as a scenario has them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .form import Scenario, refuse
from .names import Names, digits
from .shifting_form import Alarm, Practice, Shift

_UNSAID = ("availabilityZones", "appliedWeights", "zonalAutoshiftStatus", "practiceRunStatus")


class ManagedResources:
    """ARC's view: the resources whose own switch is on, apart from what the scenario says differs."""

    def __init__(self, scenario: Scenario, names: Names) -> None:
        self._scenario = scenario
        self._names = names
        arc = scenario.arc
        unlisted = {names.shiftable(text, "arc.unlisted") for text in arc.unlisted}
        self._found: dict[str, tuple[str, list[str], list[str]]] = {}
        for kind, name in self._switched_on():
            if (kind, name) not in unlisted:
                self._add(kind, name)
            unlisted.discard((kind, name))
        if unlisted:
            raise refuse("arc.unlisted", f"{sorted(unlisted)[0][1]} has its switch off, so ARC does not list it anyway")
        for text in arc.extra:
            if text.startswith("arn:"):
                every = list(scenario.zones.values())
                self._found[text] = (text.rpartition("/")[2], every, every)
            else:
                self._add(*names.shiftable(text, "arc.extra"))
        self._autoshift = {self._listed(text, "arc.autoshift") for text in arc.autoshift}
        self._practice = {
            self._listed(text, "arc.practice"): given if isinstance(given, Practice) else Practice(outcome=given)
            for text, given in arc.practice.items()
        }
        self._weights = {
            self._listed(text, "arc.weights"): {scenario.zones[z]: weight for z, weight in weights.items()}
            for text, weights in arc.weights.items()
        }
        self._unsaid = {self._listed(text, "arc.unsaid"): members for text, members in arc.unsaid.items()}
        for members in self._unsaid.values():
            if not set(members) <= set(_UNSAID):
                raise refuse("arc.unsaid", f"only {', '.join(_UNSAID)} can be left out")
        self._shifts = [(self._listed(shift.resource, "arc.shifts"), shift) for shift in arc.shifts]
        for arn, shift in self._shifts:
            if scenario.zones[shift.away] not in self._found[arn][1]:
                raise refuse("arc.shifts", f"{shift.resource} has nothing in zone {shift.away}")

    def _switched_on(self) -> list[tuple[str, str]]:
        balancers, groups = self._scenario.load_balancers, self._scenario.auto_scaling_groups
        on = [
            ("load_balancers", name)
            for name, form in balancers.items()
            if form.attributes.get("zonal_shift.config.enabled") == "true"
        ]
        on += [("auto_scaling_groups", name) for name, group in groups.items() if group.zonal_shift]
        return on + [("clusters", name) for name, form in self._scenario.clusters.items() if form.zonal_shift]

    def _add(self, kind: str, name: str) -> None:
        """List a resource. ARC's weights of an Auto Scaling group name every zone of the region."""
        every = [i for z, i in self._scenario.zones.items() if self._names.zone_type(z) == "availability-zone"]
        own = every
        if kind != "clusters":
            form = getattr(self._scenario, kind)[name]
            own = [self._scenario.zones[zone] for zone in form.zones]
        weights = every if kind == "auto_scaling_groups" else own
        self._found[self._names.shiftable_arn(kind, name)] = (name, own, weights)

    def _listed(self, text: str, place: str) -> str:
        arn = text if text.startswith("arn:") else self._names.shiftable_arn(*self._names.shiftable(text, place))
        if arn not in self._found:
            raise refuse(place, f"ARC does not list {text}, so nothing of it can be shifted")
        return arn

    def items(self, pass_: int) -> list[dict[str, Any]]:
        """What ListManagedResources gives in the first or the last reading."""
        items = [
            {
                "arn": arn,
                "name": name,
                "availabilityZones": own,
                **self._state(arn, weights, pass_),
                "practiceRunStatus": "ENABLED" if arn in self._practice else "DISABLED",
            }
            for arn, (name, own, weights) in self._found.items()
        ]
        return [{k: v for k, v in item.items() if k not in self._unsaid.get(item["arn"], ())} for item in items]

    @property
    def practised(self) -> list[str]:
        """Resources whose practice-run configuration a scan asks for."""
        return [arn for arn in self._practice if "practiceRunStatus" not in self._unsaid.get(arn, ())]

    def practice_alarms(self) -> list[str]:
        """ARNs of the alarms that those configurations name."""
        return [alarm for arn in self.practised for alarm in self._alarms(arn)]

    def _alarms(self, arn: str) -> Iterable[str]:
        given = self._practice[arn]
        return [self._names.alarm(text) for text in (*given.outcome, *given.blocking)]

    def _state(self, arn: str, weights: list[str], pass_: int) -> dict[str, Any]:
        active = [s for a, s in self._shifts if a == arn and s.status == "ACTIVE" and pass_ in s.passes]
        away = {self._scenario.zones[shift.away] for shift in active if shift.applied}
        return {
            "appliedWeights": {zone: 0.0 if zone in away else 1.0 for zone in weights} | self._weights.get(arn, {}),
            "zonalShifts": [
                {"appliedStatus": _applied(shift), **self._shift(arn, shift)}
                for shift in active
                if shift.kind != "ZONAL_AUTOSHIFT"
            ],
            "autoshifts": [
                {
                    "appliedStatus": _applied(shift),
                    "awayFrom": self._scenario.zones[shift.away],
                    "startTime": shift.started,
                }
                for shift in active
                if shift.kind == "ZONAL_AUTOSHIFT"
            ],
            "zonalAutoshiftStatus": "ENABLED" if arn in self._autoshift else "DISABLED",
        }

    def _shift(self, arn: str, shift: Shift) -> dict[str, Any]:
        described: dict[str, Any] = {
            "zonalShiftId": digits(32, "shift", arn, shift.away, shift.started),
            "resourceIdentifier": arn,
            "awayFrom": self._scenario.zones[shift.away],
            "expiryTime": shift.expires,
            "startTime": shift.started,
            "comment": shift.comment,
        }
        if shift.kind:
            described["shiftType"] = shift.kind
        if shift.outcome not in (None, "absent") or (shift.kind == "PRACTICE_RUN" and shift.outcome is None):
            described["practiceRunOutcome"] = shift.outcome or "PENDING"
        return described

    def detail(self, arn: str) -> dict[str, Any]:
        """What GetManagedResource gives of a resource with a practice-run configuration."""
        name, _, weights = self._found[arn]
        given = self._practice[arn]
        configuration: dict[str, Any] = {
            "outcomeAlarms": self._conditions(given.outcome),
            "blockingAlarms": self._conditions(given.blocking),
            "allowedWindows": list(given.allowed),
            "blockedWindows": list(given.blocked),
            "blockedDates": list(given.blocked_dates),
        }
        return {
            "arn": arn,
            "name": name,
            **self._state(arn, weights, 1),
            "practiceRunConfiguration": {k: v for k, v in configuration.items() if v},
        }

    def _conditions(self, alarms: Iterable[str]) -> list[dict[str, str]]:
        return [{"type": "CLOUDWATCH", "alarmIdentifier": self._names.alarm(text)} for text in alarms]

    def shifts(self, pass_: int) -> list[dict[str, Any]]:
        """What ListZonalShifts gives: customer shifts and practice runs, active or finished."""
        return [
            {**self._shift(arn, shift), "status": shift.status}
            for arn, shift in self._shifts
            if shift.kind != "ZONAL_AUTOSHIFT" and pass_ in shift.passes
        ]

    def autoshifts(self, pass_: int) -> list[dict[str, Any]]:
        """What ListAutoshifts gives: AWS's own shifts in the region, by zone."""
        away = {
            self._scenario.zones[s.away]: s.started
            for _, s in self._shifts
            if s.kind == "ZONAL_AUTOSHIFT" and s.status == "ACTIVE" and pass_ in s.passes
        }
        away |= {self._scenario.zones[zone]: "2026-11-30T07:30:00Z" for zone in self._scenario.arc.autoshifts}
        return [{"awayFrom": zone, "startTime": start, "status": "ACTIVE"} for zone, start in away.items()]


def _applied(shift: Shift) -> str:
    return "APPLIED" if shift.applied else "NOT_APPLIED"


def alarms(scenario: Scenario, names: Names, wanted: Iterable[str]) -> dict[str, Any]:
    """What DescribeAlarms gives for some names; names that no alarm has are left out."""
    metric, composite = [], []
    for name in wanted:
        form = scenario.alarms.get(name)
        if form is None:
            continue
        described: dict[str, Any] = {"AlarmName": name, "AlarmArn": names.alarm(name), "StateValue": form.state}
        if form.since != "absent":
            described |= {"StateTransitionedTimestamp": form.since, "StateUpdatedTimestamp": form.since}
        if form.rule:
            composite.append({**described, "AlarmRule": form.rule})
        else:
            metric.append(described | _series(form, names))
    return {"MetricAlarms": metric, "CompositeAlarms": composite}


def _series(form: Alarm, names: Names) -> dict[str, Any]:
    found: dict[str, Any] = {"ComparisonOperator": form.comparison, "Threshold": form.threshold}
    if form.evaluation:
        found["EvaluationState"] = form.evaluation
    if form.metrics:
        return found | {"Metrics": [_query(query, names) for query in form.metrics]}
    metric = {"Namespace": form.namespace, "MetricName": form.metric, "Statistic": form.statistic}
    return found | metric | {"Dimensions": _dimensions(form.dimensions, names)}


def _query(query: dict[str, Any], names: Names) -> dict[str, Any]:
    """A query as the API has it, with the dimensions in the short form."""
    if "MetricStat" not in query:
        return query
    stat = query["MetricStat"]
    metric = {**stat["Metric"], "Dimensions": _dimensions(stat["Metric"].get("Dimensions", {}), names)}
    return {**query, "MetricStat": {**stat, "Metric": metric}}


def _dimensions(dimensions: dict[str, str], names: Names) -> list[dict[str, str]]:
    def value(key: str, text: str) -> str:
        if key == "LoadBalancer" and text in names.scenario.load_balancers:
            return names.load_balancer_path(text)
        return names.zone_names.get(text, text) if key == "AvailabilityZone" else text

    return [{"Name": key, "Value": value(key, text)} for key, text in dimensions.items()]
