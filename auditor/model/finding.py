"""Findings: the verdict of one rule on one subject, with what it rests on."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from .identity import Resource, Zone
from .verdict import Severity, Status


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """One fact a finding rests on: what it says, the API answer it comes from, the field, the value, when AWS said it."""

    says: str
    source: str
    field: str
    value: Any
    at: str


class Remediation(msgspec.Struct, frozen=True, kw_only=True):
    """How to mend it: a summary, runnable commands with the real identifiers, and what the fix itself may break."""

    summary: str
    commands: tuple[str, ...] = ()
    caution: str = ""


class Mute(msgspec.Struct, frozen=True, kw_only=True):
    """Why a finding is muted, by whom, until when (a date, inclusive; None for no end)."""

    reason: str
    owner: str = ""
    until: str | None = None


class Cause(msgspec.Struct, frozen=True, order=True):
    """A (resource, zone) pair that a finding is caused by. `zone` is "" for the whole resource, which covers every zone."""

    arn: str
    zone: str = ""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict of one rule on one subject."""

    id: str
    rule_id: str
    title: str
    status: Status
    severity: Severity
    confidence: Literal["certain", "likely", "possible"]
    resource: Resource
    tags: dict[str, str]
    zones: tuple[Zone, ...]
    message: str
    why: str
    remediation: Remediation
    evidence: tuple[Evidence, ...] = ()
    missing_actions: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    causes: tuple[Cause, ...] = ()
    hidden_by: str | None = None
    muted: Mute | None = None
    first_seen_at: str | None = None
