"""Practice runs: what their records, windows and alarms say, each documented value by itself."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from auditor.derive.alarms import PracticeAlarms
from auditor.derive.practice_runs import History
from auditor.derive.practice_windows import too_tight, window
from auditor.derive.zones import zone_map
from auditor.model import arc, cloudwatch
from auditor.model.cloudwatch import alarm_name
from auditor.model.known import Outcome

from .region import A, B, answer, estate, items, region, subject, unknown

NOW = datetime(2026, 11, 30, 8, 0, 20, tzinfo=UTC)  # a Monday
LB = "arn:aws:elasticloadbalancing:us-east-1:123456789012:loadbalancer/app/web/0123456789abcdef"
NLB = "arn:aws:elasticloadbalancing:us-east-1:123456789012:loadbalancer/net/tcp/0123456789abcdef"
HERE = "arn:aws:cloudwatch:us-east-1:123456789012:alarm:"


def run(day, outcome="SUCCEEDED", away="use1-az1", kind="PRACTICE_RUN", status="EXPIRED", **more):
    found = {
        "zonalShiftId": f"s-{day}",
        "resourceIdentifier": LB,
        "awayFrom": away,
        "startTime": f"2026-11-{day:02}T10:00:00Z",
        "expiryTime": f"2026-11-{day:02}T10:01:00Z",
        "status": status,
        **more,
    }
    found |= {"practiceRunOutcome": outcome} if outcome else {}
    return found | ({"shiftType": kind} if kind else {})


def history(*shifts, **more):
    inventory = region(items(arc.ZONAL_SHIFTS, shifts, **more))
    return History(inventory, zone_map(inventory), NOW)


# Records


def test_the_newest_finished_run_counts_whatever_the_order():
    assert history(run(10), run(24, "FAILED"), run(17)).last_outcome(LB) == "FAILED"
    assert history(run(24), run(29, "PENDING", status="ACTIVE")).last_outcome(LB) == "SUCCEEDED"
    assert history().last_outcome(LB) is None
    assert history(run(24)).last_outcome(NLB) is None


def test_the_reason_of_a_failed_capacity_check_is_its_comment():
    words = history(run(24, "CAPACITY_CHECK_FAILED", comment="hosts differ")).last_words(LB)
    assert "2026-11-24" in words
    assert words.endswith("ended CAPACITY_CHECK_FAILED, with the comment: hosts differ")
    assert history().last_words(LB) == "there is no record of a finished practice run"


def test_an_outcome_arc_does_not_report_is_unknown_not_none():
    silent = history(run(24, None), run(17))
    assert unknown(silent.last_outcome(LB))
    assert unknown(silent.interrupted_in_a_row(LB))
    assert "unreported" in silent.last_words(LB)
    assert unknown(history(run(24, startTime=None)).last_outcome(LB))


def test_a_record_without_type_is_a_customer_shift_unless_it_has_an_outcome():
    assert history(run(24, None, kind=None)).last_outcome(LB) is None
    assert history(run(24, "FAILED", kind=None)).last_outcome(LB) == "FAILED"


@pytest.mark.parametrize(
    ("outcomes", "count"),
    [(["INTERRUPTED", "INTERRUPTED", "SUCCEEDED", "INTERRUPTED"], 2), (["SUCCEEDED", "INTERRUPTED"], 0), ([], 0)],
)
def test_interruptions_are_counted_back_to_the_first_other_end(outcomes, count):
    runs = [run(28 - n, outcome) for n, outcome in enumerate(outcomes)]
    assert history(*runs).interrupted_in_a_row(LB) == count


def test_overdue_needs_proof_that_runs_were_configured_14_days_ago():
    assert history(run(17)).overdue(LB) is False
    assert history(run(10)).overdue(LB) is True
    assert history(run(10), run(24, "FAILED")).overdue(LB) is True
    assert history(run(10), run(24)).overdue(LB) is False
    assert unknown(history(run(24, "FAILED")).overdue(LB))
    assert unknown(history().overdue(LB))
    assert unknown(history(run(10), run(24, None)).overdue(LB))
    edge = run(16, startTime="2026-11-16T08:00:20Z")
    assert history(edge).overdue(LB) is False
    assert history({**edge, "startTime": "2026-11-16T08:00:19Z"}).overdue(LB) is True


def by_name(*shifts, **more):
    """With a map of zones, so that the zone of the estate and ARC's ID are the same."""
    from auditor.model import ec2

    zones = items(
        ec2.AVAILABILITY_ZONES,
        [{"ZoneName": "us-east-1a", "ZoneId": "use1-az1"}, {"ZoneName": "us-east-1b", "ZoneId": "use1-az2"}],
    )
    inventory = region(zones, items(arc.ZONAL_SHIFTS, shifts, **more))
    return History(inventory, zone_map(inventory), NOW)


