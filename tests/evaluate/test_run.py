"""Judging: statuses, severity, identity, evidence, intent, mutes, crashes."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from auditor.errors import UsageError
from auditor.evaluate import run as run_module
from auditor.evaluate.intent import intent_entries
from auditor.evaluate.mutes import mute_entries
from auditor.evaluate.run import Judgement, JudgeOptions, judge
from auditor.evaluate.writing import fingerprint, reason_words
from auditor.model.finding import Cause, Finding
from auditor.model.known import Outcome, Reason, Unknown, merge, unclear
from auditor.model.verdict import Severity, Status

from .conftest import Load, Write
from .shop import ACCOUNT, REGION, Box, Shop, Street, model, resource, shop, stall, unread, zone

U = unread()
HEALTH = "elasticloadbalancing:DescribeTargetHealth"


def by_name(judgement: Judgement) -> dict[str, Finding]:
    return {f.resource.name: f for f in judgement.findings}


def test_each_status(write: Write, load: Load) -> None:
    write("x-dark", "applies_when: paid", "violated_when: '!lit'")
    nodes = [shop("dark", lit=False), shop("bright"), shop("unread", lit=U), shop("unpaid", paid=False, lit=U)]
    found = judge(model(*nodes), load(), JudgeOptions(all_verdicts=True))
    assert {n: f.status for n, f in by_name(found).items()} == {
        "dark": Status.FAIL,
        "bright": Status.PASS,
        "unread": Status.UNKNOWN,
        "unpaid": Status.NOT_APPLICABLE,
    }
    quiet = judge(model(*nodes), load())
    assert {f.resource.name for f in quiet.findings} == {"dark", "unread"}
    assert quiet.counts == found.counts
    assert quiet.counts == {
        Status.FAIL: 1,
        Status.PASS: 1,
        Status.UNKNOWN: 1,
        Status.NOT_APPLICABLE: 1,
        Status.ERROR: 0,
    }
    assert quiet.by_rule == found.by_rule == {"x-dark": {s: n for s, n in quiet.counts.items() if n}}


def test_a_violation_is_written_with_all_its_texts(write: Write, load: Load) -> None:
    path = write("x-dark", "violated_when: '!lit'", "references: [https://a, https://b]", message="{ShopName} is dark")
    path.write_text(
        path.read_text().replace(
            "{summary: Put the light on}",
            "{summary: 'Light {ShopName}', cli: ['aws x {ShopName}', 'aws y'], caution: It costs}",
        )
    )
    (finding,) = judge(model(shop("dark room", lit=False, tags={"env": "prod"})), load()).findings
    assert finding.message == "dark room is dark"
    assert finding.title == "A shop is dark"
    assert finding.why == "Nobody comes in."
    assert finding.remediation.summary == "Light dark room"
    assert finding.remediation.commands == ("aws x 'dark room'", "aws y")
    assert finding.remediation.caution == "It costs"
    assert finding.references == ("https://a", "https://b")
    assert finding.tags == {"env": "prod"}
    assert finding.confidence == "certain"
    assert finding.zones == ()
    assert finding.missing_actions == ()
    assert finding.resource.region == REGION


def test_an_unknown_says_what_could_not_be_read(write: Write, load: Load) -> None:
    write("x-dark", "applies_when: count > `1`", "violated_when: '!lit'")
    (finding,) = judge(model(shop(count=U)), load()).findings
    assert finding.status is Status.UNKNOWN
    assert finding.message == "cannot be judged: DescribeTargetHealth denied"
    assert finding.missing_actions == (HEALTH,)


@pytest.mark.parametrize(
    ("reasons", "words"),
    [
        ([U, unread("DescribeTags")], "DescribeTargetHealth denied and DescribeTags denied"),
        ([U, unread(says="DescribeTargetHealth for another group: denied")], "DescribeTargetHealth denied"),
        ([unclear("targets are still starting")], "targets are still starting"),
        (
            [Unknown((Reason(kind="not_asked", says="", action="ec2:DescribeSubnets"),))],
            "DescribeSubnets was not asked",
        ),
        (
            [Unknown((Reason(kind="partial", says="", action="ec2:DescribeSubnets", outcome=Outcome.THROTTLED),))],
            "DescribeSubnets read in part only (throttled)",
        ),
        ([unclear(c) for c in "abcde"], "a, b, c and 2 more"),
    ],
)
def test_reasons_in_words(reasons: list[Unknown], words: str) -> None:
    assert reason_words(merge(reasons)) == words


# Severity


@pytest.mark.parametrize(
    ("facts", "severity"),
    [
        ({"count": 9}, Severity.CRITICAL),
        ({"count": 9, "share": 0.9}, Severity.CRITICAL),
        ({"share": 0.9}, Severity.MEDIUM),
        ({}, Severity.LOW),
        ({"count": U, "share": 0.9}, Severity.MEDIUM),
        ({"count": U, "share": U}, Severity.LOW),
    ],
)
def test_the_first_level_that_holds_is_taken_and_an_unread_one_skipped(
    write: Write, load: Load, facts: dict[str, Any], severity: Severity
) -> None:
    levels = "[{level: critical, when: count > `8`}, {level: medium, when: share > `0.8`}, {level: low}]"
    write("x-dark", "violated_when: '!lit'", severity=levels)
    (finding,) = judge(model(shop(lit=False, **facts)), load()).findings
    assert (finding.status, finding.severity) == (Status.FAIL, severity)


# Gaps of a listing


def test_a_listing_with_gaps_gives_one_unknown_about_the_region(write: Write, load: Load) -> None:
    write("x-dark", "violated_when: '!lit'", severity="[{level: critical, when: paid}, {level: low}]")
    write("x-busy", "violated_when: busy", subject="Stall")
    found = judge(model(shop("bright"), gaps=unread("DescribeTargetGroups").reasons), load())
    (finding,) = found.findings
    assert (finding.rule_id, finding.status, finding.severity) == ("x-dark", Status.UNKNOWN, Severity.LOW)
    assert (finding.resource.type, finding.resource.name, finding.resource.arn) == ("AWS::AccountRegion", REGION, "")
    assert finding.missing_actions == ("elasticloadbalancing:DescribeTargetGroups",)
    assert finding.message == "cannot be judged for every Shop here: DescribeTargetGroups denied"
    assert found.counts[Status.PASS] == 1


def test_a_service_that_is_not_offered_is_no_gap(write: Write, load: Load) -> None:
    write("x-dark", "violated_when: '!lit'")
    gap = Reason(kind="refused", says="", action="ec2:DescribeSubnets", outcome=Outcome.NOT_OFFERED, code="x")
    assert judge(model(gaps=(gap,)), load()).findings == ()


# Crashes


def test_a_crash_is_an_error_verdict_and_nothing_else(
    write: Write, load: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("x-dark", "violated_when: '!lit'", message="{ShopName}")
    write("x-poor", "violated_when: '!paid'")

    def broken(self: Any, node: Shop) -> Any:
        raise KeyError("no\nsuch")

    monkeypatch.setattr("auditor.evaluate.template.Template.__call__", broken)
    found = judge(model(shop("dark", lit=False), shop("bright")), load())
    (finding,) = found.findings
    assert (finding.rule_id, finding.status) == ("x-dark", Status.ERROR)
    assert finding.message == "the rule failed on dark: KeyError: 'no\\nsuch'"
    assert found.counts[Status.PASS] == 3
    assert found.counts[Status.ERROR] == 1


# Identity


def test_a_fingerprint_hangs_on_rule_and_identity_only() -> None:
    one = fingerprint("x-a", resource("n"))
    assert len(one) == 16
    assert int(one, 16) >= 0
    assert one == fingerprint("x-a", resource("n"))
    others = [
        fingerprint("x-b", resource("n")),
        fingerprint("x-a", resource("m")),
        fingerprint("x-a", resource("n"), "use1-az1"),
        fingerprint("x-a", resource("n", arn="")),
        fingerprint("x-a", resource("m", arn="")),
    ]
    assert len({one, *others}) == 6


def test_a_fingerprint_does_not_change_between_versions() -> None:
    """Mutes and history hang on it."""
    assert fingerprint("x-a", resource("n"), "use1-az1") == "acc2d0d236927ffb"


def test_a_subject_with_a_zone_makes_a_finding_per_zone(write: Write, load: Load) -> None:
    write("x-busy", "violated_when: busy", subject="Stall", message="{zone.id}")
    assert load()["x-busy"].per_zone
    found = judge(model(*(stall("s", n, busy=n != 2) for n in (1, 2, 3))), load()).findings
    assert [f.zones for f in found] == [(zone(1),), (zone(3),)]
    assert len({f.id for f in found}) == 2
    assert [f.causes for f in found] == [(Cause(found[0].resource.arn, f"use1-az{n}"),) for n in (1, 3)]


def test_zones_and_causes_of_a_rule(write: Write, load: Load) -> None:
    write("x-dark", "violated_when: '!lit'", "zones: place", "causes: causes")
    causes = (Cause("arn:b"), Cause("arn:a", "use1-az1"))
    nodes = [
        shop("known", lit=False, place=zone(1), causes=causes),
        shop("unread", lit=False, place=U, causes=U),
        shop("nowhere", lit=False),
    ]
    found = by_name(judge(model(*nodes), load()))
    assert (found["known"].zones, found["known"].causes) == ((zone(1),), causes)
    assert (found["unread"].zones, found["unread"].causes) == ((), ())
    assert (found["nowhere"].zones, found["nowhere"].causes) == ((), ())


def test_without_an_arn_a_cause_still_is_about_one_resource(write: Write, load: Load) -> None:
    write("x-dark", "violated_when: '!lit'")
    found = judge(model(shop("a", arn="", lit=False), shop("b", arn="", lit=False)), load()).findings
    assert len({f.causes for f in found}) == 2
    assert len({f.id for f in found}) == 2


def test_the_order_of_subjects_makes_no_difference(write: Write, load: Load) -> None:
    write("x-dark", "violated_when: '!lit'")
    nodes = [shop(n, lit=False) for n in "abc"]
    assert judge(model(*nodes), load()).findings == judge(model(*reversed(nodes)), load()).findings


# Evidence


def test_evidence_is_what_was_read(write: Write, load: Load) -> None:
    write("x-dark", "applies_when: floors > `1`", "violated_when: boxes[?weight > `5`] || count < `1`")
    (finding,) = judge(model(shop(boxes=(Box(weight=7), Box(weight=2)))), load()).findings
    assert [(e.says, e.value) for e in finding.evidence] == [
        ("corner: its weight", [7, 2]),
        ("corner: how many floors it has: 2", 2),
    ]
    assert finding.evidence[0].source == "elbv2:DescribeTargetHealth"


def test_readings_stop_where_the_judgement_stopped(write: Write, load: Load) -> None:
    levels = "[{level: low, when: note == 'x'}, {level: medium, when: size == `1`}, {level: high}]"
    write("x-dark", "violated_when: '!lit || !paid'", severity=levels)
    rule = load()["x-dark"]
    assert [r.path for r in rule.readings(shop(lit=False, note="x"), told=False)] == ["lit", "note"]
    assert [r.path for r in rule.readings(shop(paid=False), told=False)] == ["lit", "paid", "note", "size"]


def test_readings_name_the_nearest_subject_and_owner(write: Write, load: Load) -> None:
    write("x-dark", "violated_when: lid.full && boxes[?full].label", "applies_when: lid")
    box, lid = Box(label="a"), Box()
    node = shop(lid=lid, boxes=(box,))
    found = {r.path: r for r in load()["x-dark"].readings(node, told=False)}
    assert list(found) == ["lid.full", "boxes.full", "boxes.label"]
    assert found["lid.full"].owner is lid
    assert (found["boxes.label"].owner, found["boxes.label"].fact, found["boxes.label"].value) == (box, "label", "a")
    assert all(r.node is node for r in found.values())


def test_a_subject_within_a_subject_owns_what_is_below_it(write: Write, load: Load) -> None:
    write("x-dark", "violated_when: shop.lid.full && long", subject="Street")
    inner = shop("in", lid=Box())
    street = Street(resource=resource("street"), tags={}, shop=inner)
    readings = load()["x-dark"].readings(street, told=False)
    assert [(r.node.resource.name, r.path) for r in readings] == [
        ("street", "shop"),
        ("in", "lid.full"),
        ("street", "long"),
    ]


# Intent


def options(*entries: dict[str, Any], **more: Any) -> JudgeOptions:
    return JudgeOptions(intent=intent_entries(list(entries)), **more)


@pytest.fixture
def excusable(write: Write, load: Load) -> Any:
    write("x-dark", "violated_when: '!lit'", "applies_when: paid", "intent: [single-zone, no-shift]")
    return load()


@pytest.mark.parametrize("words", ["single-zone", "zone-independent no-shift", "  no-shift\tsingle-zone "])
def test_a_tag_declares_intent(excusable: Any, words: str) -> None:
    node = shop("dark", lit=False, tags={"auditor:intent": words})
    (finding,) = judge(model(node), excusable, JudgeOptions(all_verdicts=True)).findings
    assert finding.status is Status.NOT_APPLICABLE
    assert finding.message.startswith("the tag auditor:intent of dark says ")
    assert judge(model(node), excusable).findings == ()
    assert judge(model(node), excusable).excused == {"x-dark": {finding.message: 1}}


def test_another_word_excuses_nothing(excusable: Any) -> None:
    node = shop("dark", lit=False, tags={"auditor:intent": "redirect-is-health"})
    assert judge(model(node), excusable).counts[Status.FAIL] == 1


def test_a_word_that_means_nothing_is_noted_once(excusable: Any) -> None:
    node = shop("dark", lit=False, tags={"auditor:intent": "single-zon"})
    found = judge(model(node), excusable)
    assert found.counts[Status.FAIL] == 1
    assert found.notes == (
        "the tag auditor:intent of dark says 'single-zon', which means nothing; did you mean single-zone? "
        "the words are no-shift, redirect-is-health, single-zone and zone-independent",
    )


@pytest.mark.parametrize(
    ("match", "excused"),
    [
        ({"name": "dark"}, True),
        ({"name": "da*"}, True),
        ({"name": "bright"}, False),
        ({"arn": "arn:aws:test:*:dark"}, True),
        ({"tag": "team"}, True),
        ({"tag": "team=a*"}, True),
        ({"tag": "team=b"}, False),
        ({"name": "dark", "tag": "team=b"}, False),
        ({"account": "111122223333"}, False),
        ({"account": ACCOUNT, "region": REGION}, True),
    ],
)
def test_the_settings_declare_intent(excusable: Any, match: dict[str, str], excused: bool) -> None:
    node = shop("dark", lit=False, tags={"team": "abc"})
    entry = {"match": match, "is": ["no-shift"], "reason": "it moves by itself"}
    found = judge(model(node), excusable, options(entry))
    assert found.counts[Status.NOT_APPLICABLE] == excused
    assert found.counts[Status.FAIL] == (not excused)
    if excused:
        assert found.excused == {"x-dark": {"no-shift by the settings: it moves by itself": 1}}


def test_unread_tags_leave_intent_undeclared_and_the_finding_says_so(excusable: Any) -> None:
    node = shop("dark", lit=False, tags=unread("DescribeTags"))
    entry = {"match": {"tag": "team"}, "is": ["no-shift"], "reason": "r"}
    (finding,) = judge(model(node), excusable, options(entry)).findings
    assert finding.status is Status.FAIL
    assert finding.message == "It is dark (tags were not read, so no intent is known: DescribeTags denied)"


def test_a_name_is_enough_where_tags_are_unread(excusable: Any) -> None:
    node = shop("dark", lit=False, tags=unread("DescribeTags"))
    entry = {"match": {"name": "dark"}, "is": ["no-shift"], "reason": "r"}
    assert judge(model(node), excusable, options(entry)).counts[Status.NOT_APPLICABLE] == 1


def test_intent_excuses_what_would_be_unknown_but_not_what_does_not_apply(excusable: Any) -> None:
    tags = {"auditor:intent": "no-shift"}
    found = judge(model(shop("a", lit=U, tags=tags), shop("b", paid=False, tags=tags)), excusable)
    assert found.counts[Status.NOT_APPLICABLE] == 2
    assert found.excused == {"x-dark": {"the tag auditor:intent of a says no-shift": 1}}


def test_a_rule_without_intent_words_heeds_none(write: Write, load: Load) -> None:
    write("x-dark", "violated_when: '!lit'", severity="critical")
    node = shop("dark", lit=False, tags={"auditor:intent": "no-shift"})
    assert judge(model(node), load()).counts[Status.FAIL] == 1


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ({"match": {}, "is": ["no-shift"], "reason": "r"}, "a match needs at least one of"),
        (
            {"match": {"name": "a"}, "is": ["nope"], "reason": "r"},
            "`[0].is[0]`: 'nope' is not one of its values; known are no-shift, redirect-is-health,",
        ),
        ({"match": {"name": "a"}, "is": [], "reason": "r"}, "length >= 1"),
        ({"match": {"name": "a"}, "is": ["no-shift"], "reason": ""}, "length >= 1"),
        (
            {"match": {"nam": "a"}, "is": ["no-shift"], "reason": "r"},
            "`[0].match`: unknown key `nam`; did you mean `name`?",
        ),
    ],
)
def test_a_bad_intent_is_refused(entry: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError) as error:
        intent_entries([entry], "auditor.yaml: intent")
    assert says in str(error.value)
    assert str(error.value).startswith("auditor.yaml: intent: ")


# Mutes

TODAY = datetime.date(2026, 11, 30)


def muting(*entries: dict[str, Any]) -> JudgeOptions:
    return JudgeOptions(mutes=mute_entries(list(entries), "mutes.yaml", ["x-dark", "x-poor"]), today=TODAY)


@pytest.mark.parametrize(
    ("entry", "muted"),
    [
        ({"rule": "x-dark", "match": {"name": "dark"}}, True),
        ({"rule": "x-*", "match": {"name": "d*"}}, True),
        ({"rule": "x-dark"}, True),
        ({"rule": "x-poor"}, False),
        ({"rule": "x-dark", "match": {"name": "other"}}, False),
        ({"rule": "x-dark", "match": {"tag": "team=a"}}, True),
        ({"rule": "x-dark", "match": {"arn": "arn:aws:test:*"}}, True),
        ({"rule": "x-dark", "match": {"account": "111122223333"}}, False),
        ({"rule": "x-dark", "match": {"region": "us-east-1"}}, True),
        ({"rule": "x-dark", "until": datetime.date(2026, 11, 30)}, True),
        ({"rule": "x-dark", "until": "2026-12-01"}, True),
        ({"rule": "x-dark", "until": datetime.date(2026, 11, 29)}, False),
    ],
)
def test_a_mute(write: Write, load: Load, entry: dict[str, Any], muted: bool) -> None:
    write("x-dark", "violated_when: '!lit'")
    entry = {"reason": "known", "owner": "us", **entry}
    found = judge(model(shop("dark", lit=False, tags={"team": "a"})), load(), muting(entry))
    (finding,) = found.findings
    assert (finding.muted is not None) is muted
    assert finding.status is Status.FAIL
    assert found.counts[Status.FAIL] == 1
    if finding.muted:
        assert (finding.muted.reason, finding.muted.owner) == ("known", "us")
        assert finding.muted.until == (str(entry["until"]) if "until" in entry else None)


def test_expired_and_unused_mutes_are_reported(write: Write, load: Load) -> None:
    write("x-dark", "violated_when: '!lit'")
    entries = [
        {"rule": "x-dark", "reason": "over", "until": "2026-11-29"},
        {"rule": "x-poor", "reason": "no such finding"},
        {"rule": "x-dark", "reason": "used", "match": {"name": "dark"}},
    ]
    found = judge(model(shop("dark", lit=False)), load(), muting(*entries))
    assert [m.reason for m in found.expired_mutes] == ["over"]
    assert [m.reason for m in found.unused_mutes] == ["no such finding"]
    assert str(found.expired_mutes[0]) == "the mute of x-dark, 'over',"


def test_unread_tags_never_mute(write: Write, load: Load) -> None:
    write("x-dark", "violated_when: '!lit'")
    entry = {"rule": "x-dark", "reason": "r", "match": {"tag": "team"}}
    (finding,) = judge(model(shop(lit=False, tags=U)), load(), muting(entry)).findings
    assert finding.muted is None


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        ([{"rule": "x-drak", "reason": "r"}], "mutes.yaml: entry 1: no rule has the id 'x-drak'; did you mean x-dark?"),
        ([{"rule": "x-dark"}], "`[0]`: the key `reason` is missing"),
        ([{"rule": "x-dark", "reason": ""}], "length >= 1"),
        ([{"rule": "x-dark", "reason": "r", "until": "soon"}], "`[0].until`: not a date: write it as 2027-03-31"),
        (
            [{"rule": "x-dark", "reason": "r", "untill": "2026-01-01"}],
            "`[0]`: unknown key `untill`; did you mean `until`?",
        ),
        ({"rule": "x-dark"}, "expected a list, got a mapping"),
        ([{"rule": "x-dark", "reason": "r", "match": {}}], "a match needs at least one of"),
    ],
)
def test_a_bad_mute_is_refused(raw: object, says: str) -> None:
    with pytest.raises(UsageError) as error:
        mute_entries(raw, "mutes.yaml", ["x-dark"])
    assert says in str(error.value)
    assert str(error.value).startswith("mutes.yaml: ")


def test_an_empty_mute_file_mutes_nothing() -> None:
    assert mute_entries(None, "mutes.yaml", []) == ()


def test_mutes_need_a_day(write: Write, load: Load) -> None:
    write("x-dark", "violated_when: '!lit'")
    entries = mute_entries([{"rule": "x-dark", "reason": "r"}], "m", ["x-dark"])
    with pytest.raises(ValueError, match="today"):
        judge(model(), load(), JudgeOptions(mutes=entries))


# Hiding, end to end


def test_one_cause_one_finding(write: Write, load: Load) -> None:
    write("x-dark", "violated_when: '!lit'", "hides: [x-poor]")
    write("x-poor", "violated_when: '!paid'")
    nodes = [shop("both", lit=False, paid=False), shop("poor", paid=False), shop("unread", lit=U, paid=False)]
    found = judge(model(*nodes), load())
    hidden = {(f.rule_id, f.resource.name): f.hidden_by for f in found.findings}
    winner = next(f.id for f in found.findings if (f.rule_id, f.resource.name) == ("x-dark", "both"))
    assert hidden == {
        ("x-dark", "both"): None,
        ("x-dark", "unread"): None,
        ("x-poor", "both"): winner,
        ("x-poor", "poor"): None,
        ("x-poor", "unread"): None,
    }
    assert found.counts[Status.FAIL] == 4


def test_a_rule_that_is_not_chosen_hides_nothing(write: Write, load: Load) -> None:
    write("x-dark", "violated_when: '!lit'", "hides: [x-poor]")
    write("x-poor", "violated_when: '!paid'")
    catalogue = load().select(ignore=["x-dark"])
    (finding,) = judge(model(shop(lit=False, paid=False)), catalogue).findings
    assert finding.hidden_by is None


def test_judging_names_no_clock_or_disk() -> None:
    """`today` is passed in; the module reads neither clock nor files."""
    names = set(vars(run_module))
    assert not names & {"time", "os", "Path", "open"}
