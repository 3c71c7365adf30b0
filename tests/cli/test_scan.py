"""``scan``: end to end on the demo account, in process and over HTTP; interrupted, resumed, and called wrongly."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from auditor.demo import ACCOUNT_ID, REGION
from auditor.demo.server import server_process
from auditor.record.place import RecordingPlace, state_folder
from auditor.record.recording import read_recording

from .cli_data import OFF, report_of

MAIN = [sys.executable, "-c", "from auditor.cli import main; main()"]


@pytest.fixture(scope="module")
def endpoint():
    with server_process() as account:
        yield account.endpoint_url


@pytest.fixture
def credentials(monkeypatch):
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "testing")
    monkeypatch.setenv("AWS_DEFAULT_REGION", REGION)


def left_behind() -> list[Path]:
    """Recordings in the state directory; what the last scan was denied stays there as well."""
    return [path for path in state_folder().glob("*") if path.name != "last-scan.json"]


def timeless(document):
    """A report without what differs from scan to scan."""
    text = json.dumps({k: v for k, v in document.items() if k != "scan"})
    findings = [{**f, "evidence": [{**e, "at": ""} for e in f["evidence"]]} for f in json.loads(text)["findings"]]
    return findings, document["summary"]


def test_demo_end_to_end(run):
    result = run("scan", "--demo")
    assert result.exit_code == 1, result.output
    assert result.stdout.startswith(f"Zonal audit of {ACCOUNT_ID}, {REGION}, as read ")
    assert "lb-no-shift" in result.stdout
    assert result.stdout.rstrip().endswith("scan complete.")
    assert result.stderr == ""
    assert left_behind() == []


def test_check_says_what_the_scan_said(run, tmp_path):
    kept = tmp_path / "demo.jsonl.gz"
    scan = run("scan", "--demo", "--save", kept, "-f", "json", "--all")
    check = run("check", kept, "-f", "json", "--all")
    assert scan.stdout == check.stdout
    assert scan.exit_code == check.exit_code == 1
    assert kept.stat().st_mode & 0o077 == 0


def test_services_limit_what_is_asked(run):
    document = report_of(run("scan", "--demo", "--services", "elbv2", "-f", "json"))
    asked = {name.split(":")[0] for name in document["scan"]["calls"]["by_operation"]}
    assert asked == {"elbv2", "sts", "ec2"}
    assert (
        document["scan"]["calls"]["by_operation"].keys() & {"ec2:DescribeSubnets", "elb:DescribeLoadBalancers"} == set()
    )


def test_all_regions_are_those_the_account_has_enabled(run, tmp_path):
    document = report_of(
        run("scan", "--demo", "--regions", "all", "--services", "elbv2", "-f", "json", "--save", tmp_path / "r")
    )
    regions = next(a for a in read_recording(tmp_path / "r").answers if a.operation == "DescribeRegions")
    assert regions.response
    enabled = {r["RegionName"] for r in regions.response["Regions"] if r["OptInStatus"] != "not-opted-in"}
    assert set(document["scan"]["regions"]) == enabled
    assert len(enabled) > 5


def test_over_http_the_findings_are_the_same(run, endpoint, credentials):
    here = report_of(run("scan", "--demo", "-f", "json"))
    there = report_of(run("scan", "--endpoint-url", endpoint, "--pace", "full", "-f", "json"))
    assert timeless(here) == timeless(there)
    assert here["scan"]["calls"] == there["scan"]["calls"]


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_scan_names_what_it_kept_and_goes_on_from_it(run, endpoint, credentials, how):
    whole = report_of(run("scan", "--endpoint-url", endpoint, "--pace", "full", "-f", "json"))
    words = [*MAIN, "scan", "--endpoint-url", endpoint, "--pace", "gentle", "--no-progress"]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ.copy()
    ) as child:
        deadline = time.monotonic() + 30
        while not (left_behind() and left_behind()[0].read_bytes().count(b"\n") > 20) and time.monotonic() < deadline:
            time.sleep(0.05)
        child.send_signal(how)
        out, err = child.communicate(timeout=30)
    assert child.returncode == 130
    assert out == ""
    (kept,) = left_behind()
    assert kept.name.endswith(".part")
    assert len(err.splitlines()) == 1
    assert err.startswith(f"auditor: interrupted; the recording so far is kept in {kept}")
    hint = shlex.split(err.split("`")[1])
    assert hint == ["auditor", "scan", "--resume", str(kept), "--endpoint-url", endpoint]

    before = Counter(call_of(a) for a in read_recording(kept).answers)
    result = run(*hint[1:], "--pace", "full", "-f", "json")
    resumed = report_of(result)
    assert timeless(resumed) == timeless(whole)
    assert left_behind() == []
    again = resumed["scan"]["calls"]["by_operation"]
    fresh = whole["scan"]["calls"]["by_operation"]
    repeated = {name for name in again if again[name] > fresh[name]}
    assert all(name.startswith("arc-zonal-shift:") for name in repeated), (repeated, before)


def call_of(answer) -> str:
    return f"{answer.service}:{answer.operation}"


def test_a_disk_that_fills_up_loses_nothing_that_was_read(endpoint, credentials, tmp_path, run):
    resource = pytest.importorskip("resource")
    kept = tmp_path / "r.jsonl.gz"
    words = [*MAIN, "scan", "--endpoint-url", endpoint, "--save", str(kept), "--no-progress"]
    done = subprocess.run(
        words,
        capture_output=True, text=True, check=False, timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000)),
    )  # fmt: skip
    part = kept.with_name("r.jsonl.gz.part")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert f"{part} cannot be written: file too large" in done.stderr
    assert f"auditor scan --resume {part}" in done.stderr
    assert len(read_recording(part).answers) > 5
    assert run("check", part, "--fail-on", "none").exit_code == 3


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_report_that_cannot_be_written_leaves_the_recording(run):
    result = run("scan", "--demo", "-o", "/dev/full")
    assert result.exit_code == 2
    (kept,) = left_behind()
    assert result.stderr == (
        "auditor: /dev/full cannot be written: No space left on device; "
        f"the recording is whole and kept in {kept}; report it with `auditor check {kept}`\n"
    )
    assert run("check", kept).exit_code == 1


def test_a_crash_while_judging_leaves_the_recording(run, monkeypatch):
    from auditor.evaluate import run as judging

    monkeypatch.setattr(judging, "judge", lambda *_: {}["x"])
    result = run("scan", "--demo")
    assert result.exit_code == 2
    assert "unexpected fault (KeyError: 'x')" in result.stderr
    assert f"kept in {left_behind()[0]}" in result.stderr


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("-o", "missing/r.json"), "missing/r.json cannot be written: No such file or directory"),
        (("--save", "missing/r"), "missing/r cannot be written: No such file or directory"),
        (("--save", "."), ". cannot be written: Is a directory"),
        (("--select", "lb-noshift"), "there is no rule 'lb-noshift'; did you mean lb-no-shift"),
        (("--services", "elvb2"), "nothing is read from a service named 'elvb2'; did you mean `elbv2`?"),
    ],
)
def test_what_can_be_known_before_is_said_before_anything_is_asked(run, monkeypatch, options, sentence):
    from auditor.aws import sessions

    monkeypatch.setattr(sessions, "open_account", lambda *_, **__: pytest.fail("AWS was asked"))
    result = run("scan", "--regions", REGION, *options)
    assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1)
    assert sentence in result.stderr


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ((), "no region: name one with --regions"),
        (("--regions", REGION), "no AWS credentials found"),
        (("--regions", "us-esat-1"), "'us-esat-1' is not a region"),
        (("--profile", "nobody"), "there is no AWS profile named 'nobody'"),
        (("--regions", REGION, "--external-id", "x"), "an external ID is of use only together with a role"),
        (("--demo", "--profile", "x"), "--profile has no meaning with it"),
        (("--demo", "--endpoint-url", "http://127.0.0.1:1"), "--endpoint-url has no meaning with it"),
        (("--demo", "--max-age", "soon"), "'soon' is not a span of time"),
        (("--save", "a", "--resume", "b"), "give one of them"),
        (("--demo", "--resume", "nothing"), "nothing cannot be read: no such file or directory"),
    ],
)
def test_wrong_calls_are_one_sentence_and_exit_2(run, options, sentence):
    result = run("scan", *options)
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert left_behind() == []


@pytest.mark.usefixtures("credentials")
def test_an_endpoint_that_does_not_answer(run):
    for options in ((), ("--role-arn", f"arn:aws:iam::{ACCOUNT_ID}:role/x")):
        result = run("scan", "--endpoint-url", "http://127.0.0.1:9", *options)
        assert result.exit_code == 2
        assert "http://127.0.0.1:9 does not answer" in result.stderr


def test_a_recording_of_another_account_or_other_settings_is_refused_and_stays_as_it_was(run, record, tmp_path):
    part = record(OFF, end=False)
    lines = part.read_text().splitlines()
    header = json.loads(lines[0])
    header["settings"] = {"regions": [REGION], "services": []}
    mine = "\n".join([json.dumps(header), *lines[1:]]) + "\n"
    part.write_text(mine)
    other = run("scan", "--demo", "--resume", part, "--regions", "eu-west-1")
    assert other.exit_code == 2
    assert other.stderr.rstrip().endswith("was recorded with other settings: regions")
    part.write_text(mine.replace(ACCOUNT_ID, "444455556666"))
    foreign = run("scan", "--demo", "--resume", part)
    assert foreign.exit_code == 2
    assert "is a recording of account 444455556666; you are signed in to" in foreign.stderr
    assert part.read_text() == mine.replace(ACCOUNT_ID, "444455556666")


def test_the_place_of_a_recording(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    own = RecordingPlace()
    assert own.temporary
    assert own.path.parent == tmp_path / "state" / "auditor"
    saved = RecordingPlace(save=tmp_path / "a.jsonl.gz")
    assert not saved.temporary
    assert saved.part == tmp_path / "a.jsonl.gz.part"
    saved.discard()
    assert saved.kept() is None
    saved.part.write_text("x")
    assert saved.kept() == saved.part
    monkeypatch.setenv("XDG_STATE_HOME", "relative")
    assert state_folder() == Path.home() / ".local" / "state" / "auditor"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("option", ["--save", "--resume"])
def test_a_device_or_pipe_is_not_taken_for_the_place_of_a_recording(run, tmp_path, option):
    pipe = tmp_path / "folder" / "pipe"
    pipe.parent.mkdir()
    os.mkfifo(pipe)
    result = run("scan", "--demo", option, pipe)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"auditor: {pipe} cannot be written: a recording needs a regular file\n"
    assert pipe.is_fifo()
    assert list(pipe.parent.iterdir()) == [pipe]


def test_a_link_to_a_recording_stays_one(run, tmp_path):
    link, goal = tmp_path / "latest.jsonl.gz", tmp_path / "monday.jsonl.gz"
    link.symlink_to(goal)
    assert run("scan", "--demo", "--save", link, "--fail-on", "none").exit_code == 0
    assert link.is_symlink()
    assert read_recording(goal).footer is not None
