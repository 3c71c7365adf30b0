"""A synthetic account of any size, as the answers a scan of it would record. Same size, same data."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from auditor.model.answer import Answer, Footer, Header

ACCOUNT, REGION, AT = "123456789012", "us-east-1", "2026-11-30T12:00:00Z"
ZONES = {"us-east-1a": "use1-az6", "us-east-1b": "use1-az1", "us-east-1c": "use1-az2"}
_CZ, _SHIFT = "load_balancing.cross_zone.enabled", "zonal_shift.config.enabled"
_HEALTH = "target_group_health"


def _answer(
    service: str,
    operation: str,
    response: dict[str, Any],
    pass_: int = 1,
    page: int = 1,
    next_: str | None = None,
    **params: Any,
) -> Answer:
    return Answer(
        v=1,
        account=ACCOUNT,
        region=REGION,
        service=service,
        operation=operation,
        params=params,
        page=page,
        at=AT,
        ms=12,
        pass_=pass_,
        next=next_,
        response=response,
    )


def _pages(operation: str, key: str, items: list[Any]) -> Iterator[Answer]:
    for page, start in enumerate(range(0, len(items), 400), 1):
        more = f"page-{page + 1}" if start + 400 < len(items) else None
        yield _answer("elbv2", operation, {key: items[start : start + 400]}, page=page, next_=more)


def _attributes(values: dict[str, str]) -> dict[str, Any]:
    return {"Attributes": [{"Key": k, "Value": v} for k, v in values.items()]}


def _state(rng: random.Random) -> dict[str, str]:
    if rng.random() < 0.03:
        return {
            "State": "unhealthy",
            "Reason": "Target.ResponseCodeMismatch",
            "Description": f"Health checks failed with these codes: [{rng.choice((301, 404, 503))}]",
        }
    return {"State": "healthy"}


class Account:
    """Load balancers with two target groups each and ten targets per group; about 70 in 100 are application ones."""

    def __init__(self, balancers: int, targets_per_group: int = 10, seed: int = 1) -> None:
        self.rng = random.Random(seed)
        self.balancers = balancers
        self.targets = targets_per_group
        self._arn = f"arn:aws:elasticloadbalancing:{REGION}:{ACCOUNT}"

    def answers(self) -> Iterator[Answer]:
        """Every answer of the account."""
        yield _answer("sts", "GetCallerIdentity", {"Account": ACCOUNT, "Arn": f"arn:aws:iam::{ACCOUNT}:role/auditor"})
        zones = [
            {"ZoneName": n, "ZoneId": i, "ZoneType": "availability-zone", "State": "available"}
            for n, i in ZONES.items()
        ]
        yield _answer("ec2", "DescribeAvailabilityZones", {"AvailabilityZones": zones})
        subnets = [
            {"SubnetId": f"subnet-{n[-1]}", "VpcId": "vpc-1", "AvailabilityZone": n, "AvailabilityZoneId": i}
            | {"CidrBlock": f"10.{k}.0.0/16", "AvailableIpAddressCount": 4000}
            for k, (n, i) in enumerate(ZONES.items())
        ]
        yield _answer("ec2", "DescribeSubnets", {"Subnets": subnets})
        managed: list[dict[str, Any]] = []
        listing: list[dict[str, Any]] = []
        groups: list[dict[str, Any]] = []
        tagged: list[str] = []
        for number in range(self.balancers):
            yield from self._balancer(number, listing, groups, managed, tagged)
        yield from _pages("DescribeLoadBalancers", "LoadBalancers", listing)
        yield from _pages("DescribeTargetGroups", "TargetGroups", groups)
        for start in range(0, len(tagged), 20):
            arns = tagged[start : start + 20]
            tags = [{"ResourceArn": a, "Tags": [{"Key": "env", "Value": "prod"}]} for a in arns]
            yield _answer("elbv2", "DescribeTags", {"TagDescriptions": tags}, ResourceArns=arns)
        yield from self._rest(managed)

    def _balancer(
        self, number: int, listing: list[Any], groups: list[Any], managed: list[Any], tagged: list[str]
    ) -> Iterator[Answer]:
        rng = self.rng
        network = rng.random() < 0.3
        name, short = f"lb-{number:05}", "net" if network else "app"
        arn = f"{self._arn}:loadbalancer/{short}/{name}/{number:016x}"
        zones = list(ZONES)[: rng.choice((2, 3, 3, 3))]
        shift = rng.random() < 0.6
        listing.append(
            {
                "LoadBalancerArn": arn,
                "LoadBalancerName": name,
                "Type": "network" if network else "application",
                "Scheme": "internal",
                "State": {"Code": "active"},
                "VpcId": "vpc-1",
                "AvailabilityZones": [{"ZoneName": z, "SubnetId": f"subnet-{z[-1]}"} for z in zones],
            }
        )
        cross = "true" if not network or rng.random() < 0.45 else "false"
        attributes = {_CZ: cross, _SHIFT: str(shift).lower(), "deletion_protection.enabled": "false"}
        yield _answer("elbv2", "DescribeLoadBalancerAttributes", _attributes(attributes), LoadBalancerArn=arn)
        if shift:
            ids = [ZONES[z] for z in zones]
            managed.append(
                {"arn": arn, "name": name, "availabilityZones": ids, "appliedWeights": dict.fromkeys(ids, 1.0)}
                | {"zonalShifts": [], "autoshifts": [], "zonalAutoshiftStatus": "DISABLED"}
            )
        tagged.append(arn)
        arns = []
        for part in range(2):
            group = f"{self._arn}:targetgroup/tg-{number:05}-{part}/{number:016x}"
            arns.append(group)
            tagged.append(group)
            yield from self._group(group, f"tg-{number:05}-{part}", arn, network, zones, number, groups)
        listener = f"{self._arn}:listener/{short}/{name}/{number:016x}/1"
        actions = [[{"Type": "forward", "TargetGroupArn": g}] for g in arns]
        yield _answer(
            "elbv2",
            "DescribeListeners",
            {
                "Listeners": [
                    {
                        "ListenerArn": listener,
                        "LoadBalancerArn": arn,
                        "Port": 443,
                        "Protocol": "TLS" if network else "HTTPS",
                    }
                    | {"SslPolicy": "ELBSecurityPolicy-TLS13-1-2-2021-06", "DefaultActions": actions[0]}
                ]
            },
            LoadBalancerArn=arn,
        )
        path = {"Field": "path-pattern", "PathPatternConfig": {"Values": ["/api/*"]}}
        rules = [
            {
                "RuleArn": f"{listener}/r1",
                "Priority": "10",
                "Conditions": [path],
                "Actions": actions[1],
                "IsDefault": False,
            },
            {
                "RuleArn": f"{listener}/r0",
                "Priority": "default",
                "Conditions": [],
                "Actions": actions[0],
                "IsDefault": True,
            },
        ]
        yield _answer("elbv2", "DescribeRules", {"Rules": rules}, ListenerArn=listener)

    def _group(
        self, arn: str, name: str, balancer: str, network: bool, zones: list[str], number: int, groups: list[Any]
    ) -> Iterator[Answer]:
        groups.append(
            {
                "TargetGroupArn": arn,
                "TargetGroupName": name,
                "Protocol": "TCP" if network else "HTTP",
                "Port": 8080,
                "VpcId": "vpc-1",
                "HealthCheckProtocol": "HTTP",
                "HealthCheckPort": "traffic-port",
                "HealthCheckPath": "/healthz",
                "Matcher": {"HttpCode": "200"},
                "LoadBalancerArns": [balancer],
                "TargetType": "ip",
            }
        )
        values = {
            _CZ: self.rng.choice(("use_load_balancer_configuration", "use_load_balancer_configuration", "false")),
            f"{_HEALTH}.dns_failover.minimum_healthy_targets.count": "1",
            f"{_HEALTH}.dns_failover.minimum_healthy_targets.percentage": "off",
            f"{_HEALTH}.unhealthy_state_routing.minimum_healthy_targets.count": "1",
            f"{_HEALTH}.unhealthy_state_routing.minimum_healthy_targets.percentage": "off",
            "deregistration_delay.timeout_seconds": "300",
        }
        yield _answer("elbv2", "DescribeTargetGroupAttributes", _attributes(values), TargetGroupArn=arn)
        health = []
        for index in range(self.targets):
            zone = zones[index % len(zones)]
            address = f"10.{list(ZONES).index(zone)}.{number % 250}.{index + 1}"
            health.append(
                {
                    "Target": {"Id": address, "Port": 8080, "AvailabilityZone": zone},
                    "HealthCheckPort": "8080",
                    "TargetHealth": _state(self.rng),
                }
            )
        yield _answer(
            "elbv2", "DescribeTargetHealth", {"TargetHealthDescriptions": health}, TargetGroupArn=arn, Include=["All"]
        )

    def _rest(self, managed: list[Any]) -> Iterator[Answer]:
        for pass_ in (1, 2):
            yield _answer("arc-zonal-shift", "ListManagedResources", {"items": managed}, pass_)
            yield _answer("arc-zonal-shift", "ListZonalShifts", {"items": []}, pass_)
            yield _answer("arc-zonal-shift", "ListAutoshifts", {"items": []}, pass_)
        yield _answer("elb", "DescribeLoadBalancers", {"LoadBalancerDescriptions": []})
        yield _answer("autoscaling", "DescribeAutoScalingGroups", {"AutoScalingGroups": []})
        yield _answer("eks", "ListClusters", {"clusters": []})


def header() -> Header:
    """A header as a scan would write it."""
    return Header(v=1, tool_version="0", scan_id="benchmark", started=AT, settings={})


def footer(calls: int) -> Footer:
    """A footer as a scan would write it."""
    return Footer(v=1, finished=AT, calls=calls, errors=0)
