"""Runs the program as a process of its own, as a person or a script would."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path


@dataclasses.dataclass(frozen=True)
class Program:
    """What a run left behind."""

    exit_code: int
    stdout: str
    stderr: str
    recording: Path


def environment(home: Path, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """An environment without anybody's credentials, settings or state."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("AWS_", "AUDITOR_"))}
    return kept | {
        "HOME": str(home),
        "XDG_STATE_HOME": str(home / "state"),
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_CONFIG_FILE": str(home / "none"),
        "AWS_SHARED_CREDENTIALS_FILE": str(home / "none"),
        "NO_COLOR": "1",
        **(extra or {}),
    }


def command(arguments: Sequence[str]) -> list[str]:
    """The program with some arguments, in the Python that runs the tests."""
    return [sys.executable, "-m", "auditor", *arguments]


def run(arguments: Sequence[str], home: Path, extra: Mapping[str, str] | None = None, *, save: bool = True) -> Program:
    """Run the program to its end. A scan keeps its recording in `home`."""
    recording = home / "scan.jsonl.gz"
    kept = ["--save", str(recording)] if save and arguments[0] == "scan" else []
    done = subprocess.run(
        command([*arguments, *kept]),
        env=environment(home, extra),
        cwd=home,
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert "Traceback" not in done.stderr
    return Program(done.returncode, done.stdout, done.stderr, recording)
