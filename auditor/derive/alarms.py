"""Do the alarms of a practice-run configuration work, and do they react to the shift itself?

ARC reads outcome alarms during a run and blocking alarms before it; an alarm that it cannot read interrupts the run.
https://docs.aws.amazon.com/r53recovery/latest/dg/arc-zonal-autoshift.considerations.html
https://docs.aws.amazon.com/elasticloadbalancing/latest/network/load-balancer-cloudwatch-metrics.html
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Literal

from ..model import arc, cloudwatch
from ..model.identity import arn_part
from ..model.inventory import RegionInventory
from ..model.known import Known, Unknown, merge, unclear
from ..model.verdict import Truth
from .nodes.managed import PracticeAlarm

Alarm = cloudwatch.MetricAlarm | cloudwatch.CompositeAlarm
Role = Literal["outcome", "blocking"]

WITHOUT_DATA = timedelta(hours=24)
STUCK = timedelta(days=7)
_NAMESPACES = {"app": "AWS/ApplicationELB", "net": "AWS/NetworkELB"}
# What falls in the zone that a shift empties, because the shift empties it. ALBs have no ZonalHealthStatus.
_FALLING = frozenset(
    {
        "ActiveConnectionCount",
        "ActiveFlowCount",
        "ActiveFlowCount_TCP",
        "ActiveFlowCount_TLS",
        "ActiveFlowCount_UDP",
        "HealthyHostCount",
        "NewConnectionCount",
        "NewFlowCount",
        "NewFlowCount_TCP",
        "NewFlowCount_TLS",
        "NewFlowCount_UDP",
        "ProcessedBytes",
        "ProcessedBytes_TCP",
        "ProcessedBytes_TLS",
        "ProcessedBytes_UDP",
        "RequestCount",
        "ZonalHealthStatus",
    }
)
_SEARCHES = ("SEARCH(", "SELECT ", "METRICS(", "INSIGHT_RULE_METRIC(")


class PracticeAlarms:
    """The alarms that practice-run configurations of one region name."""

    def __init__(self, inventory: RegionInventory, now: datetime) -> None:
        self._account, self._region = inventory.scope
        self._listing = inventory.listing(cloudwatch.ALARMS)
        self._now = now
        self._found: dict[str, Alarm] = {}
        for page in self._listing:
            self._found |= {a.AlarmName: a for a in page.MetricAlarms}
            self._found |= {a.AlarmName: a for a in page.CompositeAlarms}

    def find(self, arn: str) -> Known[Alarm | None]:
        """An alarm by ARN; None when CloudWatch knows none of that name here, or when the ARN is of somewhere else."""
        name = cloudwatch.alarm_name(arn, self._account, self._region)
        if not name:
            return None
        if name in self._found:
            return self._found[name]
        return None if self._listing.complete else self._listing.unknown

    def broken(self, configuration: arc.PracticeRunConfiguration) -> Known[tuple[PracticeAlarm, ...]]:
        """Alarms that cannot do their work, each with what is wrong; the list is unknown when only unread ones may be."""
        found: list[PracticeAlarm] = []
        unknowns: list[Unknown] = []
        for role, arn in _named(configuration):
            problem = self._problem(role, arn)
            if isinstance(problem, Unknown):
                unknowns.append(problem)
            elif problem:
                found.append(PracticeAlarm(arn=arn, name=_name(arn), role=role, problem=problem))
        return tuple(found) if found or not unknowns else merge(unknowns)

    def _problem(self, role: Role, arn: str) -> Known[str]:
        """What is wrong with one alarm, or ""."""
        if arn_part(arn, 3) != self._region or arn_part(arn, 4) != self._account:
            return f"it belongs to {arn_part(arn, 4) or 'no account'} in {arn_part(arn, 3) or 'no region'}, not here"
        alarm = self.find(arn)
        if isinstance(alarm, Unknown):
            return alarm
        if alarm is None:
            return "CloudWatch shows no alarm of this name (a composite alarm shows only with permission on all alarms)"
        if isinstance(alarm, cloudwatch.MetricAlarm) and alarm.EvaluationState == "EVALUATION_ERROR":
            return "CloudWatch cannot evaluate it"
        lasting = {"INSUFFICIENT_DATA": (WITHOUT_DATA, "it has had no data")}
        if role == "blocking":
            lasting["ALARM"] = (STUCK, "it has been in ALARM and so has kept every run from starting")
        if alarm.StateValue not in lasting:
            return ""
        since = alarm.StateTransitionedTimestamp or alarm.StateUpdatedTimestamp
        if since is None:
            return unclear(f"CloudWatch did not report since when the alarm {alarm.AlarmName} is in its state")
        longest, words = lasting[alarm.StateValue]
        return f"{words} since {since:%Y-%m-%d %H:%M} UTC" if self._now - since > longest else ""

    def self_tripping(self, configuration: arc.PracticeRunConfiguration, lb_arn: str) -> Known[tuple[str, ...]]:
        """Names of outcome alarms that fire because the load balancer's own traffic leaves a zone.

        Unknown when only alarms may be meant that cannot be resolved: composite ones, expressions over own zonal series,
        searches.
        """
        found: list[str] = []
        unknowns: list[Unknown] = []
        for condition in configuration.outcomeAlarms:
            truth = self._trips(condition.alarmIdentifier, lb_arn)
            if isinstance(truth, Unknown):
                unknowns.append(truth)
            elif truth:
                found.append(_name(condition.alarmIdentifier))
        return tuple(found) if found or not unknowns else merge(unknowns)

    def _trips(self, arn: str, lb_arn: str) -> Truth:
        alarm = self.find(arn)
        if alarm is None or isinstance(alarm, Unknown):
            return alarm if isinstance(alarm, Unknown) else False
        if isinstance(alarm, cloudwatch.CompositeAlarm):
            return unclear(f"{alarm.AlarmName} is a composite alarm, whose parts are not read")
        if not alarm.Metrics:
            if not alarm.MetricName:
                return unclear(f"{alarm.AlarmName} is an alarm on a query, not on a metric")
            metric = cloudwatch.Metric(
                Namespace=alarm.Namespace, MetricName=alarm.MetricName, Dimensions=alarm.Dimensions
            )
            below = alarm.ComparisonOperator in ("LessThanThreshold", "LessThanOrEqualToThreshold")
            return below and _is_own_zonal(metric, alarm.Statistic, lb_arn)
        series = [(q.MetricStat.Metric, q.MetricStat.Stat) for q in alarm.Metrics if q.MetricStat]
        searches = any(word in (q.Expression or "").upper() for q in alarm.Metrics for word in _SEARCHES)
        if searches or any(m and _is_own_zonal(m, stat, lb_arn) for m, stat in series):
            return unclear(f"what the expression of {alarm.AlarmName} does during a shift is not worked out")
        return False


def _named(configuration: arc.PracticeRunConfiguration) -> Iterator[tuple[Role, str]]:
    for outcome in configuration.outcomeAlarms:
        yield "outcome", outcome.alarmIdentifier
    for blocking in configuration.blockingAlarms:
        yield "blocking", blocking.alarmIdentifier


def _name(arn: str) -> str:
    return arn_part(arn, 5).partition(":")[2] or arn


def _is_own_zonal(metric: cloudwatch.Metric, statistic: str, lb_arn: str) -> bool:
    """Whether a series is of one zone of the load balancer, or of its worst zone, and falls when that zone is emptied."""
    path = arn_part(lb_arn, 5).removeprefix("loadbalancer/")
    dimensions = {d.Name: d.Value for d in metric.Dimensions}
    if metric.Namespace != _NAMESPACES.get(path.partition("/")[0]) or dimensions.get("LoadBalancer") != path:
        return False
    worst = metric.MetricName == "ZonalHealthStatus" and statistic == "Minimum"
    return metric.MetricName in _FALLING and ("AvailabilityZone" in dimensions or worst)
