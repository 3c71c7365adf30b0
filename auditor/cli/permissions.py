"""``auditor permissions``: the least IAM policy."""

from __future__ import annotations

import json
from pathlib import Path

import click

from .. import app
from .delivery import write_stdout
from .guard import note
from .options import config_option, services_option, settings_of


@click.command("permissions")
@services_option
@config_option
@click.option("--missing", is_flag=True, help="Only what was denied to the last scan on this machine.")
def command(*, services: str | None, config_file: Path | None, missing: bool) -> None:
    """Print the least IAM policy that a scan needs, as JSON."""
    if missing:
        if services:
            raise click.UsageError("--missing is about the scan that was made: --services has no meaning with it")
        policy, remark = app.missing_permissions()
        note(remark)
    else:
        policy = app.permissions(settings_of(config_file, quiet=False, services=services).services)
    write_stdout(json.dumps(policy, indent=2) + "\n", utf8=True)
