"""The use cases of whoever writes rules, one readable function each; beside `app`, and like it.

Stages are imported where they are used, so that ``auditor --help`` loads neither boto3 nor the rule engine.
"""

# ruff: noqa: PLC0415

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .app import demo_model, rules, zonal_model
from .errors import UsageError

if TYPE_CHECKING:
    from .derive.zonal_model import ZonalModel
    from .evaluate.cases import CaseReport
    from .evaluate.subjects import SubjectFact
    from .evaluate.trying import Trial, Tried

__all__ = [
    "new_rule",
    "rule_cases",
    "rule_fields",
    "rule_pages",
    "rule_schema",
    "try_expression",
]


def new_rule(rule_id: str, subject: str, folder: Path) -> dict[Path, str]:
    """The files of a new rule of one's own: its skeleton, and the schema that editors check it with.

    Raises:
        UsageError: an id or a subject that cannot be, or a rule of that id is in the folder already.
    """
    from .evaluate.rule_schema import schema_text
    from .evaluate.skeleton import SCHEMA_FILE, checked_id, skeleton

    name = f"{checked_id(rule_id)}.yaml"
    text = skeleton(rule_id, subject, str(folder))
    there = sorted(folder.rglob(name))
    if there:
        raise UsageError(f"{there[0]} is there already: choose another id, or remove that file")
    return {folder / name: text, folder / SCHEMA_FILE: schema_text()}


def rule_fields(subject: str | None = None) -> dict[str, tuple[SubjectFact, ...]]:
    """The facts that rules may read, by subject: those of all subjects, or of one.

    Raises:
        UsageError: there is no such subject.
    """
    from .derive.nodes import SUBJECTS
    from .evaluate.subjects import facts_of, subject_named

    wanted = [subject] if subject else sorted(SUBJECTS)
    return {name: facts_of(subject_named(name)) for name in wanted}


def try_expression(
    text: str,
    subject: str,
    *,
    recording: Path | None = None,
    scenario: str | None = None,
    folders: Sequence[Path] = (),
) -> tuple[Trial, list[Tried]]:
    """The value of an expression for every subject of a recording, of a scenario, or of the demo account.

    Args:
        text: the expression.
        subject: name of the subject whose facts it reads.
        recording: where the subjects are; without it and `scenario` in the demo account.
        scenario: name of a scenario.
        folders: folders of rules whose scenarios may be named too.

    Raises:
        AuditorError: a subject, expression, recording or scenario that cannot be used.
    """
    from .evaluate.trying import compile_trial, try_on

    trial = compile_trial(text, subject)
    model = zonal_model(recording) if recording else _scenario_model(scenario, folders) if scenario else demo_model()
    return trial, list(try_on(trial, model))


def rule_cases(folders: Sequence[Path], patterns: Sequence[str]) -> list[CaseReport]:
    """Run the cases of the rules that `patterns` name (of all, when there are none), and test the cases by mutation."""
    from .evaluate.cases import Models, run_cases

    catalogue = rules(folders)
    models = Models(catalogue)
    return [run_cases(catalogue, rule.id, models=models) for rule in catalogue.select(patterns)]


def rule_pages(folders: Sequence[Path] = ()) -> dict[str, str]:
    """The catalogue in Markdown: the pages by file name."""
    from .report.rule_pages import rule_pages

    return rule_pages(rules(folders))


def rule_schema() -> str:
    """The JSON Schema of rule files."""
    from .evaluate.rule_schema import schema_text

    return schema_text()


def _scenario_model(name: str, folders: Sequence[Path]) -> ZonalModel:
    """Scenario → answers → inventory → zonal model."""
    from .derive.build import derive
    from .evaluate.catalogue import scenarios_of
    from .evaluate.scenario import answers
    from .record.decode import decode

    return derive(decode(*answers(scenarios_of(folders).scenario(name))))
