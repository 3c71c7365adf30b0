"""Colour and wrapping for people. Without colour every method gives its text back as it is."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from ..plain import plain

_SEVERITY = {"critical": "1;31", "high": "31", "medium": "33", "low": "36", "info": "34"}
# Words of a shell command; a quoted part stays with its word, whatever it holds.
_WORD = re.compile(r"(?:'[^']*'|\"(?:\\.|[^\"\\])*\"|\\.|[^\s'\"\\])+|['\"\\]")


class Ink:
    """Paints text for a terminal of `width` columns, if colour is allowed."""

    def __init__(self, *, color: bool, width: int) -> None:
        self.color = color
        self.width = max(40, width)

    def _paint(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.color and text else text

    def bold(self, text: str) -> str:
        """What the eye should find first."""
        return self._paint(text, "1")

    def dim(self, text: str) -> str:
        """What can be passed over."""
        return self._paint(text, "2")

    def bad(self, text: str) -> str:
        """Something is wrong here."""
        return self._paint(text, "31")

    def warn(self, text: str) -> str:
        """Something is odd or unknown here."""
        return self._paint(text, "33")

    def good(self, text: str) -> str:
        """As it should be."""
        return self._paint(text, "32")

    def severity(self, text: str, severity: str) -> str:
        """Text in the colour of a severity."""
        return self._paint(text, _SEVERITY.get(severity, "0"))

    def wrapped(self, text: object, indent: int = 0, *, label: str = "") -> list[str]:
        """Text of any origin, made harmless and broken at spaces; `label` stands before its first line."""
        first = " " * indent + label
        return textwrap.wrap(
            plain(text),
            self.width,
            initial_indent=first,
            subsequent_indent=" " * len(first),
            break_long_words=False,
            break_on_hyphens=False,
        )

    def command(self, text: str, indent: int) -> list[str]:
        """A shell command broken before its options, never inside quotes, so that it can be copied as it stands."""
        lines: list[str] = []
        line = " " * indent + "$"
        for part in _parts(plain(text)):
            if len(line) + len(part) + 3 > self.width and line.strip() not in ("$", ""):
                lines.append(line + " \\")
                line = " " * (indent + 4) + part
            else:
                line += " " + part
        return [*lines, line]


def _parts(command: str) -> Iterator[str]:
    """The words of a command, each option together with its values."""
    part: list[str] = []
    for word in _WORD.findall(command):
        if word.startswith("-") and part:
            yield " ".join(part)
            part = []
        part.append(word)
    yield " ".join(part)


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun: ``1 rule``, ``2 rules``."""
    return f"{number} {one if number == 1 else many or one + 's'}"
