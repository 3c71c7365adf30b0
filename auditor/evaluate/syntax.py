"""The text of an expression: params put in, parsed by jmespath, printed again, its leaves counted."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, TypeAlias, cast

import jmespath.exceptions
import jmespath.parser

from ..errors import RuleError
from .types import joined

__all__ = ["COMPARATORS", "Tree", "comparisons", "leaves", "params_in", "parse", "printed", "with_params"]

Tree: TypeAlias = dict[str, Any]
COMPARATORS = {"eq": "==", "ne": "!=", "lt": "<", "lte": "<=", "gt": ">", "gte": ">="}
_LONGEST = 500
_DEEPEST = 40
_PIECE = re.compile(r"('(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|\"(?:\\.|[^\"\\])*\")|\$([A-Za-z_][A-Za-z0-9_]*)", re.DOTALL)
_BOOLEAN = ("and_expression", "or_expression")


def params_in(text: str) -> list[str]:
    """Names of the params (``$name``) an expression uses, outside of its quoted text."""
    return [m.group(2) for m in _PIECE.finditer(text) if m.group(2)]


def with_params(text: str, params: Mapping[str, Any]) -> str:
    """The expression with each ``$name`` replaced by its value as a literal.

    Raises:
        RuleError: when the rule has no such param.
    """

    def literal(match: re.Match[str]) -> str:
        name = match.group(2)
        if not name:
            return match.group(0)
        if name not in params:
            known = f"its params are {joined(sorted(params))}" if params else "the rule has no params"
            raise RuleError(f"${name} is not a param of this rule; {known}")
        return "`" + json.dumps(params[name]).replace("`", "\\u0060") + "`"

    return _PIECE.sub(literal, text)


def parse(text: str) -> Tree:
    """The syntax tree of an expression (do not change it: jmespath keeps it in a cache).

    Raises:
        RuleError: one sentence saying what cannot be parsed and where.
    """
    if len(text) > _LONGEST:
        raise RuleError(f"the expression is longer than {_LONGEST} characters; a derived fact is missing")
    for match in _PIECE.finditer(text):
        _check_literal(match.group(0))
    try:
        tree = cast("Tree", jmespath.parser.Parser().parse(text).parsed)
    except RecursionError:
        raise RuleError("the expression is nested too deeply") from None
    except jmespath.exceptions.EmptyExpressionError:
        raise RuleError("the expression is empty") from None
    except jmespath.exceptions.IncompleteExpressionError:
        raise RuleError(f"{text!r} ends too early") from None
    except jmespath.exceptions.LexerError as error:
        raise RuleError(
            f"{text!r} cannot be read at character {error.lexer_position + 1}: {_single(error.message)}"
        ) from None
    except jmespath.exceptions.ParseError as error:
        raise RuleError(_parse_error(text, error)) from None
    if _depth(tree) > _DEEPEST:
        raise RuleError("the expression is nested too deeply")
    return tree


def _depth(tree: Tree) -> int:
    deepest, todo = 0, [(tree, 1)]
    while todo:
        node, depth = todo.pop()
        deepest = max(deepest, depth)
        todo.extend((child, depth + 1) for child in node["children"] if isinstance(child, dict))
    return deepest


def _single(message: str) -> str:
    return " ".join(message.split())


def _parse_error(text: str, error: jmespath.exceptions.ParseError) -> str:
    where = f"{text!r} cannot be parsed at character {error.lex_position + 1}, {str(error.token_value)!r}"
    if error.token_type == "NUMBER":
        return f"{where}; a number is written in backticks: `{error.token_value}`"
    return where


def _check_literal(piece: str) -> None:
    if not piece.startswith("`"):
        return
    try:
        json.loads(piece[1:-1].replace("\\`", "`"), parse_constant=_no_constant)
    except ValueError:
        raise RuleError(f"{piece} is not JSON; text is written in single quotes: '{piece[1:-1]}'") from None


def _no_constant(name: str) -> Any:
    raise ValueError(name)


def leaves(tree: Tree) -> int:
    """How many single judgements an expression holds: comparisons, and values that stand as a truth, filters included."""
    count = 0
    todo = [(tree, True)]
    while todo:
        node, truth = todo.pop()
        kind = node["type"]
        if kind in _BOOLEAN or kind == "not_expression":
            todo.extend((child, True) for child in node["children"])
            continue
        if truth or kind == "comparator":
            count += 1
        children = [child for child in node["children"] if isinstance(child, dict)]
        predicate = children.pop() if kind == "filter_projection" else None
        todo.extend((child, False) for child in children)
        if predicate:
            todo.append((predicate, True))
    return count


def comparisons(tree: Tree) -> int:
    """How many comparisons an expression holds, those in filters included."""
    count, todo = 0, [tree]
    while todo:
        node = todo.pop()
        count += node["type"] == "comparator"
        todo.extend(child for child in node["children"] if isinstance(child, dict))
    return count


def printed(tree: Tree) -> str:
    """A syntax tree as text that parses to the same tree."""
    text: str = _PRINTERS[tree["type"]](tree)
    return text


def _operand(tree: Tree, *loose: str) -> str:
    text = printed(tree)
    return f"({text})" if tree["type"] in loose else text


_LOOSE = (*_BOOLEAN, "comparator", "pipe")


def _dotted(tree: Tree) -> str:
    first, *rest = tree["children"]
    return ".".join([_operand(first, *_LOOSE, "not_expression"), *(printed(c) for c in rest)])


def _left(tree: Tree) -> str:
    return "" if tree["type"] == "identity" else _operand(tree, *_LOOSE, "not_expression")


def _right(tree: Tree) -> str:
    if tree["type"] == "identity":
        return ""
    text = printed(tree)
    return text if text.startswith("[") else f".{text}"


def _filter(tree: Tree) -> str:
    left, right, predicate = tree["children"]
    return f"{_left(left)}[?{printed(predicate)}]{_right(right)}"


def _projection(tree: Tree) -> str:
    left, right = tree["children"]
    star = "" if left["type"] == "flatten" else "[*]"
    return f"{_left(left)}{star}{_right(right)}"


def _boolean(word: str) -> Any:
    def show(tree: Tree) -> str:
        # The right side of the same operator keeps its parentheses, so that the tree parses back as it was.
        left, right = tree["children"]
        loose = {"||": ("pipe",), "&&": ("or_expression", "pipe")}[word]
        return f"{_operand(left, *loose)} {word} {_operand(right, *loose, tree['type'])}"

    return show


def _comparator(tree: Tree) -> str:
    left, right = (_operand(c, *_LOOSE) for c in tree["children"])
    return f"{left} {COMPARATORS[tree['value']]} {right}"


def _literal(tree: Tree) -> str:
    value = tree["value"]
    if isinstance(value, str) and "'" not in value and "\\" not in value:
        return f"'{value}'"
    return "`" + json.dumps(value).replace("`", "\\u0060") + "`"


def _field(tree: Tree) -> str:
    name = tree["value"]
    return name if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) else json.dumps(name)


_PRINTERS: dict[str, Any] = {
    "field": _field,
    "literal": _literal,
    "current": lambda _: "@",
    "identity": lambda _: "@",
    "subexpression": _dotted,
    "index_expression": lambda t: _left(t["children"][0]) + "".join(printed(c) for c in t["children"][1:]),
    "index": lambda t: f"[{t['value']}]",
    "comparator": _comparator,
    "and_expression": _boolean("&&"),
    "or_expression": _boolean("||"),
    "not_expression": lambda t: (
        "!"
        + _operand(t["children"][0], *_LOOSE, "subexpression", "index_expression", "filter_projection", "projection")
    ),
    "filter_projection": _filter,
    "projection": _projection,
    "flatten": lambda t: _left(t["children"][0]) + "[]",
    "pipe": lambda t: f"{printed(t['children'][0])} | {_operand(t['children'][1], 'pipe')}",
    "function_expression": lambda t: f"{t['value']}({', '.join(printed(c) for c in t['children'])})",
}
