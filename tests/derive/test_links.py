"""Who sends traffic to whom."""

from __future__ import annotations

import pytest

from auditor.derive.links import Links, fed_classic, fed_groups, weights
from auditor.model import autoscaling, elbv2
from auditor.model.known import Outcome

from .region import answer, estate, items, region, subject, unknown

LB, TG, LISTENER = "arn:lb", "arn:tg", "arn:listener"


def forward(*groups, **more):
    tuples = [elbv2.TargetGroupTuple(TargetGroupArn=arn, Weight=weight) for arn, weight in groups]
    return elbv2.Action(Type="forward", ForwardConfig=elbv2.ForwardConfig(TargetGroups=tuples), **more)


@pytest.mark.parametrize(
    ("actions", "expected"),
    [
        ([forward(("x", 1), ("y", 0))], [("x", 1), ("y", 0)]),
        ([forward(("x", None))], [("x", 1)]),
        ([forward(("x", 3), TargetGroupArn="x")], [("x", 3)]),
        ([elbv2.Action(Type="forward", TargetGroupArn="x")], [("x", 1)]),
        ([elbv2.Action(Type="redirect", TargetGroupArn="x")], []),
        ([elbv2.Action(Type="authenticate-oidc", Order=1), forward(("x", 1), Order=2)], [("x", 1)]),
        ([], []),
    ],
)
def test_weights(actions, expected):
    assert list(weights(actions)) == expected


BLUE_GREEN = """
load_balancers:
  web:
    type: application
    zones: [a, b]
    listeners:
      - port: 80
        protocol: HTTP
        default: {forward: {blue: 1, green: 0}}
        rules: [{priority: 5, when: {path: [/x]}, then: {forward: {canary: 0}}}]
target_groups:
  blue: {type: ip, targets: {a: 1 healthy, b: 1 healthy}}
  green: {type: ip, targets: {}}
  canary: {type: ip, targets: {}}
  loose: {type: ip, targets: {a: 1 healthy}}
"""


def in_use(change=None, deny=()):
    model = estate(BLUE_GREEN, change=change, deny=deny)
    return {n.TargetGroupName: n.in_use for n in model.of("TargetGroup")}


def test_a_weight_of_zero_is_attached_but_not_in_use():
    assert in_use() == {"blue": True, "green": False, "canary": False, "loose": False}
    model = estate(BLUE_GREEN)
    assert subject(model, "TargetGroup", "green").attached
    assert not subject(model, "TargetGroup", "loose").attached
    assert subject(model, "TargetGroup", "loose").cross_zone is None
    assert all(z.empty_groups_local == z.empty_groups_pooled == () for z in model.of("LoadBalancerZone"))


def test_any_rule_with_weight_is_enough():
    listener = {
        "port": 80,
        "protocol": "HTTP",
        "default": {"forward": {"blue": 1, "green": 0}},
        "rules": [{"priority": 5, "when": {"path": ["/x"]}, "then": {"forward": {"green": 9, "canary": 0}}}],
    }
    assert in_use({"load_balancers": {"web": {"listeners": [listener]}}})["green"] is True


def test_unread_rules_leave_only_witnesses():
    found = in_use(deny=["elasticloadbalancing:DescribeRules"])
    assert found["blue"] is True  # the default action was read with the listener
    assert unknown(found["green"], "elasticloadbalancing:DescribeRules")
    assert found["loose"] is False
    refused = in_use(deny=["elasticloadbalancing:DescribeListeners"])
    assert unknown(refused["blue"], "elasticloadbalancing:DescribeListeners")
    unlisted = in_use(deny=["elasticloadbalancing:DescribeLoadBalancers"])
    assert unknown(unlisted["blue"], "elasticloadbalancing:DescribeLoadBalancers")
    assert unlisted["loose"] is False


