"""What can be chosen beside the core, and that what was not chosen is not asked."""

from __future__ import annotations

from typing import Any

import pytest

from auditor.collect import chosen_calls, declared, declared_actions
from auditor.collect.call import Call, once
from auditor.model import cloudwatch, elbv2, services
from auditor.model.catalogue import all_reads
from auditor.model.known import Outcome
from auditor.model.metrics import METRICS
from auditor.model.services import SERVICES, chosen

from .estate import ALB, alarm, estate
from .scripted import DENIED, Script, failed, scan


def asked(*names: str) -> set[str]:
    script = Script(estate())
    scan(script, services=names)
    return set(script.counts())


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ((), {s.name for s in SERVICES.values() if s.default}),
        (("default",), {s.name for s in SERVICES.values() if s.default}),
        (("all",), set(SERVICES)),
        (("none",), set()),
        (("rds",), {"rds"}),
        (("rds", "nat", "rds"), {"nat", "rds"}),
        (("default", "capacity-reservations"), {s.name for s in SERVICES.values() if s.default} | {"capacity-reservations"}),
    ],
)  # fmt: skip
def test_words_choose_services(words: tuple[str, ...], names: set[str]) -> None:
    assert chosen(words) == tuple(sorted(names))


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("rsd",), "did you mean `rds`"),
        (("defualt",), "did you mean `default`"),
        (("xyz",), "known are alarms, all, "),
        (("default", "elbv2"), "'elbv2' is always read; what can be chosen is alarms, "),
        (("EKS",), "'EKS' is always read"),
        (("none", "rds"), "cannot stand with other words"),
    ],
)
def test_a_word_that_is_no_service_is_refused(words: tuple[str, ...], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        chosen(words)


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_reads_something_of_its_own_and_says_what(name: str) -> None:
    with_it, without = set(chosen_calls([name])), set(chosen_calls([]))
    assert with_it - without
    service = SERVICES[name]
    assert service.says
    assert not service.says.endswith(".")
    assert service.default or service.costs
    assert set(declared_actions([name])) > set(declared_actions([]))


def test_a_read_is_of_the_core_or_of_one_service_and_all_are_there() -> None:
    # Metrics have an option of their own, since they are billed and look back over a time.
    assert METRICS.name not in SERVICES
    assert {r.option.name for r in all_reads() if r.option} <= {*SERVICES, METRICS.name}
    assert set(chosen_calls([*SERVICES, METRICS.name])) == set(declared()) == set(chosen_calls(None))


def test_what_was_not_chosen_is_not_asked() -> None:
    core = asked()
    assert {"elbv2:DescribeLoadBalancers", "elb:DescribeLoadBalancers", "eks:ListClusters"} <= core
    assert not any(name.startswith(("ecs:", "rds:", "elasticache:")) for name in core)
    assert not core & {"ec2:DescribeNatGateways", "cloudwatch:ListAlarmMuteRules"}
    assert asked("ecs") - core == {"ecs:ListClusters"}
    assert asked("nat") - core == {"ec2:DescribeNatGateways"}
    assert asked("elasticache") - core == {"elasticache:DescribeReplicationGroups"}
    assert asked("alarms") - core == {"cloudwatch:ListAlarmMuteRules"}
    assert asked("capacity-reservations") - core == {"elbv2:DescribeCapacityReservation"}


@pytest.mark.parametrize("code", ["UnsupportedFeature", "OperationNotPermitted"])
def test_a_load_balancer_that_knows_no_reservations_has_none(code: str) -> None:
    script = Script(estate() | {"elbv2:DescribeCapacityReservation": failed(code, Outcome.FAILED)})
    recorder, _ = scan(script, services=["capacity-reservations"])
    answers = recorder.of("DescribeCapacityReservation")
    assert [a.error for a in answers] == [None] * 4
    (region,) = recorder.inventory().regions
    found = region.one(elbv2.CAPACITY_RESERVATION, ALB)
    assert found == elbv2.CapacityReservation()


def without_alarms(**replies: Any) -> list[dict[str, Any]]:
    script = Script(estate() | {name.replace("__", ":"): reply for name, reply in replies.items()})
    scan(script, services=[])
    return script.asked("cloudwatch:DescribeAlarms")


def test_without_alarms_those_that_practice_runs_name_are_read_by_name() -> None:
    types = ["MetricAlarm", "CompositeAlarm", "LogAlarm"]
    assert without_alarms() == [{"AlarmNames": ["a:b", "errors"], "AlarmTypes": types, "MaxRecords": 100}]
    assert not without_alarms(**{"arc-zonal-shift__GetManagedResource": DENIED})
    assert not without_alarms(**{"arc-zonal-shift__GetManagedResource": {"arn": ALB}})
    conditions = [{"type": "CLOUDWATCH", "alarmIdentifier": alarm(f"a{n:03}")} for n in range(205)]
    configuration = {"practiceRunConfiguration": {"outcomeAlarms": conditions}}
    found = without_alarms(**{"arc-zonal-shift__GetManagedResource": configuration})
    assert [len(params["AlarmNames"]) for params in found] == [100, 100, 5]


@pytest.mark.parametrize(
    "fields",
    [
        {"service": services.ALARMS},
        {"otherwise": Call(cloudwatch.ALARMS)},
        {"service": services.ALARMS, "otherwise": Call(cloudwatch.ALARM_MUTE_RULES)},
    ],
)
def test_a_call_with_a_service_says_what_is_asked_without_it(fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="without"):
        Call(cloudwatch.ALARMS, once(), **fields)
