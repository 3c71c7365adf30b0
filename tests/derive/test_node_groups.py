"""Nodes of EKS clusters, their node groups, Fargate profiles, and the load balancers before them."""

from __future__ import annotations

import pytest

from auditor.derive.node_groups import launch_problems
from auditor.model import eks
from auditor.model.finding import Cause

from .region import A, B, C, estate, subject, unknown

ESTATE = """
load_balancers:
  web: {type: application, zones: [a, b], listeners: [{port: 80, protocol: HTTP, default: {forward: web}}]}
target_groups: {web: {type: instance}}
auto_scaling_groups:
  nodes: {zones: [a, b, c], max: 9, desired: 4, instances: {a: 2, b: 1, c: 1}}
clusters: {main: {zonal_shift: true, node_groups: {ng: {zones: [a, b, c], auto_scaling_group: nodes}}}}
"""


def cluster(change=None, deny=()):
    return subject(estate(ESTATE, change=change, deny=deny), "EksCluster", "main")


def nodes(**more):
    return {"auto_scaling_groups": {"nodes": more}}


def test_nodes_in_three_zones():
    found = cluster()
    assert (found.nodes_in_one_zone, found.node_zones) == (False, (A, B, C))
    assert found.node_words == f"2 in {A}, 1 in {B}, 1 in {C}"


@pytest.mark.parametrize(
    ("instances", "zones", "desired", "one"),
    [
        ({"a": 2, "b": 0, "c": 0}, ["a", "b", "c"], 2, True),
        ({"a": 2, "b": "1 Unhealthy", "c": 0}, ["a", "b", "c"], 3, False),
        ({"a": 1, "b": 0, "c": 0}, ["a", "b", "c"], 1, False),
        ({"a": 1, "b": 0, "c": 0}, ["a"], 1, True),
        ({"a": 0, "b": 0, "c": 0}, ["a"], 2, True),
        ({"a": 0, "b": 0, "c": 0}, ["a"], 0, False),
        ({"a": 0, "b": 0, "c": 0}, ["a", "b"], 2, False),
    ],
)
def test_one_zone(instances, zones, desired, one):
    assert cluster(nodes(instances=instances, zones=zones, desired=desired)).nodes_in_one_zone is one


def test_while_nodes_start_one_zone_is_open():
    starting = nodes(instances={"a": 2, "b": "1 Pending", "c": 0})
    assert unknown(cluster(starting).nodes_in_one_zone)


def test_groups_are_counted_together_by_node_group_and_by_tag():
    one = {"nodes": {"zones": ["a"], "instances": {"b": 0, "c": 0}}}
    own = {"zones": ["b"], "max": 2, "desired": 1, "instances": {"b": 1}}
    assert cluster({"auto_scaling_groups": {**one, "own": own}}).nodes_in_one_zone is True
    tagged = {**own, "tags": {"kubernetes.io/cluster/main": "owned"}}
    found = cluster({"auto_scaling_groups": {**one, "own": tagged}})
    assert (found.nodes_in_one_zone, found.node_words) == (False, f"2 in {A}, 1 in {B}")


def test_nodes_that_may_be_missing():
    one = nodes(zones=["a"], instances={"b": 0, "c": 0})
    for action in ("eks:DescribeNodegroup", "eks:ListNodegroups", "autoscaling:DescribeAutoScalingGroups"):
        found = cluster(one, [action])
        for name in ("nodes_in_one_zone", "node_zones", "node_words"):
            assert unknown(getattr(found, name), action)
    tagged = {"auto_scaling_groups": {"nodes": {"tags": {"eks:cluster-name": "main"}}}}
    assert cluster(tagged, ["eks:DescribeNodegroup"]).nodes_in_one_zone is False  # two zones are a witness


def test_causes_of_nodes_in_one_zone():
    found = cluster(nodes(zones=["a"], instances={"b": 0, "c": 0}, target_groups=["web"]))
    first, second = found.nodes_causes
    assert first == Cause(found.resource.arn)
    assert ":targetgroup/web/" in second.arn
    assert cluster().nodes_causes == (Cause(found.resource.arn),)


# Node groups


@pytest.mark.parametrize(
    ("codes", "stops"),
    [
        (["InsufficientFreeAddresses"], True),
        (["AsgInstanceLaunchFailures"], True),
        (["Ec2SubnetNotFound"], True),
        (["Ec2SubnetInvalidConfiguration"], True),
        (["KubernetesLabelInvalid"], False),
        (["PodEvictionFailure"], False),
        ([], False),
    ],
)
def test_issues_that_stop_launches(codes, stops):
    health = eks.Health(issues=[eks.Issue(code=c) for c in codes])
    assert launch_problems(eks.Nodegroup(nodegroupName="ng", health=health)) == tuple(codes if stops else ())
    assert launch_problems(eks.Nodegroup(nodegroupName="ng")) == ()


