"""The reference estates: what is planted in the neglected one is found once, and the clean one comes out clean."""

from __future__ import annotations

import difflib
from collections import Counter

import pytest

from auditor.evaluate.catalogue import load_catalogue
from auditor.model.verdict import Severity, Status

from .pages import GENERATED
from .reading import FIXTURES, NAMES, Key, Row, estate, key_of, load, merged

BOTH = pytest.mark.parametrize("name", NAMES)


def none_of(findings, says):
    if findings:
        told = (f"  {f.severity} {key_of(f)}: {f.message}" for f in findings)
        pytest.fail("\n".join([f"{says}:", *told]), pytrace=False)


@BOTH
def test_an_estate_has_about_thirty_load_balancers(name):
    assert len(estate(name).scenario["load_balancers"]) >= 28


@BOTH
def test_everything_in_the_table_is_found_exactly_once_and_in_sight(name):
    found = estate(name)
    counted = Counter(key_of(f) for f in found.findings if not f.hidden_by)
    hidden = {key_of(f): f.hidden_by for f in found.findings if f.hidden_by}
    rules = {f.id: f.rule_id for f in found.findings}
    wrong = []
    for key, row in found.table:
        if counted[key] != 1:
            why = f"hidden by {rules[hidden[key]]}" if key in hidden else f"found {counted[key]} times"
            wrong.append(f"  {key}, planted because: {row.because}; {why}")
    if wrong:
        pytest.fail("\n".join([f"{name}: in the tables, and not found exactly once:", *wrong]), pytrace=False)


@BOTH
def test_nothing_else_is_found(name):
    found = estate(name)
    table = {key for key, _ in found.table}
    sight = {f.id: f for f in found.findings if not f.hidden_by}
    more = [f for f in sight.values() if key_of(f) not in table]
    none_of(more, f"{name}: found, and in no table of findings")
    assert all(f.hidden_by in sight for f in found.findings if f.hidden_by)


@BOTH
def test_no_rule_breaks(name):
    none_of([f for f in estate(name).findings if f.status is Status.ERROR], f"{name}: rules that broke")


@BOTH
def test_a_table_says_nothing_twice(name):
    twice = [key for key, n in Counter(key for key, _ in estate(name).table).items() if n > 1]
    assert not twice, f"{name}: twice in the tables: {', '.join(map(str, twice))}"


def test_the_clean_estate_has_nothing_high_or_critical():
    found = [f for f in estate("clean").findings if f.status is Status.FAIL and f.severity.rank >= Severity.HIGH.rank]
    none_of(found, "a sound estate must not be called faulty")


def test_the_clean_estate_has_hardly_anything_medium():
    found = [f for f in estate("clean").findings if f.status is Status.FAIL and f.severity is Severity.MEDIUM]
    none_of(
        [f for f in found if f.resource.name != "partner-stock"], "more at medium than the one last target of a zone"
    )
    assert len(found) == 1


def test_every_rule_has_a_planted_fault():
    planted = {key.rule for key, row in estate("neglected").table if row.status is Status.FAIL}
    missing = {rule.id for rule in load_catalogue()} - planted
    assert not missing, f"plant a fault in fixtures/estates/neglected for: {', '.join(sorted(missing))}"


@pytest.mark.parametrize("path", GENERATED, ids=lambda p: p.name)
def test_reports_and_page_are_current(path):
    made = GENERATED[path]()
    there = path.read_text(encoding="utf-8") if path.exists() else ""
    differs = difflib.unified_diff(there.splitlines(), made.splitlines(), "there", "made now", lineterm="", n=0)
    if there != made:
        said = f"{path.name} is not current; see what changed, then run `make docs`:"
        pytest.fail("\n".join([said, *differs]), pytrace=False)


# The reading itself


def test_files_of_an_estate_are_joined():
    one = {"zones": {"a": "x"}, "load_balancers": {"a": 1}, "arc": {"practised": ["a"], "practice": {"a": 1}}}
    two = {"load_balancers": {"b": 2}, "arc": {"practised": ["b"], "practice": {"b": 2}}, "findings": [1]}
    three = {"findings": [2]}
    assert merged([("1", one), ("2", two), ("3", three)]) == {
        "zones": {"a": "x"},
        "load_balancers": {"a": 1, "b": 2},
        "arc": {"practised": ["a", "b"], "practice": {"a": 1, "b": 2}},
        "findings": [1, 2],
    }
    assert one["arc"] == {"practised": ["a"], "practice": {"a": 1}}


@pytest.mark.parametrize(
    ("one", "two", "says"),
    [
        ({"load_balancers": {"a": 1}}, {"load_balancers": {"a": 2}}, "two: load_balancers: a"),
        ({"arc": {"weights": {"a": 1}}}, {"arc": {"weights": {"a": 2}}}, "two: arc: weights: a"),
        ({"drill": {"start": 1}}, {"drill": {"start": 2}}, "two: drill: start"),
        ({"account": "1"}, {"account": "1"}, "two: account"),
    ],
)
def test_nothing_may_be_said_in_two_files(one, two, says):
    with pytest.raises(ValueError, match=says):
        merged([("one", one), ("two", two)])


def test_a_row_stands_for_each_resource_with_its_zone_ids():
    row = Row(rule="r", resource=("x", "y"), zones="b", because="")
    assert row.keys({"a": "use1-az6", "b": "use1-az1"}) == [
        Key("r", "x", ("use1-az1",), "fail"),
        Key("r", "y", ("use1-az1",), "fail"),
    ]
    assert str(row.keys({"b": "use1-az1"})[0]) == "r on x in use1-az1 (fail)"


@BOTH
def test_scenarios_and_estates_do_not_mix(name):
    """The loader of scenarios takes every file of its folder; the parts of an estate are none."""
    assert {p.parent for p in (FIXTURES / "estates" / name).rglob("*.yaml")} == {FIXTURES / "estates" / name}
    assert not list((FIXTURES / "estates").glob("*.yaml"))
    assert load(name)[0].keys() >= {"zones", "load_balancers", "target_groups"}
