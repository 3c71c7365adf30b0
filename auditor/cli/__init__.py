"""The command line: one file for each command, none of which imports more than click before it runs."""

from __future__ import annotations

import importlib
import signal
from collections.abc import Sequence
from typing import Any

import click

from .. import __version__
from ..config import closest
from .guard import GuardedGroup

__all__ = ["auditor", "main"]

COMMANDS = ("scan", "check", "report", "rules", "permissions")


class Commands(GuardedGroup):
    """Finds a command in the module of its name, when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Commands in the order in which one meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, or None."""
        if cmd_name not in COMMANDS:
            return None
        found: click.Command = importlib.import_module(f".{cmd_name}", __package__).command
        return found

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[Any, Any, list[str]]:
        """As click does, with a word for a misspelt command."""
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            raise click.UsageError(f"there is no command `{args[0]}`{closest(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="auditor")
def auditor() -> None:
    """Say what happens to an AWS account when one Availability Zone goes away, or when traffic leaves it.

    Everything it asks of AWS is a read. Exit codes: 0 nothing at or above the gate; 1 findings at or above it; 2 something
    about the call is wrong and nothing was judged; 3 nothing at the gate, but not everything could be read; 130 interrupted.
    """


def main(argv: Sequence[str] | None = None) -> None:
    """Run the program and leave with its exit code."""
    try:
        auditor.main(args=None if argv is None else list(argv), prog_name="auditor")
    finally:
        if argv is None:
            # A second Ctrl-C while the interpreter closes down has nothing left to stop, and would end in a traceback.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
