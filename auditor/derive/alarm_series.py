"""Which series does an alarm watch, in which direction, and at which threshold?

An alarm on one metric says so. In an expression only forms that fire whenever one of their series does are worked out:
a series alone, ``MIN`` of several watched from below, ``MAX`` of several watched from above. Any other expression over a
series is a possible watch, never a proven one; so are searches, queries and anomaly bands.
https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from ..model import cloudwatch

Direction = Literal["below", "above"]

_BELOW = {"LessThanThreshold": False, "LessThanOrEqualToThreshold": True}
_ABOVE = {"GreaterThanThreshold": False, "GreaterThanOrEqualToThreshold": True}
_ID = r"[a-z]\w*"
_ALONE = re.compile(rf"(?:FILL\(\s*(?P<filled>{_ID})\s*,[^,()]*\)|(?P<id>{_ID}))")
_OF_SEVERAL = re.compile(rf"(?P<how>MIN|MAX)\(\s*\[(?P<ids>\s*{_ID}(?:\s*,\s*{_ID})*\s*)\]\s*\)")
_OF_ALL = re.compile(r"(?P<how>MIN|MAX)\(\s*METRICS\(\s*\)\s*\)")


class Watch(msgspec.Struct, frozen=True, kw_only=True):
    """One series that an alarm watches. A `proven` watch fires when the series alone crosses the threshold."""

    namespace: str
    metric: str
    dimensions: Mapping[str, str]
    statistic: str
    direction: Direction | None
    threshold: float | None
    inclusive: bool = False
    proven: bool = True

    def fires_at(self, value: float) -> bool:
        """Whether the alarm is set off by a value of the series."""
        if not self.proven or self.threshold is None or self.direction is None:
            return False
        if self.inclusive and value == self.threshold:
            return True
        return value < self.threshold if self.direction == "below" else value > self.threshold


def watches(alarm: cloudwatch.MetricAlarm) -> tuple[Watch, ...]:
    """Every series that an alarm watches or may watch; none for a search or a query (see `mentions`)."""
    operator = alarm.ComparisonOperator
    direction: Direction | None = "below" if operator in _BELOW else "above" if operator in _ABOVE else None
    band = alarm.ThresholdMetricId is not None or direction is None
    inclusive = _BELOW.get(operator, _ABOVE.get(operator, False))

    def watch(metric: cloudwatch.Metric, statistic: str, *, proven: bool) -> Watch:
        return Watch(
            namespace=metric.Namespace,
            metric=metric.MetricName,
            dimensions={d.Name: d.Value for d in metric.Dimensions},
            statistic=statistic,
            direction=direction,
            threshold=alarm.Threshold,
            inclusive=inclusive,
            proven=proven and not band,
        )

    if not alarm.Metrics:
        if not alarm.MetricName:
            return ()
        own = cloudwatch.Metric(Namespace=alarm.Namespace, MetricName=alarm.MetricName, Dimensions=alarm.Dimensions)
        return (watch(own, alarm.Statistic or alarm.ExtendedStatistic, proven=True),)
    sure = _fire_alone(alarm.Metrics, direction)
    return tuple(
        watch(q.MetricStat.Metric, q.MetricStat.Stat, proven=q.Id in sure)
        for q in alarm.Metrics
        if q.MetricStat and q.MetricStat.Metric
    )


def _fire_alone(queries: list[cloudwatch.MetricQuery], direction: Direction | None) -> frozenset[str]:
    """IDs of the series each of which sets the alarm off alone."""
    by_id = {q.Id: q for q in queries}
    watched = [q for q in queries if q.ReturnData is not False]
    if len(watched) != 1:
        return frozenset()
    return frozenset(_leaves(watched[0], by_id, direction, set()))


def _leaves(
    query: cloudwatch.MetricQuery,
    by_id: Mapping[str, cloudwatch.MetricQuery],
    direction: Direction | None,
    seen: set[str],
) -> Iterator[str]:
    if query.Id in seen:
        return
    seen.add(query.Id)
    if query.MetricStat:
        yield query.Id
        return
    text = (query.Expression or "").strip()
    if alone := _ALONE.fullmatch(text):
        ids = [alone["filled"] or alone["id"]]
    elif several := _OF_SEVERAL.fullmatch(text):
        ids = [i.strip() for i in several["ids"].split(",")] if _fits(several["how"], direction) else []
    elif everything := _OF_ALL.fullmatch(text):
        ids = [q.Id for q in by_id.values() if q.MetricStat] if _fits(everything["how"], direction) else []
    else:
        ids = []
    for name in ids:
        if name in by_id:
            yield from _leaves(by_id[name], by_id, direction, seen)


def _fits(how: str, direction: Direction | None) -> bool:
    return direction == ("below" if how == "MIN" else "above")


def texts(alarm: cloudwatch.MetricAlarm) -> tuple[str, ...]:
    """Searches and queries of an alarm, whose series cannot be listed from here."""
    found = [
        q.Expression for q in alarm.Metrics if q.Expression and re.search(r"SEARCH\s*\(|SELECT\s", q.Expression, re.I)
    ]
    if alarm.EvaluationCriteria:
        found.append(str(alarm.EvaluationCriteria))
    return tuple(found)
