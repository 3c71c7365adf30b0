"""What ends the connections of a Network Load Balancer, by the documented values."""

from __future__ import annotations

from typing import Any

import pytest

from auditor.derive.links import Links
from auditor.derive.long_connections import idle_timeout
from auditor.model import elb_defaults, elbv2
from auditor.model.known import Unknown

from .region import answer, estate, items, region, subject, unknown

DRAINED = "deregistration_delay.connection_termination.enabled"
IDLE = "tcp.idle_timeout.seconds"
ESTATE = """
load_balancers:
  edge:
    type: network
    zones: [a, b]
    listeners:
      - {port: 443, protocol: TCP, default: {forward: web}}
      - {port: 444, protocol: TCP, default: {forward: admin}, attributes: {tcp.idle_timeout.seconds: "60"}}
target_groups:
  web: {type: ip, protocol: TCP, targets: {a: 1 healthy, b: 1 healthy}}
  admin: {type: ip, protocol: TCP, targets: {a: 1 healthy, b: 1 healthy}}
"""
ATTRIBUTES = "elasticloadbalancing:DescribeListenerAttributes"


def found(change: Any = None, *deny: str) -> Any:
    return subject(estate(ESTATE, change=change, deny=deny), "LoadBalancer", "edge").long_connections


def listeners(*of: Any) -> dict[str, Any]:
    return {"load_balancers": {"edge": {"listeners": list(of)}}}


def tcp(forward: Any = "web", port: int = 443, **more: Any) -> dict[str, Any]:
    return {"port": port, "protocol": "TCP", "default": {"forward": forward}, **more}


def groups(**attributes: str) -> dict[str, Any]:
    return {"target_groups": {name: {"attributes": {DRAINED: value}} for name, value in attributes.items()}}


def test_the_group_and_listener_between_which_nothing_ends_connections() -> None:
    (row,) = found()
    assert (row.TargetGroupName, row.idle_seconds) == ("web", 350)
    assert row.words == "web (listener TCP:443, idle timeout 350 s)"
    assert ":listener/net/edge/" in row.ListenerArn


@pytest.mark.parametrize(("seconds", "long"), [("60", 0), ("349", 0), ("350", 1), ("6000", 1), ("absent", 1)])
def test_from_350_seconds_on_an_idle_timeout_ends_nothing(seconds: str, long: int) -> None:
    assert len(found(listeners(tcp(attributes={IDLE: seconds}), tcp("admin", 444, attributes={IDLE: "60"})))) == long


@pytest.mark.parametrize(
    ("protocol", "seconds"), [("TLS", 350), ("UDP", 120), ("TCP_UDP", 350), ("QUIC", None), ("TCP_QUIC", None)]
)
def test_listeners_without_an_attribute(protocol: str, seconds: int | None) -> None:
    listener = elbv2.Listener(ListenerArn="x", Protocol=protocol)
    assert idle_timeout(listener, Links(region(items(elbv2.LOAD_BALANCERS, [])))) == seconds
    assert elb_defaults.listener_attributes(protocol) == {}


def idle_of(value: str) -> Any:
    known = items(elbv2.LISTENER_ATTRIBUTES, [{"Key": IDLE, "Value": value}], {"ListenerArn": "x"})
    return idle_timeout(elbv2.Listener(ListenerArn="x", Protocol="TCP"), Links(region(known)))


def test_a_timeout_that_is_no_number_is_not_guessed() -> None:
    assert idle_of("200") == 200
    assert isinstance(idle_of("soon"), Unknown)
    assert elb_defaults.listener_attributes("TCP") == {IDLE: "350"}


@pytest.mark.parametrize(
    ("protocol", "target_type", "value", "keeps"),
    [
        ("TCP", "ip", None, True),
        ("TCP", "instance", "false", True),
        ("TLS", "ip", "true", False),
        ("UDP", "ip", None, False),
        ("TCP_UDP", "ip", None, False),
        ("UDP", "ip", "false", True),
        ("TCP", "alb", None, False),
        ("TCP", "alb", "false", False),
    ],
)
def test_what_a_group_does_with_connections(protocol: str, target_type: str, value: str | None, keeps: bool) -> None:
    given = {} if value is None else {DRAINED: value}
    assert elb_defaults.keeps_connections(protocol, target_type, given) is keeps


def test_a_group_that_ends_them_needs_no_idle_timeout() -> None:
    assert found(groups(web="true")) == ()
    assert found(groups(web="true", admin="true"), ATTRIBUTES) == ()


def test_one_that_is_seen_is_enough() -> None:
    tls = listeners({"port": 1, "protocol": "TLS", "default": {"forward": "web"}}, tcp("admin", 444))
    (row,) = found(tls, ATTRIBUTES)
    assert row.words == "web (listener TLS:1, idle timeout 350 s, which cannot be set)"


@pytest.mark.parametrize(
    "action",
    ["DescribeListenerAttributes", "DescribeListeners", "DescribeTargetGroupAttributes", "DescribeTargetGroups"],
)
def test_without_an_answer_it_is_not_known(action: str) -> None:
    assert unknown(found(None, f"elasticloadbalancing:{action}"), f"elasticloadbalancing:{action}")


def test_rules_matter_where_they_may_send_traffic_to_such_a_group() -> None:
    only = listeners(tcp({"web": 0, "admin": 1}, attributes={IDLE: "60"}))
    assert found(only) == ()
    assert unknown(found(only, "elasticloadbalancing:DescribeRules"), "elasticloadbalancing:DescribeRules")
    sent = {"priority": 1, "when": {"source_ip": ["10.0.0.0/8"]}, "then": {"forward": "web"}}
    assert {r.TargetGroupName for r in found(listeners(tcp("admin", rules=[sent])))} == {"admin", "web"}


def test_rules_that_nobody_needed_leave_no_doubt() -> None:
    one = """
load_balancers:
  edge:
    type: network
    zones: [a]
    listeners: [{port: 1, protocol: TCP, default: {forward: web}, attributes: {tcp.idle_timeout.seconds: "60"}}]
target_groups: {web: {type: ip, protocol: TCP, targets: {a: 1 healthy}}}
"""
    model = estate(one)
    assert not model.inventory.asked(elbv2.RULES)
    assert subject(model, "LoadBalancer", "edge").long_connections == ()


def test_other_kinds_have_none() -> None:
    shop = """
load_balancers:
  shop: {type: application, zones: [a], listeners: [{port: 80, protocol: HTTP, default: {forward: web}}]}
target_groups: {web: {type: ip, targets: {a: 1 healthy}}}
"""
    assert subject(estate(shop), "LoadBalancer", "shop").long_connections == ()


def test_an_attribute_of_a_listener_that_vanished_is_not_known() -> None:
    gone = answer(elbv2.LISTENER_ATTRIBUTES, {}, {"ListenerArn": "x"})
    assert idle_timeout(elbv2.Listener(ListenerArn="x", Protocol="TCP"), Links(region(gone))) == 350
    nothing = Links(region(items(elbv2.LOAD_BALANCERS, [])))
    assert unknown(idle_timeout(elbv2.Listener(ListenerArn="x", Protocol="TCP"), nothing), ATTRIBUTES)
