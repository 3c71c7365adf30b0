"""What the tests of the command line stand on: a small catalogue of their own, and recordings made from scenarios."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from auditor.cli import auditor
from auditor.evaluate import catalogue, locations
from auditor.evaluate.scenario import answers, changed
from auditor.evaluate.yaml_text import load_yaml
from auditor.record.recording import Recorder

from .cli_data import EMPTY, NO_SHIFT


@pytest.fixture(autouse=True)
def own_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two rules in place of the built-in ones, and an empty working directory."""
    folder = tmp_path / "rules" / "elb"
    folder.mkdir(parents=True)
    (folder / "lb-no-shift.yaml").write_text(NO_SHIFT)
    (folder / "tg-empty.yaml").write_text(EMPTY)
    monkeypatch.setattr(catalogue, "rule_folder", lambda: folder.parent)
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    return folder


@pytest.fixture
def run() -> Callable[..., Result]:
    """Run a command line through the guard, as a user does."""

    def invoke(*args: object) -> Result:
        return CliRunner().invoke(auditor, [str(a) for a in args])

    return invoke


@pytest.fixture
def record(tmp_path: Path) -> Callable[..., Path]:
    """Write a recording of a scenario, changed and with actions denied."""

    def write(
        change: dict[str, Any] | None = None, deny: tuple[str, ...] = (), name: str = "scan.jsonl.gz", end: bool = True
    ) -> Path:
        scenario = load_yaml((locations.scenario_folder() / "alb-three-zones.yaml").read_text("utf-8"))
        lines, header, footer = answers(changed(scenario, change or {}), deny)
        with Recorder.create(tmp_path / name, header) as recorder:
            for line in lines:
                recorder.append(line)
            if end:
                return recorder.finish(footer)
            return recorder.part

    return write
