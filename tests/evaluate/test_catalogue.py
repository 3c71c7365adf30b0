"""Rule files: what is refused at load and with which sentence; choosing and tuning rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from auditor.errors import RuleError, UsageError
from auditor.evaluate import locations
from auditor.evaluate.catalogue import load_catalogue
from auditor.model.verdict import Severity

from .conftest import Load, Write
from .shop import shop


def refused(load: Load) -> str:
    with pytest.raises(RuleError) as error:
        load()
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_rule_is_loaded(write: Write, load: Load) -> None:
    path = write("x-dark", "violated_when: '!lit'", "params: {}", "references: [https://example.com]")
    rule = load()["x-dark"]
    assert (rule.id, rule.family, rule.path, rule.builtin) == ("x-dark", "town", path, False)
    assert rule.severities == (Severity.HIGH,)
    assert rule.needs == ("elasticloadbalancing:DescribeLoadBalancers",)
    assert not rule.per_zone


def test_needs_follow_from_every_condition(write: Write, load: Load) -> None:
    write(
        "x-dark",
        "applies_when: paid",
        "violated_when: {any: ['!lit', {not: count == `1`}]}",
        severity="[{level: low, when: boxes}, {level: high}]",
    )
    assert load()["x-dark"].needs == (
        "elasticloadbalancing:DescribeLoadBalancers",
        "elasticloadbalancing:DescribeTargetGroups",
        "elasticloadbalancing:DescribeTargetHealth",
    )


@pytest.mark.parametrize(
    ("rule_id", "lines", "options", "says"),
    [
        (
            "x-a",
            ["violated_when: lit", "violatd_when: lit"],
            {},
            "unknown key `violatd_when`; did you mean `violated_when`?",
        ),
        ("x-a", ["violated_when: no"], {}, "`violated_when`: expected text or a mapping or nothing, got true or false"),
        ("x-a", ["violated_when: lit", "references: no"], {}, "`references`: expected a list, got true or false"),
        ("x-a", ["violated_when: lit", "title: 3"], {}, "line 10: the key 'title' is given twice"),
        (
            "x-a",
            ["violated_when: {all: [lit], any: [lit]}"],
            {},
            "`violated_when`: exactly one of all, any and not is wanted",
        ),
        ("x-a", ["violated_when: {nor: [lit]}"], {}, "`violated_when`: unknown key `nor`; did you mean `not`?"),
        (
            "x-a",
            ["violated_when: lit", "hides: [no]"],
            {},
            "`hides[0]`: expected text, got true or false (put it in quotes)",
        ),
        ("x-a", ["violated_when: [lit"], {}, "line 10: "),
        ("x-a", ["violated_when: &a lit", "applies_when: *a"], {}, "an alias (*name) is not allowed"),
        ("x-a", ["violated_when: !!python/name:os.system x"], {}, "line 9: could not determine a constructor"),
        (
            "x-a",
            ["violated_when: lit"],
            {"severity": "dire"},
            "`severity`: 'dire' is not one of its values; known are critical, high, info, low, medium",
        ),
        (
            "x-a",
            ["violated_when: lit"],
            {"severity": "[{level: low}, {level: high}]"},
            "severity: every level but the last has",
        ),
        (
            "x-a",
            ["violated_when: lit"],
            {"severity": "[{level: low, when: lit}]"},
            "severity: every level but the last has",
        ),
        (
            "x-a",
            ["violated_when: lit"],
            {"severity": "[{level: low, when: nix}, {level: high}]"},
            "severity[0].when: Shop has no",
        ),
        (
            "x-a",
            ["violated_when: lit"],
            {"subject": "Shpo"},
            "subject: there is no 'Shpo'; did you mean Shop? the subjects are",
        ),
        ("x-a", ["violated_when: lit"], {"message": "{nix}"}, "message: placeholder {nix}: Shop has no field 'nix'"),
        ("x-a", ["violated_when: nix"], {}, "violated_when: Shop has no field 'nix'"),
        ("x-a", ["violated_when: lit", "applies_when: nix"], {}, "applies_when: Shop has no field 'nix'"),
        ("x-a", ["applies_when: lit"], {}, "violated_when: a rule has either violated_when or check"),
        ("x-a", ["violated_when: lit", "check: some"], {}, "violated_when: a rule has either violated_when or check"),
        ("x-a", ["check: some"], {}, "check: there is no check 'some'"),
        ("X-a", ["violated_when: lit"], {}, "id: 'X-a' is not lower-case words joined by hyphens"),
        ("x-a_b", ["violated_when: lit"], {}, "id: 'x-a_b' is not lower-case words joined by hyphens"),
        ("dark", ["violated_when: lit"], {}, "id: the id of a rule of your own starts with x-, such as x-dark"),
        ("x-a", ["violated_when: lit", "params: {most: 3}"], {}, "params: $most is used nowhere in the rule"),
        ("x-a", ["violated_when: count > $most"], {}, "violated_when: $most is not a param of this rule"),
        (
            "x-a",
            ["violated_when: count > $Most", "params: {Most: 3}"],
            {},
            "params: 'Most' is not a name in lower case",
        ),
        ("x-a", ["violated_when: lit", "params: {most: null}"], {}, "params"),
        ("x-a", ["violated_when: count > $most", "params: {most: .nan}"], {}, "is not JSON"),
        (
            "x-a",
            ["violated_when: lit", "intent: [single-zon]"],
            {},
            "intent: there is no 'single-zon'; did you mean single-zone?",
        ),
        (
            "x-a",
            ["violated_when: lit", "intent: [no-shift]"],
            {"severity": "critical"},
            "intent: a rule that can be critical",
        ),
        (
            "x-a",
            ["violated_when: lit", "intent: [no-shift]"],
            {"severity": "[{level: critical, when: lit}, {level: low}]"},
            "intent: a rule that can be critical cannot be switched off",
        ),
        ("x-a", ["violated_when: lit", "hides: [x-b]"], {}, "hides: there is no rule 'x-b'"),
        ("x-a", ["violated_when: lit", "hides: [x-a]"], {}, "hides: a circle: x-a hides x-a"),
        (
            "x-a",
            ["violated_when: lit", "zones: count"],
            {},
            "zones: 'count' is a number, and a Zone or a list of them is wanted",
        ),
        (
            "x-a",
            ["violated_when: lit", "causes: place"],
            {},
            "causes: 'place' is a group of facts or null, and a Cause or a list",
        ),
    ],
)
def test_a_bad_rule_is_refused_with_file_and_place(
    write: Write, load: Load, rule_id: str, lines: list[str], options: dict[str, str], says: str
) -> None:
    path = write(rule_id, *lines, **options)
    message = refused(load)
    assert says in message
    assert message.startswith(f"{path}: ")


def test_a_command_is_checked(write: Write, load: Load) -> None:
    path = write("x-a", "violated_when: lit")
    path.write_text(path.read_text().replace("Put the light on", "s, cli: [aws x, \"aws '{ShopName}'\"]"))
    assert "fix.cli: placeholder {ShopName} stands inside quotes" in refused(load)


def test_the_id_is_the_name_of_the_file(write: Write, load: Load) -> None:
    write("x-a", "violated_when: lit").rename(write("x-b", "violated_when: lit"))
    assert "id: 'x-a' differs from the name of the file; call it x-a.yaml" in refused(load)


def test_an_id_is_given_once(write: Write, load: Load) -> None:
    first = write("x-a", "violated_when: lit")
    second = write("x-a", "violated_when: lit", folder="village")
    assert refused(load) == f"{second}: id: 'x-a' is the id of {first} already"


def test_a_circle_of_hiding_is_refused(write: Write, load: Load) -> None:
    for rule_id, hides in (("x-a", "x-b"), ("x-b", "x-c"), ("x-c", "x-b"), ("x-d", "x-a")):
        write(rule_id, "violated_when: lit", f"hides: [{hides}]")
    assert "hides: a circle: x-b hides x-c hides x-b" in refused(load)


def test_two_ways_to_the_same_hidden_rule_are_no_circle(write: Write, load: Load) -> None:
    for rule_id, hides in (("x-a", "x-b, x-c"), ("x-b", "x-c"), ("x-c", "")):
        write(rule_id, "violated_when: lit", f"hides: [{hides}]")
    assert load().hiding == {"x-b": ("x-a",), "x-c": ("x-a", "x-b")}


@pytest.mark.parametrize("text", ["", "- a\n", "just text\n"])
def test_a_file_that_is_no_mapping_is_refused(write: Write, load: Load, text: str) -> None:
    path = write("x-a")
    path.write_text(text)
    assert refused(load) == f"{path}: is not a mapping of keys to values"


def test_a_file_that_is_not_text_is_refused(write: Write, load: Load) -> None:
    path = write("x-a")
    path.write_bytes(b"id: \xff\xfe")
    assert refused(load) == f"{path}: is not UTF-8 text"


def test_a_file_that_cannot_be_read_is_refused(write: Write, load: Load) -> None:
    path = write("x-a")
    path.unlink()
    path.symlink_to(path.parent / "gone")
    assert refused(load) == f"{path}: cannot be read (No such file or directory)"


def test_a_file_of_endless_nesting_is_refused(write: Write, load: Load) -> None:
    path = write("x-a", "violated_when: " + "[" * 500 + "]" * 500)
    assert refused(load).startswith(f"{path}: ")


def test_a_folder_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such folder of rules"):
        load_catalogue([tmp_path / "none"], builtin=False)


# Cases are decoded on demand


def test_cases_wait_until_they_are_wanted(write: Write, load: Load) -> None:
    write("x-a", "cases:", "- {name: broken, given: 3}", "violated_when: lit")
    catalogue = load()
    with pytest.raises(RuleError, match=r"x-a\.yaml: cases: `\[0\]\.given`: expected a mapping, got a whole number"):
        catalogue.cases("x-a")


def test_cases_are_decoded(write: Write, load: Load) -> None:
    write("x-a", "violated_when: lit", "cases:", "  - name: one", "    given: {scenario: s}", "    expect: {pass: [a]}")
    (case,) = load().cases("x-a")
    assert (case.name, case.given.scenario, case.expect.pass_) == ("one", "s", ("a",))


def test_a_case_must_expect_something(write: Write, load: Load) -> None:
    write("x-a", "violated_when: lit", "cases: [{name: n, given: {scenario: s}, expect: {message_has: x}}]")
    with pytest.raises(RuleError, match="expects at least one of"):
        load().cases("x-a")


def test_scenarios_of_users_lie_beside_their_rules(write: Write, load: Load, tmp_path: Path) -> None:
    write("x-a", "violated_when: lit")
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "mine.yaml").write_text("account: '1'\n")
    assert load().scenario("mine") == {"account": "1"}
    with pytest.raises(RuleError, match=r"there is no scenario 'mien'; did you mean mine\?"):
        load().scenario("mien")


# Choosing


@pytest.fixture
def three(write: Write, load: Load) -> Any:
    for rule_id in ("x-lamp-off", "x-lamp-low", "x-door"):
        write(rule_id, "violated_when: count > $most", "params: {most: 3}", "intent: [no-shift]")
    return load()


@pytest.mark.parametrize(
    ("select", "ignore", "left"),
    [
        ((), (), {"x-lamp-off", "x-lamp-low", "x-door"}),
        (("x-lamp-*",), (), {"x-lamp-off", "x-lamp-low"}),
        (("x-lamp-*", "x-door"), ("x-*-low",), {"x-lamp-off", "x-door"}),
        ((), ("x-door",), {"x-lamp-off", "x-lamp-low"}),
    ],
)
def test_rules_are_chosen(three: Any, select: tuple[str, ...], ignore: tuple[str, ...], left: set[str]) -> None:
    chosen = three.select(select, ignore)
    assert set(chosen.rules) == left == {rule.id for rule in chosen}
    assert len(chosen) == len(left)
    assert chosen.known == ("x-door", "x-lamp-low", "x-lamp-off")


def test_an_unknown_choice_says_what_may_be_meant(three: Any) -> None:
    with pytest.raises(UsageError, match=r"there is no rule 'x-lamp-of'; did you mean x-lamp-off\?"):
        three.select(["x-lamp-of"])
    with pytest.raises(UsageError, match=r"there is no rule 'q\*'; `auditor rules list` names them"):
        three.select([], ["q*"])
    with pytest.raises(UsageError, match=r"there is no rule 'x-dor'; did you mean x-door\?"):
        three["x-dor"]


# Tuning


def test_severity_and_params_are_tuned(three: Any) -> None:
    tuned = three.tune(severities={"x-door": "low"}, params={"x-door": {"most": 2}})
    assert tuned["x-door"].severities == (Severity.LOW,)
    assert tuned["x-door"].conditions.violated.run(shop(count=3)) is True
    assert three["x-door"].conditions.violated.run(shop(count=3)) is False


def test_a_param_that_is_a_list_is_tuned_to_a_list(write: Write, load: Load) -> None:
    write("x-a", "violated_when: contains($names, ShopName)", "params: {names: [a]}")
    tuned = load().tune(params={"x-a": {"names": ["b", "c"]}})
    assert tuned["x-a"].conditions.violated.run(shop("c")) is True
    with pytest.raises(UsageError, match=r"params of x-a: names: `\[0\]`: expected text, got a whole number"):
        load().tune(params={"x-a": {"names": [1]}})


def test_a_rule_tuned_to_critical_no_longer_heeds_intent(three: Any) -> None:
    assert three.tune(severities={"x-door": "critical"})["x-door"].file.intent == ()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"severities": {"x-dor": "low"}}, "severity: there is no rule 'x-dor'; did you mean x-door?"),
        (
            {"severities": {"x-door": "dire"}},
            "severity of x-door: there is no 'dire'; the levels are info, low, medium, high and",
        ),
        ({"params": {"x-dor": {}}}, "params: there is no rule 'x-dor'"),
        ({"params": {"x-door": {"moost": 1}}}, "params of x-door: there is no 'moost'; did you mean most? it has most"),
        (
            {"params": {"x-door": {"most": "3"}}},
            "params of x-door: most: expected a whole number or a number, got text",
        ),
        (
            {"params": {"x-door": {"most": True}}},
            "params of x-door: most: expected a whole number or a number, got true or false",
        ),
        ({"params": {"x-door": {"most": float("inf")}}}, "x-door.yaml: violated_when: `Infinity` is not JSON"),
    ],
)
def test_a_bad_tuning_is_refused(three: Any, arguments: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError) as error:
        three.tune(**arguments)
    assert says in str(error.value)


def test_tuning_a_rule_that_was_not_chosen_is_no_error(three: Any) -> None:
    assert "x-door" not in three.select(ignore=["x-door"]).tune(severities={"x-door": "low"})


# Where the built-in rules lie


def test_the_checkout_has_the_built_in_rules() -> None:
    assert (locations.rule_folder() / "elb").is_dir()
    assert locations.scenario_folder().is_dir()


def test_a_wheel_has_them_inside_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locations, "_PACKAGE", tmp_path / "auditor")
    assert locations.rule_folder() == tmp_path / "rules"
    (tmp_path / "auditor" / "_rules").mkdir(parents=True)
    (tmp_path / "auditor" / "_scenarios").mkdir()
    assert locations.rule_folder() == tmp_path / "auditor" / "_rules"
    assert locations.scenario_folder() == tmp_path / "auditor" / "_scenarios"


def test_an_installation_without_rules_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locations, "_PACKAGE", tmp_path / "auditor")
    with pytest.raises(RuleError, match="the folder of the built-in rules is missing"):
        load_catalogue()


def test_a_built_in_rule_may_not_start_with_x(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write("x-a", "violated_when: lit", folder="rules")
    monkeypatch.setattr(locations, "_PACKAGE", tmp_path / "auditor")
    with pytest.raises(RuleError, match="which is kept for rules of users"):
        load_catalogue()
