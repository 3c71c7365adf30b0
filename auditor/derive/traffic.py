"""How much traffic does a load balancer take, where does it arrive, and how many bytes does it process? Measured, not guessed.

Rates are a second; shares of zones sum to one; bytes are those of the window. A rate is the mean of a period, so the true peak
is higher: by little where periods are minutes, by much where they are hours (`auditor.model.metrics`). An Application Load
Balancer counts a request once it has chosen a target, so what a zone without targets answers with 503 is in no figure.

A series without data says nothing: there may have been no traffic, or the points are not there (yet). So it is unknown, not
zero. That an Application Load Balancer's zone had none is known where the others account for all of its requests, to a
hundredth. A Network Load Balancer's zones are compared over the periods in which all of them reported. What could not be read
is unknown with its action; what nobody asked for is None.
https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-cloudwatch-metrics.html
https://docs.aws.amazon.com/elasticloadbalancing/latest/network/load-balancer-cloudwatch-metrics.html
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Literal, TypeAlias

import msgspec

from ..model import elbv2, metrics
from ..model.identity import Zone
from ..model.inventory import RegionInventory
from ..model.known import Known, Outcome, Reason, Unknown, merge, unclear
from .zones import ZoneMap

Points: TypeAlias = Mapping[datetime, float]

GIGABYTE = 2**30  # as AWS bills it
_MONTH = 30  # days
_OFF_BY = 0.01


class Traffic(msgspec.Struct, frozen=True, kw_only=True):
    """What was measured of one load balancer over a window.

    `peak` is the highest rate of a period: requests of an Application, new flows of a Network Load Balancer, a second.
    `shares` are parts of its requests, or of its open flows. `bytes` is None where no metric is read for it.
    """

    window: metrics.MetricWindow
    unit: Literal["requests", "flows"]
    peak: Known[float]
    shares: Known[Mapping[Zone, float]]
    bytes: Known[float | None]


class TrafficBook:
    """The measured traffic of one account and region."""

    def __init__(self, inventory: RegionInventory, zones: ZoneMap) -> None:
        self._inventory = inventory
        self._zones = zones

    def of(self, balancer: elbv2.LoadBalancer) -> Known[Traffic | None]:
        """The traffic of a load balancer; None where nobody asked for it, which is so of one that is not in use.

        Unknown where target groups that were not seen may be what it is used for.
        """
        window = self._inventory.window
        if window is None or balancer.Type not in ("application", "network"):
            return None
        if not metrics.is_measured(balancer, self._used):
            groups = self._inventory.listing(elbv2.TARGET_GROUPS)
            return None if groups.complete else groups.unknown
        network = balancer.Type == "network"
        return Traffic(
            window=window,
            unit="flows" if network else "requests",
            peak=self._peak(metrics.total_series(balancer), window),
            shares=self._open_flows(balancer) if network else self._requests(balancer),
            bytes=self._total(metrics.bytes_series(balancer)) if network else None,
        )

    def gigabytes_a_month(self, balancer: elbv2.LoadBalancer) -> Known[float | None]:
        """What a Network Load Balancer processes in 30 days, as the window has it, in GB; None as for `of`."""
        traffic = self.of(balancer)
        if traffic is None or isinstance(traffic, Unknown):
            return traffic
        if traffic.bytes is None or isinstance(traffic.bytes, Unknown):
            return traffic.bytes
        return traffic.bytes / GIGABYTE * _MONTH / traffic.window.days

    def group_peak(self, balancer: elbv2.LoadBalancer, group_arn: str) -> Known[float | None]:
        """The highest rate of requests to one target group of an Application Load Balancer; None as for `of`.

        Unknown for a Network Load Balancer: it counts flows, and nothing tells how many requests a flow carries.
        """
        window, used = self._inventory.window, self._used.get(balancer.LoadBalancerArn, [])
        if window is None or balancer.Type not in ("application", "network"):
            return None
        if balancer.Type == "network":
            return unclear(f"{balancer.LoadBalancerName} counts flows, not requests: give peak_rps")
        if group_arn not in used:
            return None
        if len(set(used)) > 1:
            return self._peak(metrics.group_series(balancer, group_arn), window)
        groups = self._inventory.listing(elbv2.TARGET_GROUPS)
        return self._peak(metrics.total_series(balancer), window) if groups.complete else groups.unknown

    # Series

    @cached_property
    def _used(self) -> Mapping[str, list[str]]:
        return metrics.used_by(self._inventory.listing(elbv2.TARGET_GROUPS))

    @cached_property
    def _results(self) -> Mapping[str, list[metrics.MetricDataResult]]:
        found: dict[str, list[metrics.MetricDataResult]] = {}
        for result in self._inventory.listing(metrics.METRIC_DATA):
            found.setdefault(result.Id, []).append(result)
        return found

    def points(self, series: metrics.Series) -> Known[Points]:
        """Points of a series by the begin of their period, from all its pages; unknown unless it was read to its end."""
        pages, listing = self._results.get(series.id, []), self._inventory.listing(metrics.METRIC_DATA)
        status = pages[-1].StatusCode if pages else ""
        if status != "Complete" and not listing.complete:
            return listing.unknown
        if status != "Complete" or any(len(p.Timestamps) != len(p.Values) for p in pages):
            return Unknown((_cut_off(series, status) if pages else self._inventory.absent(metrics.METRIC_DATA),))
        return {at: value for page in pages for at, value in zip(page.Timestamps, page.Values, strict=True)}

    def _peak(self, series: metrics.Series, window: metrics.MetricWindow) -> Known[float]:
        points = self.points(series)
        if isinstance(points, Unknown):
            return points
        return max(points.values()) / window.period if points else _no_data(series)

    def _total(self, series: metrics.Series) -> Known[float]:
        points = self.points(series)
        if isinstance(points, Unknown):
            return points
        return math.fsum(points.values()) if points else _no_data(series)

    # Zones

    def _by_zone(self, balancer: elbv2.LoadBalancer) -> Known[dict[Zone, Points]]:
        """Points of every zone the load balancer is enabled in; none at all is no reason to leave one out."""
        found: dict[Zone, Points] = {}
        unknowns: list[Unknown] = []
        for name in [z.ZoneName for z in balancer.AvailabilityZones]:
            points = self.points(metrics.zone_series(balancer, name))
            if isinstance(points, Unknown):
                unknowns.append(points)
            else:
                found[self._zones.named(name)] = points
        return merge(unknowns) if unknowns else found

    def _requests(self, balancer: elbv2.LoadBalancer) -> Known[Mapping[Zone, float]]:
        """Shares of zones in all requests, where the zones account for them."""
        series = metrics.total_series(balancer)
        total, zones = self._total(series), self._by_zone(balancer)
        if isinstance(total, Unknown) or isinstance(zones, Unknown):
            return merge([x for x in (total, zones) if isinstance(x, Unknown)])
        sums = {zone: math.fsum(points.values()) for zone, points in zones.items()}
        counted = math.fsum(sums.values())
        if not total:
            return _no_traffic(balancer)
        if not counted or abs(counted - total) > _OFF_BY * total:
            return unclear(
                f"the zones of {balancer.LoadBalancerName} account for {counted:,.0f} of its {total:,.0f} requests: data of a "
                "zone is missing, or its zones have changed"
            )
        return {zone: part / counted for zone, part in sums.items()}

    def _open_flows(self, balancer: elbv2.LoadBalancer) -> Known[Mapping[Zone, float]]:
        """Shares of zones in the flows that are open, over the periods in which every zone reported."""
        zones = self._by_zone(balancer)
        if isinstance(zones, Unknown):
            return zones
        together = _in_all(list(zones.values()))
        if not together:
            return unclear(f"the zones of {balancer.LoadBalancerName} did not report open flows at the same time")
        sums = {zone: math.fsum(points[at] for at in together) for zone, points in zones.items()}
        counted = math.fsum(sums.values())
        return {zone: part / counted for zone, part in sums.items()} if counted else _no_traffic(balancer)


def _in_all(series: Sequence[Points]) -> list[datetime]:
    """Periods of which all series have a point; none where those are fewer than half, which would not stand for the others."""
    some = {at for points in series for at in points}
    found = sorted(at for at in some if all(at in points for points in series))
    return found if 2 * len(found) >= len(some) else []


def _cut_off(series: metrics.Series, status: str) -> Reason:
    read = metrics.METRIC_DATA
    says = (
        f"{read.operation}: the points of {series.metric} of {metrics.path_of(series.balancer_arn)} are not all there"
    )
    return Reason(kind="partial", says=says, action=read.action, outcome=Outcome.FAILED, code=status)


def _no_data(series: metrics.Series) -> Unknown:
    about = metrics.path_of(series.group_arn or series.balancer_arn)
    return unclear(f"CloudWatch has no {series.metric} of {about} in the window: no traffic, or nothing was published")


def _no_traffic(balancer: elbv2.LoadBalancer) -> Unknown:
    return unclear(f"{balancer.LoadBalancerName} took no traffic in the window, so none can be divided")
