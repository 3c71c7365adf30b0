"""Messages and commands: placeholders, how values print, and that a command stays one command."""

from __future__ import annotations

import datetime
import shlex
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.errors import RuleError
from auditor.evaluate.template import compile_template

from .shop import Box, Shop, shop, unread, zone

U = unread()


def text(template: str, node: Any = None, *, shell: bool = False, **params: Any) -> str:
    return compile_template(template, params, Shop, shell=shell)(node or shop())


@pytest.mark.parametrize(
    ("template", "node", "expected"),
    [
        ("{ShopName}: {count} of {floors}", shop("x", count=2), "x: 2 of 2"),
        ("{ count }", shop(), "3"),
        ("{{literal}} {lit}", shop(), "{literal} true"),
        ("{count}", shop(count=U), "unknown"),
        ("{note}", shop(), "none"),
        ("{codes}", shop(codes=(1, 2)), "1, 2"),
        ("{codes}", shop(), "none"),
        ("{codes}", shop(codes=U), "unknown"),
        ("{boxes[*].label}", shop(boxes=(Box(label="a"), Box(label="b"))), "a, b"),
        ("{boxes[?full].label}", shop(boxes=(Box(label="a"), Box(label="b", full=U))), "a, perhaps b"),
        ("{boxes[*].codes[]}", shop(boxes=(Box(codes=(1,)), Box(codes=U))), "1, unknown"),
        ("{boxes[*].weight}", shop(boxes=(Box(weight=1), Box(weight=U))), "1, unknown"),
        ("{length(boxes[?full])}", shop(boxes=(Box(), Box(full=U))), "1 to 2"),
        ("{length(boxes[*].codes[])}", shop(boxes=(Box(codes=U),)), "0 or more"),
        ("{share}", shop(share=0.3333), "0.33"),
        ("{share}", shop(share=2.0), "2"),
        ("{share}", shop(share=100.0), "100"),
        ("{place}", shop(place=zone(1)), "use1-az1 (us-east-1a)"),
        ("{place.id}", shop(), "none"),
        ("{since}", shop(since=datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.UTC)), "2026-01-02T03:04:05Z"),
        ("{tags.\"a}b\"}", shop(tags={"a}b": "v"}), "v"),
        ("{ShopName == 'a}b'}", shop("a}b"), "true"),
        ("{ShopName}", shop("a\x1b[31mb\nc\u202ed"), "a [31mb c d"),
        ("  spaced  ", shop(), "spaced"),
    ],
)  # fmt: skip
def test_a_placeholder_prints(template: str, node: Any, expected: str) -> None:
    assert text(template, node) == expected


def test_params_print() -> None:
    assert text("at least {$least}", least=3) == "at least 3"


@pytest.mark.parametrize(
    ("template", "says"),
    [
        ("{cuont}", "placeholder {cuont}: Shop has no field 'cuont'"),
        ("{lid}", "placeholder {lid} is a group of facts or null, which does not print; read a field of it"),
        ("{boxes}", "placeholder {boxes} is a list of group of facts, which does not print"),
        ("{tags}", "placeholder {tags} is a mapping, which does not print"),
        ("{boxes[*].codes}", "does not print"),
        ("{}", "a placeholder {} is empty"),
        ("a } b", "a lone } in 'a } b'; a brace of the text is written twice: }}"),
        ("a { b", "a { without } in 'a { b'; a brace of the text is written twice: {{"),
        ("{ShopName == 'a}", "a { without }"),
        ("{$most}", "$most is not a param of this rule"),
    ],
)
def test_a_bad_template_is_refused(template: str, says: str) -> None:
    with pytest.raises(RuleError) as error:
        compile_template(template, {}, Shop)
    assert says in str(error.value)


# Commands


@given(st.text(max_size=20))
def test_a_value_in_a_command_is_one_word(name: str) -> None:
    words = shlex.split(text("aws elbv2 describe --name {ShopName} --x", shop(name), shell=True))
    assert words[:4] == ["aws", "elbv2", "describe", "--name"]
    assert len(words) == 6
    assert words[5] == "--x"
    assert not any(ord(c) < 32 for c in words[4])


def test_a_value_joined_to_other_text_stays_quoted() -> None:
    command = text("aws x --tags Key=name,Value={ShopName}", shop("a; rm -rf $HOME"), shell=True)
    assert shlex.split(command) == ["aws", "x", "--tags", "Key=name,Value=a; rm -rf $HOME"]


def test_a_list_in_a_command_is_several_words() -> None:
    command = text("aws x --ids {words}", shop(words=("a b", "c")), shell=True)
    assert shlex.split(command) == ["aws", "x", "--ids", "a b", "c"]


def test_an_unknown_or_empty_value_in_a_command_keeps_its_place() -> None:
    assert text("x {count}", shop(count=U), shell=True) == "x unknown"
    assert text("x {words} y", shop(), shell=True) == "x '' y"


@pytest.mark.parametrize(
    "command",
    [
        "x '{ShopName}'",
        'x "{ShopName}"',
        "x 'a\"{ShopName}'",
        "x \\{ShopName}",
        "x # {ShopName}",
        "x\n# it's {ShopName}",
    ],
)
def test_a_placeholder_where_quoting_would_not_hold_is_refused(command: str) -> None:
    with pytest.raises(RuleError, match="stands inside quotes or a comment of the command"):
        compile_template(command, {}, Shop, shell=True)


@pytest.mark.parametrize(
    "command", ["x 'a' {ShopName}", "x a#{ShopName}", "x # c\ny {ShopName}", 'x "it\'s" {ShopName}']
)
def test_a_placeholder_after_quotes_and_comments_is_fine(command: str) -> None:
    assert text(command, shop("n"), shell=True).endswith("n")
