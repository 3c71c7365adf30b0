"""Target states, reasons, codes and zones."""

from __future__ import annotations

import pytest

from auditor.derive.targets import TargetPlaces, checks_node_port, codes_in, per_zone, target_of, unresolved
from auditor.derive.zones import zone_map
from auditor.model import autoscaling, ec2, elbv2
from auditor.model.known import Outcome
from auditor.model.verdict import Severity

from .region import A, B, answer, estate, items, region, subject, unknown

ZONE_ANSWER = items(
    ec2.AVAILABILITY_ZONES,
    [{"ZoneName": f"us-east-1{n}", "ZoneId": f"use1-az{i}"} for i, n in ((1, "a"), (2, "b"), (3, "c"))],
)
INSTANCE = elbv2.TargetGroup(TargetGroupArn="arn:tg", TargetType="instance", VpcId="vpc-1", Port=80)
ADDRESS = elbv2.TargetGroup(TargetGroupArn="arn:tg", TargetType="ip", VpcId="vpc-1", Port=80)


def target(state, reason=None, description=None, group=INSTANCE, zone=A):
    health = elbv2.TargetHealthDescription(
        Target=elbv2.TargetDescription(Id="i-1", Port=80),
        TargetHealth=elbv2.TargetHealth(State=state, Reason=reason, Description=description),
    )
    return target_of(group, health, zone)


FLAGS = ("usable", "healthy", "unhealthy", "pending")


@pytest.mark.parametrize(
    ("state", "reason", "flags"),
    [
        ("healthy", None, {"usable", "healthy"}),
        ("initial", "Elb.RegistrationInProgress", {"usable", "pending"}),
        ("initial", "Elb.InitialHealthChecking", {"usable", "pending"}),
        ("unhealthy", "Target.ResponseCodeMismatch", {"usable", "unhealthy"}),
        ("unhealthy", "Target.Timeout", {"usable", "unhealthy"}),
        ("unhealthy", "Target.FailedHealthChecks", {"usable", "unhealthy"}),
        ("unhealthy", "Elb.InternalError", {"usable", "pending"}),
        ("unhealthy.draining", "Target.FailedHealthChecks", {"usable", "unhealthy"}),
        ("unused", "Target.NotRegistered", set()),
        ("unused", "Target.NotInUse", set()),
        ("unused", "Target.InvalidState", set()),
        ("unused", "Target.IpUnusable", set()),
        ("draining", "Target.DeregistrationInProgress", set()),
        ("unavailable", "Target.HealthCheckDisabled", {"usable"}),
        ("unavailable", "Elb.InternalError", {"usable", "pending"}),
        ("", None, {"usable", "pending"}),
        ("a-state-added-later", None, {"usable", "pending"}),
    ],
)
def test_states_and_reasons(state, reason, flags):
    found = target(state, reason)
    assert {f for f in FLAGS if getattr(found, f)} == flags


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Health checks failed with these codes: [301]", (301,)),
        ("Health checks failed with these codes: [ 404, 502 ]", (404, 502)),
        ("Health checks failed with these codes: [200,503,500]", (200, 503, 500)),
        ("Request timed out", ()),
        ("Health checks failed with code 301", ()),
        ("[12] [1234] []", ()),
        ("", ()),
    ],
)
def test_codes(text, codes):
    assert codes_in(text) == codes


@pytest.mark.parametrize("reason", ["Target.ResponseCodeMismatch", "Target.FailedHealthChecks"])
@pytest.mark.parametrize(
    ("codes", "redirected", "mismatched"),
    [
        ("[301]", True, False),
        ("[302]", True, False),
        ("[303]", True, False),
        ("[307, 308]", True, False),
        ("[304]", False, True),
        ("[404]", False, True),
        ("[401, 302]", True, False),
        ("", False, False),
    ],
)
def test_codes_count_whatever_the_reason(reason, codes, redirected, mismatched):
    found = target("unhealthy", reason, f"these codes: {codes}")
    assert (found.redirected, found.mismatched) == (redirected, mismatched)
    assert not target("healthy", None, f"these codes: {codes}").redirected
    assert not target("draining", reason, f"these codes: {codes}").mismatched


