"""``auditor scan``: collect, judge, report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .. import app
from ..record.place import RecordingPlace
from .delivery import check_writable, deliver, destinations
from .keeping import keep_expired, keeping
from .options import Duration, account_options, judging_options, output_options, say, settings_of
from .progress import progress_on

_NOT_WITH_DEMO = ("profile", "role_arn", "external_id", "endpoint_url")


@click.command("scan")
@account_options
@judging_options
@output_options
@click.option(
    "--save", metavar="FILE", type=click.Path(path_type=Path), help="Keep the recording there (FILE.jsonl.gz)."
)
@click.option("--resume", metavar="FILE", type=click.Path(path_type=Path), help="Go on with an interrupted recording.")
@click.option(
    "--max-age",
    "max_age_seconds",
    type=Duration(),
    default="15m",
    show_default=True,
    help="On --resume, read health again that is older.",
)
@click.option("--no-progress", is_flag=True, help="No progress on stderr.")
@click.option("--demo", is_flag=True, help="Scan the built-in demo account; needs no AWS account.")
def command(
    *,
    save: Path | None,
    resume: Path | None,
    formats: tuple[str, ...],
    outputs: tuple[str, ...],
    quiet: bool,
    no_progress: bool,
    no_color: bool,
    **options: Any,
) -> int:
    """Read an account and report what one Availability Zone means to it."""
    if options["demo"]:
        _refuse_with_demo(options)
    if save and resume:
        raise click.UsageError("--save names a new recording and --resume goes on with an old one: give one of them")
    places = destinations(formats, outputs)
    settings = settings_of(quiet=quiet, **options)
    check_writable([*(place.path for place in places), save])

    place = RecordingPlace(save=save, resume=resume)
    with keeping(place, settings):
        with progress_on(wanted=not quiet and not no_progress, color=not no_color) as progress:
            judged = app.scan(settings, place, progress=progress)
        say([*judged.notes, *keep_expired(place, settings, judged.document)], quiet=quiet)
        deliver(judged.document, places, all_verdicts=settings.all_verdicts, color=not no_color)
    return judged.exit_code(settings.fail_on)


def _refuse_with_demo(options: dict[str, Any]) -> None:
    for name in _NOT_WITH_DEMO:
        if options[name]:
            raise click.UsageError(f"--demo brings its own account: --{name.replace('_', '-')} has no meaning with it")
