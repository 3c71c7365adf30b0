"""Static types of what an expression can read, taken from the annotations of the facts."""

from __future__ import annotations

import dataclasses
import datetime
import difflib
import inspect
import types
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from ..derive.node import Fact, Facts, Node
from ..model.known import Unknown

__all__ = [
    "BOOL",
    "NULL",
    "NUMBER",
    "TEXT",
    "Field",
    "Kind",
    "Type",
    "closest",
    "fields_of",
    "joined",
    "list_of",
    "type_of",
]


class Kind(StrEnum):
    """The kinds of values, in the words error messages use."""

    BOOL = "truth value"
    NUMBER = "number"
    TEXT = "text"
    TIME = "time"
    LIST = "list"
    FACTS = "group of facts"
    MAP = "mapping"
    NULL = "null"


@dataclasses.dataclass(frozen=True, slots=True)
class Type:
    """What a value can be.

    Attributes:
        kind: its kind.
        nullable: whether it can be null.
        vague: whether it may be not (fully) known: an `Unknown`, a count with bounds, a list with doubtful members.
        values: for text, the only values it takes; None when any text is possible.
        item: for a list, the type of its members.
        of: for a group of facts, its struct.
    """

    kind: Kind
    nullable: bool = False
    vague: bool = False
    values: frozenset[str] | None = None
    item: Type | None = None
    of: type[Any] | None = None

    def but(self, **changes: Any) -> Type:
        """This type with some attributes changed."""
        return dataclasses.replace(self, **changes)

    def __str__(self) -> str:
        words = str(self.kind)
        if self.kind is Kind.LIST and self.item:
            words = f"list of {self.item.kind}"
        elif self.values:
            words = f"text ({joined(sorted(self.values), 'or')})"
        return f"{words} or null" if self.nullable and self.kind is not Kind.NULL else words


BOOL = Type(Kind.BOOL)
NUMBER = Type(Kind.NUMBER)
TEXT = Type(Kind.TEXT)
NULL = Type(Kind.NULL, nullable=True)

_PLAIN: dict[Any, Kind] = {
    bool: Kind.BOOL,
    int: Kind.NUMBER,
    float: Kind.NUMBER,
    str: Kind.TEXT,
    datetime.datetime: Kind.TIME,
    type(None): Kind.NULL,
}


@dataclasses.dataclass(frozen=True, slots=True)
class Field:
    """A name that may follow a dot: its type, and the fact it states (None on structs that are not facts, such as a zone)."""

    name: str
    type: Type
    fact: Fact | None


def list_of(item: Type, *, vague: bool = False) -> Type:
    """A list whose members are of one type."""
    return Type(Kind.LIST, item=item, vague=vague)


def type_of(hint: Any) -> Type:
    """The static type of an annotation.

    Raises:
        TypeError: for a type that has no clear meaning in an expression.
    """
    while hasattr(hint, "__supertype__"):
        hint = hint.__supertype__
    if hint in _PLAIN:
        return Type(_PLAIN[hint], nullable=hint is type(None))
    origin = get_origin(hint)
    if origin is Annotated:
        return type_of(get_args(hint)[0])
    if origin in (Union, types.UnionType):
        return _union(get_args(hint))
    if origin is Literal:
        return _literal(get_args(hint))
    if origin in (tuple, list):
        return _list(origin, get_args(hint))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return Type(Kind.MAP)
    return _named(hint)


def _named(hint: Any) -> Type:
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return Type(Kind.TEXT, values=frozenset(str(v) for v in hint))
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return Type(Kind.FACTS, of=hint)
    raise TypeError(f"{hint!r} cannot be read by an expression")


def _union(members: tuple[Any, ...]) -> Type:
    vague = Unknown in members
    found = [type_of(m) for m in members if m is not Unknown]
    nullable = any(t.nullable for t in found)
    rest = list(dict.fromkeys(t.but(nullable=False) for t in found if t.kind is not Kind.NULL))
    if not rest:
        return NULL.but(vague=vague)
    if len(rest) > 1:
        if len({t.kind for t in rest}) > 1 or rest[0].kind not in (Kind.NUMBER, Kind.TEXT):
            raise TypeError("a field of several types cannot be read by an expression")
        values = [t.values for t in rest]
        rest = [Type(rest[0].kind, values=None if None in values else frozenset().union(*(v for v in values if v)))]
    return rest[0].but(nullable=nullable, vague=vague or rest[0].vague)


def _literal(values: tuple[Any, ...]) -> Type:
    texts = frozenset(v for v in values if isinstance(v, str))
    if len(texts) == sum(v is not None for v in values):
        return Type(Kind.TEXT, values=texts, nullable=None in values)
    raise TypeError("a Literal of anything but text cannot be read by an expression")


def _list(origin: Any, args: tuple[Any, ...]) -> Type:
    if origin is tuple and (len(args) != 2 or args[1] is not Ellipsis):
        raise TypeError("a tuple of fixed length cannot be read by an expression")
    return list_of(type_of(args[0]))


def fields_of(struct: type[Any]) -> Mapping[str, Field]:
    """The names an expression may read on a struct, in the order in which they are declared.

    On facts these are the fields with a `Fact`, and `resource` and `tags`; on other structs all fields and the properties
    with a type. Fields of a type that expressions cannot read are left out.
    """
    if struct not in _FIELDS:
        _FIELDS[struct] = _read_fields(struct)
    return _FIELDS[struct]


_FIELDS: dict[type[Any], Mapping[str, Field]] = {}


def _read_fields(struct: type[Any]) -> Mapping[str, Field]:
    hints = get_type_hints(struct, include_extras=True)
    facts = issubclass(struct, Facts)
    found: dict[str, Field] = {}
    for field in msgspec.structs.fields(struct):
        fact = next((m for m in getattr(hints[field.name], "__metadata__", ()) if isinstance(m, Fact)), None)
        if fact or not facts or (issubclass(struct, Node) and field.name in ("resource", "tags")):
            _add(found, field.name, hints[field.name], fact)
    if not facts:
        for name, member in inspect.getmembers(struct, lambda m: isinstance(m, property)):
            _add(found, name, get_type_hints(member.fget).get("return"), None)
    return found


def _add(found: dict[str, Field], name: str, hint: Any, fact: Fact | None) -> None:
    try:
        found[name] = Field(name, type_of(hint), fact)
    except TypeError:
        return


def closest(wanted: str, names: list[str]) -> str:
    """A "did you mean" clause for a name that is not among `names`; "" when none is near."""
    plain = {n.replace("_", "").replace("-", "").casefold(): n for n in reversed(names)}
    near = difflib.get_close_matches(wanted.replace("_", "").replace("-", "").casefold(), list(plain), n=1, cutoff=0.6)
    return f"did you mean {plain[near[0]]}?" if near else ""


def joined(words: list[str], last: str = "and") -> str:
    """Words as a list in a sentence: ``a, b and c``."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}" if words else "none"
