"""Trying an expression: values in plain types, and every doubt about them."""

from __future__ import annotations

import pytest

from auditor.errors import RuleError, UsageError
from auditor.evaluate.trying import compile_trial, try_on
from auditor.model.finding import Cause
from auditor.model.known import Listing, Outcome, Reason

from .shop import Box, model, shop, stall, unread, zone

HEALTH = "elasticloadbalancing:DescribeTargetHealth"


def outcome(text, *nodes, subject="Shop", **more):
    return list(try_on(compile_trial(text, subject), model(*nodes, **more)))


@pytest.mark.parametrize(
    ("text", "facts", "value"),
    [
        ("count", {}, 3),
        ("size", {}, None),
        ("place", {"place": zone(1)}, "use1-az1 (us-east-1a)"),
        ("built", {}, "2026-01-01T00:00:00Z"),
        ("causes", {"causes": (Cause("arn"), Cause("arn", "use1-az1"))}, ["arn", "arn in use1-az1"]),
        ("tags.env", {"tags": {"env": "prod"}}, "prod"),
        ("boxes[?full].weight", {"boxes": (Box(), Box(full=False), Box(weight=7))}, [1, 7]),
        ("lid", {"lid": Box()}, {"full": True, "weight": 1, "label": None, "codes": [], "sealed": True}),
    ],
)
def test_values_in_plain_types(text, facts, value):
    (tried,) = outcome(text, shop(**facts))
    assert (tried.name, tried.value, tried.unknown, tried.missing) == ("corner", value, (), ())


@pytest.mark.parametrize(
    ("text", "facts", "value"),
    [
        ("count", {"count": unread()}, None),
        ("length(boxes[?full])", {"boxes": (Box(), Box(full=unread()))}, {"least": 1, "most": 2}),
        ("boxes[?full].weight", {"boxes": (Box(), Box(full=unread(), weight=2))}, [1, {"perhaps": 2}]),
        ("boxes[*].weight", {"boxes": (Box(), Box(weight=unread()))}, [1, "unknown"]),
        ("lid", {"lid": Box(weight=unread())}, {"full": True, "weight": "unknown", "label": None, "codes": [], "sealed": True}),
    ],
)  # fmt: skip
def test_every_doubt_is_named(text, facts, value):
    (tried,) = outcome(text, shop(**facts))
    assert (tried.value, tried.unknown, tried.missing) == (value, ("DescribeTargetHealth: denied",), (HEALTH,))


def test_subjects_in_order_with_their_zone():
    found = outcome("busy", stall("b", 2), stall("a", 3), stall("a", 1), subject="Stall")
    assert [(tried.name, tried.zone) for tried in found] == [("a", "use1-az1"), ("a", "use1-az3"), ("b", "use1-az2")]


def test_a_listing_with_gaps_is_an_outcome():
    first, second = outcome("count", shop(), gaps=unread().reasons)
    assert (first.name, first.unknown, first.missing) == (
        "us-east-1", ("perhaps not all are listed: DescribeTargetHealth: denied",), (HEALTH,)
    )  # fmt: skip
    assert second.value == 3


def test_a_service_that_is_not_offered_leaves_no_gap():
    reason = Reason(kind="refused", says="not offered", outcome=Outcome.NOT_OFFERED)
    assert Listing((), (reason,)).complete is False
    assert outcome("count", gaps=(reason,)) == []


def test_what_a_rule_would_not_take():
    assert compile_trial("lit && paid && lit", "Shop").remark == ""
    assert "this has 4" in compile_trial("lit && paid && lit && paid", "Shop").remark
    with pytest.raises(RuleError, match="did you mean count"):
        compile_trial("cuont", "Shop")
    with pytest.raises(UsageError, match="there is no subject"):
        compile_trial("count", "Market")
