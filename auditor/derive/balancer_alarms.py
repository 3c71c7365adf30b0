"""Application and Network Load Balancers → what alarms say about them.

Which series prove what: a zone of a Network Load Balancer that left DNS shows in ZonalHealthStatus (1 or 0 per zone; the series
of the load balancer alone covers every zone only by its minimum). Healthy targets of a zone show in HealthyHostCount with
load balancer, target group and zone. Failing open shows in the routing metrics, and in healthy targets that come to none.
https://docs.aws.amazon.com/elasticloadbalancing/latest/network/load-balancer-cloudwatch-metrics.html
https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-cloudwatch-metrics.html
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from ..model import elbv2
from ..model.identity import Zone
from ..model.known import Known, Listing, Unknown, merge
from ..model.verdict import Truth, all_of, any_of
from .alarm_cover import NAMESPACES, AlarmBook, Wanted, covered, dimension, exactly
from .alarm_series import Watch
from .group_health import GroupView, enabled_zones
from .links import Links
from .load_balancers import resource_of
from .node import Node
from .nodes.alarms import LoadBalancerAlarms
from .tags import group_tags

_ANY = ("Minimum", "Maximum", "Average")
_HEALTH_METRICS = frozenset(
    {
        "HealthyHostCount",
        "HealthyStateDNS",
        "HealthyStateRouting",
        "UnHealthyHostCount",
        "UnhealthyRoutingFlowCount",
        "UnhealthyRoutingRequestCount",
        "UnhealthyStateDNS",
        "UnhealthyStateRouting",
        "ZonalHealthStatus",
    }
)


def alarm_nodes(book: AlarmBook, views: Mapping[str, Sequence[GroupView]], links: Links) -> Listing[Node]:
    """Every Application and Network Load Balancer, none where alarms were left out; `views` are the target groups, by its ARN."""
    if book.left_out is not None:
        return Listing((), (book.left_out,))
    listing = links.inventory.listing(elbv2.LOAD_BALANCERS)
    nodes = [
        _Alarmed(balancer, views.get(balancer.LoadBalancerArn, ()), book, links).node()
        for balancer in listing
        if balancer.Type in NAMESPACES and links.strange(balancer) is None
    ]
    return Listing(tuple(sorted(nodes, key=lambda n: n.resource.arn)), listing.gaps)


class _Alarmed:
    """One load balancer with everything its facts need."""

    def __init__(self, balancer: elbv2.LoadBalancer, views: Sequence[GroupView], book: AlarmBook, links: Links) -> None:
        self.balancer, self.views, self.book, self.links = balancer, views, book, links
        self.own = {"LoadBalancer": dimension(balancer.LoadBalancerArn)}
        self.namespace = NAMESPACES[balancer.Type]
        self.zones = enabled_zones(balancer, links)
        unknowns = [v.in_use for v in views if isinstance(v.in_use, Unknown)]
        groups = links.inventory.listing(elbv2.TARGET_GROUPS)
        if not groups.complete:
            unknowns.append(groups.unknown)
        self.used: Known[list[GroupView]] = merge(unknowns) if unknowns else [v for v in views if v.in_use is True]

    def node(self) -> LoadBalancerAlarms:
        arn, links = self.balancer.LoadBalancerArn, self.links
        hosts = self._hosts()
        used: Known[tuple[str, ...]] = (
            self.used if isinstance(self.used, Unknown) else tuple(v.group.TargetGroupName for v in self.used)
        )
        return LoadBalancerAlarms(
            resource=resource_of(self.balancer, links),
            tags=group_tags(arn, links.inventory),
            links={"elbv2:DescribeLoadBalancers": arn},
            LoadBalancerName=self.balancer.LoadBalancerName,
            LoadBalancerArn=arn,
            kind="application" if self.balancer.Type == "application" else "network",
            dimension=self.own["LoadBalancer"],
            groups_in_use=used,
            zones_without_health_alarm=self._zones() if self.balancer.Type == "network" else (),
            places_without_host_alarm=hosts
            if isinstance(hosts, Unknown)
            else tuple(f"{view.group.TargetGroupName} in {zone}" for view, zone in hosts),
            zones_without_host_alarm=hosts
            if isinstance(hosts, Unknown)
            else tuple(sorted({zone for _, zone in hosts}, key=lambda z: z.key)),
            fail_open_watched=self._fail_open(),
            useless_alarms=self._useless(),
            alarms_blind_to_missing_data=self._blind(),
        )

    def _want(self, metric: str, fits: Any) -> Wanted:
        return Wanted(namespace=self.namespace, metric=metric, fits=fits)

    def _in(self, zone: Zone) -> dict[str, str]:
        return {**self.own, "AvailabilityZone": zone.name or ""}

    # Zones that leave DNS

    def _zones(self) -> Known[tuple[Zone, ...]]:
        return _lacking((zone, self._zone_watched(zone)) for zone in self.zones)

    def _zone_watched(self, zone: Zone) -> Truth:
        return covered([self._want("ZonalHealthStatus", partial(self._tells_zone, zone))], self.book)

    def _tells_zone(self, zone: Zone, watch: Watch) -> bool:
        if exactly(watch, self._in(zone)):
            return watch.statistic in _ANY and _may_fire(watch, 0)
        least = {"Minimum": 0.0, "Average": (len(self.zones) - 1) / len(self.zones)}.get(watch.statistic)
        return exactly(watch, self.own) and least is not None and _may_fire(watch, least)

    # Healthy targets per zone

    def _hosts(self) -> Known[tuple[tuple[GroupView, Zone], ...]]:
        if isinstance(self.used, Unknown):
            return self.used
        places: list[tuple[tuple[GroupView, Zone], Truth]] = []
        for view in self.used:
            if not view.has_zones:
                continue
            for zone in self.zones:
                counts = view.counts
                if isinstance(counts, Unknown):
                    places.append(((view, zone), all_of((counts, _negated(self._host_watched(view, zone))))))
                elif counts[zone].total > 1:
                    places.append(((view, zone), _negated(self._host_watched(view, zone))))
        return _lacking((place, _negated(lacks)) for place, lacks in places)

    def _host_watched(self, view: GroupView, zone: Zone) -> Truth:
        series = {**self._in(zone), "TargetGroup": dimension(view.group.TargetGroupArn)}
        return covered([self._want("HealthyHostCount", partial(_tells_count, series, 1))], self.book)

    # Failing open

    def _fail_open(self) -> Truth:
        if isinstance(self.used, Unknown):
            return self.used
        whole: list[Wanted] = []
        if self.balancer.Type == "network":
            whole.append(self._want("ZonalHealthStatus", self._tells_any_zone))
            if not self._only_tls():
                whole.append(self._want("UnhealthyRoutingFlowCount", partial(_counts_up, self.own)))
        return any_of((covered(whole, self.book), all_of(self._group_watched(v) for v in self.used if v.in_dns_model)))

    def _only_tls(self) -> bool:
        """Whether every listener is of a kind for which flows to failing targets are not counted."""
        listeners = self.links.inventory.listing(elbv2.LISTENERS, self.balancer.LoadBalancerArn)
        return listeners.complete and len(listeners) > 0 and all(x.Protocol == "TLS" for x in listeners)

    def _tells_any_zone(self, watch: Watch) -> bool:
        """When the load balancer fails open every zone is unhealthy, so an alarm on one zone will do."""
        own = exactly(watch, self.own) or any(exactly(watch, self._in(z)) for z in self.zones)
        return own and watch.statistic in _ANY and _may_fire(watch, 0)

    def _group_watched(self, view: GroupView) -> Truth:
        group = {**self.own, "TargetGroup": dimension(view.group.TargetGroupArn)}
        up: tuple[str, ...] = ("UnhealthyRoutingRequestCount", "UnhealthyStateRouting", "UnhealthyRoutingFlowCount")
        if self.balancer.Type == "network" and self._only_tls():
            up = ()

        def watched(series: Mapping[str, str]) -> Truth:
            wanted = [self._want(metric, partial(_counts_up, series)) for metric in up]
            wanted.append(self._want("HealthyHostCount", partial(_tells_count, series, 0)))
            return covered(wanted, self.book)

        by_zone = all_of(watched({**group, "AvailabilityZone": z.name or ""}) for z in self.zones)
        return any_of((watched(group), by_zone))

    # Alarms that are there and do not help

    def _mine(self, metrics: Iterable[str]) -> Iterable[Any]:
        seen = set()
        for metric in sorted(metrics):
            for watcher, watch in self.book.on(self.namespace, metric):
                if (
                    watch.dimensions.get("LoadBalancer") == self.own["LoadBalancer"]
                    and watcher.alarm.AlarmName not in seen
                ):
                    seen.add(watcher.alarm.AlarmName)
                    yield watcher

    def _useless(self) -> Known[tuple[str, ...]]:
        found, doubts = [], []
        for watcher in self._mine(_HEALTH_METRICS):
            if isinstance(watcher.useless, Unknown):
                doubts.append(watcher.useless)
            elif watcher.useless:
                found.append(f"{watcher.alarm.AlarmName} ({watcher.useless})")
        return self._seen(found, doubts)

    def _blind(self) -> Known[tuple[str, ...]]:
        found, doubts = [], []
        for watcher in self._mine(["HealthyHostCount"]):
            alarm = watcher.alarm
            if alarm.Metrics or alarm.TreatMissingData == "breaching" or watcher.watches[0].direction != "below":
                continue
            if isinstance(watcher.useless, Unknown):
                doubts.append(watcher.useless)
            elif not watcher.useless:
                found.append(alarm.AlarmName)
        return self._seen(found, doubts)

    def _seen(self, found: list[str], doubts: list[Unknown]) -> Known[tuple[str, ...]]:
        if self.book.gaps:
            doubts = [*doubts, Unknown(self.book.gaps)]
        return tuple(sorted(found)) if found or not doubts else merge(doubts)


def _negated(truth: Truth) -> Truth:
    return truth if isinstance(truth, Unknown) else not truth


def _lacking(places: Iterable[tuple[Any, Truth]]) -> Known[Any]:
    """Places whose watch is known to lack; unknown when only doubtful ones may."""
    found, doubts = [], []
    for place, watched in places:
        if isinstance(watched, Unknown):
            doubts.append(watched)
        elif not watched:
            found.append(place)
    return tuple(found) if found or not doubts else merge(doubts)


def _may_fire(watch: Watch, value: float) -> bool:
    """Whether an alarm fires at a value; one whose threshold is not worked out may."""
    return not watch.proven or (watch.direction == "below" and watch.fires_at(value))


def _tells_count(series: Mapping[str, str], healthy: int, watch: Watch) -> bool:
    """Whether an alarm on a series of healthy targets fires while `healthy` of them are left."""
    return exactly(watch, series) and (not watch.proven or (watch.statistic in _ANY and _may_fire(watch, healthy)))


def _counts_up(series: Mapping[str, str], watch: Watch) -> bool:
    """Whether an alarm on a counter of a series, or of a part of it, fires when it rises."""
    of_part = set(series.items()) <= set(watch.dimensions.items())
    return of_part and (not watch.proven or (watch.direction == "above" and watch.fires_at(math.inf)))
