"""Nothing that was read is lost: whatever ends a scan early, the user is told where its recording is and how to go on."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..config import Settings
from ..model.known import Outcome
from ..record.place import RecordingPlace

__all__ = ["keep_expired", "keeping"]


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


def keep_expired(place: RecordingPlace, settings: Settings, document: dict[str, Any]) -> list[str]:
    """Where credentials expired during the scan, keep its recording and say how to go on; otherwise nothing."""
    if all(gap["outcome"] != Outcome.EXPIRED for gap in document["scan"]["gaps"]):
        return []
    place.temporary = False
    return [f"the AWS credentials expired during the scan: get new ones and go on with `{_going_on(place, settings)}`"]


def _hint(place: RecordingPlace, settings: Settings) -> str:
    kept = place.kept()
    if kept == place.finished:
        return f"the recording is whole and kept in {kept}; report it with `auditor check {shlex.quote(str(kept))}`"
    return f"the recording so far is kept in {kept}; go on with `{_going_on(place, settings)}`"


def _going_on(place: RecordingPlace, settings: Settings) -> str:
    kept = place.kept()
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
    return shlex.join(words)
