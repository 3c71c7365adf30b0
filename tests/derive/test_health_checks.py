"""The probe of a Network Load Balancer at an Application Load Balancer."""

from __future__ import annotations

import pytest

from auditor.derive.health_checks import code_words, matcher_of, probe_port
from auditor.model import elbv2

from .region import A, B, C, estate, subject, unknown

ESTATE = """
load_balancers:
  front: {type: network, zones: [a, b, c], listeners: [{port: 443, protocol: TCP, default: {forward: to-web}}]}
  web:
    type: application
    zones: [a, b]
    listeners:
      - {port: 80, protocol: HTTP, default: {redirect: 301}}
      - {port: 443, protocol: HTTPS, policy: ELBSecurityPolicy-TLS13-1-2-2021-06, default: {forward: web}}
target_groups:
  to-web: {type: alb, port: 443, health_check: {protocol: HTTPS, path: /healthz}, targets: {web: 1 healthy}}
  web: {type: ip, targets: {a: 1 healthy, b: 1 healthy}}
"""


def group(change=None, deny=(), **check):
    merged = change or {}
    if check:
        merged = {**merged, "target_groups": {"to-web": {"health_check": check}}}
    return subject(estate(ESTATE, change=merged, deny=deny), "TargetGroup", "to-web")


def https(**changed):
    listener = {"port": 443, "protocol": "HTTPS", "default": {"forward": "web"}, **changed}
    return {"load_balancers": {"web": {"listeners": [listener]}}}


def test_a_sound_edge():
    found = group().probe
    assert (found.alb_name, found.port, found.protocol) == ("web", 443, "HTTPS")
    assert found.alb_ports == ("HTTP:80", "HTTPS:443")
    assert (found.listener_found, found.tls13_only, found.tls_source) == (True, False, "DescribeSSLPolicies")
    assert (found.outcome, found.outcome_code, found.accepted) == ("forward", None, None)
    assert group().alb_target_state == "healthy"


def test_no_listener_on_the_port():
    found = group(port=8443).probe
    assert (found.listener_found, found.outcome, found.accepted) == (False, "no_listener", None)
    assert found.tls13_only is False


def test_wrong_protocol():
    found = group(protocol="HTTP", port=443).probe
    assert (found.listener_found, found.outcome) == (False, "wrong_protocol")


def test_tls_13_only():
    found = group(https(policy="ELBSecurityPolicy-TLS13-1-3-2021-06")).probe
    assert (found.tls13_only, found.tls_protocols) == (True, ("TLSv1.3",))
    refused = group(https(), deny=["elasticloadbalancing:DescribeSSLPolicies"]).probe
    assert unknown(refused.tls13_only, "elasticloadbalancing:DescribeSSLPolicies")
    assert refused.outcome == "forward"
    http = group(protocol="HTTP", port=80).probe
    assert (http.tls13_only, http.tls_protocols, http.SslPolicy) == (False, (), None)


def test_mutual_tls_refuses_the_probe_and_passthrough_does_not():
    found = group(https(mutual="verify")).probe
    assert (found.outcome, found.outcome_code, found.accepted) == ("denied", None, None)
    assert found.outcome_words == "the listener, which asks for a client certificate, refuses it"
    assert group(https(mutual="passthrough")).probe.outcome == "forward"


@pytest.mark.parametrize("state", ["healthy", "unhealthy", "initial", "unavailable"])
def test_the_state_of_the_target_stands_beside_the_proof(state):
    change = https(policy="ELBSecurityPolicy-TLS13-1-3-2021-06")
    change["target_groups"] = {"to-web": {"targets": {"web": f"1 {state}"}}}
    found = group(change)
    assert (found.probe.tls13_only, found.alb_target_state) == (True, state)


@pytest.mark.parametrize(
    ("check", "default", "code", "accepted"),
    [
        ({}, {"redirect": 301}, 301, True),
        ({"matcher": "200"}, {"redirect": 302}, 302, False),
        ({"matcher": "200-299"}, {"redirect": 301}, 301, False),
        ({}, {"fixed": 200}, 200, True),
        ({"matcher": "200"}, {"fixed": 200}, 200, True),
        ({}, {"fixed": 404}, 404, False),
        ({}, {"fixed": 503}, 503, False),
        ({}, {"forward": "web"}, None, None),
    ],
)
def test_what_the_matcher_makes_of_the_end(check, default, code, accepted):
    found = group(https(default=default), **check).probe
    assert (found.outcome_code, found.accepted) == (code, accepted)


