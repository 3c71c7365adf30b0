"""Would somebody be called when a zone of a load balancer fails, when its targets run out, when it fails open?

An alarm counts when it watches the right series (its dimensions as a set), fires in the right direction at the right value,
and can reach somebody: its own actions are on, or those of a composite alarm that counts on it. Alarms of other monitoring
systems cannot be seen from here.
https://docs.aws.amazon.com/elasticloadbalancing/latest/network/load-balancer-cloudwatch-metrics.html
https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-cloudwatch-metrics.html
https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-mute-rules.html
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cached_property

import msgspec

from ..model import cloudwatch, services
from ..model.identity import arn_part
from ..model.inventory import RegionInventory
from ..model.known import Unknown, merge, unclear
from ..model.verdict import Truth, any_of
from .alarm_rule import counted_on
from .alarm_series import Watch, texts, watches

WITHOUT_DATA = timedelta(hours=24)
NAMESPACES = {"application": "AWS/ApplicationELB", "network": "AWS/NetworkELB"}
_NAMES = ("ApplicationELB", "NetworkELB")


class Watcher(msgspec.Struct, frozen=True, kw_only=True):
    """A metric alarm with what it watches; `useless` says why it would call nobody, "" when it would."""

    alarm: cloudwatch.MetricAlarm
    watches: tuple[Watch, ...]
    useless: str | Unknown


class AlarmBook:
    """The alarms of one region, once for all load balancers. `left_out` is the reason where nobody wanted them read."""

    def __init__(self, inventory: RegionInventory, now: datetime) -> None:
        self._inventory = inventory
        self._now = now
        pages = inventory.listing(cloudwatch.ALARMS)
        # Without the listing of mute rules only the alarms that practice runs name were asked for.
        lacking = inventory.absent(cloudwatch.ALARM_MUTE_RULES)
        whole = inventory.asked(cloudwatch.ALARM_MUTE_RULES)
        self.gaps = pages.gaps if whole else (*pages.gaps, lacking)
        self.left_out = None if whole or inventory.chosen(services.ALARMS) else lacking
        self._metric = {a.AlarmName: a for page in pages for a in page.MetricAlarms}
        self._composite = {a.AlarmName: a for page in pages for a in page.CompositeAlarms}
        self._by_series: dict[tuple[str, str], list[tuple[Watcher, Watch]]] = {}
        for watcher in self.watchers:
            for watch in watcher.watches:
                self._by_series.setdefault((watch.namespace, watch.metric), []).append((watcher, watch))

    @cached_property
    def watchers(self) -> tuple[Watcher, ...]:
        """Every metric alarm on a load balancer, by name."""
        found = []
        for name in sorted(self._metric):
            alarm = self._metric[name]
            of_balancers = tuple(w for w in watches(alarm) if w.namespace in NAMESPACES.values())
            if of_balancers:
                found.append(Watcher(alarm=alarm, watches=of_balancers, useless=self._useless(alarm)))
        return tuple(found)

    def on(self, namespace: str, metric: str) -> Sequence[tuple[Watcher, Watch]]:
        """Alarms on series of a metric."""
        return self._by_series.get((namespace, metric), ())

    @cached_property
    def _muted(self) -> Mapping[str, str] | Unknown:
        """Alarms that a rule silences now, each with the rule."""
        rules = self._inventory.listing(cloudwatch.ALARM_MUTE_RULES)
        if not rules.complete:
            return rules.unknown
        found: dict[str, str] = {}
        for summary in rules:
            if summary.Status != "ACTIVE":
                continue
            rule = self._inventory.one(cloudwatch.ALARM_MUTE_RULE, summary.name)
            if isinstance(rule, Unknown):
                return rule
            found |= dict.fromkeys(rule.MuteTargets.AlarmNames if rule.MuteTargets else (), summary.name)
        return found

    def _useless(self, alarm: cloudwatch.MetricAlarm) -> str | Unknown:
        """Why an alarm would call nobody, or ""."""
        if alarm.EvaluationState == "EVALUATION_ERROR":
            return "CloudWatch cannot evaluate it"
        since = alarm.StateTransitionedTimestamp or alarm.StateUpdatedTimestamp
        if alarm.StateValue == "INSUFFICIENT_DATA" and since and self._now - since > WITHOUT_DATA:
            return f"it has had no data since {since:%Y-%m-%d %H:%M} UTC"
        if not self._own_actions(alarm):
            told = any_of(self._composite_tells(alarm))
            if isinstance(told, Unknown):
                return told
            if not told:
                return "its actions are switched off" if alarm.AlarmActions else "it has no action for ALARM"
        if isinstance(self._muted, Unknown):
            return self._muted
        rule = self._muted.get(alarm.AlarmName)
        return f"the mute rule {rule} silences it now" if rule and self._own_actions(alarm) else ""

    @staticmethod
    def _own_actions(alarm: cloudwatch.MetricAlarm | cloudwatch.CompositeAlarm) -> bool:
        return alarm.ActionsEnabled is not False and bool(alarm.AlarmActions)

    def _composite_tells(self, alarm: cloudwatch.MetricAlarm) -> Iterable[Truth]:
        """Whether composite alarms that count on an alarm, straight or through others, reach somebody."""
        names, seen = [(alarm.AlarmName, alarm.AlarmArn)], {alarm.AlarmName}
        if self.gaps:
            yield Unknown(self.gaps)
        while names:
            name, arn = names.pop()
            for parent in self._composite.values():
                counts = counted_on(parent.AlarmRule)
                if isinstance(counts, Unknown):
                    # A rule that cannot be read may count on it only where it names it.
                    if name in parent.AlarmRule and parent.AlarmName not in seen:
                        yield counts
                    continue
                if not counts & {name, arn} or parent.AlarmName in seen:
                    continue
                seen.add(parent.AlarmName)
                names.append((parent.AlarmName, parent.AlarmArn))
                if self._own_actions(parent):
                    yield True

    def possible(self, metric: str) -> tuple[str, ...]:
        """Alarms on searches and queries that may be about a metric of load balancers."""
        found = []
        for name in sorted(self._metric):
            for text in texts(self._metric[name]):
                if metric in text or any(n in text for n in _NAMES):
                    found.append(name)
        return tuple(dict.fromkeys(found))


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """A series that ought to be watched: `fits` says whether an alarm's watch of the metric is about it and fires in time."""

    namespace: str
    metric: str
    fits: Callable[[Watch], bool]


