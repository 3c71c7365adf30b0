"""What alarms watch, whom they reach, and what composite alarms count on."""

from __future__ import annotations

import msgspec
import pytest
import yaml

from auditor.derive.alarm_rule import counted_on
from auditor.derive.alarm_series import texts, watches
from auditor.derive.build import derive
from auditor.evaluate.scenario import answers
from auditor.model import cloudwatch
from auditor.model.known import Unknown
from auditor.record.decode import decode

from .region import A, B, C, estate, subject

ESTATE = """
load_balancers:
  edge: {type: network, zones: [a, b, c], listeners: [{port: 443, protocol: TCP, default: {forward: tcp}}]}
target_groups: {tcp: {type: ip, protocol: TCP, targets: {a: 2 healthy, b: 2 healthy, c: 2 healthy}}}
unwatched: [edge]
"""


def alarms(change=None, deny=()):
    return subject(estate(ESTATE, change=change, deny=deny), "LoadBalancerAlarms", "edge")


def zonal(**more):
    found = {"namespace": "AWS/NetworkELB", "metric": "ZonalHealthStatus", "dimensions": {"LoadBalancer": "edge"}}
    return {**found, "statistic": "Minimum", "comparison": "LessThanThreshold", "threshold": 1, **more}


def lacking(**named):
    return alarms({"alarms": named}).zones_without_health_alarm


@pytest.mark.parametrize(
    ("rule", "names"),
    [
        ("ALARM(a)", {"a"}),
        ('ALARM("a b")', {"a b"}),
        ("ALARM('a')", {"a"}),
        ("ALARM(a) OR (ALARM(b) AND NOT ALARM(c))", {"a", "b"}),
        ("NOT (NOT ALARM(a))", {"a"}),
        ("NOT (ALARM(a) OR OK(b))", set()),
        ("OK(a) AND INSUFFICIENT_DATA(b)", set()),
        ("TRUE", set()),
        (
            "ALARM(arn:aws:cloudwatch:us-east-1:123456789012:alarm:a)",
            {"arn:aws:cloudwatch:us-east-1:123456789012:alarm:a"},
        ),
        ("  ALARM( a )\n OR\n ALARM(b)  ", {"a", "b"}),
    ],
)
def test_what_a_composite_alarm_counts_on(rule, names):
    assert counted_on(rule) == names


@pytest.mark.parametrize(
    "rule", ["", "ALARM(", "ALARM(a) OR", "ALARM(a) ALARM(b)", "AT_LEAST(2, ALARM, (a, b))", "(" * 500]
)
def test_a_rule_in_another_form_is_not_known(rule):
    assert isinstance(counted_on(rule), Unknown)


def metric_alarm(**given):
    return msgspec.convert({"AlarmName": "x", **given}, cloudwatch.MetricAlarm)


def stat(name, metric="M"):
    return {
        "Id": name,
        "ReturnData": False,
        "MetricStat": {"Stat": "Minimum", "Metric": {"Namespace": "N", "MetricName": metric}},
    }


@pytest.mark.parametrize(
    ("expression", "comparison", "proven"),
    [
        ("MIN([a, b])", "LessThanThreshold", [True, True]),
        ("MIN(METRICS())", "LessThanOrEqualToThreshold", [True, True]),
        ("MAX([a,b])", "GreaterThanThreshold", [True, True]),
        ("MIN([a, b])", "GreaterThanThreshold", [False, False]),
        ("MAX([a, b])", "LessThanThreshold", [False, False]),
        ("FILL(a, 0)", "LessThanThreshold", [True, False]),
        ("a", "LessThanThreshold", [True, False]),
        ("a + b", "LessThanThreshold", [False, False]),
        ("IF(a < 1, 0, b)", "LessThanThreshold", [False, False]),
    ],
)
def test_which_series_of_an_expression_set_it_off_alone(expression, comparison, proven):
    alarm = metric_alarm(
        Metrics=[stat("a"), stat("b"), {"Id": "e", "Expression": expression}],
        ComparisonOperator=comparison,
        Threshold=1,
    )
    assert [w.proven for w in watches(alarm)] == proven


def test_an_expression_over_expressions():
    queries = [
        stat("a"),
        stat("b"),
        {"Id": "m", "Expression": "MIN([a, b])", "ReturnData": False},
        {"Id": "f", "Expression": "FILL(m, 0)"},
    ]
    alarm = metric_alarm(Metrics=queries, ComparisonOperator="LessThanThreshold", Threshold=1)
    assert [w.proven for w in watches(alarm)] == [True, True]
    circle = [{"Id": "m", "Expression": "f", "ReturnData": False}, {"Id": "f", "Expression": "m"}]
    assert watches(metric_alarm(Metrics=circle, ComparisonOperator="LessThanThreshold", Threshold=1)) == ()


def test_a_band_is_never_proven():
    alarm = metric_alarm(
        Namespace="N", MetricName="M", ComparisonOperator="LessThanLowerThreshold", ThresholdMetricId="b"
    )
    assert [w.proven for w in watches(alarm)] == [False]