def node_port(**changed):
    settings = {"HealthCheckProtocol": "HTTP", "HealthCheckPort": "31234", "Port": 30080, **changed}
    return elbv2.TargetGroup(TargetGroupArn="arn:tg", **{"TargetType": "instance", **settings})


@pytest.mark.parametrize(
    ("group", "expected"),
    [
        (node_port(), True),
        (node_port(HealthCheckProtocol="HTTPS"), True),
        (node_port(HealthCheckProtocol="TCP"), False),
        (node_port(HealthCheckPort="traffic-port"), False),
        (node_port(HealthCheckPort="8080"), False),
        (node_port(HealthCheckPort="30080"), False),
        (node_port(HealthCheckPort="32768"), False),
        (node_port(TargetType="ip"), False),
    ],
)
def test_node_ports_of_their_own(group, expected):
    assert checks_node_port(group) is expected
    assert target("unhealthy", "Target.FailedHealthChecks", group=group).fails_on_purpose is expected
    assert target("unhealthy", "Target.FailedHealthChecks", "codes: [503]", group=group).fails_on_purpose is expected
    assert not target("unhealthy", "Target.FailedHealthChecks", "codes: [500]", group=group).fails_on_purpose
    assert not target("healthy", group=group).fails_on_purpose


NODE_PORT = """
load_balancers:
  front: {type: network, zones: [a, b], listeners: [{port: 80, protocol: TCP, default: {forward: nodes}}]}
target_groups:
  nodes:
    {type: instance, protocol: TCP, port: 30080, health_check: {protocol: HTTP, port: 31234, path: /healthz},
     targets: {a: "1 healthy, 3 unhealthy", b: "1 healthy, 2 unhealthy 503"}}
"""


def test_kubernetes_nodes_that_fail_on_purpose_are_not_counted():
    found = subject(estate(NODE_PORT), "TargetGroup", "nodes")
    assert (found.unhealthy_count, found.unexplained_count, found.healthy_count) == (0, 0, 2)
    assert found.mismatched == ()
    assert found.mismatch_codes == ()
    assert found.reasons_per_zone == ""
    assert found.failing_open is False
    assert found.uneven_by == 1  # four nodes and three: what their health says of the zones is no unevenness
    plain = {"target_groups": {"nodes": {"health_check": {"port": 30080}}}}
    assert subject(estate(NODE_PORT, change=plain), "TargetGroup", "nodes").unhealthy_count == 5


def placed(name):
    return {"InstanceId": "i-1", "Placement": {"AvailabilityZone": name}}


ASG = items(
    autoscaling.AUTO_SCALING_GROUPS,
    [{"AutoScalingGroupName": "g", "Instances": [{"InstanceId": "i-1", "AvailabilityZone": "us-east-1b"}]}],
)
SUBNETS = items(
    ec2.SUBNETS,
    [
        {"SubnetId": "s-a", "VpcId": "vpc-1", "AvailabilityZone": "us-east-1a", "CidrBlock": "10.0.0.0/24"},
        {"SubnetId": "s-b", "VpcId": "vpc-1", "AvailabilityZone": "us-east-1b", "CidrBlock": "10.0.1.0/24"},
        {"SubnetId": "s-x", "VpcId": "vpc-2", "AvailabilityZone": "us-east-1c", "CidrBlock": "10.0.0.0/16"},
    ],
)


def zone_of(group, target_id, zone=None, *pages):
    inventory = region(ZONE_ANSWER, *pages)
    places = TargetPlaces(inventory, zone_map(inventory))
    return places.of(group, elbv2.TargetDescription(Id=target_id, AvailabilityZone=zone))


def instances(*found):
    return items(ec2.INSTANCES, [{"Instances": list(found)}])


