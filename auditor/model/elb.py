"""Elastic Load Balancing, Classic: a different API shape from v2, keyed by name."""

from __future__ import annotations

from .read import Read
from .shape import KeyValue, Shape, Tag


class InstanceRef(Shape, frozen=True, kw_only=True):
    """An instance registered with a Classic Load Balancer; its zone is not in the answer."""

    InstanceId: str = ""


class HealthCheck(Shape, frozen=True, kw_only=True):
    """Health check of a Classic Load Balancer, such as ``HTTP:80/healthz``."""

    Target: str = ""


class LoadBalancerDescription(Shape, frozen=True, kw_only=True):
    """A Classic Load Balancer; zones by name."""

    LoadBalancerName: str
    DNSName: str = ""
    AvailabilityZones: list[str] = []
    Subnets: list[str] = []
    VPCId: str | None = None
    Instances: list[InstanceRef] = []
    HealthCheck: HealthCheck | None = None
    Scheme: str = ""


class Enabled(Shape, frozen=True, kw_only=True):
    """A switch."""

    Enabled: bool = False


class LoadBalancerAttributes(Shape, frozen=True, kw_only=True):
    """Attributes of a Classic Load Balancer. Cross-zone has no safe default: it depends on how it was made."""

    CrossZoneLoadBalancing: Enabled | None = None
    AdditionalAttributes: list[KeyValue] = []


class InstanceStateDescription(Shape, frozen=True, kw_only=True):
    """Health of one instance: InService, OutOfService or Unknown."""

    InstanceId: str = ""
    State: str = ""
    ReasonCode: str = ""
    Description: str = ""


class TagDescription(Shape, frozen=True, kw_only=True):
    """Tags of one Classic Load Balancer."""

    LoadBalancerName: str
    Tags: list[Tag] = []


LOAD_BALANCERS = Read(
    "elb", "DescribeLoadBalancers", "LoadBalancerDescriptions", LoadBalancerDescription, identity="LoadBalancerName"
)
LOAD_BALANCER_ATTRIBUTES = Read(
    "elb", "DescribeLoadBalancerAttributes", "LoadBalancerAttributes", LoadBalancerAttributes, key="LoadBalancerName"
)
INSTANCE_HEALTH = Read(
    "elb",
    "DescribeInstanceHealth",
    "InstanceStates",
    InstanceStateDescription,
    key="LoadBalancerName",
    identity="InstanceId",
)
TAGS = Read(
    "elb",
    "DescribeTags",
    "TagDescriptions",
    TagDescription,
    key="LoadBalancerNames",
    item_key="LoadBalancerName",
    identity="LoadBalancerName",
)
