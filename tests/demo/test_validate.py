from __future__ import annotations

import datetime
from typing import Any

import pytest

from auditor.demo.extension.validate import ImpossibleAnswer, check_answer, check_target_health


def _health(**target_health: str) -> dict[str, Any]:
    return {"TargetHealthDescriptions": [{"Target": {"Id": "10.0.0.1", "Port": 80}, "TargetHealth": target_health}]}


def test_an_answer_that_aws_gives_passes() -> None:
    check_answer("elbv2", "DescribeTargetHealth", _health(State="healthy"))


def test_an_invented_state_is_refused_by_place() -> None:
    with pytest.raises(ImpossibleAnswer, match=r"TargetHealthDescriptions\[0\]\.TargetHealth\.State: 'banana'"):
        check_answer("elbv2", "DescribeTargetHealth", _health(State="banana"))


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        ({"items": [], "colour": "red"}, "no field 'colour'"),
        ({}, "'items' is always there"),
        ({"items": "none"}, "expected a list"),
        ({"items": [{"availabilityZones": [7]}]}, "expected text"),
        ({"items": [{"availabilityZones": [], "appliedWeights": {"use1-az1": "1"}}]}, "expected a number"),
        ({"items": [{"availabilityZones": [], "appliedWeights": {"use1-az1": True}}]}, "expected a number"),
        ({"items": [{"availabilityZones": [], "practiceRunStatus": "MAYBE"}]}, "'MAYBE' is none of"),
        ({"items": [{"availabilityZones": [], "arn": "short"}]}, "shorter than 8|does not match"),
        ({"items": [{"availabilityZones": [], "autoshifts": [{"appliedStatus": "APPLIED"}]}]}, "is missing"),
    ],
)
def test_impossible_answers_of_arc_are_refused(answer: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ImpossibleAnswer, match=complaint):
        check_answer("arc-zonal-shift", "ListManagedResources", answer)


def test_times_must_be_times() -> None:
    autoshift = {"awayFrom": "use1-az1", "startTime": "yesterday", "status": "ACTIVE"}
    with pytest.raises(ImpossibleAnswer, match="expected a time"):
        check_answer("arc-zonal-shift", "ListAutoshifts", {"items": [autoshift]})
    autoshift["startTime"] = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)  # type: ignore[assignment]
    check_answer("arc-zonal-shift", "ListAutoshifts", {"items": [autoshift]})


def test_whole_numbers_and_switches_are_no_text() -> None:
    group = {"TargetGroupArn": "a", "Port": "80"}
    with pytest.raises(ImpossibleAnswer, match="expected a whole number"):
        check_answer("elbv2", "DescribeTargetGroups", {"TargetGroups": [group]})
    with pytest.raises(ImpossibleAnswer, match="expected true or false"):
        check_answer("elbv2", "DescribeTargetGroups", {"TargetGroups": [{"HealthCheckEnabled": "true"}]})


@pytest.mark.parametrize(
    "health",
    [
        {"State": "banana"},
        {"State": "healthy", "Reason": "Target.Timeout"},
        {"State": "unhealthy"},
        {"State": "unhealthy", "Reason": "Target.NotInUse"},
        {"State": "unused", "Reason": "Target.Timeout"},
        {"State": "unhealthy", "Reason": "Target.OutOfLuck"},
    ],
)
def test_a_state_comes_only_with_its_reasons(health: dict[str, str]) -> None:
    with pytest.raises(ImpossibleAnswer):
        check_target_health(health)


def test_states_with_their_reasons_pass() -> None:
    check_target_health({"State": "healthy"})
    check_target_health({"State": "unhealthy", "Reason": "Target.ResponseCodeMismatch", "Description": "[301]"})
    check_target_health({"State": "unavailable", "Reason": "Target.HealthCheckDisabled"})
