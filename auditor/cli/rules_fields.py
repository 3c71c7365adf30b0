"""``auditor rules fields``: the subjects of rules, and the facts of each."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from .. import app
from .delivery import write_stdout
from .options import table_or_json

if TYPE_CHECKING:
    from ..evaluate.subjects import SubjectFact

_WIDTH = 100
_INDENT = "  "


@click.command("fields")
@click.argument("subject", required=False)
@table_or_json
def command(subject: str | None, form: str) -> None:
    """List what rules can judge; with a SUBJECT, the facts that a rule on it may read."""
    found = app.rule_fields(subject)
    if form == "json":
        write_stdout(json.dumps(_document(found), ensure_ascii=False, indent=2) + "\n", utf8=True)
    elif subject:
        write_stdout("\n".join(_facts(subject, found[subject])) + "\n")
    else:
        write_stdout("\n".join(_subjects(found)) + "\n")


def _says(name: str) -> str:
    from ..evaluate.subjects import says_of, subject_named  # noqa: PLC0415

    return says_of(subject_named(name))


def _document(found: dict[str, tuple[SubjectFact, ...]]) -> dict[str, Any]:
    from msgspec import to_builtins  # noqa: PLC0415

    subjects = [
        {"name": name, "says": _says(name), "facts": [to_builtins(fact) for fact in facts]}
        for name, facts in found.items()
    ]
    return {"subjects": subjects, "functions": _functions()}


def _functions() -> list[str]:
    from ..evaluate.functions import FUNCTIONS  # noqa: PLC0415

    return sorted(FUNCTIONS)


def _subjects(found: dict[str, tuple[SubjectFact, ...]]) -> Iterator[str]:
    for name, facts in found.items():
        yield f"{name}  ({len(facts)} facts)"
        yield from _wrapped(_says(name), _INDENT)
    yield ""
    yield "`auditor rules fields SUBJECT` lists the facts of one."


def _facts(name: str, facts: Sequence[SubjectFact]) -> Iterator[str]:
    yield from _wrapped(f"{name}: {_says(name)}.", "")
    yield ""
    shown: dict[str, str] = {}
    for fact in facts:
        yield from _fact(fact, "", shown)
    yield ""
    yield from _wrapped("PascalCase is what AWS said, snake_case is derived from it.", "")
    yield from _wrapped(f"Functions: {', '.join(_functions())}.", "")


def _fact(fact: SubjectFact, indent: str, shown: dict[str, str]) -> Iterator[str]:
    """A fact and those below it; a group that was shown already is named by where that was."""
    yield f"{indent}{fact.name}: {fact.type}{', may be unknown' if fact.may_be_unknown else ''}"
    if fact.says:
        yield from _wrapped(fact.says, f"{indent}{_INDENT * 2}")
    if fact.sources:
        # A source and its field are two words, so that long ones can be wrapped.
        sources = ", ".join(source.replace("#", " #") for source in fact.sources)
        yield from _wrapped(f"from {sources}", f"{indent}{_INDENT * 2}")
    if fact.of in shown:
        yield f"{indent}{_INDENT}the fields of {shown[fact.of]}"
        return
    if fact.fields:
        shown[fact.of] = fact.path
    for below in fact.fields:
        yield from _fact(below, f"{indent}{_INDENT}", shown)


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(
        text, _WIDTH, initial_indent=indent, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
