"""Answers of a recording → the typed inventory. Pure: no file, no clock, no network.

Which operation gives which shape is read from the `Read` declarations of `auditor.model`, so a new shape file is enough.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import msgspec

from ..model import arc
from ..model.answer import Answer, Footer, Header
from ..model.catalogue import all_reads
from ..model.identity import AccountId, RegionName
from ..model.inventory import Gap, Held, Inventory, RegionInventory, Scope, refused
from ..model.known import Outcome, Reason
from ..model.read import AnyRead


@cache
def reads() -> Mapping[tuple[str, str], AnyRead]:
    """Every declared read, by service and operation."""
    return {(read.service, read.operation): read for read in all_reads()}


def keys_of(read: AnyRead, params: Mapping[str, Any]) -> tuple[str, ...]:
    """The parents a call was for: none (""), one, several of a batch, or one of a composite key (``a/b``)."""
    if not read.key:
        return ("",)
    parts = [params.get(name, "") for name in read.key.split("/")]
    if len(parts) == 1 and isinstance(parts[0], list | tuple):
        return tuple(str(p) for p in parts[0])
    return ("/".join(str(p) for p in parts),)


def _items(read: AnyRead, response: Mapping[str, Any]) -> list[Any]:
    value: Any = response
    for step in read.items.split(".") if read.items else ():
        value = value.get(step) if isinstance(value, Mapping) else None
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


class _Collected:
    """What has been seen so far of one read for one parent."""

    __slots__ = ("at", "calls", "errors", "items", "places")

    def __init__(self) -> None:
        self.items: list[Any] = []
        self.places: dict[str, int] = {}
        self.at = ""
        self.calls: list[list[Answer]] = []
        self.errors: list[Reason] = []


def _unreadable(read: AnyRead, why: str) -> Reason:
    return Reason(
        kind="partial",
        says=f"{read.operation}: an item of the answer has an unexpected form ({why})",
        action=read.action,
        outcome=Outcome.FAILED,
        code="UnexpectedAnswer",
    )


def _convert(read: AnyRead, raw: Any, into: _Collected) -> None:
    """Decode one item; one that was seen before, on an earlier page or in an earlier call, is replaced."""
    try:
        item = msgspec.convert(raw, read.of, strict=False)
    except msgspec.ValidationError as error:
        into.errors.append(_unreadable(read, str(error)))
        return
    if read.identity or read.of is str:
        identity = str(getattr(item, read.identity)) if read.identity else str(item)
        if identity in into.places:
            into.items[into.places[identity]] = item
            return
        into.places[identity] = len(into.items)
    into.items.append(item)


def _calls(answers: Iterable[Answer]) -> list[list[Answer]]:
    """The pages of each call in order, calls by time. What follows a last page stems from an earlier reading and is dropped."""
    by_params: dict[bytes, list[Answer]] = defaultdict(list)
    for answer in answers:
        by_params[msgspec.json.encode(answer.params, order="deterministic")].append(answer)
    calls: list[tuple[str, bytes, list[Answer]]] = []
    for params, pages in by_params.items():
        pages.sort(key=lambda a: a.page)
        last = next((i for i, p in enumerate(pages) if p.response is not None and p.next is None), len(pages) - 1)
        calls.append((pages[0].at, params, pages[: last + 1]))
    return [pages for _, _, pages in sorted(calls, key=lambda c: c[:2])]


def _take(read: AnyRead, raw: Any, keys: tuple[str, ...], collected: Mapping[str, _Collected]) -> None:
    """Give one item of an answer to the parent it belongs to."""
    if not read.item_key:
        _convert(read, raw, collected[keys[0]])
    elif not isinstance(raw, Mapping):
        for key in keys:
            collected[key].errors.append(_unreadable(read, f"a {type(raw).__name__} where an object is expected"))
    elif (owner := str(raw.get(read.item_key, ""))) in keys:
        _convert(read, raw, collected[owner])


def fold(read: AnyRead, answers: Iterable[Answer]) -> tuple[dict[str, Held], set[str]]:
    """Answers of one read in one scope and pass → what it gave per parent, and which parents are gone."""
    collected: dict[str, _Collected] = defaultdict(_Collected)
    answered: set[str] = set()
    for pages in _calls(answers):
        keys = keys_of(read, pages[0].params)
        for key in keys:
            collected[key].calls.append(pages)
        for answer in pages:
            if answer.response is None:
                continue
            answered.update(keys)
            for key in keys:
                collected[key].at = max(collected[key].at, answer.at)
            for raw in _items(read, answer.response):
                _take(read, raw, keys, collected)
    held: dict[str, Held] = {}
    gone: set[str] = set()
    for key, into in sorted(collected.items()):
        gaps = [*into.errors, *_gaps(read, key, into, whole=key in answered and bool(read.item_key))]
        if any(g.outcome is Outcome.GONE for g in gaps) and read.key and key not in answered:
            gone.add(key)
        held[key] = Held(
            tuple(into.items), tuple(g for g in gaps if g.outcome is not Outcome.GONE or not read.key), into.at
        )
    return held, gone


def _gaps(read: AnyRead, key: str, into: _Collected, *, whole: bool) -> Iterable[Reason]:
    """Why the answer for one parent is not whole.

    A batch that failed is forgiven once a smaller one was made for this parent: it failed because of another. Where none was
    (the scan was stopped in between), nothing is known of any parent in it, least of all that it is gone.
    """
    for pages in into.calls:
        failed = next((p for p in pages if p.error), None)
        if failed and failed.error:
            batch = bool(read.item_key) and len(keys_of(read, failed.params)) > 1
            gone = failed.error.outcome is Outcome.GONE
            if whole or (batch and gone and len(into.calls) > 1):
                continue
            outcome = Outcome.FAILED if batch and gone else failed.error.outcome
            reason = refused(read, key, outcome, failed.error.code)
            yield reason if len(pages) == 1 else msgspec.structs.replace(reason, kind="partial")
        elif pages[-1].next is not None or [p.page for p in pages] != list(range(1, len(pages) + 1)):
            yield Reason(
                kind="partial",
                says=f"{read.operation}: the listing was cut off after page {_read_through(pages)}",
                action=read.action,
                outcome=Outcome.FAILED,
                code="CutOff",
            )


def _read_through(pages: list[Answer]) -> int:
    """The last page before the first one that is missing."""
    return next((n for n, p in enumerate(pages) if p.page != n + 1), len(pages))


def decode(answers: Iterable[Answer], header: Header, footer: Footer | None) -> Inventory:
    """Decode a whole recording. Answers of undeclared operations are passed over (a newer tool may have written them)."""
    grouped: dict[Scope, dict[tuple[str, str, int], list[Answer]]] = defaultdict(lambda: defaultdict(list))
    calls: dict[str, int] = defaultdict(int)
    last = header.started
    latest: dict[tuple[Any, ...], Answer] = {}
    for answer in answers:
        calls[f"{answer.service}:{answer.operation}"] += 1
        last = max(last, answer.at)
        params = msgspec.json.encode(answer.params, order="deterministic")
        latest[answer.account, answer.region, answer.service, answer.operation, params, answer.pass_, answer.page] = (
            answer
        )
    for answer in latest.values():
        scope = Scope(AccountId(answer.account), RegionName(answer.region))
        if (answer.service, answer.operation) in reads():
            grouped[scope][answer.service, answer.operation, answer.pass_].append(answer)
    regions, gaps = [], []
    for scope in sorted(grouped):
        held: dict[tuple[str, str, int], dict[str, Held]] = {}
        gone: set[tuple[str, str]] = set()
        for (service, operation, pass_), group in sorted(grouped[scope].items()):
            read = reads()[service, operation]
            held[service, operation, pass_], vanished = fold(read, group)
            # To ARC, a resource that its listing does not name is not there; it says nothing of the resource itself.
            gone |= {(service, key) for key in vanished if read is not arc.MANAGED_RESOURCE}
            for key in sorted(vanished):
                reason = refused(read, key, Outcome.GONE, _code(group, read, key))
                gaps.append(Gap(account_id=scope.account_id, region=scope.region, read=read, key=key, reason=reason))
            for key, found in held[service, operation, pass_].items():
                gaps += [
                    Gap(account_id=scope.account_id, region=scope.region, read=read, key=key, reason=reason)
                    for reason in found.gaps
                    if reason.kind != "not_asked"
                ]
        # A region where only account-wide questions were asked was not scanned.
        if any(reads()[service, operation].regional for service, operation, _ in held):
            regions.append(RegionInventory(scope, held, frozenset(gone)))
    return Inventory(
        regions=tuple(regions),
        gaps=tuple(gaps),
        started_at=header.started,
        finished_at=footer.finished if footer else last,
        scan_id=header.scan_id,
        tool_version=header.tool_version,
        settings=header.settings,
        calls=dict(sorted(calls.items())),
        finished=footer is not None,
    )


def _code(group: list[Answer], read: AnyRead, key: str) -> str:
    for answer in group:
        if answer.error and answer.error.outcome is Outcome.GONE and key in keys_of(read, answer.params):
            return answer.error.code
    return ""
