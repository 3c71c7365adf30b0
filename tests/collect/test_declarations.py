"""What is asked, and that nothing is asked in vain."""

from __future__ import annotations

from typing import Any

import pytest
from botocore.loaders import create_loader

from auditor.aws.paging import paging
from auditor.collect import declared
from auditor.collect.call import Call, Stage, each
from auditor.collect.pace import rate_of
from auditor.model import arc, ec2, elbv2
from auditor.model.read import Read

from .estate import (
    ADDRESSES,
    ALB,
    BALANCERS,
    BEHIND,
    GROUPS,
    GWLB,
    HIDDEN,
    NLB,
    RULED_NLB,
    TG,
    WEB,
    alarm,
    balancer,
    estate,
    group,
)
from .scripted import DENIED, Script, scan


def run(**replies: Any) -> Script:
    script = Script(estate() | {name.replace("__", ":"): reply for name, reply in replies.items()})
    scan(script)
    return script


def test_the_calls_of_a_small_account_are_the_fewest() -> None:
    assert run().counts() == {
        "ec2:DescribeRegions": 1,
        "ec2:DescribeAvailabilityZones": 1,
        "ec2:DescribeSubnets": 1,
        "ec2:DescribeInstances": 1,
        "ec2:DescribeNetworkInterfaces": 1,
        "elbv2:DescribeLoadBalancers": 1,
        "elbv2:DescribeLoadBalancerAttributes": 4,
        "elbv2:DescribeListeners": 4,
        "elbv2:DescribeRules": 2,
        "elbv2:DescribeTargetGroups": 1,
        "elbv2:DescribeTargetGroupAttributes": 5,
        "elbv2:DescribeTargetHealth": 4,
        "elbv2:DescribeSSLPolicies": 1,
        "elbv2:DescribeTags": 1,
        "elb:DescribeLoadBalancers": 1,
        "elb:DescribeLoadBalancerAttributes": 2,
        "elb:DescribeInstanceHealth": 1,
        "elb:DescribeTags": 1,
        "autoscaling:DescribeAutoScalingGroups": 1,
        "autoscaling:DescribeWarmPool": 1,
        "autoscaling:DescribeScheduledActions": 1,
        "eks:ListClusters": 1,
        "eks:DescribeCluster": 1,
        "eks:ListNodegroups": 1,
        "eks:DescribeNodegroup": 2,
        "eks:ListFargateProfiles": 1,
        "eks:DescribeFargateProfile": 1,
        "arc-zonal-shift:ListManagedResources": 2,
        "arc-zonal-shift:ListZonalShifts": 2,
        "arc-zonal-shift:ListAutoshifts": 2,
        "arc-zonal-shift:GetManagedResource": 1,
        "arc-zonal-shift:GetAutoshiftObserverNotificationStatus": 1,
        "cloudwatch:DescribeAlarms": 1,
    }


def test_an_empty_account_costs_its_listings_only() -> None:
    script = Script({})
    scan(script)
    listings = {c.read.source: len(c.passes) for c in declared() if not c.read.key and not c.depends}
    del listings["sts:GetCallerIdentity"]  # asked when signing in
    assert script.counts() == listings


