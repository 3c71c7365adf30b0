"""Target groups, their zones, their targets, and what their health checks prove."""

from __future__ import annotations

from typing import Annotated, Literal

from ...model.identity import Zone
from ...model.known import Known
from ..node import Fact, Facts, Node
from .group_settings import UnreachableThreshold
from .load_balancers import Kind

_TG = "elbv2:DescribeTargetGroups"
_TG_ATTR = "elbv2:DescribeTargetGroupAttributes"
_LB = "elbv2:DescribeLoadBalancers"
_LB_ATTR = "elbv2:DescribeLoadBalancerAttributes"
_HEALTH = "elbv2:DescribeTargetHealth"
_LISTENERS = "elbv2:DescribeListeners"
_RULES = "elbv2:DescribeRules"
_TLS = "elbv2:DescribeSSLPolicies"
_ASG = "autoscaling:DescribeAutoScalingGroups"
_ARC = "arc-zonal-shift:ListManagedResources"
_INSTANCES = "ec2:DescribeInstances"
_CZ = (
    _TG_ATTR + "#load_balancing.cross_zone.enabled",
    _LB_ATTR + "#load_balancing.cross_zone.enabled",
)
_DNS_KEY = _TG_ATTR + "#target_group_health.dns_failover.minimum_healthy_targets"
_ROUTING_KEY = _TG_ATTR + "#target_group_health.unhealthy_state_routing.minimum_healthy_targets"
_THRESHOLDS = tuple(f"{k}.{form}" for k in (_DNS_KEY, _ROUTING_KEY) for form in ("count", "percentage"))
_PLACED = (_HEALTH + "#targets_per_zone", _INSTANCES)


class CrossZone(Facts, frozen=True, kw_only=True):
    """Effective cross-zone of a target group, and where that comes from."""

    value: Annotated[Literal["on", "off"], Fact("effective cross-zone", *_CZ)]
    because: Annotated[str, Fact("which setting decides, and its raw value", *_CZ)]


class Target(Facts, frozen=True, kw_only=True):
    """One registered target."""

    Id: Annotated[str, Fact("instance ID, IP address, Lambda or load balancer ARN", _HEALTH)]
    Port: Annotated[int | None, Fact("port it is registered with", _HEALTH)]
    State: Annotated[str, Fact("TargetHealth.State", _HEALTH)]
    Reason: Annotated[str, Fact("TargetHealth.Reason, or empty", _HEALTH)]
    Description: Annotated[str, Fact("TargetHealth.Description, or empty", _HEALTH)]
    label: Annotated[str, Fact("Id and Port as one word", _HEALTH)]
    zone: Annotated[Known[Zone | None], Fact("zone it stands in; null when registered for all zones", *_PLACED)]
    codes: Annotated[tuple[int, ...], Fact("status codes in the Description, such as 302", _HEALTH)]
    usable: Annotated[bool, Fact("neither unused nor draining", _HEALTH)]
    healthy: Annotated[bool, Fact("state is healthy", _HEALTH)]
    unhealthy: Annotated[bool, Fact("state is unhealthy or unhealthy.draining", _HEALTH)]
    pending: Annotated[
        bool, Fact("initial, unavailable, a state added later, or a reason on the load balancer's side", _HEALTH)
    ]
    redirected: Annotated[bool, Fact("unhealthy, and a code in the Description is a redirect", _HEALTH)]
    mismatched: Annotated[bool, Fact("unhealthy with other codes in the Description", _HEALTH)]
    fails_on_purpose: Annotated[
        bool, Fact("a Kubernetes node without a pod of the service, which fails its own health port by design", _HEALTH)
    ]


