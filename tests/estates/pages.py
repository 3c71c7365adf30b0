"""What is generated from the reference estates: their golden reports, and the page with what each rule says of both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from auditor.evaluate.catalogue import load_catalogue
from auditor.model.finding import Finding
from auditor.model.verdict import Severity, Status

from .reading import FIXTURES, NAMES, estate, report

PAGE = FIXTURES.parent / "docs" / "estates.md"
_HEAD = """\
# What each rule says of two reference estates

Made by `make docs`; do not edit. Both estates are in [fixtures/estates](../fixtures/estates), in the short form of scenarios,
with tables of what must be found in them and why. Every finding, one a line, is in [fixtures/reports](../fixtures/reports).

- **clean**: {clean}, run by careful people. Nothing in it may be high or critical; whatever is said of it is explained in
  its tables.
- **neglected**: {neglected}. Each fault in it is planted and stands in its tables. Every rule finds at least one, and nothing
  else may be found.

A new or changed rule shows here what it adds. More under *clean* is noise, until a table says why it is right. More under
*neglected* wants a row in a table, or is a second finding on one cause. Findings that another one hides are counted apart.

| rule | clean | neglected |
|---|---|---|
"""


def page() -> str:
    """The page as Markdown."""
    found = {name: estate(name).findings for name in NAMES}
    sizes = {name: f"{len(estate(name).scenario['load_balancers'])} load balancers" for name in NAMES}
    rows = []
    for rule in sorted(load_catalogue(), key=lambda r: (r.family, r.id)):
        cells = [counted(f for f in found[name] if f.rule_id == rule.id) for name in NAMES]
        rows.append(f"| [{rule.id}](rules/{rule.id}.md) | {cells[0]} | {cells[1]} |")
    rows.append(f"| **all** | {counted(found['clean'])} | {counted(found['neglected'])} |")
    return _HEAD.format(**sizes) + "\n".join(rows) + "\n"


def counted(findings: Iterable[Finding]) -> str:
    """Findings by severity, the worst first, then those that are unknown and those that another one hides."""
    counts: Counter[str] = Counter()
    for finding in findings:
        kind = str(finding.severity) if finding.status is Status.FAIL else str(finding.status)
        counts["hidden" if finding.hidden_by else kind] += 1
    levels = [str(s) for s in sorted(Severity, key=lambda s: -s.rank)]
    return ", ".join(f"{counts[kind]} {kind}" for kind in (*levels, "unknown", "error", "hidden") if counts[kind])


def _report(name: str) -> Callable[[], str]:
    return lambda: report(estate(name))


GENERATED: Mapping[Path, Callable[[], str]] = {
    **{FIXTURES / "reports" / f"{name}.jsonl": _report(name) for name in NAMES},
    PAGE: page,
}
