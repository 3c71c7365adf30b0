"""What a declared call is: which read, for what, when, and how it is paged and paced.

From one declaration come the call itself, its paging, the IAM action, the rate budget and the line in the recording.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import IntEnum
from typing import Any, TypeAlias

from ..aws.guard import check_read_only
from ..model.inventory import RegionInventory
from ..model.read import AnyRead

__all__ = ["Call", "Params", "Requests", "Stage", "View", "batches", "each", "once"]

Params: TypeAlias = Mapping[str, Any]
# What was read of this account and region so far, decoded.
View: TypeAlias = RegionInventory
Requests: TypeAlias = Callable[[View], Iterable[Params]]


class Stage(IntEnum):
    """When a call is made. A stage begins when the one before it has ended, within one account and region."""

    SIGN_IN = 0
    ACCOUNT = 1
    ZONES = 2
    FIRST = 3
    MAIN = 4
    LAST = 5


def _always(_: View) -> Iterator[Params]:
    yield {}


@dataclasses.dataclass(frozen=True, slots=True)
class Call:
    """One declared read.

    Attributes:
        read: the operation and the shape of its answer.
        requests: parameters of the calls to make, from what was read so far; without page size and token.
        depends: reads that `requests` looks at; they are complete when it is asked.
        page_size: how many items to ask for at once; None for operations without pages.
        stage: when it is made. `FIRST` calls are made a second time in `LAST`: state that may change while we read.
        empty_codes: error codes that mean "none of this kind here"; recorded as an empty answer.
        fades: whether an answer grows old (health), so that a resumed scan reads it again.

    Raises:
        ValueError: a declaration that makes no sense.
    """

    read: AnyRead
    requests: Requests = _always
    depends: tuple[AnyRead, ...] = ()
    page_size: int | None = None
    stage: Stage = Stage.MAIN
    empty_codes: frozenset[str] = frozenset()
    fades: bool = False

    def __post_init__(self) -> None:
        check_read_only(self.read.operation)
        if self.page_size is not None and self.page_size < 1:
            raise ValueError(f"{self.read.source}: page size {self.page_size}")
        if self.depends and self.stage is not Stage.MAIN:
            raise ValueError(f"{self.read.source}: only calls of the main stage may depend on others")
        if self.read in self.depends:
            raise ValueError(f"{self.read.source} depends on itself")

    @property
    def family(self) -> str:
        """The API whose rate limit the call counts against."""
        return self.read.service

    @property
    def passes(self) -> tuple[tuple[int, Stage], ...]:
        """Number and stage of each time the call is made."""
        return ((1, Stage.FIRST), (2, Stage.LAST)) if self.stage is Stage.FIRST else ((1, self.stage),)


def once(when: Callable[[View], bool] | None = None, **params: Any) -> Requests:
    """One request with fixed parameters, if `when` holds."""

    def requests(view: View) -> Iterator[Params]:
        if when is None or when(view):
            yield params

    return requests


def each(parameter: str, parents: Callable[[View], Iterable[str]], **params: Any) -> Requests:
    """One request per parent, named by `parameter`."""

    def requests(view: View) -> Iterator[Params]:
        for parent in parents(view):
            yield {parameter: parent, **params}

    return requests


def batches(parameter: str, parents: Callable[[View], Iterable[str]], size: int, **params: Any) -> Requests:
    """One request per `size` parents, listed in `parameter`; one that fails is asked again in halves (see `Read.item_key`)."""

    def requests(view: View) -> Iterator[Params]:
        names = list(dict.fromkeys(parents(view)))
        for start in range(0, len(names), size):
            yield {parameter: names[start : start + size], **params}

    return requests
