"""Verbs that build the ECS part of an estate: clusters, services on Fargate, and services on instances of a capacity provider."""

from __future__ import annotations

import datetime
import json
from typing import Any

from moto.ecs.models import ecs_backends

from .builder import ZONES, Builder
from .extension.hooks import seed_ids

_IMAGE = "public.ecr.aws/docker/library/nginx:stable"


def cluster(estate: Builder, name: str) -> None:
    """A cluster without instances."""
    seed_ids(f"ECS cluster {name}")
    estate.client("ecs").create_cluster(clusterName=name)


def fargate_service(
    estate: Builder, cluster_name: str, name: str, tasks: int, *, zones: str = ZONES, group: str | None = None
) -> None:
    """A service on Fargate in the private subnets of its zones, behind a target group or behind none."""
    _task_definition(estate, name, "awsvpc", requiresCompatibilities=["FARGATE"], cpu="256", memory="512")
    network = {
        "subnets": [estate.subnets[f"private-{letter}"] for letter in zones],
        "securityGroups": [_security_group(estate)],
        "assignPublicIp": "DISABLED",
    }
    behind = [{"targetGroupArn": estate.groups[group], "containerName": name, "containerPort": 8080}] if group else []
    _service(
        estate,
        cluster_name,
        name,
        tasks,
        launchType="FARGATE",
        networkConfiguration={"awsvpcConfiguration": network},
        loadBalancers=behind,
    )


def instance_service(estate: Builder, cluster_name: str, name: str, tasks: int, **settings: Any) -> None:
    """A service in bridge mode on the instances of the Auto Scaling group of its name, by way of a capacity provider."""
    ecs = estate.client("ecs")
    groups = estate.client("autoscaling").describe_auto_scaling_groups(AutoScalingGroupNames=[name])
    (scaling_group,) = groups["AutoScalingGroups"]
    seed_ids(f"capacity provider {name}")
    arn = scaling_group["AutoScalingGroupARN"]
    ecs.create_capacity_provider(name=name, autoScalingGroupProvider={"autoScalingGroupArn": arn})
    for instance in scaling_group["Instances"]:
        document = json.dumps({"instanceId": instance["InstanceId"]})
        ecs.register_container_instance(cluster=cluster_name, instanceIdentityDocument=document)
    _task_definition(estate, name, "bridge")
    strategy = [{"capacityProvider": name, "weight": 1, "base": 0}]
    _service(estate, cluster_name, name, tasks, capacityProviderStrategy=strategy, **settings)


def age(estate: Builder, moment: datetime.datetime) -> None:
    """Let every service and container instance have been made at one moment (UTC)."""
    backend: Any = ecs_backends[estate.account][estate.region]
    for service in backend.services.values():
        for deployment in service.deployments:
            deployment["createdAt"] = deployment["updatedAt"] = moment
    for hosts in backend.container_instances.values():
        for host in hosts.values():
            host.registered_at = moment


def _service(estate: Builder, cluster_name: str, name: str, tasks: int, **settings: Any) -> None:
    seed_ids(f"ECS service {cluster_name} {name}")
    estate.client("ecs").create_service(
        cluster=cluster_name, serviceName=name, taskDefinition=name, desiredCount=tasks, **settings
    )


def _task_definition(estate: Builder, name: str, mode: str, **settings: Any) -> None:
    container = {"name": name, "image": _IMAGE, "memory": 256, "portMappings": [{"containerPort": 8080}]}
    estate.client("ecs").register_task_definition(
        family=name, networkMode=mode, containerDefinitions=[container], **settings
    )


def _security_group(estate: Builder) -> str:
    """The default security group of the VPC."""
    filters = [{"Name": "vpc-id", "Values": [estate.vpc]}, {"Name": "group-name", "Values": ["default"]}]
    found: str = estate.client("ec2").describe_security_groups(Filters=filters)["SecurityGroups"][0]["GroupId"]
    return found
