"""Syntax tree → closures over typed facts. Everything that has no clear meaning in three-valued logic is refused here."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..errors import RuleError
from ..model.known import Unknown, merge
from ..model.verdict import Truth
from .code import Code, Reads, Run, Scope, field
from .comparing import comparison
from .functions import call
from .syntax import Tree, printed
from .types import BOOL, NULL, NUMBER, TEXT, Kind, Type, list_of
from .values import Partial, entries, gathered, held

__all__ = ["Compiler"]

_REFUSED = {
    "value_projection": "a wildcard over fields (.*) is not allowed in a rule; name the field",
    "multi_select_list": "a list of expressions [a, b] is not allowed in a rule; combine them with all or any",
    "multi_select_dict": "an object {a: b} is not allowed in a rule; read the facts by name",
    "expref": "an expression reference (&…) is not allowed in a rule; use a filter [?…]",
    "slice": "a slice [a:b] is not allowed in a rule; use a filter [?…]",
}


class Compiler:
    """Compiles one expression. `reads` collects the facts it reads, and in traced code is told of each reading."""

    def __init__(self, reads: Reads) -> None:
        self._reads = reads
        self._makers: dict[str, Callable[[Tree, Scope], Code]] = {
            "field": lambda t, s: field(_current(s), t["value"], self._reads),
            "current": lambda _, s: _current(s),
            "identity": lambda _, s: _current(s),
            "literal": lambda t, _: _literal(t["value"]),
            "subexpression": self._chain,
            "pipe": self._chain,
            "index_expression": self._chain,
            "index": self._index,
            "comparator": self._comparator,
            "and_expression": self._boolean,
            "or_expression": self._boolean,
            "not_expression": self._not,
            "filter_projection": self._projection,
            "projection": self._projection,
            "flatten": self._flatten,
            "function_expression": self._function,
        }

    def value(self, tree: Tree, scope: Scope) -> Code:
        """Compile an expression for its value.

        Raises:
            RuleError: one sentence saying what is wrong with it.
        """
        kind = tree["type"]
        if kind not in self._makers:
            raise RuleError(_REFUSED.get(kind, f"{kind} is not allowed in a rule"))
        return self._makers[kind](tree, scope)

    def truth(self, tree: Tree, scope: Scope) -> Run:
        """Compile an expression for its truth: the closure gives True, False or an `Unknown`.

        A list is true when it has a member, a text when it is not empty, anything that can be null when it is not.

        Raises:
            RuleError: one sentence; among others for a number, which is neither true nor false.
        """
        code = self.value(tree, scope)
        if code.literal and code.type.kind is not Kind.BOOL:
            raise RuleError(f"{printed(tree)} is a literal, so its truth never changes")
        return _truth(code, tree)

    def _chain(self, tree: Tree, scope: Scope) -> Code:
        first, *rest = tree["children"]
        _no_hasty_not(tree["type"], first)
        code = self.value(first, scope)
        for step in rest:
            code = self._then(code, step)
        return code

    def _then(self, left: Code, step: Tree) -> Code:
        if step["type"] == "field":
            return field(left, step["value"], self._reads)
        right = self.value(step, Scope(left.type, left.path))
        first, second = left.run, right.run
        return Code(right.type, (lambda node: second(first(node))), right.path)

    def _index(self, tree: Tree, scope: Scope) -> Code:
        position = tree["value"]
        item = _item(scope.type, scope.path)

        def pick(value: Any) -> Any:
            if value is None or value.__class__ is Unknown:
                return value
            if value.__class__ is Partial:
                return merge(
                    [s for _, s in value.entries if isinstance(s, Unknown)]
                    + ([] if value.more is None else [value.more])
                )
            return value[position] if -len(value) <= position < len(value) else None

        return Code(item.but(nullable=True, vague=item.vague or scope.type.vague), pick, scope.path)

    def _comparator(self, tree: Tree, scope: Scope) -> Code:
        left, right = (self.value(c, scope) for c in tree["children"])
        run = comparison(tree["value"], left, right)
        vague = left.type.vague or right.type.vague
        return Code(BOOL.but(vague=vague or _doubtful(left.type) or _doubtful(right.type)), run)

    def _boolean(self, tree: Tree, scope: Scope) -> Code:
        left, right = (self.truth(c, scope) for c in tree["children"])
        decides = tree["type"] == "or_expression"
        return Code(BOOL.but(vague=True), kleene(decides, left, right))

    def _not(self, tree: Tree, scope: Scope) -> Code:
        return Code(BOOL.but(vague=True), negated(self.truth(tree["children"][0], scope)))

    def _function(self, tree: Tree, scope: Scope) -> Code:
        return call(tree["value"], [self.value(c, scope) for c in tree["children"]])

    def _projection(self, tree: Tree, scope: Scope) -> Code:
        first, then = tree["children"][0], tree["children"][1]
        _no_hasty_not(tree["type"], first)
        left = self.value(first, scope)
        item = _item(left.type, left.path)
        inner = Scope(item, left.path)
        right = self.value(then, inner)
        keep = self.truth(tree["children"][2], inner) if tree["type"] == "filter_projection" else None
        doubtful = keep is not None or item.vague or (right.type.vague and right.type.nullable)
        members = right.type.but(nullable=False)
        run = _projected(
            left.run, keep, None if then["type"] == "identity" else right.run, nullable=right.type.nullable
        )
        type_ = list_of(members, vague=left.type.vague or doubtful).but(nullable=left.type.nullable)
        return Code(type_, run, right.path)

    def _flatten(self, tree: Tree, scope: Scope) -> Code:
        first = tree["children"][0]
        _no_hasty_not("projection", first)
        left = self.value(first, scope)
        item = _item(left.type, left.path)
        if item.kind is not Kind.LIST:
            raise RuleError(
                f"{left.path or 'the value'} is a {left.type}; only a list of lists can be flattened with []; write [*]"
            )
        type_ = item.but(nullable=left.type.nullable, vague=True)
        before = left.run
        return Code(type_, (lambda node: _flattened(before(node))), left.path)


def _current(scope: Scope) -> Code:
    return Code(scope.type, _itself, scope.path, dotted="")


def _itself(value: Any) -> Any:
    return value


def _doubtful(type_: Type) -> bool:
    return type_.kind is Kind.LIST and type_.item is not None and type_.item.vague


def _item(type_: Type, path: str) -> Type:
    if type_.kind is not Kind.LIST or type_.item is None:
        hint = "; inside a projection read its fields at once: [?…].name" if type_.kind is Kind.FACTS else ""
        raise RuleError(f"{path or 'the value'} is a {type_}, not a list, so it has no members to read{hint}")
    return type_.item


def _no_hasty_not(kind: str, first: Tree) -> None:
    if first["type"] == "not_expression" and kind in ("subexpression", "projection", "filter_projection"):
        raise RuleError(
            f"! takes only the name that follows it; write !({printed(first['children'][0])}…) with parentheses"
        )


def _literal(value: Any) -> Code:
    run = _constant(value)
    if isinstance(value, list):
        kinds = {type(v) if not isinstance(v, float) else int for v in value}
        if not value or len(kinds) != 1 or not kinds <= {int, str, bool}:
            raise RuleError("a list literal holds one or more values, all numbers, all texts or all truth values")
        held_ = tuple(value)
        item = _scalar(value[0])
        return Code(list_of(item), _constant(held_), literal=True, value=held_)
    return Code(_scalar(value), run, literal=True, value=value)


def _constant(value: Any) -> Run:
    return lambda _: value


def _scalar(value: Any) -> Type:
    if value is None:
        return NULL
    if isinstance(value, bool):
        return BOOL
    if isinstance(value, int | float) and math.isfinite(value):
        return NUMBER
    if isinstance(value, str):
        return TEXT
    raise RuleError(f"{value!r} cannot be a literal in a rule")


def kleene(decides: bool, left: Run, right: Run) -> Run:
    """And (`decides` is False) or or (True): an operand equal to `decides` wins; an unknown leaves both sides' reasons."""

    def run(node: Any) -> Truth:
        a: Truth = left(node)
        if a is decides:
            return decides
        b: Truth = right(node)
        if b is decides or not isinstance(a, Unknown):
            return b
        return merge((a, b)) if isinstance(b, Unknown) else a

    return run


