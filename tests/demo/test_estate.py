"""The demo account holds what its faults and sound parts promise, as an ordinary client sees it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from botocore.exceptions import ClientError

from auditor.demo import DemoAccount

from .reading import Reader, read_all


def _by_zone(targets: list[dict[str, Any]]) -> Counter[tuple[str, str]]:
    return Counter((t["Target"]["AvailabilityZone"], t["TargetHealth"]["State"]) for t in targets)


def _zones_of_instances(reader: Reader, ids: set[str]) -> Counter[str]:
    zones: Counter[str] = Counter()
    for reservation in reader.call("ec2", "DescribeInstances")["Reservations"]:
        for instance in reservation["Instances"]:
            if instance["InstanceId"] in ids:
                zones[instance["Placement"]["AvailabilityZone"]] += 1
    return zones


def test_load_balancers_and_their_arns(reader: Reader) -> None:
    balancers = reader.balancers()
    kinds = {name: item["LoadBalancerArn"].split(":loadbalancer/")[1].split("/")[0] for name, item in balancers.items()}
    assert kinds == {
        "blog": "app",
        "checkout": "app",
        "edge": "net",
        "edge-alb": "app",
        "ingest": "net",
        "inspection": "gwy",
        "mqtt": "net",
        "orders": "app",
        "portal": "app",
        "shop": "app",
        "telemetry": "net",
    }
    assert balancers["shop"]["Scheme"] == "internet-facing"
    assert balancers["portal"]["Scheme"] == "internal"
    assert all(item["State"]["Code"] == "active" for item in balancers.values())
    assert {len(item["AvailabilityZones"]) for item in balancers.values()} == {3}


def test_shop_is_sound(reader: Reader) -> None:
    assert _by_zone(reader.health("shop")) == {
        ("us-east-1a", "healthy"): 2,
        ("us-east-1b", "healthy"): 2,
        ("us-east-1c", "healthy"): 2,
    }
    arn = reader.balancers()["shop"]["LoadBalancerArn"]
    attributes = reader.attributes(arn)
    assert attributes["zonal_shift.config.enabled"] == "true"
    assert attributes["load_balancing.cross_zone.enabled"] == "true"
    listeners = {
        item["Port"]: item for item in reader.call("elbv2", "DescribeListeners", LoadBalancerArn=arn)["Listeners"]
    }
    assert listeners[443]["SslPolicy"] == "ELBSecurityPolicy-TLS13-1-2-2021-06"
    assert "SslPolicy" not in listeners[80]
    tags = reader.call("elbv2", "DescribeTags", ResourceArns=[arn])["TagDescriptions"][0]["Tags"]
    assert {"Key": "service", "Value": "shop"} in tags
    instances = {t["Target"]["Id"] for t in reader.health("shop-api")}
    assert _zones_of_instances(reader, instances) == {"us-east-1a": 2, "us-east-1b": 2, "us-east-1c": 2}
    assert "AvailabilityZone" not in reader.health("shop-api")[0]["Target"]


def test_checkout_has_an_enabled_zone_without_a_target_and_cross_zone_off(reader: Reader) -> None:
    zones = {zone["ZoneName"] for zone in reader.balancers()["checkout"]["AvailabilityZones"]}
    assert zones == {"us-east-1a", "us-east-1b", "us-east-1c"}
    assert _by_zone(reader.health("checkout")) == {("us-east-1a", "healthy"): 3, ("us-east-1b", "healthy"): 3}
    attributes = reader.attributes(reader.groups()["checkout"]["TargetGroupArn"])
    assert attributes["load_balancing.cross_zone.enabled"] == "false"


def test_blog_redirects_its_health_path(reader: Reader) -> None:
    group = reader.groups()["blog"]
    assert (group["HealthCheckPath"], group["Matcher"]) == ("/", {"HttpCode": "200"})
    found = [t["TargetHealth"] for t in reader.health("blog")]
    assert len(found) == 6
    for health in found:
        assert (health["State"], health["Reason"]) == ("unhealthy", "Target.ResponseCodeMismatch")
        assert "[301]" in health["Description"]


def test_edge_checks_a_tls13_only_listener_over_https(reader: Reader) -> None:
    behind = reader.balancers()["edge-alb"]["LoadBalancerArn"]
    group = reader.groups()["edge-alb"]
    assert (group["TargetType"], group["HealthCheckProtocol"], group["Port"]) == ("alb", "HTTPS", 443)
    [target] = reader.health("edge-alb")
    assert (target["Target"]["Id"], target["HealthCheckPort"]) == (behind, "443")
    assert target["TargetHealth"]["State"] == "unhealthy"
    assert target["TargetHealth"]["Reason"] == "Target.FailedHealthChecks"
    [listener] = reader.call("elbv2", "DescribeListeners", LoadBalancerArn=behind)["Listeners"]
    [policy] = reader.call("elbv2", "DescribeSSLPolicies", Names=[listener["SslPolicy"]])["SslPolicies"]
    assert policy["SslProtocols"] == ["TLSv1.3"]


def test_ingest_is_uneven_with_cross_zone_off(reader: Reader) -> None:
    instances = {t["Target"]["Id"] for t in reader.health("ingest")}
    assert _zones_of_instances(reader, instances) == {"us-east-1a": 2, "us-east-1b": 4, "us-east-1c": 6}
    attributes = reader.attributes(reader.balancers()["ingest"]["LoadBalancerArn"])
    assert attributes["load_balancing.cross_zone.enabled"] == "false"
    assert {t["HealthCheckPort"] for t in reader.health("ingest")} == {"13133"}


def test_who_takes_part_in_zonal_shift(reader: Reader) -> None:
    managed = {item["name"] for item in reader.call("arc-zonal-shift", "ListManagedResources")["items"]}
    on = {
        "analytics",
        "batch",
        "blog",
        "checkout",
        "edge",
        "edge-alb",
        "ingest",
        "legacy",
        "portal",
        "shop",
        "shop-api",
    }
    assert managed == on | {"telemetry"}
    for name in ("orders", "mqtt"):
        attributes = reader.attributes(reader.balancers()[name]["LoadBalancerArn"])
        assert attributes["zonal_shift.config.enabled"] == "false"


def test_telemetry_is_shifted_away_from_one_zone(reader: Reader) -> None:
    arn = reader.balancers()["telemetry"]["LoadBalancerArn"]
    detail = reader.call("arc-zonal-shift", "GetManagedResource", resourceIdentifier=arn)
    assert detail["appliedWeights"] == {"use1-az1": 0.0, "use1-az2": 1.0, "use1-az6": 1.0}
    [shift] = detail["zonalShifts"]
    assert (shift["appliedStatus"], shift["awayFrom"]) == ("APPLIED", "use1-az1")
    [listed] = reader.call("arc-zonal-shift", "ListZonalShifts", status="ACTIVE")["items"]
    assert (listed["resourceIdentifier"], listed["status"]) == (arn, "ACTIVE")
    overrides = {
        t["Target"]["AvailabilityZone"]: t["AdministrativeOverride"]["State"] for t in reader.health("telemetry")
    }
    assert overrides == {
        "us-east-1a": "no_override",
        "us-east-1b": "zonal_shift_active",
        "us-east-1c": "no_override",
    }


@pytest.mark.parametrize("name", ["shop", "portal"])
def test_sound_load_balancers_have_practice_runs(reader: Reader, name: str) -> None:
    arn = reader.balancers()[name]["LoadBalancerArn"]
    detail = reader.call("arc-zonal-shift", "GetManagedResource", resourceIdentifier=arn)
    assert detail["zonalAutoshiftStatus"] == "ENABLED"
    assert len(detail["practiceRunConfiguration"]["outcomeAlarms"]) == 1
    listed = reader.call("arc-zonal-shift", "ListManagedResources")["items"]
    assert [item["name"] for item in listed if item["practiceRunStatus"] == "ENABLED"] == ["portal", "shop"]
    runs = reader.call("arc-zonal-shift", "ListZonalShifts", status="EXPIRED")["items"]
    assert {
        (r["awayFrom"], r["shiftType"], r["practiceRunOutcome"]) for r in runs if r["resourceIdentifier"] == arn
    } == {(zone, "PRACTICE_RUN", "SUCCEEDED") for zone in ("use1-az1", "use1-az2", "use1-az6")}
    [alarm] = reader.call("cloudwatch", "DescribeAlarms", AlarmNames=[f"{name}-availability"])["MetricAlarms"]
    assert [alarm["AlarmArn"]] == [c["alarmIdentifier"] for c in detail["practiceRunConfiguration"]["outcomeAlarms"]]
    assert alarm["StateValue"] == "OK"


def test_groups_that_are_not_in_use(reader: Reader) -> None:
    states = {(t["TargetHealth"]["State"], t["TargetHealth"]["Reason"]) for t in reader.health("shop-canary-2025")}
    assert states == {("unused", "Target.NotInUse")}
    assert reader.groups()["shop-canary-2025"]["LoadBalancerArns"] == []
    assert reader.health("orders-green") == []
    assert reader.groups()["orders-green"]["LoadBalancerArns"] == [reader.balancers()["orders"]["LoadBalancerArn"]]


def test_a_function_is_unavailable_because_nobody_checks_it(reader: Reader) -> None:
    [target] = reader.health("portal-thumbnails")
    assert target["TargetHealth"]["Reason"] == "Target.HealthCheckDisabled"
    assert "Port" not in target["Target"]


def test_scaling_groups(reader: Reader) -> None:
    groups = {
        group["AutoScalingGroupName"]: group
        for group in reader.call("autoscaling", "DescribeAutoScalingGroups")["AutoScalingGroups"]
    }
    spread = {
        name: sorted(Counter(i["AvailabilityZoneId"] for i in group["Instances"]).items())
        for name, group in groups.items()
    }
    even = [("use1-az1", 2), ("use1-az2", 2), ("use1-az6", 2)]
    node_groups = [name for name in groups if name.startswith("eks-")]
    assert len(node_groups) == 2
    assert spread["shop-api"] == spread["mqtt"] == even
    assert spread["ingest"] == [("use1-az1", 4), ("use1-az2", 6), ("use1-az6", 2)]
    assert spread["batch"] == [("use1-az6", 2)]
    assert groups["batch"]["AvailabilityZones"] == ["us-east-1a"]
    assert groups["shop-api"]["AvailabilityZoneImpairmentPolicy"]["ZonalShiftEnabled"] is True
    assert "AvailabilityZoneImpairmentPolicy" not in groups["mqtt"]
    assert groups["legacy"]["TrafficSources"] == [{"Identifier": "legacy", "Type": "elb"}]
    assert groups["mqtt"]["TrafficSources"][0]["Type"] == "elbv2"


def test_clusters_and_their_node_groups(reader: Reader) -> None:
    switches = {}
    for name in reader.call("eks", "ListClusters")["clusters"]:
        switches[name] = reader.call("eks", "DescribeCluster", name=name)["cluster"]["zonalShiftConfig"]["enabled"]
    assert switches == {"platform": False, "analytics": True}
    answer = reader.call("eks", "DescribeNodegroup", clusterName="platform", nodegroupName="general")
    [named] = answer["nodegroup"]["resources"]["autoScalingGroups"]
    found = reader.call("autoscaling", "DescribeAutoScalingGroups", AutoScalingGroupNames=[named["name"]])
    [group] = found["AutoScalingGroups"]
    assert len(group["Instances"]) == 6
    assert {"eks:cluster-name", "eks:nodegroup-name"} <= {tag["Key"] for tag in group["Tags"]}


def test_classic_load_balancer(reader: Reader) -> None:
    [legacy] = reader.call("elb", "DescribeLoadBalancers")["LoadBalancerDescriptions"]
    assert legacy["AvailabilityZones"] == ["us-east-1a", "us-east-1b"]
    instances = {item["InstanceId"] for item in legacy["Instances"]}
    assert _zones_of_instances(reader, instances) == {"us-east-1a": 2, "us-east-1b": 2}
    states = reader.call("elb", "DescribeInstanceHealth", LoadBalancerName="legacy")["InstanceStates"]
    assert Counter(item["State"] for item in states) == {"InService": 4}


def test_zones_are_named_and_numbered(reader: Reader) -> None:
    zones = reader.call("ec2", "DescribeAvailabilityZones")["AvailabilityZones"]
    assert {zone["ZoneName"]: zone["ZoneId"] for zone in zones} == {
        "us-east-1a": "use1-az6",
        "us-east-1b": "use1-az1",
        "us-east-1c": "use1-az2",
        "us-east-1d": "use1-az4",
        "us-east-1e": "use1-az3",
        "us-east-1f": "use1-az5",
    }


def test_interfaces_tell_whose_they_are_and_share_no_address_with_a_target(reader: Reader) -> None:
    found = reader.call("ec2", "DescribeNetworkInterfaces", Filters=[{"Name": "description", "Values": ["ELB *"]}])
    kinds = Counter((i["Description"].split()[1].split("/")[0], i["InterfaceType"]) for i in found["NetworkInterfaces"])
    assert kinds == {
        ("app", "interface"): 18,
        ("net", "network_load_balancer"): 12,
        ("gwy", "gateway_load_balancer"): 3,
        ("legacy", "interface"): 2,
    }
    assert all(i["RequesterManaged"] and i["AvailabilityZoneId"] for i in found["NetworkInterfaces"])
    everywhere = reader.call("ec2", "DescribeNetworkInterfaces")["NetworkInterfaces"]
    taken = [item["PrivateIpAddress"] for item in everywhere]
    assert len(taken) == len(set(taken))
    targets = [
        t["Target"]["Id"] for name, g in reader.groups().items() if g["TargetType"] == "ip" for t in reader.health(name)
    ]
    assert len(targets) == len(set(targets))
    assert not set(targets) & set(taken)


def test_defaults_are_those_of_aws(reader: Reader) -> None:
    groups = reader.groups()
    web = reader.attributes(groups["shop"]["TargetGroupArn"])
    network = reader.attributes(groups["telemetry"]["TargetGroupArn"])
    count = "target_group_health.dns_failover.minimum_healthy_targets.count"
    percentage = "target_group_health.unhealthy_state_routing.minimum_healthy_targets.percentage"
    for attributes in (web, network):
        assert (attributes[count], attributes[percentage]) == ("1", "off")
        assert attributes["load_balancing.cross_zone.enabled"] == "use_load_balancer_configuration"
    assert network["target_health_state.unhealthy.connection_termination.enabled"] == "true"
    assert web["load_balancing.algorithm.type"] == "round_robin"
    assert count not in reader.attributes(groups["inspection"]["TargetGroupArn"])
    orders = reader.attributes(reader.balancers()["orders"]["LoadBalancerArn"])
    assert (orders["client_keep_alive.seconds"], orders["idle_timeout.timeout_seconds"]) == ("3600", "60")
    edge = reader.attributes(reader.balancers()["edge"]["LoadBalancerArn"])
    assert edge["dns_record.client_routing_policy"] == "any_availability_zone"
    gateway = reader.attributes(reader.balancers()["inspection"]["LoadBalancerArn"])
    assert "zonal_shift.config.enabled" not in gateway


def test_listings_are_paged(reader: Reader) -> None:
    for operation, key in (("describe_load_balancers", "LoadBalancers"), ("describe_target_groups", "TargetGroups")):
        paginator = reader.client("elbv2").get_paginator(operation)
        pages = [page[key] for page in paginator.paginate(PaginationConfig={"PageSize": 4})]
        assert [len(page) for page in pages][:-1] == [4] * (len(pages) - 1)
        whole = reader.call("elbv2", "".join(part.capitalize() for part in operation.split("_")))[key]
        assert [item for page in pages for item in page] == whole
    paginator = reader.client("arc-zonal-shift").get_paginator("list_managed_resources")
    names = [item["name"] for page in paginator.paginate(PaginationConfig={"PageSize": 5}) for item in page["items"]]
    assert names == [item["name"] for item in reader.call("arc-zonal-shift", "ListManagedResources")["items"]]


@pytest.mark.parametrize(
    ("service", "operation", "params", "code"),
    [
        ("elbv2", "DescribeLoadBalancers", {"PageSize": 401}, "ValidationError"),
        ("elbv2", "DescribeLoadBalancers", {"LoadBalancerArns": ["arn:aws:none"]}, "LoadBalancerNotFound"),
        ("elbv2", "DescribeTargetHealth", {"TargetGroupArn": "arn:aws:none"}, "TargetGroupNotFound"),
        ("elbv2", "DescribeTags", {"ResourceArns": ["arn:x:targetgroup/none"]}, "TargetGroupNotFound"),
        ("elbv2", "DescribeTags", {"ResourceArns": ["arn:x:targetgroup/none"] * 21}, "ValidationError"),
        ("arc-zonal-shift", "ListZonalShifts", {"nextToken": "?"}, "ValidationException"),
        ("arc-zonal-shift", "GetManagedResource", {"resourceIdentifier": "arn:aws:none"}, "ResourceNotFoundException"),
    ],
)
def test_errors_are_typed(reader: Reader, service: str, operation: str, params: dict[str, Any], code: str) -> None:
    with pytest.raises(ClientError) as caught:
        reader.call(service, operation, **params)
    assert caught.value.response["Error"]["Code"] == code


def test_an_unregistered_resource_is_not_found_with_status_404(reader: Reader) -> None:
    client = reader.client("arc-zonal-shift")
    orders = reader.balancers()["orders"]["LoadBalancerArn"]
    with pytest.raises(client.exceptions.ResourceNotFoundException) as caught:
        client.get_managed_resource(resourceIdentifier=orders)
    assert caught.value.response["ResponseMetadata"]["HTTPStatusCode"] == 404


def test_every_read_of_the_auditor_is_exercised(account: DemoAccount) -> None:
    from auditor.collect import declared

    made = {(service, operation) for service, operation, _ in read_all(account).answers}
    assert {(call.read.service, call.read.operation) for call in declared()} <= made