def balancer(kind):
    zones = [{"ZoneName": "us-east-1a"}]
    return items(elbv2.LOAD_BALANCERS, [{"LoadBalancerArn": LB, "Type": kind, "AvailabilityZones": zones}])


GROUP = items(elbv2.TARGET_GROUPS, [{"TargetGroupArn": TG, "LoadBalancerArns": [LB]}])
LISTENERS = items(
    elbv2.LISTENERS,
    [{"ListenerArn": LISTENER, "DefaultActions": [{"Type": "forward", "TargetGroupArn": TG}]}],
    {"LoadBalancerArn": LB},
)
IDLE = items(elbv2.LISTENERS, [{"ListenerArn": LISTENER, "DefaultActions": []}], {"LoadBalancerArn": LB})


@pytest.mark.parametrize(("kind", "listeners", "expected"), [("network", LISTENERS, True), ("gateway", IDLE, False)])
def test_rules_are_needed_only_where_there_can_be_any(kind, listeners, expected):
    links = Links(region(balancer(kind), GROUP, listeners))
    assert links.in_use(links.groups[TG]) is expected
    idle = Links(region(balancer("network"), GROUP, IDLE))
    assert unknown(idle.in_use(idle.groups[TG]), "elasticloadbalancing:DescribeRules")


def test_a_load_balancer_that_vanished_is_no_load_balancer_without_listeners():
    vanished = answer(elbv2.LISTENERS, None, {"LoadBalancerArn": LB}, fails=Outcome.GONE, code="LoadBalancerNotFound")
    links = Links(region(balancer("application"), GROUP, vanished))
    assert LB not in links.balancers
    found = links.balancer_of(links.groups[TG])
    assert unknown(found)
    assert "vanished" in found.reasons[0].says


def behind(*pages):
    return Links(region(*pages)).behind_nlb("arn:alb")


ALB_GROUP = {"TargetGroupArn": TG, "TargetType": "alb", "LoadBalancerArns": [LB]}
HEALTH = {"TargetGroupArn": TG}


def test_behind_a_network_load_balancer():
    listed = items(elbv2.TARGET_GROUPS, [ALB_GROUP])
    assert behind(listed, items(elbv2.TARGET_HEALTH, [{"Target": {"Id": "arn:alb"}}], HEALTH)) is True
    assert behind(listed, items(elbv2.TARGET_HEALTH, [{"Target": {"Id": "arn:other"}}], HEALTH)) is False
    assert behind(items(elbv2.TARGET_GROUPS, [{**ALB_GROUP, "LoadBalancerArns": []}])) is False
    assert behind(items(elbv2.TARGET_GROUPS, [])) is False
    refused = answer(elbv2.TARGET_HEALTH, None, HEALTH, fails=Outcome.DENIED)
    assert unknown(behind(listed, refused), "elasticloadbalancing:DescribeTargetHealth")
    unlisted = answer(elbv2.TARGET_GROUPS, fails=Outcome.DENIED)
    assert unknown(behind(unlisted), "elasticloadbalancing:DescribeTargetGroups")
    cut = items(elbv2.TARGET_GROUPS, [ALB_GROUP], more=True)
    assert behind(cut, items(elbv2.TARGET_HEALTH, [{"Target": {"Id": "arn:alb"}}], HEALTH)) is True


def test_what_an_auto_scaling_group_feeds():
    sources = [
        autoscaling.TrafficSource(Identifier="arn:1", Type="elbv2"),
        autoscaling.TrafficSource(Identifier="arn:2", Type="elbv2"),
        autoscaling.TrafficSource(Identifier="old", Type="elb"),
        autoscaling.TrafficSource(Identifier="arn:3", Type="vpc-lattice"),
    ]
    group = autoscaling.AutoScalingGroup(AutoScalingGroupName="g", TargetGroupARNs=["arn:1"], TrafficSources=sources)
    assert fed_groups(group) == ("arn:1", "arn:2")
    assert fed_classic(group) == ("old",)
