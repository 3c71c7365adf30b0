"""The skeleton of a rule for a subject that has no starter; those with one are tested by ``rules new``."""

from __future__ import annotations

import pytest

from auditor.errors import UsageError
from auditor.evaluate.cases import run_cases
from auditor.evaluate.catalogue import load_catalogue
from auditor.evaluate.skeleton import skeleton


def test_a_subject_without_a_starter_gets_a_rule_that_loads(tmp_path, monkeypatch):
    monkeypatch.setattr("auditor.evaluate.skeleton._STARTERS", {})
    (tmp_path / "x-first.yaml").write_text(skeleton("x-first", "LoadBalancer", "my-rules"))
    catalogue = load_catalogue([tmp_path], builtin=False)
    assert catalogue["x-first"].file.title == "First"
    report = run_cases(catalogue, "x-first")
    assert report.problems == (
        "case 'a finding': NAME: expected fail, got no verdict; there are verdicts on shop",
        "case 'nothing wrong': ANOTHER: expected pass, got no verdict; there are verdicts on shop",
    )


def test_a_folder_with_odd_characters_stays_in_its_comment():
    text = skeleton("x-first", "LoadBalancer", "odd\nid: x-other")
    assert "auditor rules test --rules 'odd id: x-other' x-first" in text


def test_a_subject_that_is_not_there():
    with pytest.raises(UsageError, match="there is no subject 'Balancer'"):
        skeleton("x-first", "Balancer", "my-rules")
