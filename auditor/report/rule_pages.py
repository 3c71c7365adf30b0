"""The catalogue of rules as Markdown: one page with a table of all rules, and one page a rule.

Every word comes from the rule files and the descriptions of the facts; the same catalogue gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import TYPE_CHECKING

from .markdown_text import code, escaped, fenced, link, row, running

if TYPE_CHECKING:
    from ..evaluate.case import Case
    from ..evaluate.catalogue import Catalogue
    from ..evaluate.expression import ConditionText
    from ..evaluate.rule import Rule

__all__ = ["INDEX", "MARK", "rule_pages"]

INDEX = "README.md"
MARK = "<!-- Made by `auditor rules docs --write` from the rule files; changes are lost. -->"
_FAMILIES = {
    "arc": "ARC zonal shift",
    "asg": "EC2 Auto Scaling",
    "eks": "EKS",
    "elb": "Elastic Load Balancing",
    "vpc": "Zones and subnets",
}


def rule_pages(catalogue: Catalogue) -> dict[str, str]:
    """The pages by file name, the page of the whole catalogue first.

    Raises:
        RuleError: the cases of a rule cannot be read.
    """
    rules = sorted(catalogue, key=lambda rule: (rule.family, rule.id))
    pages = {INDEX: _text(_index(rules))}
    for rule in rules:
        pages[f"{rule.id}.md"] = _text(_page(rule, catalogue))
    return pages


def _text(blocks: Iterable[str]) -> str:
    return "\n\n".join([MARK, *blocks]) + "\n"


def _index(rules: list[Rule]) -> Iterator[str]:
    yield "# Rules"
    yield (
        f"{len(rules)} rules. The severity is what happens to users; where a rule has several, the page of the rule says when "
        "each counts. `auditor rules show ID` prints a rule on the terminal."
    )
    for family, members in groupby(rules, key=lambda rule: rule.family):
        yield f"## {escaped(_FAMILIES.get(family, family))}"
        lines = [row("rule", "severity", "what it finds", "needs"), row(*["---"] * 4)]
        for rule in members:
            needs = "<br>".join(code(action) for action in rule.needs)
            lines.append(row(f"[{rule.id}]({rule.id}.md)", _levels(rule), escaped(rule.file.title), needs))
        yield "\n".join(lines)


def _levels(rule: Rule) -> str:
    return ", ".join(level.value for level in sorted(set(rule.severities), key=lambda level: -level.rank))


def _page(rule: Rule, catalogue: Catalogue) -> Iterator[str]:
    file = rule.file
    cases = catalogue.cases(rule.id)
    yield f"# {escaped(file.title)}"
    yield f"{code(rule.id)}: {_levels(rule)}; {file.confidence}; judges each {code(file.subject)}. [All rules]({INDEX})"
    yield from _severity(rule)
    yield "## What it says"
    yield _filled(file.message)
    yield "## Why it matters"
    yield running(file.why)
    yield from _checked(rule)
    yield from _unknown(rule, cases)
    yield from _mend(rule)
    yield from _tuning(rule, catalogue)
    yield from _cases(cases)
    if file.references:
        yield "## References"
        yield "\n".join(f"- {link(reference)}" for reference in file.references)


def _severity(rule: Rule) -> Iterator[str]:
    if isinstance(rule.file.severity, tuple):
        yield "## Severity"
        yield "The first that fits counts."
        for level in rule.file.severity:
            if level.when is None:
                yield f"**{level.level.value}** otherwise"
            else:
                yield f"**{level.level.value}** when"
                yield fenced(_lines(level.when))


def _filled(template: str) -> str:
    """A template with its placeholders as code."""
    from ..evaluate.template import placeholders  # noqa: PLC0415

    pieces = [code(piece) if is_code else _edges(piece) for piece, is_code in placeholders(template.strip())]
    return "".join(pieces)


def _edges(piece: str) -> str:
    """Text between placeholders, with the blanks at its ends kept."""
    lead = " " if piece[:1].isspace() else ""
    trail = " " if piece[-1:].isspace() and piece.strip() else ""
    return f"{lead}{escaped(piece)}{trail}"


def _checked(rule: Rule) -> Iterator[str]:
    file = rule.file
    yield "## How it is checked"
    if file.applies_when is not None:
        yield "It applies when"
        yield fenced(_lines(file.applies_when))
        if file.not_applicable:
            yield f"Otherwise it is not applicable: {escaped(file.not_applicable)}"
    yield "It is a finding when" if file.applies_when is None else "It is then a finding when"
    if file.violated_when is not None:
        yield fenced(_lines(file.violated_when))
    elif file.check:
        yield f"the check {code(file.check)} says so."
    if rule.facts:
        yield "The facts behind it:"
        yield "\n".join(f"- {code(name)}: {escaped(fact.says)}" for name, fact in rule.facts.items())


def _unknown(rule: Rule, cases: Iterable[Case]) -> Iterator[str]:
    names = [case.name for case in cases if case.expect.unknown]
    if not rule.needs and not names:
        return
    yield "## When it is unknown"
    if rule.needs:
        yield "When one of these reads is refused or cut off, and what it would have said decides:"
        yield "\n".join(f"- {code(action)}" for action in rule.needs)
    if names:
        yield "By its cases:"
        yield "\n".join(f"- {escaped(name)}" for name in names)


def _mend(rule: Rule) -> Iterator[str]:
    fix = rule.file.fix
    yield "## How to mend it"
    yield _filled(fix.summary)
    commands = (fix.cli,) if isinstance(fix.cli, str) else fix.cli
    if commands:
        yield "A finding has these commands with the real names filled in."
        yield fenced([line for command in commands for line in command.strip().splitlines()], "sh")
    if fix.caution:
        yield f"**Take care.** {running(fix.caution)}"


def _tuning(rule: Rule, catalogue: Catalogue) -> Iterator[str]:
    file = rule.file
    hidden_by = catalogue.hiding.get(rule.id, ())
    if file.params:
        yield "## Params"
        yield "The settings change them under `params`."
        yield "\n".join(f"- {code(name)}: {escaped(_param(value))}" for name, value in file.params.items())
    if file.intent:
        yield "## Declared intent"
        yield f"These words, in the settings or the tag `auditor:intent`, switch it off: {_list(file.intent)}."
    if file.hides or hidden_by:
        yield "## Beside other rules"
    if file.hides:
        yield f"A finding of this rule hides those of {_links(file.hides)} that have no other cause."
    if hidden_by:
        yield f"Hidden by {_links(sorted(hidden_by))} where that explains all of its causes."


def _param(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(_param(item) for item in value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _list(words: Iterable[str]) -> str:
    return ", ".join(code(word) for word in words)


def _links(ids: Iterable[str]) -> str:
    return ", ".join(f"[{rule_id}]({rule_id}.md)" for rule_id in ids)


def _cases(cases: Iterable[Case]) -> Iterator[str]:
    lines = [f"- {escaped(case.name)}: {', '.join(_verdicts(case))}" for case in cases]
    if lines:
        yield "## Cases"
        yield "States of an account that the rule is tested with, and its verdict on each."
        yield "\n".join(lines)


def _verdicts(case: Case) -> Iterator[str]:
    expect = case.expect
    said: Mapping[str, tuple[str, ...]] = {
        "finding": expect.fail,
        "passes": expect.pass_,
        "unknown": expect.unknown,
        "not applicable": expect.not_applicable,
        "no verdict": expect.absent,
    }
    found = [word for word, names in said.items() if names]
    if expect.severity and expect.fail:
        found[0] = f"{expect.severity.value} finding"
    if expect.hidden_by:
        found[0] = f"{found[0]} hidden by {expect.hidden_by}"
    yield from found


def _lines(condition: ConditionText, depth: int = 0) -> list[str]:
    """A condition as the rule file has it, its combinations as an indented tree."""
    indent = "  " * depth
    if isinstance(condition, str):
        return [indent + " ".join(condition.split())]
    for word, parts in (("all of", condition.all), ("any of", condition.any)):
        if parts is not None:
            return [f"{indent}{word}", *(line for part in parts for line in _lines(part, depth + 1))]
    return [f"{indent}not", *_lines(condition.not_ or "", depth + 1)]