def test_which_records_show_that_a_zone_was_left():
    assert by_name(run(24)).practised(LB, A) is True
    assert by_name(run(24)).practised(LB, B) is False
    assert by_name(run(24, "FAILED")).practised(LB, A) is False
    assert by_name(run(24, None, kind="ZONAL_SHIFT")).practised(LB, A) is True
    assert by_name(run(24, None, kind=None, status="CANCELED")).practised(LB, A) is True
    assert by_name(run(24, None, kind="ZONAL_SHIFT", status="ACTIVE")).practised(LB, A) is False
    assert by_name(run(24, None, kind="FIS_EXPERIMENT")).practised(LB, A) is False
    assert unknown(by_name(run(24, None)).practised(LB, A))


def test_a_list_that_was_cut_proves_what_it_shows_and_nothing_else():
    cut = by_name(run(24), more=True)
    assert cut.practised(LB, A) is True
    assert unknown(cut.practised(LB, B), "arc-zonal-shift:ListZonalShifts")
    assert unknown(cut.last_outcome(LB))
    assert cut.overdue(LB) is False
    denied = region(answer(arc.ZONAL_SHIFTS, fails=Outcome.DENIED))
    assert unknown(History(denied, zone_map(denied), NOW).overdue(LB), "arc-zonal-shift:ListZonalShifts")


# Windows


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("Mon:08:00-Mon:18:00", (480, 1080)),
        ("Tue:00:00-Tue:23:59", (1440, 2880)),
        ("sun:10:00-sun:10:30", (9240, 9270)),
        ("Mon:08:00-Tue:09:00", None),
        ("Mon:10:00-Mon:10:00", None),
        ("Mon:25:00-Mon:26:00", None),
        ("Someday", None),
    ],
)
def test_windows_are_of_one_day_in_utc(text, span):
    assert window(text) == span


def tight(**given):
    return too_tight(arc.PracticeRunConfiguration(**given), NOW)


DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def whole(*days):
    return [f"{d}:00:00-{d}:23:59" for d in days]


def test_windows_that_leave_room():
    assert tight() == ""
    assert tight(allowedWindows=["Mon:09:00-Mon:09:30"]) == ""
    assert tight(allowedWindows=["Mon:09:00-Mon:09:20", "Mon:09:20-Mon:09:40"]) == ""
    assert tight(allowedWindows=["Mon:23:45-Mon:23:59", "Tue:00:00-Tue:00:15"]) == ""
    assert tight(allowedWindows=["Sun:23:45-Sun:23:59", "Mon:00:00-Mon:00:15"]) == ""
    assert tight(blockedWindows=whole(*DAYS[:6])) == ""
    assert tight(blockedDates=[f"2026-12-{d:02}" for d in range(1, 14)]) == ""
    assert tight(blockedDates=["soon"]) == ""


def test_windows_that_leave_none():
    assert "allowed window" in tight(allowedWindows=["Mon:09:00-Mon:09:29"])
    assert "6 days" in tight(blockedWindows=[*whole(*DAYS[:6]), "Sun:09:00-Sun:09:01"])
    assert "blocked date" in tight(blockedDates=["2026-11-30", *(f"2026-12-{d:02}" for d in range(1, 14))])
    every_hour = [f"{d}:{h:02}:00-{d}:{h:02}:31" for d in DAYS for h in range(24)]
    assert "leave no" in tight(blockedWindows=every_hour)
    assert unknown(tight(allowedWindows=["MON-FRI"]))


# Alarms


