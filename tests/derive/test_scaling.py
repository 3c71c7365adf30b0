"""Auto Scaling groups: capacity per zone, unions, owners; and EKS clusters."""

from __future__ import annotations

import pytest

from auditor.derive.build import derive
from auditor.derive.scaling import is_capacity, owner_of, settling_of, tolerance_of, weight_of, zones_of
from auditor.derive.zones import ZoneMap
from auditor.model import autoscaling, ec2
from auditor.model.shape import Tag

from .region import A, B, C, estate, items, subject, unknown, whole

MAP = ZoneMap([(f"us-east-1{n}", f"use1-az{i}") for i, n in ((1, "a"), (2, "b"), (3, "c"))], {}, "us-east-1")


def instance(state="InService", health="Healthy", weight=None, zone="us-east-1a"):
    return autoscaling.Instance(
        InstanceId="i-1", LifecycleState=state, HealthStatus=health, WeightedCapacity=weight, AvailabilityZone=zone
    )


def group(*instances, **more):
    return autoscaling.AutoScalingGroup(AutoScalingGroupName="g", Instances=list(instances), **more)


@pytest.mark.parametrize(("weight", "units"), [(None, 1), ("4", 4), ("", 1), ("x", 1)])
def test_weights_are_text(weight, units):
    assert weight_of(instance(weight=weight)) == units


@pytest.mark.parametrize(
    ("state", "health", "counts"),
    [
        ("InService", "Healthy", True),
        ("InService", "HEALTHY", True),
        ("InService", "Unhealthy", False),
        ("Pending", "Healthy", False),
        ("Standby", "Healthy", False),
        ("Terminating:Wait", "Healthy", False),
        ("Warmed:Running", "Healthy", False),
    ],
)
def test_only_healthy_instances_in_service_are_capacity(state, health, counts):
    assert is_capacity(instance(state, health)) is counts


@pytest.mark.parametrize(
    ("state", "settles"),
    [
        ("InService", True),
        ("Standby", True),
        ("Detached", True),
        ("Warmed:Stopped", True),
        ("Terminating:Retained", True),
        ("Pending", False),
        ("Pending:Wait", False),
        ("Terminating", False),
        ("Quarantined", False),
        ("ReplacingRootVolume", False),
        ("Detaching", False),
        ("EnteringStandby", False),
    ],
)
def test_settling(state, settles):
    found = settling_of(group(instance(), instance(state)))
    assert found is False if settles else unknown(found)


@pytest.mark.parametrize(
    ("weights", "fullest", "tolerance"),
    [((None, None), 4, 1), (("4", "8"), 8, 8), ((None,), 40, 4), ((), 0, 1), ((None,), 19, 1)],
)
def test_tolerance(weights, fullest, tolerance):
    assert tolerance_of(group(*(instance(weight=w) for w in weights)), fullest) == tolerance


@pytest.mark.parametrize(
    ("more", "owner"),
    [
        ({}, ""),
        ({"Tags": [Tag(Key="eks:nodegroup-name", Value="x")]}, "Amazon EKS"),
        ({"Tags": [Tag(Key="kubernetes.io/cluster/main", Value="owned")]}, ""),
        ({"Operator": autoscaling.Operator(Managed=True, Principal="ecs.amazonaws.com")}, "ecs.amazonaws.com"),
    ],
)
def test_owner(more, owner):
    assert owner_of(group(**more)) == owner


def test_zones_from_whatever_aws_gave():
    subnet = ec2.Subnet(SubnetId="s-1", AvailabilityZone="us-east-1b", AvailabilityZoneId="use1-az2")
    assert zones_of(group(AvailabilityZones=["us-east-1b", "us-east-1a"]), MAP, {}) == (A, B)
    assert zones_of(group(AvailabilityZoneIds=["use1-az3"]), MAP, {}) == (C,)
    assert zones_of(group(VPCZoneIdentifier="s-1, s-2"), MAP, {"s-1": subnet}) == (B,)
    assert zones_of(group(), MAP, {}) == ()