def test_how_things_are_asked() -> None:
    script = run()
    assert script.asked("ec2:DescribeRegions") == [{"AllRegions": True}]
    assert script.asked("ec2:DescribeAvailabilityZones") == [{}]
    assert script.asked("ec2:DescribeInstances") == [
        {"Filters": [{"Name": "instance-id", "Values": ["i-1", "i-2", "i-3", "i-9"]}], "MaxResults": 1000}
    ]
    assert script.asked("ec2:DescribeNetworkInterfaces") == [
        {"Filters": [{"Name": "description", "Values": ["ELB *"]}], "MaxResults": 1000}
    ]
    assert script.asked("elbv2:DescribeLoadBalancers") == [{"PageSize": 400}]
    assert script.asked("elbv2:DescribeSSLPolicies") == [{"LoadBalancerType": "application", "PageSize": 400}]
    assert {"TargetGroupArn": WEB, "Include": ["All"]} in script.asked("elbv2:DescribeTargetHealth")
    assert script.asked("elbv2:DescribeTags") == [
        {"ResourceArns": [b["LoadBalancerArn"] for b in BALANCERS] + [g["TargetGroupArn"] for g in GROUPS]}
    ]
    assert script.asked("autoscaling:DescribeAutoScalingGroups") == [{"MaxRecords": 100}]
    assert script.asked("autoscaling:DescribeWarmPool") == [{"AutoScalingGroupName": "warm", "MaxRecords": 50}]
    assert {"clusterName": "main", "nodegroupName": "b"} in script.asked("eks:DescribeNodegroup")
    assert script.asked("arc-zonal-shift:ListAutoshifts") == [{"maxResults": 100}] * 2
    assert script.asked("arc-zonal-shift:GetManagedResource") == [{"resourceIdentifier": ALB}]
    assert script.asked("cloudwatch:DescribeAlarms") == [
        {"AlarmNames": ["a:b", "errors"], "AlarmTypes": ["MetricAlarm", "CompositeAlarm"], "MaxRecords": 100}
    ]


def test_alarms_are_read_of_practice_runs_only_and_in_hundreds() -> None:
    assert not run(**{"arc-zonal-shift__GetManagedResource": DENIED}).asked("cloudwatch:DescribeAlarms")
    assert not run(**{"arc-zonal-shift__GetManagedResource": {"arn": ALB}}).asked("cloudwatch:DescribeAlarms")
    conditions = [{"type": "CLOUDWATCH", "alarmIdentifier": alarm(f"a{n:03}")} for n in range(205)]
    configuration = {"practiceRunConfiguration": {"outcomeAlarms": conditions}}
    asked = run(**{"arc-zonal-shift__GetManagedResource": configuration}).asked("cloudwatch:DescribeAlarms")
    assert [len(params["AlarmNames"]) for params in asked] == [100, 100, 5]


def test_health_is_read_of_groups_in_use_only() -> None:
    asked = {p["TargetGroupArn"] for p in run().asked("elbv2:DescribeTargetHealth")}
    assert asked == {WEB, ADDRESSES, BEHIND, HIDDEN}


def test_rules_are_read_where_they_may_say_more_than_the_listeners() -> None:
    asked = {p["ListenerArn"] for p in run().asked("elbv2:DescribeRules")}
    assert asked == {f"{ALB}/listener", f"{RULED_NLB}/listener"}


@pytest.mark.parametrize(
    ("groups", "policies", "interfaces"),
    [
        ([group(WEB, "instance", ALB)], False, False),
        ([group(WEB, "ip")], False, False),
        ([group(WEB, "ip", NLB)], False, True),
        ([group(WEB, "alb", NLB)], False, True),
        ([group(WEB, "alb", NLB, check="HTTPS")], True, True),
        ([group(WEB, "instance", ALB, check="HTTPS")], False, False),
    ],
)
def test_policies_and_interfaces_are_read_where_a_check_or_an_address_needs_them(
    groups: list[Any], policies: bool, interfaces: bool
) -> None:
    script = run(elbv2__DescribeTargetGroups={"TargetGroups": groups}, elbv2__DescribeTargetHealth={})
    assert bool(script.asked("elbv2:DescribeSSLPolicies")) is policies
    assert bool(script.asked("ec2:DescribeNetworkInterfaces")) is interfaces


def test_tags_go_in_twenties_and_instances_in_two_hundreds() -> None:
    groups = [group(f"{TG}/{n}", "instance", ALB) for n in range(45)]
    script = run(
        elbv2__DescribeLoadBalancers={"LoadBalancers": [balancer(ALB, "application")]},
        elbv2__DescribeTargetGroups={"TargetGroups": groups},
        elbv2__DescribeTargetHealth=lambda p: {
            "TargetHealthDescriptions": [{"Target": {"Id": f"i-{p['TargetGroupArn'][-2:]}{n}"}} for n in range(10)]
        },
    )
    assert [len(p["ResourceArns"]) for p in script.asked("elbv2:DescribeTags")] == [20, 20, 6]
    asked = [p["Filters"][0]["Values"] for p in script.asked("ec2:DescribeInstances")]
    assert [len(values) for values in asked] == [200, 200, 51]
    assert len({i for values in asked for i in values}) == 451


