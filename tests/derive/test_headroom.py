"""What the loss of a zone leaves, by figures and by maximum sizes; addresses and instance types elsewhere."""

from __future__ import annotations

import pytest

from auditor.derive.build import derive
from auditor.evaluate.given_figures import Capacity, figures_of
from auditor.evaluate.matching import Match
from auditor.evaluate.scenario import answers, changed
from auditor.model import autoscaling
from auditor.record.decode import decode

from .region import A, B, C, estate, subject, unknown
from .test_scaling import ESTATE as LARGER

ESTATE = """
load_balancers:
  web: {type: application, zones: [a, b, c], listeners: [{port: 80, protocol: HTTP, default: {forward: web}}]}
target_groups: {web: {type: instance, tags: {tier: web}}}
auto_scaling_groups:
  web-1: {zones: [a, b, c], min: 3, max: 8, desired: 6, target_groups: [web], instances: {a: 2, b: 2, c: 2}}
  web-2: {zones: [a], min: 0, max: 5, desired: 2, target_groups: [web], instances: {a: 2}}
"""


def asg(name="web-1", change=None, deny=()):
    return subject(estate(ESTATE, change=change, deny=deny), "AutoScalingGroup", name)


def groups(**more):
    return {"auto_scaling_groups": more}


def judged(*entries, change=None, deny=(), name="web-1"):
    import yaml

    scenario = {"zones": {"a": A.id, "b": B.id, "c": C.id}, **yaml.safe_load(ESTATE)}
    pages = answers(changed(scenario, change or {}), deny)
    (model,) = derive(decode(*pages), figures_of(entries, None)).regions
    return subject(model, "AutoScalingGroup", name)


def figure(peak, target=100, **match):
    return Capacity(match=Match(**match), peak_rps=peak, target_rps=target)


def test_groups_of_one_target_group_are_one_pool():
    for name in ("web-1", "web-2"):
        found = asg(name)
        assert (found.union_desired, found.union_maximum, found.union_at_maximum) == (8, 13, False)
        assert found.union_capacity_words == f"4 in {A}, 2 in {B}, 2 in {C}"


def test_only_groups_with_another_zone_can_replace_a_lost_one():
    assert asg().headroom_shortfall == 2  # a holds 4, and web-1 alone may start 2 in b and c
    assert asg(change=groups(**{"web-1": {"max": 10}})).headroom_shortfall == 0
    assert asg(change=groups(**{"web-2": {"zones": ["a", "b"]}})).headroom_shortfall == 0


def test_of_zones_that_are_equally_large_the_worse_counts():
    change = groups(**{"web-1": {"max": 6, "instances": {"a": 0, "b": 4, "c": 2}}, "web-2": {"instances": {"a": 4}}})
    assert asg(change=change).headroom_shortfall == 4  # a: nothing elsewhere may grow; b: web-2 may


@pytest.mark.parametrize(
    ("first", "second", "at"),
    [((3, 6), (0, 2), True), ((6, 6), (2, 2), False), ((3, 7), (0, 2), False), ((6, 6), (0, 2), True)],
)
def test_at_maximum_is_for_groups_that_may_vary(first, second, at):
    sizes = {name: {"min": low, "max": high} for name, (low, high) in (("web-1", first), ("web-2", second))}
    assert asg(change=groups(**sizes)).union_at_maximum is at


def test_weights_are_units_and_vcpus_are_not():
    weighted = groups(**{"web-1": {"weights": {"a": 4, "b": 4, "c": 4}, "max": 30, "desired": 24}, "web-2": {"max": 2}})
    found = asg(change=weighted)
    assert found.union_capacity_words == f"10 in {A}, 8 in {B}, 8 in {C}"
    assert found.headroom_shortfall == 4
    counted = asg(change=groups(**{"web-2": {"capacity_type": "vcpu"}}))
    assert unknown(counted.headroom_shortfall)
    assert unknown(counted.union_capacity_words)
    assert asg(change=groups(**{"web-2": {"capacity_type": "units"}})).headroom_shortfall == 2


def test_a_member_that_starts_makes_the_union_unsettled():
    assert asg().union_settling is False
    assert unknown(asg(change=groups(**{"web-2": {"instances": {"a": "2, 1 Pending"}}})).union_settling)


def test_numbers_are_unknown_while_a_member_may_be_missing():
    for action in ("eks:ListClusters",):
        found = asg(deny=[action])
        for name in ("headroom_shortfall", "union_desired", "zones_lacking_addresses"):
            assert unknown(getattr(found, name), action)


# Figures


def test_without_a_figure_nothing_is_said():
    found = asg()
    assert (found.required_capacity, found.zones_short, found.advised_behavior) == (None, (), None)


def test_a_figure_by_group_by_neighbour_and_by_target_group():
    for match in ({"name": "web-1"}, {"name": "web-2"}, {"name": "web"}, {"tag": "tier=web"}):
        found = judged(figure(500, **match))
        assert (found.required_capacity, found.zones_short, found.advised_behavior) == (5, (A,), "ReplaceUnhealthy")
    assert judged(figure(500, name="other")).required_capacity is None
    assert judged(figure(400, name="web")).zones_short == ()
    assert judged(figure(400, name="web")).advised_behavior == "IgnoreUnhealthy"


def test_the_largest_figure_counts_and_is_rounded_up():
    assert judged(figure(301, name="web"), figure(100, name="web-1")).required_capacity == 4
    more = Capacity(
        match=Match(name="web"), peak_rps=300, target_rps=100, retry_factor=1.5, unavailable_during_deploy=1
    )
    assert judged(more).required_capacity == 6
    assert judged(Capacity(match=Match(name="web"), peak_rps=300)).required_capacity is None
    assert judged(Capacity(match=Match(name="web"), target_rps=100)).required_capacity is None


