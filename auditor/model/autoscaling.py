"""Amazon EC2 Auto Scaling: groups, warm pools, scheduled actions."""

from __future__ import annotations

from datetime import datetime

from .read import Read
from .shape import Shape, Tag


class ImpairmentPolicy(Shape, frozen=True, kw_only=True):
    """Zonal-shift switch of a group and what it does with unhealthy instances during a shift."""

    ZonalShiftEnabled: bool | None = None
    ImpairedZoneHealthCheckBehavior: str | None = None


class Distribution(Shape, frozen=True, kw_only=True):
    """How capacity is spread over zones."""

    CapacityDistributionStrategy: str | None = None


class Instance(Shape, frozen=True, kw_only=True):
    """An instance of a group. Only InService and Healthy ones are capacity; weights are text."""

    InstanceId: str = ""
    AvailabilityZone: str = ""
    AvailabilityZoneId: str = ""
    LifecycleState: str = ""
    HealthStatus: str = ""
    WeightedCapacity: str | None = None
    InstanceType: str = ""


class SuspendedProcess(Shape, frozen=True, kw_only=True):
    """A scaling process that is switched off."""

    ProcessName: str = ""
    SuspensionReason: str = ""


class TrafficSource(Shape, frozen=True, kw_only=True):
    """What sends traffic to a group: elb, elbv2 or vpc-lattice."""

    Identifier: str = ""
    Type: str = ""


class Operator(Shape, frozen=True, kw_only=True):
    """The service that owns a group."""

    Managed: bool | None = None
    Principal: str | None = None


class WarmPoolConfiguration(Shape, frozen=True, kw_only=True):
    """Settings of a warm pool."""

    MinSize: int | None = None
    PoolState: str = ""
    Status: str | None = None


class MaintenancePolicy(Shape, frozen=True, kw_only=True):
    """Bounds of healthy capacity during replacements, in percent; -1 when cleared."""

    MinHealthyPercentage: int | None = None
    MaxHealthyPercentage: int | None = None


class AutoScalingGroup(Shape, frozen=True, kw_only=True):
    """An Auto Scaling group."""

    AutoScalingGroupName: str
    AutoScalingGroupARN: str = ""
    MinSize: int | None = None
    MaxSize: int | None = None
    DesiredCapacity: int | None = None
    AvailabilityZones: list[str] = []
    AvailabilityZoneIds: list[str] = []
    VPCZoneIdentifier: str | None = None
    LoadBalancerNames: list[str] = []
    TargetGroupARNs: list[str] = []
    TrafficSources: list[TrafficSource] = []
    HealthCheckType: str = ""
    Instances: list[Instance] = []
    SuspendedProcesses: list[SuspendedProcess] = []
    AvailabilityZoneImpairmentPolicy: ImpairmentPolicy | None = None
    AvailabilityZoneDistribution: Distribution | None = None
    InstanceMaintenancePolicy: MaintenancePolicy | None = None
    WarmPoolConfiguration: WarmPoolConfiguration | None = None
    WarmPoolSize: int | None = None
    Operator: Operator | None = None
    Status: str | None = None
    Tags: list[Tag] = []


class ScheduledAction(Shape, frozen=True, kw_only=True):
    """A scheduled change of a group's size."""

    ScheduledActionARN: str = ""
    ScheduledActionName: str = ""
    AutoScalingGroupName: str = ""
    Recurrence: str | None = None
    StartTime: datetime | None = None
    EndTime: datetime | None = None
    TimeZone: str | None = None
    MinSize: int | None = None
    MaxSize: int | None = None
    DesiredCapacity: int | None = None


AUTO_SCALING_GROUPS = Read(
    "autoscaling",
    "DescribeAutoScalingGroups",
    "AutoScalingGroups",
    AutoScalingGroup,
    identity="AutoScalingGroupName",
)
WARM_POOL = Read(
    "autoscaling", "DescribeWarmPool", "Instances", Instance, key="AutoScalingGroupName", identity="InstanceId"
)
SCHEDULED_ACTIONS = Read(
    "autoscaling",
    "DescribeScheduledActions",
    "ScheduledUpdateGroupActions",
    ScheduledAction,
    identity="ScheduledActionARN",
)
