"""Where the recording of a scan is kept: a file the user names, or one in the user's state directory until the report is out."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ..errors import RecordingError
from .reading import read_recording, why

__all__ = ["RecordingPlace", "state_folder"]

_PART = ".part"


def state_folder() -> Path:
    """The folder for what is kept between runs: ``$XDG_STATE_HOME`` or ``~/.local/state``; on Windows ``%LOCALAPPDATA%``.

    Raises:
        RecordingError: the user has no home directory, as in some containers.
    """
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
        return (Path(base) if base else _home() / "AppData" / "Local") / "auditor"
    base = os.environ.get("XDG_STATE_HOME")
    return (Path(base) if base and Path(base).is_absolute() else _home() / ".local" / "state") / "auditor"


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError as error:
        raise RecordingError(
            "this user has no home directory to keep the recording in: name another place for it with --save, or set HOME"
        ) from error


def _is_state_folder(path: Path) -> bool:
    with contextlib.suppress(RecordingError):
        return path.absolute() == state_folder().absolute()
    return False


def _behind(path: Path) -> Path:
    """The file that a symbolic link leads to, so that the link stays one."""
    return path.resolve() if path.is_symlink() else path


class RecordingPlace:
    """The place of one recording.

    Attributes:
        path: what a recorder is given: the file to make, or the one to go on with.
        resumes: whether it goes on with a recording.
        temporary: whether it is removed once the report is out.
        earlier: settings of the recording it goes on with.
        opened: set once a recorder writes there, so that what stood there before is not taken for this scan's.
    """

    def __init__(self, *, save: Path | None = None, resume: Path | None = None) -> None:
        """Choose the place: `resume`, else `save`, else a new file in the state directory.

        Raises:
            RecordingError: there is nothing to go on with, or the place is no regular file.
        """
        self.resumes = resume is not None
        self.opened = False
        self.earlier: Mapping[str, Any] = {}
        named = resume or save
        if named is not None and named.exists() and not (named.is_file() or named.is_dir()):
            # It is made beside its place and renamed into it, which would remove a device or a pipe that stands there.
            raise RecordingError(f"{named} cannot be written: a recording needs a regular file")
        if resume is not None:
            self.path = self._existing(_behind(resume))
            self.earlier = read_recording(self.path).header.settings
        elif save is not None:
            self.path = _behind(save)
        else:
            moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
            self.path = state_folder() / f"scan-{moment}-{os.getpid()}.jsonl.gz"
        self.temporary = save is None and _is_state_folder(self.path.parent)

    @staticmethod
    def _existing(path: Path) -> Path:
        """The file itself, or its unfinished part where only that is there."""
        part = path.with_name(path.name + _PART)
        return part if not path.exists() and part.exists() else path

    @property
    def finished(self) -> Path:
        """Where the recording is once it is finished."""
        return self.path.with_name(self.path.name.removesuffix(_PART))

    @property
    def part(self) -> Path:
        """Where it is until then."""
        return self.finished.with_name(self.finished.name + _PART)

    def prepare(self) -> None:
        """Make the folder of the state directory, for its owner only.

        Raises:
            RecordingError: it cannot be made.
        """
        if not self.temporary:
            return
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise RecordingError(
                f"{self.path.parent} cannot be made: {why(error)}; name another place for the recording with --save"
            ) from error

    def kept(self) -> Path | None:
        """The file that holds what was read so far; None when nothing was written yet."""
        for path in (self.part, self.finished):
            with contextlib.suppress(OSError):
                if path.stat().st_size:
                    return path
        return None

    def discard(self) -> None:
        """Remove a temporary recording; one that the user named stays."""
        if self.temporary:
            with contextlib.suppress(OSError):
                self.finished.unlink(missing_ok=True)
