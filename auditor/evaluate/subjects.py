"""What rules can be written about: the subjects, and the names an expression may read on each, with type and source."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from typing import Any

import msgspec

from ..derive.node import Fact, Facts, Node
from ..derive.nodes import SUBJECTS
from ..errors import UsageError
from ..record.decode import reads
from .types import Field, Kind, Type, closest, fields_of, joined

__all__ = ["SubjectFact", "actions_of", "facts_of", "says_of", "subject_named"]

_OF_EVERY_SUBJECT = {
    "resource": "what a finding about it names",
    "tags": 'tags of the resource; one is read as tags."NAME"',
}
_PLAIN = {"Zone": {"key": "the zone ID, or ?NAME when no answer gives the ID"}}


class SubjectFact(msgspec.Struct, frozen=True, kw_only=True):
    """A name that an expression may read.

    Attributes:
        name: the name itself.
        path: how an expression reaches it from the subject; ``[*]`` steps into a list.
        type: its type in words, such as ``list of GroupInZone``.
        nullable: whether it can be null.
        may_be_unknown: whether it can be unknown.
        values: for text, the only values it takes; empty when any text is possible.
        says: what it says.
        sources: the reads it rests on, with the field of the answer where one decides (``elbv2:DescribeX#Field``).
        needs: the IAM actions of these reads.
        of: for a group of facts, or a list of them, the name of the group; else "".
        fields: the names below it.
    """

    name: str
    path: str
    type: str
    nullable: bool
    may_be_unknown: bool
    values: tuple[str, ...]
    says: str
    sources: tuple[str, ...]
    needs: tuple[str, ...]
    of: str
    fields: tuple[SubjectFact, ...]


def subject_named(name: str) -> type[Node]:
    """The subject of that name.

    Raises:
        UsageError: there is none; the sentence says which one may be meant, and which there are.
    """
    if name not in SUBJECTS:
        near = closest(name, list(SUBJECTS))
        raise UsageError(
            f"there is no subject {name!r};{f' {near}' if near else ''} the subjects are {joined(sorted(SUBJECTS))}"
        )
    return SUBJECTS[name]


def says_of(struct: type[Any]) -> str:
    """The first sentence of what a subject, or a group of facts, is."""
    return re.sub(r"\s+", " ", (inspect.getdoc(struct) or "").split("\n\n")[0]).rstrip(".")


def facts_of(struct: type[Any]) -> tuple[SubjectFact, ...]:
    """The names an expression may read on a subject, those below a name included.

    A group of facts that holds its own kind again is listed once on the way down.
    """
    return _facts(struct, "", (struct,))


def _facts(struct: type[Any], prefix: str, way: Sequence[type[Any]]) -> tuple[SubjectFact, ...]:
    return tuple(_fact(struct, field, prefix, way) for field in fields_of(struct).values())


def _fact(struct: type[Any], field: Field, prefix: str, way: Sequence[type[Any]]) -> SubjectFact:
    path = f"{prefix}{field.name}"
    kind, below = field.type, field.type
    while below.kind is Kind.LIST and below.item:
        path, below = f"{path}[*]", below.item
    of = below.of if below.kind is Kind.FACTS else None
    return SubjectFact(
        name=field.name,
        path=path,
        type=type_words(kind),
        nullable=kind.nullable,
        may_be_unknown=kind.vague,
        values=tuple(sorted(below.values or ())),
        says=_says(struct, field),
        sources=field.fact.cites if field.fact else (),
        needs=tuple(sorted(set(actions_of(field.fact)))) if field.fact else (),
        of=of.__name__ if of else "",
        fields=_facts(of, f"{path}.", (*way, of)) if of and of not in way else (),
    )


def _says(struct: type[Any], field: Field) -> str:
    if field.fact:
        return field.fact.says
    if issubclass(struct, Facts):
        return _OF_EVERY_SUBJECT.get(field.name, "")
    return _PLAIN.get(struct.__name__, {}).get(field.name, "")


def type_words(type_: Type) -> str:
    """A type in words: ``number or null``, ``list of Zone``, ``text (off or on)``."""
    if type_.kind is Kind.LIST and type_.item:
        words = f"list of {type_words(type_.item)}"
    elif type_.kind is Kind.FACTS and type_.of:
        words = type_.of.__name__
    elif type_.kind is Kind.TEXT and type_.values:
        words = f"text ({joined(sorted(type_.values), 'or')})"
    else:
        words = str(type_.kind)
    return f"{words} or null" if type_.nullable and type_.kind is not Kind.NULL else words


def actions_of(fact: Fact) -> tuple[str, ...]:
    """The IAM actions behind a fact, from the sources it cites (``elbv2:DescribeTargetHealth#states``)."""
    found = []
    for cite in fact.cites:
        service, _, operation = cite.partition("#")[0].partition(":")
        found.append(reads()[service, operation].action)
    return tuple(found)
