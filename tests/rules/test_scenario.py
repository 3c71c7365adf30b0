"""What a scenario says is what decoding its answers gives."""

from __future__ import annotations

import copy
from collections import Counter

import pytest
import yaml

from auditor.collect import declared
from auditor.collect.call import Stage
from auditor.errors import RuleError
from auditor.evaluate.scenario import answers, changed
from auditor.model import arc, autoscaling, ec2, eks, elb, elbv2
from auditor.model.known import Outcome
from auditor.record.decode import decode

SCENARIO = yaml.safe_load("""
account: "111122223333"
zones: {a: use1-az6, b: use1-az1, c: use1-az2, bos-1a: use1-bos1-az1}
zone_types: {bos-1a: local-zone}
zone_states: {b: impaired}
load_balancers:
  web:
    type: application
    zones: [a, b]
    attributes: {zonal_shift.config.enabled: "true"}
    tags: {auditor:intent: no-shift}
    listeners:
      - port: 443
        protocol: HTTPS
        policy: ELBSecurityPolicy-TLS13-1-3-2021-06
        default: {redirect: 301}
        rules:
          - {priority: 10, when: {path: [/api/*], host_regex: ["^x$"]}, then: {forward: {web: 3, green: 0}}}
          - {priority: 20, when: {method: [GET]}, then: {authenticate: oidc, unauthenticated: deny, fixed: 404}}
  front:
    type: network
    zones: [a, b, c]
    scheme: internal
    listeners:
      - {port: 80, protocol: TCP, default: {forward: to-web}}
      - {port: 81, protocol: TCP, default: {forward: nodes}}
  gate: {type: gateway, zones: [a], listeners: [{port: 6081, protocol: GENEVE, default: {forward: appliances}}]}
  old: {type: classic, zones: [a, b], cross_zone: true, instances: {a: 1 healthy, b: 1 unhealthy}, tags: {env: dev}}
target_groups:
  web:
    type: ip
    targets: {a: "2 healthy, 1 unhealthy 302", b: 1 unhealthy Timeout, c: 1 healthy, all: 1 initial}
  green: {type: ip, targets: {a: 1 draining}}
  fn: {type: lambda, targets: {handler: 1 unavailable}}
  to-web: {type: alb, port: 443, targets: {web: 1 healthy}, health_check: {protocol: HTTPS}}
  nodes: {type: instance, protocol: TCP, attributes: {load_balancing.cross_zone.enabled: "true"}}
  appliances: {type: instance, protocol: GENEVE, port: 6081, targets: {a: 1 healthy, unplaced: 1 healthy}}
auto_scaling_groups:
  nodes:
    zones: [a, b, c]
    min: 3
    max: 9
    desired: 6
    target_groups: [nodes]
    zonal_shift: true
    instances: {a: 2, b: "1, 1 Pending", c: 1 Unhealthy}
clusters:
  main:
    zonal_shift: false
    node_groups: {ng1: {zones: [a, b, c], auto_scaling_group: nodes}}
    fargate_profiles: {fp: {zones: [a, b]}}
arc:
  shifts: [{resource: web, away: a}, {resource: nodes, away: b, kind: ZONAL_AUTOSHIFT, passes: [2]}]
  extra: [main]
  practice: {web: ["arn:aws:cloudwatch:us-east-1:111122223333:alarm:errors"]}
""")


def inventory(scenario=SCENARIO, deny=()):
    found = decode(*answers(scenario, deny))
    assert len(found.regions) == 1
    return found, found.regions[0]


def by_name(listing, name):
    return {getattr(item, name): item for item in listing}


def arns(region):
    balancers = by_name(region.listing(elbv2.LOAD_BALANCERS), "LoadBalancerName")
    groups = by_name(region.listing(elbv2.TARGET_GROUPS), "TargetGroupName")
    return balancers, groups


def test_whole_account_is_read_without_gaps():
    found, region = inventory()
    assert found.complete
    assert region.scope == ("111122223333", "us-east-1")
    zones = by_name(region.listing(ec2.AVAILABILITY_ZONES), "ZoneName")
    assert zones["us-east-1b"].State == "impaired"
    assert zones["us-east-1-bos-1a"].ZoneType == "local-zone"
    assert zones["us-east-1a"].ZoneId == "use1-az6"
    assert len(region.listing(ec2.NETWORK_INTERFACES)) == 2 + 3 + 1 + 2


