"""What AWS answers where nobody set anything, beside the attributes of `auditor.model.elb_defaults`."""

from __future__ import annotations

from collections.abc import Mapping

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
