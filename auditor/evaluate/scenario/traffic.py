"""CloudWatch metrics as a scenario has them: what a scan with ``--metrics`` would have read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, TypeVar

import msgspec

from ...model import elbv2, metrics
from ...model.read import Read
from .asking import STARTED, Asking
from .form import Scenario, refuse
from .names import Names
from .traffic_form import Traffic

T = TypeVar("T")

_OPEN_FLOWS = 1000.0


def ask(asking: Asking, form: Scenario, names: Names) -> None:
    """Ask for the series of every load balancer in use that was seen, where the scenario has traffic.

    Raises:
        RuleError: traffic of what is no Application or Network Load Balancer, in a zone it is not enabled in, or to a target
            group that does not exist; a window that cannot be.
    """
    _check(form)
    if form.traffic is None:
        return
    window = metrics.window_before(datetime.fromisoformat(STARTED), metrics.hours_of(form.metrics))
    balancers, groups = _seen(asking, elbv2.LOAD_BALANCERS), _seen(asking, elbv2.TARGET_GROUPS)
    values = dict(_values(form, names, window.period))
    for params in metrics.requests_for(balancers, groups, window):
        results = [_result(q["Id"], values.get(q["Id"], ()), window) for q in params["MetricDataQueries"]]
        asking.ask(metrics.METRIC_DATA, results, params)


def _check(form: Scenario) -> None:
    for name, traffic in (form.traffic or {}).items():
        balancer, place = form.load_balancers.get(name), f"traffic.{name}"
        if balancer is None or balancer.type not in ("application", "network"):
            raise refuse(place, "is no Application or Network Load Balancer")
        for zone in traffic.shares:
            if zone not in balancer.zones:
                raise refuse(f"{place}.shares", f"zone {zone} is not one of {', '.join(balancer.zones)}")
        for group in traffic.groups:
            if group not in form.target_groups:
                raise refuse(f"{place}.groups", f"{group} is not one of {', '.join(form.target_groups)}")
    try:
        metrics.hours_of(form.metrics)
    except ValueError as error:
        raise refuse("metrics", str(error)) from None


def _seen(asking: Asking, read: Read[T]) -> list[T]:
    """Items of a listing that were answered so far."""
    pages = [
        a.response for a in asking.answers if (a.service, a.operation) == (read.service, read.operation) and a.response
    ]
    return [msgspec.convert(item, read.of, strict=False) for page in pages for item in page[read.items]]


def _values(form: Scenario, names: Names, period: int) -> Iterator[tuple[str, Sequence[float]]]:
    """Values of each series that has any, by its name in the request."""
    for name, traffic in (form.traffic or {}).items():
        balancer = elbv2.LoadBalancer(LoadBalancerArn=names.load_balancer(name), Type=form.load_balancers[name].type)
        network = balancer.Type == "network"
        if traffic.peak is not None:
            yield metrics.total_series(balancer).id, _busy(traffic.peak * period)
        for zone, share in traffic.shares.items():
            here = (share * _OPEN_FLOWS,) * 2 if network else _busy(share * _requests(traffic, period))
            yield metrics.zone_series(balancer, names.zone_names[zone]).id, here
        for group, peak in traffic.groups.items():
            yield metrics.group_series(balancer, names.target_group(group)).id, _busy(peak * period)
        if traffic.bytes is not None:
            yield metrics.bytes_series(balancer).id, (traffic.bytes / 2,) * 2


def _requests(traffic: Traffic, period: int) -> float:
    return (traffic.peak or 0) * period


def _busy(most: float) -> tuple[float, float]:
    return most / 2, most


def _result(name: str, values: Sequence[float], window: metrics.MetricWindow) -> dict[str, Any]:
    times = [window.start + timedelta(seconds=window.period * number) for number in range(len(values))]
    return {
        "Id": name,
        "StatusCode": "Complete",
        "Timestamps": [f"{at:%Y-%m-%dT%H:%M:%SZ}" for at in times],
        "Values": list(values),
    }
