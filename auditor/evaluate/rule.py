"""A rule ready to judge: its file checked against the facts of its subject and compiled."""

from __future__ import annotations

import dataclasses
import re
import threading
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import msgspec

from ..derive.node import Fact, Node
from ..derive.nodes import SUBJECTS
from ..errors import RuleError
from ..model.finding import Cause
from ..model.identity import Zone
from ..model.verdict import Severity
from .checks import find_check
from .expression import Expression, Parsed, compile_condition, compile_expression, parsed_condition
from .intent import WORDS
from .rule_file import RuleFile, levels_of, places, used_params
from .subjects import actions_of
from .template import Template, compile_template, placeholders
from .trail import Reading, Trail
from .types import Kind, closest, fields_of, joined

__all__ = ["Conditions", "Rule", "RuleFile", "compile_conditions", "compile_rule"]

_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


@dataclasses.dataclass(frozen=True)
class Conditions:
    """The compiled judgement of a rule; `severities` in order, the last without a condition."""

    applies: Expression | None
    violated: Expression
    severities: tuple[tuple[Severity, Expression | None], ...]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Rule:
    """A rule ready to judge. Make it with `compile_rule`; all its attributes are read only.

    Attributes:
        file: the file as written, with the params in force.
        family: name of the folder it lies in, such as ``elb``.
        path: the file it was read from.
        builtin: whether it ships with the program.
        parsed: syntax trees by place (``applies_when``, ``violated_when``, ``severity[0].when``), for mutation.
        per_zone: whether its subject has a zone, so that the zone is part of a finding's identity.
    """

    file: RuleFile
    family: str
    path: Path
    builtin: bool
    subject: type[Node]
    parsed: Mapping[str, Parsed]
    conditions: Conditions
    message: Template
    fix_summary: Template
    fix_cli: tuple[Template, ...]
    zones: Expression | None
    causes: Expression | None
    per_zone: bool

    @property
    def id(self) -> str:
        """The rule's id."""
        return self.file.id

    @cached_property
    def severities(self) -> tuple[Severity, ...]:
        """The levels it can give, in the order in which they are tried; the last is its ordinary one."""
        return tuple(level for level, _ in self.conditions.severities)

    @cached_property
    def facts(self) -> dict[str, Fact]:
        """The facts its verdict rests on, by dotted name from the subject."""
        parts = [self.conditions.applies, self.conditions.violated, *(when for _, when in self.conditions.severities)]
        return {name: fact for part in parts if part for name, fact in part.facts.items()}

    @cached_property
    def needs(self) -> tuple[str, ...]:
        """The IAM actions its verdict rests on, sorted."""
        return tuple(sorted({action for fact in self.facts.values() for action in actions_of(fact)}))

    @cached_property
    def _traced(self) -> tuple[threading.Lock, Trail, Conditions, tuple[Expression, ...]]:
        trail = Trail()
        told = tuple(
            compile_expression(text, self.file.params, self.subject, trail)
            for text, code in placeholders(self.file.message)
            if code
        )
        return threading.Lock(), trail, compile_conditions(self.file, self.subject, self.parsed, trail), told

    def readings(self, node: Node, *, told: bool) -> tuple[Reading, ...]:
        """The facts that led to the verdict on `node`: the judgement is run again, noting what it reads.

        What the violation rests on comes first, then what decided whether the rule applies, then the severity, and with
        `told` what the message says beside.
        """
        lock, trail, traced, message = self._traced
        with lock:
            trail.clear()
            traced.violated.run(node)
            if traced.applies:
                traced.applies.run(node)
            for _, when in traced.severities:
                if when is None or when.run(node) is True:
                    break
            for expression in message if told else ():
                expression.run(node)
            found = trail.readings()
            trail.clear()
        return found


def compile_rule(file: RuleFile, path: Path, *, builtin: bool) -> Rule:
    """Check a rule file and compile it.

    Raises:
        RuleError: one sentence that names the file and the place in it.
    """
    try:
        return _compile(file, path, builtin=builtin)
    except RuleError as error:
        raise RuleError(f"{path}: {error}") from None


def _compile(file: RuleFile, path: Path, *, builtin: bool) -> Rule:
    _check_id(file, path, builtin=builtin)
    subject = _subject(file.subject)
    _check_severity(file)
    _check_params(file)
    parsed = parsed_conditions(file)
    commands = (file.fix.cli,) if isinstance(file.fix.cli, str) else file.fix.cli
    rule = Rule(
        file=file,
        family=path.parent.name,
        path=path,
        builtin=builtin,
        subject=subject,
        parsed=parsed,
        conditions=compile_conditions(file, subject, parsed, None),
        message=_template("message", file.message, file, subject),
        fix_summary=_template("fix.summary", file.fix.summary, file, subject),
        fix_cli=tuple(_template("fix.cli", command, file, subject, shell=True) for command in commands),
        zones=_listing("zones", file.zones, file, subject, Zone),
        causes=_listing("causes", file.causes, file, subject, Cause),
        per_zone=_has_zone(subject),
    )
    return rule


