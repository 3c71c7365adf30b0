"""The inventory: what AWS answered, decoded into typed shapes, per account and region.

Every value is reached through the `Read` that declares it, so the type checker knows what comes back and nobody has to
remember which call a value came from. A resource that vanished during the scan is left out of every listing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar, cast

import msgspec

from .identity import AccountId, RegionName
from .known import Known, Listing, Outcome, Reason, Unknown
from .read import AnyRead, Read

T = TypeVar("T")


class Scope(NamedTuple):
    """One account and region: the unit of collection."""

    account_id: AccountId
    region: RegionName


class Held(msgspec.Struct, frozen=True):
    """What one read gave for one parent: items, gaps, and when the (last) answer came."""

    items: tuple[Any, ...] = ()
    gaps: tuple[Reason, ...] = ()
    at: str = ""


class Gap(msgspec.Struct, frozen=True, kw_only=True):
    """A call that failed, as the report lists it. `key` names the parent the call was for."""

    account_id: AccountId
    region: RegionName
    read: AnyRead
    key: str
    reason: Reason


class RegionInventory:
    """Answers of one scope. Build it with `auditor.record.decode`; it is not changed afterwards.

    `gone` holds what vanished during the scan as (service, name or ARN): a name means nothing outside its service.
    """

    def __init__(
        self,
        scope: Scope,
        held: Mapping[tuple[str, str, int], Mapping[str, Held]],
        gone: frozenset[tuple[str, str]],
    ) -> None:
        self.scope = scope
        self._held = held
        self._gone = gone
        self._listings: dict[tuple[str, str, int, str], Listing[Any]] = {}
        self._indexes: dict[tuple[str, str], dict[str, Any]] = {}
        self._attributes: dict[tuple[str, str, str], Known[Mapping[str, str]]] = {}

    def asked(self, read: AnyRead) -> bool:
        """Whether the recording holds any answer or refusal of this operation in this scope."""
        return any((read.service, read.operation, p) in self._held for p in (1, 2))

    def keys(self, read: AnyRead) -> tuple[str, ...]:
        """Parents for which this read was made."""
        return tuple(self._at_pass(read, None))

    def vanished(self, read: AnyRead, name: str) -> bool:
        """Whether the service of `read` said during the scan that what it calls `name` no longer exists."""
        return (read.service, name) in self._gone

    def _at_pass(self, read: AnyRead, pass_: int | None) -> Mapping[str, Held]:
        for wanted in (pass_,) if pass_ else (2, 1):
            found = self._held.get((read.service, read.operation, wanted or 1))
            if found:
                return found
        return {}

    def listing(self, read: Read[T], key: str = "", *, pass_: int | None = None) -> Listing[T]:
        """Items of `read` for the parent `key`; without `pass_`, of the latest pass. Vanished items are left out.

        A refused call gives an empty listing with its reason as gap; a call that was never made gives one whose reason is
        ``not_asked``. So absence may be concluded from a complete listing only.
        """
        memo = (read.service, read.operation, pass_ or 0, key)
        if memo in self._listings:
            return cast("Listing[T]", self._listings[memo])
        held = self._at_pass(read, pass_).get(key)
        if held is None:
            result: Listing[T] = Listing((), (not_asked(read, key),))
        else:
            items = held.items
            if read.identity and self._gone:
                items = tuple(i for i in items if not self.vanished(read, str(getattr(i, read.identity))))
            result = Listing(items, held.gaps)
        self._listings[memo] = result
        return result

    def one(self, read: Read[T], key: str = "") -> Known[T]:
        """The single item of `read` for `key`, or why there is none."""
        found = self.listing(read, key)
        if found.items:
            return found.items[0]
        return found.unknown if found.gaps else Unknown((not_asked(read, key),))

    def index(self, read: Read[T], key: str = "") -> Mapping[str, T]:
        """The listing by identity. Absence from it means nothing unless the listing is complete."""
        memo = (read.source, key)
        if memo not in self._indexes:
            self._indexes[memo] = {getattr(i, read.identity): i for i in self.listing(read, key)}
        return self._indexes[memo]

    def attributes(self, read: AnyRead, key: str) -> Known[Mapping[str, str]]:
        """Attributes (`Key`/`Value` items) of one load balancer or target group as a mapping.

        A key that AWS left out of a whole answer is simply absent; the caller applies the documented default and says so.
        """
        memo = (read.service, read.operation, key)
        if memo not in self._attributes:
            found = self.listing(read, key)
            self._attributes[memo] = {i.Key: i.Value for i in found} if found.complete else found.unknown
        return self._attributes[memo]

    def at(self, read: AnyRead, key: str = "") -> str:
        """When AWS gave the answer (ISO 8601, UTC), or "" when there is none."""
        held = self._at_pass(read, None).get(key)
        return held.at if held else ""


class Inventory(msgspec.Struct, frozen=True, kw_only=True):
    """All scopes of a scan, the gaps in them, and the time the scan ended."""

    regions: tuple[RegionInventory, ...]
    gaps: tuple[Gap, ...]
    started_at: str
    finished_at: str
    scan_id: str
    tool_version: str
    settings: dict[str, Any]
    calls: dict[str, int]
    finished: bool

    @property
    def complete(self) -> bool:
        """Whether everything asked was answered (closed regions, absent services and vanished resources aside)."""
        return self.finished and all(g.reason.outcome and g.reason.outcome.leaves_complete for g in self.gaps)


def not_asked(read: AnyRead, key: str = "") -> Reason:
    """The reason for a value whose call the recording does not hold."""
    return Reason(
        kind="not_asked", says=f"{read.operation} was not asked{f' for {key}' if key else ''}", action=read.action
    )


def refused(read: AnyRead, key: str, outcome: Outcome, code: str) -> Reason:
    """The reason for a value whose call failed."""
    about = f" for {key}" if key else ""
    return Reason(
        kind="refused",
        says=f"{read.operation}{about}: {outcome.value} ({code})",
        action=read.action,
        outcome=outcome,
        code=code,
    )