ESTATE = """
load_balancers:
  web: {type: application, zones: [a, b, c], listeners: [{port: 80, protocol: HTTP, default: {forward: web}}]}
  old: {type: classic, zones: [a, b]}
target_groups: {web: {type: instance}, spare: {type: instance}}
auto_scaling_groups:
  web-a: {zones: [a], max: 4, desired: 2, target_groups: [web], instances: {a: 2}}
  web-b: {zones: [b], max: 4, desired: 2, target_groups: [web], instances: {b: 2}}
  batch: {zones: [a, b, c], max: 9, desired: 6, instances: {a: 4, b: "1, 1 Unhealthy", c: 0}}
  nodes-a: {zones: [a], max: 4, desired: 1, instances: {a: 1}}
  nodes-b: {zones: [b], max: 4, desired: 1, instances: {b: 1}}
  legacy: {zones: [a], max: 4, desired: 1, load_balancers: [old], instances: {a: "1, 1 Pending"}}
clusters:
  main:
    zonal_shift: false
    node_groups:
      na: {zones: [a], auto_scaling_group: nodes-a}
      nb: {zones: [b], auto_scaling_group: nodes-b}
"""


def asg(name, change=None, deny=()):
    return subject(estate(ESTATE, change=change, deny=deny), "AutoScalingGroup", name)


def test_capacity_and_evenness():
    found = asg("batch")
    assert [(c.zone, c.healthy_capacity, c.instance_count) for c in found.capacity] == [(A, 4, 4), (B, 1, 2), (C, 0, 0)]
    assert (found.healthy_capacity, found.uneven_by, found.tolerance, found.crowded) == (5, 4, 1, True)
    assert found.fewer_than_zones is False
    assert found.settling is False
    assert unknown(asg("legacy").settling)
    weighted = asg("batch", {"auto_scaling_groups": {"batch": {"weights": {"a": 2, "b": 8, "c": 1}}}})
    assert [(c.healthy_capacity) for c in weighted.capacity] == [8, 8, 0]
    assert weighted.tolerance == 8


def test_one_group_per_zone_is_judged_as_one():
    found = asg("web-a")
    assert (found.union_names, found.union_zones, found.union_zone_count) == (("web-a", "web-b"), (A, B), 2)
    nodes = asg("nodes-a")
    assert (nodes.union_names, nodes.union_zones) == (("nodes-a", "nodes-b"), (A, B))
    assert asg("batch").union_names == ("batch",)
    assert asg("legacy").union_zone_count == 1


@pytest.mark.parametrize("action", ["eks:ListClusters", "eks:ListNodegroups", "eks:DescribeNodegroup"])
def test_a_union_is_unknown_while_a_member_may_be_missing(action):
    for name in ("web-a", "batch", "nodes-a"):
        found = asg(name, deny=[action])
        assert unknown(found.union_names, action)
        assert unknown(found.union_zones, action)
        assert unknown(found.union_zone_count, action)
    assert asg("web-a", deny=[action]).serves is True
    assert unknown(asg("batch", deny=[action]).serves, action)


def test_what_it_serves():
    assert (asg("web-a").serves, asg("web-a").feeds_words) == (True, "target group web")
    assert (asg("legacy").serves, asg("legacy").feeds_words) == (True, "Classic Load Balancer old")
    assert (asg("nodes-a").serves, asg("nodes-a").feeds_load_balancer, asg("nodes-a").owner) == (
        True,
        False,
        "Amazon EKS",
    )
    assert (asg("batch").serves, asg("batch").feeds_words) == (False, "")


def test_cross_zone_of_what_it_feeds():
    off = {"target_groups": {"web": {"attributes": {"load_balancing.cross_zone.enabled": "false"}}}}
    assert asg("web-a").behind_cross_zone_off is False
    assert asg("web-a", off).behind_cross_zone_off is True
    assert asg("batch", off).behind_cross_zone_off is False
    spare = {"auto_scaling_groups": {"web-a": {"target_groups": ["spare"]}}}
    assert asg("web-a", spare).behind_cross_zone_off is False  # nothing sends traffic to it
    for action in ("DescribeTargetGroupAttributes", "DescribeTargetGroups", "DescribeLoadBalancers"):
        found = asg("web-a", deny=[f"elasticloadbalancing:{action}"])
        assert unknown(found.behind_cross_zone_off, f"elasticloadbalancing:{action}")


