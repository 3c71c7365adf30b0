"""Amazon CloudWatch alarms, and the rules that mute them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from . import services
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
    ReturnData: bool | None = None


class MetricAlarm(Shape, frozen=True, kw_only=True):
    """An alarm on one series, on an expression over several (`Metrics`), or on a query of another kind."""

    AlarmName: str = ""
    AlarmArn: str = ""
    StateValue: str = ""
    StateUpdatedTimestamp: datetime | None = None
    StateTransitionedTimestamp: datetime | None = None
    EvaluationState: str | None = None
    ActionsEnabled: bool | None = None
    AlarmActions: list[str] = []
    TreatMissingData: str | None = None
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
    ActionsEnabled: bool | None = None
    AlarmActions: list[str] = []
    ActionsSuppressedBy: str | None = None


class Alarms(Shape, frozen=True, kw_only=True):
    """One answer: the alarms of a list of names. A name that no alarm has is simply not in it."""

    MetricAlarms: list[MetricAlarm] = []
    CompositeAlarms: list[CompositeAlarm] = []


class MuteTargets(Shape, frozen=True, kw_only=True):
    """The alarms that a mute rule silences, by name."""

    AlarmNames: list[str] = []


class AlarmMuteRuleSummary(Shape, frozen=True, kw_only=True):
    """A rule that silences alarms for a while, as a listing has it; its name is the end of its ARN."""

    AlarmMuteRuleArn: str = ""
    Status: str = ""

    @property
    def name(self) -> str:
        """Name of the rule."""
        return self.AlarmMuteRuleArn.rpartition(":")[2]


class AlarmMuteRule(Shape, frozen=True, kw_only=True):
    """A rule that silences alarms for a while."""

    Name: str = ""
    Status: str = ""
    MuteTargets: MuteTargets | None = None


ALARM_MUTE_RULES = Read(
    "cloudwatch", "ListAlarmMuteRules", "AlarmMuteRuleSummaries", AlarmMuteRuleSummary, option=services.ALARMS
)
ALARM_MUTE_RULE = Read(
    "cloudwatch", "GetAlarmMuteRule", "", AlarmMuteRule, key="AlarmMuteRuleName", option=services.ALARMS
)
ALARMS = Read("cloudwatch", "DescribeAlarms", "", Alarms)


def alarm_name(arn: str, account_id: str, region: str) -> str:
    """Name of an alarm of this account and region, from its ARN; "" for an alarm elsewhere, or what is no alarm's ARN."""
    kind, _, name = arn_part(arn, 5).partition(":")
    here = arn_part(arn, 2) == "cloudwatch" and arn_part(arn, 3) == region and arn_part(arn, 4) == account_id
    return name if here and kind == "alarm" else ""