def test_node_groups_are_subjects():
    change = {"clusters": {"main": {"node_groups": {"ng": {"status": "DEGRADED", "issues": ["Ec2SubnetNotFound"]}}}}}
    found = subject(estate(ESTATE, change=change), "EksNodegroup", "ng")
    assert (found.cluster, found.status, found.launch_problems) == ("main", "DEGRADED", ("Ec2SubnetNotFound",))
    assert found.issue_words == "Ec2SubnetNotFound (as AWS words it)"
    assert subject(estate(ESTATE), "EksNodegroup", "ng").issue_words == "no issue named"
    deleting = {"clusters": {"main": {"node_groups": {"ng": {"status": "DELETING"}}}}}
    assert estate(ESTATE, change=deleting).of("EksNodegroup").items == ()


@pytest.mark.parametrize("action", ["eks:ListClusters", "eks:ListNodegroups", "eks:DescribeNodegroup"])
def test_node_groups_that_were_not_read_are_gaps(action):
    listing = estate(ESTATE, deny=[action]).of("EksNodegroup")
    assert listing.items == ()
    assert action in {g.action for g in listing.gaps}


def test_fargate_profiles():
    def profiles(deny=(), **statuses):
        made = {name: {"zones": ["a"], "status": status} for name, status in statuses.items()}
        return cluster({"clusters": {"main": {"fargate_profiles": made}}}, deny).fargate_profiles

    assert profiles() == ()
    assert profiles(web="ACTIVE", jobs="ACTIVE", old="DELETING") == ("jobs", "web")
    for action in ("eks:ListFargateProfiles", "eks:DescribeFargateProfile"):
        assert unknown(profiles([action], web="ACTIVE"), action)


# Load balancers before a cluster


def gaps(change=None, deny=()):
    return cluster(change, deny).lb_shift_gaps


def balancer(**more):
    return {"load_balancers": {"web": more}}


@pytest.mark.parametrize("tag", ["elbv2.k8s.aws/cluster", "eks:eks-cluster-name"])
def test_a_tag_of_the_controller(tag):
    assert gaps() == ()
    assert gaps(balancer(tags={tag: "main"})) == ("web",)
    assert gaps(balancer(tags={tag: "other"})) == ()
    assert gaps({"target_groups": {"web": {"tags": {tag: "main"}}}}) == ("web",)


def test_the_tag_of_the_cluster_and_its_node_groups():
    assert gaps(balancer(tags={"kubernetes.io/cluster/main": "shared"})) == ("web",)
    assert gaps(balancer(tags={"kubernetes.io/cluster/main2": "shared"})) == ()
    assert gaps(nodes(target_groups=["web"])) == ("web",)


def test_switches_that_agree_are_no_gap():
    on = {"zonal_shift.config.enabled": "true"}
    tags = {"elbv2.k8s.aws/cluster": "main"}
    off = {"clusters": {"main": {"zonal_shift": False}}}
    assert gaps(balancer(tags=tags, attributes=on)) == ()
    assert gaps(balancer(tags=tags) | off) == ()
    found = cluster(balancer(tags=tags, attributes=on) | off)
    assert found.lb_shift_gaps == ("web",)
    assert found.lb_shift_gap_causes == (Cause(found.resource.arn),)
    other = cluster(balancer(tags=tags))
    assert other.lb_shift_gap_causes == (Cause(other.lb_shift_gap_arns[0]),)


def test_what_cannot_be_shifted_is_no_gap():
    tags = {"elbv2.k8s.aws/cluster": "main"}
    assert gaps(balancer(tags=tags, zones=["a"])) == ()
    nlb = {
        "type": "network",
        "zones": ["a", "b"],
        "listeners": [{"port": 80, "protocol": "TCP", "default": {"forward": "to-web"}}],
    }
    behind = {
        "load_balancers": {"web": {"tags": tags}, "front": nlb},
        "target_groups": {"to-web": {"type": "alb", "targets": {"web": "1 healthy"}}},
    }
    assert gaps(behind) == ()
    action = "elasticloadbalancing:DescribeTargetHealth"
    assert unknown(gaps(behind, [action]), action)


@pytest.mark.parametrize(
    "action",
    [
        "elasticloadbalancing:DescribeLoadBalancers",
        "elasticloadbalancing:DescribeLoadBalancerAttributes",
        "elasticloadbalancing:DescribeTargetGroups",
        "autoscaling:DescribeAutoScalingGroups",
    ],
)
def test_gaps_that_may_be_hidden(action):
    assert unknown(gaps(nodes(target_groups=["web"]), [action]), action)


def test_without_tags_a_node_group_is_still_a_witness():
    action = "elasticloadbalancing:DescribeTags"
    assert gaps(nodes(target_groups=["web"]), [action]) == ("web",)
    assert unknown(gaps(balancer(tags={"elbv2.k8s.aws/cluster": "main"}), [action]), action)
