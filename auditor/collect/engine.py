"""The engine: makes the declared calls, at a pace, and writes down every answer and refusal as it arrives.

One thread decides and writes; others only call. So a recording has one writer, nothing here needs a lock, and an interrupt
finds everything in order.
"""

from __future__ import annotations

import contextlib
import dataclasses
import threading
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, Protocol

from ..aws.outcome import CallFailed, settle
from ..aws.paging import paging
from ..aws.transport import CONNECTIONS, Transport
from ..errors import Interrupted, UsageError
from ..model import ec2
from ..model.answer import Answer, CallError, stamp
from ..model.identity import AccountId, RegionName
from ..model.inventory import Scope
from ..model.known import Outcome
from ..record.drops import without
from ..record.resume import Answered, CallKey
from . import declared
from .call import Call, Stage
from .clock import Clock, SystemClock
from .progress import Progress
from .queues import Queues
from .scope_run import ScopeRun, Task
from .workers import Finished, Workers

__all__ = ["MAX_AGE", "Collected", "collect"]

MAX_AGE = timedelta(minutes=15)
HEARTBEAT = 0.2  # seconds; how late an interrupt may be noticed
PROGRESS_EVERY = 0.1  # seconds
EXPIRED_IN_A_ROW = 3  # refusals, without an answer in between, after which nothing more is to be had
_CLOSED_REGION = "OptInRequired"


class Sink(Protocol):
    """Where answers go: a `Recorder`."""

    @property
    def part(self) -> Path:
        """The file they are kept in."""

    def append(self, answer: Answer) -> None:
        """Write one down."""


@dataclasses.dataclass(frozen=True, slots=True)
class Collected:
    """What a scan did: calls made and refused in this run, and the scopes it covered."""

    calls: int
    errors: int
    scopes: tuple[Scope, ...]


def collect(
    transport: Transport,
    recorder: Sink,
    scopes: Sequence[Scope],
    *,
    home: RegionName | None = None,
    all_regions: bool = False,
    services: Collection[str] | None = None,
    pace: str = "normal",
    threads: int = CONNECTIONS,
    progress: Callable[[Progress], None] | None = None,
    answered: Answered | None = None,
    max_age: timedelta = MAX_AGE,
    clock: Clock | None = None,
    stop: threading.Event | None = None,
    calls: Sequence[Call] | None = None,
) -> Collected:
    """Make the declared calls in every scope and write each answer and refusal to the recorder as it arrives.

    A refusal never ends the scan; it is written down with its outcome. Once the credentials of an account have expired, the
    rest is written down as refused without being asked: it can be read later, with new ones.

    Args:
        transport: makes the calls.
        recorder: keeps the answers.
        scopes: accounts and regions.
        home: region where account-wide questions are asked; None for the first scope of each account.
        all_regions: also cover every other region that the account has enabled, as DescribeRegions lists them.
        services: botocore names of the services to read; None for all.
        pace: ``gentle``, ``normal``, ``full``, or ``unpaced`` for endpoints that are not AWS.
        threads: calls in flight at most, over all scopes.
        progress: told how far the scan is, a few times a second.
        answered: what an earlier scan read (`auditor.record.resume.answered`); it is not asked again, except ARC state, and
            health older than `max_age`.
        max_age: see `answered`.
        clock: source of time.
        stop: set it from another thread to stop the scan.
        calls: the declared calls; None for all of them.

    Raises:
        Interrupted: stopped by Ctrl-C or `stop`; the recording holds everything that came in.
        UsageError: no such pace; or all regions were asked for and DescribeRegions gave none.
        RecordingError: the recording cannot be written.
    """
    clock = clock or SystemClock()
    chosen = [
        call
        for call in (declared() if calls is None else calls)
        if call.stage is not Stage.SIGN_IN
        and (services is None or call.read.service in services or call.stage is Stage.ACCOUNT)
    ]
    engine = _Engine(
        calls=chosen,
        recorder=recorder,
        queues=Queues(pace, clock),
        workers=Workers(transport, clock, threads),
        answered=answered or {},
        health_since=stamp(clock.now() - max_age),
        home=home,
        all_regions=all_regions,
        progress=progress,
        clock=clock,
        stop=stop or threading.Event(),
    )
    return engine.run(scopes)