def covered(wanted: Iterable[Wanted], book: AlarmBook) -> Truth:
    """Whether an alarm on any of some series calls somebody; unknown where only possible ones are seen."""
    doubts: list[Unknown] = []
    for want in wanted:
        for watcher, watch in book.on(want.namespace, want.metric):
            if not want.fits(watch):
                continue
            if isinstance(watcher.useless, Unknown):
                doubts.append(watcher.useless)
            elif not watcher.useless and watch.proven:
                return True
            elif not watcher.useless:
                doubts.append(
                    unclear(f"what the expression of the alarm {watcher.alarm.AlarmName} does is not worked out")
                )
        doubts += [
            unclear(f"the alarm {name} is on a search or query, whose series cannot be listed from here")
            for name in book.possible(want.metric)
        ]
    if book.gaps:
        doubts.append(Unknown(book.gaps))
    return merge(doubts) if doubts else False


def dimension(arn: str) -> str:
    """The dimension value of a load balancer or target group: ``net/name/id`` or ``targetgroup/name/id``."""
    return arn_part(arn, 5).removeprefix("loadbalancer/")


def exactly(watch: Watch, dimensions: Mapping[str, str]) -> bool:
    """Whether a watch is of the series with these dimensions and no other; one more or one less is another series."""
    return dict(watch.dimensions) == dict(dimensions)
