"""Progress on stderr: a bar on a terminal, nothing elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..report.plain import plain

if TYPE_CHECKING:
    from ..collect.progress import Progress

__all__ = ["left", "progress_on"]


@contextmanager
def progress_on(*, wanted: bool, color: bool) -> Iterator[Callable[[Progress], None] | None]:
    """A callback that draws calls done, calls expected and time left; None where nobody would see it."""
    if not wanted or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # noqa: PLC0415 - costs too much for --help
    from rich.progress import BarColumn, TextColumn  # noqa: PLC0415
    from rich.progress import Progress as Bar  # noqa: PLC0415

    console = Console(stderr=True, no_color=not color)
    columns = (
        TextColumn("{task.completed:.0f} of {task.total:.0f} calls", markup=False),
        BarColumn(),
        TextColumn("{task.fields[left]}", markup=False),
        TextColumn("{task.fields[says]}", markup=False),
    )
    with Bar(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=1, left="signing in", says="")

        def show(progress: Progress) -> None:
            bar.update(
                task,
                completed=progress.done,
                total=max(progress.expected, 1),
                left=left(progress.seconds_left),
                says=plain(progress.says),
            )

        yield show


def left(seconds: float) -> str:
    """Time left in words, coarse as befits an estimate."""
    if seconds < 1:
        return "almost there"
    if seconds < 90:
        return f"{seconds:.0f} s left"
    return f"{seconds / 60:.0f} min left"
