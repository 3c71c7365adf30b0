"""Stacks: which managed resources stand behind a load balancer, and whether their shifts agree."""

from __future__ import annotations

import pytest

from auditor.model.known import Unknown

from .region import A, B, estate, subject, unknown

ESTATE = """
load_balancers:
  front:
    type: network
    zones: [a, b]
    attributes: {zonal_shift.config.enabled: "true"}
    listeners: [{port: 443, protocol: TCP, default: {forward: to-site}}]
  site:
    type: application
    zones: [a, b]
    attributes: {zonal_shift.config.enabled: "true"}
    listeners: [{port: 443, protocol: HTTPS, default: {forward: web}}]
target_groups:
  to-site: {type: alb, port: 443, targets: {site: 1 healthy}}
  web: {type: instance}
auto_scaling_groups:
  nodes: {zones: [a, b], max: 4, desired: 2, zonal_shift: true, target_groups: [web], instances: {a: 1, b: 1}}
clusters: {main: {zonal_shift: true}}
"""


def model(*shifts, deny=(), **change):
    given = [{"resource": r, "away": z, **more} for r, z, more in (s if len(s) == 3 else (*s, {}) for s in shifts)]
    return estate(ESTATE, deny=deny, change={**change, "arc": {"shifts": given}})


def node(*shifts, name="front", **more):
    return subject(model(*shifts, **more), "ManagedResource", name)


def names(value):
    return value if isinstance(value, Unknown) else [d.name for d in value]


def test_a_stack_reaches_through_the_load_balancer_behind_it():
    assert names(node(("front", "a")).differing_layers) == ["nodes"]
    assert names(node(("front", "a"), ("nodes", "a")).differing_layers) == []
    assert names(node(("front", "a"), ("nodes", "b")).differing_layers) == ["nodes"]
    assert names(node(("nodes", "a")).differing_layers) == ["nodes"]


def test_a_load_balancer_behind_another_needs_no_shift_of_its_own():
    for shifts in ([("front", "a"), ("nodes", "a")], [("nodes", "a")], [("front", "a")]):
        assert names(node(*shifts, name="site").differing_layers) == []
    off = {"load_balancers": {"front": {"attributes": None}}}
    assert names(node(("nodes", "a"), name="site", **off).differing_layers) == ["nodes"]


def test_the_wrong_layer_was_shifted():
    found = node(("site", "a"), ("nodes", "a"))
    assert names(found.differing_layers) == ["site"]
    assert (found.behind_arn, found.behind_zone_id) == (found.resource.arn, "use1-az1")
    assert names(node(("site", "a"), name="site").differing_layers) == ["nodes"]


def test_whom_to_shift_and_away_from_where():
    found = node(("front", "a"))
    assert found.behind_arn.endswith("autoScalingGroupName/nodes")
    assert found.behind_zone_id == "use1-az1"
    assert found.differing_zones == (A,)
    assert node(("front", "a"), ("nodes", "b")).differing_zones == (A, B)
    assert (node().behind_arn, node().differing_zones) == ("", ())


def test_a_practice_run_on_either_side():
    run = {"kind": "PRACTICE_RUN"}
    assert node(("front", "a", run)).differs_in_practice_only is True
    assert node(("front", "a"), ("nodes", "b", run)).differs_in_practice_only is True
    assert node(("front", "a")).differs_in_practice_only is False


@pytest.mark.parametrize(
    ("place", "tags"),
    [("load_balancers", "site"), ("target_groups", "web")],
)
def test_a_cluster_is_linked_by_the_tag_of_its_controller(place, tags):
    change = {place: {tags: {"tags": {"elbv2.k8s.aws/cluster": "main"}}}}
    assert names(node(("front", "a"), ("nodes", "a"), **change).differing_layers) == ["main"]
    other = {place: {tags: {"tags": {"elbv2.k8s.aws/cluster": "elsewhere"}}}}
    assert names(node(("front", "a"), ("nodes", "a"), **other).differing_layers) == []


def test_a_cluster_is_linked_by_its_node_group():
    change = {"clusters": {"main": {"node_groups": {"ng": {"zones": ["a", "b"], "auto_scaling_group": "nodes"}}}}}
    assert names(node(("front", "a"), ("nodes", "a"), **change).differing_layers) == ["main"]


def test_what_has_nothing_in_the_zone_need_not_leave_it():
    change = {"auto_scaling_groups": {"nodes": {"zones": ["b"], "instances": {"a": None}}}}
    assert names(node(("front", "a"), **change).differing_layers) == []


@pytest.mark.parametrize(
    "action",
    [
        "elasticloadbalancing:DescribeTargetGroups",
        "elasticloadbalancing:DescribeTargetHealth",
        "elasticloadbalancing:DescribeListeners",
        "elasticloadbalancing:DescribeTags",
        "autoscaling:DescribeAutoScalingGroups",
    ],
)
def test_a_link_that_was_not_read(action):
    assert unknown(node(("front", "a"), ("nodes", "a"), deny=[action]).differing_layers, action)
    assert names(node(deny=[action]).differing_layers) == []


def test_a_difference_that_is_seen_stays_but_may_not_be_the_only_one():
    run = {"kind": "PRACTICE_RUN"}
    found = node(("front", "a", run), deny=["elasticloadbalancing:DescribeTags"])
    assert names(found.differing_layers) == ["nodes"]
    assert unknown(found.differs_in_practice_only)


