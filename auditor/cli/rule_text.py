"""Rules for people: the catalogue as a table, and the text of one rule."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import tabulate

from ..report.terminal.ink import counted

if TYPE_CHECKING:
    from ..evaluate.cases import CaseReport
    from ..evaluate.expression import ConditionText
    from ..evaluate.rule import Rule

_WIDTH = 80
_INDENT = "  "


def listing(rules: Sequence[Rule], width: int | None = None) -> str:
    """The rules by family and id, in lines of at most `width` columns where that leaves room for the titles."""
    rows = [
        (rule.id, _levels(rule), rule.file.subject, rule.file.title)
        for rule in sorted(rules, key=lambda rule: (rule.family, rule.id))
    ]
    taken = sum(max((len(row[i]) for row in rows), default=0) + 2 for i in range(3))
    table = tabulate.tabulate(
        rows,
        headers=("id", "severity", "subject", "title"),
        tablefmt="plain",
        disable_numparse=True,
        maxcolwidths=[None, None, None, max(20, width - taken)] if width else None,
    )
    return f"{table}\n\n{len(rows)} rules. `auditor rules show ID` explains one.\n"


def _levels(rule: Rule) -> str:
    return "/".join(level.value for level in sorted(set(rule.severities), key=lambda level: -level.rank))


def case_text(reports: Sequence[CaseReport]) -> str:
    """What is wrong, rule by rule, and one line of counts."""
    lines: list[str] = []
    for report in reports:
        if report.passed:
            continue
        lines.append(f"{report.rule_id}  ({report.path})")
        for problem in report.problems:
            lines += _paragraphs(problem, _INDENT)
        lines.append("")
    cases = sum(len(report.results) for report in reports)
    failed = sum(not result.passed for report in reports for result in report.results)
    mutants = sum(report.mutants for report in reports)
    survivors = sum(len(report.survivors) for report in reports)
    bad = sum(not report.passed for report in reports)
    lines += _remarks(reports)
    lines.append(
        f"{counted(len(reports), 'rule')}, {bad} with problems; {counted(cases, 'case')}, {failed} failed; "
        f"{counted(mutants, 'mutant')}, {sum(report.killed for report in reports)} noticed, {survivors} that no case notices."
    )
    return "\n".join(lines) + "\n"


def _remarks(reports: Sequence[CaseReport]) -> Iterator[str]:
    """What the counts do not show: mutants that are listed as equivalent, and rules in which nothing is compared."""
    for report in reports:
        for entry in report.equivalent:
            yield from _paragraphs(f"{report.rule_id}: equivalent: {entry.mutant}: {entry.reason}", "")
    bare = [report.rule_id for report in reports if not report.comparisons]
    if bare:
        yield from _paragraphs(f"Without any comparison: {', '.join(bare)}", "")
    if bare or any(report.equivalent for report in reports):
        yield ""


def text_of(rule: Rule) -> str:
    """The text of a rule: what, why, how it is checked, how it is mended, where it is documented."""
    return "\n".join(_lines(rule)) + "\n"


def _lines(rule: Rule) -> Iterator[str]:
    file = rule.file
    yield rule.id
    yield "=" * len(rule.id)
    yield ""
    yield from _paragraphs(file.title, "")
    yield ""
    yield from _paragraphs(f"{_levels(rule)}, {file.confidence}; judges each {file.subject}; family {rule.family}", "")
    yield from _section("What it says", file.message)
    yield from _section("Why it matters", file.why)
    yield from _checked(rule)
    yield from _section("How to mend it", file.fix.summary)
    commands = (file.fix.cli,) if isinstance(file.fix.cli, str) else file.fix.cli
    if commands:
        yield ""
    for command in commands:
        yield from (f"{_INDENT}$ {line}" for line in command.splitlines())
    if file.fix.caution:
        yield ""
        yield from _paragraphs(f"Take care: {file.fix.caution}")
    yield from _rest(rule)


def _checked(rule: Rule) -> Iterator[str]:
    """The judgement as the rule file has it, the facts it reads, and the reads these rest on."""
    file = rule.file
    yield from _heading("How it is checked")
    if file.applies_when is not None:
        yield f"{_INDENT}applies when"
        yield from _condition(file.applies_when, 2)
    if file.violated_when is not None:
        yield f"{_INDENT}violated when"
        yield from _condition(file.violated_when, 2)
    if file.check:
        yield f"{_INDENT}violated when the check `{file.check}` says so"
    yield from _severities(rule)
    yield ""
    for name, fact in rule.facts.items():
        yield from textwrap.wrap(f"{name}: {fact.says}", _WIDTH, initial_indent=_INDENT, subsequent_indent=_INDENT * 2)
    if rule.needs:
        yield ""
        yield from textwrap.wrap(
            f"Reads: {', '.join(rule.needs)}", _WIDTH, initial_indent=_INDENT, subsequent_indent=_INDENT * 2,
            break_on_hyphens=False, break_long_words=False,
        )  # fmt: skip


def _severities(rule: Rule) -> Iterator[str]:
    """Which severity it has when; the first that fits counts."""
    if isinstance(rule.file.severity, tuple):
        for level in rule.file.severity:
            yield f"{_INDENT}{level.level.value} {'otherwise' if level.when is None else 'when'}"
            if level.when is not None:
                yield from _condition(level.when, 2)


def _condition(condition: ConditionText, depth: int) -> Iterator[str]:
    indent = _INDENT * depth
    if isinstance(condition, str):
        yield indent + condition
        return
    for word, parts in (("all of", condition.all), ("any of", condition.any), ("not", (condition.not_,))):
        for number, part in enumerate(part for part in parts or () if part is not None):
            if number == 0:
                yield f"{indent}{word}"
            yield from _condition(part, depth + 1)


def _rest(rule: Rule) -> Iterator[str]:
    file = rule.file
    if file.params:
        yield from _heading("Params (settings: params)")
        yield from (f"{_INDENT}{name}: {value}" for name, value in file.params.items())
    if file.intent:
        yield from _section("Switched off by intent", ", ".join(file.intent))
    if file.hides:
        yield from _section("Hides, on the same cause", ", ".join(file.hides))
    if file.references:
        yield from _heading("References")
        yield from (f"{_INDENT}{reference}" for reference in file.references)


def _heading(title: str) -> Iterator[str]:
    yield ""
    yield title
    yield ""


def _section(title: str, text: str) -> Iterator[str]:
    yield from _heading(title)
    yield from _paragraphs(text)


def _paragraphs(text: str, indent: str = _INDENT) -> Iterator[str]:
    for number, paragraph in enumerate(text.strip().split("\n\n")):
        if number:
            yield ""
        yield from textwrap.wrap(
            " ".join(paragraph.split()),
            _WIDTH,
            initial_indent=indent,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
