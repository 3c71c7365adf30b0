"""``auditor rules``: the catalogue, the text of a rule, and the test of the rules against their own cases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .. import app
from ..errors import EXIT_CLEAN, EXIT_FINDINGS
from .delivery import terminal_width, write_stdout
from .options import rules_option, table_or_json
from .rule_text import case_text, listing, text_of
from .rules_docs import command as docs
from .rules_fields import command as fields
from .rules_new import command as new
from .rules_try import command as try_

if TYPE_CHECKING:
    from ..evaluate.cases import CaseReport
    from ..evaluate.rule import Rule


@click.group("rules", no_args_is_help=True)
def command() -> None:
    """List, show and test the rules, and write rules of your own."""


@command.command("list")
@rules_option
@table_or_json
def list_(rules: tuple[Path, ...], form: str) -> None:
    """List the rules that judge an account."""
    catalogue = app.rules(rules)
    if form == "json":
        write_stdout(json.dumps([_entry(rule) for rule in catalogue], ensure_ascii=False, indent=2) + "\n", utf8=True)
    else:
        write_stdout(listing(list(catalogue), terminal_width()))


def _entry(rule: Rule) -> dict[str, Any]:
    """A rule as other programs read it. `severity` is the highest it can give, `severities` all of them in order."""
    return {
        "id": rule.id,
        "title": rule.file.title,
        "severity": max(rule.severities, key=lambda level: level.rank).value,
        "severities": [level.value for level in rule.severities],
        "confidence": rule.file.confidence,
        "family": rule.family,
        "subject": rule.file.subject,
        "needs": list(rule.needs),
        "builtin": rule.builtin,
    }


@command.command("show")
@click.argument("rule_id", metavar="ID")
@rules_option
def show(rule_id: str, rules: tuple[Path, ...]) -> None:
    """Print what a rule finds, why it matters, how it is checked and how it is mended."""
    write_stdout(text_of(app.rules(rules)[rule_id]))


@command.command("test")
@click.argument("rule_ids", metavar="[ID]...", nargs=-1)
@rules_option
@table_or_json
def test(rule_ids: tuple[str, ...], rules: tuple[Path, ...], form: str) -> int:
    """Run the cases of rules, and see whether some case notices every change to their conditions."""
    reports = app.rule_cases(rules, rule_ids)
    failed = [report for report in reports if not report.passed]
    if form == "json":
        write_stdout(
            json.dumps([_outcome(report) for report in reports], ensure_ascii=False, indent=2) + "\n", utf8=True
        )
    else:
        write_stdout(case_text(reports))
    return EXIT_FINDINGS if failed else EXIT_CLEAN


def _outcome(report: CaseReport) -> dict[str, Any]:
    return {
        "id": report.rule_id,
        "passed": report.passed,
        "cases": [
            {"name": result.name, "passed": result.passed, "failures": list(result.failures)}
            for result in report.results
        ],
        "failed": sum(not result.passed for result in report.results),
        "mutants": {
            "total": report.mutants,
            "killed": report.killed,
            "survivors": list(report.survivors),
            "equivalent": [{"mutant": entry.mutant, "reason": entry.reason} for entry in report.equivalent],
        },
        "comparisons": report.comparisons,
        "problems": list(report.problems),
        "undenied": list(report.undenied),
    }


@command.command("schema")
def schema() -> None:
    """Print the JSON Schema of rule files, for completion in an editor."""
    write_stdout(app.rule_schema(), utf8=True)


for _command in (new, fields, try_, docs):
    command.add_command(_command)
