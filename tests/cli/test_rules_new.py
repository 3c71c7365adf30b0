"""``rules new`` and ``rules schema``."""

from __future__ import annotations

import json

import pytest

from auditor.derive.nodes import SUBJECTS
from auditor.evaluate.skeleton import SCHEMA_FILE

SUBJECT_LIST = f"the subjects are {', '.join(sorted(SUBJECTS)[:-1])} and {sorted(SUBJECTS)[-1]}"


@pytest.mark.parametrize("subject", sorted(SUBJECTS))
def test_a_new_rule_passes_its_own_cases(run, subject):
    """A subject without a starter in `auditor.evaluate.skeleton` fails here: give it one."""
    made = run("rules", "new", "x-first", "--subject", subject)
    assert made.exit_code == 0, made.output
    assert made.stdout.splitlines()[0] == "my-rules/x-first.yaml is written."
    result = run("rules", "test", "--rules", "my-rules", "x-first")
    assert result.exit_code == 0, result.output
    assert "1 rule, 0 with problems; 3 cases, 0 failed" in result.stdout


def test_a_new_rule_says_what_to_do_next(run, tmp_path):
    folder = tmp_path / "rules of ours" / "lb"
    made = run("rules", "new", "x-first", "--subject", "TargetGroup", "--directory", folder)
    assert made.stdout.splitlines()[1] == f"Test it:  auditor rules test --rules '{folder}' x-first"
    text = (folder / "x-first.yaml").read_text()
    assert text.startswith(f"# yaml-language-server: $schema={SCHEMA_FILE}\n")
    assert "auditor rules fields TargetGroup" in text
    assert (folder / SCHEMA_FILE).read_text() == run("rules", "schema").stdout


def test_a_rule_that_is_there_is_not_overwritten(run, tmp_path):
    folder = tmp_path / "own"
    (folder / "deep").mkdir(parents=True)
    there = folder / "deep" / "x-first.yaml"
    there.write_text("mine\n")
    result = run("rules", "new", "x-first", "--subject", "TargetGroup", "--directory", folder)
    assert result.exit_code == 2
    assert result.stderr == f"auditor: {there} is there already: choose another id, or remove that file\n"
    assert there.read_text() == "mine\n"
    assert not (folder / SCHEMA_FILE).exists()


def test_an_older_schema_is_renewed_and_a_strange_one_left_alone(run, tmp_path):
    schema = tmp_path / SCHEMA_FILE
    now = run("rules", "schema").stdout
    schema.write_text(now.replace("EksCluster", "Cluster"))
    run("rules", "new", "x-first", "--subject", "TargetGroup", "--directory", tmp_path)
    assert schema.read_text() == now
    schema.write_text('{"mine": true}\n')
    assert run("rules", "new", "x-second", "--subject", "TargetGroup", "--directory", tmp_path).exit_code == 0
    assert schema.read_text() == '{"mine": true}\n'


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        ("one-target", "; did you mean x-one-target?"),
        ("OneTarget", "; did you mean x-one-target?"),
        ("x_one target", "; did you mean x-one-target?"),
        ("x-", ""),
        ("", ""),
        ("../x-up", "; did you mean x-up?"),
    ],
)
def test_an_id_that_cannot_be(run, tmp_path, wrong, meant):
    result = run("rules", "new", wrong, "--subject", "TargetGroup", "--directory", tmp_path / "own")
    assert result.exit_code == 2
    assert result.stderr == (
        f"auditor: {wrong!r} cannot be the id of a rule of your own: "
        f"that is x- and lower-case words joined by hyphens{meant}\n"
    )
    assert not (tmp_path / "own").exists()


def test_a_subject_that_is_not_there(run):
    result = run("rules", "new", "x-first", "--subject", "TargetGrop")
    assert (result.exit_code, result.stderr) == (
        2, f"auditor: there is no subject 'TargetGrop'; did you mean TargetGroup? {SUBJECT_LIST}\n"
    )  # fmt: skip
    assert run("rules", "new", "x-first").stderr == "auditor: Missing option '--subject'\n"


def test_a_folder_that_cannot_be_made(run, tmp_path):
    (tmp_path / "file").write_text("")
    result = run("rules", "new", "x-first", "--subject", "TargetGroup", "--directory", tmp_path / "file" / "own")
    assert result.exit_code == 2
    assert result.stderr == f"auditor: {tmp_path / 'file' / 'own'} cannot be made: Not a directory\n"


def test_the_schema_is_printed_whole(run):
    schema = json.loads(run("rules", "schema").stdout)
    assert schema["properties"]["subject"]["enum"] == sorted(SUBJECTS)
