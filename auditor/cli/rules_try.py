"""``auditor rules try``: the value of an expression for every subject, or why it is unknown."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .. import app
from ..report.plain import columns, pad, plain
from .delivery import write_stdout
from .options import rules_option, table_or_json

if TYPE_CHECKING:
    from ..evaluate.trying import Trial, Tried


@click.command("try")
@click.argument("expression")
@click.argument("recording", required=False, type=click.Path(path_type=Path))
@click.option("--subject", metavar="SUBJECT", required=True, help="What it is about; `rules fields` lists them.")
@click.option("--demo", is_flag=True, help="Try it on the built-in demo account.")
@click.option("--scenario", metavar="NAME", help="Try it on a scenario, as cases of rules name them.")
@rules_option
@table_or_json
def command(
    *,
    expression: str,
    recording: Path | None,
    subject: str,
    demo: bool,
    scenario: str | None,
    rules: tuple[Path, ...],
    form: str,
) -> None:
    """Print the value of EXPRESSION for every subject of a RECORDING, or why it is unknown."""
    if sum((recording is not None, demo, scenario is not None)) != 1:
        raise click.UsageError("name one place to try it on: a RECORDING, --demo or --scenario NAME")
    trial, found = app.try_expression(expression, subject, recording=recording, scenario=scenario, folders=rules)
    if form == "json":
        write_stdout(json.dumps(_document(expression, trial, found), ensure_ascii=False, indent=2) + "\n", utf8=True)
    else:
        write_stdout("\n".join(_lines(trial, found)) + "\n")


def _document(expression: str, trial: Trial, found: Sequence[Tried]) -> dict[str, Any]:
    from msgspec import to_builtins  # noqa: PLC0415

    return {
        "expression": expression,
        "subject": trial.subject.__name__,
        "type": trial.type,
        "remark": trial.remark,
        "subjects": [to_builtins(tried) for tried in found],
    }


def _lines(trial: Trial, found: Sequence[Tried]) -> Iterator[str]:
    names = _names(found)
    width = max((columns(name) for name in names), default=0)
    for name, tried in zip(names, found, strict=True):
        yield f"{pad(name, width)}  {plain(_outcome(tried))}"
    if found:
        yield ""
    yield _summary(trial, found)
    if trial.remark:
        yield f"Note: {trial.remark}."


def _names(found: Sequence[Tried]) -> list[str]:
    """Name and zone; with account and region where there are several."""
    scopes = {(tried.account_id, tried.region) for tried in found}
    names = []
    for tried in found:
        name = f"{tried.name} in {tried.zone}" if tried.zone else tried.name
        names.append(plain(f"{tried.account_id} {tried.region} {name}" if len(scopes) > 1 else name))
    return names


def _outcome(tried: Tried) -> str:
    why = "; ".join(tried.unknown)
    if tried.missing:
        why = f"{why} (missing: {', '.join(tried.missing)})"
    if tried.value is None and tried.unknown:
        return f"unknown: {why}"
    shown = _shown(tried.value)
    return f"{shown}  [not all of it is known: {why}]" if tried.unknown else shown


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return value or "''"
    if isinstance(value, list):
        return ", ".join(_shown(item) for item in value) or "(empty list)"
    if isinstance(value, dict) and set(value) == {"least", "most"}:
        return f"{value['least']:g} or more" if value["most"] is None else f"{value['least']:g} to {value['most']:g}"
    return json.dumps(value, ensure_ascii=False)


def _summary(trial: Trial, found: Sequence[Tried]) -> str:
    """How many there are of each outcome."""
    subject, gives = trial.subject.__name__, f"The expression gives: {trial.type}."
    if not found:
        return f"There is no {subject} in it. {gives}"
    outcomes = Counter("unknown" if tried.value is None and tried.unknown else _shown(tried.value) for tried in found)
    words = [f"{outcomes[word]} {word}" for word in ("true", "false", "null", "unknown") if outcomes[word]]
    counts = f": {', '.join(words)}" if words else ""
    return f"{len(found)} {'subject' if len(found) == 1 else 'subjects'}{counts}. {gives}"
