"""Effective cross-zone: the whole table, and every input that may be missing."""

from __future__ import annotations

import pytest

from auditor.derive.cross_zone import KEY, effective_cross_zone, setting_of

from .region import denied, estate, subject, unknown

INHERIT = "use_load_balancer_configuration"


def given(value):
    """Attributes with that cross-zone value; "?" for attributes that could not be read, None for an absent key."""
    return denied() if value == "?" else {} if value is None else {KEY: value}


@pytest.mark.parametrize("balancer", ["true", "false", None, "?"])
@pytest.mark.parametrize(
    ("group", "expected"), [("true", "on"), (INHERIT, "on"), (None, "on"), ("false", "off"), ("?", None)]
)
@pytest.mark.parametrize("target_type", ["instance", "ip", "lambda"])
def test_application(balancer, group, expected, target_type):
    found = effective_cross_zone("application", target_type, given(group), given(balancer))
    assert unknown(found) if expected is None else found.value == expected


@pytest.mark.parametrize(
    ("balancer", "group", "expected"),
    [
        ("true", INHERIT, "on"),
        ("true", None, "on"),
        ("true", "true", "on"),
        ("true", "false", "off"),
        ("false", INHERIT, "off"),
        ("false", None, "off"),
        ("false", "true", "on"),
        ("false", "false", "off"),
        (None, INHERIT, "off"),
        ("?", "true", "on"),
        ("?", "false", "off"),
        ("?", INHERIT, None),
        ("?", None, None),
        ("true", "?", None),
        ("false", "?", None),
        ("?", "?", None),
    ],
)
@pytest.mark.parametrize("target_type", ["instance", "ip"])
def test_network(balancer, group, expected, target_type):
    found = effective_cross_zone("network", target_type, given(group), given(balancer))
    assert unknown(found) if expected is None else found.value == expected


@pytest.mark.parametrize("group", ["true", "false", INHERIT, None, "?"])
@pytest.mark.parametrize(("balancer", "expected"), [("true", "on"), ("false", "off"), (None, "off"), ("?", None)])
@pytest.mark.parametrize(("kind", "target_type"), [("network", "alb"), ("gateway", "instance"), ("gateway", "ip")])
def test_what_always_follows_the_load_balancer(kind, target_type, group, balancer, expected):
    found = effective_cross_zone(kind, target_type, given(group), given(balancer))
    assert unknown(found) if expected is None else found.value == expected


def test_it_says_which_setting_decides():
    assert "target group sets" in effective_cross_zone("network", "ip", given("false"), given("true")).because
    assert "load balancer has it on" in effective_cross_zone("network", "ip", given(INHERIT), given("true")).because
    assert "cannot set it" in effective_cross_zone("gateway", "ip", given("true"), given("false")).because


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        ("application", "false", "on"),
        ("application", "?", "on"),
        ("network", None, "off"),
        ("network", "true", "on"),
        ("gateway", "false", "off"),
        ("gateway", "?", None),
    ],
)
def test_setting_of_the_load_balancer(kind, value, expected):
    found = setting_of(kind, given(value))
    assert unknown(found) if expected is None else found == expected


CLASSIC = "load_balancers: {old: {type: classic, zones: [a, b], cross_zone: %s, instances: {a: 1 healthy}}}"


@pytest.mark.parametrize(("value", "expected"), [("true", "on"), ("false", "off")])
def test_classic_is_read_never_guessed(value, expected):
    assert subject(estate(CLASSIC % value), "LoadBalancer", "old").cross_zone_setting == expected
    refused = estate(CLASSIC % value, deny=["elasticloadbalancing:DescribeLoadBalancerAttributes"])
    assert unknown(
        subject(refused, "LoadBalancer", "old").cross_zone_setting,
        "elasticloadbalancing:DescribeLoadBalancerAttributes",
    )
