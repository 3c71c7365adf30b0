"""One account and region under way: which calls are due, which wait for others, what was read so far.

No threads, no clock, no network here: the engine asks for tasks and reports what came of them.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from ..model.answer import Answer, CallError
from ..model.inventory import Held, Scope
from ..model.known import Outcome
from ..model.read import AnyRead
from ..record.decode import fold, keys_of
from ..record.reading import FORMAT
from ..record.resume import Answered, CallKey, call_key
from .call import Call, Stage, View

__all__ = ["ScopeRun", "Task"]

_Turn = tuple[Call, int]


@dataclasses.dataclass(slots=True, eq=False)
class Task:
    """One page to ask for.

    Attributes:
        run: the scope it belongs to.
        call: its declaration.
        pass_: 1, or 2 for the second reading of ARC state.
        params: parameters without token and page size.
        page: number of the page, from 1.
        token: token of the page; None for the first.
        seen: tokens that were followed already.
        resumed: whether the token comes from an earlier scan, so that AWS may no longer know it.
    """

    run: ScopeRun
    call: Call
    pass_: int
    params: dict[str, Any]
    page: int = 1
    token: str | None = None
    seen: set[str] = dataclasses.field(default_factory=set)
    resumed: bool = False

    @property
    def parents(self) -> list[str]:
        """The parents of a batch."""
        found = self.params.get(self.call.read.key) if self.call.read.item_key else None
        return found if isinstance(found, list) else []

    def halves(self) -> list[Task]:
        """A batch that failed, as two: somewhere in it is a parent that has gone, or that AWS stumbles over."""
        key, middle = self.call.read.key, len(self.parents) // 2
        parts = (self.parents[:middle], self.parents[middle:])
        return [Task(self.run, self.call, self.pass_, {**self.params, key: part}) for part in parts]

    def line(
        self,
        at: str,
        ms: int,
        *,
        response: dict[str, Any] | None = None,
        following: str | None = None,
        error: CallError | None = None,
    ) -> Answer:
        """The page as a line of the recording: an answer with the token of the page after it, or a refusal."""
        return Answer(
            v=FORMAT,
            account=self.run.scope.account_id,
            region=self.run.scope.region,
            service=self.call.read.service,
            operation=self.call.read.operation,
            params=self.params,
            page=self.page,
            at=at,
            ms=ms,
            pass_=self.pass_,
            next=following,
            response=response,
            error=error,
        )


class ScopeRun:
    """Progress of the declared calls in one scope."""

    def __init__(
        self, scope: Scope, calls: Sequence[Call], answered: Answered, *, first: Stage, health_since: str = ""
    ) -> None:
        """Prepare; `tasks` starts it.

        Args:
            scope: account and region.
            calls: the declared calls to make.
            answered: pages that an earlier scan read.
            first: the stage to begin with.
            health_since: answers that fade and are older than this (ISO 8601) are read again.
        """
        self.scope = scope
        self.stage = first
        self.worked: set[str] = set()
        self.gone: set[tuple[str, str]] = set()
        self._answered = answered
        self._health_since = health_since
        self._turns: dict[Stage, list[_Turn]] = defaultdict(list)
        for call in calls:
            for pass_, stage in call.passes:
                self._turns[stage].append((call, pass_))
        self._sources = {call.read.source for call in calls}
        self._needed = {read.source for call in calls for read in call.depends} | {
            call.read.source for call in calls if call.stage is Stage.ACCOUNT
        }
        self._waiting = list(self._turns[first])
        self._open: dict[tuple[str, int], int] = {}
        self._asked: dict[str, int] = defaultdict(int)
        self._finished: set[str] = set()
        self._kept: dict[tuple[str, int], list[Answer]] = defaultdict(list)
        self._held: dict[tuple[str, str, int], dict[str, Held]] = {}

    @property
    def ahead(self) -> int:
        """A guess at the calls that are not tasks yet: one for each parent that was asked about one step earlier."""
        later = [call for stage, turns in self._turns.items() if stage > self.stage for call, _ in turns]
        waiting = [call for call, _ in self._waiting]
        return sum(not call.depends for call in later) + sum(
            max(self._asked[read.source] for read in call.depends) for call in waiting if call.read.key and call.depends
        )

    def view(self) -> View:
        """What was read so far of the reads that others depend on."""
        return View(self.scope, self._held, frozenset())

    def needed(self, read: AnyRead) -> bool:
        """Whether other calls wait for this read."""
        return read.source in self._needed

    def tasks(self) -> list[Task]:
        """Tasks that have become due; call it at the start and after every `close`."""
        due: list[Task] = []
        while True:
            ready = [t for t in self._waiting if all(self._is_read(d) for d in t[0].depends)]
            for turn in ready:
                self._waiting.remove(turn)
                due += self._begin(*turn)
            if ready:
                continue
            if self._waiting or self._open or self.stage is Stage.LAST:
                return due
            self.stage = Stage(self.stage + 1)
            self._waiting = list(self._turns[self.stage])

    def keep(self, task: Task, answer: Answer) -> None:
        """Take note of an answer or refusal."""
        call, read = task.call, task.call.read
        if answer.response is not None:
            self.worked.add(read.service)
        if self.needed(read):
            self._kept[read.source, task.pass_].append(answer)
        if answer.error and answer.error.outcome is Outcome.GONE and call.read.key and len(task.parents) <= 1:
            self.gone.update((read.service, key) for key in keys_of(read, task.params))

    def open(self, tasks: Iterable[Task]) -> None:
        """Count further tasks of a read that is under way, such as the halves of a batch."""
        for task in tasks:
            self._open[task.call.read.source, task.pass_] += 1

    def close(self, task: Task) -> None:
        """A listing, or a single call, has come to its end."""
        turn = (task.call.read.source, task.pass_)
        self._open[turn] -= 1
        if not self._open[turn]:
            del self._open[turn]
            self._finish(task.call, task.pass_)

    def restart(self, task: Task) -> None:
        """Read a listing from its first page again; what was kept of it is forgotten."""
        kept = self._kept[task.call.read.source, task.pass_]
        kept[:] = [a for a in kept if a.params != task.params]
        task.page, task.token, task.resumed = 1, None, False
        task.seen.clear()

    def is_moot(self, task: Task) -> bool:
        """Whether what the task asks about has gone meanwhile; a batch is cut down to what is left."""
        read = task.call.read
        if read.item_key and not task.params[read.key]:
            return True
        if not read.key or not self.gone:
            return False
        if task.parents:
            left = [p for p in task.parents if (read.service, p) not in self.gone]
            if left:
                task.params = {**task.params, read.key: left}
            return not left
        key = keys_of(read, task.params)[0]
        first = str(task.params.get(read.key.split("/")[0], ""))
        return any((read.service, name) in self.gone for name in (key, first))

    def _is_read(self, read: AnyRead) -> bool:
        return read.source in self._finished or read.source not in self._sources

    def _begin(self, call: Call, pass_: int) -> list[Task]:
        due: list[Task] = []
        asked: set[bytes] = set()
        known = self._known_parents(call)
        for params in call.requests(self.view()):
            task = Task(self, call, pass_, dict(params))
            if known and task.parents:
                task.params[call.read.key] = [p for p in task.parents if p not in known]
            key = self._key(task).params
            if key in asked or self.is_moot(task):
                continue
            asked.add(key)
            self._asked[call.read.source] += bool(call.read.key)
            if not self._is_known(task):
                due.append(task)
        if due:
            self._open[call.read.source, pass_] = len(due)
        else:
            self._finish(call, pass_)
        return due

    def _known_parents(self, call: Call) -> set[str]:
        """Parents of batches that an earlier scan read, whatever the batches were."""
        known: set[str] = set()
        if call.read.item_key:
            for key, pages in self._answered.items():
                if (key.service, key.operation) == (call.read.service, call.read.operation):
                    parents = keys_of(call.read, pages[0].params)
                    if pages[0].error is None or len(parents) == 1:
                        known.update(parents)
                        self.keep(Task(self, call, key.pass_, pages[0].params), pages[0])
        return known

    def _finish(self, call: Call, pass_: int) -> None:
        read = call.read
        self._finished.add(read.source)
        if self.needed(read):
            answers = self._kept.pop((read.source, pass_), [])
            self._held[read.service, read.operation, pass_] = fold(read, answers)[0]

    def _key(self, task: Task) -> CallKey:
        read = task.call.read
        return call_key(self.scope, read.service, read.operation, task.params, pass_=task.pass_)

    def _is_known(self, task: Task) -> bool:
        """Whether an earlier scan read all of it; otherwise the task is set to go on where that one stopped."""
        if task.call.stage is Stage.FIRST or task.parents:
            return False
        pages = self._answered.get(self._key(task), ())
        if not pages or (task.call.fades and pages[-1].at < self._health_since):
            return False
        for page in pages:
            self.keep(task, page)
        last = pages[-1]
        if last.error is not None or last.next is None:
            return True
        task.page, task.token, task.resumed = last.page + 1, last.next, True
        task.seen.update(p.next for p in pages if p.next)
        return False