def alarms(*metric, composite=(), fails=None, more=False):
    response = {"MetricAlarms": list(metric), "CompositeAlarms": list(composite)}
    page = answer(cloudwatch.ALARMS, response, {"AlarmNames": ["x"]}, fails=fails, more=more)
    return PracticeAlarms(region(page), NOW)


def alarm(name="errors", **more):
    return {"AlarmName": name, "AlarmArn": HERE + name, "StateValue": "OK", **more}


def configured(*outcome, blocking=()):
    def conditions(arns):
        return [arc.ControlCondition(type="CLOUDWATCH", alarmIdentifier=a) for a in arns]

    return arc.PracticeRunConfiguration(outcomeAlarms=conditions(outcome), blockingAlarms=conditions(blocking))


def test_the_name_of_an_alarm_may_hold_colons_and_is_of_this_account_and_region():
    assert alarm_name(HERE + "a:b c", "123456789012", "us-east-1") == "a:b c"
    assert alarm_name(HERE + "a", "123456789012", "eu-west-1") == ""
    assert alarm_name(HERE + "a", "111122223333", "us-east-1") == ""
    assert alarm_name("arn:aws:sns:us-east-1:123456789012:alarm:a", "123456789012", "us-east-1") == ""


def problem(one, role="outcome", **page):
    names = {role: [HERE + "errors"]}
    configuration = configured(*names.get("outcome", ()), blocking=names.get("blocking", ()))
    found = alarms(*([one] if one else ()), **page).broken(configuration)
    return found if unknown(found) else [b.problem for b in found]


@pytest.mark.parametrize(
    ("state", "since", "role", "broken"),
    [
        ("OK", "2026-01-01T00:00:00Z", "outcome", False),
        ("INSUFFICIENT_DATA", "2026-11-29T08:00:19Z", "outcome", True),
        ("INSUFFICIENT_DATA", "2026-11-29T08:00:20Z", "outcome", False),
        ("INSUFFICIENT_DATA", "2026-11-29T08:00:19Z", "blocking", True),
        ("ALARM", "2026-01-01T00:00:00Z", "outcome", False),
        ("ALARM", "2026-11-23T08:00:19Z", "blocking", True),
        ("ALARM", "2026-11-23T08:00:20Z", "blocking", False),
    ],
)
def test_a_state_breaks_an_alarm_when_it_lasts(state, since, role, broken):
    assert bool(problem(alarm(StateValue=state, StateTransitionedTimestamp=since), role)) is broken


def test_the_state_is_as_old_as_its_last_change():
    young = alarm(
        StateValue="INSUFFICIENT_DATA",
        StateTransitionedTimestamp="2026-11-30T07:00:00Z",
        StateUpdatedTimestamp="2026-11-01T07:00:00Z",
    )
    assert problem(young) == []
    old = alarm(StateValue="INSUFFICIENT_DATA", StateUpdatedTimestamp="2026-11-01T07:00:00Z")
    assert problem(old) == ["it has had no data since 2026-11-01 07:00 UTC"]
    assert unknown(problem(alarm(StateValue="INSUFFICIENT_DATA")))


def test_missing_alarms():
    assert "no alarm of this name" in problem(None)[0]
    assert unknown(problem(None, fails=Outcome.DENIED), "cloudwatch:DescribeAlarms")
    assert unknown(problem(None, more=True))
    assert problem(alarm(), more=True) == []
    assert problem(alarm(EvaluationState="EVALUATION_ERROR")) == ["CloudWatch cannot evaluate it"]
    assert problem(alarm(EvaluationState="PARTIAL_DATA")) == []
    assert problem(None, composite=[alarm(AlarmRule="ALARM(x)")]) == []
    elsewhere = alarms(alarm()).broken(configured("arn:aws:cloudwatch:eu-west-1:123456789012:alarm:errors"))
    assert "eu-west-1" in elsewhere[0].problem


def zonal(lb=LB, metric="RequestCount", namespace="AWS/ApplicationELB", zone="us-east-1a", **more):
    dimensions = [{"Name": "LoadBalancer", "Value": lb.partition(":loadbalancer/")[2]}]
    dimensions += [{"Name": "AvailabilityZone", "Value": zone}] if zone else []
    found = {"Namespace": namespace, "MetricName": metric, "Dimensions": dimensions, "Statistic": "Sum"}
    return alarm(**found, ComparisonOperator="LessThanThreshold", **more)