def test_zone_of_an_instance():
    assert zone_of(INSTANCE, "i-1", None, instances(placed("us-east-1a"))) == A
    assert zone_of(INSTANCE, "i-1", None, instances(placed("us-east-1a")), ASG) == A
    assert zone_of(INSTANCE, "i-1", None, ASG, answer(ec2.INSTANCES, fails=Outcome.DENIED)) == B
    refused = zone_of(INSTANCE, "i-9", None, ASG, answer(ec2.INSTANCES, fails=Outcome.DENIED))
    assert unknown(refused, "ec2:DescribeInstances")
    assert unknown(zone_of(INSTANCE, "i-9", None, instances(placed("us-east-1a"))))


@pytest.mark.parametrize(
    ("address", "registered", "expected"),
    [
        ("10.0.0.9", "us-east-1b", B),  # what was registered decides which nodes use it
        ("192.168.0.1", "us-east-1a", A),  # outside the VPC, or of another account
        ("192.168.0.1", "all", None),
        ("10.0.0.9", None, A),
        ("10.0.1.9", None, B),
        ("192.168.0.1", None, "?"),
        ("not an address", None, "?"),
        ("2001:db8::1", None, "?"),
        ("2001:db8::1", "us-east-1b", B),  # dual stack: AWS names the zone
    ],
)
def test_zone_of_an_address(address, registered, expected):
    found = zone_of(ADDRESS, address, registered, SUBNETS)
    assert unknown(found) if expected == "?" else found == expected


def test_zone_of_an_address_without_subnets():
    found = zone_of(ADDRESS, "10.0.0.9", None, answer(ec2.SUBNETS, fails=Outcome.DENIED))
    assert unknown(found, "ec2:DescribeSubnets")


@pytest.mark.parametrize("target_type", ["lambda", "alb"])
def test_what_has_no_zone(target_type):
    assert zone_of(elbv2.TargetGroup(TargetGroupArn="arn:tg", TargetType=target_type), "arn:x", None) is None


def test_folding_by_zone():
    here, there, everywhere = target("healthy"), target("draining", zone=B), target("healthy", zone=None)
    assert per_zone((there, here, everywhere)) == {A: (here,), B: (there,)}
    assert unresolved((here, there)) is None
    assert unknown(unresolved((here, everywhere)))
    assert unresolved((target("draining", zone=None),)) is None
    assert Severity.LOW.rank == 1


SHARED = """
load_balancers:
  web: {type: application, zones: [a, b], listeners: [{port: 80, protocol: HTTP, default: {forward: web}}]}
target_groups:
  web: {type: %s, targets: {a: 1 healthy, b: "1 healthy, 1 draining", c: 2 healthy, %s}}
"""


def test_a_target_in_a_zone_that_is_not_served_is_neither_usable_nor_unhealthy():
    model = estate(SHARED % ("ip", "all: 1 healthy"))
    group = subject(model, "TargetGroup", "web")
    assert (group.registered_count, group.usable_count, group.healthy_count, group.unhealthy_count) == (5, 3, 3, 0)
    zones = {n.zone.name: (n.served, n.registered_count) for n in model.of("TargetGroupZone")}
    assert zones == {"us-east-1a": (True, 1), "us-east-1b": (True, 1), "us-east-1c": (False, 2)}
    assert unknown(group.placed_zones)  # a target registered for all zones has no place
    assert group.failing_open is False


def test_terminated_instances_leave_no_doubt_about_the_rest():
    model = estate(SHARED % ("instance", "unplaced: 1 unused InvalidState"))
    group = subject(model, "TargetGroup", "web")
    assert group.placed_zones == (A, B)
    assert model.of("TargetGroupZone").complete
    zone = subject(model, "LoadBalancerZone", "web", A)
    assert (zone.healthy_count, zone.groups[0].usable_count) == (1, 1)
    assert unknown(zone.registered_count)  # the terminated one was registered in some zone


def test_a_grpc_check_names_codes_of_fewer_digits():
    group = elbv2.TargetGroup(TargetGroupArn="arn:tg", TargetType="ip", ProtocolVersion="GRPC")
    text = "Health checks failed with these codes: [12]"
    found = target("unhealthy", "Target.ResponseCodeMismatch", text, group=group)
    assert (found.codes, found.mismatched) == ((12,), True)
    assert target("unhealthy", "Target.ResponseCodeMismatch", text).codes == ()
