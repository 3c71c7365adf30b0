"""One scan of the demo account for the whole session, and a transport that answers from it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from auditor.aws.outcome import CallFailed
from auditor.aws.paging import paging
from auditor.collect.engine import collect
from auditor.derive.build import derive
from auditor.evaluate.catalogue import load_catalogue
from auditor.evaluate.run import JudgeOptions, judge
from auditor.model.answer import Answer, Footer, Header
from auditor.model.catalogue import all_reads
from auditor.model.finding import Finding
from auditor.model.identity import AccountId, RegionName
from auditor.model.inventory import Inventory, Scope
from auditor.model.known import Outcome
from auditor.record.decode import decode
from auditor.record.recording import Recording, read_recording

from ..program import Program, run

Fault = Callable[[str, str, Mapping[str, Any]], CallFailed | None]
ACTIONS = {(r.service, r.operation): r.action for r in all_reads()}


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """``auditor scan --demo --all``, as a person runs it, with its recording kept."""
    return run(["scan", "--demo", "--all", "-f", "json", "--fail-on", "none"], tmp_path_factory.mktemp("demo"))


@pytest.fixture(scope="session")
def recording(demo: Program) -> Recording:
    """What that scan recorded."""
    return read_recording(demo.recording)


class Replay:
    """A transport that gives the answers of a recording again, or a fault in their place."""

    def __init__(self, recording: Recording, fault: Fault, cut: tuple[str, str] | None = None) -> None:
        self._fault = fault
        self._cut = cut
        self.calls: list[tuple[str, str]] = []
        self._pages: dict[tuple[str, str, bytes], list[dict[str, Any]]] = {}
        for answer in recording.answers:
            if answer.pass_ == 1 and answer.response is not None:
                self._pages.setdefault(self._key(answer.service, answer.operation, answer.params), []).append(
                    answer.response
                )

    @staticmethod
    def _key(service: str, operation: str, params: Mapping[str, Any]) -> tuple[str, str, bytes]:
        return service, operation, msgspec.json.encode(params, order="deterministic")

    def call(self, scope: Scope, service: str, operation: str, params: dict[str, Any]) -> dict[str, Any]:
        """The recorded answer, page by page."""
        self.calls.append((service, operation))
        failed = self._fault(service, operation, params)
        if failed:
            raise failed
        pager = paging(service, operation)
        asked = {k: v for k, v in params.items() if not pager or k not in (pager.input_token, pager.limit_key)}
        pages = self._pages.get(self._key(service, operation, asked))
        if pages and pager and (service, operation) == self._cut:
            return self._first_half(pages[0], service, operation, pager.output_token, params.get(pager.input_token))
        if pages is None and asked:
            value = next(iter(asked.values()))
            if isinstance(value, list):
                return self._part(service, operation, _names(value))
        if pages is None:
            raise CallFailed("ResourceNotFoundException", f"{service}:{operation} {asked}", Outcome.FAILED)
        return pages[0]

    @staticmethod
    def _first_half(page: dict[str, Any], service: str, operation: str, token: str, asked: object) -> dict[str, Any]:
        """Half of a listing, and a second page that never comes."""
        if asked:
            raise CallFailed("InternalFailure", "page two", Outcome.FAILED)
        halved = {k: v[: len(v) // 2] if isinstance(v, list) else v for k, v in page.items()}
        return halved | {token: "page-2"}

    def _part(self, service: str, operation: str, wanted: set[str]) -> dict[str, Any]:
        """The recorded items that carry one of the names: what is left of a batch after a split, or of a filter."""
        found: dict[str, list[Any]] = {}
        for (kind, name, _), pages in self._pages.items():
            if (kind, name) == (service, operation):
                for key, rows in pages[0].items():
                    if isinstance(rows, list):
                        found.setdefault(key, []).extend(r for r in rows if wanted & _names(r))
        return found


def _names(value: Any) -> set[str]:
    """Every text in a nested value."""
    if isinstance(value, Mapping):
        return {name for v in value.values() for name in _names(v)}
    if isinstance(value, list):
        return {name for v in value for name in _names(v)}
    return {value} if isinstance(value, str) else set()


class Memory:
    """A sink that keeps answers in a list."""

    part = Path("memory")

    def __init__(self, answers: list[Answer]) -> None:
        self.answers = answers

    def append(self, answer: Answer) -> None:
        """Keep one, as a file would give it back."""
        self.answers.append(msgspec.json.decode(msgspec.json.encode(answer), type=Answer))


def scan_again(
    recording: Recording, fault: Fault = lambda *_: None, cut: tuple[str, str] | None = None
) -> tuple[Inventory, tuple[Finding, ...], Replay]:
    """Scan what was recorded once more, through the engine and every later stage, with faults in place of some answers."""
    transport = Replay(recording, fault, cut)
    first = recording.answers[0]
    answers = [first]
    scope = Scope(AccountId(first.account), RegionName("us-east-1"))
    collect(transport, Memory(answers), [scope], pace="unpaced", threads=4)
    header = Header(v=1, tool_version="0", scan_id="again", started=recording.header.started, settings={})
    finished = max(a.at for a in answers)
    inventory = decode(answers, header, Footer(v=1, finished=finished, calls=len(answers), errors=0))
    judgement = judge(derive(inventory), load_catalogue(()), JudgeOptions(all_verdicts=True))
    return inventory, tuple(judgement.findings), transport


def document_of(program: Program) -> dict[str, Any]:
    """The JSON report of a run."""
    found: dict[str, Any] = json.loads(program.stdout)
    return found
