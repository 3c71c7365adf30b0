"""``auditor report``: write a recording's report in another format; the findings do not change the exit code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .. import app
from .check import RECORDING
from .delivery import check_writable, deliver, destinations
from .options import judging_options, output_options, say, settings_of


@click.command("report")
@RECORDING
@judging_options
@output_options
def command(
    *,
    recording: Path,
    formats: tuple[str, ...],
    outputs: tuple[str, ...],
    quiet: bool,
    no_color: bool,
    **options: Any,
) -> int:
    """Write the report of a RECORDING in any format; as `check`, except that it ends with 0 whatever it says."""
    places = destinations(formats, outputs)
    settings = settings_of(quiet=quiet, **options)
    check_writable([place.path for place in places])

    judged = app.check(settings, recording)
    say(judged.notes, quiet=quiet)
    deliver(judged.document, places, all_verdicts=settings.all_verdicts, color=not no_color)
    return 0
