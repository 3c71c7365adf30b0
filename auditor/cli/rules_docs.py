"""``auditor rules docs``: the catalogue as pages of Markdown, and whether they are current."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from .. import app
from ..errors import EXIT_CLEAN, EXIT_FINDINGS, UsageError
from .delivery import write_file, write_stdout
from .guard import note
from .options import rules_option

_DIRECTORY = Path("docs", "rules")


@click.command("docs")
@click.option("--write", is_flag=True, help="Write the pages, and remove those of rules that are gone.")
@click.option("--check", is_flag=True, help="Say whether the pages are current; exit code 1 when they are not.")
@click.option(
    "--directory",
    type=click.Path(file_okay=False, path_type=Path),
    default=_DIRECTORY,
    show_default=True,
    help="Folder of the pages.",
)
@rules_option
def command(write: bool, check: bool, directory: Path, rules: tuple[Path, ...]) -> int:
    """Print the catalogue as Markdown; or write it with one page for each rule, or check these pages."""
    if write and check:
        raise click.UsageError("--write makes the pages current and --check says whether they are: give one of them")
    pages = app.rule_pages(rules)
    if write:
        _write(directory, pages)
    elif check:
        problem = _problem(directory, pages)
        if problem:
            words = ["auditor", "rules", "docs", "--write"]
            words += [] if directory == _DIRECTORY else ["--directory", str(directory)]
            words += [word for folder in rules for word in ("--rules", str(folder))]
            note(f"{directory}: {problem}; run `{shlex.join(words)}`")
            return EXIT_FINDINGS
    else:
        write_stdout(next(iter(pages.values())), utf8=True)
    return EXIT_CLEAN


def _write(directory: Path, pages: Mapping[str, str]) -> None:
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{directory} cannot be made: {error.strerror or error}") from error
    for name, text in pages.items():
        if _read(directory / name) != text:
            write_file(directory / name, text)
    for path in _left_over(directory, pages):
        path.unlink()


def _problem(directory: Path, pages: Mapping[str, str]) -> str:
    """What is wrong with the pages, in one clause; "" when they are current."""
    there = {name: _read(directory / name) for name in pages}
    kinds = (
        ("missing", [name for name, text in there.items() if text is None]),
        ("stale", [name for name, text in there.items() if text is not None and text != pages[name]]),
        ("left over", [path.name for path in _left_over(directory, pages)]),
    )
    clauses = [
        f"{len(names)} {'page is' if len(names) == 1 else 'pages are'} {what} ({_some(names)})"
        for what, names in kinds
        if names
    ]
    return ", ".join(clauses)


def _some(names: list[str]) -> str:
    shown = sorted(names)[:3]
    return ", ".join([*shown, "..."] if len(names) > len(shown) else shown)


def _read(path: Path) -> str | None:
    """The text of a page, or None where there is none. One that is not UTF-8 reads as another text."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return None


def _left_over(directory: Path, pages: Mapping[str, str]) -> Iterator[Path]:
    """Pages of rules that are gone: they bear the mark of this command, so nothing written by hand is among them."""
    from ..report.rule_pages import MARK  # noqa: PLC0415

    for path in sorted(directory.glob("*.md")):
        if path.name not in pages and (_read(path) or "").startswith(MARK):
            yield path