class ProbeWalk(Facts, frozen=True, kw_only=True):
    """Where the health check of an `alb` target group ends inside the Application Load Balancer.

    `outcome` is ``no_listener``, ``wrong_protocol``, ``redirect``, ``fixed_response``, ``denied``, ``forward``.
    """

    alb_name: Annotated[str, Fact("name of the Application Load Balancer that is the target", _HEALTH, _LB)]
    port: Annotated[int, Fact("port the check goes to", _TG + "#HealthCheckPort", _HEALTH)]
    protocol: Annotated[str, Fact("protocol of the check", _TG + "#HealthCheckProtocol")]
    alb_ports: Annotated[tuple[str, ...], Fact("protocol:port of the listeners it has", _LISTENERS + "#probe")]
    listener_found: Annotated[bool, Fact("whether a listener has the check's port and protocol", _LISTENERS + "#probe")]
    ListenerArn: Annotated[str | None, Fact("ARN of that listener", _LISTENERS + "#probe")]
    SslPolicy: Annotated[str | None, Fact("TLS policy of the listener the check goes to", _LISTENERS + "#probe")]
    tls_protocols: Annotated[
        Known[tuple[str, ...]], Fact("TLS versions the policy allows; empty without TLS", _TLS, _LISTENERS + "#probe")
    ]
    tls13_only: Annotated[
        Known[bool],
        Fact("whether the policy of that listener allows TLS 1.3 and nothing older", _TLS, _LISTENERS + "#probe"),
    ]
    tls_source: Annotated[str, Fact("where the TLS versions come from; AWS, or the built-in table", _TLS)]
    outcome: Annotated[Known[str], Fact("where the request ends", _RULES, _LISTENERS + "#probe")]
    outcome_code: Annotated[Known[int | None], Fact("status code it gets, when known", _RULES, _LISTENERS + "#probe")]
    outcome_words: Annotated[
        Known[str], Fact("the outcome in words, with rule priority and code", _RULES, _LISTENERS + "#probe")
    ]
    accepted: Annotated[
        Known[bool | None],
        Fact("whether the matcher accepts that code; null when no code is known", _RULES, _TG + "#Matcher"),
    ]


