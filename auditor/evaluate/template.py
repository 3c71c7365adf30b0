"""Texts with placeholders: messages, summaries and commands. ``{expression}`` is an expression over the subject."""

from __future__ import annotations

import dataclasses
import datetime
import math
import re
import shlex
from collections.abc import Mapping
from typing import Any

from ..derive.node import Facts, Node
from ..errors import RuleError
from ..model.known import Unknown
from .expression import Expression, compile_expression
from .types import Kind, Type
from .values import Bounds, Partial, entries

__all__ = ["Template", "compile_template", "placeholders"]

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]+")
_BRACE = re.compile(r"\{\{|\}\}|[{}]")
UNKNOWN = "unknown"


@dataclasses.dataclass(frozen=True, slots=True)
class Template:
    """A compiled text: literal pieces and expressions in turn. `shell` quotes every value for a POSIX shell."""

    text: str
    pieces: tuple[str | Expression, ...]
    shell: bool = False

    def __call__(self, node: Node) -> str:
        """The text for one subject. A value that could not be read prints as "unknown"."""
        show = _quoted if self.shell else words
        return "".join(p if isinstance(p, str) else show(p.run(node)) for p in self.pieces)


def words(value: Any) -> str:
    """A value as people read it: lists joined with commas, floats short, control characters gone."""
    if isinstance(value, tuple | Partial):
        listed = [_member(item, sure) for item, sure in entries(value)]
        if isinstance(value, Partial) and value.more is not None:
            listed.append(UNKNOWN)
        return ", ".join(listed) or "none"
    return _CONTROL.sub(" ", _one(value))


def _member(item: Any, sure: Any) -> str:
    text = words(item)
    return text if sure is True or text == UNKNOWN else f"perhaps {text}"


def _one(value: Any) -> str:
    if isinstance(value, Unknown):
        return UNKNOWN
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    if isinstance(value, datetime.datetime):
        return value.isoformat(timespec="seconds").replace("+00:00", "Z")
    if isinstance(value, Bounds):
        low = f"{value.lo:g}"
        return f"{low} or more" if math.isinf(value.hi) else f"{low} to {value.hi:g}"
    return str(value)


def _quoted(value: Any) -> str:
    if isinstance(value, tuple | Partial):
        return " ".join(shlex.quote(words(item)) for item, _ in entries(value)) or shlex.quote("")
    return shlex.quote(words(value))


def placeholders(text: str) -> list[tuple[str, bool]]:
    """The pieces of a template: (text, False) and (expression, True). ``{{`` and ``}}`` stand for single braces.

    Raises:
        RuleError: for a brace without its partner, or an empty placeholder.
    """
    pieces: list[tuple[str, bool]] = []
    plain, at = "", 0
    while brace := _BRACE.search(text, at):
        start = brace.start()
        plain += text[at:start]
        if brace.group() in ("{{", "}}"):
            plain, at = plain + text[start], start + 2
        elif brace.group() == "{":
            end = _closing(text, start + 1)
            pieces += [(plain, False), (text[start + 1 : end].strip(), True)]
            plain, at = "", end + 1
        else:
            raise RuleError(f"a lone }} in {_short(text)}; a brace of the text is written twice: }}}}")
    pieces.append((plain + text[at:], False))
    return [(piece, code) for piece, code in pieces if piece or code]


def _closing(text: str, at: int) -> int:
    quote = ""
    for position in range(at, len(text)):
        char = text[position]
        if quote:
            quote = "" if char == quote else quote
        elif char in "'`\"":
            quote = char
        elif char == "}":
            return position
    raise RuleError(f"a {{ without }} in {_short(text)}; a brace of the text is written twice: {{{{")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return repr(line if len(line) <= 60 else f"{line[:57]}...")


def compile_template(text: str, params: Mapping[str, Any], subject: type[Node], *, shell: bool = False) -> Template:
    """Check and compile a template.

    Args:
        text: the template.
        params: params of the rule, for ``$name`` in placeholders.
        subject: the kind of node its expressions read.
        shell: whether it is a command; then every value is quoted, a list becomes several words, and a placeholder inside
            quotes or a comment of the command is refused, for there the quoting would not hold.

    Raises:
        RuleError: one sentence.
    """
    pieces: list[str | Expression] = []
    before = ""
    for piece, code in placeholders(text.strip()):
        if not code:
            pieces.append(piece)
            before += piece
            continue
        if shell:
            _check_bare(before, piece)
            before += "x"
        pieces.append(_printable(piece, params, subject))
    return Template(text, tuple(pieces), shell)


def _printable(text: str, params: Mapping[str, Any], subject: type[Node]) -> Expression:
    if not text:
        raise RuleError("a placeholder {} is empty; a brace of the text is written twice: {{")
    try:
        code = compile_expression(text, params, subject)
    except RuleError as error:
        raise RuleError(f"placeholder {{{text}}}: {error}") from None
    if not _prints(code.type):
        raise RuleError(f"placeholder {{{text}}} is a {code.type}, which does not print; read a field of it")
    return code


def _prints(type_: Type) -> bool:
    if type_.kind is Kind.LIST and type_.item:
        return type_.item.kind is not Kind.LIST and _prints(type_.item)
    if type_.kind is Kind.FACTS and type_.of:
        return not issubclass(type_.of, Facts) and "__str__" in vars(type_.of)
    return type_.kind is not Kind.MAP


def _check_bare(before: str, piece: str) -> None:
    quote, escaped, comment = "", False, False
    previous = "\n"
    for char in before:
        if comment:
            comment = char != "\n"
        elif escaped:
            escaped = False
        elif quote == "'":
            quote = "" if char == "'" else quote
        else:
            escaped = char == "\\"
            quote = _next_quote(quote, char)
            comment = char == "#" and not quote and previous.isspace()
        previous = char
    if quote or escaped or comment:
        raise RuleError(
            f"placeholder {{{piece}}} stands inside quotes or a comment of the command; they are quoted anyway"
        )


def _next_quote(quote: str, char: str) -> str:
    if quote:
        return "" if char == quote else quote
    return char if char in "'\"" else ""