def test_load_balancers_have_the_defaults_of_their_type():
    _, region = inventory()
    balancers, groups = arns(region)
    assert [z.ZoneName for z in balancers["web"].AvailabilityZones] == ["us-east-1a", "us-east-1b"]
    web = region.attributes(elbv2.LOAD_BALANCER_ATTRIBUTES, balancers["web"].LoadBalancerArn)
    front = region.attributes(elbv2.LOAD_BALANCER_ATTRIBUTES, balancers["front"].LoadBalancerArn)
    gate = region.attributes(elbv2.LOAD_BALANCER_ATTRIBUTES, balancers["gate"].LoadBalancerArn)
    assert web["load_balancing.cross_zone.enabled"] == "true"
    assert web["zonal_shift.config.enabled"] == "true"
    assert web["client_keep_alive.seconds"] == "3600"
    assert front["load_balancing.cross_zone.enabled"] == "false"
    assert front["ipv6.deny_all_igw_traffic"] == "true"
    assert "zonal_shift.config.enabled" not in gate
    nodes = region.attributes(elbv2.TARGET_GROUP_ATTRIBUTES, groups["nodes"].TargetGroupArn)
    assert nodes["load_balancing.cross_zone.enabled"] == "true"
    assert nodes["target_group_health.unhealthy_state_routing.minimum_healthy_targets.count"] == "1"
    assert nodes["preserve_client_ip.enabled"] == "true"
    assert groups["web"].Matcher.HttpCode == "200"
    assert groups["to-web"].Matcher.HttpCode == "200-399"
    assert groups["nodes"].HealthCheckProtocol == "TCP"
    assert groups["fn"].LoadBalancerArns == []


def test_listeners_and_rules():
    _, region = inventory()
    balancers, groups = arns(region)
    (listener,) = region.listing(elbv2.LISTENERS, balancers["web"].LoadBalancerArn)
    assert (listener.Port, listener.Protocol, listener.SslPolicy) == (
        443,
        "HTTPS",
        "ELBSecurityPolicy-TLS13-1-3-2021-06",
    )
    first, second, default = region.listing(elbv2.RULES, listener.ListenerArn)
    tuples = {t.TargetGroupArn: t.Weight for t in first.Actions[0].ForwardConfig.TargetGroups}
    assert tuples == {groups["web"].TargetGroupArn: 3, groups["green"].TargetGroupArn: 0}
    assert [c.Field for c in first.Conditions] == ["path-pattern", "host-header"]
    assert [a.Type for a in second.Actions] == ["authenticate-oidc", "fixed-response"]
    assert second.Actions[0].AuthenticateOidcConfig.OnUnauthenticatedRequest == "deny"
    assert (default.IsDefault, default.Actions[0].RedirectConfig.StatusCode) == (True, "HTTP_301")
    policies = by_name(region.listing(elbv2.SSL_POLICIES), "Name")
    assert policies["ELBSecurityPolicy-TLS13-1-3-2021-06"].SslProtocols == ["TLSv1.3"]


def health(region, groups, name):
    return region.listing(elbv2.TARGET_HEALTH, groups[name].TargetGroupArn)


def test_targets_stand_where_the_scenario_says_in_the_state_aws_would_show():
    _, region = inventory()
    balancers, groups = arns(region)
    web = Counter(
        (t.Target.AvailabilityZone, t.TargetHealth.State, t.TargetHealth.Reason) for t in health(region, groups, "web")
    )
    assert web == {
        ("us-east-1a", "healthy", None): 2,
        ("us-east-1a", "unhealthy", "Target.ResponseCodeMismatch"): 1,
        ("us-east-1b", "unhealthy", "Target.Timeout"): 1,
        ("us-east-1c", "unused", "Target.NotInUse"): 1,
        ("all", "initial", "Elb.InitialHealthChecking"): 1,
    }
    described = [t.TargetHealth.Description for t in health(region, groups, "web")]
    assert any("[302]" in (text or "") for text in described)
    assert any("Availability Zone that is not enabled" in (text or "") for text in described)
    assert [t.TargetHealth.State for t in health(region, groups, "green")] == ["draining"]
    assert [t.Target.Id for t in health(region, groups, "to-web")] == [balancers["web"].LoadBalancerArn]
    assert health(region, groups, "fn").gaps[0].kind == "not_asked"
    ids = [t.Target.Id for t in health(region, groups, "web")]
    assert len(set(ids)) == len(ids)


