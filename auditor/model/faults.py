"""Faults in files that people write, in words: what is wrong, where, and what was meant."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from typing import Any

import msgspec

__all__ = ["closest", "fault_in_words"]

_UNKNOWN = re.compile(r"Object contains unknown field `(?P<key>[^`]*)`")
_LACKS = re.compile(r"Object missing required field `(?P<key>[^`]*)`")
_CHOICE = re.compile(r"Invalid enum value '(?P<value>.*)'")
_DATE = re.compile(r"Invalid RFC3339 encoded (?P<kind>\w+)")
_TYPE = re.compile(r"Expected `(?P<wanted>[^`]*)`, got `(?P<got>[^`]*)`")
_FORMED = (msgspec.inspect.StructType, msgspec.inspect.LiteralType, msgspec.inspect.EnumType)
_WORDS = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "null": "nothing",
    "array": "a list",
    "object": "a mapping",
    "datetime": "a time",
    "date": "a date",
}


def fault_in_words(message: str, form: Any) -> str:
    """What msgspec complains of in words, with the place as one would write it."""
    what, _, path = message.partition(" - at `")
    steps = re.findall(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]", path.rstrip("`"))
    place = "".join(f".{name}" if name else f"[{index}]" for name, index in steps if index != "...").lstrip(".")
    here = f"`{place}`: " if place else ""
    if match := _UNKNOWN.match(what):
        names = _fields_at(form, [name for name, _ in steps])
        return f"{here}unknown key `{match['key']}`{closest(match['key'], names)}"
    if match := _LACKS.match(what):
        return f"{here}the key `{match['key']}` is missing"
    if match := _CHOICE.match(what):
        choices = _choices_at(form, [name for name, _ in steps])
        return f"{here}{match['value']!r} is not one of its values{closest(match['value'], choices)}"
    if match := _DATE.match(what):
        return f"{here}not a {match['kind']}: write it as {'2027-03-31' if match['kind'] == 'date' else '2027-03-31T18:00:00Z'}"
    if match := _TYPE.match(what):
        hint = " (put it in quotes)" if match["wanted"] == "str" and match["got"] in ("int", "float", "bool") else ""
        return f"{here}expected {_words(match['wanted'])}, got {_words(match['got'])}{hint}"
    return f"{here}{what[:1].lower()}{what[1:]}"


def _words(types: str) -> str:
    return " or ".join(_WORDS.get(name.strip(), name.strip()) for name in types.split("|"))


def closest(word: str, known: Iterable[str]) -> str:
    """The end of a sentence about a misspelt word: the one that was meant, or those there are."""
    names = sorted(set(known))
    near = difflib.get_close_matches(word, names, 1, 0.6)
    if near:
        return f"; did you mean `{near[0]}`?"
    return f"; known are {', '.join(names)}" if 0 < len(names) <= 20 else ""


def _type_at(form: Any, steps: list[str]) -> Any:
    """The type a path leads to; lists, mappings and unions with null are stepped through."""
    info = msgspec.inspect.type_info(form)
    for step in ["", *steps]:
        if step and isinstance(info, msgspec.inspect.StructType):
            info = next((field.type for field in info.fields if field.encode_name == step), info)
        info = _inner(info)
    return info


def _inner(info: Any) -> Any:
    """Below lists, mappings and unions: the first struct or set of choices, else the type itself."""
    match info:
        case msgspec.inspect.UnionType():
            parts = [_inner(part) for part in info.types]
            return next((p for p in parts if isinstance(p, _FORMED)), info)
        case msgspec.inspect.VarTupleType() | msgspec.inspect.ListType():
            return _inner(info.item_type)
        case msgspec.inspect.DictType():
            return _inner(info.value_type)
    return info


def _fields_at(form: Any, steps: list[str]) -> list[str]:
    info = _type_at(form, steps)
    return [field.encode_name for field in info.fields] if isinstance(info, msgspec.inspect.StructType) else []


def _choices_at(form: Any, steps: list[str]) -> list[str]:
    info = _type_at(form, steps)
    if isinstance(info, msgspec.inspect.EnumType):
        return [str(member.value) for member in info.cls]
    return [str(value) for value in info.values] if isinstance(info, msgspec.inspect.LiteralType) else []
