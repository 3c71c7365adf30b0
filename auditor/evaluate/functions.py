"""The functions an expression may call: those of JMESPath that keep a clear meaning with unknown values."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from typing import Any

from ..errors import RuleError
from ..model.known import Unknown, merge
from .code import Code, Run
from .comparing import check_equal
from .types import BOOL, NUMBER, TEXT, Kind, Type, closest, joined, list_of
from .values import Bounds, contains, counted, settled

__all__ = ["FUNCTIONS", "call"]


def call(name: str, args: Sequence[Code]) -> Code:
    """Compile a call of function `name`.

    Raises:
        RuleError: unknown function, wrong number of arguments, or arguments of a kind it cannot take.
    """
    if name not in FUNCTIONS:
        near = closest(name, list(FUNCTIONS))
        raise RuleError(
            f"{name}() is not a function of rules;{f' {near}' if near else ''} there are {joined(sorted(FUNCTIONS))}"
        )
    count, make = FUNCTIONS[name]
    if (count is None and not args) or (count is not None and len(args) != count):
        wanted = "at least one value" if count is None else "one value" if count == 1 else f"{count} values"
        raise RuleError(f"{name}() takes {wanted}, not {len(args)}")
    return make(name, args)


def _kind(name: str, code: Code, *kinds: Kind) -> None:
    if code.type.kind not in kinds:
        raise RuleError(
            f"{name}() takes a {joined([str(k) for k in kinds], 'or')}, and {_named(code)} is a {code.type}"
        )


def _named(code: Code) -> str:
    return repr(code.value) if code.literal else code.path or "the value"


def _no_null(name: str, code: Code) -> None:
    if code.type.nullable:
        raise RuleError(
            f"{name}() cannot take null, and {_named(code)} may be null; give a value for null with not_null()"
        )


def _apply(codes: Sequence[Code], function: Callable[..., Any]) -> Run:
    """Call `function` with the values; an unknown among them makes the result unknown."""
    runs = [code.run for code in codes]
    if len(runs) == 1:
        run = runs[0]

        def single(node: Any) -> Any:
            value = run(node)
            return value if value.__class__ is Unknown else function(value)

        return single

    def several(node: Any) -> Any:
        values = [run(node) for run in runs]
        unknown = [v for v in values if v.__class__ is Unknown]
        return merge(unknown) if unknown else function(*values)

    return several


def _length(name: str, args: Sequence[Code]) -> Code:
    (code,) = args
    _kind(name, code, Kind.LIST, Kind.TEXT, Kind.MAP)
    _no_null(name, code)
    function = counted if code.type.kind is Kind.LIST else len
    return Code(NUMBER.but(vague=code.type.vague), _apply(args, function), code.path)


def _contains(name: str, args: Sequence[Code]) -> Code:
    where, what = args
    _kind(name, where, Kind.LIST, Kind.TEXT)
    _no_null(name, where)
    vague = where.type.vague or what.type.vague
    if where.type.kind is Kind.TEXT:
        _kind(name, what, Kind.TEXT)
        _no_null(name, what)
        return Code(BOOL.but(vague=vague), _apply(args, lambda text, part: part in text))
    item = where.type.item
    assert item is not None  # every list type has one
    check_equal(Code(item, where.run, where.path), what)
    if where.literal:
        for value in where.value:
            check_equal(what, Code(item, where.run, literal=True, value=value))
    # A list that is known may decide although what is looked for is not: `contains` looks at both.
    run, wanted = where.run, what.run

    def find(node: Any) -> Any:
        value = run(node)
        return value if value.__class__ is Unknown else contains(value, wanted(node))

    return Code(BOOL.but(vague=vague or item.vague), find)


def _affix(name: str, args: Sequence[Code]) -> Code:
    for code in args:
        _kind(name, code, Kind.TEXT)
        _no_null(name, code)
    function = str.startswith if name == "starts_with" else str.endswith
    return Code(BOOL.but(vague=any(a.type.vague for a in args)), _apply(args, function))


def _items(name: str, code: Code, *kinds: Kind) -> Type:
    _kind(name, code, Kind.LIST)
    _no_null(name, code)
    item = code.type.item
    if item is None or item.kind not in kinds or item.nullable:
        raise RuleError(
            f"{name}() takes a list of {joined([str(k) for k in kinds], 'or')}, and {_named(code)} is a {code.type}"
        )
    return item


def _of_known(function: Callable[..., Any]) -> Callable[..., Any]:
    def apply(*values: Any) -> Any:
        *others, members = values
        known = settled(members)
        return known if known.__class__ is Unknown else function(*others, known)

    return apply


def _extreme(name: str, args: Sequence[Code]) -> Code:
    item = _items(name, args[0], Kind.NUMBER, Kind.TEXT, Kind.TIME)
    pick: Any = min if name == "min" else max
    vague = args[0].type.vague or item.vague
    return Code(
        item.but(nullable=True, vague=vague),
        _apply(args, _of_known(lambda known: pick(known, default=None))),
        args[0].path,
    )


def _sum(name: str, args: Sequence[Code]) -> Code:
    item = _items(name, args[0], Kind.NUMBER)
    return Code(NUMBER.but(vague=args[0].type.vague or item.vague), _apply(args, _of_known(sum)), args[0].path)


def _join(name: str, args: Sequence[Code]) -> Code:
    glue, members = args
    _kind(name, glue, Kind.TEXT)
    _no_null(name, glue)
    item = _items(name, members, Kind.TEXT)
    vague = glue.type.vague or members.type.vague or item.vague
    return Code(TEXT.but(vague=vague), _apply(args, _of_known(lambda text, known: text.join(known))), members.path)


def _sort(name: str, args: Sequence[Code]) -> Code:
    item = _items(name, args[0], Kind.NUMBER, Kind.TEXT, Kind.TIME)
    vague = args[0].type.vague or item.vague
    return Code(list_of(item, vague=vague), _apply(args, _of_known(lambda known: tuple(sorted(known)))), args[0].path)


def _keys(name: str, args: Sequence[Code]) -> Code:
    _kind(name, args[0], Kind.MAP)
    _no_null(name, args[0])
    return Code(list_of(TEXT, vague=args[0].type.vague), _apply(args, lambda tags: tuple(sorted(tags))), args[0].path)


def _not_null(name: str, args: Sequence[Code]) -> Code:
    kinds = {a.type.kind for a in args if a.type.kind is not Kind.NULL}
    if len(kinds) > 1:
        raise RuleError(f"{name}() takes values of one kind, not {joined(sorted(kinds))}")
    certain = next((i for i, a in enumerate(args) if not a.type.nullable), None)
    if certain is not None and certain < len(args) - 1:
        raise RuleError(f"{_named(args[certain])} is never null, so the values after it in not_null() are never used")
    runs = [a.run for a in args]

    def first(node: Any) -> Any:
        return next((value for run in runs if (value := run(node)) is not None), None)

    base = args[0].type
    values = [a.type.values if not a.literal else frozenset({a.value}) for a in args if a.type.kind is Kind.TEXT]
    known = None if None in values else frozenset().union(*(v for v in values if v)) or None
    return Code(
        base.but(nullable=certain is None, vague=any(a.type.vague for a in args), values=known), first, args[0].path
    )


def _text(value: Any) -> Any:
    if value.__class__ is Bounds:
        return value.why
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, datetime.datetime) else str(value)


def _to_string(name: str, args: Sequence[Code]) -> Code:
    _kind(name, args[0], Kind.NUMBER, Kind.TEXT, Kind.BOOL, Kind.TIME)
    _no_null(name, args[0])
    return Code(TEXT.but(vague=args[0].type.vague), _apply(args, _text), args[0].path)


def _with_noun(name: str, args: Sequence[Code]) -> Code:
    number, noun = args
    _kind(name, number, Kind.NUMBER)
    _kind(name, noun, Kind.TEXT)
    _no_null(name, number)
    _no_null(name, noun)

    def words(value: Any, one: str) -> Any:
        if value.__class__ is Bounds:
            return value.why
        return f"{value:g} {one}" if value == 1 else f"{value:g} {one}s"

    return Code(TEXT.but(vague=number.type.vague or noun.type.vague), _apply(args, words))


# Name → (number of arguments, None for one or more; what compiles a call).
FUNCTIONS: dict[str, tuple[int | None, Callable[[str, Sequence[Code]], Code]]] = {
    "contains": (2, _contains),
    "counted": (2, _with_noun),
    "ends_with": (2, _affix),
    "join": (2, _join),
    "keys": (1, _keys),
    "length": (1, _length),
    "max": (1, _extreme),
    "min": (1, _extreme),
    "not_null": (None, _not_null),
    "sort": (1, _sort),
    "starts_with": (2, _affix),
    "sum": (1, _sum),
    "to_string": (1, _to_string),
}
