"""CloudWatch alarms as a scenario has them: its own, and those that watch each load balancer unless it is `unwatched`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ...model import cloudwatch, services
from .asking import Asking
from .form import LoadBalancer, Scenario, actions_of, groups_of
from .names import Names
from .shifting import canary_alarm
from .shifting_form import Alarm

_NAMESPACES = {"application": "AWS/ApplicationELB", "network": "AWS/NetworkELB"}


def ask(asking: Asking, form: Scenario, names: Names, practised: Iterable[Mapping[str, Any]]) -> None:
    """Ask for alarms and for the rules that mute them, or only for the alarms that practice runs name.

    `practised` is what ARC says of resources that practise.
    """
    params: dict[str, Any] = {"AlarmTypes": ["MetricAlarm", "CompositeAlarm", "LogAlarm"]}
    found = _alarms(form, names)
    if services.ALARMS.name not in asking.services:
        named = {cloudwatch.alarm_name(arn, form.account, form.region) for arn in _practice_alarms(practised)} - {""}
        if not named:
            return
        params["AlarmNames"] = sorted(named)
        found = {kind: [a for a in alarms if a["AlarmName"] in named] for kind, alarms in found.items()}
    asking.ask(cloudwatch.ALARMS, found, params)
    mutes = [{"AlarmMuteRuleArn": _mute_arn(n, names), "Status": m.status} for n, m in form.mutes.items()]
    for summary in asking.ask(cloudwatch.ALARM_MUTE_RULES, mutes):
        name = summary["AlarmMuteRuleArn"].rpartition(":")[2]
        if summary["Status"] == "ACTIVE":
            rule = {"Name": name, "Status": "ACTIVE", "MuteTargets": {"AlarmNames": list(form.mutes[name].alarms)}}
            asking.ask(cloudwatch.ALARM_MUTE_RULE, rule, {"AlarmMuteRuleName": name})


def _practice_alarms(practised: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """ARNs of the alarms that practice-run configurations name."""
    for resource in practised:
        for role in ("outcomeAlarms", "blockingAlarms"):
            yield from (c["alarmIdentifier"] for c in resource["practiceRunConfiguration"].get(role, ()))


def _watching(form: Scenario) -> Iterator[tuple[str, Alarm]]:
    """Sound alarms on every load balancer that is watched: on its zones where it tells, and on each group's healthy targets."""
    for name, balancer in form.load_balancers.items():
        if balancer.type not in _NAMESPACES or name in form.unwatched:
            continue
        own = {"LoadBalancer": name}
        namespace = _NAMESPACES[balancer.type]
        if balancer.type == "network":
            yield (
                f"{name}-zones",
                Alarm(
                    namespace=namespace,
                    metric="ZonalHealthStatus",
                    dimensions=own,
                    statistic="Minimum",
                    comparison="LessThanThreshold",
                    threshold=1,
                ),
            )
        for group in _groups(balancer, form):
            queries = [
                _count(f"m{i}", namespace, {**own, "TargetGroup": group, "AvailabilityZone": zone})
                for i, zone in enumerate(balancer.zones)
            ]
            worst = {"Id": "worst", "Expression": f"MIN([{', '.join(q['Id'] for q in queries)}])", "ReturnData": True}
            yield (
                f"{group}-targets",
                Alarm(metrics=(*queries, worst), comparison="LessThanThreshold", threshold=2, missing="breaching"),
            )


def _canaries(form: Scenario) -> Iterator[tuple[str, Alarm]]:
    """The alarms by which practice runs are judged: a canary that asks as users do."""
    for resource in form.arc.practised:
        yield (
            canary_alarm(resource),
            Alarm(namespace="CloudWatchSynthetics", metric="Failed", dimensions={"CanaryName": resource}, threshold=0),
        )


def _groups(balancer: LoadBalancer, form: Scenario) -> list[str]:
    named = dict.fromkeys(g for action in actions_of(balancer) for g in groups_of(action))
    return [g for g in named if form.target_groups[g].type in ("instance", "ip")]


def _count(name: str, namespace: str, dimensions: dict[str, str]) -> dict[str, Any]:
    metric = {"Namespace": namespace, "MetricName": "HealthyHostCount", "Dimensions": dimensions}
    return {"Id": name, "MetricStat": {"Metric": metric, "Period": 60, "Stat": "Minimum"}, "ReturnData": False}


def _alarms(scenario: Scenario, names: Names) -> dict[str, Any]:
    """What DescribeAlarms gives."""
    metric, composite = [], []
    for name, form in {**dict(_watching(scenario)), **dict(_canaries(scenario)), **scenario.alarms}.items():
        described: dict[str, Any] = {
            "AlarmName": name,
            "AlarmArn": names.alarm(name),
            "StateValue": form.state,
            "ActionsEnabled": form.enabled,
            "AlarmActions": [names.arn("sns", "on-call")] if form.acts else [],
        }
        if form.since != "absent":
            described |= {"StateTransitionedTimestamp": form.since, "StateUpdatedTimestamp": form.since}
        if form.rule:
            composite.append({**described, "AlarmRule": form.rule})
        else:
            metric.append(described | _series(form, names))
    return {"MetricAlarms": metric, "CompositeAlarms": composite}


def _mute_arn(name: str, names: Names) -> str:
    """ARN of a rule that mutes alarms."""
    return names.arn("cloudwatch", f"alarm-mute-rule:{name}")


def _series(form: Alarm, names: Names) -> dict[str, Any]:
    found: dict[str, Any] = {"ComparisonOperator": form.comparison, "Threshold": form.threshold}
    if form.missing:
        found["TreatMissingData"] = form.missing
    if form.evaluation:
        found["EvaluationState"] = form.evaluation
    if form.metrics:
        return found | {"Metrics": [_query(query, names) for query in form.metrics]}
    metric = {"Namespace": form.namespace, "MetricName": form.metric, "Statistic": form.statistic}
    return found | metric | {"Dimensions": _dimensions(form.dimensions, names)}


def _query(query: dict[str, Any], names: Names) -> dict[str, Any]:
    """A query as the API has it, with the dimensions in the short form."""
    if "MetricStat" not in query:
        return query
    stat = query["MetricStat"]
    metric = {**stat["Metric"], "Dimensions": _dimensions(stat["Metric"].get("Dimensions", {}), names)}
    return {**query, "MetricStat": {**stat, "Metric": metric}}


def _dimensions(dimensions: dict[str, str], names: Names) -> list[dict[str, str]]:
    def value(key: str, text: str) -> str:
        if key == "LoadBalancer" and text in names.scenario.load_balancers:
            return names.load_balancer_path(text)
        if key == "TargetGroup" and text in names.scenario.target_groups:
            return names.target_group(text).rpartition(":")[2]
        return names.zone_names.get(text, text) if key == "AvailabilityZone" else text

    return [{"Name": key, "Value": value(key, text)} for key, text in dimensions.items()]
