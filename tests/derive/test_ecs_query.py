"""The cluster query language of placement constraints, by the examples of its documentation."""

from __future__ import annotations

import pytest

from auditor.derive.ecs_query import Traits, meets
from auditor.model.known import Unknown

TRAITS = Traits(
    attributes={
        "ecs.availability-zone": "us-east-1a",
        "ecs.instance-type": "t2.small",
        "stack": "prod",
        "ecs.cpu-architecture": "x86_64",
    }
)
ZONE_ONLY = Traits(attributes={"ecs.availability-zone": "us-east-1a"}, whole=False)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("attribute:ecs.instance-type == t2.small", True),
        ("attribute:ecs.instance-type equals t2.small", True),
        ("attribute:ecs.instance-type==t2.small", True),
        ("attribute:ecs.instance-type == t2.large", False),
        ("attribute:ecs.availability-zone != us-east-1a", False),
        ("attribute:ecs.availability-zone not_equals us-east-1d", True),
        ("attribute:ecs.availability-zone in [us-east-1a, us-east-1b]", True),
        ("attribute:ecs.availability-zone in [us-east-1b,us-east-1c]", False),
        ("attribute:ecs.availability-zone !in [us-east-1a]", False),
        ("attribute:ecs.availability-zone not_in [us-east-1b, us-east-1c]", True),
        ("attribute:ecs.instance-type =~ t2.*", True),
        ("attribute:ecs.instance-type matches t2", False),  # the whole value must match
        ("attribute:ecs.instance-type !~ t2.*", False),
        ("attribute:ecs.instance-type not_matches m5.*", True),
        ("attribute:ecs.availability-zone =~ us-east-1[ab]", True),
        ("attribute:ecs.availability-zone =~ (us-east-1a|us-east-1b)", True),
        ("(attribute:ecs.availability-zone =~ us-east-1.)", True),
        ('attribute:stack == "prod"', True),
        ("attribute:stack == 'test'", False),
        ('attribute:ecs.instance-type =~ "t2.*"', True),
        ("attribute:stack exists", True),
        ("attribute:gpu exists", False),
        ("attribute:gpu !exists", True),
        ("attribute:gpu not_exists", True),
        ("attribute:gpu == nvidia", False),
        ("attribute:gpu in [nvidia]", False),
        ("attribute:gpu =~ n.*", False),
        ("attribute:ecs.instance-type =~ t2.* and attribute:ecs.availability-zone != us-east-1d", True),
        ("attribute:stack == test && attribute:ecs.instance-type == t2.small", False),
        ("attribute:stack == test || attribute:ecs.instance-type == t2.small", True),
        ("attribute:stack == test or attribute:stack == dev", False),
        ("not(attribute:stack == test)", True),
        ("!(attribute:stack == prod)", False),
        ("not attribute:stack == prod and attribute:gpu exists", False),
        ("attribute:stack == prod or attribute:gpu exists and attribute:gpu exists", True),
        ("(attribute:stack == prod or attribute:gpu exists) and attribute:gpu exists", False),
    ],
)
def test_what_attributes_decide(expression, expected):
    assert meets(expression, TRAITS) is expected


@pytest.mark.parametrize(
    "expression",
    [
        "task:group == service:production",
        "not(task:group == database)",
        "runningTasksCount == 1",
        "runningTasksCount < 3",
        "agentVersion greater_than 1.50",
        "registeredAt >= 2018-06-18",
        "ec2InstanceId in ['i-abcd1234', 'i-wxyx7890']",
        "attribute:gpu != nvidia",  # AWS does not say whether an attribute that is not there differs
        "attribute:gpu !in [nvidia]",
        "attribute:gpu !~ n.*",
        "attribute:stack =~ [",
        "attribute:stack == prod and runningTasksCount < 3",
    ],
)
def test_what_they_do_not_decide(expression):
    assert isinstance(meets(expression, TRAITS), Unknown)


@pytest.mark.parametrize(
    "expression",
    [
        "attribute:stack",
        "attribute:stack ~ prod",
        "attribute:stack == prod)",
        "(attribute:stack == prod",
        "attribute:stack in prod",
        "attribute:stack in [prod",
        "attribute:stack in []",
        "== prod",
        "",
        "attribute:stack == prod attribute:gpu exists",
        "not",
    ],
)
def test_what_is_not_understood_says_so(expression):
    truth = meets(expression, TRAITS)
    assert isinstance(truth, Unknown)
    assert "is not understood" in truth.reasons[0].says


def test_a_false_term_decides_whatever_else_there_is():
    assert meets("attribute:stack == test and task:group == x", TRAITS) is False
    assert meets("attribute:stack == prod or task:group == x", TRAITS) is True


def test_of_a_zone_alone_only_the_zone_is_known():
    assert meets("attribute:ecs.availability-zone == us-east-1a", ZONE_ONLY) is True
    assert meets("attribute:ecs.availability-zone != us-east-1a", ZONE_ONLY) is False
    for expression in ("attribute:stack == prod", "attribute:stack exists", "attribute:stack !exists"):
        assert isinstance(meets(expression, ZONE_ONLY), Unknown), expression
