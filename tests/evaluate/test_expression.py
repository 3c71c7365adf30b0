"""What expressions mean: values, truth, the three states, and what is refused at load."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import pytest

from auditor.derive.node import Fact, Facts
from auditor.derive.nodes import SUBJECTS
from auditor.errors import RuleError
from auditor.evaluate.expression import Combined, compile_condition, compile_expression, parsed_condition
from auditor.evaluate.types import BOOL, NUMBER, TEXT, Kind, Type, fields_of, list_of, type_of
from auditor.evaluate.values import Bounds
from auditor.model.identity import ZoneId
from auditor.model.known import Known, Outcome, Unknown

from .shop import Box, Shop, Street, shop, unread, zone

U = unread()
V = unread("DescribeTargetGroups")


def truth(condition: Any, node: Any = None, **params: Any) -> Any:
    node = shop() if node is None else node
    return compile_condition(parsed_condition(condition, params), type(node)).run(node)


def value(text: str, node: Any = None, **params: Any) -> Any:
    node = shop() if node is None else node
    return compile_expression(text, params, type(node)).run(node)


def refusal(condition: Any, subject: type[Any] = Shop, **params: Any) -> str:
    with pytest.raises(RuleError) as error:
        compile_condition(parsed_condition(condition, params), subject)
    return str(error.value)


# Values


@pytest.mark.parametrize(
    ("text", "node", "expected"),
    [
        ("ShopName", shop("x"), "x"),
        ("lid.weight", shop(lid=Box(weight=7)), 7),
        ("lid.weight", shop(), None),
        ("lid.weight", shop(lid=U), U),
        ("lid.weight", shop(lid=Box(weight=V)), V),
        ("tags.env", shop(tags={"env": "prod"}), "prod"),
        ('tags."kubernetes.io/cluster"', shop(tags={"kubernetes.io/cluster": "main"}), "main"),
        ("tags.env", shop(), None),
        ("tags.env", shop(tags=U), U),
        ("place.id", shop(place=zone(2)), "use1-az2"),
        ("place.key", shop(place=zone(2)), "use1-az2"),
        ("resource.region", shop(), "us-east-1"),
        ("boxes[*].weight", shop(boxes=(Box(weight=1), Box(weight=2))), (1, 2)),
        ("boxes[*].label", shop(boxes=(Box(label="a"), Box(), Box(label="b"))), ("a", "b")),
        ("boxes[?full].weight", shop(boxes=(Box(weight=1), Box(weight=2, full=False))), (1,)),
        ("boxes[?weight > `1`].label", shop(boxes=(Box(label="a"), Box(weight=2, label="b"))), ("b",)),
        ("boxes[*].codes[]", shop(boxes=(Box(codes=(1, 2)), Box(codes=(3,)))), (1, 2, 3)),
        ("codes[?@ > `1`]", shop(codes=(1, 2, 3)), (2, 3)),
        ("boxes[0].weight", shop(boxes=(Box(weight=9),)), 9),
        ("boxes[-1].weight", shop(boxes=(Box(), Box(weight=9))), 9),
        ("boxes[5].weight", shop(boxes=(Box(),)), None),
        ("boxes[*].weight | [1]", shop(boxes=(Box(weight=1), Box(weight=2))), 2),
        ("boxes[?full] | length(@)", shop(boxes=(Box(), Box(full=False))), 1),
        ("boxes", shop(boxes=U), U),
        ("boxes[*].weight", shop(boxes=U), U),
        ("length(ShopName)", shop("four"), 4),
        ("length(codes)", shop(codes=(1, 2)), 2),
        ("length(tags)", shop(tags={"a": "b"}), 1),
        ("min(codes)", shop(codes=(3, 1, 2)), 1),
        ("max(codes)", shop(codes=(3, 1, 2)), 3),
        ("max(codes)", shop(), None),
        ("sum(codes)", shop(codes=(3, 1)), 4),
        ("sum(boxes[*].weight)", shop(boxes=(Box(weight=2), Box(weight=U))), U),
        ("join('-', words)", shop(words=("a", "b")), "a-b"),
        ("sort(codes)", shop(codes=(2, 1)), (1, 2)),
        ("keys(tags)", shop(tags={"b": "", "a": ""}), ("a", "b")),
        ("not_null(size, `7`)", shop(), 7),
        ("counted(count, 'box')", shop(count=1), "1 box"),
        ("counted(count, 'shop')", shop(count=0), "0 shops"),
        ("counted(count, 'shop')", shop(count=U), U),
        ("not_null(size, `7`)", shop(size=1), 1),
        ("not_null(size, `7`)", shop(size=U), U),
        ("not_null(note, ShopName)", shop("x"), "x"),
        ("to_string(count)", shop(count=3), "3"),
        ("to_string(paid)", shop(), "true"),
        ("to_string(built)", shop(), "2026-01-01T00:00:00+00:00"),
        ("contains(words, 'a')", shop(words=("a",)), True),
        ("contains(ShopName, 'orn')", shop(), True),
        ("starts_with(ShopName, 'co')", shop(), True),
        ("ends_with(ShopName, 'co')", shop(), False),
        ("shop.ShopName", Street(resource=shop().resource, tags={}, shop=shop("in")), "in"),
        ("`[1, 2]`", shop(), (1, 2)),
        ("@.count", shop(count=8), 8),
    ],
)
def test_a_value_is_read(text: str, node: Any, expected: Any) -> None:
    assert value(text, node) == expected


def test_every_fact_of_every_subject_can_be_read() -> None:
    for subject in SUBJECTS.values():
        annotated = {name for name, hint in subject.__annotations__.items() if "Fact(" in str(hint)}
        assert annotated
        assert annotated <= set(fields_of(subject)), subject


# Truth


@pytest.mark.parametrize(
    ("text", "node", "expected"),
    [
        ("lit", shop(lit=False), False),
        ("lit", shop(lit=U), U),
        ("!lit", shop(lit=U), U),
        ("!lit", shop(), False),
        ("words", shop(), False),
        ("words", shop(words=("a",)), True),
        ("ShopName", shop(""), False),
        ("note", shop(), False),
        ("note", shop(note=""), False),
        ("note", shop(note="x"), True),
        ("note", shop(note=U), U),
        ("lid", shop(), False),
        ("lid", shop(lid=Box()), True),
        ("lid", shop(lid=U), U),
        ("lid.full", shop(), False),
        ("lid.full", shop(lid=Box(full=U)), U),
        ("since", shop(since=datetime.datetime(2026, 1, 2, tzinfo=datetime.UTC)), True),
        ("tags", shop(), False),
        ("color == 'red'", shop(), True),
        ("color != 'red'", shop(), False),
        ("color == 'red'", shop(color=U), U),
        ("color != 'red'", shop(color=U), U),
        ("note == `null`", shop(), True),
        ("note == `null`", shop(note=U), U),
        ("note != `null`", shop(note="a"), True),
        ("note == 'a'", shop(), False),
        ("`null` == note", shop(), True),
        ("size == `3`", shop(), False),
        ("count > `2`", shop(), True),
        ("count >= `4`", shop(), False),
        ("`4` <= count", shop(), False),
        ("count < floors", shop(count=1), True),
        ("count < floors", shop(count=U), U),
        ("share < `0.6`", shop(), True),
        ("place == home", shop(place=zone(1), home=zone(1)), True),
        ("place == home", shop(place=zone(1), home=zone(2)), False),
        ("place == home", shop(place=zone(1), home=U), U),
        ("place == home", shop(), True),
        ("codes == `[1, 2]`", shop(codes=(1, 2)), True),
        ("boxes[*].weight == `[1, 2]`", shop(boxes=(Box(), Box(weight=U))), U),
        ("boxes[*].weight == `[1, 2]`", shop(boxes=(Box(weight=3), Box(weight=U))), False),
        ("boxes[*].weight == `[1, 2]`", shop(boxes=(Box(),)), False),
        ("built > built", shop(), False),
        ("paid == lit", shop(), True),
        ("lit && paid || !paid", shop(lit=U), U),
        ("mood == 'shut'", shop(mood=None), False),
    ],
)
def test_truth(text: str, node: Any, expected: Any) -> None:
    found = truth(text, node)
    assert found == expected
    assert isinstance(found, bool | Unknown)


_TABLE = [True, False, "u"]


@pytest.mark.parametrize("a", _TABLE)
@pytest.mark.parametrize("b", _TABLE)
def test_and_or_not_are_those_of_kleene(a: Any, b: Any) -> None:
    node = shop(lit=U if a == "u" else a, boxes=(), lid=Box(full=V if b == "u" else b))
    rank = {False: 0, "u": 1, True: 2}
    both = next(k for k, r in rank.items() if r == min(rank[a], rank[b]))
    one = next(k for k, r in rank.items() if r == max(rank[a], rank[b]))
    not_a = {True: False, False: True, "u": "u"}[a]

    def state(found: Any) -> Any:
        return "u" if isinstance(found, Unknown) else found

    assert state(truth("lit && lid.full", node)) == both
    assert state(truth("lid.full && lit", node)) == both
    assert state(truth("lit || lid.full", node)) == one
    assert state(truth("lid.full || lit", node)) == one
    assert state(truth("!lit", node)) == not_a
    assert state(truth(Combined(all=("lit", "lid.full")), node)) == both
    assert state(truth(Combined(any=("lit", "lid.full")), node)) == one
    assert state(truth(Combined(not_="lit"), node)) == not_a


def test_an_unknown_carries_the_reasons_of_every_operand() -> None:
    found = truth("lit && lid.full", shop(lit=U, lid=Box(full=V)))
    assert found.actions == ("elasticloadbalancing:DescribeTargetGroups", "elasticloadbalancing:DescribeTargetHealth")


def test_reasons_of_a_decided_operand_are_not_carried() -> None:
    assert truth("lit && lid.full", shop(lit=True, lid=Box(full=V))) == V


def test_conditions_nest() -> None:
    tree = Combined(any=(Combined(all=("lit", Combined(not_="paid"))), "count == `3`"))
    assert truth(tree) is True
    assert truth(tree, shop(count=1)) is False
    assert truth(tree, shop(count=1, paid=False)) is True


# Partly known lists: bounds and witnesses

SURE, DOUBT, NOT = Box(full=True), Box(full=U), Box(full=False)


@pytest.mark.parametrize(
    ("text", "boxes", "expected"),
    [
        ("boxes[?full]", (SURE, DOUBT), True),
        ("boxes[?full]", (NOT, DOUBT), U),
        ("boxes[?full]", (NOT,), False),
        ("!boxes[?full]", (NOT, DOUBT), "refused"),
        ("!(boxes[?full])", (NOT, DOUBT), U),
        ("!boxes[*].label", (Box(),), True),
        ("!(boxes[?full])", (SURE, DOUBT), False),
        ("length(boxes[?full]) >= `1`", (SURE, DOUBT), True),
        ("length(boxes[?full]) > `1`", (SURE, DOUBT), U),
        ("length(boxes[?full]) > `2`", (SURE, DOUBT), False),
        ("length(boxes[?full]) == `1`", (SURE, DOUBT), U),
        ("length(boxes[?full]) == `3`", (SURE, DOUBT), False),
        ("length(boxes[?full]) != `3`", (SURE, DOUBT), True),
        ("length(boxes[?full]) < `3`", (SURE, DOUBT), True),
        ("length(boxes[?full]) <= `1`", (SURE, DOUBT), U),
        ("length(boxes[?full]) <= `2`", (SURE, DOUBT), True),
        ("`0` < length(boxes[?full])", (SURE, DOUBT), True),
        ("length(boxes[?full]) == length(boxes[?sealed])", (SURE, SURE, DOUBT), U),
        ("length(boxes[?full]) > length(boxes[?!full])", (SURE, DOUBT), U),
        ("length(boxes[?full]) == `1`", (SURE, NOT), True),
        ("contains(boxes[?full].weight, `1`)", (SURE, DOUBT), True),
        ("contains(boxes[?full].weight, `5`)", (SURE, DOUBT), False),
        ("contains(boxes[?full].weight, `5`)", (SURE, Box(full=U, weight=5)), U),
        ("contains(boxes[*].weight, `5`)", (SURE, Box(weight=U)), U),
        ("contains(boxes[*].weight, `1`)", (SURE, Box(weight=U)), True),
        ("length(boxes[*].weight) == `2`", (SURE, Box(weight=U)), True),
        ("length(boxes[*].label) == `1`", (Box(label="a"), Box(label=U)), U),
        ("boxes[*].label", (Box(label="a"), Box(label=U)), True),
        ("boxes[*].label", (Box(), Box(label=U)), U),
        ("boxes[*].codes[]", (Box(codes=(1,)), Box(codes=U)), True),
        ("boxes[*].codes[]", (Box(), Box(codes=U)), U),
        ("length(boxes[*].codes[]) > `0`", (Box(codes=(1,)), Box(codes=U)), True),
        ("length(boxes[*].codes[]) > `7`", (Box(codes=(1,)), Box(codes=U)), U),
        ("contains(boxes[*].codes[], `1`)", (Box(codes=(1,)), Box(codes=U)), True),
        ("contains(boxes[*].codes[], `2`)", (Box(codes=(1,)), Box(codes=U)), U),
        ("boxes[?full].codes[]", (Box(full=U, codes=(1,)),), U),
        ("boxes[?full][?weight > `1`]", (), "error"),
        ("boxes[?full && weight > `1`]", (Box(full=U, weight=1),), False),
        ("not_null(max(boxes[?full].weight), `0`) > `0`", (SURE, DOUBT), U),
    ],
)
def test_a_witness_decides(text: str, boxes: tuple[Box, ...], expected: Any) -> None:
    if expected in ("refused", "error"):
        assert refusal(text)
    else:
        assert truth(text, shop(boxes=boxes)) == expected


def test_a_count_has_bounds() -> None:
    assert value("length(boxes[?full])", shop(boxes=(SURE, DOUBT, DOUBT, NOT))) == Bounds(1, 3, U)


def test_an_item_of_a_list_that_is_in_doubt_is_unknown() -> None:
    assert value("boxes[?full] | [0]", shop(boxes=(DOUBT, SURE))) == U
    assert value("boxes[?full].codes[] | [0]", shop(boxes=(Box(codes=U), SURE))) == U
    assert value("sort(boxes[?full].weight)", shop(boxes=(DOUBT, SURE))) == U
    assert value("sum(boxes[*].codes[])", shop(boxes=(Box(codes=U), SURE))) == U
    assert value("to_string(length(boxes[?full]))", shop(boxes=(DOUBT, SURE))) == U
    assert truth("boxes[?full].weight == `[1, 2]`", shop(boxes=(DOUBT, SURE))) == U


def test_null_members_are_left_out_and_null_lists_stay_null() -> None:
    assert value("lid.codes[*]", shop()) is None
    assert truth("lid.codes[?@ > `1`]", shop()) is False


# Params


@pytest.mark.parametrize("param", ["it's", 'say "x"', "back`tick", "back\\slash", "ünï", ""])
def test_a_param_is_put_in_as_a_literal(param: str) -> None:
    assert truth("ShopName == $p", shop(param), p=param) is True
    assert truth("ShopName == $p", shop(param + "x"), p=param) is False


def test_params_of_every_kind() -> None:
    assert truth("count > $n && share >= $f && lit == $b", shop(), n=2, f=0.5, b=True) is True
    assert truth("contains($l, ShopName)", shop("a"), l=("a", "b")) is True


def test_a_dollar_inside_quotes_is_text() -> None:
    assert truth("ShopName == '$n'", shop("$n")) is True


# What is refused at load, each with its sentence


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("cuont > `1`", "Shop has no field 'cuont'; did you mean count? the fields are ShopName, boxes, built"),
        ("shopname", "did you mean ShopName?"),
        ("lid.wieght > `1`", "Box has no field 'wieght'; did you mean weight? the fields are codes, full, label, sealed"),
        ("boxes.full", "boxes is a list of group of facts, so .full cannot be read on it; to read the members write [*] or"),
        ("count.x", "count is a number, so .x cannot be read on it"),
        ("links", "Shop has no field 'links'"),
        ("true", "true is a literal and is written in backticks: `true`"),
        ("note == null", "null is a literal and is written in backticks: `null`"),
        ("count > 3", "a number is written in backticks: `3`"),
        ("color == `red`", "`red` is not JSON; text is written in single quotes: 'red'"),
        ("count == `NaN`", "`NaN` is not JSON"),
        ("count ==", "'count ==' ends too early"),
        ("count = `1`", "'count = `1`' cannot be read at character 7"),
        ("count `1`", "cannot be parsed at character"),
        ("", "the expression is empty"),
        ("count == '3'", "count is a number and '3' a text; they cannot be compared"),
        ("lit == 'true'", "lit is a truth value and 'true' a text"),
        ("ShopName > 'a'", "ShopName is a text, which has no order; only numbers and times can be larger or smaller"),
        ("size > `1`", "size may be null, which has no order; give a value for null: not_null(size, `0`)"),
        ("built > count", "built is a time and count a number; they cannot be compared"),
        ("since > built", "since may be null"),
        ("paid == `null`", "paid is never null, so comparing it with null never changes"),
        ("count == `null`", "count is never null"),
        ("color == 'rde'", "color is never 'rde'; did you mean red? its values are blue and red"),
        ("'rde' != color", "color is never 'rde'"),
        ("mood == 'closed'", "mood is never 'closed'; its values are open and shut"),
        ("contains(`[\"red\", \"grey\"]`, color)", "color is never 'grey'"),
        ("contains(words, `1`)", "cannot be compared"),
        ("lid == lid", "lid is a group of facts; compare one of its fields"),
        ("boxes == boxes", "boxes is a group of facts; compare one of its fields"),
        ("place == lid", "they cannot be compared"),
        ("codes == words", "they cannot be compared"),
        ("`1` == `1`", "both sides of the comparison are literals"),
        ("count", "count is a number, which is neither true nor false; compare it"),
        ("lit && count", "count is a number, which is neither true nor false"),
        ("resource", "resource is a group of facts that is never null, so it is always true; read a field of it"),
        ("'x'", "'x' is a literal, so its truth never changes"),
        ("lit || 'x'", "'x' is a literal"),
        ("!lid.full", "! takes only the name that follows it; write !(lid…) with parentheses"),
        ("!boxes[?full]", "! takes only the name"),
        ("lid.*", "a wildcard over fields (.*) is not allowed in a rule"),
        ("[lit, paid]", "a list of expressions [a, b] is not allowed in a rule"),
        ("{a: lit}", "an object {a: b} is not allowed in a rule"),
        ("codes[0:1]", "a slice [a:b] is not allowed in a rule"),
        ("sort_by(boxes, &weight)", "an expression reference (&…) is not allowed in a rule; use a filter [?…]"),
        ("lenght(codes) > `1`", "lenght() is not a function of rules; did you mean length? there are contains, counted"),
        ("length(codes, words) > `1`", "length() takes one value, not 2"),
        ("contains(codes)", "contains() takes 2 values, not 1"),
        ("not_null()", "not_null() takes at least one value, not 0"),
        ("length(count) > `1`", "length() takes a list, text or mapping, and count is a number"),
        ("length(note) > `1`", "length() cannot take null, and note may be null; give a value for null with not_null()"),
        ("sum(words) > `1`", "sum() takes a list of number, and words is a list of text"),
        ("max(boxes[*].full) == `1`", "max() takes a list of number, text or time, and boxes.full is a list of truth value"),
        ("not_null(size, note) == `1`", "not_null() takes values of one kind, not number and text"),
        ("not_null(count, `1`) == `1`", "count is never null, so the values after it in not_null() are never used"),
        ("not_null(color, 'pink') == 'red'", "color is never null"),
        ("starts_with(count, 'a')", "starts_with() takes a text, and count is a number"),
        ("join(',', codes) == 'a'", "join() takes a list of text"),
        ("keys(words)", "keys() takes a mapping"),
        ("codes[]", "codes is a list of number; only a list of lists can be flattened with []; write [*]"),
        ("count[0] == `1`", "count is a number, not a list, so it has no members to read"),
        ("count[?lit]", "count is a number, not a list"),
        ("contains(`[]`, color)", "a list literal holds one or more values, all numbers, all texts or all truth values"),
        ("contains(`[1, \"a\"]`, color)", "a list literal holds one or more values"),
        ('tags == `{"a": 1}`', "cannot be a literal in a rule"),
        ("count > $most", "$most is not a param of this rule; the rule has no params"),
        ("lit && paid && note && words", "combines 4 judgements; more than 3 mean that a derived fact is missing"),
        ("length(boxes[?full && sealed && label]) > `1`", "combines 4 judgements"),
        ("lit" + " && lit" * 100, "the expression is longer than 500 characters"),
        ("!" * 60 + "lit", "the expression is nested too deeply"),
        ("!" * 490 + "lit", "the expression is nested too deeply"),
        ("not_null(mood, 'x') == 'y'", "is never 'y'; its values are open, shut and x"),
    ],
)  # fmt: skip
def test_a_refusal_says_why(text: str, says: str) -> None:
    assert says in refusal(text)


def test_a_refusal_is_one_sentence_without_line_breaks() -> None:
    for text in ("count = `1`", "a b", "count ==", "'x", '"x', "`1", "count > 3"):
        assert "\n" not in refusal(text)


def test_an_unknown_param_names_those_there_are() -> None:
    assert "$most is not a param of this rule; its params are least" in refusal("count > $most", least=1)


def test_conditions_nested_beyond_reason_are_refused() -> None:
    tree: Any = "lit"
    for _ in range(30):
        tree = Combined(not_=tree)
    assert "nested too deeply" in refusal(tree)


@pytest.mark.parametrize("parts", [{}, {"all": ("lit",), "any": ("lit",)}, {"all": ()}, {"any": ("lit",) * 51}])
def test_a_combination_is_exactly_one_of_all_any_not(parts: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="all"):
        Combined(**parts)


def test_facts_that_an_expression_reads_are_known_at_load() -> None:
    code = compile_condition(parsed_condition("boxes[?full].label || lid.weight == `1`", {}), Shop)
    assert list(code.facts) == ["boxes", "boxes.label", "boxes.full", "lid", "lid.weight"]


# Static types of annotations


@pytest.mark.parametrize(
    ("hint", "expected"),
    [
        (int, NUMBER),
        (int | float, NUMBER),
        (Known[float], NUMBER.but(vague=True)),
        (ZoneId | None, TEXT.but(nullable=True)),
        (Annotated[bool, Fact("x")], BOOL),
        (Outcome, TEXT.but(values=frozenset(Outcome))),
        (Literal["a", None], TEXT.but(values=frozenset({"a"}), nullable=True)),
        (Known[Literal["a"] | Literal["b"] | None], TEXT.but(values=frozenset({"a", "b"}), nullable=True, vague=True)),
        (Literal["a"] | str, TEXT),
        (None, Type(Kind.NULL, nullable=True)),
        (tuple[Known[int], ...], list_of(NUMBER.but(vague=True))),
        (list[str], list_of(TEXT)),
        (Mapping[str, str], Type(Kind.MAP)),
        (Known[Box | None], Type(Kind.FACTS, nullable=True, vague=True, of=Box)),
    ],
)
def test_the_type_of_an_annotation(hint: Any, expected: Type) -> None:
    assert type_of(hint if hint is not None else type(None)) == expected


@pytest.mark.parametrize("hint", [Any, int | str, bool | int, Literal[1], tuple[int, str], bytes, Box | Shop])
def test_a_type_without_a_clear_meaning_cannot_be_read(hint: Any) -> None:
    with pytest.raises(TypeError):
        type_of(hint)


def test_a_field_of_such_a_type_is_not_offered() -> None:
    class Odd(Facts, frozen=True, kw_only=True):
        good: Annotated[int, Fact("fine")]
        bad: Annotated[bytes, Fact("not fine")]

    assert list(fields_of(Odd)) == ["good"]