# Ends


def ends(at, layer_at, **more):
    return node(("front", "a", {"expires": at}), ("nodes", "a", {"expires": layer_at}), **more)


def test_the_load_balancer_comes_back_half_an_hour_later():
    late = ends("2026-11-30T19:00:00Z", "2026-11-30T18:30:01Z")
    assert names(late.layers_ending_late) == ["nodes"]
    assert late.expiry_needed == "660m"  # 18:30:01 + 30 min less 08:00:20, rounded up
    assert names(ends("2026-11-30T19:00:00Z", "2026-11-30T18:30:00Z").layers_ending_late) == []
    assert ends("2026-11-30T19:00:00Z", "2026-11-30T18:30:00Z").expiry_needed == ""


def test_a_shift_lasts_72_hours_at_most():
    assert ends("2026-12-01T19:00:00Z", "2026-12-03T08:00:00Z").expiry_needed == "4320m"


def test_only_customer_shifts_away_from_the_same_zone_have_ends_to_compare():
    run = {"kind": "PRACTICE_RUN", "expires": "2026-11-30T20:00:00Z"}
    assert names(node(("front", "a"), ("nodes", "a", run)).layers_ending_late) == []
    assert names(node(("front", "a", run), ("nodes", "a")).layers_ending_late) == []
    assert names(node(("front", "a"), ("nodes", "b")).layers_ending_late) == []
    assert unknown(
        ends(
            "2026-11-30T19:00:00Z", "2026-11-30T20:00:00Z", deny=["autoscaling:DescribeAutoScalingGroups"]
        ).layers_ending_late
    )


# One resource


def test_minutes_left_and_trouble():
    found = node(("front", "a", {"expires": "2026-11-30T09:00:19Z"}))
    assert (found.minutes_left, found.time_left, found.zone_in_trouble) == (59, "59 min", False)
    assert node(("front", "a"), zone_states={"a": "impaired"}).zone_in_trouble is True
    assert node(("front", "a"), zone_states={"a": "constrained", "b": "impaired"}).zone_in_trouble is False
    assert unknown(node(("front", "a"), deny=["ec2:DescribeAvailabilityZones"]).zone_in_trouble)
    assert unknown(node(("front", "a", {"kind": "PRACTICE_RUN"})).minutes_left)
    assert unknown(node().minutes_left)


def test_masked_autoshifts():
    auto = {"kind": "ZONAL_AUTOSHIFT", "applied": False}
    assert node(("front", "a"), ("front", "b", auto)).masked_zones == (B,)
    assert node(("front", "a"), ("front", "a", auto)).masked_zones == ()
    assert node(("front", "b", auto)).masked_zones == ()
    two = node(("front", "a", {"kind": "ZONAL_AUTOSHIFT"}), ("front", "b", auto))
    assert unknown(two.masked_zones)


def test_weights_and_zones():
    change = {"arc": {"weights": {"nodes": {"c": 0, "a": 0}}}}
    found = {n.zone.name: n for n in estate(ESTATE, change=change).of("ManagedResourceZone") if n.name == "nodes"}
    assert {z: n.weight for z, n in found.items()} == {"us-east-1a": 0.0, "us-east-1b": 1.0}
    denied = estate(ESTATE, change=change, deny=["autoscaling:DescribeAutoScalingGroups"])
    found = {n.zone.name: n for n in denied.of("ManagedResourceZone") if n.name == "nodes"}
    assert set(found) == {"us-east-1a", "us-east-1b", "us-east-1c"}
    assert all(unknown(n.used, "autoscaling:DescribeAutoScalingGroups") for n in found.values())


def test_a_zone_is_counted_once_where_nothing_maps_its_name():
    given = {
        "load_balancers": None,
        "target_groups": None,
        "auto_scaling_groups": {"nodes": {"target_groups": [], "instances": {"a": 0, "b": 0}}},
    }
    denied = estate(ESTATE, change=given, deny=["ec2:DescribeAvailabilityZones", "ec2:DescribeSubnets"])
    assert subject(denied, "ManagedResource", "nodes").zone_count == 2


def test_a_fail_open_that_counts_towards_the_shift_while_there_is_one():
    dead = {"target_groups": {"web": {"targets": {"a": "1 unhealthy", "b": "1 unhealthy"}}}}
    opted = node(name="site", **dead)
    assert opted.groups_without_effect == ("web",)
    assert opted.without_effect_words == ("web is failing open in every zone",)
    (cause,) = opted.without_effect_causes
    assert ":targetgroup/" in cause.arn
    shifted = node(("site", "a"), name="site", **dead)
    assert [c.arn for c in shifted.without_effect_causes] == [shifted.resource.arn]


def test_the_region():
    (found,) = estate(ESTATE).of("ArcRegion")
    assert (found.observer_enabled, found.anything_shiftable) == (False, True)
    (found,) = estate("arc: {observer: null}").of("ArcRegion")
    assert unknown(found.observer_enabled)
    assert found.anything_shiftable is False
    (found,) = estate("arc: {}", deny=["eks:ListClusters"]).of("ArcRegion")
    assert unknown(found.anything_shiftable, "eks:ListClusters")
