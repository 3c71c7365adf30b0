"""What the properties of derive are for: a refusal never turns one verdict of a rule into another, only into unknown."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from auditor.derive.build import derive
from auditor.evaluate.catalogue import Catalogue, load_catalogue
from auditor.evaluate.run import JudgeOptions, judge
from auditor.evaluate.scenario import answers
from auditor.model.verdict import Status
from auditor.record.decode import decode

from .generated import estates
from .test_properties import ACTIONS, few

Verdicts = dict[tuple[str, str, tuple[str, ...]], Status]


@pytest.fixture(scope="module")
def rules() -> Catalogue:
    return load_catalogue()


def verdicts(rules: Catalogue, scenario: Any, *deny: str) -> Verdicts:
    found = judge(derive(decode(*answers(scenario, deny))), rules, JudgeOptions(all_verdicts=True)).findings
    return {(f.rule_id, f.resource.arn or f.resource.name, tuple(z.key for z in f.zones)): f.status for f in found}


@few
@given(estates())
def test_a_refusal_turns_a_verdict_into_unknown_or_leaves_it(rules, scenario):
    whole = verdicts(rules, scenario)
    assert Status.ERROR not in whole.values()
    wrong = []
    for action in ACTIONS:
        for key, status in verdicts(rules, scenario, action).items():
            before = whole.get(key)
            silent = {Status.PASS, Status.NOT_APPLICABLE}
            same = status is before or {status, before} <= silent
            new = before is None and status is not Status.FAIL
            if not (same or new or status is Status.UNKNOWN):
                wrong.append((action, *key, before, status))
    assert wrong == []
