"""``auditor check``: judge a recording again, offline."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .. import app
from ..config import Settings
from .delivery import check_writable, deliver, destinations
from .options import judging_options, output_options, say, settings_of

RECORDING = click.argument("recording", type=click.Path(path_type=Path))


@click.command("check")
@RECORDING
@judging_options
@output_options
def command(**options: Any) -> int:
    """Judge a RECORDING again and report; asks nothing of AWS."""
    judged, settings = judge_and_report(**options)
    return judged.exit_code(settings.fail_on)


def judge_and_report(
    *,
    recording: Path,
    formats: tuple[str, ...],
    outputs: tuple[str, ...],
    quiet: bool,
    no_color: bool,
    **options: Any,
) -> tuple[app.Judged, Settings]:
    """Judge a recording and write its reports."""
    places = destinations(formats, outputs)
    settings = settings_of(quiet=quiet, **options)
    check_writable([place.path for place in places])
    judged = app.check(settings, recording)
    say(judged.notes, quiet=quiet)
    deliver(judged.document, places, all_verdicts=settings.all_verdicts, color=not no_color)
    return judged, settings
