"""What AWS answers where nobody set anything: attributes per type, health checks, TLS policies.

Sources: the attribute lists of ModifyLoadBalancerAttributes and ModifyTargetGroupAttributes, and the guides' pages on
load balancer attributes, target group attributes and security policies.
"""

from __future__ import annotations

from collections.abc import Mapping

_LOGS = {"enabled": "false", "bucket": "", "prefix": ""}


def _logs(*kinds: str) -> dict[str, str]:
    return {f"{kind}.s3.{key}": value for kind in kinds for key, value in _LOGS.items()}


LOAD_BALANCER: Mapping[str, Mapping[str, str]] = {
    "application": {
        **_logs("access_logs", "connection_logs", "health_check_logs"),
        "client_keep_alive.seconds": "3600",
        "deletion_protection.enabled": "false",
        "idle_timeout.timeout_seconds": "60",
        "ipv6.deny_all_igw_traffic": "false",
        "load_balancing.cross_zone.enabled": "true",
        "routing.http.desync_mitigation_mode": "defensive",
        "routing.http.drop_invalid_header_fields.enabled": "false",
        "routing.http.preserve_host_header.enabled": "false",
        "routing.http.x_amzn_tls_version_and_cipher_suite.enabled": "false",
        "routing.http.xff_client_port.enabled": "false",
        "routing.http.xff_header_processing.mode": "append",
        "routing.http2.enabled": "true",
        "waf.fail_open.enabled": "false",
        "zonal_shift.config.enabled": "false",
    },
    "network": {
        **_logs("access_logs"),
        "deletion_protection.enabled": "false",
        "dns_record.client_routing_policy": "any_availability_zone",
        "ipv6.deny_all_igw_traffic": "false",
        "load_balancing.cross_zone.enabled": "false",
        "secondary_ips.auto_assigned.per_subnet": "0",
        "zonal_shift.config.enabled": "false",
    },
    "gateway": {
        "deletion_protection.enabled": "false",
        "load_balancing.cross_zone.enabled": "false",
    },
}

_HEALTH = {
    "target_group_health.dns_failover.minimum_healthy_targets.count": "1",
    "target_group_health.dns_failover.minimum_healthy_targets.percentage": "off",
    "target_group_health.unhealthy_state_routing.minimum_healthy_targets.count": "1",
    "target_group_health.unhealthy_state_routing.minimum_healthy_targets.percentage": "off",
}
_CROSS_ZONE = {"load_balancing.cross_zone.enabled": "use_load_balancer_configuration"}
_DRAIN = {"deregistration_delay.timeout_seconds": "300"}

TARGET_GROUP: Mapping[str, Mapping[str, str]] = {
    "application": {
        **_DRAIN,
        **_CROSS_ZONE,
        **_HEALTH,
        "load_balancing.algorithm.anomaly_mitigation": "off",
        "load_balancing.algorithm.type": "round_robin",
        "slow_start.duration_seconds": "0",
        "stickiness.app_cookie.cookie_name": "",
        "stickiness.app_cookie.duration_seconds": "86400",
        "stickiness.enabled": "false",
        "stickiness.lb_cookie.duration_seconds": "86400",
        "stickiness.type": "lb_cookie",
    },
    "network": {
        **_DRAIN,
        **_CROSS_ZONE,
        **_HEALTH,
        "deregistration_delay.connection_termination.enabled": "false",
        "preserve_client_ip.enabled": "true",
        "proxy_protocol_v2.enabled": "false",
        "stickiness.enabled": "false",
        "stickiness.type": "source_ip",
        "target_health_state.unhealthy.connection_termination.enabled": "true",
        "target_health_state.unhealthy.draining_interval_seconds": "0",
    },
    "gateway": {
        **_DRAIN,
        "stickiness.enabled": "false",
        "stickiness.type": "source_ip_dest_ip_proto",
        "target_failover.on_deregistration": "no_rebalance",
        "target_failover.on_unhealthy": "no_rebalance",
    },
    "lambda": {
        "lambda.multi_value_headers.enabled": "false",
        "stickiness.enabled": "false",
        "stickiness.lb_cookie.duration_seconds": "86400",
        "stickiness.type": "lb_cookie",
    },
}

_12 = ("TLSv1.2",)
_13 = ("TLSv1.3",)
_11_12 = ("TLSv1.1", "TLSv1.2")
_12_13 = ("TLSv1.2", "TLSv1.3")
_ALL_OLD = ("TLSv1", "TLSv1.1", "TLSv1.2")
TLS_POLICIES: Mapping[str, tuple[str, ...]] = {
    "ELBSecurityPolicy-TLS13-1-3-2021-06": _13,
    "ELBSecurityPolicy-TLS13-1-3-FIPS-2023-04": _13,
    "ELBSecurityPolicy-TLS13-1-3-PQ-2025-09": _13,
    "ELBSecurityPolicy-TLS13-1-3-FIPS-PQ-2025-09": _13,
    "ELBSecurityPolicy-TLS13-1-2-2021-06": _12_13,
    "ELBSecurityPolicy-TLS13-1-2-Res-2021-06": _12_13,
    "ELBSecurityPolicy-TLS13-1-2-Ext1-2021-06": _12_13,
    "ELBSecurityPolicy-TLS13-1-2-Ext2-2021-06": _12_13,
    "ELBSecurityPolicy-TLS13-1-2-PQ-2025-09": _12_13,
    "ELBSecurityPolicy-TLS13-1-2-Res-PQ-2025-09": _12_13,
    "ELBSecurityPolicy-TLS13-1-1-2021-06": (*_11_12, *_13),
    "ELBSecurityPolicy-TLS13-1-0-2021-06": (*_ALL_OLD, *_13),
    "ELBSecurityPolicy-TLS-1-2-2017-01": _12,
    "ELBSecurityPolicy-TLS-1-2-Ext-2018-06": _12,
    "ELBSecurityPolicy-FS-1-2-2019-08": _12,
    "ELBSecurityPolicy-FS-1-2-Res-2020-10": _12,
    "ELBSecurityPolicy-TLS-1-1-2017-01": _11_12,
    "ELBSecurityPolicy-FS-1-1-2019-08": _11_12,
    "ELBSecurityPolicy-2016-08": _ALL_OLD,
    "ELBSecurityPolicy-FS-2018-06": _ALL_OLD,
}

# Kind of load balancer that a target group's protocol belongs to.
KIND_OF_PROTOCOL: Mapping[str, str] = {
    "HTTP": "application",
    "HTTPS": "application",
    "TCP": "network",
    "TLS": "network",
    "UDP": "network",
    "TCP_UDP": "network",
    "GENEVE": "gateway",
}


def health_check(kind: str, target_type: str) -> dict[str, str]:
    """AWS's default health check of a group: protocol, port, and for HTTP checks path and matcher."""
    if target_type == "alb":
        return {"protocol": "HTTP", "port": "traffic-port", "path": "/", "matcher": "200-399"}
    if kind == "gateway":
        return {"protocol": "TCP", "port": "80"}
    if kind == "network":
        return {"protocol": "TCP", "port": "traffic-port"}
    return {"protocol": "HTTP", "port": "traffic-port", "path": "/", "matcher": "200"}
