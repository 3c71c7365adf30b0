"""Going on from an earlier scan: nothing that was answered is asked again, and the end is the same."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from auditor.model import autoscaling, elbv2
from auditor.model.answer import Answer
from auditor.model.inventory import Inventory
from auditor.model.known import Outcome
from auditor.record.decode import decode
from auditor.record.resume import answered

from .estate import ALB, TG, WEB, estate, group
from .scripted import DENIED, GONE, HEADER, HOME, THROTTLED, FakeClock, Memory, Script, failed, scan

TWICE = {
    "arc-zonal-shift:ListManagedResources": 2,
    "arc-zonal-shift:ListZonalShifts": 2,
    "arc-zonal-shift:ListAutoshifts": 2,
}
NOT_TAKEN = failed("ValidationError", Outcome.FAILED)


def first_scan(**replies: Any) -> Memory:
    recorder, _ = scan(Script(estate() | {name.replace("__", ":"): reply for name, reply in replies.items()}))
    return recorder


def resume(answers: list[Answer], script: Script | None = None, **options: Any) -> tuple[Script, Memory]:
    """Go on from some answers; the recording holds them too, as a resumed file does."""
    script = script or Script(estate())
    recorder = Memory()
    for answer in answers:
        recorder.append(answer)
    scan(script, recorder=recorder, answered=answered(answers), **options)
    return script, recorder


def content(inventory: Inventory) -> Any:
    """What was learnt, without when."""
    (region,) = inventory.regions
    return {
        key: {parent: (held.items, held.gaps) for parent, held in parents.items()}
        for key, parents in sorted(region._held.items())
    }


def test_a_whole_recording_leaves_only_arc_state_to_ask() -> None:
    script, _ = resume(first_scan().answers)
    assert script.counts() == TWICE


@pytest.mark.parametrize("kept", range(0, 50, 3))
def test_wherever_a_scan_dies_nothing_is_asked_twice_and_the_end_is_the_same(kept: int) -> None:
    whole = first_scan()
    left = whole.answers[:kept]
    script, recorder = resume(left)
    had = {(a.service, a.operation, str(a.params)) for a in left if f"{a.service}:{a.operation}" not in TWICE}
    asked = [
        (
            m.service,
            m.operation,
            str({k: v for k, v in m.params.items() if k not in ("PageSize", "MaxRecords", "MaxResults", "maxResults")}),
        )
        for m in script.made
    ]
    assert not had & set(asked)
    assert len(asked) == len(whole.answers) - len(had)
    assert content(recorder.inventory()) == content(whole.inventory())


def test_the_order_in_which_answers_stand_does_not_matter() -> None:
    whole = first_scan()
    script, recorder = resume(whole.answers[::-1])
    assert script.counts() == TWICE
    assert content(recorder.inventory()) == content(whole.inventory())


@pytest.mark.parametrize(("refusal", "again"), [(DENIED, 4), (THROTTLED, 4), (GONE, 0)])
def test_refusals_are_asked_again_unless_the_thing_has_gone(refusal: Any, again: int) -> None:
    earlier = first_scan(elbv2__DescribeTargetHealth=refusal)
    script, recorder = resume(earlier.answers)
    assert len(script.asked("elbv2:DescribeTargetHealth")) == again
    gaps = {g.reason.outcome for g in recorder.inventory().gaps}
    assert gaps == (set() if again else {Outcome.GONE})


def test_what_had_gone_is_asked_nothing_at_all() -> None:
    listeners = estate()["elbv2:DescribeListeners"]
    earlier = first_scan(elbv2__DescribeListeners=lambda p: GONE if ALB in p.values() else listeners(p))  # type: ignore[operator]
    left = [
        a for a in earlier.answers if a.operation in ("DescribeRegions", "DescribeLoadBalancers", "DescribeListeners")
    ]
    script, _ = resume(left, threads=1)
    assert not any(ALB in str(m.params.get("LoadBalancerArn", m.params.get("ResourceArns"))) for m in script.made)


@pytest.mark.parametrize(("minutes", "again"), [(14, False), (16, True)])
def test_health_grows_old(minutes: int, again: bool) -> None:
    earlier = first_scan()
    clock = FakeClock()
    clock.sleep(60 * minutes)
    script, recorder = resume(earlier.answers, Script(estate(), clock))
    expected = {"elbv2:DescribeTargetHealth": 4, "elb:DescribeInstanceHealth": 1} if again else {}
    assert script.counts() == TWICE | expected
    assert (
        recorder.inventory()
        .regions[0]
        .at(elbv2.TARGET_HEALTH, WEB)
        .startswith("2026-01-01T00:16" if again else "2026-01-01T00:00")
    )


def test_how_old_health_may_be_is_for_the_caller_to_say() -> None:
    clock = FakeClock()
    clock.sleep(3600)
    script, _ = resume(first_scan().answers, Script(estate(), clock), max_age=timedelta(hours=2))
    assert script.counts() == TWICE


# A listing that was cut off


def names(*numbers: int) -> dict[str, Any]:
    return {"AutoScalingGroups": [{"AutoScalingGroupName": f"g{n}"} for n in numbers]}


def listing(recorder: Memory) -> tuple[list[str], bool]:
    (region,) = decode(recorder.answers, HEADER, None).regions
    found = region.listing(autoscaling.AUTO_SCALING_GROUPS)
    return [g.AutoScalingGroupName for g in found], found.complete


def cut_off_after_two() -> list[Answer]:
    replies = [names(1) | {"NextToken": "two"}, names(2) | {"NextToken": "three"}, THROTTLED]
    return scan(Script({"autoscaling:DescribeAutoScalingGroups": replies}))[0].answers


def test_a_listing_goes_on_from_its_token() -> None:
    script, recorder = resume(cut_off_after_two(), Script({"autoscaling:DescribeAutoScalingGroups": names(3)}))
    assert script.asked("autoscaling:DescribeAutoScalingGroups") == [{"MaxRecords": 100, "NextToken": "three"}]
    assert listing(recorder) == (["g1", "g2", "g3"], True)


@pytest.mark.parametrize(
    ("fresh", "found"),
    [
        ([names(1, 2, 3, 4)], ["g1", "g2", "g3", "g4"]),
        ([names(7) | {"NextToken": "t"}, names(8)], ["g7", "g8"]),
        ([names(1) | {"NextToken": "t"}, names(2) | {"NextToken": "u"}, names(3)], ["g1", "g2", "g3"]),
    ],
)
def test_a_listing_whose_token_is_refused_is_read_from_its_first_page(fresh: list[Any], found: list[str]) -> None:
    script, recorder = resume(
        cut_off_after_two(), Script({"autoscaling:DescribeAutoScalingGroups": [NOT_TAKEN, *fresh]})
    )
    asked = script.asked("autoscaling:DescribeAutoScalingGroups")
    assert (asked[0].get("NextToken"), asked[1].get("NextToken")) == ("three", None)
    assert listing(recorder) == (found, True)


def test_what_only_the_refused_reading_named_is_not_asked_about() -> None:
    earlier, _ = scan(Script({"eks:ListClusters": [{"clusters": ["old"], "nextToken": "t"}, THROTTLED]}))
    left = [a for a in earlier.answers if a.operation == "ListClusters"]
    script, _ = resume(left, Script({"eks:ListClusters": [NOT_TAKEN, {"clusters": ["new"]}]}))
    assert script.asked("eks:DescribeCluster") == [{"name": "new"}]


def test_a_listing_that_cannot_be_reached_keeps_what_it_had() -> None:
    away = failed("EndpointConnectionError", Outcome.FAILED, status=0)
    script, recorder = resume(cut_off_after_two(), Script({"autoscaling:DescribeAutoScalingGroups": away}))
    assert len(script.asked("autoscaling:DescribeAutoScalingGroups")) == 1
    assert listing(recorder) == (["g1", "g2"], False)


def test_a_listing_that_went_in_circles_is_asked_once_more_and_not_for_ever() -> None:
    circle = Script({"autoscaling:DescribeAutoScalingGroups": names(1) | {"NextToken": "t"}})
    earlier, _ = scan(circle)
    script, recorder = resume(
        earlier.answers, Script({"autoscaling:DescribeAutoScalingGroups": names(1) | {"NextToken": "t"}})
    )
    assert len(script.asked("autoscaling:DescribeAutoScalingGroups")) == 1
    assert listing(recorder) == (["g1"], False)


# Batches


def tagging(gone: str) -> Script:
    def tags(params: dict[str, Any]) -> Any:
        return (
            GONE
            if gone in params["ResourceArns"]
            else {"TagDescriptions": [{"ResourceArn": a} for a in params["ResourceArns"]]}
        )

    many = {"TargetGroups": [group(f"{TG}/{n}", "lambda") for n in range(16)]}
    return Script({"elbv2:DescribeTargetGroups": many, "elbv2:DescribeTags": tags})


@pytest.mark.parametrize("kept", range(10))
def test_a_batch_that_was_being_split_is_taken_up_where_it_was_left(kept: int) -> None:
    whole, _ = scan(tagging(f"{TG}/5"), threads=1)
    lines = [a for a in whole.answers if a.operation == "DescribeTags"]
    left = [a for a in whole.answers if a.operation != "DescribeTags"] + lines[:kept]
    script, recorder = resume(left, tagging(f"{TG}/5"))
    known = {n for a in lines[:kept] if a.response for n in a.params["ResourceArns"]}
    asked = [n for p in script.asked("elbv2:DescribeTags") for n in p["ResourceArns"]]
    assert not known & set(asked)
    region = recorder.inventory().regions[0]
    assert {n for n in range(16) if len(region.listing(elbv2.TAGS, f"{TG}/{n}")) == 1} == set(range(16)) - {5}
    assert {g.reason.outcome for g in recorder.inventory().gaps} == {Outcome.GONE}


def test_answers_of_another_region_are_none_of_this_one() -> None:
    from auditor.model.identity import RegionName

    elsewhere = HOME._replace(region=RegionName("us-west-2"))
    script = Script(estate())
    scan(script, elsewhere, answered=answered(first_scan().answers))
    assert len(script.made) == len(first_scan().answers)
