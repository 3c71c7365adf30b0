"""Text from AWS made harmless for a terminal: names, tags and descriptions are data, never instructions."""

from __future__ import annotations

import unicodedata

# Controls (ESC among them), formatting characters (bidi overrides, zero-width ones), lone surrogates, line separators.
_UNSAFE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_BLANKS = frozenset("\t\n\r\v\f")


def plain(text: object) -> str:
    r"""`text` on one line, with every character that could steer a terminal written out as its escape.

    Line breaks and tabs become a space; an ESC becomes the four characters ``\x1b``; a right-to-left override becomes
    ``\u202e``. Whatever else there is, letters of any script included, stays as it is.
    """
    whole = str(text)
    if whole.isascii() and whole.isprintable():
        return whole
    return "".join(_safe(character) for character in whole)


def _safe(character: str) -> str:
    if character in _BLANKS:
        return " "
    if unicodedata.category(character) in _UNSAFE:
        return ascii(character)[1:-1]
    return character


def columns(text: str) -> int:
    """How many columns of a terminal `text` takes: East Asian wide characters take two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(_columns_of(character) for character in text)


def _columns_of(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def pad(text: str, width: int) -> str:
    """`text` filled up with spaces to `width` columns."""
    return text + " " * max(0, width - columns(text))
