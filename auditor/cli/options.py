"""Options that several commands share, and the settings they make."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from ..config import Settings, listed, read_settings
from ..report.registry import FORMATS
from .guard import note

F = TypeVar("F", bound=Callable[..., Any])

_LEVELS = ("critical", "high", "medium", "low", "info")
_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*([smh]?)")
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


class Duration(click.ParamType[float]):
    """A span of time such as ``900s``, ``15m`` or ``1h``; a bare number is minutes. The value is in seconds."""

    name = "duration"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The span in seconds."""
        if isinstance(value, int | float):
            return float(value)
        match = _DURATION.fullmatch(value.strip().lower())
        if not match:
            self.fail(f"{value!r} is not a span of time; write it like 900s, 15m or 1h", param, ctx)
        return float(match[1]) * {"s": 1, "": 60, "m": 60, "h": 3600}[match[2]]


def _options(*decorators: Callable[[F], F]) -> Callable[[F], F]:
    def add(function: F) -> F:
        for decorate in reversed(decorators):
            function = decorate(function)
        return function

    return add


def account_options(function: F) -> F:
    """Which account is asked, as whom, about which regions."""
    return _options(
        click.option("--profile", metavar="NAME", help="Profile of the AWS configuration files."),
        click.option(
            "--regions",
            metavar="A,B|all",
            help="Regions, or all that the account has enabled.  [default: the session's]",
        ),
        click.option("--role-arn", metavar="ARN", help="Role to assume first."),
        click.option("--external-id", metavar="ID", help="External ID that the role asks for."),
        click.option("--endpoint-url", metavar="URL", help="Send every call there instead of to AWS."),
        click.option("--services", metavar="A,B", help="Ask only these services, such as elbv2,arc-zonal-shift."),
        click.option(
            "--pace",
            type=click.Choice(["normal", "full", "gentle"]),
            default="normal",
            show_default=True,
            help="How near to AWS's rate limits to read.",
        ),
    )(function)


def judging_options(function: F) -> F:
    """Which rules judge, how, and what of it changes the exit code."""
    return _options(
        click.option(
            "--select", metavar="RULE", multiple=True, help="Judge by these rules only; repeatable, * allowed."
        ),
        click.option("--ignore", metavar="RULE", multiple=True, help="Leave these rules out; repeatable, * allowed."),
        rules_option,
        click.option("--mutes", "mutes_file", type=_FILE, help="File of mutes, beside those of the settings."),
        click.option("--config", "config_file", type=_FILE, help="Settings file.  [default: ./auditor.yaml, if there]"),
        click.option(
            "--min-severity", type=click.Choice(_LEVELS), help="Show nothing below; the gate is not affected."
        ),
        click.option(
            "--fail-on",
            type=click.Choice([*_LEVELS, "none"]),
            help="Severity from which findings make the exit code 1.  [default: high]",
        ),
        click.option("--all", "all_verdicts", is_flag=True, help="Show every verdict, passed ones too."),
    )(function)


def rules_option(function: F) -> F:
    """Folders of rules beside the built-in ones."""
    return click.option("--rules", type=_FOLDER, multiple=True, help="Folder of your own rules; repeatable.")(function)


def table_or_json(function: F) -> F:
    """A table for people or JSON for machines, of a command that writes one thing to stdout."""
    kinds = click.Choice(["table", "json"])
    return click.option("-f", "--format", "form", type=kinds, default="table", show_default=True)(function)


def output_options(function: F) -> F:
    """What is written, where to."""
    return _options(
        click.option(
            "-f",
            "--format",
            "formats",
            type=click.Choice(list(FORMATS)),
            multiple=True,
            help="Repeatable.  [default: table]",
        ),
        click.option(
            "-o",
            "--output",
            "outputs",
            metavar="FILE",
            multiple=True,
            help="The n-th belongs to the n-th --format.  [default: stdout]",
        ),
        click.option("--quiet", is_flag=True, help="Nothing on stderr but errors."),
        click.option("--no-color", is_flag=True, help="No colour, not even on a terminal."),
    )(function)


def settings_of(config_file: Path | None, *, quiet: bool, **options: Any) -> Settings:
    """The settings of a command; names the file of the working directory on stderr, since nobody asked for it."""
    for name in ("regions", "services", "select", "ignore"):
        if options.get(name):
            options[name] = listed(options[name])
    if options.get("all_verdicts") is False:
        options.pop("all_verdicts")
    settings = read_settings(config_file, **options)
    if settings.source and not config_file and not quiet:
        note(f"settings read from ./{settings.source}")
    return settings


def say(notes: Sequence[str], *, quiet: bool) -> None:
    """Remarks on stderr, unless they are not wanted."""
    for text in () if quiet else notes:
        note(text)