def test_the_only_source_of_a_target_group():
    model = estate(ESTATE)
    arns = {
        c.arn.rpartition("/")[0].rpartition(":")[2] for c in subject(model, "AutoScalingGroup", "web-a").only_source_of
    }
    assert any(a.startswith("targetgroup/web") for a in arns)
    mixed = {"target_groups": {"web": {"targets": {"a": "2 healthy", "c": "1 healthy"}}}}
    assert len(subject(estate(ESTATE, change=mixed), "AutoScalingGroup", "web-a").only_source_of) == 1


def test_groups_that_want_nothing():
    model = estate(ESTATE)
    assert subject(model, "TargetGroup", "web").wants_zero is False
    assert subject(model, "TargetGroup", "spare").wants_zero is False
    idle = {"auto_scaling_groups": {n: {"desired": 0, "instances": {}} for n in ("web-a", "web-b")}}
    assert subject(estate(ESTATE, change=idle), "TargetGroup", "web").wants_zero is True
    refused = estate(ESTATE, change=idle, deny=["autoscaling:DescribeAutoScalingGroups"])
    assert unknown(subject(refused, "TargetGroup", "web").wants_zero, "autoscaling:DescribeAutoScalingGroups")


FARGATE = """
clusters: {pods: {zonal_shift: false, fargate_profiles: {fp: {zones: [a, b]}}}}
auto_scaling_groups: {own: {zones: [a, b], max: 2, desired: 2, instances: {a: 1, b: 1}}}
"""


def pods(change=None, deny=()):
    return subject(estate(FARGATE, change=change, deny=deny), "EksCluster", "pods").fargate_only


def test_fargate_only():
    assert pods() is True
    assert pods({"clusters": {"pods": {"auto_mode": True}}}) is False
    karpenter = {"clusters": {"pods": {"fargate_profiles": {"k": {"zones": ["a"], "namespace": "karpenter"}}}}}
    assert pods(karpenter) is False
    assert pods(deny=["eks:DescribeFargateProfile"]).actions == ("eks:DescribeFargateProfile",)
    assert pods({"clusters": {"pods": {"fargate_profiles": {"fp": None}}}}) is False
    nodes = {"clusters": {"pods": {"node_groups": {"ng": {"zones": ["a"], "auto_scaling_group": "own"}}}}}
    assert pods(nodes) is False
    assert pods({"auto_scaling_groups": {"own": {"tags": {"kubernetes.io/cluster/pods": "owned"}}}}) is False
    for action in ("eks:ListNodegroups", "eks:ListFargateProfiles", "autoscaling:DescribeAutoScalingGroups"):
        assert unknown(pods(deny=[action]), action)


def test_a_cluster_that_could_not_be_described_is_a_gap():
    model = estate(FARGATE, deny=["eks:DescribeCluster"])
    assert model.of("EksCluster").items == ()
    assert {g.action for g in model.of("EksCluster").gaps} == {"eks:DescribeCluster"}


PARTED = """
load_balancers: {shop: {type: application, zones: [a, b], listeners: [{port: 80, protocol: HTTP, default: {forward: {web: 1}}}]}}
target_groups: {web: {type: instance}, spare: {type: instance}}
auto_scaling_groups:
  one: {zones: [a, b], min: 1, max: 4, desired: 2, target_groups: [web], instances: {a: 1, b: 1}}
  two: {zones: [a, b], min: 1, max: 4, desired: 2, target_groups: [spare], instances: {a: 1, b: 1}}
"""


def test_a_target_group_of_no_load_balancer_feeds_none():
    model = estate(PARTED)
    assert subject(model, "AutoScalingGroup", "one").feeds_load_balancer is True
    assert subject(model, "AutoScalingGroup", "two").feeds_load_balancer is False
    refused = estate(PARTED, deny=["elasticloadbalancing:DescribeTargetGroups"])
    assert unknown(subject(refused, "AutoScalingGroup", "two").feeds_load_balancer)


def test_a_group_that_is_being_deleted_is_not_judged():
    def names(status):
        asgs = [{"AutoScalingGroupName": "g", "AutoScalingGroupARN": "arn:g", "Status": status}]
        (found,) = derive(whole(items(autoscaling.AUTO_SCALING_GROUPS, asgs))).regions
        return [n.resource.name for n in found.of("AutoScalingGroup")]

    assert (names(None), names("Delete in progress")) == (["g"], [])
