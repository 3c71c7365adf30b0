"""ECS as a scenario has it: clusters, services, tasks, container instances and capacity providers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from ...model import ecs
from ...model.read import AnyRead
from .asking import Asking
from .ecs_form import MANAGED, EcsCluster, EcsService, counted
from .form import Scenario, refuse
from .names import Names, digits
from .scaling import Fleet

_FIELDS = {"zone": f"attribute:{ecs.ZONE_ATTRIBUTE}"}
_SERVICES_A_CALL, _OTHERS_A_CALL, _PROVIDERS_A_CALL = 10, 100, 10


class _Instance(NamedTuple):
    arn: str
    id: str
    zone: str
    provider: str | None
    status: str


def ask(asking: Asking, form: Scenario, names: Names, fleet: Fleet) -> None:
    """Ask for everything of ECS, in as few calls as a scan does."""
    clusters = {names.arn("ecs", f"cluster/{name}"): name for name in form.ecs}
    for arn in asking.ask(ecs.CLUSTER_ARNS, list(clusters)):
        _Cluster(clusters[arn], arn, form, names, fleet).ask(asking)


class _Cluster:
    """One cluster with its answers."""

    def __init__(self, name: str, arn: str, scenario: Scenario, names: Names, fleet: Fleet) -> None:
        self._name, self._arn = name, arn
        self._form: EcsCluster = scenario.ecs[name]
        self._names, self._fleet = names, fleet
        self._instances = list(self._all_instances())
        self._numbers: dict[tuple[str, str], int] = {}

    def _call(
        self, asking: Asking, read: AnyRead, items: Sequence[dict[str, Any]], batch: Sequence[str], **more: Any
    ) -> list[dict[str, Any]]:
        lost = [{"arn": arn, "reason": "MISSING"} for arn in batch if arn not in {i[read.item_key] for i in items}]
        params = {"cluster": self._arn, read.key: list(batch), **more}
        return asking.ask(read, list(items), params, extra={"failures": lost})

    def _described(
        self,
        asking: Asking,
        read: AnyRead,
        known: dict[str, dict[str, Any]],
        wanted: Sequence[str],
        size: int,
        **more: Any,
    ) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        for start in range(0, len(wanted), size):
            batch = wanted[start : start + size]
            found += self._call(asking, read, [known[w] for w in batch if w in known], batch, **more)
        return found

    def ask(self, asking: Asking) -> None:
        """Ask for the services of the cluster, then for what their zones and groups follow from."""
        key = {"cluster": self._arn}
        services = {self._service_arn(n): self._service(n, s) for n, s in self._form.services.items()}
        listed = [*services, *(self._service_arn(n) for n in self._form.gone)]
        seen = asking.ask(ecs.SERVICE_ARNS, listed, key)
        described = self._described(asking, ecs.SERVICES, services, seen, _SERVICES_A_CALL, include=["TAGS"])
        shapes = [s for s in map(_as_shape, described) if ecs.active(s)]
        if any(ecs.runs_tasks(s) for s in shapes):
            tasks = {t["taskArn"]: t for t in self._tasks()}
            arns = asking.ask(ecs.TASK_ARNS, list(tasks), {**key, "desiredStatus": "RUNNING"})
            self._described(asking, ecs.TASKS, tasks, arns, _OTHERS_A_CALL)
        if any(ecs.placed_by_instances(s) for s in shapes):
            instances = {i.arn: self._instance(i) for i in self._instances}
            active = [i.arn for i in self._instances if i.status == "ACTIVE"]
            arns = asking.ask(ecs.CONTAINER_INSTANCE_ARNS, active, {**key, "status": "ACTIVE"})
            self._described(asking, ecs.CONTAINER_INSTANCES, instances, arns, _OTHERS_A_CALL)
        wanted = [p for s in shapes for p in ecs.providers_of(s) if p not in ecs.FARGATE_PROVIDERS]
        providers = {name: self._provider(name, behind) for name, behind in self._form.providers.items()}
        self._described(asking, ecs.CAPACITY_PROVIDERS, providers, list(dict.fromkeys(wanted)), _PROVIDERS_A_CALL)

    # Services

    def _service_arn(self, name: str) -> str:
        return self._names.arn("ecs", f"service/{self._name}/{name}")

    def _service(self, name: str, form: EcsService) -> dict[str, Any]:
        running = sum(self._count(value, name).get("", 0) for value in form.tasks.values())
        pending = sum(n for value in form.tasks.values() for status, n in self._count(value, name).items() if status)
        placed = self._placed(form)
        found: dict[str, Any] = {
            "serviceArn": self._service_arn(name),
            "serviceName": name,
            "clusterArn": self._arn,
            "status": form.status,
            "desiredCount": form.desired,
            "runningCount": running if form.running is None else form.running,
            "pendingCount": pending,
            "schedulingStrategy": form.scheduling,
            "deploymentController": {"type": form.controller},
            "deploymentConfiguration": {"maximumPercent": form.maximum_percent, "minimumHealthyPercent": 100},
            "placementStrategy": [_strategy(text) for text in form.placement],
            "placementConstraints": [{"type": "memberOf", "expression": e} for e in self._constraints(form)],
            "deployments": self._deployments(name, form),
            "taskSets": [],
            "tags": [{"key": k, "value": v} for k, v in form.tags.items()],
        }
        if form.rebalancing != "absent":
            found["availabilityZoneRebalancing"] = form.rebalancing
        if form.controller == "EXTERNAL":
            state = "STABILIZING" if form.deploying else "STEADY_STATE"
            found["taskSets"] = [{"id": "ecs-svc/1", "status": "PRIMARY", "stabilityStatus": state, **placed}]
            return found
        return found | placed

    def _placed(self, form: EcsService) -> dict[str, Any]:
        """What an external deployment keeps in a task set, and every other in the service."""
        balancers: list[dict[str, Any]] = []
        for number, group in enumerate(form.target_groups):
            entry: dict[str, Any] = {"targetGroupArn": self._names.target_group(group), "containerPort": 80}
            if number < len(form.alternates):
                alternate = self._names.target_group(form.alternates[number])
                entry["advancedConfiguration"] = {"alternateTargetGroupArn": alternate}
            balancers.append(entry)
        balancers += [{"targetGroupArn": self._names.target_group(g)} for g in form.lost_target_groups]
        balancers += [{"loadBalancerName": form.classic}] if form.classic else []
        found: dict[str, Any] = {"loadBalancers": balancers}
        if form.launch_type is not None:
            found["launchType"] = form.launch_type
        else:
            found["capacityProviderStrategy"] = [
                {"capacityProvider": p, "weight": 1, "base": 0} for p in form.providers
            ]
        subnets = [self._names.subnet(z) for z in form.subnets]
        subnets += [f"subnet-{digits(17, 'lost', s)}" for s in form.lost_subnets]
        if subnets:
            configuration = {
                "subnets": subnets,
                "securityGroups": ["sg-0a1b2c3d4e5f60718"],
                "assignPublicIp": "DISABLED",
            }
            found["networkConfiguration"] = {"awsvpcConfiguration": configuration}
        return found

    def _constraints(self, form: EcsService) -> list[str]:
        zones = ", ".join(self._names.zone_names[z] for z in form.pinned)
        pinned = [f"{_FIELDS['zone']} in [{zones}]"] if form.pinned else []
        return [*pinned, *form.constraints]

    def _deployments(self, name: str, form: EcsService) -> list[dict[str, Any]]:
        if form.controller != "ECS":
            return []
        state = "IN_PROGRESS" if form.deploying else "COMPLETED"
        found = [{"id": f"ecs-svc/{int(digits(8, name), 16)}", "status": "PRIMARY", "rolloutState": state}]
        return found + (
            [{"id": "ecs-svc/1", "status": "ACTIVE", "rolloutState": "COMPLETED"}] if form.deploying else []
        )

    # Tasks

    def _count(self, value: str | int, service: str) -> dict[str, int]:
        try:
            return counted(value)
        except ValueError:
            says = f"'{value}' is not numbers, each with a status or none"
            raise refuse(f"ecs.{self._name}.services.{service}.tasks", says) from None

    def _tasks(self) -> Iterator[dict[str, Any]]:
        for name, form in self._form.services.items():
            for zone, value in form.tasks.items():
                for status, number in self._count(value, name).items():
                    for _ in range(number):
                        yield self._task(name, form, zone, status or "RUNNING")
        for zone, number in self._form.standalone.items():
            for index in range(number):
                yield {
                    "taskArn": self._task_arn("standalone", zone, str(index)),
                    "clusterArn": self._arn,
                    "group": "family:job",
                    "lastStatus": "RUNNING",
                    "desiredStatus": "RUNNING",
                    "launchType": "FARGATE",
                    "availabilityZone": self._names.zone_names[zone],
                }

    def _task_arn(self, *parts: str) -> str:
        return self._names.arn("ecs", f"task/{self._name}/{digits(32, 'task', self._name, *parts)}")

    def _task(self, name: str, form: EcsService, zone: str, status: str) -> dict[str, Any]:
        number = self._numbers[name, zone] = self._numbers.get((name, zone), -1) + 1
        found: dict[str, Any] = {
            "taskArn": self._task_arn(name, zone, str(number)),
            "clusterArn": self._arn,
            "group": f"service:{name}",
            "lastStatus": status,
            "desiredStatus": "RUNNING",
        }
        if not form.unzoned:
            found["availabilityZone"] = self._names.zone_names[zone]
        if form.launch_type is not None:
            found["launchType"] = form.launch_type
        if form.subnets:
            index = self._numbers["targets", zone] = self._numbers.get(("targets", zone), -1) + 1
            address = self._fleet.address(form.target_groups[0] if form.target_groups else f"ecs/{name}", zone, index)
            details = {"subnetId": self._names.subnet(zone), "privateIPv4Address": address}
            found["attachments"] = [
                {
                    "id": digits(32, "eni", name, zone, str(number)),
                    "type": "ElasticNetworkInterface",
                    "status": "ATTACHED",
                    "details": [{"name": k, "value": v} for k, v in details.items()],
                }
            ]
        here = [i for i in self._instances if i.zone == zone]
        if here and form.launch_type != "FARGATE":
            found["containerInstanceArn"] = here[number % len(here)].arn
        return found

    # What tasks run on

    def _all_instances(self) -> Iterator[_Instance]:
        owners = {group: provider for provider, group in self._form.providers.items()}
        for group in dict.fromkeys([*self._form.of, *(g for g in self._form.providers.values() if g != MANAGED)]):
            for instance, zone in self._fleet.members(group):
                yield self._named(instance, zone, owners.get(group), "ACTIVE")
        for zone, value in self._form.instances.items():
            for status, number in counted(value).items():
                for index in range(number):
                    instance = f"i-{digits(17, 'ecs', self._name, zone, status, str(index))}"
                    yield self._named(instance, zone, None, status or "ACTIVE")

    def _named(self, instance: str, zone: str, provider: str | None, status: str) -> _Instance:
        path = f"container-instance/{self._name}/{digits(32, 'container', instance)}"
        return _Instance(self._names.arn("ecs", path), instance, zone, provider, status)

    def _instance(self, instance: _Instance) -> dict[str, Any]:
        attributes = {
            ecs.ZONE_ATTRIBUTE: self._names.zone_names[instance.zone],
            "ecs.instance-type": "m6i.large",
            **self._form.attributes.get(instance.zone, {}),
        }
        found: dict[str, Any] = {
            "containerInstanceArn": instance.arn,
            "ec2InstanceId": instance.id,
            "status": instance.status,
            "agentConnected": True,
            "attributes": [{"name": k, "value": v} for k, v in attributes.items() if v != "absent"],
        }
        return found | ({"capacityProviderName": instance.provider} if instance.provider else {})

    def _provider(self, name: str, behind: str) -> dict[str, Any]:
        found: dict[str, Any] = {"name": name, "status": "ACTIVE"}
        if behind == MANAGED:
            return {**found, "cluster": self._name, "managedInstancesProvider": {"propagateTags": "NONE"}}
        group = self._names.auto_scaling_group(behind)
        return {**found, "autoScalingGroupProvider": {"autoScalingGroupArn": group}}


def _strategy(text: str) -> dict[str, str]:
    kind, _, field = text.partition(" ")
    return {"type": kind, "field": _FIELDS.get(field, field)} if field else {"type": kind}


def _as_shape(service: dict[str, Any]) -> ecs.Service:
    return msgspec.convert(service, ecs.Service, strict=False)
