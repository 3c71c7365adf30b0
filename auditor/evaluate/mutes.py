"""Mutes: findings that somebody decided to live with, each with a reason, an owner and mostly an end."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Annotated

import msgspec

from ..derive.node import Node
from ..errors import UsageError
from ..model.faults import fault_in_words
from ..model.finding import Mute
from .matching import Match
from .types import closest

__all__ = ["MuteEntry", "Muting", "mute_entries"]

Text = Annotated[str, msgspec.Meta(min_length=1)]


class MuteEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entry of a mute file.

    Attributes:
        rule: a rule's id, or a glob.
        match: the resources; without it, every resource.
        reason: why.
        owner: who decided.
        until: the last day on which it mutes; None for no end.
    """

    rule: Text
    reason: Text
    owner: str = ""
    match: Match | None = None
    until: datetime.date | None = None

    def __str__(self) -> str:
        of = f" ({self.owner})" if self.owner else ""
        return f"the mute of {self.rule}{of}, {self.reason!r},"


def mute_entries(raw: object, place: str, known: Sequence[str]) -> tuple[MuteEntry, ...]:
    """Entries from a decoded mute file or the `mutes` of the settings.

    Args:
        raw: what YAML gave: a list of mappings, or None for an empty file.
        place: the file, for error messages.
        known: ids of all rules.

    Raises:
        UsageError: another form, or a rule that does not exist; one sentence naming file and place.
    """
    try:
        entries = msgspec.convert([] if raw is None else raw, tuple[MuteEntry, ...])
    except msgspec.ValidationError as error:
        raise UsageError(f"{place}: {fault_in_words(str(error), tuple[MuteEntry, ...])}") from None
    for number, entry in enumerate(entries):
        if not any(fnmatchcase(rule, entry.rule) for rule in known):
            near = closest(entry.rule, list(known))
            raise UsageError(
                f"{place}: entry {number + 1}: no rule has the id {entry.rule!r}{f'; {near}' if near else ''}"
            )
    return entries


class Muting:
    """Applies mutes, and remembers which were of use."""

    def __init__(self, entries: Sequence[MuteEntry], today: datetime.date) -> None:
        self.expired = tuple(e for e in entries if e.until is not None and e.until < today)
        self._live = [e for e in entries if e.until is None or e.until >= today]
        self._used: set[int] = set()

    @property
    def unused(self) -> tuple[MuteEntry, ...]:
        """Live mutes that fitted no finding."""
        return tuple(e for e in self._live if id(e) not in self._used)

    def __bool__(self) -> bool:
        return bool(self._live)

    def mute(self, rule_id: str, node: Node) -> Mute | None:
        """The first live mute that fits, as a finding carries it. Tags that were not read never mute."""
        for entry in self._live:
            if fnmatchcase(rule_id, entry.rule) and (entry.match is None or entry.match.of(node) is True):
                self._used.add(id(entry))
                return Mute(
                    reason=entry.reason, owner=entry.owner, until=entry.until.isoformat() if entry.until else None
                )
        return None
