"""``auditor permissions``: the least IAM policy."""

from __future__ import annotations

import json

import click

from .. import app
from .delivery import write_stdout
from .guard import note


@click.command("permissions")
@click.option("--missing", is_flag=True, help="Only what was denied to the last scan on this machine.")
def command(*, missing: bool) -> None:
    """Print the least IAM policy that a scan needs, as JSON."""
    if missing:
        policy, remark = app.missing_permissions()
        note(remark)
    else:
        policy = app.permissions()
    write_stdout(json.dumps(policy, indent=2) + "\n", utf8=True)
