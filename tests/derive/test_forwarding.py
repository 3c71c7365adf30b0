"""Where the groups of a load balancer stand together, what weighted shares end in, and which zones are near their end."""

from __future__ import annotations

import json

import msgspec
import pytest

from auditor.derive.evidence import evidence_for
from auditor.derive.weighted_shares import Forward
from auditor.model import elbv2
from auditor.model.finding import Cause
from auditor.model.known import Unknown

from .region import A, B, C, estate, subject, unknown

ESTATE = """
load_balancers:
  edge:
    type: network
    zones: [a, b, c]
    listeners:
      - {port: 443, protocol: TCP, default: {forward: web}}
      - {port: 444, protocol: TCP, default: {forward: admin}}
  shop:
    type: application
    zones: [a, b, c]
    listeners:
      - port: 80
        protocol: HTTP
        default: {forward: {blue: 3, green: 1}}
        rules: [{priority: 10, when: {path: [/x]}, then: {forward: {blue: 1, green: 1, red: 0}}}]
target_groups:
  web: {type: ip, protocol: TCP, targets: {a: 2 healthy, b: 2 healthy, c: 2 healthy}}
  admin: {type: ip, protocol: TCP, targets: {a: 1 healthy, b: "1 healthy, 1 unhealthy"}}
  blue: {type: ip, targets: {a: 2 healthy}}
  green: {type: ip, targets: {}}
  red: {type: ip, targets: {}}
"""


def balancer(name="edge", change=None, deny=()):
    return subject(estate(ESTATE, change=change, deny=deny), "LoadBalancer", name)


def groups(**more):
    return {"target_groups": more}


def test_a_zone_that_one_group_lacks():
    region = estate(ESTATE)
    node = subject(region, "LoadBalancer", "edge")
    admin = subject(region, "TargetGroup", "admin").TargetGroupArn
    assert node.zones_not_covered == (C,)
    assert [g.words for g in node.group_coverage] == [
        f"admin has targets in {A} and {B} but none in {C}",
        f"web has targets in {A} and {B} and {C}",
    ]
    assert node.coverage_causes == (Cause(admin, C.key),)


def test_causes_are_pairs_of_a_zone_and_a_group_that_lacks_it():
    change = groups(web={"targets": {"a": None}}, admin={"targets": {"b": None}})
    region = estate(ESTATE, change=change)
    node = subject(region, "LoadBalancer", "edge")
    arn = {name: subject(region, "TargetGroup", name).TargetGroupArn for name in ("admin", "web")}
    assert node.zones_not_covered == (A, B, C)
    assert node.coverage_causes == (
        Cause(arn["web"], A.key),
        Cause(arn["admin"], B.key),
        Cause(arn["admin"], C.key),
    )


@pytest.mark.parametrize(
    "admin",
    [
        {"targets": {"c": "1 healthy"}},
        {"targets": {"c": "1 unhealthy"}},
        {"targets": {"c": "1 initial"}},
        {"targets": {"all": "1 healthy"}},
        {"targets": {"a": None, "b": None}},
        {"targets": {"a": "1 unused", "b": "1 draining"}},
        {"attributes": {"load_balancing.cross_zone.enabled": "true"}},
        {"type": "alb", "port": 80, "targets": {"a": None, "b": None, "shop": "1 healthy"}},
    ],
    ids=["healthy", "failing", "starting", "for all zones", "none at all", "none usable", "cross-zone on", "an ALB"],
)
def test_what_is_no_difference(admin):
    assert balancer(change=groups(admin=admin)).zones_not_covered == ()


@pytest.mark.parametrize(
    "admin",
    [{"targets": {"b": "1 healthy, 1 initial"}}, {"type": "instance", "targets": {"unplaced": "1 healthy"}}],
    ids=["starting elsewhere", "nobody knows where"],
)
def test_a_target_that_may_be_the_missing_one_leaves_it_open(admin):
    assert isinstance(balancer(change=groups(admin=admin)).zones_not_covered, Unknown)


def test_a_difference_that_was_seen_is_enough():
    """A third group that is starting may fill the zone for itself, not for the group that lacks it."""
    third = {"port": 445, "protocol": "TCP", "default": {"forward": "third"}}
    listeners = [
        *({"port": p, "protocol": "TCP", "default": {"forward": g}} for p, g in ((443, "web"), (444, "admin"))),
        third,
    ]
    change = {
        "load_balancers": {"edge": {"listeners": listeners}},
        "target_groups": {"third": {"type": "ip", "protocol": "TCP", "targets": {"b": "1 initial"}}},
    }
    node = balancer(change=change)
    assert node.zones_not_covered == (C,)
    assert node.group_coverage[1].words == f"third has targets in {B} but perhaps some in {A} and {C}"


