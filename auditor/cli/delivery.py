"""Where reports go: to stdout or to files, each whole or not at all."""

from __future__ import annotations

import errno
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import click
import msgspec

from ..errors import UsageError
from ..report.registry import RenderOptions, render
from .guard import silence_stdout

__all__ = ["Destination", "check_writable", "deliver", "destinations", "terminal_width", "write_file", "write_stdout"]

_MACHINE = frozenset({"json"})


class Destination(msgspec.Struct, frozen=True):
    """A format and the file it goes to; without a path it goes to stdout."""

    format: str
    path: Path | None = None


def destinations(formats: Sequence[str], outputs: Sequence[str]) -> tuple[Destination, ...]:
    """Pair formats with files: the n-th ``-o`` belongs to the n-th ``-f``; ``-`` is stdout.

    Raises:
        UsageError: there are more files than formats, a file is named twice, or two formats would mix on stdout.
    """
    formats = formats or ("table",)
    if len(outputs) > len(formats):
        raise UsageError(
            f"--output is given {len(outputs)} times, but --format {len(formats)} times: each file needs its format"
        )
    paths = [None if output == "-" else Path(output) for output in outputs]
    paths += [None] * (len(formats) - len(paths))
    named = [path for path in paths if path is not None]
    if len(set(named)) < len(named):
        raise UsageError("two formats cannot go to one file")
    if paths.count(None) > 1:
        raise UsageError("two formats cannot both go to standard output: give all but one an --output")
    return tuple(Destination(name, path) for name, path in zip(formats, paths, strict=True))


def check_writable(paths: Sequence[Path | None]) -> None:
    """See to it that files can be written before any work is done.

    Raises:
        UsageError: names the first that cannot be written, and why.
    """
    for path in paths:
        if path is None:
            continue
        with _refusals(path):
            if _is_special(path):
                continue
            if path.is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            if path.exists() and not os.access(path, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            with tempfile.TemporaryFile(dir=_folder(path)):
                pass


def deliver(document: Any, places: Sequence[Destination], *, all_verdicts: bool, color: bool) -> None:
    """Write the document to every destination, files first.

    Raises:
        UsageError: something could not be written; names it.
    """
    for place in sorted(places, key=lambda p: p.path is None):
        width = terminal_width() if place.path is None else None
        options = RenderOptions(
            width=width or 80,
            color=color and width is not None and _wants_color(),
            all_verdicts=all_verdicts,
        )
        text = render(place.format, document, options)
        if place.path is None:
            write_stdout(text, utf8=place.format in _MACHINE)
        else:
            write_file(place.path, text)


def terminal_width() -> int | None:
    """Columns of the terminal that stdout is; None when it is none."""
    if sys.stdout is None or not sys.stdout.isatty():
        return None
    return shutil.get_terminal_size((80, 24)).columns


def _wants_color() -> bool:
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def write_file(path: Path, text: str) -> None:
    """Write a file whole or not at all: beside it first, then in its place. A device or pipe is written to as it is.

    Raises:
        UsageError: it could not be written.
    """
    data = text.encode("utf-8", "backslashreplace")
    with _refusals(path):
        if _is_special(path):
            path.write_bytes(data)
            return
        goal = path.resolve()
        handle, name = tempfile.mkstemp(dir=goal.parent, prefix=f".{goal.name}.", suffix=".tmp")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            Path(name).chmod(_mode(goal))
            Path(name).replace(goal)
        except BaseException:
            with suppress(OSError):
                Path(name).unlink()
            raise


def write_stdout(text: str, *, utf8: bool = False) -> None:
    """Write to stdout. A reader that has gone away ends the writing quietly.

    Args:
        text: what to write.
        utf8: for machines: UTF-8 whatever the locale says; for people the locale's encoding, with ``?`` for what it lacks.

    Raises:
        UsageError: the disk behind it is full, or it cannot be written otherwise.
    """
    if sys.stdout is None:
        return
    try:
        if utf8 and not sys.stdout.isatty():
            click.echo(text.encode("utf-8", "backslashreplace"), nl=False)
        else:
            encoding = sys.stdout.encoding or "utf-8"
            click.echo(text.encode(encoding, "replace").decode(encoding), nl=False)
        sys.stdout.flush()
    except OSError as error:
        silence_stdout()
        if error.errno in (errno.EPIPE, errno.EINVAL):
            return
        raise UsageError(f"standard output: {error.strerror or error}") from error


@contextmanager
def _refusals(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}") from error


def _is_special(path: Path) -> bool:
    return path.exists() and not path.is_file() and not path.is_dir()


def _folder(path: Path) -> Path:
    return path.resolve().parent


def _mode(path: Path) -> int:
    """The mode of the file that is replaced, or that of any new file of this user."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
