"""Which instance of an Aurora cluster takes over when the writer is lost, and is it fit for that?

Aurora promotes the reader with the lowest promotion tier; among equals the largest; among those any.
https://docs.aws.amazon.com/AmazonRDS/latest/AuroraUserGuide/Concepts.AuroraHighAvailability.html
A serverless reader of tier 0 or 1 grows with the writer, one of a later tier does not.
https://docs.aws.amazon.com/AmazonRDS/latest/AuroraUserGuide/aurora-serverless-v2.how-it-works.html
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from ..model.identity import Zone
from ..model.known import Known, Unknown, merge, unclear
from ..model.verdict import Truth, any_of

# What will not take over; any other state than available may still, or soon.
_UNFIT = frozenset(
    {"deleting", "deleted", "failed", "stopped", "stopping", "storage-full", "restore-error", "insufficient-capacity"}
)
_SIZES = ("nano", "micro", "small", "medium", "large", "xlarge")
_SERVERLESS = "db.serverless"


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """An instance of a cluster."""

    name: str
    writes: bool
    zone: Known[Zone]
    status: str
    instance_class: str
    tier: int

    @property
    def unfit(self) -> bool:
        """Whether its state rules out that it takes over."""
        return self.status in _UNFIT or self.status.startswith(("incompatible-", "inaccessible-"))


def in_words(members: Sequence[Member]) -> str:
    """Each instance with role, zone, class and tier."""
    words = []
    for member in members:
        place = "a zone not known" if isinstance(member.zone, Unknown) else str(member.zone)
        role = "writer" if member.writes else f"reader of tier {member.tier}"
        state = "" if member.status == "available" else f", {member.status}"
        words.append(f"{member.name} ({role}, {member.instance_class} in {place}{state})")
    return ", ".join(words) or "none"


def readers_elsewhere(members: Sequence[Member]) -> Known[tuple[str, ...]]:
    """Available readers in another zone than the writer.

    Empty only when none can be there; unknown while a reader that is being made, changed or restarted may be the one.
    """
    writer = next((m for m in members if m.writes), None)
    if writer is None:
        return ()
    sure: list[str] = []
    doubts: list[Unknown] = []
    for member in members:
        if member.writes or member.unfit:
            continue
        away = _elsewhere(member, writer)
        if away is True and member.status == "available":
            sure.append(member.name)
        elif away is not False:
            doubts.append(
                away if isinstance(away, Unknown) else unclear(f"the reader {member.name} is {member.status}")
            )
    return tuple(sure) if sure or not doubts else merge(doubts)


def _elsewhere(member: Member, writer: Member) -> Truth:
    for place in (writer.zone, member.zone):
        if isinstance(place, Unknown):
            return place
    return member.zone != writer.zone


def candidates(members: Sequence[Member]) -> Known[tuple[Member, ...]]:
    """The readers that a failover may take, all alike by tier and size; empty without a reader that is fit."""
    fit = [m for m in members if not m.writes and not m.unfit]
    if not fit:
        return ()
    tier = min(m.tier for m in fit)
    first = [m for m in fit if m.tier == tier]
    sizes = [size_of(m.instance_class) for m in first]
    if len(first) == 1:
        return (first[0],)
    if any(size is None for size in sizes):
        same = {m.instance_class for m in first}
        if len(same) == 1:
            return tuple(first)
        return unclear(f"it cannot be said which of {', '.join(m.name for m in first)} is the largest")
    largest = max(size for size in sizes if size is not None)
    return tuple(m for m, size in zip(first, sizes, strict=True) if size == largest)


def target_facts(members: Known[Sequence[Member]]) -> dict[str, Any]:
    """Facts about the reader a failover takes."""
    names = ("failover_target", "target_in_writer_zone", "target_smaller")
    found = members if isinstance(members, Unknown) else candidates(members)
    if isinstance(found, Unknown) or isinstance(members, Unknown):
        return dict.fromkeys(names, found)
    writer = next((m for m in members if m.writes), None)
    if writer is None or not found:
        return {"failover_target": None, "target_in_writer_zone": False, "target_smaller": False}
    away = any_of(_elsewhere(m, writer) for m in found)
    return {
        "failover_target": " or ".join(m.name for m in found),
        "target_in_writer_zone": away if isinstance(away, Unknown) else not away,
        "target_smaller": any_of(smaller(m, writer) for m in found),
    }


def smaller(reader: Member, writer: Member) -> Truth:
    """Whether a reader has a smaller class than the writer; unknown where two classes cannot be compared."""
    if reader.instance_class == writer.instance_class and reader.instance_class != _SERVERLESS:
        return False
    if reader.instance_class == _SERVERLESS:
        if reader.tier <= 1:
            return False
        return True if writer.instance_class == _SERVERLESS else _not_comparable(reader, writer)
    ours, theirs = size_of(reader.instance_class), size_of(writer.instance_class)
    return _not_comparable(reader, writer) if ours is None or theirs is None else ours < theirs


def _not_comparable(reader: Member, writer: Member) -> Unknown:
    return unclear(
        f"{reader.instance_class} of {reader.name} and {writer.instance_class} of {writer.name} cannot be compared"
    )


def size_of(instance_class: str) -> float | None:
    """Relative size by the last part of a class name: each step doubles, ``4xlarge`` is four times ``xlarge``; None if unread.

    Families differ in memory and speed at the same size name; only the size name is compared.
    """
    last = instance_class.rpartition(".")[2]
    if last in _SIZES:
        return float(2 ** _SIZES.index(last))
    times = re.fullmatch(r"(\d+)xlarge", last)
    return float(2 ** _SIZES.index("xlarge") * int(times[1])) if times else None
