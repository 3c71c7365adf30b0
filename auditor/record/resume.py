"""What an earlier scan already knows: the answers that need not be asked for again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

import msgspec

from ..model.answer import Answer
from ..model.known import Outcome

__all__ = ["Answered", "CallKey", "answered", "call_key"]


class CallKey(NamedTuple):
    """What makes two calls the same call, its pages aside. `params` are canonical JSON."""

    account: str
    region: str
    service: str
    operation: str
    params: bytes
    pass_: int


Answered: TypeAlias = Mapping[CallKey, tuple[Answer, ...]]


def call_key(
    scope: tuple[str, str], service: str, operation: str, params: Mapping[str, Any], *, pass_: int = 1
) -> CallKey:
    """The key of a call in an account and region; the order of its parameters does not matter."""
    return CallKey(*scope, service, operation, msgspec.json.encode(params, order="deterministic"), pass_)


def answered(answers: Iterable[Answer]) -> Answered:
    """Pages that were read, per call: from the first one up to the first that is missing or was refused.

    A call whose parent had gone is kept as that one refusal, since asking again cannot bring it back. Every other refusal is
    left out, so that it is asked again.
    """
    calls: dict[CallKey, dict[int, Answer]] = defaultdict(dict)
    for answer in answers:
        scope = (answer.account, answer.region)
        key = call_key(scope, answer.service, answer.operation, answer.params, pass_=answer.pass_)
        pages = calls[key]
        pages[answer.page] = answer
        if answer.response is not None and answer.next is None:
            for later in [p for p in pages if p > answer.page]:
                del pages[later]
    known = {key: _unbroken(pages) for key, pages in calls.items()}
    return {key: pages for key, pages in known.items() if pages}


def _unbroken(pages: Mapping[int, Answer]) -> tuple[Answer, ...]:
    first = pages.get(1)
    if first is not None and first.error is not None and first.error.outcome is Outcome.GONE:
        return (first,)
    run: list[Answer] = []
    while (page := pages.get(len(run) + 1)) is not None and page.response is not None:
        run.append(page)
    return tuple(run)
