"""Amazon CloudWatch alarms, as far as practice runs of zonal autoshift name them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from .identity import arn_part
from .read import Read
from .shape import Shape


class Dimension(Shape, frozen=True, kw_only=True):
    """A dimension of a metric; all of them together say which series is meant."""

    Name: str = ""
    Value: str = ""


class Metric(Shape, frozen=True, kw_only=True):
    """A series."""

    Namespace: str = ""
    MetricName: str = ""
    Dimensions: list[Dimension] = []


class MetricStat(Shape, frozen=True, kw_only=True):
    """A series and the statistic taken of it."""

    Metric: Metric | None = None
    Stat: str = ""


class MetricQuery(Shape, frozen=True, kw_only=True):
    """A part of an alarm on several series: a series, or an expression over others."""

    Id: str = ""
    Expression: str | None = None
    MetricStat: MetricStat | None = None


class MetricAlarm(Shape, frozen=True, kw_only=True):
    """An alarm on one series, on an expression over several (`Metrics`), or on a query of another kind."""

    AlarmName: str = ""
    AlarmArn: str = ""
    StateValue: str = ""
    StateUpdatedTimestamp: datetime | None = None
    StateTransitionedTimestamp: datetime | None = None
    EvaluationState: str | None = None
    Namespace: str = ""
    MetricName: str = ""
    Dimensions: list[Dimension] = []
    Statistic: str = ""
    ExtendedStatistic: str = ""
    ComparisonOperator: str = ""
    Threshold: float | None = None
    ThresholdMetricId: str | None = None
    Metrics: list[MetricQuery] = []
    EvaluationCriteria: dict[str, Any] | None = None


class CompositeAlarm(Shape, frozen=True, kw_only=True):
    """An alarm on the states of other alarms."""

    AlarmName: str = ""
    AlarmArn: str = ""
    StateValue: str = ""
    StateUpdatedTimestamp: datetime | None = None
    StateTransitionedTimestamp: datetime | None = None
    AlarmRule: str = ""


class Alarms(Shape, frozen=True, kw_only=True):
    """One answer: the alarms of a list of names. A name that no alarm has is simply not in it."""

    MetricAlarms: list[MetricAlarm] = []
    CompositeAlarms: list[CompositeAlarm] = []


ALARMS = Read("cloudwatch", "DescribeAlarms", "", Alarms)


def alarm_name(arn: str, account_id: str, region: str) -> str:
    """Name of an alarm of this account and region, from its ARN; "" for an alarm elsewhere, or what is no alarm's ARN."""
    kind, _, name = arn_part(arn, 5).partition(":")
    here = arn_part(arn, 2) == "cloudwatch" and arn_part(arn, 3) == region and arn_part(arn, 4) == account_id
    return name if here and kind == "alarm" else ""
