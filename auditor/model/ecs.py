"""Amazon ECS: services, their tasks, the container instances and capacity providers that tasks may run on.

What a caller gave a task at its start (`overrides`) may hold secrets, as may the options of Service Connect's log driver; neither
is kept. Nor are a service's events, a hundred sentences each.
"""

from __future__ import annotations

import msgspec

from .read import Read
from .services import ECS
from .shape import Shape

# The attribute of a container instance that names its zone.
ZONE_ATTRIBUTE = "ecs.availability-zone"
# Capacity providers that AWS runs; tasks on them are Fargate tasks.
FARGATE_PROVIDERS = frozenset({"FARGATE", "FARGATE_SPOT"})


class Tag(Shape, frozen=True, kw_only=True):
    """A tag of ECS, whose names begin in lower case."""

    key: str = ""
    value: str = ""


class AwsVpcConfiguration(Shape, frozen=True, kw_only=True):
    """Subnets and security groups of tasks that have a network interface of their own."""

    subnets: list[str] = []
    securityGroups: list[str] = []
    assignPublicIp: str | None = None


class NetworkConfiguration(Shape, frozen=True, kw_only=True):
    """How tasks are connected; absent for tasks that use the network of their container instance (bridge and host mode)."""

    awsvpcConfiguration: AwsVpcConfiguration | None = None


class AdvancedConfiguration(Shape, frozen=True, kw_only=True):
    """The second target group of a service whose deployments are blue/green."""

    alternateTargetGroupArn: str | None = None


class ServiceLoadBalancer(Shape, frozen=True, kw_only=True):
    """Where a service registers its tasks."""

    targetGroupArn: str | None = None
    loadBalancerName: str | None = None
    advancedConfiguration: AdvancedConfiguration | None = None


class CapacityProviderUse(Shape, frozen=True, kw_only=True):
    """A capacity provider of a service's strategy; one with neither weight nor base gets no task."""

    capacityProvider: str = ""
    weight: int = 0
    base: int = 0


class Placement(Shape, frozen=True, kw_only=True):
    """A placement strategy. The first one of a service counts most."""

    type: str = ""
    field: str = ""


class Constraint(Shape, frozen=True, kw_only=True):
    """A placement constraint, which binds, unlike a strategy."""

    type: str = ""
    expression: str = ""


class DeploymentConfiguration(Shape, frozen=True, kw_only=True):
    """How many tasks a deployment may add or take away."""

    maximumPercent: int | None = None
    minimumHealthyPercent: int | None = None


class DeploymentController(Shape, frozen=True, kw_only=True):
    """Who deploys: ``ECS``, ``CODE_DEPLOY`` or ``EXTERNAL``."""

    type: str = "ECS"


class Deployment(Shape, frozen=True, kw_only=True):
    """A deployment of a service; there is more than one while tasks are replaced."""

    id: str = ""
    status: str = ""
    rolloutState: str | None = None


class TaskSet(Shape, frozen=True, kw_only=True):
    """Tasks of a service that CodeDeploy or somebody else deploys. The one with the status ``PRIMARY`` serves production."""

    taskSetArn: str = ""
    status: str = ""
    stabilityStatus: str | None = None
    launchType: str | None = None
    capacityProviderStrategy: list[CapacityProviderUse] = []
    networkConfiguration: NetworkConfiguration | None = None
    loadBalancers: list[ServiceLoadBalancer] = []


class Service(Shape, frozen=True, kw_only=True):
    """A service. Its launch type is absent when a capacity provider strategy places its tasks."""

    serviceArn: str = ""
    serviceName: str = ""
    clusterArn: str = ""
    status: str = ""
    desiredCount: int = 0
    runningCount: int | None = None
    pendingCount: int = 0
    launchType: str | None = None
    schedulingStrategy: str = "REPLICA"
    availabilityZoneRebalancing: str | None = None
    capacityProviderStrategy: list[CapacityProviderUse] = []
    placementStrategy: list[Placement] = []
    placementConstraints: list[Constraint] = []
    networkConfiguration: NetworkConfiguration | None = None
    loadBalancers: list[ServiceLoadBalancer] = []
    deploymentController: DeploymentController = msgspec.field(default_factory=DeploymentController)
    deploymentConfiguration: DeploymentConfiguration = msgspec.field(default_factory=DeploymentConfiguration)
    deployments: list[Deployment] = []
    taskSets: list[TaskSet] = []
    tags: list[Tag] = []


class Detail(Shape, frozen=True, kw_only=True):
    """A detail of an attachment, such as ``subnetId`` or ``privateIPv4Address``."""

    name: str = ""
    value: str = ""


class Attachment(Shape, frozen=True, kw_only=True):
    """What is attached to a task; with the type ``ElasticNetworkInterface`` its network interface."""

    type: str = ""
    details: list[Detail] = []


class TaskInterface(Shape, frozen=True, kw_only=True):
    """Addresses of a task."""

    privateIpv4Address: str = ""
    ipv6Address: str = ""


class Container(Shape, frozen=True, kw_only=True):
    """A container of a task, cut down to its addresses."""

    networkInterfaces: list[TaskInterface] = []


