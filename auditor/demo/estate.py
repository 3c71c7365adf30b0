"""The demo's estate: a web shop in one account, with sound parts, and parts that fail when a zone does.

Every load balancer's function says what it is there to show. What is not named as a fault is meant to be sound.
Zones: us-east-1a is use1-az6, us-east-1b is use1-az1, us-east-1c is use1-az2.
"""

from __future__ import annotations

import datetime
from typing import Any

from .builder import Builder, unhealthy

_MADE = datetime.datetime(2026, 3, 2, 9, 0, tzinfo=datetime.UTC)

_SHIFT = {"zonal_shift.config.enabled": "true"}
_SHIFT_SOON = _SHIFT | {"client_keep_alive.seconds": "300"}
_CROSS_ZONE_ON = {"load_balancing.cross_zone.enabled": "true"}
_CROSS_ZONE_OFF = {"load_balancing.cross_zone.enabled": "false"}
_WEB: dict[str, Any] = {"Protocol": "HTTP", "Port": 8080, "HealthCheckPath": "/healthz"}
_EVEN = {"a": 2, "b": 2, "c": 2}
_MODERN_TLS = "ELBSecurityPolicy-TLS13-1-2-2021-06"
_TLS13_ONLY = "ELBSecurityPolicy-TLS13-1-3-2021-06"
_TO_HTTPS = {
    "Type": "redirect",
    "RedirectConfig": {"Protocol": "HTTPS", "Port": "443", "StatusCode": "HTTP_301"},
}


def build(estate: Builder) -> None:
    """Build the whole estate, in an order that does not depend on anything but this text."""
    estate.network()
    for part in (
        shop,
        checkout,
        blog,
        orders,
        portal,
        edge,
        ingest,
        telemetry,
        mqtt,
        inspection,
        legacy,
        batch,
        leftovers,
        clusters,
    ):
        part(estate)
    estate.age(_MADE)


def shop(estate: Builder) -> None:
    """Sound: three zones, shift and practice runs on, two healthy targets in every zone, one group fed by instances."""
    estate.target_group("shop", **_WEB, TargetType="ip")
    estate.ip_targets("shop", _EVEN)
    estate.target_group("shop-api", **_WEB, TargetType="instance")
    estate.scaling_group("shop-api", 6, groups=["shop-api"], shift=True)
    estate.warm_pool("shop-api", 3)
    estate.load_balancer("shop", public=True, attributes=_SHIFT_SOON, tags={"service": "shop"})
    estate.listener("shop", 80, "HTTP", _TO_HTTPS)
    secure = estate.listener("shop", 443, "HTTPS", estate.forward("shop"), SslPolicy=_MODERN_TLS)
    estate.path_rule(secure, 10, "/api/*", estate.forward("shop-api"))
    estate.practice("shop", "shop-availability")


def checkout(estate: Builder) -> None:
    """Fault: cross-zone is off on the group and us-east-1c is enabled without a single target."""
    estate.target_group("checkout", **_WEB, TargetType="ip", attributes=_CROSS_ZONE_OFF)
    estate.ip_targets("checkout", {"a": 3, "b": 3})
    estate.load_balancer("checkout", public=True, attributes=_SHIFT_SOON, tags={"service": "checkout"})
    estate.listener("checkout", 443, "HTTPS", estate.forward("checkout"), SslPolicy=_MODERN_TLS)


def blog(estate: Builder) -> None:
    """Fault: the health path answers with a redirect, so every target is unhealthy and the group fails open."""
    estate.target_group("blog", Protocol="HTTP", Port=8080, HealthCheckPath="/", TargetType="ip")
    redirects = unhealthy("Target.ResponseCodeMismatch", "Health checks failed with these codes: [301]")
    estate.ip_targets("blog", _EVEN, redirects)
    estate.load_balancer("blog", public=True, attributes=_SHIFT_SOON, tags={"service": "blog"})
    estate.listener("blog", 443, "HTTPS", estate.forward("blog"), SslPolicy=_MODERN_TLS)


def orders(estate: Builder) -> None:
    """Fault: zonal shift is not enabled. Blue and green are on purpose: green has weight 0 and no target yet."""
    estate.target_group("orders-blue", **_WEB, TargetType="ip")
    estate.ip_targets("orders-blue", _EVEN)
    estate.target_group("orders-green", **_WEB, TargetType="ip")
    estate.load_balancer("orders", tags={"service": "orders"})
    estate.listener("orders", 80, "HTTP", estate.forward("orders-blue", "orders-green", weights=(100, 0)))


def portal(estate: Builder) -> None:
    """Sound: an internal ALB with practice runs, and a Lambda function behind one path."""
    estate.target_group("portal", **_WEB, TargetType="ip")
    estate.ip_targets("portal", _EVEN)
    estate.target_group("portal-thumbnails", TargetType="lambda")
    estate.register(
        "portal-thumbnails", [f"arn:aws:lambda:{estate.region}:{estate.account}:function:portal-thumbnails"]
    )
    estate.load_balancer("portal", attributes=_SHIFT_SOON, tags={"service": "portal"})
    plain = estate.listener("portal", 80, "HTTP", estate.forward("portal"))
    estate.path_rule(plain, 10, "/thumbnails/*", estate.forward("portal-thumbnails"))
    estate.practice("portal", "portal-availability")


