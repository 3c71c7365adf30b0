from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from auditor.derive.nodes import SUBJECTS
from auditor.evaluate.catalogue import Catalogue, load_catalogue

from .shop import Shop, Stall, Street

RULE = """\
id: {id}
title: A shop is dark
severity: {severity}
confidence: certain
subject: {subject}
message: "{message}"
why: Nobody comes in.
fix: {{summary: Put the light on}}
"""

Write = Callable[..., Path]
Load = Callable[..., Catalogue]


@pytest.fixture(autouse=True)
def _subjects(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in (Shop, Stall, Street):
        monkeypatch.setitem(SUBJECTS, kind.__name__, kind)


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a rule file: `write(id, "violated_when: …", …)`; gives its path."""

    def rule(
        rule_id: str,
        *lines: str,
        subject: str = "Shop",
        severity: str = "high",
        message: str = "It is dark",
        folder: str = "town",
    ) -> Path:
        path = tmp_path / folder / f"{rule_id}.yaml"
        path.parent.mkdir(exist_ok=True)
        text = RULE.format(id=rule_id, severity=severity, subject=subject, message=message)
        path.write_text(text + "".join(f"{line}\n" for line in lines), encoding="utf-8")
        return path

    return rule


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Load what `write` wrote."""
    return lambda: load_catalogue([tmp_path], builtin=False)
