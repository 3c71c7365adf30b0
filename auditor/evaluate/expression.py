"""Expressions of rules: JMESPath text, checked against the facts of a subject and compiled once."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, TypeAlias

import msgspec

from ..derive.node import Fact, Node
from ..errors import RuleError
from .code import Reads, Run, Scope
from .compiler import Compiler, kleene, negated
from .syntax import Tree, leaves, parse, with_params
from .trail import Trail
from .types import Kind, Type

__all__ = [
    "Combined",
    "ConditionText",
    "Expression",
    "Parsed",
    "compile_condition",
    "compile_expression",
    "parsed_condition",
]

MAX_LEAVES = 3
_DEEPEST = 20
_WIDEST = 50


class Combined(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, rename={"not_": "not"}):
    """Conditions combined: exactly one of ``all``, ``any`` and ``not``."""

    all: tuple[str | Combined, ...] | None = None
    any: tuple[str | Combined, ...] | None = None
    not_: str | Combined | None = None

    def __post_init__(self) -> None:
        if sum(part is not None for part in (self.all, self.any, self.not_)) != 1:
            raise ValueError("exactly one of all, any and not is wanted")
        parts = self.all if self.all is not None else self.any
        if parts is not None and not 1 <= len(parts) <= _WIDEST:
            raise ValueError(f"all and any take 1 to {_WIDEST} conditions")


ConditionText: TypeAlias = str | Combined
# A condition after parsing: a syntax tree of jmespath, in which trees of `Combined` have become and/or/not nodes.
Parsed: TypeAlias = Tree


@dataclasses.dataclass(frozen=True, slots=True)
class Expression:
    """A compiled expression.

    Attributes:
        run: takes the subject and gives the value (of a condition: True, False or an `Unknown`).
        type: what it gives.
        facts: the facts it can read, by dotted name from the subject.
    """

    run: Run
    type: Type
    facts: Mapping[str, Fact]


def parsed_condition(condition: ConditionText, params: Mapping[str, Any]) -> Parsed:
    """The syntax tree of a condition with its params put in.

    Raises:
        RuleError: for text that cannot be parsed, or a single expression of more than three leaves.
    """
    return _parsed(condition, params, 0)


def _parsed(condition: ConditionText, params: Mapping[str, Any], depth: int) -> Parsed:
    if depth > _DEEPEST:
        raise RuleError("all, any and not are nested too deeply")
    if isinstance(condition, str):
        return _single(condition, params)
    if condition.not_ is not None:
        return {"type": "not_expression", "children": [_parsed(condition.not_, params, depth + 1)]}
    kind = "and_expression" if condition.all is not None else "or_expression"
    first, *rest = [_parsed(part, params, depth + 1) for part in condition.all or condition.any or ()]
    for part in rest:
        first = {"type": kind, "children": [first, part]}
    return first


def _single(text: str, params: Mapping[str, Any]) -> Parsed:
    tree = parse(with_params(text, params))
    count = leaves(tree)
    if count > MAX_LEAVES:
        raise RuleError(
            f"{text!r} combines {count} judgements; more than {MAX_LEAVES} mean that a derived fact is missing"
        )
    return tree


def compile_condition(tree: Parsed, subject: type[Node], trail: Trail | None = None) -> Expression:
    """Compile a parsed condition to a closure that gives True, False or an `Unknown`.

    Args:
        tree: from `parsed_condition`.
        subject: the kind of node it judges.
        trail: compile the traced form, which notes its readings there.

    Raises:
        RuleError: for anything the facts of the subject do not offer or three-valued logic gives no clear meaning.
    """
    reads = Reads(saw=trail.saw if trail else None)
    compiler = Compiler(reads)
    run = _spread(tree, compiler, Scope(Type(Kind.FACTS, of=subject)))
    return Expression(run, Type(Kind.BOOL, vague=True), reads.facts)


def _spread(tree: Parsed, compiler: Compiler, scope: Scope) -> Run:
    """Compile the and/or/not nodes above the single expressions."""
    kind = tree["type"]
    if kind == "not_expression":
        return negated(_spread(tree["children"][0], compiler, scope))
    if kind in ("and_expression", "or_expression"):
        left, right = (_spread(child, compiler, scope) for child in tree["children"])
        return kleene(kind == "or_expression", left, right)
    return compiler.truth(tree, scope)


def compile_expression(
    text: str, params: Mapping[str, Any], subject: type[Node], trail: Trail | None = None
) -> Expression:
    """Compile an expression for its value, as placeholders, `zones` and `causes` use it.

    Raises:
        RuleError: as for conditions.
    """
    reads = Reads(saw=trail.saw if trail else None)
    code = Compiler(reads).value(parse(with_params(text, params)), Scope(Type(Kind.FACTS, of=subject)))
    return Expression(code.run, code.type, reads.facts)
