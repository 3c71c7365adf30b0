"""The settings file: what it does, and one sentence for every fault in it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from auditor.config import Settings, listed, read_settings
from auditor.errors import UsageError
from auditor.model.verdict import Severity

from .cli_data import OFF, report_of

WHOLE = """\
regions: [us-east-1, eu-west-1]
accounts: [{id: "123456789012", name: shop}]
services: elbv2,elb
mutes: [{rule: lb-*, reason: planned, until: 2999-12-31}]
select: [lb-*]
ignore: [lb-x]
severity: {lb-no-shift: low}
params: {tg-empty: {most: 3}}
gates: {fail_on: critical, min_severity: medium}
recovery_goal_seconds: 600
drill: {start: 2026-12-01T09:00:00Z, end: 2026-12-01T12:00:00Z}
capacity:
  - match: {name: shop-*}
    peak_rps: 1200
    target_rps: 100
    ingress: {use1-az1: 0.5, use1-az2: 0.5}
    unavailable_during_deploy: 1
    retry_factor: 1.2
intent: [{match: {tag: stack=batch}, is: [single-zone], reason: batch can wait}]
"""


@pytest.fixture
def settings_file(tmp_path):
    def write(text: str, name: str = "my.yaml") -> Path:
        path = tmp_path / name
        path.write_text(text, "utf-8")
        return path

    return write


def test_everything_in_the_file_arrives(settings_file):
    settings = read_settings(settings_file(WHOLE))
    assert settings.regions == ("us-east-1", "eu-west-1")
    assert settings.services == ("elbv2", "elb")
    assert settings.account_names == {"123456789012": "shop"}
    assert settings.severity == {"lb-no-shift": Severity.LOW}
    assert settings.params == {"tg-empty": {"most": 3}}
    assert (settings.fail_on, settings.min_severity) == (Severity.CRITICAL, Severity.MEDIUM)
    assert settings.recovery_goal_seconds == 600
    assert settings.drill
    assert settings.drill.start == datetime(2026, 12, 1, 9, tzinfo=UTC)
    assert settings.capacity[0].match.name == "shop-*"
    assert settings.capacity[0].ingress == {"use1-az1": 0.5, "use1-az2": 0.5}
    assert settings.intent[0].match.tag == "stack=batch"
    ((place, (mute,)),) = settings.mutes.items()
    assert place.endswith("my.yaml: mutes")
    assert mute.rule == "lb-*"


def test_without_a_file_defaults_hold():
    assert read_settings() == Settings()
    assert read_settings().recovery_goal_seconds == 300


def test_options_win_over_the_file(settings_file):
    path = settings_file(WHOLE)
    settings = read_settings(
        path, regions=("ap-south-1",), fail_on="none", min_severity="info", select=("tg-*",), services=None, ignore=()
    )
    assert settings.regions == ("ap-south-1",)
    assert settings.fail_on is None
    assert settings.min_severity is Severity.INFO
    assert settings.select == ("tg-*",)
    assert settings.services == ("elbv2", "elb")
    assert settings.ignore == ("lb-x",)


def test_lists_may_be_words_joined_by_commas():
    assert listed("a, b,,a") == ("a", "b")
    assert listed(["a,b", "c"]) == ("a", "b", "c")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("regoins: [a]", "unknown key `regoins`; did you mean `regions`?"),
        ("gates: {fail_on: hihg}", "`gates.fail_on`: 'hihg' is not one of its values; did you mean `high`?"),
        ("gates: {fail: high}", "`gates`: unknown key `fail`; did you mean `fail_on`?"),
        ("gates: {xyz: high}", "`gates`: unknown key `xyz`; known are fail_on, min_severity"),
        ("capacity: [{match: {nam: a}}]", "`capacity[0].match`: unknown key `nam`; did you mean `name`?"),
        ("capacity: [{peak_rps: 3}]", "`capacity[0]`: the key `match` is missing"),
        ("capacity: [{match: {name: a}, peak_rps: 0}]", "`capacity[0].peak_rps`: expected `float` > 0"),
        ("intent: [{match: {name: a}, is: [single-zones], reason: x}]", "did you mean `single-zone`?"),
        ("mutes: [{rule: a}]", "`mutes[0]`: the key `reason` is missing"),
        ("mutes: [{rule: a, reason: b, untill: 2026-01-01}]", "unknown key `untill`; did you mean `until`?"),
        ("accounts: [{id: 123456789012}]", "`accounts[0].id`: expected text, got a whole number (put it in quotes)"),
        ("accounts: [{id: '12'}]", "`accounts[0]`: an account ID has 12 digits"),
        ("drill: {start: 2026-01-02T00:00:00Z, end: 2026-01-01T00:00:00Z}", "`drill`: the drill ends before it starts"),
        (
            "drill: {start: 2026-01-01T00:00:00, end: 2026-01-02T00:00:00Z}",
            "`drill.start`: expected `datetime` with a timezone",
        ),
        ("recovery_goal_seconds: soon", "`recovery_goal_seconds`: expected a number, got text"),
        ("severity: {lb-no-shift: hi}", "did you mean `high`?"),
        ("- a", "expected a mapping, got a list"),
        ("regions: 3", "`regions`: expected text or a list, got a whole number"),
        ("a: [", "line "),
        ("regions: [a]\nregions: [b]", "line 2: the key 'regions' is given twice"),
    ],
)
def test_every_fault_is_one_sentence_with_file_and_place(settings_file, text, sentence):
    path = settings_file(text)
    with pytest.raises(UsageError) as caught:
        read_settings(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        read_settings(tmp_path)
    (tmp_path / "b.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="is not UTF-8 text"):
        read_settings(tmp_path / "b.yaml")


def test_the_file_of_the_working_directory_is_read_and_named(run, record):
    Path("auditor.yaml").write_text("severity: {lb-no-shift: low}\n")
    result = run("check", record(OFF), "-f", "json")
    assert result.exit_code == 0
    assert result.stderr == "auditor: settings read from ./auditor.yaml\n"
    assert [f["severity"] for f in report_of(result)["findings"]] == ["low"]
    assert run("check", record(OFF, name="b"), "-f", "json", "--quiet").stderr == ""


def test_a_file_that_was_named_replaces_the_other_and_is_not_announced(run, record, settings_file):
    Path("auditor.yaml").write_text("nonsense: 1\n")
    result = run("check", record(OFF), "--config", settings_file("gates: {fail_on: none}"))
    assert (result.exit_code, result.stderr) == (0, "")


def test_faults_of_the_file_reach_the_user_as_exit_2(run, record, settings_file):
    for number, text in enumerate(
        ("severity: {lb-no-shif: low}", "params: {tg-empty: {mosst: 1}}", "params: {tg-empty: {most: x}}", "ignore: [lb-y]",
         "mutes: [{rule: lb-y, reason: z}]")
    ):  # fmt: skip
        result = run("check", record(name=f"r{number}"), "--config", settings_file(text))
        assert result.exit_code == 2, text
        assert len(result.stderr.splitlines()) == 1
        assert "unexpected" not in result.stderr


def test_params_and_intent_change_verdicts(run, record, settings_file):
    loud = run("check", record(), "--config", settings_file("params: {tg-empty: {most: 6}}"))
    assert loud.exit_code == 1
    meant = "intent: [{match: {name: shop}, is: [no-shift], reason: by design}]"
    calm = run("check", record(OFF, name="b"), "--config", settings_file(meant))
    assert calm.exit_code == 0
