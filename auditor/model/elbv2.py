"""Elastic Load Balancing v2: Application, Network and Gateway Load Balancers, their listeners, rules and target groups."""

from __future__ import annotations

from typing import Any

from .read import Read
from .shape import KeyValue, Shape, Tag


class LoadBalancerState(Shape, frozen=True, kw_only=True):
    """State of a load balancer: provisioning, active, active_impaired or failed."""

    Code: str = ""
    Reason: str = ""


class LoadBalancerAddress(Shape, frozen=True, kw_only=True):
    """An address of a node; AWS gives them for Network Load Balancers that were assigned one."""

    IpAddress: str = ""
    PrivateIPv4Address: str = ""


class LoadBalancerZone(Shape, frozen=True, kw_only=True):
    """An enabled zone of a load balancer, by zone name."""

    ZoneName: str = ""
    SubnetId: str = ""
    OutpostId: str | None = None
    LoadBalancerAddresses: list[LoadBalancerAddress] = []


class LoadBalancer(Shape, frozen=True, kw_only=True):
    """A load balancer. `Type` is application, network or gateway."""

    LoadBalancerArn: str
    LoadBalancerName: str = ""
    DNSName: str = ""
    Scheme: str = ""
    VpcId: str = ""
    State: LoadBalancerState = LoadBalancerState()
    Type: str = ""
    AvailabilityZones: list[LoadBalancerZone] = []


class TargetGroupTuple(Shape, frozen=True, kw_only=True):
    """A target group in a forward action, with its weight (1 where AWS leaves it out)."""

    TargetGroupArn: str = ""
    Weight: int | None = None


class ForwardConfig(Shape, frozen=True, kw_only=True):
    """Target groups of a forward action."""

    TargetGroups: list[TargetGroupTuple] = []


class RedirectConfig(Shape, frozen=True, kw_only=True):
    """A redirect action: HTTP_301 or HTTP_302."""

    StatusCode: str = ""
    Protocol: str = ""
    Port: str = ""
    Host: str = ""


class FixedResponseConfig(Shape, frozen=True, kw_only=True):
    """A fixed-response action."""

    StatusCode: str = ""


class AuthenticateConfig(Shape, frozen=True, kw_only=True):
    """The part of an authenticate action that decides what an unauthenticated request gets."""

    OnUnauthenticatedRequest: str | None = None


class Action(Shape, frozen=True, kw_only=True):
    """An action of a listener or rule."""

    Type: str = ""
    Order: int | None = None
    TargetGroupArn: str | None = None
    ForwardConfig: ForwardConfig | None = None
    RedirectConfig: RedirectConfig | None = None
    FixedResponseConfig: FixedResponseConfig | None = None
    AuthenticateOidcConfig: AuthenticateConfig | None = None
    AuthenticateCognitoConfig: AuthenticateConfig | None = None


class MutualAuthentication(Shape, frozen=True, kw_only=True):
    """Client certificate mode of a listener: off, passthrough or verify."""

    Mode: str = "off"


class Listener(Shape, frozen=True, kw_only=True):
    """A listener of a load balancer."""

    ListenerArn: str
    LoadBalancerArn: str = ""
    Port: int | None = None
    Protocol: str = ""
    SslPolicy: str | None = None
    DefaultActions: list[Action] = []
    MutualAuthentication: MutualAuthentication | None = None


class ConditionValues(Shape, frozen=True, kw_only=True):
    """Values of a rule condition."""

    Values: list[str] = []
    RegexValues: list[str] = []
    HttpHeaderName: str = ""


class QueryStringKeyValue(Shape, frozen=True, kw_only=True):
    """A query-string condition value; `Key` may be absent."""

    Key: str | None = None
    Value: str = ""


class QueryStringValues(Shape, frozen=True, kw_only=True):
    """Values of a query-string condition."""

    Values: list[QueryStringKeyValue] = []


class RuleCondition(Shape, frozen=True, kw_only=True):
    """A condition of a listener rule. `Values` is the older form for host-header and path-pattern."""

    Field: str = ""
    Values: list[str] = []
    RegexValues: list[str] = []
    HostHeaderConfig: ConditionValues | None = None
    PathPatternConfig: ConditionValues | None = None
    HttpHeaderConfig: ConditionValues | None = None
    QueryStringConfig: QueryStringValues | None = None
    HttpRequestMethodConfig: ConditionValues | None = None
    SourceIpConfig: ConditionValues | None = None