class TargetGroup(Node, frozen=True, kw_only=True):
    """A target group of an Application, Network or Gateway Load Balancer."""

    TargetGroupArn: Annotated[str, Fact("ARN of the target group", _TG)]
    TargetGroupName: Annotated[str, Fact("name of the target group", _TG)]
    TargetType: Annotated[str, Fact("instance, ip, lambda or alb", _TG + "#TargetType")]
    Protocol: Annotated[str | None, Fact("protocol to the targets", _TG + "#Protocol")]
    Port: Annotated[int | None, Fact("default port of the targets", _TG + "#Port")]
    HealthCheckProtocol: Annotated[str | None, Fact("protocol of the health check", _TG + "#HealthCheckProtocol")]
    HealthCheckPort: Annotated[str | None, Fact("port of the health check", _TG + "#HealthCheckPort")]
    HealthCheckPath: Annotated[str | None, Fact("path of the health check", _TG + "#HealthCheckPath")]
    matcher: Annotated[str, Fact("codes that count as healthy, or empty", _TG + "#Matcher")]
    health_check_enabled: Annotated[bool, Fact("whether its targets are checked at all", _TG + "#HealthCheckEnabled")]
    matcher_accepts_redirects: Annotated[
        bool, Fact("whether a status code from 300 to 399 counts as healthy", _TG + "#Matcher.HttpCode")
    ]
    matcher_accepts_errors: Annotated[
        bool, Fact("whether a status code from 400 on counts as healthy", _TG + "#Matcher.HttpCode")
    ]
    checks_node_port: Annotated[
        bool,
        Fact(
            "whether an HTTP check goes to a Kubernetes node port of its own", _TG + "#HealthCheckPort", _TG + "#Port"
        ),
    ]
    checks_other_port: Annotated[
        Known[bool],
        Fact(
            "whether the check goes to a port that a target does not serve on",
            _TG + "#HealthCheckPort",
            _TG + "#Port",
            _HEALTH,
        ),
    ]
    dns_failover_count: Annotated[
        Known[int | None], Fact("healthy targets below which a zone leaves DNS; null when off", _DNS_KEY + ".count")
    ]
    dns_failover_percentage: Annotated[
        Known[int | None],
        Fact("percentage of healthy targets below which a zone leaves DNS; null when off", _DNS_KEY + ".percentage"),
    ]
    unreachable_thresholds: Annotated[
        Known[tuple[UnreachableThreshold, ...]],
        Fact(
            "minimum counts of healthy targets that are higher than the number of targets",
            _DNS_KEY + ".count",
            _ROUTING_KEY + ".count",
            *_PLACED,
            *_CZ,
        ),
    ]
    thresholds_out_of_order: Annotated[
        Known[bool], Fact("whether a DNS threshold is lower than the routing threshold of the same form", *_THRESHOLDS)
    ]
    threshold_words: Annotated[Known[str], Fact("its health thresholds, in words", *_THRESHOLDS)]
    balancer_behind_nlb: Annotated[
        Known[bool], Fact("whether its load balancer is the target of a Network Load Balancer", _TG, _HEALTH, _LB)
    ]
    all_zone_targets: Annotated[
        Known[tuple[Target, ...]],
        Fact(
            "targets registered for all zones though their address lies in a subnet of the VPC",
            _HEALTH + "#states",
            "ec2:DescribeSubnets",
        ),
    ]
    attached: Annotated[bool, Fact("whether AWS names a load balancer for it", _TG + "#LoadBalancerArns")]
    in_use: Annotated[
        Known[bool],
        Fact(
            "whether a listener or rule forwards to it with a weight other than 0",
            _LISTENERS + "#forwards",
            _RULES + "#rule_forwards",
        ),
    ]
    LoadBalancerName: Annotated[str, Fact("name of its load balancer, or empty", _TG + "#LoadBalancerArns")]
    LoadBalancerArn: Annotated[str, Fact("ARN of its load balancer, or empty", _TG + "#LoadBalancerArns")]
    kind: Annotated[Known[Kind | None], Fact("kind of its load balancer; null when it has none", _LB + "#Type")]
    balancer_zones: Annotated[
        Known[tuple[Zone, ...]], Fact("zones its load balancer is enabled in", _LB + "#AvailabilityZones")
    ]
    balancer_zone_count: Annotated[
        Known[int], Fact("how many zones its load balancer is enabled in", _LB + "#AvailabilityZones")
    ]
    has_zones: Annotated[
        bool, Fact("whether its targets stand in zones: true for instance and ip", _TG + "#TargetType")
    ]
    cross_zone: Annotated[Known[CrossZone | None], Fact("effective cross-zone; null when unattached", *_CZ)]
    targets: Annotated[Known[tuple[Target, ...]], Fact("registered targets", _HEALTH)]
    registered_count: Annotated[Known[int], Fact("registered targets, draining ones aside", _HEALTH)]
    usable_count: Annotated[Known[int], Fact("targets neither unused nor draining", _HEALTH + "#states")]
    healthy_count: Annotated[Known[int], Fact("healthy targets", _HEALTH + "#states")]
    unhealthy_count: Annotated[
        Known[int], Fact("unhealthy targets, Kubernetes nodes that fail on purpose aside", _HEALTH + "#states")
    ]
    unexplained_count: Annotated[
        Known[int], Fact("unhealthy targets whose Description carries no status code", _HEALTH + "#states")
    ]
    unexplained_share: Annotated[
        Known[float], Fact("share of the usable targets that are unhealthy without a status code, 0 to 1", _HEALTH)
    ]
    reasons_per_zone: Annotated[
        Known[str], Fact("reason codes of unhealthy targets per zone, in words", _HEALTH + "#unhealthy", _INSTANCES)
    ]
    redirected: Annotated[
        Known[tuple[Target, ...]], Fact("targets that answer the check with a redirect", _HEALTH + "#unhealthy")
    ]
    redirected_zones: Annotated[
        Known[tuple[Zone, ...]], Fact("zones of the targets that redirect", _HEALTH + "#unhealthy", _INSTANCES)
    ]
    redirects_everywhere: Annotated[
        Known[bool],
        Fact(
            "whether all usable targets of the group, or of one of its zones, answer with a redirect",
            _HEALTH + "#targets_per_zone",
            _INSTANCES,
        ),
    ]
    redirect_codes: Annotated[Known[tuple[int, ...]], Fact("redirect codes seen", _HEALTH + "#unhealthy")]
    mismatched: Annotated[
        Known[tuple[Target, ...]], Fact("targets that answer the check with another wrong code", _HEALTH + "#unhealthy")
    ]
    mismatch_codes: Annotated[Known[tuple[int, ...]], Fact("wrong codes seen", _HEALTH + "#unhealthy")]
    mismatch_words: Annotated[
        Known[str], Fact("what the codes point to: authentication, path, host or protocol, server error", _HEALTH)
    ]
    all_fail_without_code: Annotated[
        Known[bool],
        Fact(
            "whether every usable target is unhealthy with Target.FailedHealthChecks and no status code",
            _HEALTH + "#unhealthy",
        ),
    ]
    failing_open: Annotated[
        Known[bool],
        Fact(
            "whether traffic goes to failing targets now (over the group with cross-zone on, else in a zone still published)",
            _HEALTH + "#targets_per_zone",
            _TG_ATTR + "#target_group_health.unhealthy_state_routing.minimum_healthy_targets.count",
            _TG_ATTR + "#target_group_health.unhealthy_state_routing.minimum_healthy_targets.percentage",
            *_CZ,
        ),
    ]
    failing_open_zones: Annotated[Known[tuple[Zone, ...]], Fact("zones whose nodes fail open", _HEALTH, _TG_ATTR)]
    placed_zones: Annotated[Known[tuple[Zone, ...]], Fact("zones with a usable target", *_PLACED)]
    placed_zone_count: Annotated[Known[int], Fact("how many zones have a usable target", *_PLACED)]
    placement_words: Annotated[Known[str], Fact("usable targets per zone, in words", *_PLACED)]
    fullest_zone: Annotated[Known[Zone | None], Fact("zone with most usable targets", *_PLACED)]
    fullest_count: Annotated[Known[int], Fact("usable targets in the fullest zone", *_PLACED)]
    even_share: Annotated[Known[int], Fact("usable targets divided by the load balancer's zones, rounded up", *_PLACED)]
    fullest_share_percent: Annotated[
        Known[int], Fact("share of capacity lost with the fullest zone, in percent", *_PLACED)
    ]
    survivable_utilisation_percent: Annotated[
        Known[int], Fact("highest utilisation at which losing the fullest zone is survivable, in percent", *_PLACED)
    ]
    crowded: Annotated[
        Known[bool], Fact("of four or more, over half and over 1.5 times an even share stand in one zone", *_PLACED)
    ]
    uneven_by: Annotated[
        Known[int],
        Fact(
            "most minus fewest healthy targets over the zones compared (with cross-zone off only zones that have one)",
            *_PLACED,
        ),
    ]
    healthy_words: Annotated[Known[str], Fact("healthy targets per zone, in words", *_PLACED)]
    load_ratio: Annotated[
        Known[float],
        Fact("load per target in the hottest zone over the mean of the zones, cross-zone off", *_PLACED, *_CZ),
    ]
    hottest_zone: Annotated[Known[Zone | None], Fact("zone with fewest healthy targets", *_PLACED)]
    shift_applied: Annotated[
        Known[bool], Fact("whether a shift moves traffic of its load balancer away from one of its zones now", _ARC)
    ]
    wants_zero: Annotated[
        Known[bool], Fact("whether the Auto Scaling groups behind it all want 0 instances", _ASG + "#DesiredCapacity")
    ]
    probe: Annotated[
        Known[ProbeWalk | None],
        Fact("walk of the health check through the ALB; null for other types", _HEALTH, _LISTENERS),
    ]
    alb_target_state: Annotated[
        Known[str | None], Fact("state of the one ALB target; null for other types", _HEALTH + "#states")
    ]
    targets_settled: Annotated[
        Known[bool],
        Fact("true, or unknown while usable targets are not yet judged by their check", _HEALTH + "#states"),
    ]
    alb_target_settled: Annotated[
        Known[bool], Fact("whether its health check has judged the ALB target", _HEALTH + "#states")
    ]