class Task(Shape, frozen=True, kw_only=True):
    """A task. `group` is ``service:NAME`` for a task of a service."""

    taskArn: str = ""
    clusterArn: str = ""
    group: str = ""
    lastStatus: str = ""
    availabilityZone: str = ""
    containerInstanceArn: str | None = None
    attachments: list[Attachment] = []
    containers: list[Container] = []


class ContainerInstance(Shape, frozen=True, kw_only=True):
    """An instance that tasks may be placed on while it is ``ACTIVE``."""

    containerInstanceArn: str = ""
    ec2InstanceId: str = ""
    status: str = ""
    capacityProviderName: str | None = None
    attributes: list[Detail] = []


class AutoScalingGroupProvider(Shape, frozen=True, kw_only=True):
    """The Auto Scaling group behind a capacity provider, by ARN or by name."""

    autoScalingGroupArn: str = ""


class CapacityProvider(Shape, frozen=True, kw_only=True):
    """A capacity provider: of an Auto Scaling group, or of instances that ECS manages itself."""

    name: str = ""
    status: str = ""
    autoScalingGroupProvider: AutoScalingGroupProvider | None = None


CLUSTER_ARNS = Read("ecs", "ListClusters", "clusterArns", str, option=ECS)
SERVICE_ARNS = Read("ecs", "ListServices", "serviceArns", str, key="cluster", option=ECS)
SERVICES = Read(
    "ecs",
    "DescribeServices",
    "services",
    Service,
    key="services",
    item_key="serviceArn",
    failures="failures",
    drops=("services.events", "services.deployments.serviceConnectConfiguration"),
    option=ECS,
)
TASK_ARNS = Read("ecs", "ListTasks", "taskArns", str, key="cluster", option=ECS)
TASKS = Read(
    "ecs",
    "DescribeTasks",
    "tasks",
    Task,
    key="tasks",
    item_key="taskArn",
    failures="failures",
    drops=("tasks.overrides",),
    option=ECS,
)
CONTAINER_INSTANCE_ARNS = Read("ecs", "ListContainerInstances", "containerInstanceArns", str, key="cluster", option=ECS)
CONTAINER_INSTANCES = Read(
    "ecs",
    "DescribeContainerInstances",
    "containerInstances",
    ContainerInstance,
    key="containerInstances",
    item_key="containerInstanceArn",
    failures="failures",
    option=ECS,
)
CAPACITY_PROVIDERS = Read(
    "ecs",
    "DescribeCapacityProviders",
    "capacityProviders",
    CapacityProvider,
    key="capacityProviders",
    item_key="name",
    identity="name",
    failures="failures",
    option=ECS,
)


def short_name(arn: str) -> str:
    """The name in an ARN of ECS, or the name itself."""
    return arn.rpartition("/")[2]


def serving(service: Service) -> TaskSet | None:
    """The task set that serves production, of a service that has task sets."""
    return next((s for s in service.taskSets if s.status == "PRIMARY"), None)


def subnets_of(service: Service) -> AwsVpcConfiguration | None:
    """Subnets of a service's tasks, from itself or from the task set that serves; None in bridge and host mode."""
    found = service.networkConfiguration
    if found is None or found.awsvpcConfiguration is None:
        serves = serving(service)
        found = serves.networkConfiguration if serves else None
    configuration = found.awsvpcConfiguration if found else None
    return configuration if configuration and configuration.subnets else None


def launch_type(service: Service) -> str | None:
    """Launch type of a service, or of the task set that serves; None where capacity providers place the tasks."""
    serves = serving(service)
    return service.launchType or (serves.launchType if serves else None)


def providers_of(service: Service) -> tuple[str, ...]:
    """Short names of the capacity providers that may get tasks of a service, in its order; none beside a launch type."""
    serves = serving(service)
    strategy = service.capacityProviderStrategy or (serves.capacityProviderStrategy if serves else [])
    return tuple(dict.fromkeys(short_name(p.capacityProvider) for p in strategy if p.weight or p.base))


def on_instances(service: Service) -> bool:
    """Whether tasks may be placed on instances of the account: not on Fargate, nor outside AWS.

    A capacity provider of another name than Fargate's has an Auto Scaling group, or instances that ECS manages.
    """
    kind = launch_type(service)
    return kind == "EC2" or (kind is None and any(p not in FARGATE_PROVIDERS for p in providers_of(service)))


def active(service: Service) -> bool:
    """Whether a service is there to stay: one that is drained or was deleted is not."""
    return service.status == "ACTIVE"


def runs_tasks(service: Service) -> bool:
    """Whether there are tasks of a service to look for."""
    return service.runningCount is None or service.runningCount > 0


def wants_tasks(service: Service) -> bool:
    """Whether a service keeps a number of tasks running; one of daemons runs one on each instance, wherever that is."""
    return service.schedulingStrategy == "REPLICA" and service.desiredCount > 0


def placed_by_instances(service: Service) -> bool:
    """Whether the zones of a service follow from container instances: it has no subnets of its own."""
    return wants_tasks(service) and on_instances(service) and subnets_of(service) is None