class _Engine:
    def __init__(
        self,
        *,
        calls: Sequence[Call],
        recorder: Sink,
        queues: Queues,
        workers: Workers[Task],
        answered: Answered,
        health_since: str,
        home: RegionName | None,
        all_regions: bool,
        progress: Callable[[Progress], None] | None,
        clock: Clock,
        stop: threading.Event,
    ) -> None:
        self._calls = calls
        self._recorder = recorder
        self._queues = queues
        self._workers = workers
        self._health_since = health_since
        self._home = home
        self._all_regions = all_regions
        self._progress = progress
        self._clock = clock
        self._stop = stop
        self._runs: dict[Scope, ScopeRun] = {}
        self._only_asked_from: set[Scope] = set()
        self._later: dict[AccountId, list[Scope]] = defaultdict(list)
        self._opted_in: dict[AccountId, dict[str, bool]] = {}
        self._done = 0
        self._errors = 0
        self._expired: dict[AccountId, list[CallFailed]] = defaultdict(list)  # in a row
        self._told_at = float("-inf")
        self._answered: dict[tuple[str, str], dict[CallKey, tuple[Answer, ...]]] = defaultdict(dict)
        for key, pages in answered.items():
            self._answered[key.account, key.region][key] = pages

    def run(self, scopes: Sequence[Scope]) -> Collected:
        """Run to the end, or until interrupted."""
        try:
            for scope in dict.fromkeys(scopes):
                self._later[scope.account_id].append(scope)
            for account, later in list(self._later.items()):
                home = Scope(account, self._home or later[0].region)
                if home in later:
                    self._start(home, Stage.ACCOUNT)
                else:
                    self._ask_from(home)
            while self._step():
                pass
        except KeyboardInterrupt:
            # It may have struck anywhere; whatever else came back is written down if that can still be done.
            with contextlib.suppress(Exception):
                self._drain()
            raise Interrupted("interrupted") from None
        finally:
            self._workers.stop()
        self._tell(None, last=True)
        return Collected(self._done, self._errors, tuple(self._runs))

    # Deciding

    def _start(self, scope: Scope, first: Stage) -> None:
        run = ScopeRun(scope, self._calls, self._answered[scope], first=first, health_since=self._health_since)
        self._runs[scope] = run
        self._advance(run)

    def _ask_from(self, home: Scope) -> None:
        """Ask the account-wide questions in a region that is not itself to be read."""
        calls = [call for call in self._calls if call.stage is Stage.ACCOUNT]
        run = ScopeRun(home, calls, self._answered[home], first=Stage.ACCOUNT, health_since=self._health_since)
        self._runs[home] = run
        self._only_asked_from.add(home)
        self._advance(run)

    def _advance(self, run: ScopeRun) -> None:
        self._queues.add(run.tasks())
        account = run.scope.account_id
        if run.stage > Stage.ACCOUNT and account not in self._opted_in:
            self._open_regions(run)

    def _open_regions(self, home: ScopeRun) -> None:
        """The account's regions are known, or cannot be: go on with the other scopes of the account."""
        account = home.scope.account_id
        listed = home.view().listing(ec2.REGIONS)
        opted_in = {r.RegionName: r.OptInStatus != "not-opted-in" for r in listed}
        self._opted_in[account] = opted_in
        if self._all_regions:
            if not any(opted_in.values()):
                raise UsageError(
                    "all regions were asked for, and ec2:DescribeRegions named none: "
                    + ("; ".join(g.says for g in listed.gaps) or "its answer was empty")
                )
            self._later[account] += [Scope(account, RegionName(r)) for r, enabled in opted_in.items() if enabled]
        for scope in dict.fromkeys(self._later[account]):
            if scope in self._runs and scope not in self._only_asked_from:
                continue
            if opted_in.get(scope.region, True):
                self._start(scope, Stage.ZONES)
            else:
                self._skip(scope)

    def _skip(self, scope: Scope) -> None:
        """Note of every listing that it was not asked, because the account has not enabled the region."""
        says = "DescribeRegions says that the account has not enabled this region; it was not called"
        error = CallError(code=_CLOSED_REGION, message=says, outcome=Outcome.NOT_ENABLED)
        run = ScopeRun(scope, self._calls, {}, first=Stage.ZONES)
        self._runs[scope] = run
        for call in self._calls:
            if not call.read.key and not call.depends and call.stage is not Stage.ACCOUNT:
                self._recorder.append(Task(run, call, 1, {}).line(stamp(self._clock.now()), 0, error=error))

    def _step(self) -> bool:
        """Hand out what may go, then wait for one answer or for the pace. False when nothing is left."""
        if self._stop.is_set():
            self._drain()
            raise Interrupted("interrupted")
        now = self._clock.monotonic()
        while self._workers.free and (task := self._queues.take(now)) is not None:
            self._hand_out(task)
        wait = self._queues.wait(self._clock.monotonic()) if self._workers.free else None
        if self._workers.in_flight:
            finished = self._workers.get(HEARTBEAT if wait is None else min(wait, HEARTBEAT))
            if finished is not None:
                self._came_back(finished)
            return True
        if wait is None:
            return False
        self._clock.sleep(min(wait, HEARTBEAT))
        return True

    def _hand_out(self, task: Task) -> None:
        if task.run.is_moot(task):
            self._close(task)
            return
        expired = self._expired[task.run.scope.account_id]
        if len(expired) >= EXPIRED_IN_A_ROW:
            self._write_expired(task, expired[-1])
            return
        call = task.call
        params = dict(task.params)
        pages = paging(call.read.service, call.read.operation)
        if pages is not None:
            if call.page_size is not None and pages.limit_key:
                params[pages.limit_key] = call.page_size
            if task.token is not None:
                params[pages.input_token] = task.token
        self._queues.spend(task, self._clock.monotonic())
        self._workers.submit(task, task.run.scope, call.read.service, call.read.operation, params)

    def _drain(self) -> None:
        """Write down what has come back already; wait for nothing."""
        while self._workers.in_flight and (finished := self._workers.get(0)) is not None:
            self._came_back(finished)

    # Answers

    def _came_back(self, finished: Finished[Task]) -> None:
        task = finished.task
        if finished.crash is not None:
            raise finished.crash
        self._done += 1
        if finished.failed is not None:
            self._refused(task, finished, finished.failed)
        else:
            self._expired[task.run.scope.account_id].clear()
            self._answer(task, finished, finished.response or {})
        self._tell(task)

    def _answer(self, task: Task, finished: Finished[Task], response: dict[str, Any]) -> None:
        metadata = response.pop("ResponseMetadata", None) or {}
        self._queues.came_back(task, self._clock.monotonic(), retries=int(metadata.get("RetryAttempts", 0)))
        read = task.call.read
        pages = paging(read.service, read.operation)
        # AWS ends a listing with no token, null or an empty one.
        token = str(response.get(pages.output_token) or "") if pages else ""
        self._write(task, finished, response=without(response, read.drops), following=token or None)
        if not token or token in task.seen:
            self._close(task)
            return
        task.seen.add(token)
        task.page, task.token, task.resumed = task.page + 1, token, False
        self._queues.add([task], first=True)

    def _refused(self, task: Task, finished: Finished[Task], failed: CallFailed) -> None:
        throttled = failed.outcome is Outcome.THROTTLED
        if failed.outcome is Outcome.EXPIRED:
            self._expired[task.run.scope.account_id].append(failed)
        self._queues.came_back(task, self._clock.monotonic(), retries=failed.retries, throttled=throttled)
        if failed.code in task.call.empty_codes:
            self._write(task, finished, response={})
            self._close(task)
            return
        if task.resumed and failed.outcome is Outcome.FAILED and 400 <= failed.status < 500:
            # The token of an earlier scan is not taken any more.
            task.run.restart(task)
            self._queues.add([task], first=True)
            return
        outcome = self._settle(task.run, task.call.read.service, failed)
        self._write(task, finished, error=CallError(code=failed.code, message=failed.message, outcome=outcome))
        if outcome in (Outcome.GONE, Outcome.FAILED) and len(task.parents) > 1:
            halves = task.halves()
            task.run.open(halves)
            self._queues.add(halves, first=True)
        self._close(task)

    def _write_expired(self, task: Task, last: CallFailed) -> None:
        """Write down as refused what would be refused: nobody is served by asking."""
        error = CallError(code=last.code, message=last.message, outcome=Outcome.EXPIRED)
        answer = task.line(stamp(self._clock.now()), 0, error=error)
        self._errors += 1
        self._recorder.append(answer)
        task.run.keep(task, answer)
        self._close(task)

    def _settle(self, run: ScopeRun, service: str, failed: CallFailed) -> Outcome:
        return settle(
            failed,
            opted_in=self._opted_in.get(run.scope.account_id, {}).get(run.scope.region),
            sibling_worked=bool(run.worked - {service}),
        )

    def _close(self, task: Task) -> None:
        task.run.close(task)
        self._advance(task.run)

    def _write(
        self,
        task: Task,
        finished: Finished[Task],
        *,
        response: dict[str, Any] | None = None,
        following: str | None = None,
        error: CallError | None = None,
    ) -> None:
        answer = task.line(stamp(finished.at), finished.ms, response=response, following=following, error=error)
        self._errors += error is not None
        self._recorder.append(answer)
        task.run.keep(task, answer)

    def _tell(self, task: Task | None, *, last: bool = False) -> None:
        now = self._clock.monotonic()
        if self._progress is None or (now - self._told_at < PROGRESS_EVERY and not last):
            return
        self._told_at = now
        ahead = sum(run.ahead for run in self._runs.values())
        self._progress(
            Progress(
                done=self._done,
                expected=self._done + len(self._queues) + self._workers.in_flight + ahead,
                seconds_left=self._queues.seconds_left(now),
                scope=f"{task.run.scope.account_id} {task.run.scope.region}" if task else "",
                says=task.call.read.source if task else "",
            )
        )