class Rule(Shape, frozen=True, kw_only=True):
    """A listener rule. `Priority` is a number as text, or ``default``."""

    RuleArn: str
    Priority: str = ""
    Conditions: list[RuleCondition] = []
    Actions: list[Action] = []
    IsDefault: bool = False
    Transforms: list[Any] = []


class Matcher(Shape, frozen=True, kw_only=True):
    """Codes that count as healthy."""

    HttpCode: str | None = None
    GrpcCode: str | None = None


class TargetGroup(Shape, frozen=True, kw_only=True):
    """A target group. Lambda groups have no protocol, port or VPC."""

    TargetGroupArn: str
    TargetGroupName: str = ""
    Protocol: str | None = None
    Port: int | None = None
    VpcId: str | None = None
    HealthCheckProtocol: str | None = None
    HealthCheckPort: str | None = None
    HealthCheckEnabled: bool | None = None
    HealthCheckPath: str | None = None
    HealthCheckIntervalSeconds: int | None = None
    HealthyThresholdCount: int | None = None
    UnhealthyThresholdCount: int | None = None
    Matcher: Matcher | None = None
    LoadBalancerArns: list[str] = []
    TargetType: str = "instance"
    ProtocolVersion: str | None = None
    IpAddressType: str | None = None


class TargetDescription(Shape, frozen=True, kw_only=True):
    """A registered target; `AvailabilityZone` is a zone name, ``all``, or absent."""

    Id: str = ""
    Port: int | None = None
    AvailabilityZone: str | None = None


class TargetHealth(Shape, frozen=True, kw_only=True):
    """State of a target and why."""

    State: str = ""
    Reason: str | None = None
    Description: str | None = None


class AdministrativeOverride(Shape, frozen=True, kw_only=True):
    """Whether a zonal shift overrides the target's state. Never proof of a shift."""

    State: str = ""
    Reason: str = ""


class AnomalyDetection(Shape, frozen=True, kw_only=True):
    """Result of anomaly detection."""

    Result: str = ""
    MitigationInEffect: str = ""


class TargetHealthDescription(Shape, frozen=True, kw_only=True):
    """One target of a group with its health."""

    Target: TargetDescription = TargetDescription()
    HealthCheckPort: str | None = None
    TargetHealth: TargetHealth = TargetHealth()
    AdministrativeOverride: AdministrativeOverride | None = None
    AnomalyDetection: AnomalyDetection | None = None


class SslPolicy(Shape, frozen=True, kw_only=True):
    """A predefined TLS policy and the protocols it allows."""

    Name: str
    SslProtocols: list[str] = []


class TagDescription(Shape, frozen=True, kw_only=True):
    """Tags of one resource."""

    ResourceArn: str
    Tags: list[Tag] = []


LOAD_BALANCERS = Read("elbv2", "DescribeLoadBalancers", "LoadBalancers", LoadBalancer, identity="LoadBalancerArn")
LOAD_BALANCER_ATTRIBUTES = Read(
    "elbv2", "DescribeLoadBalancerAttributes", "Attributes", KeyValue, key="LoadBalancerArn", identity="Key"
)
LISTENERS = Read("elbv2", "DescribeListeners", "Listeners", Listener, key="LoadBalancerArn", identity="ListenerArn")
RULES = Read("elbv2", "DescribeRules", "Rules", Rule, key="ListenerArn", identity="RuleArn")
TARGET_GROUPS = Read("elbv2", "DescribeTargetGroups", "TargetGroups", TargetGroup, identity="TargetGroupArn")
TARGET_GROUP_ATTRIBUTES = Read(
    "elbv2", "DescribeTargetGroupAttributes", "Attributes", KeyValue, key="TargetGroupArn", identity="Key"
)
TARGET_HEALTH = Read(
    "elbv2", "DescribeTargetHealth", "TargetHealthDescriptions", TargetHealthDescription, key="TargetGroupArn"
)
SSL_POLICIES = Read("elbv2", "DescribeSSLPolicies", "SslPolicies", SslPolicy, identity="Name")
TAGS = Read(
    "elbv2",
    "DescribeTags",
    "TagDescriptions",
    TagDescription,
    key="ResourceArns",
    item_key="ResourceArn",
    identity="ResourceArn",
)
