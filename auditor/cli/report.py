"""``auditor report``: write a recording's report in another format; the findings do not change the exit code."""

from __future__ import annotations

from typing import Any

import click

from ..errors import EXIT_CLEAN
from .check import RECORDING, judge_and_report
from .options import judging_options, output_options


@click.command("report")
@RECORDING
@judging_options
@output_options
def command(**options: Any) -> int:
    """Write the report of a RECORDING in any format; as `check`, except that it ends with 0 whatever it says."""
    judge_and_report(**options)
    return EXIT_CLEAN