def test_one_group_has_nothing_to_differ_from():
    alone = {
        "load_balancers": {"edge": {"listeners": [{"port": 444, "protocol": "TCP", "default": {"forward": "admin"}}]}}
    }
    assert balancer(change=alone).zones_not_covered == ()


@pytest.mark.parametrize(
    "action",
    ["DescribeTargetGroups", "DescribeTargetHealth", "DescribeTargetGroupAttributes", "DescribeLoadBalancerAttributes"],
)
def test_what_was_not_read_leaves_it_open(action):
    node = balancer(deny=[f"elasticloadbalancing:{action}"])
    assert unknown(node.zones_not_covered, f"elasticloadbalancing:{action}")
    assert node.coverage_causes == ()


def shares(change=None, deny=()):
    return balancer("shop", change, deny).dead_shares


def test_shares_are_of_the_action_they_stand_in():
    assert [(s.TargetGroupName, s.percent, s.empty) for s in shares()] == [("green", 25.0, True), ("green", 50.0, True)]
    assert shares()[0].words == (
        "25 % of what the default action of listener HTTP:80 forwards falls to green and gets 503, "
        "as it has no usable target"
    )
    assert "priority 10" in shares()[1].words


def test_a_group_whose_targets_all_fail_is_dead_but_not_empty():
    found = shares(groups(green={"targets": {"b": "1 unhealthy, 1 draining"}}))
    assert [s.empty for s in found] == [False, False]
    assert "targets that all fail their health check (fail-open)" in found[0].words


@pytest.mark.parametrize(("weights", "percent", "words"), [((1, 999), 99.9, "99.9 %"), ((2, 1), 33.3, "33.3 %")])
def test_the_share_is_weight_over_the_sum(weights, percent, words):
    default = {"forward": dict(zip(("blue", "green"), weights, strict=True))}
    listeners = [{"port": 80, "protocol": "HTTP", "default": default}]
    (share,) = shares({"load_balancers": {"shop": {"listeners": listeners}}})
    assert share.percent == percent
    assert share.words.startswith(words)


def test_a_function_that_nobody_checks_serves():
    fn = {"type": "lambda", "targets": {"handler": "1 unavailable HealthCheckDisabled"}}
    assert shares(groups(green=fn)) == ()
    assert [s.empty for s in shares(groups(green={"type": "lambda", "targets": {}}))] == [True, True]


def test_a_failure_on_the_side_of_the_load_balancer_settles_nothing():
    assert isinstance(shares(groups(green={"targets": {"b": "1 unhealthy InternalError"}})), Unknown)


def test_a_group_that_gets_everything_is_another_matter():
    listeners = [{"port": 80, "protocol": "HTTP", "default": {"forward": {"blue": 0, "green": 5}}}]
    assert shares({"load_balancers": {"shop": {"listeners": listeners}}}) == ()


def test_the_new_actions_give_dead_groups_the_weight_0():
    region = estate(ESTATE)
    arns = {name: subject(region, "TargetGroup", name).TargetGroupArn for name in ("blue", "green", "red")}
    default, rule = subject(region, "LoadBalancer", "shop").dead_shares
    assert default.rule_arn == "RULE_ARN"
    assert ":listener-rule/" in rule.rule_arn
    for share, weights in ((default, {"blue": 3, "green": 0}), (rule, {"blue": 1, "green": 0, "red": 0})):
        (action,) = json.loads(share.new_actions)
        assert action["Type"] == "forward"
        assert {g["TargetGroupArn"]: g["Weight"] for g in action["ForwardConfig"]["TargetGroups"]} == {
            arns[name]: weight for name, weight in weights.items()
        }


def test_no_new_actions_where_no_group_would_serve():
    assert {s.new_actions for s in shares(groups(blue={"targets": {"a": "1 unhealthy"}}))} == {"ACTIONS"}


def test_no_new_actions_where_a_login_stands_before_the_forward():
    """They would drop it."""
    groups_ = [{"TargetGroupArn": "a", "Weight": 1}, {"TargetGroupArn": "b", "Weight": 1}]
    forward = {"Type": "forward", "ForwardConfig": {"TargetGroups": groups_}}
    login = {"Type": "authenticate-oidc", "AuthenticateOidcConfig": {}}
    for actions, alone in (([forward], True), ([login, forward], False)):
        made = Forward(
            listener=elbv2.Listener(ListenerArn="l"), rule=None, actions=msgspec.convert(actions, list[elbv2.Action])
        )
        assert (made.without({"b"}) != "ACTIONS") is alone


