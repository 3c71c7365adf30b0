"""A scripted AWS, a clock that runs as fast as it is asked to, and a recording in memory."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from auditor.aws.outcome import CallFailed
from auditor.collect.engine import Collected, collect
from auditor.model.answer import Answer, Header
from auditor.model.identity import AccountId, RegionName
from auditor.model.inventory import Inventory, Scope
from auditor.model.known import Outcome
from auditor.record.decode import decode

ACCOUNT = AccountId("123456789012")
HOME = Scope(ACCOUNT, RegionName("us-east-1"))
EUROPE = Scope(ACCOUNT, RegionName("eu-west-1"))
START = datetime(2026, 1, 1, tzinfo=UTC)
HEADER = Header(v=1, tool_version="0", scan_id="s", started="2026-01-01T00:00:00.000Z", settings={})

Reply = Mapping[str, Any] | CallFailed | Callable[[dict[str, Any]], Any]


class Made(NamedTuple):
    """A call that was made, and when."""

    scope: Scope
    service: str
    operation: str
    params: dict[str, Any]
    at: float

    @property
    def name(self) -> str:
        return f"{self.service}:{self.operation}"


class FakeClock:
    """Time passes only when somebody sleeps."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._lock = threading.Lock()

    def now(self) -> datetime:
        return START + timedelta(seconds=self.seconds)

    def monotonic(self) -> float:
        return self.seconds

    def sleep(self, seconds: float) -> None:
        with self._lock:
            self.seconds += seconds


class Script:
    """Answers calls from a table: ``service:Operation`` → reply, or a function of the parameters that gives one.

    What the table lacks gets an empty answer. A list gives its replies one after the other, the last for good.
    """

    def __init__(self, replies: Mapping[str, Reply | Sequence[Reply]], clock: FakeClock | None = None) -> None:
        self.clock = clock or FakeClock()
        self.made: list[Made] = []
        self._replies = {name: list(r) if isinstance(r, list) else [r] for name, r in replies.items()}
        self._lock = threading.Lock()

    def call(self, scope: Scope, service: str, operation: str, params: dict[str, Any]) -> dict[str, Any]:
        with self._lock:
            made = Made(scope, service, operation, params, self.clock.monotonic())
            self.made.append(made)
            replies = self._replies.get(made.name, [{}])
            reply = replies.pop(0) if len(replies) > 1 else replies[0]
        if callable(reply) and not isinstance(reply, CallFailed):
            reply = reply({**params, "Region": scope.region})
        if isinstance(reply, BaseException):
            raise reply
        return msgspec.json.decode(msgspec.json.encode(reply))  # type: ignore[no-any-return]

    def counts(self, service: str = "") -> dict[str, int]:
        return dict(Counter(m.name for m in self.made if m.service.startswith(service)))

    def asked(self, name: str) -> list[dict[str, Any]]:
        return [m.params for m in self.made if m.name == name]


class Memory:
    """A recorder that keeps answers in memory, as they would stand in a file."""

    part = Path("scan.jsonl.gz.part")

    def __init__(self) -> None:
        self.lines: list[bytes] = []

    def append(self, answer: Answer) -> None:
        self.lines.append(msgspec.json.encode(answer))

    @property
    def answers(self) -> list[Answer]:
        return [msgspec.json.decode(line, type=Answer) for line in self.lines]

    def of(self, operation: str, pass_: int = 1) -> list[Answer]:
        return [a for a in self.answers if a.operation == operation and a.pass_ == pass_]

    def inventory(self) -> Inventory:
        return decode(self.answers, HEADER, None)


def failed(code: str, outcome: Outcome, **details: Any) -> CallFailed:
    return CallFailed(code, "because", outcome, **({"status": 400} | details))


DENIED = failed("AccessDenied", Outcome.DENIED, status=403)
THROTTLED = failed("Throttling", Outcome.THROTTLED, retries=4)
GONE = failed("LoadBalancerNotFound", Outcome.GONE)
BROKEN = failed("InternalFailure", Outcome.FAILED, status=500)


def scan(script: Script, *scopes: Scope, recorder: Memory | None = None, **options: Any) -> tuple[Memory, Collected]:
    """Collect from a script, unpaced unless told otherwise."""
    recorder = recorder or Memory()
    done = collect(script, recorder, scopes or (HOME,), **({"pace": "unpaced", "clock": script.clock} | options))
    return recorder, done
