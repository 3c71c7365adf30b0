"""What is asked of ECS: as little as the zones of services need, and nothing of it that may hold a secret is kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from auditor.collect.pace import rate_of
from auditor.model import ecs
from auditor.model.known import Outcome

from .scripted import DENIED, Script, failed, scan

MAIN, JOBS = "arn:aws:ecs:us-east-1:123456789012:cluster/main", "arn:aws:ecs:us-east-1:123456789012:cluster/jobs"
PROVIDER = {"capacityProvider": "cp", "weight": 1}
NETWORK = {"awsvpcConfiguration": {"subnets": ["subnet-1"]}}


def service(name: str, cluster: str = MAIN, **fields: Any) -> dict[str, Any]:
    arn = cluster.replace("cluster", "service") + f"/{name}"
    defaults = {"status": "ACTIVE", "desiredCount": 2, "runningCount": 2, "launchType": "FARGATE"}
    return {
        "serviceArn": arn,
        "serviceName": name,
        "clusterArn": cluster,
        "networkConfiguration": NETWORK,
        **defaults,
        **fields,
    }


def replies(services: Mapping[str, list[dict[str, Any]]], tasks: int = 0, instances: int = 0) -> dict[str, Any]:
    """An account with these services in its clusters; tasks and container instances are the same in each."""

    def described(key: str, asked: str, identity: str) -> Any:
        return lambda p: {key: [{identity: arn} for arn in p[asked]], "failures": []}

    known = {s["serviceArn"]: s for found in services.values() for s in found}
    return {
        "ecs:ListClusters": {"clusterArns": list(services)},
        "ecs:ListServices": lambda p: {"serviceArns": [s["serviceArn"] for s in services[p["cluster"]]]},
        "ecs:DescribeServices": lambda p: {"services": [known[a] for a in p["services"]], "failures": []},
        "ecs:ListTasks": lambda p: {"taskArns": [f"{p['cluster']}/task/{n}" for n in range(tasks)]},
        "ecs:DescribeTasks": described("tasks", "tasks", "taskArn"),
        "ecs:ListContainerInstances": lambda p: {
            "containerInstanceArns": [f"{p['cluster']}/instance/{n}" for n in range(instances)]
        },
        "ecs:DescribeContainerInstances": described("containerInstances", "containerInstances", "containerInstanceArn"),
        "ecs:DescribeCapacityProviders": described("capacityProviders", "capacityProviders", "name"),
    }


def run(services: Mapping[str, list[dict[str, Any]]], **more: int) -> Script:
    script = Script(replies(services, **more))
    scan(script)
    return script


def test_services_go_in_tens_and_tasks_in_hundreds() -> None:
    script = run({MAIN: [service(f"s{n}") for n in range(23)]}, tasks=230)
    assert script.counts("ecs") == {
        "ecs:ListClusters": 1,
        "ecs:ListServices": 1,
        "ecs:DescribeServices": 3,
        "ecs:ListTasks": 1,
        "ecs:DescribeTasks": 3,
    }
    assert script.asked("ecs:ListServices") == [{"cluster": MAIN, "maxResults": 100}]
    assert [len(p["services"]) for p in script.asked("ecs:DescribeServices")] == [10, 10, 3]
    assert {tuple(p["include"]) for p in script.asked("ecs:DescribeServices")} == {("TAGS",)}
    assert script.asked("ecs:ListTasks") == [{"cluster": MAIN, "desiredStatus": "RUNNING", "maxResults": 100}]
    assert [len(p["tasks"]) for p in script.asked("ecs:DescribeTasks")] == [100, 100, 30]


def test_an_account_without_clusters_costs_one_call() -> None:
    assert run({}).counts("ecs") == {"ecs:ListClusters": 1}


@pytest.mark.parametrize("fields", [{"runningCount": 0}, {"status": "DRAINING"}, {"status": "INACTIVE"}])
def test_a_cluster_in_which_no_service_runs_a_task_is_not_asked_for_tasks(fields: dict[str, Any]) -> None:
    script = run({MAIN: [service("web")], JOBS: [service("idle", JOBS, **fields)]}, tasks=1)
    assert [p["cluster"] for p in script.asked("ecs:ListTasks")] == [MAIN]


@pytest.mark.parametrize(
    ("fields", "asked"),
    [
        ({}, False),
        ({"launchType": "EC2"}, False),  # its subnets say the zones
        ({"launchType": "EC2", "networkConfiguration": None}, True),
        ({"launchType": "EC2", "networkConfiguration": None, "desiredCount": 0}, False),
        ({"launchType": "EC2", "networkConfiguration": None, "schedulingStrategy": "DAEMON"}, False),
        ({"launchType": "EC2", "networkConfiguration": None, "status": "DRAINING"}, False),
        ({"launchType": "EXTERNAL", "networkConfiguration": None}, False),
        ({"launchType": None, "networkConfiguration": None, "capacityProviderStrategy": [PROVIDER]}, True),
    ],
)
def test_container_instances_are_read_where_zones_follow_from_them(fields: dict[str, Any], asked: bool) -> None:
    script = run({MAIN: [service("web", **fields)]}, instances=101)
    assert len(script.asked("ecs:ListContainerInstances")) == asked
    assert [len(p["containerInstances"]) for p in script.asked("ecs:DescribeContainerInstances")] == [100, 1] * asked
    if asked:
        assert script.asked("ecs:ListContainerInstances") == [{"cluster": MAIN, "status": "ACTIVE", "maxResults": 100}]


def test_capacity_providers_are_read_by_name_in_tens_and_those_of_fargate_are_not() -> None:
    strategies = [
        [{"capacityProvider": f"cp{n}", "weight": 1}, {"capacityProvider": "FARGATE", "weight": 1}] for n in range(12)
    ]
    services = [service(f"s{n}", launchType=None, capacityProviderStrategy=s) for n, s in enumerate(strategies)]
    script = run({MAIN: [*services, service("again", launchType=None, capacityProviderStrategy=strategies[0])]})
    asked = script.asked("ecs:DescribeCapacityProviders")
    assert [len(p["capacityProviders"]) for p in asked] == [10, 2]
    assert sorted(n for p in asked for n in p["capacityProviders"]) == sorted(f"cp{n}" for n in range(12))


def test_nothing_that_may_hold_a_secret_is_written_down() -> None:
    secret = {"name": "TOKEN", "value": "hunter2"}
    log = {"logDriver": "splunk", "options": {"splunk-token": "hunter2"}}
    deployment = {
        "id": "ecs-svc/1",
        "rolloutState": "COMPLETED",
        "serviceConnectConfiguration": {"logConfiguration": log},
    }
    table = replies({MAIN: [service("web", deployments=[deployment], events=[{"message": "hunter2"}])]}, tasks=1)
    overrides = {"containerOverrides": [{"name": "app", "environment": [secret], "command": ["--token", "hunter2"]}]}
    table["ecs:DescribeTasks"] = lambda p: {
        "tasks": [{"taskArn": p["tasks"][0], "group": "service:web", "lastStatus": "RUNNING", "overrides": overrides}]
    }
    recorder, _ = scan(Script(table))
    assert not any(b"hunter2" in line for line in recorder.lines)
    (region,) = recorder.inventory().regions
    (task,) = region.listing(ecs.TASKS, f"{MAIN}/task/0")
    assert task.lastStatus == "RUNNING"
    (found,) = region.listing(ecs.SERVICES, service("web")["serviceArn"])
    assert found.deployments[0].rolloutState == "COMPLETED"


def test_what_is_missing_has_gone_and_the_scan_is_complete() -> None:
    table = replies({MAIN: [service("web"), service("old")]}, tasks=2)
    gone = service("old")["serviceArn"]
    table["ecs:DescribeServices"] = {
        "services": [service("web")],
        "failures": [{"arn": gone, "reason": "MISSING"}],
    }
    recorder, _ = scan(Script(table))
    inventory = recorder.inventory()
    (region,) = inventory.regions
    assert region.vanished(ecs.SERVICES, gone)
    assert not region.vanished(ecs.SERVICES, service("web")["serviceArn"])
    found = [(g.reason.outcome, g.reason.code, g.key) for g in inventory.gaps]
    assert found == [(Outcome.GONE, "MISSING", gone)]
    assert all(g.reason.outcome and g.reason.outcome.leaves_complete for g in inventory.gaps)


def test_another_failure_of_one_in_a_batch_is_a_gap() -> None:
    table = replies({MAIN: [service("web"), service("old")]})
    lost = service("old")["serviceArn"]
    table["ecs:DescribeServices"] = {"services": [service("web")], "failures": [{"arn": lost, "reason": "BUSY"}]}
    recorder, _ = scan(Script(table))
    inventory = recorder.inventory()
    assert [(g.reason.outcome, g.key) for g in inventory.gaps] == [(Outcome.FAILED, lost)]
    (region,) = inventory.regions
    assert not region.vanished(ecs.SERVICES, lost)
    assert not region.listing(ecs.SERVICES, lost).complete


def test_a_failure_may_name_a_provider_by_its_arn() -> None:
    use = [{"capacityProvider": "auto", "weight": 1}]
    table = replies({MAIN: [service("web", launchType=None, capacityProviderStrategy=use)]})
    arn = "arn:aws:ecs:us-east-1:123456789012:capacity-provider/auto"
    table["ecs:DescribeCapacityProviders"] = {"capacityProviders": [], "failures": [{"arn": arn, "reason": "MISSING"}]}
    (region,) = scan(Script(table))[0].inventory().regions
    assert region.vanished(ecs.CAPACITY_PROVIDERS, "auto")


def test_a_cluster_that_vanished_leaves_the_scan_complete() -> None:
    table = replies({MAIN: [service("web")]})
    table["ecs:ListServices"] = failed("ClusterNotFoundException", Outcome.GONE)
    recorder, _ = scan(Script(table))
    (region,) = recorder.inventory().regions
    assert region.vanished(ecs.SERVICE_ARNS, MAIN)
    assert not recorder.of("DescribeServices")


def test_a_denied_listing_is_followed_by_nothing() -> None:
    script = Script({**replies({MAIN: [service("web")]}), "ecs:ListServices": DENIED})
    scan(script)
    assert script.counts("ecs") == {"ecs:ListClusters": 1, "ecs:ListServices": 1}


def test_the_pace_stays_below_what_is_documented() -> None:
    """Buckets of 50 and 100 calls, 20 more a second, for all reads of clusters, services, tasks and instances together."""
    for pace in ("gentle", "normal", "full"):
        rate = rate_of("ecs", pace)
        assert rate.per_second < 20
        assert rate.burst < 50
