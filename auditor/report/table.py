"""The table: a report for people, on a terminal or in a file, readable at 80 columns and without colour.

Text from AWS passes through `plain` on its way, so that no name or tag can steer the terminal.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from .plain import plain
from .registry import Document, RenderOptions
from .terminal.findings import findings, is_open
from .terminal.ink import Ink, counted
from .terminal.matrix import matrix
from .terminal.unread import unread

# Above this many regions the title gives their number.
_NAMED = 6


def render(document: Document, options: RenderOptions) -> str:
    """The document as text: title, zone matrix, findings by severity, what is not known, one summary line."""
    ink = Ink(color=options.color, width=options.width)
    lines = [
        *_title(document, ink),
        *matrix(document, ink, show_all=options.all_verdicts),
        *findings(document, ink, show_all=options.all_verdicts),
        *unread(document, ink),
        *ink.wrapped(summary(document)),
    ]
    return "\n".join(lines) + "\n"


def _title(document: Document, ink: Ink) -> Iterator[str]:
    scan = document["scan"]
    accounts = ", ".join(f"{a['id']} ({a['name']})" if a["name"] else a["id"] for a in scan["accounts"])
    regions = ", ".join(scan["regions"]) if len(scan["regions"]) <= _NAMED else f"{len(scan['regions'])} regions"
    text = (
        f"Zonal audit of {accounts or 'no account'}, {regions or 'no region'}, as read {_moment(scan['finished_at'])}"
    )
    yield from map(ink.bold, ink.wrapped(text))
    yield ""


def _moment(iso: str) -> str:
    try:
        return datetime.fromisoformat(iso).strftime("%Y-%m-%d %H:%M:%S UTC")
    except ValueError:
        return plain(iso)


def summary(document: Document) -> str:
    """The last line: how much is wrong, how much is not known, and whether the scan was complete."""
    scan, counts = document["scan"], document["summary"]
    found = [f"{number} {severity}" for severity, number in counts["by_severity"].items() if number]
    nothing = "No findings" if scan["complete"] else "No findings in what was read"
    parts = [", ".join(found) or nothing]
    left_out = sum(counts["by_severity"].values()) - sum(is_open(finding) for finding in document["findings"])
    if found and left_out > 0:
        parts.append(f"{left_out} of them below the severity shown")
    statuses = counts["by_status"]
    if statuses["unknown"]:
        parts.append(f"{counted(statuses['unknown'], 'verdict')} unknown")
    if statuses["error"]:
        parts.append(f"{counted(statuses['error'], 'verdict')} lost to broken rules")
    parts.append(counted(scan["calls"]["total"], "call"))
    parts.append("scan complete" if scan["complete"] else "SCAN INCOMPLETE: what was not read may hide more")
    return "; ".join(parts) + "."
