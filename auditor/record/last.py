"""What the last scan was refused, kept in the user's state directory for ``auditor permissions --missing``."""

from __future__ import annotations

import contextlib
import os

import msgspec

from ..errors import RecordingError
from .place import state_folder

__all__ = ["LastScan", "recall", "remember"]

_NAME = "last-scan.json"


class LastScan(msgspec.Struct, frozen=True, kw_only=True):
    """When a scan ended, of which accounts, and the IAM actions that were denied to it, sorted."""

    finished: str
    accounts: tuple[str, ...]
    denied: tuple[str, ...]


def remember(scan: LastScan) -> None:
    """Keep it in place of the one before. A state directory that cannot be written is passed over: the report is what counts."""
    with contextlib.suppress(OSError, RecordingError):
        folder = state_folder()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        fresh = folder / f".{_NAME}.{os.getpid()}"
        with open(fresh, "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(msgspec.json.encode(scan))
        fresh.replace(folder / _NAME)


def recall() -> LastScan | None:
    """The last scan on this machine, or None when none is remembered."""
    try:
        return msgspec.json.decode((state_folder() / _NAME).read_bytes(), type=LastScan)
    except (OSError, RecordingError, msgspec.MsgspecError):
        return None