def test_evidence_names_every_forward_with_its_groups():
    region = estate(ESTATE)
    node = subject(region, "LoadBalancer", "shop")
    shown = {e.field: e.value for e in evidence_for(region, node, node, "dead_shares", node.dead_shares)}
    assert [text.rpartition("), ")[2] for text in shown["DefaultActions"]] == [
        "weight 1 for green",
        "weight 3 for blue",
    ]
    assert [text.rpartition("), ")[2] for text in shown["Actions"]] == [
        "weight 0 for red",
        "weight 1 for blue",
        "weight 1 for green",
    ]


def test_one_healthy_target_serves():
    assert shares(groups(green={"targets": {"b": "1 unhealthy, 1 healthy"}})) == ()


def test_targets_that_are_starting_settle_nothing():
    assert isinstance(shares(groups(green={"targets": {"b": "1 initial"}})), Unknown)
    assert isinstance(shares(groups(green={"targets": {"b": "1 unhealthy, 1 initial"}})), Unknown)


def test_a_dead_share_that_was_seen_is_enough():
    assert len(shares(deny=["elasticloadbalancing:DescribeRules"])) == 1
    alive = groups(green={"targets": {"b": "1 healthy"}})
    assert isinstance(shares(alive, ["elasticloadbalancing:DescribeRules"]), Unknown)
    assert isinstance(shares(deny=["elasticloadbalancing:DescribeTargetHealth"]), Unknown)


def zone(zone, change=None, deny=(), name="admin"):
    return subject(estate(ESTATE, change=change, deny=deny), "TargetGroupServedZone", name, zone)


@pytest.mark.parametrize(
    ("place", "counts"), [(A, (1, 1, 1, 1)), (B, (2, 1, 1, 2)), (C, (0, 0, 1, 1))], ids=["a", "b", "c"]
)
def test_counts_of_a_zone_beside_the_others(place, counts):
    node = zone(place)
    assert (node.usable_count, node.healthy_count, node.most_elsewhere, node.most_around) == counts
    assert len(node.healthy_labels) == counts[1]
    assert node.settled is True


@pytest.mark.parametrize(
    ("here", "counts"),
    [("1 healthy, 2 unhealthy", (1, 1, 3, 1)), ("2 unhealthy", (0, 0, 3, 0)), ("1 healthy", (1, 1, 3, 3))],
    ids=["a pod on one of three nodes", "no pod", "one node"],
)
def test_nodes_without_a_pod_are_not_missing(here, counts):
    """Where pods of the service lie decides which nodes pass the check, so such a zone is not compared."""
    check = {"protocol": "HTTP", "port": 32000, "path": "/healthz"}
    nodes = {"type": "instance", "port": 31000, "health_check": check, "targets": {"a": here, "b": "3 healthy"}}
    node = zone(A, groups(admin=nodes))
    assert (node.usable_count, node.healthy_count, node.most_elsewhere, node.most_around) == counts


@pytest.mark.parametrize(("place", "settled"), [(A, False), (B, True)])
def test_only_a_rollout_in_the_zone_itself_leaves_it_open(place, settled):
    node = zone(place, groups(admin={"targets": {"a": "1 healthy, 1 initial"}}))
    assert isinstance(node.settled, bool) is settled


def test_an_unplaced_target_makes_every_count_unknown():
    lost = groups(admin={"type": "instance", "targets": {"unplaced": "1 healthy"}})
    assert isinstance(zone(A, lost).healthy_count, Unknown)
    assert isinstance(zone(A, deny=["elasticloadbalancing:DescribeTargetHealth"]).settled, Unknown)


def test_a_zone_is_there_with_and_without_targets_in_it():
    """Zones the load balancer serves, of groups whose targets stand in zones."""
    names = [(n.TargetGroupName, n.zone) for n in estate(ESTATE).of("TargetGroupServedZone")]
    assert [z for name, z in names if name == "admin"] == [A, B, C]
    alb = groups(admin={"type": "alb", "port": 80, "targets": {"a": None, "b": None, "shop": "1 healthy"}})
    assert "admin" not in {n.TargetGroupName for n in estate(ESTATE, change=alb).of("TargetGroupServedZone")}


@pytest.mark.parametrize("action", ["DescribeLoadBalancers", "DescribeTargetGroups"])
def test_what_may_be_missing_leaves_a_gap(action):
    listing = estate(ESTATE, deny=[f"elasticloadbalancing:{action}"]).of("TargetGroupServedZone")
    assert list(listing) == []
    assert {g.action for g in listing.gaps} == {f"elasticloadbalancing:{action}"}