class TargetGroupZone(Node, frozen=True, kw_only=True):
    """A zone in which a target group has registered targets, whether or not its load balancer serves that zone."""

    TargetGroupName: Annotated[str, Fact("name of the target group", _TG)]
    LoadBalancerName: Annotated[str, Fact("name of its load balancer, or empty", _TG)]
    LoadBalancerArn: Annotated[str, Fact("ARN of its load balancer, or empty", _TG)]
    balancer_subnet_ids: Annotated[Known[tuple[str, ...]], Fact("subnets its load balancer is enabled in", _LB)]
    zone: Annotated[Zone, Fact("the zone", _HEALTH)]
    attached: Annotated[bool, Fact("whether AWS names a load balancer for the group", _TG + "#LoadBalancerArns")]
    has_zones: Annotated[
        bool, Fact("whether its targets stand in zones: true for instance and ip", _TG + "#TargetType")
    ]
    served: Annotated[
        Known[bool], Fact("whether the load balancer is enabled in this zone", _LB + "#AvailabilityZones")
    ]
    registered_count: Annotated[
        int, Fact("targets registered here, draining ones aside", _HEALTH + "#targets_per_zone")
    ]
    targets: Annotated[tuple[Target, ...], Fact("targets registered here", _HEALTH + "#targets_per_zone")]
    target_labels: Annotated[tuple[str, ...], Fact("targets registered here, by name", _HEALTH)]