def _has_zone(subject: type[Node]) -> bool:
    zone = fields_of(subject).get("zone")
    return zone is not None and zone.type.of is Zone


def _check_id(file: RuleFile, path: Path, *, builtin: bool) -> None:
    if not _ID.fullmatch(file.id):
        raise RuleError(f"id: {file.id!r} is not lower-case words joined by hyphens")
    if path.stem != file.id:
        raise RuleError(f"id: {file.id!r} differs from the name of the file; call it {file.id}.yaml")
    if not builtin and not file.id.startswith("x-"):
        raise RuleError(f"id: the id of a rule of your own starts with x-, such as x-{file.id}")
    if builtin and file.id.startswith("x-"):
        raise RuleError(f"id: {file.id!r} starts with x-, which is kept for rules of users")


def _subject(name: str) -> type[Node]:
    if name not in SUBJECTS:
        near = closest(name, list(SUBJECTS))
        raise RuleError(
            f"subject: there is no {name!r};{f' {near}' if near else ''} the subjects are {joined(sorted(SUBJECTS))}"
        )
    return SUBJECTS[name]


def _check_severity(file: RuleFile) -> None:
    levels = levels_of(file)
    if not levels or levels[-1].when is not None or any(level.when is None for level in levels[:-1]):
        raise RuleError("severity: every level but the last has a `when`, and the last has none")
    for word in file.intent:
        if word not in WORDS:
            near = closest(word, list(WORDS))
            raise RuleError(
                f"intent: there is no {word!r};{f' {near}' if near else ''} the words are {joined(sorted(WORDS))}"
            )
    if file.intent and any(level.level is Severity.CRITICAL for level in levels):
        raise RuleError(
            "intent: a rule that can be critical cannot be switched off by intent; requests fail whatever was meant"
        )


def _check_params(file: RuleFile) -> None:
    for name in file.params:
        if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
            raise RuleError(f"params: {name!r} is not a name in lower case with underscores")
    used = set(used_params(file))
    unused = sorted(set(file.params) - used) if file.check is None else []
    if unused:
        raise RuleError(f"params: ${unused[0]} is used nowhere in the rule")


def parsed_conditions(file: RuleFile) -> dict[str, Parsed]:
    """Syntax trees of the conditions, by place."""
    found = {}
    for place, condition in places(file):
        with _at(place):
            found[place] = parsed_condition(condition, file.params)
    return found


class _at:
    """Names the place in front of a `RuleError` that passes through."""

    def __init__(self, place: str) -> None:
        self._place = place

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> Literal[False]:
        if isinstance(error, RuleError):
            raise RuleError(f"{self._place}: {error}") from None
        return False


def compile_conditions(
    file: RuleFile, subject: type[Node], parsed: Mapping[str, Parsed], trail: Trail | None
) -> Conditions:
    """Compile the judgement from syntax trees (the rule's own, or mutated ones).

    Raises:
        RuleError: naming the place.
    """

    def compiled(place: str) -> Expression | None:
        if place not in parsed:
            return None
        with _at(place):
            return compile_condition(parsed[place], subject, trail)

    if (file.violated_when is None) == (file.check is None):
        raise RuleError("violated_when: a rule has either violated_when or check")
    violated = compiled("violated_when")
    if violated is None:
        with _at("check"):
            violated = find_check(file.check or "", subject, file.params, trail)
    severities = tuple((level.level, compiled(f"severity[{i}].when")) for i, level in enumerate(levels_of(file)))
    return Conditions(compiled("applies_when"), violated, severities)


def _template(place: str, text: str, file: RuleFile, subject: type[Node], *, shell: bool = False) -> Template:
    with _at(place):
        return compile_template(text, file.params, subject, shell=shell)


def _listing(
    place: str, text: str | None, file: RuleFile, subject: type[Node], of: type[msgspec.Struct]
) -> Expression | None:
    if text is None:
        return None
    with _at(place):
        code = compile_expression(text, file.params, subject)
        item = code.type.item if code.type.kind is Kind.LIST else code.type
        if item is None or item.of is not of:
            raise RuleError(f"{text!r} is a {code.type}, and a {of.__name__} or a list of them is wanted")
    return code
