"""``check`` and ``report``: exit codes, gates, filters, outputs."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from .cli_data import NOBODY, OFF, report_of

DENY = ("elasticloadbalancing:DescribeTargetHealth",)


@pytest.mark.parametrize(
    ("change", "deny", "options", "code"),
    [
        (None, (), (), 0),
        (OFF, (), (), 1),
        (OFF, (), ("--fail-on", "critical"), 0),
        (OFF, (), ("--fail-on", "none"), 0),
        (OFF, (), ("--fail-on", "low"), 1),
        (OFF, (), ("--min-severity", "critical"), 1),
        (OFF, (), ("--ignore", "lb-no-shift"), 0),
        (OFF, (), ("--select", "tg-*"), 0),
        (None, DENY, (), 3),
        (None, DENY, ("--fail-on", "none"), 3),
        (OFF, DENY, (), 1),
        (OFF, DENY, ("--fail-on", "critical"), 3),
    ],
)
def test_exit_codes(run, record, change, deny, options, code):
    result = run("check", record(change, deny), *options)
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output


def test_a_hidden_or_muted_finding_does_not_hold_the_gate(run, record, tmp_path):
    mutes = tmp_path / "mutes.yaml"
    mutes.write_text("- {rule: lb-no-shift, reason: planned, until: 2999-01-01}\n")
    result = run("check", record(OFF), "--mutes", mutes, "-f", "json")
    assert result.exit_code == 0
    (finding,) = report_of(result)["findings"]
    assert finding["muted"] == {"reason": "planned", "owner": "", "until": "2999-01-01"}


def test_mutes_that_have_ended_or_fit_nothing_mute_nothing_and_are_named(run, record, tmp_path):
    mutes = tmp_path / "mutes.yaml"
    mutes.write_text(
        "mutes:\n- {rule: lb-no-shift, reason: planned, until: 2020-01-01}\n"
        "- {rule: tg-*, match: {name: other}, reason: old, owner: ops}\n"
    )
    result = run("check", record(OFF), "--mutes", mutes)
    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        "auditor: the mute of lb-no-shift, 'planned', ended on 2020-01-01 and mutes nothing",
        "auditor: the mute of tg-* (ops), 'old', fits no finding",
    ]
    assert run("check", record(OFF, name="again"), "--mutes", mutes, "--quiet").stderr == ""


def test_a_rule_that_breaks_is_exit_3_and_shown_whatever_the_filter(run, record, monkeypatch):
    from auditor.evaluate.run import Writer

    monkeypatch.setattr(Writer, "finding", lambda *_: 1 / 0)
    result = run("check", record(OFF), "--fail-on", "none", "--min-severity", "critical")
    assert result.exit_code == 3, result.output
    assert "RULES THAT BROKE" in result.stdout


def test_denied_health_is_named_and_never_a_clean_bill(run, record):
    result = run("check", record(None, DENY))
    text = " ".join(result.stdout.split())
    assert "elasticloadbalancing:DescribeTargetHealth denied" in text
    assert "SCAN INCOMPLETE" in text
    row = next(line for line in result.stdout.splitlines() if "use1-az6" in line)
    assert "0/" not in row
    assert "?" in row


def test_min_severity_filters_what_is_shown(run, record):
    result = run("check", record(OFF), "--min-severity", "critical")
    assert "lb-no-shift" not in result.stdout
    assert "1 high; 1 of them below the severity shown" in result.stdout


def test_all_shows_what_passed(run, record):
    shown = report_of(run("check", record(), "--all", "-f", "json"))
    assert {(f["rule_id"], f["status"]) for f in shown["findings"]} == {("lb-no-shift", "pass"), ("tg-empty", "pass")}
    assert report_of(run("check", record(name="b"), "-f", "json"))["findings"] == []


def test_report_is_check_without_a_gate(run, record):
    recording = record(OFF)
    check = run("check", recording, "-f", "json")
    report = run("report", recording, "-f", "json")
    assert (check.exit_code, report.exit_code) == (1, 0)
    assert check.stdout == report.stdout


def test_formats_go_to_their_files_and_the_rest_to_stdout(run, record, tmp_path):
    recording = record(OFF)
    a, b = tmp_path / "a.json", tmp_path / "b.txt"
    result = run("check", recording, "-f", "json", "-o", a, "-f", "table", "-o", b)
    assert result.stdout == ""
    assert json.loads(a.read_text("utf-8"))["schema"] == "auditor.report/1"
    assert b.read_text("utf-8").startswith("Zonal audit of 123456789012")
    mixed = run("check", recording, "-f", "json", "-o", a, "-f", "table")
    assert mixed.stdout == b.read_text("utf-8")
    dash = run("check", recording, "-f", "json", "-o", "-", "-f", "table", "-o", b)
    assert dash.stdout == a.read_text("utf-8")


def test_a_report_replaces_a_file_whole_and_keeps_its_mode(run, record, tmp_path):
    goal = tmp_path / "out" / "r.json"
    goal.parent.mkdir()
    goal.write_text("old")
    goal.chmod(0o640)
    run("check", record(), "-f", "json", "-o", goal)
    assert json.loads(goal.read_text("utf-8"))["schema"]
    assert stat.S_IMODE(goal.stat().st_mode) == 0o640
    assert list(goal.parent.iterdir()) == [goal]


def test_a_link_to_a_file_stays_a_link(run, record, tmp_path):
    goal, link = tmp_path / "r.json", tmp_path / "link.json"
    goal.write_text("old")
    link.symlink_to(goal)
    run("check", record(), "-f", "json", "-o", link)
    assert link.is_symlink()
    assert json.loads(goal.read_text("utf-8"))["schema"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("-f", "json", "-f", "table"), "cannot both go to standard output"),
        (("-o", "a", "-o", "b"), "--output is given 2 times, but --format 1 times"),
        (("-f", "json", "-o", "a", "-f", "table", "-o", "a"), "two formats cannot go to one file"),
        (("-f", "jsno"), "'jsno' is not one of 'table', 'json'"),
        (("-o", "missing/r.json"), "missing/r.json cannot be written: No such file or directory"),
        (("-o", "."), ". cannot be written: Is a directory"),
        pytest.param(
            ("-o", "/dev/full"),
            "/dev/full cannot be written: No space left on device",
            marks=pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full"),
        ),
        (("--select", "tg-emty"), "there is no rule 'tg-emty'; did you mean tg-empty"),
        (("--ignore", "x"), "there is no rule 'x'"),
        (("--rules", "nowhere"), "'nowhere' does not exist"),
        (("--mutes", "nowhere"), "'nowhere' does not exist"),
        (("--config", "nowhere"), "'nowhere' does not exist"),
        (("--fail-on", "hihg"), "'hihg' is not one of"),
        (("--nonsense",), "No such option '--nonsense'"),
    ],
)
def test_bad_options_are_one_sentence_and_exit_2(run, record, options, sentence):
    result = run("check", record(OFF), *options)
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert result.stderr.startswith("auditor: ")
    assert not Path("a").exists()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "cannot be read: no such file or directory"),
        (b"", "is empty, not a recording"),
        (b"hello\n", "is not a recording"),
        (b"\x1f\x8bgarbage", ""),
        (b'{"schema": "other"}\n', "is not a recording"),
    ],
)
def test_foreign_recordings(run, tmp_path, content, sentence):
    path = tmp_path / "r.jsonl"
    if content is not None:
        path.write_bytes(content)
    result = run("check", path)
    assert result.exit_code == 2, result.output
    assert str(path) in result.stderr
    assert sentence in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_recording_that_was_cut_off_is_judged_as_incomplete(run, record):
    part = record(OFF, end=False)
    whole = part.read_bytes()
    part.write_bytes(whole[:-20])
    result = run("check", part, "--fail-on", "none")
    assert result.exit_code == 3
    assert "SCAN INCOMPLETE" in result.stdout


def test_a_recording_that_is_damaged_in_the_middle_is_refused(run, record):
    part = record(OFF, end=False)
    lines = part.read_bytes().splitlines(keepends=True)
    lines[2] = lines[2][:20] + b"\n"
    part.write_bytes(b"".join(lines))
    result = run("check", part)
    assert result.exit_code == 2
    assert "damaged at line 3" in result.stderr


def test_rules_of_ones_own_judge_too_and_their_mistakes_are_named(run, record, tmp_path):
    from .cli_data import NO_SHIFT

    own = tmp_path / "own"
    own.mkdir()
    rule = own / "x-no-shift.yaml"
    rule.write_text(NO_SHIFT.replace("id: lb-no-shift", "id: x-no-shift"))
    result = run("check", record(OFF), "--rules", own, "-f", "json")
    assert {f["rule_id"] for f in report_of(result)["findings"]} == {"lb-no-shift", "x-no-shift"}
    rule.write_text(rule.read_text().replace("zonal_shift_enabled", "zonal_shift_enbled"))
    broken = run("check", record(OFF, name="b"), "--rules", own)
    assert broken.exit_code == 2
    assert "x-no-shift.yaml: violated_when" in broken.stderr
    assert "did you mean zonal_shift_enabled" in broken.stderr
    rule.write_text(NO_SHIFT.replace("id: lb-no-shift", "id: x-no-shift").replace("title:", "titel:"))
    misspelt = run("check", record(OFF, name="c"), "--rules", own)
    assert misspelt.exit_code == 2
    assert "titel" in misspelt.stderr
    rule.write_text(NO_SHIFT.replace("id: lb-no-shift", "id: x-no-shift"))
    (own / "again").mkdir()
    (own / "again" / "x-no-shift.yaml").write_text(rule.read_text())
    twice = run("check", record(OFF, name="d"), "--rules", own)
    assert twice.exit_code == 2
    assert "'x-no-shift' is the id of" in twice.stderr


def test_an_empty_group_is_critical_and_named_with_its_fix(run, record):
    result = run("check", record(NOBODY))
    assert result.exit_code == 1
    assert "CRITICAL (1)" in result.stdout
    assert "target group shop-web" in result.stdout
