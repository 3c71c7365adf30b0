"""The facts of subjects as people read them: types, sources, and what lies below."""

from __future__ import annotations

from typing import Annotated

import pytest

from auditor.derive.node import Fact, Facts
from auditor.derive.nodes import SUBJECTS
from auditor.errors import UsageError
from auditor.evaluate.expression import compile_expression
from auditor.evaluate.subjects import facts_of, says_of, subject_named

from .shop import Shop, Stall, Street

AWS_SUBJECTS = [name for name in SUBJECTS if name not in ("Shop", "Stall", "Street")]


def of(struct):
    return {fact.name: fact for fact in facts_of(struct)}


@pytest.mark.parametrize(
    ("name", "words", "nullable", "unknown"),
    [
        ("ShopName", "text", False, False),
        ("color", "text (blue or red)", False, True),
        ("mood", "text (open or shut) or null", True, False),
        ("size", "number or null", True, True),
        ("share", "number", False, True),
        ("codes", "list of number", False, True),
        ("boxes", "list of Box", False, True),
        ("lid", "Box or null", True, True),
        ("place", "Zone or null", True, True),
        ("since", "time or null", True, False),
        ("lit", "truth value", False, True),
        ("tags", "mapping", False, True),
    ],
)
def test_types_in_words(name, words, nullable, unknown):
    fact = of(Shop)[name]
    assert (fact.type, fact.nullable, fact.may_be_unknown) == (words, nullable, unknown)


def test_what_a_fact_rests_on():
    color = of(Shop)["color"]
    assert color.says == "its colour"
    assert color.sources == ("elbv2:DescribeTargetGroups#Color",)
    assert color.needs == ("elasticloadbalancing:DescribeTargetGroups",)
    assert color.values == ("blue", "red")


def test_facts_below_have_the_path_that_reads_them():
    boxes = of(Shop)["boxes"]
    assert (boxes.of, boxes.fields[0].path) == ("Box", "boxes[*].full")
    assert [below.path for below in of(Stall)["zone"].fields] == ["zone.id", "zone.name", "zone.key"]
    assert {below.name for below in of(Street)["shop"].fields} > {"ShopName", "boxes"}


class Knot(Facts, frozen=True, kw_only=True):
    """Facts that hold their own kind."""

    inner: Annotated[Knot | None, Fact("the next one", "elbv2:DescribeTargetGroups")] = None


def test_facts_that_hold_their_own_kind_come_to_an_end():
    (inner,) = facts_of(Knot)
    assert (inner.of, inner.fields) == ("Knot", ())


@pytest.mark.parametrize("name", AWS_SUBJECTS)
def test_every_path_can_be_read_and_says_something(name):
    def check(facts, group):
        for fact in facts:
            compile_expression(fact.path, {}, SUBJECTS[name])
            assert fact.says or not fact.sources, fact.path
            assert bool(fact.sources) is bool(fact.needs)
            check(fact.fields, fact)

    check(facts_of(SUBJECTS[name]), None)
    assert says_of(SUBJECTS[name])


def test_a_subject_by_name():
    assert subject_named("Shop") is Shop
    with pytest.raises(UsageError, match=r"^there is no subject 'Shopp'; did you mean Shop\? the subjects are .* and "):
        subject_named("Shopp")
    with pytest.raises(UsageError, match=r"^there is no subject 'qqqq'; the subjects are "):
        subject_named("qqqq")