@pytest.mark.parametrize(
    ("comparison", "threshold", "fires"),
    [
        ("LessThanThreshold", 1, [True, False, False]),
        ("LessThanOrEqualToThreshold", 1, [True, True, False]),
        ("GreaterThanThreshold", 1, [False, False, True]),
        ("GreaterThanOrEqualToThreshold", 1, [False, True, True]),
    ],
)
def test_when_an_alarm_fires(comparison, threshold, fires):
    alarm = metric_alarm(Namespace="N", MetricName="M", ComparisonOperator=comparison, Threshold=threshold)
    assert [watches(alarm)[0].fires_at(v) for v in (0, 1, 2)] == fires


def test_searches_and_queries_have_no_series():
    searching = metric_alarm(Metrics=[{"Id": "q", "Expression": "SEARCH('{N,A} M', 'Sum', 60)"}])
    assert watches(searching) == ()
    assert texts(searching) == ("SEARCH('{N,A} M', 'Sum', 60)",)
    asking = metric_alarm(EvaluationCriteria={"PromQLCriteria": {"Query": "up"}})
    assert watches(asking) == ()
    assert "up" in texts(asking)[0]


def test_the_minimum_of_the_load_balancer_covers_its_zones():
    assert lacking(z=zonal()) == ()
    assert lacking(z=zonal(statistic="Maximum")) == (A, B, C)


def test_an_average_covers_them_only_where_one_zone_makes_the_difference():
    assert lacking(z=zonal(statistic="Average", threshold=1)) == ()
    assert lacking(z=zonal(statistic="Average", threshold=0.6)) == (A, B, C)


def test_one_zone_each():
    assert lacking(z=zonal(dimensions={"LoadBalancer": "edge", "AvailabilityZone": "b"})) == (A, C)


def test_a_composite_of_a_composite_reaches_somebody():
    chain = {"z": zonal(acts=False), "mid": {"rule": "ALARM(z)", "acts": False}, "top": {"rule": "ALARM(mid)"}}
    assert lacking(**chain) == ()
    assert lacking(**{**chain, "top": {"rule": "ALARM(mid)", "enabled": False}}) == (A, B, C)


def test_composites_that_count_on_each_other_end():
    circle = {
        "z": zonal(acts=False),
        "x": {"rule": "ALARM(z) OR ALARM(y)", "acts": False},
        "y": {"rule": "ALARM(x)", "acts": False},
    }
    assert lacking(**circle) == (A, B, C)


def test_a_composite_in_another_form_matters_only_where_it_names_the_alarm():
    odd = {"z": zonal(acts=False), "odd": {"rule": "AT_LEAST(1, ALARM, (z))"}}
    assert isinstance(lacking(**odd), Unknown)
    assert lacking(**{**odd, "odd": {"rule": "AT_LEAST(1, ALARM, (other-thing-entirely))"}, "q": zonal()}) == ()


def test_an_alarm_that_is_found_is_enough_though_an_expression_is_not_worked_out():
    searched = {
        "comparison": "LessThanThreshold",
        "threshold": 1,
        "metrics": [{"Id": "q", "Expression": "SEARCH('{AWS/NetworkELB} x', 'Sum', 60)"}],
    }
    assert lacking(z=zonal(), s=searched) == ()
    assert isinstance(lacking(s=searched), Unknown)


def test_a_search_of_another_service_is_no_doubt():
    searched = {
        "comparison": "LessThanThreshold",
        "threshold": 1,
        "metrics": [{"Id": "q", "Expression": "SEARCH('{AWS/EC2} CPU', 'Sum', 60)"}],
    }
    assert lacking(s=searched) == (A, B, C)


def test_whether_an_alarm_is_muted_matters_where_there_is_one():
    denied = ["cloudwatch:ListAlarmMuteRules"]
    assert alarms(deny=denied).zones_without_health_alarm == (A, B, C)
    assert isinstance(alarms({"alarms": {"z": zonal()}}, denied).zones_without_health_alarm, Unknown)


def test_an_older_recording_that_asked_for_named_alarms_only_proves_no_absence():
    scenario = {"zones": {"a": A.id, "b": B.id, "c": C.id}, **yaml.safe_load(ESTATE)}
    pages, header, footer = answers(scenario)
    older = [p for p in pages if p.operation != "ListAlarmMuteRules"]
    (model,) = derive(decode(older, header, footer)).regions
    node = subject(model, "LoadBalancerAlarms", "edge")
    for fact in ("zones_without_health_alarm", "places_without_host_alarm", "fail_open_watched", "useless_alarms"):
        assert isinstance(getattr(node, fact), Unknown), fact


def test_places_are_named_by_group_and_zone():
    assert alarms().places_without_host_alarm == tuple(f"tcp in {z}" for z in (A, B, C))
    assert alarms().dimension.startswith("net/edge/")