def test_a_figure_that_hangs_on_unread_tags_is_unknown():
    action = "elasticloadbalancing:DescribeTags"
    found = judged(figure(300, tag="tier=web"), deny=[action])
    for name in ("required_capacity", "zones_short", "advised_behavior"):
        assert unknown(getattr(found, name), action)
    assert judged(figure(300, name="web"), deny=[action]).required_capacity == 3


# Addresses


def test_addresses_of_the_other_zones():
    few = {"free_addresses": {"a": 0, "b": 2, "c": 1}}
    found = asg(change=few)
    assert found.zones_lacking_addresses == (A, B)
    assert found.address_words == (
        f"4 instances in {A} against 3 free addresses elsewhere, 2 instances in {B} against 1 free addresses elsewhere"
    )
    assert asg("web-2", change=few).zones_lacking_addresses == (A, B)  # the shared subnet of a counts once
    assert asg(change={"free_addresses": {"a": 0, "b": "ipv6", "c": 0}}).zones_lacking_addresses == (B,)
    assert unknown(asg(deny=["ec2:DescribeSubnets"]).zones_lacking_addresses, "ec2:DescribeSubnets")


def test_a_subnet_that_is_not_in_the_listing_leaves_it_open():
    enough = {"free_addresses": {"a": 4, "b": 4, "c": 4}, "cut": ["ec2:DescribeSubnets"]}
    assert unknown(asg(change={**enough, "free_addresses": {"a": 1, "b": 1}}).zones_lacking_addresses)


# Instance types


def test_types_on_offer():
    assert asg().instance_types == ("m6i.large",)
    assert asg().zones_not_offering == ()
    assert asg(change={"not_offered": {"m6i.large": ["b", "c"]}}).zones_not_offering == (B, C)
    assert asg("web-2", change={"not_offered": {"m6i.large": ["b"]}}).zones_not_offering == ()
    mixed = groups(**{"web-1": {"types": ["m7i.large", "m6i.large"]}})
    assert asg(change={**mixed, "not_offered": {"m7i.large": ["b"]}}).zones_not_offering == ()
    both = {**mixed, "not_offered": {"m7i.large": ["b"], "m6i.large": ["b"]}}
    assert asg(change=both).zones_not_offering == (B,)


def test_types_that_are_not_known():
    attributes = asg(change=groups(**{"web-1": {"by_attributes": True}}))
    assert unknown(attributes.instance_types)
    assert unknown(attributes.zones_not_offering)
    empty = asg(change=groups(**{"web-1": {"desired": 0, "instances": {"a": 0, "b": 0, "c": 0}}}))
    assert (empty.instance_types, empty.zones_not_offering) == ((), ())
    action = "ec2:DescribeInstanceTypeOfferings"
    assert unknown(asg(deny=[action]).zones_not_offering, action)


def test_named_types_win_over_those_seen():
    policy = autoscaling.MixedInstancesPolicy(
        LaunchTemplate=autoscaling.MixedTemplate(Overrides=[autoscaling.Override(InstanceType="c7g.large")])
    )
    seen = [autoscaling.Instance(InstanceType="m6i.large")]
    plain = autoscaling.AutoScalingGroup(AutoScalingGroupName="g", Instances=seen)
    mixed = autoscaling.AutoScalingGroup(AutoScalingGroupName="g", Instances=seen, MixedInstancesPolicy=policy)
    none_named = autoscaling.AutoScalingGroup(
        AutoScalingGroupName="g", Instances=seen, MixedInstancesPolicy=autoscaling.MixedInstancesPolicy()
    )
    assert autoscaling.instance_types(plain) == ("m6i.large",)
    assert autoscaling.instance_types(mixed) == ("c7g.large",)
    assert autoscaling.instance_types(none_named) == ("m6i.large",)


# Settings of the group


def test_settings_that_are_absent_mean_the_documented_default():
    found = asg()
    assert found.distribution == "balanced-best-effort"
    assert (found.min_healthy_percentage, found.min_healthy_words) == (0, "no floor")
    assert found.health_checks == ("EC2",)
    assert found.suspended == ()
    assert found.wants_instances is True
    cleared = asg(change=groups(**{"web-1": {"min_healthy": -1, "health_check": "ELB, EBS"}}))
    assert (cleared.min_healthy_percentage, cleared.min_healthy_words) == (0, "no floor")
    assert cleared.health_checks == ("EBS", "EC2", "ELB")
    floor = asg(change=groups(**{"web-1": {"min_healthy": 100, "suspended": ["Launch", "AZRebalance"]}}))
    assert (floor.min_healthy_percentage, floor.min_healthy_words) == (100, "a floor of 100 percent")
    assert floor.suspended == ("AZRebalance", "Launch")


def test_a_shift_of_the_cluster_is_seen_on_its_groups():
    shift = {"clusters": {"main": {"zonal_shift": True}}, "arc": {"shifts": [{"resource": "main", "away": "a"}]}}

    def cluster_shifted(name, change=None, deny=()):
        return subject(estate(LARGER, change=change, deny=deny), "AutoScalingGroup", name).cluster_shift_applied

    assert cluster_shifted("nodes-a") is False
    assert cluster_shifted("nodes-a", shift) is True
    assert cluster_shifted("web-a", shift) is False
    assert unknown(cluster_shifted("nodes-a", shift, ["eks:DescribeCluster"]), "eks:DescribeCluster")
    assert unknown(cluster_shifted("web-a", shift, ["eks:ListNodegroups"]), "eks:ListNodegroups")
    tagged = {"auto_scaling_groups": {"batch": {"tags": {"kubernetes.io/cluster/gone": "owned"}}}}
    assert cluster_shifted("batch", tagged) is False
