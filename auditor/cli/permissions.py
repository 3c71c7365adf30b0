"""``auditor permissions``: the least IAM policy."""

from __future__ import annotations

import json
from pathlib import Path

import click

from .. import app
from .delivery import write_stdout
from .guard import note
from .options import config_option, metrics_option, services_option, settings_of


@click.command("permissions")
@services_option
@metrics_option
@config_option
@click.option("--missing", is_flag=True, help="Only what was denied to the last scan on this machine.")
def command(*, services: str | None, metrics: str | None, config_file: Path | None, missing: bool) -> None:
    """Print the least IAM policy that a scan needs, as JSON."""
    if missing:
        for name, value in (("services", services), ("metrics", metrics)):
            if value:
                raise click.UsageError(f"--missing is about the scan that was made: --{name} has no meaning with it")
        policy, remark = app.missing_permissions()
        note(remark)
    else:
        settings = settings_of(config_file, quiet=False, services=services, metrics=metrics)
        policy = app.permissions(settings.services, metrics=settings.metrics is not None)
    write_stdout(json.dumps(policy, indent=2) + "\n", utf8=True)
