"""``auditor rules new``: the file of a new rule of one's own."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from .. import app
from ..errors import UsageError
from .delivery import write_file, write_stdout


@click.command("new")
@click.argument("rule_id", metavar="ID")
@click.option("--subject", metavar="SUBJECT", required=True, help="What it judges; `rules fields` lists them.")
@click.option(
    "--directory",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("my-rules"),
    show_default=True,
    help="Folder of your own rules; it is made when it is not there.",
)
def command(rule_id: str, subject: str, directory: Path) -> None:
    """Write the skeleton of a rule of your own, with cases that pass; ID starts with x-."""
    files = app.new_rule(rule_id, subject, directory)
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{directory} cannot be made: {error.strerror or error}") from error
    rule, schema = files
    write_file(rule, files[rule])
    if _replaceable(schema, files[schema]):
        write_file(schema, files[schema])
    folder = shlex.quote(str(directory))
    write_stdout(f"{rule} is written.\nTest it:  auditor rules test --rules {folder} {rule_id}\n")


def _replaceable(schema: Path, text: str) -> bool:
    """Whether the schema is not there yet, or is an older one of this program: the first lines tell."""
    try:
        with schema.open(encoding="utf-8", errors="replace") as file:
            return [file.readline() for _ in range(3)] == text.splitlines(keepends=True)[:3]
    except OSError:
        return not schema.exists()