def trips(one, lb=LB):
    return alarms(one).self_tripping(configured(HERE + "errors"), lb)


@pytest.mark.parametrize(
    ("one", "lb"),
    [
        (zonal(), LB),
        (zonal(metric="HealthyHostCount"), LB),
        (zonal(NLB, "ZonalHealthStatus", "AWS/NetworkELB"), NLB),
        (zonal(NLB, "ZonalHealthStatus", "AWS/NetworkELB", zone="") | {"Statistic": "Minimum"}, NLB),
        (zonal(NLB, "NewFlowCount", "AWS/NetworkELB"), NLB),
        (zonal() | {"ComparisonOperator": "LessThanOrEqualToThreshold"}, LB),
    ],
)
def test_an_own_zonal_series_that_falls_trips_itself(one, lb):
    assert trips(one, lb) == ("errors",)


@pytest.mark.parametrize(
    ("one", "lb"),
    [
        (zonal() | {"ComparisonOperator": "GreaterThanThreshold"}, LB),
        (zonal(zone=""), LB),
        (zonal(metric="HTTPCode_Target_5XX_Count"), LB),
        (zonal(NLB, "ZonalHealthStatus", "AWS/NetworkELB", zone="") | {"Statistic": "Maximum"}, NLB),
        (zonal(), LB.replace("/web/", "/other/")),
        (zonal(namespace="AWS/NetworkELB"), LB),
    ],
)
def test_other_series_do_not(one, lb):
    assert trips(one, lb) == ()


def test_what_cannot_be_resolved_is_unknown():
    composite = alarms(composite=[alarm(AlarmRule="ALARM(x)")])
    assert unknown(composite.self_tripping(configured(HERE + "errors"), LB))
    assert unknown(trips(alarm(EvaluationCriteria={"PromQLCriteria": {"Query": "up"}})))
    assert unknown(trips(alarm(Metrics=[{"Id": "e", "Expression": "SEARCH('x', 'Sum', 60)"}])))
    own = zonal()
    stat = {"Metric": {k: own[k] for k in ("Namespace", "MetricName", "Dimensions")}, "Period": 60, "Stat": "Sum"}
    assert unknown(trips(alarm(Metrics=[{"Id": "m", "MetricStat": stat}])))
    stat = {"Metric": {"Namespace": "Shop", "MetricName": "Orders"}, "Period": 60, "Stat": "Sum"}
    assert trips(alarm(Metrics=[{"Id": "m", "MetricStat": stat}])) == ()


# All together


ESTATE = """
load_balancers: {web: {type: application, zones: [a, b], attributes: {zonal_shift.config.enabled: "true"}}}
arc: {practice: {web: {outcome: [errors], allowed: ["Mon:09:00-Mon:09:10"]}}, autoshift: [web]}
"""


def test_a_managed_resource():
    node = subject(estate(ESTATE), "ManagedResource", "web")
    assert (node.practice_configured, node.autoshift_enabled, node.last_run_outcome) == (True, True, None)
    assert [b.name for b in node.broken_alarms] == ["errors"]
    assert "30 minutes" in node.windows_problem
    silent = subject(
        estate(ESTATE, change={"arc": {"unsaid": {"web": ["practiceRunStatus", "zonalAutoshiftStatus"]}}}),
        "ManagedResource",
        "web",
    )
    for value in (silent.practice_configured, silent.autoshift_enabled, silent.windows_problem, silent.broken_alarms):
        assert unknown(value)


def test_without_a_configuration_nothing_is_wrong_with_it():
    node = subject(estate(ESTATE, change={"arc": {"practice": None}}), "ManagedResource", "web")
    assert (node.practice_configured, node.windows_problem, node.broken_alarms) == (False, "", ())
    assert node.self_tripping_alarms == ()


def test_the_configuration_is_denied():
    node = subject(estate(ESTATE, deny=["arc-zonal-shift:GetManagedResource"]), "ManagedResource", "web")
    for value in (node.windows_problem, node.broken_alarms, node.self_tripping_alarms):
        assert unknown(value, "arc-zonal-shift:GetManagedResource")
