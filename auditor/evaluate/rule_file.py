"""The form of a rule file, strict: unknown keys and values of another type are refused."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from ..model.verdict import Severity
from .expression import ConditionText
from .syntax import params_in
from .template import placeholders

__all__ = ["Equivalent", "Fix", "Level", "RuleFile", "Strict", "levels_of", "places", "used_params"]

Confidence: TypeAlias = Literal["certain", "likely", "possible"]
Param: TypeAlias = bool | int | float | str | tuple[int | float | str, ...]


class Strict(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Base of the parts of a rule file: an unknown key is refused."""


class Level(Strict, frozen=True, kw_only=True):
    """One entry of a list of severities; the last has no `when`."""

    level: Severity
    when: ConditionText | None = None


class Fix(Strict, frozen=True, kw_only=True):
    """How to mend it. `summary` and `cli` are templates; values in `cli` are quoted for the shell."""

    summary: str
    cli: str | tuple[str, ...] = ()
    caution: str = ""


class Equivalent(Strict, frozen=True, kw_only=True):
    """A mutant that no case can notice, and why (see `auditor.evaluate.cases`)."""

    mutant: str
    reason: str


class RuleFile(Strict, frozen=True, kw_only=True):
    """A rule file as written, its cases aside (`auditor.evaluate.catalogue` decodes them on demand).

    `not_applicable` says what it takes for the rule to apply, where a reader would not guess it.
    """

    id: str
    title: str
    severity: Severity | tuple[Level, ...]
    confidence: Confidence
    subject: str
    message: str
    why: str
    fix: Fix
    applies_when: ConditionText | None = None
    not_applicable: str = ""
    violated_when: ConditionText | None = None
    check: str | None = None
    params: dict[str, Param] = msgspec.field(default_factory=dict)
    intent: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    hides: tuple[str, ...] = ()
    zones: str | None = None
    causes: str | None = None
    equivalent: tuple[Equivalent, ...] = ()


def levels_of(file: RuleFile) -> tuple[Level, ...]:
    """The severities of a rule as a list."""
    return (Level(level=file.severity),) if isinstance(file.severity, Severity) else file.severity


def used_params(file: RuleFile) -> list[str]:
    """Names of the params the rule's expressions and templates use, repeats included."""
    texts = [text for _, condition in places(file) for text in _texts(condition)]
    texts += [text for text in (file.zones, file.causes) if text]
    commands = (file.fix.cli,) if isinstance(file.fix.cli, str) else file.fix.cli
    for template in (file.message, file.fix.summary, *commands):
        texts += [piece for piece, code in placeholders(template) if code]
    return [name for text in texts for name in params_in(text)]


def _texts(condition: ConditionText) -> list[str]:
    if isinstance(condition, str):
        return [condition]
    parts = condition.all or condition.any or (condition.not_,)
    return [text for part in parts if part is not None for text in _texts(part)]


def places(file: RuleFile) -> list[tuple[str, ConditionText]]:
    """The conditions of a rule, each with the place it stands in."""
    found = [("applies_when", file.applies_when), ("violated_when", file.violated_when)]
    found += [(f"severity[{i}].when", level.when) for i, level in enumerate(levels_of(file))]
    return [(place, condition) for place, condition in found if condition is not None]
