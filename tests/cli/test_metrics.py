"""``--metrics`` from end to end: asked, billed, kept, judged offline, gone on with, and refused where it means nothing."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from auditor.demo import REGION
from auditor.demo.extension.validate import check_answer
from auditor.derive.links import Links
from auditor.derive.traffic import Traffic
from auditor.model import elbv2
from auditor.record.decode import decode
from auditor.record.recording import read_recording

from .cli_data import report_of

ACTION = "cloudwatch:GetMetricData"


@pytest.fixture(scope="module")
def day(tmp_path_factory) -> Path:
    """A recording of the demo account with a day of metrics; it is copied by whoever changes it."""
    from click.testing import CliRunner

    from auditor.cli import auditor

    kept = tmp_path_factory.mktemp("metrics") / "day.jsonl.gz"
    words = ["scan", "--demo", "--metrics", "24h", "--services", "none", "--save", str(kept), "--fail-on", "none"]
    result = CliRunner().invoke(auditor, words)
    assert result.exit_code == 0, result.output
    number = sum(len(params["MetricDataQueries"]) for params in asked(kept))
    assert number > 40
    assert result.stderr == (
        f"auditor: 123456789012 us-east-1: asking CloudWatch for {number} metrics, which AWS bills at 0.01 USD per 1,000: "
        f"about {f'{number / 100_000:.5f}'.rstrip('0')} USD\n"
    )
    return kept


def asked(path: Path) -> list[dict[str, Any]]:
    return [a.params for a in read_recording(path).answers if a.operation == "GetMetricData"]


def traffic(path: Path, name: str) -> Traffic:
    recording = read_recording(path)
    (region,) = decode(recording.answers, recording.header, recording.footer).regions
    (balancer,) = [b for b in region.listing(elbv2.LOAD_BALANCERS) if b.LoadBalancerName == name]
    found = Links(region).traffic.of(balancer)
    assert isinstance(found, Traffic)
    return found


def named(shares) -> dict[str, float]:
    return {zone.name: pytest.approx(share) for zone, share in shares.items()}


def test_the_demo_account_has_traffic(day):
    shop, mqtt = traffic(day, "shop"), traffic(day, "mqtt")
    assert (shop.peak, shop.unit) == (54_000 / 300, "requests")
    assert named(shop.shares) == {"us-east-1a": 0.45, "us-east-1b": 0.3, "us-east-1c": 0.25}
    assert (mqtt.peak, mqtt.unit, mqtt.bytes) == (600 / 300, "flows", 75 * 2**30)
    assert named(mqtt.shares) == {"us-east-1a": 52 / 152, "us-east-1b": 51 / 152, "us-east-1c": 49 / 152}
    assert "no RequestCount of app/blog/" in str(traffic(day, "blog").peak)


def test_its_answers_are_such_as_aws_gives(day):
    answers = [a for a in read_recording(day).answers if a.operation == "GetMetricData"]
    assert len(answers) == 1
    for answer in answers:
        assert answer.response
        assert len(answer.params["MetricDataQueries"]) == len(answer.response["MetricDataResults"])
        for result in answer.response["MetricDataResults"]:
            result["Timestamps"] = [datetime.fromisoformat(at) for at in result["Timestamps"]]
        check_answer(answer.service, answer.operation, answer.response)


def test_the_recording_keeps_the_choice_and_is_judged_offline(run, day):
    assert read_recording(day).header.settings["metrics"] == "1d"
    assert run("check", day, "--fail-on", "none").exit_code == 0


def test_a_scan_that_goes_on_keeps_its_window_and_asks_nothing_twice(run, day, tmp_path):
    kept = tmp_path / "day.jsonl.gz"
    kept.write_bytes(day.read_bytes())
    other = run("scan", "--demo", "--resume", kept, "--metrics", "2d")
    assert other.exit_code == 2
    assert other.stderr.rstrip().endswith("was recorded with other settings: metrics")
    result = run("scan", "--demo", "--resume", kept, "--fail-on", "none", "-f", "json")
    assert result.exit_code == 0
    assert result.stderr == ""  # nothing more is billed
    assert report_of(result)["scan"]["calls"]["by_operation"][ACTION] == 1
    assert read_recording(kept).header.settings["metrics"] == "1d"


def test_metrics_cannot_be_added_to_a_scan_that_had_none(run, tmp_path):
    kept = tmp_path / "r"
    bare = run("scan", "--demo", "--services", "none", "--save", kept, "--fail-on", "none", "-f", "json")
    assert ACTION not in report_of(bare)["scan"]["calls"]["by_operation"]
    assert "metrics" not in read_recording(kept).header.settings
    again = run("scan", "--demo", "--resume", kept, "--metrics", "1d")
    assert (again.exit_code, len(again.stderr.splitlines())) == (2, 1)
    assert again.stderr.rstrip().endswith("was recorded with other settings: metrics")


def test_quiet_says_nothing_and_the_settings_file_asks_as_well(run, tmp_path):
    Path("auditor.yaml").write_text("metrics: 24h\nservices: none\n")
    kept = tmp_path / "r"
    result = run("scan", "--demo", "--quiet", "--save", kept, "--fail-on", "none", "-f", "json")
    assert (result.exit_code, result.stderr) == (0, "")
    assert report_of(result)["scan"]["calls"]["by_operation"][ACTION] == 1
    assert read_recording(kept).header.settings["metrics"] == "1d"


@pytest.mark.parametrize("span", ["2w", "64d", "0h", "1.5d", "-1d", "14", "yesterday"])
def test_nonsense_is_one_sentence_before_anything_is_asked(run, monkeypatch, span):
    from auditor.aws import sessions

    monkeypatch.setattr(sessions, "open_account", lambda *_, **__: pytest.fail("AWS was asked"))
    for words in (("scan", "--regions", REGION), ("permissions",)):
        result = run(*words, "--metrics", span)
        assert result.exit_code == 2
        assert result.stderr == (
            f"auditor: --metrics: '{span}' is no time to look back: write whole hours or days from 1h to 63d, such as 14d\n"
        )


def actions(result) -> set[str]:
    return set(json.loads(result.stdout)["Statement"][0]["Action"])


def test_permissions_need_one_action_more_by_option_or_settings(run):
    bare = actions(run("permissions"))
    assert ACTION not in bare
    assert actions(run("permissions", "--services", "all")) & {ACTION} == set()
    assert actions(run("permissions", "--metrics", "14d")) == bare | {ACTION}
    Path("auditor.yaml").write_text("metrics: 14d\n")
    assert actions(run("permissions")) == bare | {ACTION}
    both = run("permissions", "--metrics", "14d", "--missing")
    assert both.exit_code == 2
    assert "--metrics has no meaning with it" in both.stderr