def negated(truth: Run) -> Run:
    """Not: an unknown stays unknown."""

    def run(node: Any) -> Truth:
        a: Truth = truth(node)
        return a if isinstance(a, Unknown) else not a

    return run


def _truth(code: Code, tree: Tree) -> Run:
    kind, run = code.type.kind, code.run
    if kind is Kind.BOOL:
        return _absent_is_false(run) if code.type.nullable else run
    if kind is Kind.NUMBER:
        raise RuleError(f"{printed(tree)} is a number, which is neither true nor false; compare it")
    if kind is Kind.LIST:
        return _judged(run, held)
    if kind in (Kind.TEXT, Kind.MAP):
        return _judged(run, bool)
    if not code.type.nullable:
        raise RuleError(
            f"{printed(tree)} is a {code.type} that is never null, so it is always true; read a field of it"
        )
    return _judged(run, _present)


def _present(_: Any) -> bool:
    return True


def _absent_is_false(run: Run) -> Run:
    def judge(node: Any) -> Truth:
        value: Truth | None = run(node)
        return False if value is None else value

    return judge


def _judged(run: Run, test: Callable[[Any], Truth]) -> Run:
    def judge(node: Any) -> Truth:
        value = run(node)
        if value is None:
            return False
        return value if isinstance(value, Unknown) else test(value)

    return judge


def _projected(left: Run, keep: Run | None, right: Run | None, *, nullable: bool) -> Run:
    """Members of a list that `keep` accepts, each mapped by `right`; null results are left out, as in JMESPath."""

    def run(node: Any) -> Any:
        value = left(node)
        if value is None or value.__class__ is Unknown:
            return value
        found: list[tuple[Any, Truth]] = []
        doubt = value.__class__ is Partial
        for member, there in entries(value):
            sure = there if keep is None else _both(there, keep(member))
            if sure is False:
                continue
            result = member if right is None else right(member)
            if result is None:
                continue
            if nullable and result.__class__ is Unknown:
                sure = _both(sure, result)
            doubt = doubt or sure is not True
            found.append((result, sure))
        return (
            gathered(found, value.more if value.__class__ is Partial else None) if doubt else tuple(r for r, _ in found)
        )

    return run


def _both(one: Truth, other: Truth) -> Truth:
    if one is True or other is False:
        return other
    return merge((one, other)) if isinstance(one, Unknown) and isinstance(other, Unknown) else one


def _flattened(value: Any) -> Any:
    if value is None or value.__class__ is Unknown:
        return value
    found: list[tuple[Any, Truth]] = []
    more = [value.more] if value.__class__ is Partial and value.more is not None else []
    for part, there in entries(value):
        if part is None:
            continue
        if part.__class__ is Unknown:
            more.append(part)
            continue
        found.extend((member, _both(there, sure)) for member, sure in entries(part))
        if part.__class__ is Partial and part.more is not None:
            more.append(part.more)
    return gathered(found, merge(more) if more else None)
