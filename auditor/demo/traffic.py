"""Traffic of the demo account: a day of CloudWatch points for some load balancers, as Elastic Load Balancing publishes them.

The others publish nothing, as load balancers without traffic do. Points are few, and lie at the same distances from now.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..model import elbv2, metrics
from .builder import Builder

_POINTS = 8
_APART = datetime.timedelta(hours=3)
_LATEST = datetime.timedelta(minutes=30)  # before now
_BUSIEST = 2  # the number of the point, from the latest
_GIGABYTE = 2**30


def application(
    estate: Builder, name: str, requests: float, zones: Mapping[str, float], groups: Mapping[str, float]
) -> None:
    """Requests in the busiest point, with the parts that arrive in each zone and go to each target group; others have half."""
    balancer = elbv2.LoadBalancer(LoadBalancerArn=estate.balancers[name], Type="application")
    _publish(estate, metrics.total_series(balancer), _busy(requests))
    for letter, share in zones.items():
        _publish(estate, metrics.zone_series(balancer, estate.region + letter), _busy(requests * share))
    for group, share in groups.items():
        _publish(estate, metrics.group_series(balancer, estate.groups[group]), _busy(requests * share))


def network(estate: Builder, name: str, flows: float, zones: Mapping[str, float], gigabytes: float) -> None:
    """New flows in the busiest point, others with half; the flows that are open in each zone; the GB of a day."""
    balancer = elbv2.LoadBalancer(LoadBalancerArn=estate.balancers[name], Type="network")
    _publish(estate, metrics.total_series(balancer), _busy(flows))
    for letter, count in zones.items():
        _publish(estate, metrics.zone_series(balancer, estate.region + letter), [count] * _POINTS)
    _publish(estate, metrics.bytes_series(balancer), [gigabytes * _GIGABYTE / _POINTS] * _POINTS)


def _busy(most: float) -> list[float]:
    return [most if number == _BUSIEST else most / 2 for number in range(_POINTS)]


def _publish(estate: Builder, series: metrics.Series, values: Sequence[float]) -> None:
    metric = series.query(60)["MetricStat"]["Metric"]
    estate.client("cloudwatch").put_metric_data(
        Namespace=metric.pop("Namespace"), MetricData=list(_points(metric, values))
    )


def _points(metric: Mapping[str, Any], values: Sequence[float]) -> Iterator[dict[str, Any]]:
    latest = datetime.datetime.now(datetime.UTC) - _LATEST
    for number, value in enumerate(values):
        yield {**metric, "Timestamp": latest - number * _APART, "Value": value}
