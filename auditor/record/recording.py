"""Writing a recording: one line as each answer arrives, so that whatever ends the scan, what was read is kept.

While a scan runs the file is ``FILE.part``, readable by its owner only; finished, it is compressed to ``FILE``. A scan that
dies leaves ``FILE.part``, and another can go on from it.
"""

from __future__ import annotations

import contextlib
import gzip
import os
import shutil
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import msgspec

from ..errors import RecordingError
from ..model.answer import Answer, Footer, Header
from .reading import FORMAT, Recording, read_recording, why

__all__ = ["FORMAT", "Recorder", "Recording", "read_recording"]

PART = ".part"
_encode = msgspec.json.Encoder().encode


class Recorder:
    """Appends to one recording. Made by `create` or `resume`; `finish` compresses it, `close` leaves it as it is.

    Attributes:
        path: where the finished recording will be.
        part: where it is until then.
        header: its first line.
        earlier: what it held when it was resumed; None for a new one.
        calls: answers and refusals in it.
        errors: refusals in it.
    """

    def __init__(self, path: Path, header: Header, file: IO[bytes], earlier: Recording | None = None) -> None:
        self.path = path
        self.part = _part(path)
        self.header = header
        self.earlier = earlier
        self.calls = 0
        self.errors = 0
        self._file = file
        self._end = 0

    @classmethod
    def create(cls, path: str | Path, header: Header) -> Recorder:
        """Begin a new recording.

        Raises:
            RecordingError: the place cannot be written, or holds the rest of an interrupted scan.
        """
        path = Path(path)
        part = _part(path)
        try:
            if path.is_dir():
                raise IsADirectoryError(None, "is a directory")
            if path.exists() and not path.is_file():
                raise OSError(None, "a recording needs a regular file")
            file = _open(part, "xb")
        except FileExistsError as error:
            raise RecordingError(
                f"{part} holds an interrupted scan: go on from it with `auditor scan --resume {part}`, or remove it"
            ) from error
        except OSError as error:
            raise RecordingError(f"{path} cannot be written: {why(error)}") from error
        recorder = cls(path, header, file)
        try:
            recorder._write(header)
        except RecordingError:
            recorder.discard()
            raise
        return recorder

    @classmethod
    def resume(
        cls, path: str | Path, *, account_id: str | None = None, settings: Mapping[str, Any] | None = None
    ) -> Recorder:
        """Go on with a recording, interrupted (``FILE.part`` or its ``FILE``) or finished.

        A broken last line and an old footer are dropped. What the recording held is in `earlier`.

        Args:
            path: the recording.
            account_id: the account that is signed in to; None leaves it unchecked.
            settings: the settings of this scan; None leaves them unchecked.

        Raises:
            RecordingError: it cannot be read or written, or is of another account or of other settings.
        """
        source = Path(path)
        final = source.with_name(source.name.removesuffix(PART))
        part = _part(final)
        if source != part and part.exists():
            if source.exists():
                raise RecordingError(f"{part} holds an interrupted scan: go on from that one, or remove it")
            source = part
        earlier = read_recording(source)
        _same_scan(source, earlier, account_id, settings)
        fresh = final.with_name(f"{final.name}.new")
        try:
            recorder = cls(final, earlier.header, _open(fresh, "wb"), earlier)
            with recorder:
                recorder._write(earlier.header)
                for answer in earlier.answers:
                    recorder.append(answer)
            fresh.replace(part)
            recorder._file = _open(part, "ab")
        except OSError as error:
            raise RecordingError(f"{part} cannot be written: {why(error)}") from error
        finally:
            with contextlib.suppress(OSError):
                fresh.unlink(missing_ok=True)
        return recorder

    def append(self, answer: Answer) -> None:
        """Write one answer or refusal; when this returns, the operating system has it.

        Raises:
            RecordingError: it cannot be written, for example because the disk is full. What was written before is kept.
        """
        self._write(answer)
        self.calls += 1
        self.errors += answer.error is not None

    def finish(self, footer: Footer) -> Path:
        """Write the last line, compress the recording to its place and remove the part. The same recording gives the same bytes.

        Raises:
            RecordingError: it cannot be written; the part is kept and is a whole recording.
        """
        self._write(footer)
        self.close()
        packed = self.path.with_name(f"{self.path.name}.new")
        try:
            with (
                self.part.open("rb") as plain,
                _open(packed, "wb") as file,
                gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0, compresslevel=6) as compressed,
            ):
                shutil.copyfileobj(plain, compressed, 1 << 20)
            packed.replace(self.path)
            self.part.unlink()
        except OSError as error:
            with contextlib.suppress(OSError):
                packed.unlink(missing_ok=True)
            raise RecordingError(f"{self.path} cannot be written: {why(error)}") from error
        return self.path

    def close(self) -> None:
        """Stop writing; the part stays. Closing twice does nothing."""
        self._file.close()

    def discard(self) -> None:
        """Stop writing and remove the part."""
        self.close()
        self.part.unlink(missing_ok=True)

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _write(self, entry: Header | Answer | Footer) -> None:
        line = _line(entry)
        # Known, not asked for: every call of the operating system lets the other threads go first.
        begin = self._end
        try:
            sent = 0
            while sent < len(line):
                sent += self._file.write(line[sent:])
            self._end = begin + len(line)
        except BaseException as error:
            # A full disk, or an interrupt: half a line must not stand where another line may follow.
            with contextlib.suppress(OSError):
                self._file.truncate(begin)
                self._file.seek(begin)
            if isinstance(error, OSError):
                raise RecordingError(f"{self.part} cannot be written: {why(error)}") from error
            raise


def _part(path: Path) -> Path:
    return path.with_name(path.name + PART)


def _open(path: Path, mode: str) -> IO[bytes]:
    """Open unbuffered, for its owner only."""

    def private(name: str, flags: int) -> int:
        return os.open(name, flags, 0o600)

    opener: Callable[[str, int], int] = private
    return open(path, mode, buffering=0, opener=opener)


def _same_scan(path: Path, earlier: Recording, account_id: str | None, settings: Mapping[str, Any] | None) -> None:
    others = sorted({a.account for a in earlier.answers} - {account_id}) if account_id else []
    if others:
        raise RecordingError(f"{path} is a recording of account {others[0]}; you are signed in to {account_id}")
    if settings is None:
        return
    old, new = earlier.header.settings, msgspec.to_builtins(dict(settings))
    differ = sorted(k for k in old.keys() | new.keys() if _unordered(old.get(k)) != _unordered(new.get(k)))
    if differ:
        raise RecordingError(f"{path} was recorded with other settings: {', '.join(differ)}")


def _unordered(value: Any) -> Any:
    """A list without its order: the same regions are the same scan."""
    return sorted(map(str, value)) if isinstance(value, list) else value


def _line(entry: Header | Answer | Footer) -> bytes:
    if isinstance(entry, Answer) and entry.response is not None:
        entry = msgspec.structs.replace(entry, response=_plain(entry.response))
    return _encode(entry) + b"\n"


def _plain(value: Any) -> Any:
    """An answer as JSON can hold it: times in UTC, text without halves of surrogate pairs."""
    if isinstance(value, dict):
        return {_plain(k): _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    if isinstance(value, datetime):
        aware = value if value.tzinfo else value.replace(tzinfo=UTC)
        return aware.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, str) and not value.isascii():
        return value.encode("utf-8", "replace").decode("utf-8")
    return value
