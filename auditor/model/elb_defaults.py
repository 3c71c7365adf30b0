"""Attributes that AWS gives a new load balancer, target group or listener (ELBv2 API, *Attribute shapes)."""

from __future__ import annotations

_TARGET_GROUP_HEALTH = {
    "target_group_health.dns_failover.minimum_healthy_targets.count": "1",
    "target_group_health.dns_failover.minimum_healthy_targets.percentage": "off",
    "target_group_health.unhealthy_state_routing.minimum_healthy_targets.count": "1",
    "target_group_health.unhealthy_state_routing.minimum_healthy_targets.percentage": "off",
}
_LOGS = {"enabled": "false", "bucket": "", "prefix": ""}


def load_balancer_attributes(kind: str, scheme: str) -> dict[str, str]:
    """Attributes of a new load balancer.

    Args:
        kind: application, network or gateway.
        scheme: internet-facing or internal.
    """
    if kind == "gateway":
        return {"deletion_protection.enabled": "false", "load_balancing.cross_zone.enabled": "false"}
    common = {
        **_logs("access_logs"),
        "deletion_protection.enabled": "false",
        "ipv6.deny_all_igw_traffic": "true" if scheme == "internal" else "false",
        "zonal_shift.config.enabled": "false",
    }
    if kind == "network":
        return common | {
            "load_balancing.cross_zone.enabled": "false",
            "dns_record.client_routing_policy": "any_availability_zone",
            "secondary_ips.auto_assigned.per_subnet": "0",
        }
    return (
        common
        | _logs("connection_logs")
        | _logs("health_check_logs")
        | {
            "load_balancing.cross_zone.enabled": "true",
            "client_keep_alive.seconds": "3600",
            "idle_timeout.timeout_seconds": "60",
            "routing.http.desync_mitigation_mode": "defensive",
            "routing.http.drop_invalid_header_fields.enabled": "false",
            "routing.http.preserve_host_header.enabled": "false",
            "routing.http.x_amzn_tls_version_and_cipher_suite.enabled": "false",
            "routing.http.xff_client_port.enabled": "false",
            "routing.http.xff_header_processing.mode": "append",
            "routing.http2.enabled": "true",
            "waf.fail_open.enabled": "false",
        }
    )


def target_group_attributes(protocol: str | None, target_type: str) -> dict[str, str]:
    """Attributes of a new target group, by its protocol (None for Lambda) and target type."""
    if target_type == "lambda":
        return {"lambda.multi_value_headers.enabled": "false"}
    if protocol == "GENEVE":
        return {
            "deregistration_delay.timeout_seconds": "300",
            "stickiness.enabled": "false",
            "stickiness.type": "source_ip_dest_ip",
            "target_failover.on_deregistration": "no_rebalance",
            "target_failover.on_unhealthy": "no_rebalance",
        }
    common = {
        "deregistration_delay.timeout_seconds": "300",
        "load_balancing.cross_zone.enabled": "use_load_balancer_configuration",
        "stickiness.enabled": "false",
        **_TARGET_GROUP_HEALTH,
    }
    if protocol in ("HTTP", "HTTPS"):
        return common | {
            "load_balancing.algorithm.anomaly_mitigation": "off",
            "load_balancing.algorithm.type": "round_robin",
            "slow_start.duration_seconds": "0",
            "stickiness.app_cookie.cookie_name": "",
            "stickiness.app_cookie.duration_seconds": "86400",
            "stickiness.lb_cookie.duration_seconds": "86400",
            "stickiness.type": "lb_cookie",
        }
    return common | _network_target_group(protocol, target_type)


def _network_target_group(protocol: str | None, target_type: str) -> dict[str, str]:
    datagrams = protocol in ("UDP", "TCP_UDP")
    hides_client = target_type == "ip" and not datagrams
    return {
        "deregistration_delay.connection_termination.enabled": "true" if datagrams else "false",
        "preserve_client_ip.enabled": "false" if hides_client else "true",
        "proxy_protocol_v2.enabled": "false",
        "stickiness.type": "source_ip",
        "target_health_state.unhealthy.connection_termination.enabled": "false" if datagrams else "true",
        "target_health_state.unhealthy.draining_interval_seconds": "0",
    }


def _logs(name: str) -> dict[str, str]:
    return {f"{name}.s3.{key}": value for key, value in _LOGS.items()}
