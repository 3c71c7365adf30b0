"""Nothing that was read is lost: whatever ends a scan early, the user is told where its recording is and how to go on."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager

from ..config import Settings
from ..record.place import RecordingPlace

__all__ = ["keeping"]


@contextmanager
def keeping(place: RecordingPlace, settings: Settings) -> Iterator[None]:
    """Name the kept recording on whatever exception passes; remove a temporary one when all went well."""
    try:
        yield
    except BaseException as error:
        if place.opened and place.kept() is not None:
            error.add_note(_hint(place, settings))
        raise
    place.discard()


def _hint(place: RecordingPlace, settings: Settings) -> str:
    kept = place.kept()
    if kept == place.finished:
        return f"the recording is whole and kept in {kept}; report it with `auditor check {shlex.quote(str(kept))}`"
    words = ["auditor", "scan", "--resume", str(kept)]
    for option, value in (
        ("--profile", settings.profile),
        ("--role-arn", settings.role_arn),
        ("--endpoint-url", settings.endpoint_url),
    ):
        if value:
            words += [option, value]
    if settings.demo:
        words.append("--demo")
    return f"the recording so far is kept in {kept}; go on with `{shlex.join(words)}`"
