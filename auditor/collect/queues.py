"""Tasks that wait for their turn: one queue and one token bucket per account, region and API."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterable
from typing import NamedTuple

from .clock import Clock
from .pace import Bucket, rate_of
from .scope_run import Task

__all__ = ["Queues"]

_Key = tuple[str, str, str]


class _Queue:
    __slots__ = ("bucket", "tasks", "waiting")

    def __init__(self, bucket: Bucket) -> None:
        self.bucket = bucket
        self.tasks: list[tuple[int, int, Task]] = []
        self.waiting = False  # whether it stands in the order of turns


class _Turn(NamedTuple):
    at: float
    number: int
    queue: _Queue


class Queues:
    """Hands out tasks in fair turns, none sooner than its bucket allows.

    Within a queue, calls that others wait for go first, so that the tail of a scan keeps the bucket busy.
    """

    def __init__(self, pace: str, clock: Clock) -> None:
        rate_of("", pace)
        self._pace = pace
        self._clock = clock
        self._queues: dict[_Key, _Queue] = {}
        self._turns: list[_Turn] = []
        self._numbers = itertools.count()
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def add(self, tasks: Iterable[Task], *, first: bool = False) -> None:
        """Let tasks wait; `first` ones go before all others of their queue."""
        now = self._clock.monotonic()
        for task in tasks:
            queue = self._of(task)
            rank = 0 if first else 1 if task.run.needed(task.call.read) else 2
            heapq.heappush(queue.tasks, (rank, next(self._numbers), task))
            self._length += 1
            self._line_up(queue, now)

    def take(self, now: float) -> Task | None:
        """The next task that may go now. It counts against its bucket only once `spend` says so."""
        while self._turns and self._turns[0].at <= now:
            queue = heapq.heappop(self._turns).queue
            queue.waiting = False
            if not queue.tasks:
                continue
            if queue.bucket.ready_at(now) > now:
                self._line_up(queue, now)
                continue
            _, _, task = heapq.heappop(queue.tasks)
            self._length -= 1
            self._line_up(queue, now)
            return task
        return None

    def spend(self, task: Task, now: float) -> None:
        """The task goes out."""
        self._of(task).bucket.take(now)

    def came_back(self, task: Task, now: float, *, retries: int, throttled: bool = False) -> None:
        """The task came back, after so many repeats below; a throttle slows its bucket down."""
        self._of(task).bucket.repeated(now, retries, throttled=throttled)

    def wait(self, now: float) -> float | None:
        """Seconds until a task may go; None when none waits."""
        return max(0.0, self._turns[0].at - now) if self._turns else None

    def seconds_left(self, now: float) -> float:
        """How long the tasks that wait will take, as the slowest bucket has it."""
        return max((q.bucket.seconds_for(len(q.tasks), now) for q in self._queues.values() if q.tasks), default=0.0)

    def _of(self, task: Task) -> _Queue:
        scope, family = task.run.scope, task.call.family
        key = (scope.account_id, scope.region, family)
        if key not in self._queues:
            self._queues[key] = _Queue(Bucket(rate_of(family, self._pace), self._clock.monotonic()))
        return self._queues[key]

    def _line_up(self, queue: _Queue, now: float) -> None:
        if queue.tasks and not queue.waiting:
            queue.waiting = True
            heapq.heappush(self._turns, _Turn(queue.bucket.ready_at(now), next(self._numbers), queue))
