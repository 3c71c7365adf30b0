"""Reading a recording: compressed or not, whole or broken off, ours or foreign."""

from __future__ import annotations

import dataclasses
import gzip
import zlib
from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path
from typing import Any

import msgspec

from ..errors import RecordingError
from ..model.answer import Answer, Footer, Header

__all__ = ["FORMAT", "Recording", "read_recording", "why"]

FORMAT = 1
_GZIP_MAGIC = b"\x1f\x8b"
_ANSWER = msgspec.json.Decoder(Answer)
_HEADER = msgspec.json.Decoder(Header)
_FOOTER = msgspec.json.Decoder(Footer)


@dataclasses.dataclass(frozen=True, slots=True)
class Recording:
    """A recording as read.

    Attributes:
        path: where it was read.
        header: its first line.
        answers: answers and refusals, in the order in which they came.
        footer: its last line; None when the scan did not end.
        cut_off: whether its end was broken off, and the broken line left out.
    """

    path: Path
    header: Header
    answers: list[Answer]
    footer: Footer | None
    cut_off: bool


def read_recording(path: str | Path) -> Recording:
    """Read a recording. A last line that was broken off is left out.

    Raises:
        RecordingError: the file cannot be read, is not a recording, is damaged before its end, or is of another version.
    """
    path = Path(path)
    try:
        with path.open("rb") as file:
            return _read(path, file)
    except (OSError, zlib.error) as error:
        raise RecordingError(f"{path} cannot be read: {why(error)}") from error


def why(error: Exception) -> str:
    """The operating system's reason, without number and path."""
    return (getattr(error, "strerror", None) or str(error)).strip().lower()


def _read(path: Path, file: BufferedReader) -> Recording:
    lines = _lines(file)
    header = _header(path, next(lines, b""))
    answers: list[Answer] = []
    footer: Footer | None = None
    for number, line in enumerate(lines, start=2):
        if footer is not None:
            raise RecordingError(f"{path} goes on after its last line (line {number})")
        try:
            entry = _entry(line)
        except (msgspec.DecodeError, ValueError) as error:
            if not line.endswith(b"\n"):
                return Recording(path, header, answers, None, True)
            raise RecordingError(f"{path} is damaged at line {number}: {error}") from error
        if isinstance(entry, Footer):
            footer = entry
        else:
            answers.append(entry)
    return Recording(path, header, answers, footer, False)


def _lines(file: BufferedReader) -> Iterator[bytes]:
    """Lines with their ends; a compressed file that was broken off gives those before the break."""
    if file.peek(len(_GZIP_MAGIC))[: len(_GZIP_MAGIC)] != _GZIP_MAGIC:  # a pipe cannot be rewound
        yield from file
        return
    try:
        yield from gzip.GzipFile(fileobj=file)
    except EOFError:
        yield b"{"


def _header(path: Path, line: bytes) -> Header:
    try:
        raw: Any = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raw = None
    if not isinstance(raw, dict) or raw.get("kind") != "header":
        raise RecordingError(
            f"{path} is not a recording of this program" if line else f"{path} is empty, not a recording"
        )
    if raw.get("v") != FORMAT:
        raise RecordingError(f"{path} is a recording of version {raw.get('v')}; this program reads version {FORMAT}")
    try:
        return _HEADER.decode(line)
    except msgspec.ValidationError as error:
        raise RecordingError(f"{path} has a header that cannot be read: {error}") from error


def _entry(line: bytes) -> Answer | Footer:
    try:
        answer = _ANSWER.decode(line)
    except msgspec.ValidationError as error:
        try:
            return _FOOTER.decode(line)
        except msgspec.ValidationError:
            raise error from None
    if (answer.response is None) == (answer.error is None):
        raise ValueError("an answer holds either a response or an error")
    return answer
