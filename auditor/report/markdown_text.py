"""Text as Markdown that reads as the text itself, whatever it holds."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["code", "escaped", "fenced", "link", "row", "running"]

_SPECIAL = re.compile(r"([\\`*_\[\]<>|~&#])")
# What makes a list, a heading or a rule at the start of a line.
_ADDRESS = re.compile(r"https://[^\s<>\\]+")
_BAR = re.compile(r"(?<!\\)[|]")
_ESCAPED_BAR = r"\\|"
_START = re.compile(r"^(\d+)([.)])|^([-+=])")


def escaped(text: str) -> str:
    """`text` on one line, with everything that means something in Markdown written so that it means itself."""
    line = _SPECIAL.sub(r"\\\1", " ".join(text.split()))
    return _START.sub(lambda m: f"{m[1]}\\{m[2]}" if m[1] else f"\\{m[3]}", line)


def running(text: str) -> str:
    """Paragraphs of text, each on one line."""
    return "\n\n".join(escaped(paragraph) for paragraph in re.split(r"\n\s*\n", text.strip()))


def _ticks(text: str, least: int) -> str:
    """A run of backticks longer than any inside `text`."""
    return "`" * max([least, *(len(run) + 1 for run in re.findall(r"`+", text))])


def code(text: str) -> str:
    """`text` as code within a line. In a table a bar must be escaped even there; see `row`."""
    line = " ".join(text.split())
    ticks = _ticks(line, 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{ticks}{pad}{line}{pad}{ticks}"


def fenced(lines: Iterable[str], language: str = "") -> str:
    """Lines as a block of code."""
    text = "\n".join(lines)
    ticks = _ticks(text, 3)
    return f"{ticks}{language}\n{text}\n{ticks}"


def link(address: str) -> str:
    """An https address as a link to itself; anything else as plain text."""
    return f"<{address}>" if _ADDRESS.fullmatch(address) else escaped(address)


def row(*cells: str) -> str:
    """A row of a table, from cells that are Markdown already."""
    return f"| {' | '.join(_BAR.sub(_ESCAPED_BAR, cell) for cell in cells)} |"
