"""The same estate over real HTTP: the same report, and a scan that is killed goes on where it stopped."""

from __future__ import annotations

import gzip
import json
import os
import re
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from auditor.demo.server import server_process

from ..program import Program, command, environment, run
from .conftest import document_of

pytestmark = pytest.mark.xdist_group("server")

_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z| UTC|\+00:00)?")
_SCAN = ["--regions", "us-east-1", "--all", "-f", "json", "--fail-on", "none"]


@pytest.fixture(scope="module")
def account() -> Iterator[dict[str, str]]:
    """The environment that leads to a server process with the demo estate."""
    with server_process() as demo:
        assert demo.endpoint_url
        yield {
            "AWS_ENDPOINT_URL": demo.endpoint_url,
            "AWS_ACCESS_KEY_ID": "testing",
            "AWS_SECRET_ACCESS_KEY": "testing",
            "AWS_DEFAULT_REGION": "us-east-1",
        }


def comparable(document: dict[str, Any]) -> Any:
    """A report without times and generated ids."""
    text = _TIME.sub("TIME", json.dumps(document, sort_keys=True))
    return json.loads(text.replace(document["scan"]["id"], "SCAN"))


def lines(path: Path) -> list[dict[str, Any]]:
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode()
    return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]


def answered(path: Path) -> Counter[str]:
    """How often each call, page and pass was answered."""
    keys = ("service", "operation", "params", "page", "pass")
    return Counter(
        json.dumps([line.get(k) for k in keys], sort_keys=True) for line in lines(path) if "response" in line
    )


@pytest.fixture(scope="module")
def undisturbed(account: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Program:
    return run(["scan", *_SCAN], tmp_path_factory.mktemp("whole"), account)


def test_the_report_over_http_is_the_report_in_process(demo: Program, undisturbed: Program) -> None:
    assert undisturbed.exit_code == 0, undisturbed.stderr
    assert comparable(document_of(undisturbed)) == comparable(document_of(demo))


def test_a_killed_scan_goes_on_and_repeats_nothing(
    account: dict[str, str], undisturbed: Program, tmp_path: Path
) -> None:
    kept = tmp_path / "killed.jsonl.gz"
    part = tmp_path / "killed.jsonl.gz.part"
    whole = len(lines(undisturbed.recording)) - 2
    process = subprocess.Popen(
        command(["scan", *_SCAN, "--save", str(kept), "--pace", "gentle"]),
        env=environment(tmp_path, account),
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 60
    while not part.exists() or part.read_bytes().count(b"\n") < whole // 2:
        assert process.poll() is None, "the scan ended before it could be killed"
        assert time.monotonic() < deadline
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert not kept.exists()
    before = answered(part)
    assert 0 < sum(before.values()) < whole

    resumed = run(["scan", "--resume", str(kept), *_SCAN], tmp_path, account, save=False)
    assert resumed.exit_code == 0, resumed.stderr
    assert comparable_findings(document_of(resumed)) == comparable_findings(document_of(undisturbed))
    after = answered(kept)
    repeated = {key for key, count in after.items() if count > 1}
    assert {json.loads(key)[0] for key in repeated} <= {"arc-zonal-shift"}
    assert set(after) == set(answered(undisturbed.recording))


def comparable_findings(document: dict[str, Any]) -> Any:
    """A report without times, generated ids, and the number of calls, which a repeated ARC reading changes."""
    document = {**document, "scan": {k: v for k, v in document["scan"].items() if k != "calls"}}
    return comparable(document)


def test_a_scan_that_is_interrupted_names_what_it_kept(account: dict[str, str], tmp_path: Path) -> None:
    process = subprocess.Popen(
        command(["scan", *_SCAN, "--pace", "gentle", "--no-progress"]),
        env=environment(tmp_path, account),
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while not list((tmp_path / "state").rglob("*.part")) or not any(
        p.read_bytes().count(b"\n") > 5 for p in (tmp_path / "state").rglob("*.part")
    ):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "auditor scan --resume" in said
    assert "Traceback" not in said
    assert list((tmp_path / "state").rglob("*.part"))
