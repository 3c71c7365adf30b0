"""Amazon CloudWatch metrics of load balancers: which series are read, over which time, and the shape of the answer.

Read where ``--metrics`` asks for it, because AWS bills each metric that is asked for. An Application Load Balancer counts
requests, as a whole, by zone and by target group; a Network Load Balancer counts new flows and bytes as a whole, and open
flows by zone. Each set of dimensions is a series of its own; one that AWS does not document has no data.

A series is divided into periods, and a rate is known as the mean of a period only: **a peak that is measured over a longer
period is understated**, because what rises and falls within the period is averaged. An hour that holds one minute of 600
requests a second and is quiet otherwise shows as 10 a second. Short windows have short periods, long ones an hour.
https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-cloudwatch-metrics.html
https://docs.aws.amazon.com/elasticloadbalancing/latest/network/load-balancer-cloudwatch-metrics.html
https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_GetMetricData.html
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from . import elbv2
from .answer import Header
from .read import Read
from .services import Service
from .shape import Shape

AT_ONCE = 500
PERIODS = (60, 300, 900, 3600)
MOST_POINTS = 400  # in a series, unless a period of an hour gives more
LONGEST = 63 * 24  # hours
_SPAN = re.compile(r"([1-9][0-9]{0,4})\s*([hd])")


class _Traffic(Service, frozen=True, kw_only=True):
    """The reading that an option of its own chooses, not a word of ``--services``."""

    @property
    def missing(self) -> str:
        """Why the traffic is not known where it was not asked for, and what reads it."""
        return f"{self.says} was not read: `--metrics 14d` reads it"


METRICS = _Traffic(
    name="metrics", says="the traffic of load balancers", default=False, costs="0.01 USD per 1,000 metrics"
)


class MetricDataResult(Shape, frozen=True, kw_only=True):
    """Points of one series, or of a part of it: `Timestamps[i]` is when the period of `Values[i]` begins.

    `StatusCode` is ``Complete`` on the page that ends the series, ``PartialData`` before.
    """

    Id: str = ""
    StatusCode: str = ""
    Timestamps: list[datetime] = []
    Values: list[float] = []


METRIC_DATA = Read(
    "cloudwatch",
    "GetMetricData",
    "MetricDataResults",
    MetricDataResult,
    drops=("MetricDataResults.Label",),
    option=METRICS,
)


class MetricWindow(msgspec.Struct, frozen=True, kw_only=True):
    """The time that is looked at, in whole periods (seconds); `end` is not part of it."""

    start: datetime
    end: datetime
    period: int

    @property
    def days(self) -> float:
        """Its length in days."""
        return (self.end - self.start) / timedelta(days=1)

    @property
    def text(self) -> str:
        """Its length in words, such as ``14 days``."""
        hours = round((self.end - self.start) / timedelta(hours=1))
        number, unit = (hours // 24, "day") if hours % 24 == 0 else (hours, "hour")
        return f"{number} {unit}{'' if number == 1 else 's'}"

    @property
    def period_text(self) -> str:
        """The length of a period in words, such as ``hour``."""
        return {60: "minute", 3600: "hour"}.get(self.period, f"{self.period // 60} minutes")


def hours_of(text: str) -> int:
    """Length of a window that is written like ``6h`` or ``14d``, in hours.

    A window ends at 63 days: older traffic says little about today's, and long windows of hourly points come in many pages.

    Raises:
        ValueError: it is written otherwise, or is longer.
    """
    found = _SPAN.fullmatch(text.strip().lower())
    hours = int(found[1]) * (24 if found[2] == "d" else 1) if found else 0
    if not 1 <= hours <= LONGEST:
        raise ValueError(f"{text!r} is no time to look back: write whole hours or days from 1h to 63d, such as 14d")
    return hours


def span_of(text: str) -> str:
    """A window in the one way in which recordings write it: days where they are whole, else hours.

    Raises:
        ValueError: as `hours_of`.
    """
    hours = hours_of(text)
    return f"{hours // 24}d" if hours % 24 == 0 else f"{hours}h"


def window_before(moment: datetime, hours: int) -> MetricWindow:
    """The window of so many hours that ended last before a moment.

    CloudWatch keeps points of a minute for 15 days, of five minutes for 63 days, of an hour for 455 days; the periods chosen
    here are never shorter than what it has kept. With them a series of up to fifteen days has at most 400 points.
    """
    period = next((p for p in PERIODS if hours * 3600 <= p * MOST_POINTS), PERIODS[-1])
    seconds = int(moment.timestamp())
    end = datetime.fromtimestamp(seconds - seconds % period, UTC)
    return MetricWindow(start=end - timedelta(hours=hours), end=end, period=period)


def window_of(header: Header) -> MetricWindow | None:
    """The window that a scan looks at, from the header of its recording, so that a scan that goes on asks for the same.

    None where no metrics were wanted, or another program wrote a window that this one does not know.
    """
    try:
        return window_before(datetime.fromisoformat(header.started), hours_of(str(header.settings["metrics"])))
    except (KeyError, ValueError):
        return None


def chosen_in(header: Header) -> frozenset[str] | None:
    """Names of the optional readings that a recording's header says were wanted, metrics among them; None if it does not say."""
    words = header.settings.get("services")
    if not isinstance(words, list | tuple):
        return None
    return frozenset(map(str, words)) | ({METRICS.name} if window_of(header) else set())


