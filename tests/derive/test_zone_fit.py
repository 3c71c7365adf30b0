"""Zones of groups against those of their load balancers, and target groups that are gone."""

from __future__ import annotations

from auditor.derive.links import Links
from auditor.derive.zone_fit import missing_groups
from auditor.model import autoscaling, elbv2
from auditor.model.finding import Cause
from auditor.model.known import Outcome

from .region import B, C, answer, estate, items, region, subject, unknown

ESTATE = """
load_balancers:
  web: {type: application, zones: [a, b], listeners: [{port: 80, protocol: HTTP, default: {forward: web}}]}
target_groups: {web: {type: instance}, spare: {type: instance}}
auto_scaling_groups:
  one: {zones: [a, c], max: 4, desired: 2, target_groups: [web], instances: {a: 1, c: 1}}
"""
OFF = {"target_groups": {"web": {"attributes": {"load_balancing.cross_zone.enabled": "false"}}}}
GROUP = "arn:aws:elasticloadbalancing:us-east-1:123456789012:targetgroup/web/1"


def asg(name="one", change=None, deny=()):
    return subject(estate(ESTATE, change=change, deny=deny), "AutoScalingGroup", name)


def groups(**more):
    return {"auto_scaling_groups": more}


def test_both_ways():
    found = asg()
    assert found.zones_that_differ == (B, C)
    assert (found.targets_lost, found.zone_empty_local) == (True, False)
    assert found.zone_fit_words == (
        f"it may start instances in {C}, which the load balancer of web does not serve, "
        f"the load balancer of web serves {B}, where no group behind it starts any"
    )
    group, target_group = found.zone_fit_causes
    assert group == Cause(found.resource.arn, C.key)
    assert ":targetgroup/web/" in target_group.arn
    assert target_group.zone == B.key


def test_the_same_zones_differ_in_nothing():
    found = asg(change={"load_balancers": {"web": {"zones": ["a", "c"]}}})
    assert (found.zones_that_differ, found.zone_fit_words, found.zone_fit_causes) == ((), "", ())


def test_groups_behind_one_target_group_cover_zones_together():
    two = {"zones": ["b"], "max": 2, "desired": 1, "target_groups": ["web"], "instances": {"b": 1}}
    change = groups(two=two)
    assert asg(change=change).zones_that_differ == (C,)
    assert asg("two", change=change).zones_that_differ == ()


def test_lost_is_what_stands_there_in_service():
    assert asg(change=groups(one={"instances": {"c": "1 Unhealthy"}})).targets_lost is True
    assert asg(change=groups(one={"instances": {"c": 0}})).targets_lost is False
    assert asg(change=groups(one={"instances": {"c": "1 Terminating"}})).targets_lost is False


def test_empty_needs_cross_zone_off_and_no_other_target():
    assert asg(change=OFF).zone_empty_local is True
    filled = {
        "target_groups": {"web": {**OFF["target_groups"]["web"], "targets": {"a": "1 healthy", "b": "1 healthy"}}}
    }
    assert asg(change=filled).zone_empty_local is False
    action = "elasticloadbalancing:DescribeTargetHealth"
    refused = asg(change=OFF, deny=[action])
    assert unknown(refused.zone_empty_local, action)
    assert refused.zones_that_differ == (B, C)


def test_a_target_group_that_is_not_in_use_asks_for_nothing():
    assert asg(change=groups(one={"target_groups": ["spare"]})).zones_that_differ == ()
    assert asg(change=groups(one={"target_groups": []})).zones_that_differ == ()


def test_what_stays_unknown():
    for action in ("DescribeLoadBalancers", "DescribeTargetGroups", "DescribeListeners"):
        full = f"elasticloadbalancing:{action}"
        found = asg(deny=[full])
        for name in ("zones_that_differ", "targets_lost", "zone_empty_local", "zone_fit_words", "zone_fit_causes"):
            assert unknown(getattr(found, name), full), (action, name)


def test_target_groups_that_are_gone():
    assert asg().missing_target_groups == ()
    lost = groups(one={"lost_target_groups": ["old"]})
    (arn,) = asg(change=lost).missing_target_groups
    assert ":targetgroup/old/" in arn
    action = "elasticloadbalancing:DescribeTargetGroups"
    assert unknown(asg(change=lost, deny=[action]).missing_target_groups, action)


def named(arn, *more):
    raw = {"AutoScalingGroupName": "g", "TargetGroupARNs": [arn]}
    inventory = region(items(autoscaling.AUTO_SCALING_GROUPS, [raw]), items(elbv2.TARGET_GROUPS, []), *more)
    (group,) = inventory.listing(autoscaling.AUTO_SCALING_GROUPS)
    return missing_groups(group, Links(inventory))


def test_a_target_group_elsewhere_or_gone_during_the_scan_is_not_called_missing():
    assert named(GROUP) == (GROUP,)
    assert unknown(named(GROUP.replace("us-east-1", "eu-west-1")))
    assert unknown(named(GROUP.replace("123456789012", "111122223333")))
    gone = answer(elbv2.TARGET_HEALTH, params={"TargetGroupArn": GROUP}, fails=Outcome.GONE, code="TargetGroupNotFound")
    assert unknown(named(GROUP, gone))
