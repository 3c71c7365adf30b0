"""``auditor permissions``: the least IAM policy."""

from __future__ import annotations

import json

import click

from .. import app
from .delivery import write_stdout


@click.command("permissions")
def command() -> None:
    """Print the least IAM policy that a scan needs, as JSON."""
    write_stdout(json.dumps(app.permissions(), indent=2) + "\n", utf8=True)