def rules(*found):
    return https(default={"fixed": 404}, rules=[{"priority": n, **r} for n, r in enumerate(found, 1)])


def test_host_rules_are_passed_over():
    named = {"when": {"host": ["www.example.com"]}, "then": {"forward": "web"}}
    assert group(rules(named)).probe.outcome_code == 404
    path = {"when": {"path": ["/healthz"]}, "then": {"forward": "web"}}
    assert group(rules(named, path)).probe.outcome == "forward"


def test_rules_by_source_need_the_nodes():
    inside = {"when": {"source_ip": ["10.0.0.0/16"]}, "then": {"forward": "web"}}
    assert group(rules(inside)).probe.outcome == "forward"
    refused = group(rules(inside), deny=["ec2:DescribeNetworkInterfaces"]).probe
    for value in (refused.outcome, refused.outcome_code, refused.outcome_words, refused.accepted):
        assert unknown(value, "ec2:DescribeNetworkInterfaces")


@pytest.mark.parametrize(
    "action",
    [
        "elasticloadbalancing:DescribeTargetHealth",
        "elasticloadbalancing:DescribeLoadBalancers",
        "elasticloadbalancing:DescribeListeners",
    ],
)
def test_without_these_there_is_no_walk(action):
    assert unknown(group(deny=[action]).probe, action)


def test_without_rules_the_listener_is_known_and_the_end_is_not():
    found = group(deny=["elasticloadbalancing:DescribeRules"]).probe
    assert found.listener_found is True
    assert unknown(found.outcome, "elasticloadbalancing:DescribeRules")


def test_what_is_not_walked():
    assert subject(estate(ESTATE), "TargetGroup", "web").probe is None
    assert subject(estate(ESTATE), "TargetGroup", "web").alb_target_state is None


def test_an_alb_in_fewer_zones_leaves_a_zone_of_the_nlb_empty():
    model = estate(ESTATE)
    empty = {
        n.zone: [g.TargetGroupName for g in n.empty_groups_local]
        for n in model.of("LoadBalancerZone")
        if n.kind == "network"
    }
    assert empty == {A: [], B: [], C: ["to-web"]}
    assert {n.zone: n.published for n in model.of("LoadBalancerZone") if n.kind == "network"} == {
        A: True,
        B: True,
        C: False,
    }
    on = {"load_balancers": {"front": {"attributes": {"load_balancing.cross_zone.enabled": "true"}}}}
    pooled = estate(ESTATE, change=on)
    zone = subject(pooled, "LoadBalancerZone", "front", C)
    assert (zone.empty_groups_local, zone.published) == ((), True)
    assert [g.TargetGroupName for g in zone.empty_groups_pooled] == ["to-web"]


def tg(**settings):
    return elbv2.TargetGroup(TargetGroupArn="arn:tg", **settings)


@pytest.mark.parametrize(
    ("found", "matcher"),
    [
        (tg(Matcher=elbv2.Matcher(HttpCode="200")), "200"),
        (tg(Matcher=elbv2.Matcher(GrpcCode="12")), "12"),
        (tg(TargetType="alb", HealthCheckProtocol="HTTP"), "200-399"),
        (tg(TargetType="alb", HealthCheckProtocol="TCP"), ""),
        (tg(HealthCheckProtocol="TCP"), ""),
    ],
)
def test_matchers(found, matcher):
    assert matcher_of(found) == matcher


@pytest.mark.parametrize(
    ("check", "target", "own", "port"),
    [("8080", 90, 80, 8080), ("traffic-port", 90, 80, 90), ("traffic-port", None, 80, 80), (None, None, None, None)],
)
def test_ports(check, target, own, port):
    health = elbv2.TargetHealthDescription(Target=elbv2.TargetDescription(Id="x", Port=target))
    assert probe_port(tg(HealthCheckPort=check, Port=own), health) == port


@pytest.mark.parametrize(
    ("codes", "word"),
    [((401,), "authentication"), ((403,), "authentication"), ((404,), "path"), ((400,), "protocol"), ((421,), "protocol"),
     ((505,), "protocol"), ((502,), "application"), ((418,), "outside the matcher")],
)  # fmt: skip
def test_words_for_codes(codes, word):
    assert word in code_words(codes)


def test_words_for_several_codes():
    assert " or " in code_words((401, 404))
    assert "application" not in code_words((505,))
