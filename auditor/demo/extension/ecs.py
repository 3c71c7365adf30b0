"""moto's ECS with services that run tasks: spread over zones, with a zone and an address each, registered where they belong."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Mapping
from typing import Any

from moto.ec2.models import ec2_backends
from moto.ecs.models import EC2ContainerServiceBackend, Task
from moto.elbv2.models import elbv2_backends
from moto.moto_api._internal import mock_random

from .interfaces import free_address
from .validate import check_part

# Request field, the attribute under which moto's serialiser finds it again, and the shape it must fit.
_KEPT = {
    "availabilityZoneRebalancing": ("availability_zone_rebalancing", "AvailabilityZoneRebalancing"),
    "capacityProviderStrategy": ("capacity_provider_strategy", "CapacityProviderStrategy"),
    "placementStrategy": ("placement_strategy", "PlacementStrategies"),
}


class DemoECSBackend(EC2ContainerServiceBackend):
    """ECS of one account and region."""

    __module__ = EC2ContainerServiceBackend.__module__

    def settle(self, cluster_name: str, name: str, params: Mapping[str, Any]) -> None:
        """Keep what moto drops of a CreateService request, and let the service run all the tasks it wants."""
        service: Any = self.services[f"{cluster_name.rpartition('/')[2]}:{name}"]
        service.availability_zone_rebalancing = "ENABLED"
        service.placement_strategy, service.placement_constraints = [], []
        service.deployment_configuration = {"maximumPercent": 200, "minimumHealthyPercent": 100}
        for field, (attribute, shape) in _KEPT.items():
            if params.get(field) is not None:
                check_part("ecs", shape, params[field])
                setattr(service, attribute, params[field])
        if params.get("capacityProviderStrategy"):
            service.launch_type = None
        if not params.get("networkConfiguration"):
            service.network_configuration = None
        service.deployments = [_completed(deployment, service) for deployment in service.deployments]
        service.running_count, service.pending_count = service.desired_count, 0
        for _ in range(service.desired_count):
            self._start(service)

    def _start(self, service: Any) -> None:
        """One more task in the zone that has fewest of the service."""
        running = [t for t in self.tasks.get(service.cluster_name, {}).values() if t.group == f"service:{service.name}"]
        taken = Counter(getattr(t, "availability_zone", None) for t in running)
        places = self._subnets(service) or self._hosts(service)
        zone, place = min(places, key=lambda p: (taken[p[0]], p[0]))
        own = bool(service.network_configuration)
        definition: Any = copy.copy(self.describe_task_definition(service.task_definition))
        # moto gives a task of another network mode an interface without an address of the subnet; ours comes below.
        definition.network_mode = "bridge"
        task: Any = Task(
            cluster=self.clusters[service.cluster_name],
            task_definition=definition,
            container_instance_arn=None if own else place.container_instance_arn,
            resource_requirements=None,
            backend=self,
            group=f"service:{service.name}",
            launch_type=service.launch_type,
            started_by=service.deployments[0]["id"],
        )
        task.availability_zone = zone
        self.tasks.setdefault(service.cluster_name, {})[task.task_arn] = task
        self._register(service, self._attach(task, place) if own else place.ec2_instance_id)

    def _subnets(self, service: Any) -> list[tuple[str, Any]]:
        """Zone and subnet of every place a service with network interfaces of its own may use."""
        if not service.network_configuration:
            return []
        ids = service.network_configuration["awsvpcConfiguration"]["subnets"]
        subnets = ec2_backends[self.account_id][self.region_name].describe_subnets(subnet_ids=ids)
        return [(subnet.availability_zone, subnet) for subnet in subnets]

    def _hosts(self, service: Any) -> list[tuple[str, Any]]:
        """Zone and container instance of every place a service in bridge mode may use."""
        hosts = self.container_instances.get(service.cluster_name, {}).values()
        return [(host.attributes["ecs.availability-zone"], host) for host in hosts]

    def _attach(self, task: Any, subnet: Any) -> str:
        """Give a task a network interface with an address of its subnet; gives the address."""
        ec2: Any = ec2_backends[self.account_id][self.region_name]
        address, unique = free_address(ec2, subnet), str(mock_random.uuid4())
        owner = f"arn:aws:ecs:{self.region_name}:{self.account_id}:attachment/{unique}"
        interface = ec2.create_network_interface(subnet, address, description=owner)
        interface.status = "in-use"
        details = {"subnetId": subnet.id, "networkInterfaceId": interface.id, "privateIPv4Address": address}
        task.attachments = [
            {
                "id": unique,
                "type": "ElasticNetworkInterface",
                "status": "ATTACHED",
                "details": [{"name": name, "value": value} for name, value in details.items()],
            }
        ]
        return address

    def _register(self, service: Any, target: str) -> None:
        elbv2: Any = elbv2_backends[self.account_id][self.region_name]
        for entry in service.load_balancers:
            elbv2.register_targets(entry["targetGroupArn"], [{"Id": target}])

    def describe_tasks(self, cluster_str: str, tasks: list[str]) -> list[Any]:
        """Tasks as they are; in moto each look at them takes them further towards their end."""
        cluster = self._get_cluster(cluster_str)
        return [task for arn, task in self.tasks.get(cluster.name, {}).items() if arn in tasks]

    def register_container_instance(self, cluster_str: str, ec2_instance_id: str) -> Any:
        """As moto, with the capacity provider whose Auto Scaling group the instance belongs to."""
        made: Any = super().register_container_instance(cluster_str, ec2_instance_id)
        instance: Any = ec2_backends[self.account_id][self.region_name].get_instance(ec2_instance_id)
        group = getattr(getattr(instance, "autoscaling_group", None), "name", "")
        for provider in self.capacity_providers.values():
            if provider.auto_scaling_group_provider["autoScalingGroupArn"].endswith(f"/{group}"):
                made.capacity_provider_name = provider.name
        return made


def _completed(deployment: Mapping[str, Any], service: Any) -> dict[str, Any]:
    """A deployment that has come to its end, without what moto gives as null."""
    said = {
        **deployment,
        "runningCount": service.desired_count,
        "pendingCount": 0,
        "rolloutState": "COMPLETED",
        "rolloutStateReason": f"ECS deployment {deployment['id']} completed.",
        "launchType": service.launch_type,
        "networkConfiguration": service.network_configuration,
    }
    return {field: value for field, value in said.items() if value is not None and field != "platformFamily"}
