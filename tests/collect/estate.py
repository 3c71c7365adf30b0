"""A small account for the script: every kind of thing the declarations make a difference between."""

from __future__ import annotations

from typing import Any

from .scripted import Reply

LB = "arn:aws:elasticloadbalancing:us-east-1:123456789012:loadbalancer"
TG = "arn:aws:elasticloadbalancing:us-east-1:123456789012:targetgroup"
ALB, NLB, RULED_NLB, GWLB = f"{LB}/app/web/1", f"{LB}/net/tcp/2", f"{LB}/net/ruled/3", f"{LB}/gwy/inspect/4"
WEB, ADDRESSES, BEHIND, HIDDEN, UNUSED = (f"{TG}/{name}" for name in ("web", "addresses", "behind", "hidden", "unused"))


def balancer(arn: str, kind: str) -> dict[str, Any]:
    return {"LoadBalancerArn": arn, "LoadBalancerName": arn.split("/")[-2], "Type": kind}


def group(arn: str, kind: str, *balancers: str, check: str = "HTTP") -> dict[str, Any]:
    return {
        "TargetGroupArn": arn,
        "TargetType": kind,
        "LoadBalancerArns": list(balancers),
        "HealthCheckProtocol": check,
    }


def alarm(name: str, region: str = "us-east-1") -> str:
    return f"arn:aws:cloudwatch:{region}:123456789012:alarm:{name}"


def forward(*groups: str, weights: dict[str, int] | None = None) -> dict[str, Any]:
    tuples = [{"TargetGroupArn": g, **({"Weight": weights[g]} if weights else {})} for g in groups]
    return {"Type": "forward", "ForwardConfig": {"TargetGroups": tuples}}


def listener(balancer_arn: str, *actions: dict[str, Any]) -> dict[str, Any]:
    return {"ListenerArn": f"{balancer_arn}/listener", "LoadBalancerArn": balancer_arn, "DefaultActions": list(actions)}


BALANCERS = [
    balancer(ALB, "application"),
    balancer(NLB, "network"),
    balancer(RULED_NLB, "network"),
    balancer(GWLB, "gateway"),
]
GROUPS = [
    group(WEB, "instance", ALB),
    group(ADDRESSES, "ip", NLB),
    group(BEHIND, "alb", RULED_NLB, check="HTTPS"),
    group(HIDDEN, "instance", RULED_NLB),
    group(UNUSED, "instance"),
]
LISTENERS = {
    ALB: [listener(ALB, forward(WEB))],
    NLB: [listener(NLB, {"Type": "forward", "TargetGroupArn": ADDRESSES})],
    # Its second group is attached, and its default action sends nothing there: only a rule can explain it.
    RULED_NLB: [listener(RULED_NLB, forward(BEHIND, HIDDEN, weights={BEHIND: 1, HIDDEN: 0}))],
    GWLB: [listener(GWLB)],
}
HEALTH = {WEB: ["i-2", "i-1"], ADDRESSES: ["10.0.0.1"], BEHIND: [ALB], HIDDEN: ["i-1", "i-3"]}


def _health(params: dict[str, Any]) -> dict[str, Any]:
    return {"TargetHealthDescriptions": [{"Target": {"Id": i}} for i in HEALTH[params["TargetGroupArn"]]]}


def _elbv2_tags(params: dict[str, Any]) -> dict[str, Any]:
    return {"TagDescriptions": [{"ResourceArn": a, "Tags": []} for a in params["ResourceArns"]]}


def estate() -> dict[str, Reply]:
    """Replies for every declared operation."""
    return {
        "ec2:DescribeRegions": {
            "Regions": [
                {"RegionName": "us-east-1", "OptInStatus": "opt-in-not-required"},
                {"RegionName": "eu-west-1", "OptInStatus": "opt-in-not-required"},
                {"RegionName": "af-south-1", "OptInStatus": "not-opted-in"},
                {"RegionName": "il-central-1", "OptInStatus": "opted-in"},
            ]
        },
        "ec2:DescribeAvailabilityZones": {"AvailabilityZones": [{"ZoneName": "us-east-1a", "ZoneId": "use1-az1"}]},
        "elbv2:DescribeLoadBalancers": {"LoadBalancers": BALANCERS},
        "elbv2:DescribeTargetGroups": {"TargetGroups": GROUPS},
        "elbv2:DescribeListeners": lambda p: {"Listeners": LISTENERS[p["LoadBalancerArn"]]},
        "elbv2:DescribeTargetHealth": _health,
        "elbv2:DescribeTags": _elbv2_tags,
        "elb:DescribeLoadBalancers": {
            "LoadBalancerDescriptions": [
                {"LoadBalancerName": "old", "Instances": [{"InstanceId": "i-9"}]},
                {"LoadBalancerName": "bare", "Instances": []},
            ]
        },
        "elb:DescribeTags": lambda p: {"TagDescriptions": [{"LoadBalancerName": n} for n in p["LoadBalancerNames"]]},
        "autoscaling:DescribeAutoScalingGroups": {
            "AutoScalingGroups": [
                {"AutoScalingGroupName": "warm", "WarmPoolConfiguration": {"PoolState": "Stopped"}},
                {"AutoScalingGroupName": "cold"},
            ]
        },
        "eks:ListClusters": {"clusters": ["main"]},
        "eks:ListNodegroups": {"nodegroups": ["a", "b"]},
        "eks:ListFargateProfiles": {"fargateProfileNames": ["f"]},
        "arc-zonal-shift:ListManagedResources": {
            "items": [
                {"arn": ALB, "availabilityZones": [], "practiceRunStatus": "ENABLED"},
                {"arn": NLB, "availabilityZones": [], "practiceRunStatus": "DISABLED"},
            ]
        },
        "arc-zonal-shift:GetManagedResource": lambda p: {
            "arn": p["resourceIdentifier"],
            "practiceRunConfiguration": {
                "outcomeAlarms": [
                    {"type": "CLOUDWATCH", "alarmIdentifier": alarm(n, p["Region"])} for n in ("errors", "a:b")
                ],
                "blockingAlarms": [{"type": "CLOUDWATCH", "alarmIdentifier": alarm("far", "eu-west-1")}],
            },
        },
        "cloudwatch:DescribeAlarms": {"MetricAlarms": [{"AlarmName": "errors"}], "CompositeAlarms": []},
        "arc-zonal-shift:GetAutoshiftObserverNotificationStatus": {"status": "ENABLED"},
    }
