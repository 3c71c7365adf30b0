"""Laws of expressions, over random expressions and subjects.

Less knowledge never turns true into false or false into true; on known values an expression means what jmespath says;
a printed tree is the same tree.
"""

from __future__ import annotations

import contextlib
from typing import Any

import jmespath
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.errors import RuleError
from auditor.evaluate.expression import compile_condition
from auditor.evaluate.mutation import _mutated
from auditor.evaluate.syntax import parse, printed
from auditor.model.known import Unknown

from .shop import Box, Shop, jsonable, shop, unread

small = st.integers(0, 3)
texts = st.sampled_from(["", "a", "b", "ab"])
order = st.sampled_from(["==", "!=", "<", "<=", ">", ">="])
equality = st.sampled_from(["==", "!="])


def literal(number: int) -> str:
    return f"`{number}`"


def lists(truths: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Lists of boxes."""
    return st.one_of(st.just("boxes[*]"), truths.map(lambda t: f"boxes[?{t}]"))


def numbers_in(boxes: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Lists of numbers."""
    of_boxes = boxes.flatmap(lambda b: st.sampled_from([f"{b}.weight", f"{b}.codes[]"]))
    return st.one_of(st.just("codes"), of_boxes, st.just("codes[?@ > `1`]"))


in_box = st.one_of(
    st.sampled_from(["full", "!full", "label", "sealed", "codes", "label == `null`"]),
    st.tuples(st.just("weight"), order, small.map(literal)).map(" ".join),
    st.tuples(st.just("label"), equality, texts.map(lambda t: f"'{t}'")).map(" ".join),
    st.tuples(st.sampled_from(["full", "sealed"]), st.sampled_from(["&&", "||"]), st.just("weight > `1`")).map(
        " ".join
    ),
)
boxes = lists(in_box)
numbers = st.one_of(
    st.sampled_from(["count", "floors", "not_null(size, `0`)", "length(words)", "not_null(lid.weight, `2`)"]),
    boxes.map(lambda b: f"length({b})"),
    numbers_in(boxes).flatmap(
        lambda n: st.sampled_from([f"length({n})", f"sum({n})", f"not_null(max({n}), `0`)", f"not_null(min({n}), `9`)"])
    ),
    small.map(literal),
)
leaf = st.one_of(
    st.sampled_from(["lit", "paid", "note", "lid", "lid.full", "words", "size == `null`", "note == ShopName", "codes"]),
    boxes,
    boxes.map(lambda b: f"{b}.label"),
    numbers_in(boxes),
    st.tuples(numbers, order, numbers).map(" ".join),
    st.tuples(st.sampled_from(["color"]), equality, st.sampled_from(["'red'", "'blue'"])).map(" ".join),
    st.tuples(numbers_in(boxes), numbers).map(lambda p: f"contains({p[0]}, {p[1]})"),
    boxes.map(lambda b: f"contains({b}.label, 'a')"),
    boxes.map(lambda b: f"{b} | [0].full"),
    st.sampled_from(["boxes[0].full", "boxes[-1].label == 'a'", "tags.env == 'prod'", "sort(codes) == `[1, 2]`"]),
)
expressions = st.recursive(
    leaf,
    lambda e: st.one_of(
        st.tuples(e, st.sampled_from(["&&", "||"]), e).map(lambda p: f"({p[0]}) {p[1]} ({p[2]})"),
        e.map(lambda t: f"!({t})"),
    ),
    max_leaves=4,
)

a_box = st.builds(
    Box,
    full=st.booleans(),
    weight=small,
    label=st.none() | texts,
    codes=st.lists(small, max_size=2).map(tuple),
    sealed=st.booleans(),
)
a_shop = st.builds(
    shop,
    name=texts,
    color=st.sampled_from(["red", "blue"]),
    lit=st.booleans(),
    paid=st.booleans(),
    count=small,
    floors=small,
    size=st.none() | small,
    note=st.none() | texts,
    words=st.lists(texts, max_size=2).map(tuple),
    codes=st.lists(small, max_size=3).map(tuple),
    boxes=st.lists(a_box, max_size=3).map(tuple),
    lid=st.none() | a_box,
    tags=st.just({}) | st.just({"env": "prod"}),
)
_SHOP = ("color", "lit", "count", "size", "note", "codes", "boxes", "lid", "tags")
_BOX = ("full", "weight", "label", "codes")


@st.composite
def blurred(draw: st.DrawFn, node: Shop) -> Shop:
    """The same subject with some of what was known unread."""

    def hide(struct: Any, names: tuple[str, ...]) -> Any:
        hidden = draw(st.sets(st.sampled_from(names), max_size=2))
        return msgspec.structs.replace(struct, **{n: unread(says=f"{n} was not read") for n in hidden})

    inside = tuple(hide(b, _BOX) for b in node.boxes) if isinstance(node.boxes, tuple) else node.boxes
    lid = hide(node.lid, _BOX) if isinstance(node.lid, Box) else node.lid
    return hide(msgspec.structs.replace(node, boxes=inside, lid=lid), _SHOP)  # type: ignore[no-any-return]


def compiled(text: str) -> Any:
    try:
        return compile_condition(parse(text), Shop).run
    except RuleError:
        return None


counting = st.tuples(boxes.map(lambda b: f"length({b})"), order, st.one_of(small.map(literal), st.just("floors"))).map(
    " ".join
)
filled = a_shop.filter(lambda node: node.boxes)


@settings(max_examples=300, deadline=None)
@given(text=counting, node=filled, data=st.data())
def test_less_knowledge_never_changes_a_count(text: str, node: Shop, data: st.DataObject) -> None:
    run = compiled(text)
    less = run(data.draw(blurred(node)))
    assert isinstance(less, Unknown) or less is run(node)


@settings(max_examples=600, deadline=None)
@given(text=expressions, node=a_shop, data=st.data())
def test_less_knowledge_never_changes_an_answer(text: str, node: Shop, data: st.DataObject) -> None:
    run = compiled(text)
    if run is None:
        return
    known, less = run(node), run(data.draw(blurred(node)))
    assert known in (True, False)
    if not isinstance(less, Unknown):
        assert less is known
    else:
        assert less.reasons


@settings(max_examples=400, deadline=None)
@given(text=expressions, node=a_shop)
def test_known_values_mean_what_jmespath_says(text: str, node: Shop) -> None:
    run = compiled(text)
    if run is None:
        return
    expected = jmespath.search(text, jsonable(node))
    assert run(node) is (expected not in (None, False, "", [], {}))


@settings(max_examples=400, deadline=None)
@given(text=expressions)
def test_a_printed_tree_is_the_same_tree(text: str) -> None:
    assert parse(printed(parse(text))) == parse(text)


@settings(max_examples=200, deadline=None)
@given(text=expressions)
def test_every_mutant_prints_and_differs(text: str) -> None:
    tree = parse(text)
    for name, mutated in _mutated(tree, truth=True):
        assert " => " in name
        assert parse(printed(mutated)) != parse(text)


@given(text=expressions)
def test_the_random_expressions_mostly_compile(text: str) -> None:
    """Keeps the laws above from holding because nothing was tried: what is refused is refused for a good reason."""
    with contextlib.suppress(RuleError):
        compile_condition(parse(text), Shop)
        return
    with pytest.raises(RuleError, match=r"literals|500 characters|nested"):
        compile_condition(parse(text), Shop)