def test_instances_of_a_group_are_the_targets_it_feeds():
    _, region = inventory()
    _, groups = arns(region)
    (group,) = region.listing(autoscaling.AUTO_SCALING_GROUPS)
    targets = {t.Target.Id: t.TargetHealth.State for t in health(region, groups, "nodes")}
    assert set(targets) == {i.InstanceId for i in group.Instances}
    assert Counter(targets.values()) == {"healthy": 3, "initial": 1, "unhealthy": 1}
    placed = {i.InstanceId: i for r in region.listing(ec2.INSTANCES) for i in r.Instances}
    assert {placed[i.InstanceId].Placement.AvailabilityZone for i in group.Instances} == {
        "us-east-1a",
        "us-east-1b",
        "us-east-1c",
    }
    assert all(placed[i.InstanceId].Placement.AvailabilityZone == i.AvailabilityZone for i in group.Instances)
    assert {tag.Key for tag in group.Tags} >= {"eks:cluster-name", "eks:nodegroup-name"}
    unplaced = [t.Target.Id for t in health(region, groups, "appliances")]
    assert [i in placed for i in unplaced] == [True, False]


def test_classic_clusters_and_tags():
    _, region = inventory()
    balancers, _ = arns(region)
    (old,) = region.listing(elb.LOAD_BALANCERS)
    assert region.one(elb.LOAD_BALANCER_ATTRIBUTES, "old").CrossZoneLoadBalancing.Enabled
    assert [i.State for i in region.listing(elb.INSTANCE_HEALTH, "old")] == ["InService", "OutOfService"]
    assert [i.InstanceId for i in old.Instances] == [i.InstanceId for i in region.listing(elb.INSTANCE_HEALTH, "old")]
    assert region.one(elb.TAGS, "old").Tags[0].Value == "dev"
    assert region.one(elbv2.TAGS, balancers["web"].LoadBalancerArn).Tags[0].Key == "auditor:intent"
    assert region.one(eks.CLUSTER, "main").zonalShiftConfig.enabled is False
    assert region.one(eks.NODEGROUP, "main/ng1").resources.autoScalingGroups[0].name == "nodes"
    assert region.one(eks.FARGATE_PROFILE, "main/fp").fargateProfileName == "fp"


def test_arc_lists_what_is_switched_on_and_what_the_scenario_adds():
    _, region = inventory()
    first = by_name(region.listing(arc.MANAGED_RESOURCES, pass_=1), "name")
    last = by_name(region.listing(arc.MANAGED_RESOURCES, pass_=2), "name")
    assert set(first) == set(last) == {"web", "nodes", "main"}
    (shift,) = last["web"].zonalShifts
    assert (shift.awayFrom, shift.appliedStatus, shift.shiftType) == ("use1-az6", "APPLIED", "ZONAL_SHIFT")
    assert last["web"].appliedWeights == {"use1-az6": 0.0, "use1-az1": 1.0}
    assert first["nodes"].autoshifts == []
    assert last["nodes"].autoshifts[0].awayFrom == "use1-az1"
    assert last["web"].practiceRunStatus == "ENABLED"
    assert region.one(arc.MANAGED_RESOURCE, last["web"].arn).practiceRunConfiguration.outcomeAlarms
    assert [s.awayFrom for s in region.listing(arc.ZONAL_SHIFTS)] == ["use1-az6"]
    unlisted = changed(SCENARIO, {"arc": {"unlisted": ["nodes"], "shifts": []}})
    assert "nodes" not in by_name(inventory(unlisted)[1].listing(arc.MANAGED_RESOURCES), "name")


@pytest.mark.parametrize(
    ("action", "read", "not_asked"),
    [
        ("elasticloadbalancing:DescribeLoadBalancers", elbv2.LOAD_BALANCERS, elbv2.LISTENERS),
        ("elasticloadbalancing:DescribeTargetGroups", elbv2.TARGET_GROUPS, elbv2.TARGET_HEALTH),
        ("elasticloadbalancing:DescribeListeners", elbv2.LISTENERS, elbv2.RULES),
        ("elasticloadbalancing:DescribeTargetHealth", elbv2.TARGET_HEALTH, None),
        ("eks:ListClusters", eks.CLUSTER_NAMES, eks.CLUSTER),
        ("arc-zonal-shift:ListManagedResources", arc.MANAGED_RESOURCES, arc.MANAGED_RESOURCE),
    ],
)
def test_a_denied_call_is_a_refusal_and_what_hangs_on_it_is_not_asked(action, read, not_asked):
    found, region = inventory(deny=[action])
    assert not found.complete
    assert {gap.reason.action for gap in found.gaps} == {action}
    assert {gap.reason.outcome for gap in found.gaps} == {Outcome.DENIED}
    assert any(not region.listing(read, key).complete for key in region.keys(read))
    assert not_asked is None or not region.asked(not_asked)


