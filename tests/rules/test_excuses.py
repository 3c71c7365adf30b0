"""What the intent to stand in one zone excuses beside the rule that it switches off, among all rules."""

from __future__ import annotations

import pytest

from auditor.derive.build import derive
from auditor.evaluate.catalogue import load_catalogue
from auditor.evaluate.given_figures import Capacity, figures_of
from auditor.evaluate.matching import Match
from auditor.evaluate.run import judge
from auditor.evaluate.scenario import answers, changed
from auditor.model.verdict import Severity, Status
from auditor.record.decode import decode

CATALOGUE = load_catalogue()
FORWARD = {"port": 443, "protocol": "HTTPS", "default": {"forward": {"shop-web": 1, "one": 1}}}
FIGURES = figures_of([Capacity(match=Match(name="one"), peak_rps=100, target_rps=100)], None)


def serious(targets, *, meant, **others):
    """Findings in sight at medium or above, where shop forwards to the group `one` as well, by rule and resource."""
    one = {"type": "ip", "health_check": {"path": "/healthz"}, "targets": targets}
    one["tags"] = {"auditor:intent": "single-zone"} if meant else {}
    change = {"load_balancers": {"shop": {"listeners": [FORWARD]}}, "target_groups": {"one": one, **others}}
    model = derive(decode(*answers(changed(CATALOGUE.scenario("alb-three-zones"), change))), FIGURES)
    found = judge(model, CATALOGUE).findings
    return {
        (f.rule_id, f.resource.name)
        for f in found
        if f.status is Status.FAIL and f.severity.rank >= Severity.MEDIUM.rank and not f.hidden_by
    }


@pytest.mark.parametrize(
    ("targets", "rule"), [({"a": "2 healthy"}, "tg-single-zone"), ({"a": "1 healthy"}, "tg-single-target")]
)
def test_one_zone_on_purpose_is_no_reason_against_a_shift_and_no_loss(targets, rule):
    assert serious(targets, meant=False) == {(rule, "one")}
    assert serious(targets, meant=True) == set()


def test_another_group_that_a_shift_does_nothing_for_still_counts():
    failing = {"targets": dict.fromkeys("abc", "2 unhealthy")}
    assert ("arc-shift-no-effect", "shop") in serious({"a": "2 healthy"}, meant=True, **{"shop-web": failing})
