"""Threads that make calls, and nothing else: they neither decide what to call nor write anything down."""

from __future__ import annotations

import queue
import threading
from datetime import datetime
from typing import Any, Generic, NamedTuple, TypeVar

from ..aws.outcome import CallFailed
from ..aws.transport import Transport
from ..model.inventory import Scope
from .clock import Clock

__all__ = ["Finished", "Workers"]

T = TypeVar("T")


class _Job(NamedTuple, Generic[T]):
    task: T
    scope: Scope
    service: str
    operation: str
    params: dict[str, Any]


class Finished(NamedTuple, Generic[T]):
    """A call that came back: an answer, a failed call, or a mistake of this program (`crash`)."""

    task: T
    at: datetime
    ms: int
    response: dict[str, Any] | None = None
    failed: CallFailed | None = None
    crash: BaseException | None = None


class Workers(Generic[T]):
    """At most `threads` threads; each is started only when there is work that no other is free for."""

    def __init__(self, transport: Transport, clock: Clock, threads: int) -> None:
        self._transport = transport
        self._clock = clock
        self._threads = threads
        self._started = 0
        self._inbox: queue.SimpleQueue[_Job[T] | None] = queue.SimpleQueue()
        self._outbox: queue.SimpleQueue[Finished[T]] = queue.SimpleQueue()
        self.in_flight = 0

    @property
    def free(self) -> bool:
        """Whether another call may be handed out."""
        return self.in_flight < self._threads

    def submit(self, task: T, scope: Scope, service: str, operation: str, params: dict[str, Any]) -> None:
        """Hand out a call."""
        self.in_flight += 1
        if self.in_flight > self._started:
            self._started += 1
            # Daemons: whoever interrupts a scan does not wait for answers that nobody will read.
            threading.Thread(target=self._work, name=f"call-{self._started}", daemon=True).start()
        self._inbox.put(_Job(task, scope, service, operation, params))

    def get(self, timeout: float | None) -> Finished[T] | None:
        """The next call that came back, or None when none did in `timeout` seconds."""
        try:
            finished = (
                self._outbox.get(timeout=timeout) if timeout is None or timeout > 0 else self._outbox.get_nowait()
            )
        except queue.Empty:
            return None
        self.in_flight -= 1
        return finished

    def stop(self) -> None:
        """Let the threads end after the call they are in."""
        for _ in range(self._started):
            self._inbox.put(None)

    def _work(self) -> None:
        while (job := self._inbox.get()) is not None:
            self._outbox.put(self._call(job))

    def _call(self, job: _Job[T]) -> Finished[T]:
        began = self._clock.monotonic()
        response: dict[str, Any] | None = None
        failed: CallFailed | None = None
        crash: BaseException | None = None
        try:
            response = self._transport.call(job.scope, job.service, job.operation, job.params)
        except CallFailed as error:
            failed = error
        except BaseException as error:  # raised again in the thread that waits for it
            crash = error
        ms = round((self._clock.monotonic() - began) * 1000)
        return Finished(job.task, self._clock.now(), ms, response, failed, crash)
