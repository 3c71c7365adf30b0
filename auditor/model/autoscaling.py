"""Amazon EC2 Auto Scaling: groups, warm pools, scheduled actions."""

from __future__ import annotations

from datetime import datetime
from typing import Any

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


class Override(Shape, frozen=True, kw_only=True):
    """One choice of a mixed instances policy: a type by name, or requirements that many types may meet."""

    InstanceType: str | None = None
    InstanceRequirements: dict[str, Any] | None = None


class MixedTemplate(Shape, frozen=True, kw_only=True):
    """The launch template of a mixed instances policy with its choices."""

    Overrides: list[Override] = []


class MixedInstancesPolicy(Shape, frozen=True, kw_only=True):
    """Which instance types a group may start."""

    LaunchTemplate: MixedTemplate | None = None


class AutoScalingGroup(Shape, frozen=True, kw_only=True):
    """An Auto Scaling group."""

    AutoScalingGroupName: str
    AutoScalingGroupARN: str = ""
    MinSize: int | None = None
    MaxSize: int | None = None
    DesiredCapacity: int | None = None
    DesiredCapacityType: str | None = None
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
    MixedInstancesPolicy: MixedInstancesPolicy | None = None
    NewInstancesProtectedFromScaleIn: bool | None = None
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


def requires_attributes(group: AutoScalingGroup) -> bool:
    """Whether a mixed instances policy says what its instances need instead of naming their types."""
    policy = group.MixedInstancesPolicy
    template = policy.LaunchTemplate if policy else None
    return any(o.InstanceRequirements is not None for o in (template.Overrides if template else ()))


def instance_types(group: AutoScalingGroup) -> tuple[str, ...]:
    """Types a group may start, sorted: those its mixed instances policy names, else those of its instances.

    None where types follow from attributes. A launch template's own type is seen in the instances it made, so a group
    without instances and without named types gives none.
    https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-mixed-instances-groups.html
    """
    if requires_attributes(group):
        return ()
    policy = group.MixedInstancesPolicy
    template = policy.LaunchTemplate if policy else None
    named = {o.InstanceType for o in (template.Overrides if template else ()) if o.InstanceType}
    return tuple(sorted(named or {i.InstanceType for i in group.Instances if i.InstanceType}))