def test_a_throttled_call_and_a_listing_that_was_cut_off():
    throttled, _ = inventory(changed(SCENARIO, {"throttle": ["elasticloadbalancing:DescribeTargetHealth"]}))
    assert {gap.reason.outcome for gap in throttled.gaps} == {Outcome.THROTTLED}
    cut, region = inventory(changed(SCENARIO, {"cut": ["elasticloadbalancing:DescribeTargetGroups"]}))
    assert not cut.complete
    assert len(region.listing(elbv2.TARGET_GROUPS)) == 3
    assert not region.listing(elbv2.TARGET_GROUPS).complete
    assert len(region.keys(elbv2.TARGET_HEALTH)) == 2  # "fn" is used by no load balancer


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"zonez": {}}, "zonez"),
        ({"load_balancers": {"web": {"schema": "internal"}}}, r"load_balancers\.web.*schema"),
        ({"load_balancers": {"wbe": {"scheme": "internal"}}}, r"load_balancers\.wbe.*type"),
        ({"load_balancers": {"web": {"zones": ["a", "d"]}}}, r"load_balancers\.web\.zones.*zone d"),
        ({"load_balancers": {"web": {"attributes": {"zonal_shift.enabled": "true"}}}}, "zonal_shift.enabled"),
        ({"load_balancers": {"front": {"listeners": [{"port": 1, "protocol": "TCP", "default": {}}]}}}, "forward"),
        ({"target_groups": {"web": {"targets": {"a": "2 helthy"}}}}, r"target_groups\.web\.targets\.a.*helthy"),
        ({"target_groups": {"web": {"targets": {"a": "2 unhealthy Tiemout"}}}}, "Tiemout"),
        ({"target_groups": {"web": {"targets": {"d": "2 healthy"}}}}, "zone d"),
        ({"target_groups": {"web": {"protocol": "TCP"}}}, "another kind"),
        ({"target_groups": {"web": {"attributes": {"target_failover.on_unhealthy": "rebalance"}}}}, "target_failover"),
        ({"auto_scaling_groups": {"nodes": {"instances": {"a": "two"}}}}, r"nodes\.instances\.a.*two"),
        ({"clusters": {"main": {"node_groups": {"ng1": {"zone": ["a"]}}}}}, r"node_groups\.ng1.*zone"),
        ({"arc": {"shifts": [{"resource": "old", "away": "a"}]}}, "old"),
        ({"arc": {"shifts": [{"resource": "web", "away": "c"}]}}, "nothing in zone c"),
        ({"arc": {"unlisted": ["front"]}}, "switch off"),
        ({"target_groups": {"web": {"port": None}}}, r"target_groups\.web\.port"),
        ({"cut": ["elasticloadbalancing:DescribeTargetHealth"]}, "one page"),
        ({"throttle": ["elb:DescribeTargetHealth"]}, "no call needs"),
    ],
)
def test_what_a_scenario_cannot_mean_is_refused_with_its_place(change, says):
    with pytest.raises(RuleError, match=says):
        answers(changed(SCENARIO, change))


def test_a_denied_action_that_no_call_needs_is_refused():
    with pytest.raises(RuleError, match="elb:DescribeTags"):
        answers(SCENARIO, ["elb:DescribeTags"])


def test_answers_are_the_same_every_time_and_the_scenario_is_left_alone():
    before = copy.deepcopy(SCENARIO)
    assert answers(SCENARIO) == answers(copy.deepcopy(SCENARIO))
    merged = changed(SCENARIO, {"load_balancers": {"web": {"zones": ["a"]}}, "clusters": None})
    assert before == SCENARIO
    assert merged["load_balancers"]["web"]["zones"] == ["a"]
    assert merged["load_balancers"]["web"]["type"] == "application"
    assert "clusters" not in merged


def test_a_scenario_answers_exactly_the_calls_that_a_scan_would_make():
    """Each declared call is asked, of the inventory the answers give, what it would request."""
    scenario = changed(SCENARIO, {"auto_scaling_groups": {"nodes": {"warm_pool": {"instances": {"a": 1}}}}})
    found, _, _ = answers(scenario)
    _, region = inventory(scenario)
    for call in declared():
        if call.stage is Stage.SIGN_IN:
            continue
        for number, _ in call.passes:
            made = [
                a.params
                for a in found
                if (a.service, a.operation, a.pass_) == (call.read.service, call.read.operation, number)
            ]
            wanted = [dict(params) for params in call.requests(region)]
            assert sorted(map(str, made)) == sorted(map(str, wanted)), call.read.source
    operations = {(a.service, a.operation) for a in found}
    assert operations == {(c.read.service, c.read.operation) for c in declared() if c.stage is not Stage.SIGN_IN}