def test_offerings_are_read_of_the_types_that_groups_use_and_no_other() -> None:
    assert not run().asked("ec2:DescribeInstanceTypeOfferings")  # its groups show no type
    named = {"LaunchTemplate": {"Overrides": [{"InstanceType": f"t{n:03}.large"} for n in range(230)]}}
    attributes = {"LaunchTemplate": {"Overrides": [{"InstanceRequirements": {}}]}}
    groups = [
        {"AutoScalingGroupName": "mixed", "MixedInstancesPolicy": named},
        {"AutoScalingGroupName": "plain", "Instances": [{"InstanceType": "m7g.large"}, {"InstanceType": "m7g.large"}]},
        {
            "AutoScalingGroupName": "any",
            "MixedInstancesPolicy": attributes,
            "Instances": [{"InstanceType": "c7g.large"}],
        },
    ]
    script = run(autoscaling__DescribeAutoScalingGroups={"AutoScalingGroups": groups})
    asked = script.asked("ec2:DescribeInstanceTypeOfferings")
    assert [len(p["Filters"][0]["Values"]) for p in asked] == [200, 31]
    assert {p["LocationType"] for p in asked} == {"availability-zone-id"}
    assert "m7g.large" in asked[0]["Filters"][0]["Values"]
    assert not any("c7g.large" in p["Filters"][0]["Values"] for p in asked)


def test_a_denied_listing_is_followed_by_nothing() -> None:
    counts = run(elbv2__DescribeLoadBalancers=DENIED, elbv2__DescribeTargetGroups=DENIED).counts("elbv2")
    assert counts == {"elbv2:DescribeLoadBalancers": 1, "elbv2:DescribeTargetGroups": 1}


def test_a_load_balancer_without_rules_of_its_kind_has_none() -> None:
    assert GWLB not in {p["ListenerArn"] for p in run().asked("elbv2:DescribeRules")}


@pytest.mark.parametrize("call", declared(), ids=lambda c: c.read.source)
def test_declarations_agree_with_the_models_of_aws(call: Call) -> None:
    loader = create_loader()
    model = loader.load_service_model(call.read.service, "service-2")
    members = model["shapes"][model["operations"][call.read.operation]["input"]["shape"]]["members"]
    assert not call.read.key or set(call.read.key.split("/")) <= set(members)
    pages = paging(call.read.service, call.read.operation)
    assert (call.page_size is not None) == (pages is not None)
    if pages and call.page_size:
        assert {pages.input_token, pages.limit_key} <= set(members)
        limit = model["shapes"][members[pages.limit_key]["shape"]].get("max")
        assert limit is None or call.page_size <= limit
    assert rate_of(call.family, "normal").per_second > 0


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"read": Read("elbv2", "DeleteRule", "", elbv2.Rule)}, "is not a read"),
        ({"read": ec2.SUBNETS, "page_size": 0}, "page size 0"),
        ({"read": ec2.SUBNETS, "depends": (ec2.SUBNETS,)}, "depends on itself"),
        ({"read": arc.AUTOSHIFTS, "depends": (ec2.SUBNETS,), "stage": Stage.FIRST}, "only calls of the main stage"),
    ],
)
def test_a_declaration_that_makes_no_sense_is_refused(fields: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Call(**fields)


def test_every_dependency_is_declared_and_nothing_waits_for_ever() -> None:
    calls = {c.read.source: c for c in declared()}
    done = {s for s, c in calls.items() if not c.depends}
    while True:
        more = {s for s, c in calls.items() if s not in done and {d.source for d in c.depends} <= done}
        if not more:
            break
        done |= more
    assert done == set(calls)


def test_each_names_its_parent() -> None:
    requests = each("Name", lambda _: ["a", "b"], Include=["All"])
    assert list(requests(None)) == [  # type: ignore[arg-type]
        {"Name": "a", "Include": ["All"]},
        {"Name": "b", "Include": ["All"]},
    ]