class Series(msgspec.Struct, frozen=True, kw_only=True):
    """One series: a metric of a load balancer as a whole, in one zone (by name), or of what it sends to one target group."""

    metric: str
    stat: str
    balancer_arn: str
    zone: str = ""
    group_arn: str = ""

    @property
    def id(self) -> str:
        """Its name in a request: letters, digits and underscores, the first a lower-case letter; the same for the same series."""
        parts = (
            self.metric[:1].lower() + self.metric[1:],
            path_of(self.balancer_arn),
            self.zone,
            path_of(self.group_arn),
        )
        return "_".join(re.sub("[^0-9A-Za-z]", "_", part) for part in parts if part)

    def query(self, period: int) -> dict[str, Any]:
        """It as GetMetricData is asked for it."""
        pairs = {
            "AvailabilityZone": self.zone,
            "LoadBalancer": path_of(self.balancer_arn),
            "TargetGroup": path_of(self.group_arn),
        }
        metric = {
            "Namespace": "AWS/NetworkELB" if path_of(self.balancer_arn).startswith("net/") else "AWS/ApplicationELB",
            "MetricName": self.metric,
            "Dimensions": [{"Name": name, "Value": value} for name, value in pairs.items() if value],
        }
        return {"Id": self.id, "MetricStat": {"Metric": metric, "Period": period, "Stat": self.stat}}


def path_of(arn: str) -> str:
    """A load balancer or target group as CloudWatch's dimensions name it: ``app/web/50dc6c495c0c9188``, ``targetgroup/…``."""
    resource = arn.rpartition(":")[2]
    return resource.removeprefix("loadbalancer/")


def total_series(balancer: elbv2.LoadBalancer) -> Series:
    """Requests, or new flows, of the whole load balancer. Requests that no target was chosen for are not counted."""
    metric = "NewFlowCount" if balancer.Type == "network" else "RequestCount"
    return Series(metric=metric, stat="Sum", balancer_arn=balancer.LoadBalancerArn)


def zone_series(balancer: elbv2.LoadBalancer, zone: str) -> Series:
    """Requests that arrived in one zone, or the flows that are open there.

    Open flows, because connections that last for days weigh on a zone although few of them are new.
    """
    metric, stat = ("ActiveFlowCount", "Average") if balancer.Type == "network" else ("RequestCount", "Sum")
    return Series(metric=metric, stat=stat, balancer_arn=balancer.LoadBalancerArn, zone=zone)


def group_series(balancer: elbv2.LoadBalancer, group_arn: str) -> Series:
    """Requests that an Application Load Balancer sent to one of its target groups."""
    return Series(metric="RequestCount", stat="Sum", balancer_arn=balancer.LoadBalancerArn, group_arn=group_arn)


def bytes_series(balancer: elbv2.LoadBalancer) -> Series:
    """Bytes that a Network Load Balancer processed, to and from its targets."""
    return Series(metric="ProcessedBytes", stat="Sum", balancer_arn=balancer.LoadBalancerArn)


def series_of(balancer: elbv2.LoadBalancer, group_arns: Iterable[str]) -> Iterator[Series]:
    """Every series that is read of a load balancer with these target groups.

    The only group of an Application Load Balancer has all of its requests, so it needs no series.
    """
    yield total_series(balancer)
    yield from (zone_series(balancer, z.ZoneName) for z in balancer.AvailabilityZones if z.ZoneName)
    if balancer.Type == "network":
        yield bytes_series(balancer)
    elif len(arns := sorted(set(group_arns))) > 1:
        yield from (group_series(balancer, arn) for arn in arns)


def used_by(groups: Iterable[elbv2.TargetGroup]) -> dict[str, list[str]]:
    """ARNs of the target groups of each load balancer that has any: what no group names is not in use, and not read."""
    found: dict[str, list[str]] = {}
    for group in groups:
        for arn in group.LoadBalancerArns:
            found.setdefault(arn, []).append(group.TargetGroupArn)
    return found


def is_measured(balancer: elbv2.LoadBalancer, used: Iterable[str]) -> bool:
    """Whether the traffic of a load balancer is read; `used` are the ARNs of those in use."""
    return balancer.Type in ("application", "network") and balancer.LoadBalancerArn in used


def requests_for(
    balancers: Iterable[elbv2.LoadBalancer], groups: Iterable[elbv2.TargetGroup], window: MetricWindow
) -> Iterator[dict[str, Any]]:
    """Parameters of the calls that read all series of all load balancers in use, in the order of their ARNs."""
    used = used_by(groups)
    queries = [
        series.query(window.period)
        for balancer in sorted(balancers, key=lambda b: b.LoadBalancerArn)
        if is_measured(balancer, used)
        for series in series_of(balancer, used[balancer.LoadBalancerArn])
    ]
    for start in range(0, len(queries), AT_ONCE):
        yield {
            "MetricDataQueries": queries[start : start + AT_ONCE],
            "StartTime": f"{window.start:%Y-%m-%dT%H:%M:%SZ}",
            "EndTime": f"{window.end:%Y-%m-%dT%H:%M:%SZ}",
        }