def edge(estate: Builder) -> None:
    """Fault: the NLB's HTTPS check lands on an ALB listener that speaks TLS 1.3 only, which the check cannot."""
    estate.target_group("edge-web", **_WEB, TargetType="ip")
    estate.ip_targets("edge-web", _EVEN)
    behind = estate.load_balancer("edge-alb", attributes=_SHIFT_SOON, tags={"service": "edge"})
    estate.listener("edge-alb", 443, "HTTPS", estate.forward("edge-web"), SslPolicy=_TLS13_ONLY)
    estate.target_group(
        "edge-alb",
        Protocol="TCP",
        Port=443,
        TargetType="alb",
        HealthCheckProtocol="HTTPS",
        HealthCheckPath="/healthz",
        Matcher={"HttpCode": "200-399"},
    )
    estate.register("edge-alb", [behind])
    estate.load_balancer("edge", "network", public=True, attributes=_SHIFT, tags={"service": "edge"})
    estate.listener("edge", 443, "TCP", estate.forward("edge-alb"))
    estate.health("edge-alb", [behind], unhealthy("Target.FailedHealthChecks", "Health checks failed"))


def ingest(estate: Builder) -> None:
    """Fault: cross-zone is off and zones hold 2, 4 and 6 targets: one in the first carries what three in the last do."""
    estate.target_group("ingest", Protocol="TCP", Port=4317, TargetType="instance", HealthCheckPort="13133")
    estate.scaling_group("ingest", 0, groups=["ingest"], shift=True)
    estate.attach_unevenly("ingest", {"a": 2, "b": 4, "c": 6})
    estate.load_balancer("ingest", "network", attributes=_SHIFT, tags={"service": "ingest"})
    estate.listener("ingest", 4317, "TCP", estate.forward("ingest"))


def telemetry(estate: Builder) -> None:
    """Sound, and shifted: a customer moved its traffic away from us-east-1b (use1-az1)."""
    estate.target_group("telemetry", Protocol="TCP", Port=8125, TargetType="ip")
    estate.ip_targets("telemetry", _EVEN)
    estate.load_balancer("telemetry", "network", attributes=_SHIFT | _CROSS_ZONE_ON, tags={"service": "telemetry"})
    estate.listener("telemetry", 8125, "TCP", estate.forward("telemetry"))
    estate.shift_away("telemetry", "use1-az1", "Packet loss towards use1-az1, ticket 4711")


def mqtt(estate: Builder) -> None:
    """Fault: neither the NLB nor its Auto Scaling group takes part in zonal shift."""
    estate.target_group("mqtt", Protocol="TCP", Port=8883, TargetType="instance")
    estate.scaling_group("mqtt", 6, groups=["mqtt"])
    estate.load_balancer("mqtt", "network", public=True, attributes=_CROSS_ZONE_ON, tags={"service": "mqtt"})
    estate.listener("mqtt", 8883, "TCP", estate.forward("mqtt"))


def inspection(estate: Builder) -> None:
    """Sound: a Gateway Load Balancer with two appliances in every zone."""
    estate.target_group(
        "inspection",
        Protocol="GENEVE",
        Port=6081,
        TargetType="ip",
        HealthCheckProtocol="HTTP",
        HealthCheckPort="80",
        HealthCheckPath="/healthz",
        attributes={"target_failover.on_deregistration": "rebalance", "target_failover.on_unhealthy": "rebalance"},
    )
    estate.ip_targets("inspection", _EVEN)
    estate.load_balancer("inspection", "gateway", attributes=_CROSS_ZONE_ON, tags={"service": "inspection"})
    estate.listener("inspection", None, None, estate.forward("inspection"))


def legacy(estate: Builder) -> None:
    """A Classic Load Balancer over two zones: sound, but nothing can shift it."""
    estate.classic("legacy", "ab")
    estate.scaling_group("legacy", 4, zones="ab", classic=["legacy"], shift=True)


def batch(estate: Builder) -> None:
    """Fault: an Auto Scaling group in one zone only."""
    estate.scaling_group("batch", 2, zones="a", shift=True)


def leftovers(estate: Builder) -> None:
    """A target group that no load balancer uses."""
    estate.target_group("shop-canary-2025", **_WEB, TargetType="ip")
    estate.ip_targets("shop-canary-2025", {"a": 1, "b": 1})


def clusters(estate: Builder) -> None:
    """Fault: EKS cluster `platform` has zonal shift off. Sound: `analytics` has it on."""
    estate.cluster("platform", shift=False)
    estate.node_group("platform", "general", 6)
    estate.cluster("analytics", shift=True)
    estate.node_group("analytics", "workers", 3)
    estate.fargate_profile("analytics", "jobs", "jobs")
