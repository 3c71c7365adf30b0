"""Which finding wins, by causes."""

from __future__ import annotations

from auditor.evaluate.hiding import hide
from auditor.model.finding import Cause, Finding, Remediation
from auditor.model.verdict import Severity, Status

from .shop import resource

HIDING = {"weak": ("strong", "other"), "strong": ("top",), "weaker": ("weak",)}


def finding(rule: str, *causes: tuple[str, str] | str, name: str = "n", status: Status = Status.FAIL) -> Finding:
    return Finding(
        id=f"{rule}-{name}",
        rule_id=rule,
        title="",
        status=status,
        severity=Severity.LOW,
        confidence="certain",
        resource=resource(name),
        tags={},
        zones=(),
        message="",
        why="",
        remediation=Remediation(summary=""),
        causes=tuple(Cause(c) if isinstance(c, str) else Cause(*c) for c in causes),
    )


def hidden(*findings: Finding) -> dict[str, str | None]:
    forward = {f.id: f.hidden_by for f in hide(findings, HIDING)}
    assert {f.id: f.hidden_by for f in hide(findings[::-1], HIDING)} == forward
    return forward


def test_the_same_cause_is_hidden() -> None:
    assert hidden(finding("strong", "a"), finding("weak", "a")) == {"strong-n": None, "weak-n": "strong-n"}


def test_another_cause_is_not() -> None:
    assert hidden(finding("strong", "b"), finding("weak", "a"))["weak-n"] is None


def test_a_rule_that_hides_nothing_hides_nothing() -> None:
    assert hidden(finding("plain", "a"), finding("weak", "a"))["weak-n"] is None


def test_one_finding_must_cover_every_cause() -> None:
    two = finding("weak", ("a", "z1"), ("a", "z2"))
    one, other = finding("strong", ("a", "z1"), name="1"), finding("other", ("a", "z2"), name="2")
    assert hidden(one, other, two)["weak-n"] is None
    assert hidden(finding("strong", ("a", "z1"), ("a", "z2"), ("b", "")), two)["weak-n"] == "strong-n"


def test_a_cause_without_a_zone_covers_every_zone() -> None:
    assert hidden(finding("strong", "a"), finding("weak", ("a", "z1"), ("a", "z2")))["weak-n"] == "strong-n"


def test_a_cause_with_a_zone_does_not_cover_the_whole_resource() -> None:
    assert hidden(finding("strong", ("a", "z1")), finding("weak", "a"))["weak-n"] is None


def test_another_zone_is_not_covered() -> None:
    assert hidden(finding("strong", ("a", "z1")), finding("weak", ("a", "z2")))["weak-n"] is None


def test_the_second_cause_may_be_covered_by_another_pair() -> None:
    assert (
        hidden(finding("strong", ("b", "z2"), "a"), finding("weak", ("a", "z1"), ("b", "z2")))["weak-n"] == "strong-n"
    )


def test_without_a_known_cause_nothing_is_hidden() -> None:
    assert hidden(finding("strong", "a"), finding("weak"))["weak-n"] is None


def test_only_violations_hide_and_are_hidden() -> None:
    for status in (Status.UNKNOWN, Status.PASS, Status.NOT_APPLICABLE, Status.ERROR):
        assert hidden(finding("strong", "a", status=status), finding("weak", "a"))["weak-n"] is None
        assert hidden(finding("strong", "a"), finding("weak", "a", status=status))["weak-n"] is None


def test_hidden_by_names_the_finding_that_stays_in_sight() -> None:
    found = hidden(finding("top", "a"), finding("strong", "a"), finding("weak", "a"), finding("weaker", "a"))
    assert found == {"top-n": None, "strong-n": "top-n", "weak-n": "top-n", "weaker-n": "top-n"}
