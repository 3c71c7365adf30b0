"""The form of a case in a rule file: a scenario, a change to it, and the verdicts that must follow."""

from __future__ import annotations

from typing import Any

import msgspec

from ..model.verdict import Severity
from .given_figures import Capacity, Drill
from .rule_file import Strict

__all__ = ["Case", "Expect", "Given"]

Names = tuple[str, ...]


class Given(Strict, frozen=True, kw_only=True):
    """Where a case starts: a scenario by name, a deep-merge patch (null deletes), and IAM actions that are denied.

    `intent`, `capacity` and `drill` are what the settings say, in their form.
    """

    scenario: str
    change: dict[str, Any] = msgspec.field(default_factory=dict)
    deny: Names = ()
    intent: tuple[dict[str, Any], ...] = ()
    capacity: tuple[Capacity, ...] = ()
    drill: Drill | None = None


class Expect(Strict, frozen=True, kw_only=True):
    """What must follow. A name is a resource's, or ``name@zone-id`` for a subject with a zone.

    Attributes:
        fail, pass_, unknown, not_applicable: names with that verdict. For a resource named under `fail`, the zones named
            there are exactly those that fail.
        absent: names about which the rule gives no verdict at all.
        message_has: texts, each in the message of a finding named under `fail`, `unknown` or `not_applicable`.
        severity: severity of every finding named under `fail`.
        missing: IAM actions that the findings named under `unknown` name as missing.
        hidden_by: the rule whose finding hides every finding named under `fail`.
    """

    fail: Names = ()
    pass_: Names = msgspec.field(default=(), name="pass")
    unknown: Names = ()
    not_applicable: Names = ()
    absent: Names = ()
    message_has: str | Names = ()
    severity: Severity | None = None
    missing: Names = ()
    hidden_by: str | None = None

    def __post_init__(self) -> None:
        if not (self.fail or self.pass_ or self.unknown or self.not_applicable or self.absent):
            raise ValueError("a case expects at least one of fail, pass, unknown, not_applicable and absent")


class Case(Strict, frozen=True, kw_only=True):
    """One case."""

    name: str
    given: Given
    expect: Expect
