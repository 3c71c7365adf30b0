"""One line of a recording: an answer page of AWS, or a refusal."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec

from .known import Outcome


class CallError(msgspec.Struct, frozen=True, kw_only=True):
    """A refusal: AWS's error code and message, and what they amount to."""

    code: str
    message: str
    outcome: Outcome


class Answer(msgspec.Struct, frozen=True, kw_only=True, rename={"pass_": "pass"}, omit_defaults=True):
    """An answer page or a refusal; exactly one of `response` and `error` is set.

    `params` are those of the call without its page token and page size; `page` counts from 1; `next` is the token for the
    page after this one, None on the last; `pass_` is 2 for the second reading of ARC state; `at` is ISO 8601 in UTC.
    """

    v: int
    account: str
    region: str
    service: str
    operation: str
    params: dict[str, Any]
    page: int
    at: str
    ms: int
    pass_: int = 1
    next: str | None = None
    response: dict[str, Any] | None = None
    error: CallError | None = None


class Header(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="header"):
    """First line of a recording: who made it, when, with which settings (never a secret)."""

    v: int
    tool_version: str
    scan_id: str
    started: str
    settings: dict[str, Any]


class Footer(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="footer"):
    """Last line of a finished recording. Offline commands take `finished` as their clock."""

    v: int
    finished: str
    calls: int
    errors: int


def stamp(moment: datetime) -> str:
    """A moment as recordings write it: ISO 8601 in UTC with milliseconds, so that text order is time order."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
