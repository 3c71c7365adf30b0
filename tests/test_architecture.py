"""Properties of the source itself: sizes, names, identifiers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

ROOT = Path(__file__).parent.parent
SOURCES = sorted((ROOT / "auditor").rglob("*.py"))
TEXTS = [
    p
    for folder in ("auditor", "rules", "fixtures", "tests", "docs", "benchmarks")
    for p in sorted((ROOT / folder).rglob("*"))
    if p.suffix in {".py", ".yaml", ".json", ".md"}
]
ACCOUNTS = {"123456789012", "111122223333", "444455556666"}


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_a_module_fits_on_a_few_screens(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_a_module_is_named_for_what_it_holds(path: Path) -> None:
    assert not re.search(r"util|helper|common|misc", path.stem)


def test_only_documentation_account_ids_appear() -> None:
    found = {
        (str(p.relative_to(ROOT)), number)
        for p in TEXTS
        for number in re.findall(r"(?<![\w.-])\d{12}(?![\w.-])", p.read_text(encoding="utf-8"))
        if number not in ACCOUNTS
    }
    assert found == set()


def test_imports_go_one_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert lint_imports(no_cache=True) == 0
