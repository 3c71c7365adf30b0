"""The engine: pages, cycles, batches that fail, what vanishes, what is refused, regions, interrupts."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from auditor.aws.guard import NotDeclaredError
from auditor.collect.progress import Progress
from auditor.errors import Interrupted, RecordingError, UsageError
from auditor.model import arc, autoscaling, ec2, elbv2
from auditor.model.answer import Answer
from auditor.model.identity import RegionName
from auditor.model.inventory import Scope
from auditor.model.known import Outcome
from auditor.record.recording import Recorder, read_recording
from auditor.record.resume import answered

from .estate import ALB, GROUPS, GWLB, NLB, TG, estate, group
from .scripted import ACCOUNT, BROKEN, DENIED, EUROPE, GONE, HEADER, HOME, THROTTLED, Memory, Script, failed, scan

AFRICA = Scope(ACCOUNT, RegionName("af-south-1"))


def names(*numbers: int) -> list[dict[str, Any]]:
    return [{"AutoScalingGroupName": f"g{n}"} for n in numbers]


def pages(*replies: dict[str, Any]) -> Script:
    return Script({"autoscaling:DescribeAutoScalingGroups": list(replies)})


def groups(recorder: Memory) -> tuple[list[str], bool]:
    (region,) = recorder.inventory().regions
    listing = region.listing(autoscaling.AUTO_SCALING_GROUPS)
    return [g.AutoScalingGroupName for g in listing], listing.complete


# Pages


def test_pages_follow_each_other_and_each_is_a_line() -> None:
    script = pages(
        {"AutoScalingGroups": names(1), "NextToken": "two"},
        {"AutoScalingGroups": names(2), "NextToken": "three"},
        {"AutoScalingGroups": names(3)},
    )
    recorder, _ = scan(script)
    assert script.asked("autoscaling:DescribeAutoScalingGroups") == [
        {"MaxRecords": 100},
        {"MaxRecords": 100, "NextToken": "two"},
        {"MaxRecords": 100, "NextToken": "three"},
    ]
    lines = recorder.of("DescribeAutoScalingGroups")
    assert [(a.page, a.next, a.params) for a in lines] == [(1, "two", {}), (2, "three", {}), (3, None, {})]
    assert groups(recorder) == (["g1", "g2", "g3"], True)


@pytest.mark.parametrize("end", [{}, {"NextToken": ""}, {"NextToken": None}])
def test_a_listing_ends_without_a_token(end: dict[str, Any]) -> None:
    script = pages({"AutoScalingGroups": names(1), **end})
    recorder, _ = scan(script)
    assert script.counts("autoscaling")["autoscaling:DescribeAutoScalingGroups"] == 1
    assert groups(recorder) == (["g1"], True)


def test_an_item_on_two_pages_counts_once() -> None:
    recorder, _ = scan(pages({"AutoScalingGroups": names(1, 2), "NextToken": "t"}, {"AutoScalingGroups": names(2, 3)}))
    assert groups(recorder) == (["g1", "g2", "g3"], True)


@pytest.mark.parametrize("tokens", [("t", "t"), ("a", "b", "a"), ("a", "b", "c", "b")])
def test_tokens_that_repeat_or_go_in_circles_end_a_listing_as_partial(tokens: tuple[str, ...]) -> None:
    replies = [{"AutoScalingGroups": names(n), "NextToken": token} for n, token in enumerate(tokens)]
    script = pages(*replies, {"AutoScalingGroups": names(99)})
    recorder, _ = scan(script)
    found, complete = groups(recorder)
    assert (found, complete) == ([f"g{n}" for n in range(len(tokens))], False)
    assert script.counts("autoscaling")["autoscaling:DescribeAutoScalingGroups"] == len(tokens)


def test_a_listing_that_fails_on_its_second_page_is_partial_and_its_first_page_counts() -> None:
    recorder, done = scan(pages({"AutoScalingGroups": names(1), "NextToken": "t"}, THROTTLED))
    assert groups(recorder) == (["g1"], False)
    assert done.errors == 1
    # Enough was seen to know that there is a group whose schedule is to be read.
    assert recorder.of("DescribeScheduledActions")


def test_a_refused_listing_is_asked_once() -> None:
    script = Script({"autoscaling:DescribeAutoScalingGroups": failed("ValidationError", Outcome.FAILED)})
    recorder, done = scan(script)
    assert len(script.asked("autoscaling:DescribeAutoScalingGroups")) == 1
    assert (groups(recorder), done.errors) == (([], False), 1)


# Batches


def tagging(bad: set[str], refusal: Any) -> Script:
    def tags(params: dict[str, Any]) -> Any:
        if bad & set(params["ResourceArns"]):
            return refusal
        return {"TagDescriptions": [{"ResourceArn": a, "Tags": []} for a in params["ResourceArns"]]}

    many = [group(f"{TG}/{n}", "instance") for n in range(16)]
    return Script({"elbv2:DescribeTargetGroups": {"TargetGroups": many}, "elbv2:DescribeTags": tags})


@pytest.mark.parametrize("refusal", [GONE, BROKEN])
def test_a_batch_that_fails_is_halved_down_to_the_one_that_fails(refusal: Any) -> None:
    script = tagging({f"{TG}/5"}, refusal)
    recorder, _ = scan(script)
    assert [len(p["ResourceArns"]) for p in script.asked("elbv2:DescribeTags")] == [16, 8, 8, 4, 4, 2, 2, 1, 1]
    (region,) = recorder.inventory().regions
    assert {g for g in range(16) if len(region.listing(elbv2.TAGS, f"{TG}/{g}")) == 1} == set(range(16)) - {5}
    gaps = {(gap.key, gap.reason.outcome) for gap in recorder.inventory().gaps}
    assert gaps == {(f"{TG}/5", refusal.outcome)}


@pytest.mark.parametrize("refusal", [DENIED, THROTTLED, failed("ExpiredToken", Outcome.EXPIRED)])
def test_a_batch_that_would_fail_in_pieces_too_is_not_split(refusal: Any) -> None:
    script = tagging({f"{TG}/5"}, refusal)
    recorder, _ = scan(script)
    assert len(script.asked("elbv2:DescribeTags")) == 1
    assert len(recorder.inventory().gaps) == 16


# Credentials that run out

EXPIRED = failed("ExpiredToken", Outcome.EXPIRED)


def test_what_is_left_when_credentials_expire_is_refused_unasked_and_read_by_the_next_scan() -> None:
    refused = {f"elbv2:{name}": EXPIRED for name in ("DescribeLoadBalancerAttributes", "DescribeTargetGroupAttributes")}
    script, recorder = Script(estate() | refused), Memory()
    scan(script, recorder=recorder, threads=1)
    asked = [m for m in script.made if f"{m.service}:{m.operation}" in refused]
    written = [a for a in recorder.answers if a.error and a.error.outcome is Outcome.EXPIRED]
    assert 3 <= len(asked) < len(written)
    assert not recorder.inventory().complete
    again, rest = Script(estate()), Memory()
    scan(again, recorder=rest, answered=answered(recorder.answers))
    assert not again.asked("elbv2:DescribeLoadBalancers")
    assert len(again.asked("elbv2:DescribeLoadBalancerAttributes")) == 4  # all of them


def test_a_lone_call_that_finds_no_credentials_ends_nothing() -> None:
    recorder, _ = scan(Script({"autoscaling:DescribeAutoScalingGroups": [EXPIRED, EXPIRED]}))
    assert [a.error.outcome for a in recorder.answers if a.error] == [Outcome.EXPIRED]


# What vanishes


def test_a_load_balancer_that_has_gone_is_asked_nothing_more() -> None:
    script = Script(
        estate() | {"elbv2:DescribeLoadBalancerAttributes": lambda p: GONE if p["LoadBalancerArn"] == ALB else {}}
    )
    recorder, _ = scan(script, threads=1)
    inventory = recorder.inventory()
    assert {p["LoadBalancerArn"] for p in script.asked("elbv2:DescribeListeners")} >= {NLB, GWLB}
    order = [m for m in script.made if m.params.get("LoadBalancerArn") == ALB]
    assert order[-1].operation == "DescribeLoadBalancerAttributes"
    assert all(g.reason.outcome is Outcome.GONE for g in inventory.gaps)
    assert ALB not in {b.LoadBalancerArn for b in inventory.regions[0].listing(elbv2.LOAD_BALANCERS)}


def test_what_has_gone_spawns_no_calls_and_drops_out_of_later_batches() -> None:
    listeners = estate()["elbv2:DescribeListeners"]
    script = Script(estate() | {"elbv2:DescribeListeners": lambda p: GONE if ALB in p.values() else listeners(p)})  # type: ignore[operator]
    scan(script, threads=1)
    assert f"{ALB}/listener" not in {p["ListenerArn"] for p in script.asked("elbv2:DescribeRules")}
    (tagged,) = script.asked("elbv2:DescribeTags")
    assert ALB not in tagged["ResourceArns"]
    assert NLB in tagged["ResourceArns"]


# What is refused


def test_every_refusal_is_asked_for_and_written_down() -> None:
    script = Script(estate() | {"elbv2:DescribeTargetHealth": DENIED})
    recorder, done = scan(script)
    refused = recorder.of("DescribeTargetHealth")
    assert len(refused) == 4
    assert {(a.error.code, a.error.message, a.error.outcome) for a in refused if a.error} == {
        ("AccessDenied", "because", Outcome.DENIED)
    }
    assert (done.errors, done.calls) == (4, len(script.made))
    # Classic instances are read all the same.
    assert script.asked("ec2:DescribeInstances")[0]["Filters"][0]["Values"] == ["i-9"]


@pytest.mark.parametrize("code", ["UnsupportedProtocol", "UnsupportedProtocolException"])
def test_a_protocol_without_listeners_has_none(code: str) -> None:
    listeners = estate()["elbv2:DescribeListeners"]
    refusal = failed(code, Outcome.FAILED)
    script = Script(estate() | {"elbv2:DescribeListeners": lambda p: refusal if GWLB in p.values() else listeners(p)})  # type: ignore[operator]
    recorder, done = scan(script)
    assert done.errors == 0
    (region,) = recorder.inventory().regions
    listing = region.listing(elbv2.LISTENERS, GWLB)
    assert (len(listing), listing.complete) == (0, True)


def test_a_mistake_of_ours_is_not_written_off_as_a_refusal() -> None:
    script = Script({"eks:ListClusters": lambda _: NotDeclaredError("eks:ListClusters is not a declared read")})
    with pytest.raises(NotDeclaredError):
        scan(script)


def test_dropped_fields_never_reach_the_recording() -> None:
    instance = {"InstanceId": "i-9", "UserData": "c2VjcmV0", "MetadataOptions": {}, "State": {"Name": "running"}}
    recorder, _ = scan(Script(estate() | {"ec2:DescribeInstances": {"Reservations": [{"Instances": [instance]}]}}))
    (answer,) = recorder.of("DescribeInstances")
    assert answer.response == {"Reservations": [{"Instances": [{"InstanceId": "i-9", "State": {"Name": "running"}}]}]}
    assert not any(b"c2VjcmV0" in line for line in recorder.lines)


def test_what_botocore_adds_is_not_recorded() -> None:
    recorder, _ = scan(Script({"eks:ListClusters": {"clusters": [], "ResponseMetadata": {"RetryAttempts": 0}}}))
    assert recorder.of("ListClusters")[0].response == {"clusters": []}


# Order


def test_arc_state_is_read_before_and_after_everything_else() -> None:
    script = Script(estate())
    recorder, _ = scan(script)
    twice = {"ListManagedResources", "ListZonalShifts", "ListAutoshifts"}
    order = [m.operation for m in script.made]
    assert order[:2] == ["DescribeRegions", "DescribeAvailabilityZones"]
    assert set(order[2:5]) == twice
    assert set(order[-3:]) == twice
    assert not twice & set(order[5:-3])
    assert [(a.operation, a.pass_) for a in recorder.answers[-3:]] == [(o, 2) for o in order[-3:]]


def test_calls_that_others_wait_for_go_first() -> None:
    script = Script(estate())
    scan(script, threads=1)
    order = [m.operation for m in script.made if m.service == "elbv2"]
    last = {operation: index for index, operation in enumerate(order)}
    awaited = {"DescribeListeners", "DescribeTargetHealth"}
    assert max(last[o] for o in awaited) < min(
        order.index(o) for o in ("DescribeTargetGroupAttributes", "DescribeRules")
    )
    assert last["DescribeTargetGroupAttributes"] > order.index("DescribeTags")


def test_a_change_between_the_passes_can_be_told() -> None:
    shift = {"zonalShiftId": "s1", "resourceIdentifier": ALB, "awayFrom": "use1-az1", "status": "ACTIVE"}
    recorder, _ = scan(Script(estate() | {"arc-zonal-shift:ListZonalShifts": [{"items": []}, {"items": [shift]}]}))
    (region,) = recorder.inventory().regions
    assert [len(region.listing(arc.ZONAL_SHIFTS, pass_=p)) for p in (1, 2)] == [0, 1]


# Regions


def test_account_wide_questions_are_asked_once() -> None:
    script = Script(estate())
    recorder, done = scan(script, HOME, EUROPE)
    assert script.counts()["ec2:DescribeRegions"] == 1
    assert script.counts()["ec2:DescribeAvailabilityZones"] == 2
    assert done.scopes == (HOME, EUROPE)
    assert {r.scope for r in recorder.inventory().regions} == {HOME, EUROPE}


def test_account_wide_questions_go_to_the_home_region_even_when_it_is_not_read() -> None:
    script = Script(estate())
    recorder, _ = scan(script, EUROPE, AFRICA, home=HOME.region)
    asked = {(m.scope.region, m.operation) for m in script.made}
    assert {region for region, operation in asked if operation == "DescribeRegions"} == {"us-east-1"}
    assert {operation for region, operation in asked if region == "us-east-1"} == {"DescribeRegions"}
    inventory = recorder.inventory()
    assert {r.scope for r in inventory.regions} == {EUROPE, AFRICA}
    assert {g.reason.outcome for g in inventory.gaps} == {Outcome.NOT_ENABLED}


def test_the_home_region_is_read_when_all_are() -> None:
    script = Script(estate())
    recorder, _ = scan(script, EUROPE, home=HOME.region, all_regions=True)
    assert HOME in {r.scope for r in recorder.inventory().regions}
    assert script.counts()["ec2:DescribeRegions"] == 1


def test_all_regions_are_those_the_account_has_enabled() -> None:
    script = Script(estate())
    _, done = scan(script, all_regions=True)
    assert [s.region for s in done.scopes] == ["us-east-1", "eu-west-1", "il-central-1"]
    assert {m.scope.region for m in script.made} == {"us-east-1", "eu-west-1", "il-central-1"}


@pytest.mark.parametrize("reply", [DENIED, {"Regions": []}])
def test_all_regions_cannot_be_had_without_the_list(reply: Any) -> None:
    with pytest.raises(UsageError, match="ec2:DescribeRegions named none"):
        scan(Script({"ec2:DescribeRegions": reply}), all_regions=True)


def test_a_region_that_is_not_enabled_is_noted_and_left_alone() -> None:
    script = Script(estate())
    recorder, done = scan(script, HOME, AFRICA)
    assert AFRICA in done.scopes
    assert AFRICA.region not in {m.scope.region for m in script.made}
    inventory = recorder.inventory()
    gaps = [g for g in inventory.gaps if g.region == AFRICA.region]
    assert {g.reason.outcome for g in gaps} == {Outcome.NOT_ENABLED}
    assert {elbv2.LOAD_BALANCERS, ec2.SUBNETS, arc.MANAGED_RESOURCES} <= {g.read for g in gaps}
    assert all(g.reason.outcome and g.reason.outcome.leaves_complete for g in inventory.gaps)


def test_a_region_is_asked_when_nobody_knows_whether_it_is_enabled() -> None:
    unknown = failed("UnrecognizedClientException", Outcome.DENIED, suspect="region")
    script = Script(
        estate()
        | {"ec2:DescribeRegions": DENIED, "eks:ListClusters": lambda p: unknown if p["Region"] == "af-south-1" else {}}
    )
    recorder, _ = scan(script, HOME, AFRICA)
    outcomes = {a.error.outcome for a in recorder.of("ListClusters") if a.error}
    assert outcomes == {Outcome.DENIED}


@pytest.mark.parametrize(
    ("zones", "listed", "outcome"),
    [({}, False, Outcome.NOT_OFFERED), ({}, True, Outcome.FAILED), (DENIED, False, Outcome.FAILED)],
)
def test_a_service_is_not_offered_only_with_proof(zones: Any, listed: bool, outcome: Outcome) -> None:
    no_route = failed("EndpointConnectionError", Outcome.FAILED, status=0, suspect="service", listed=listed)
    script = Script(
        {
            "ec2:DescribeRegions": DENIED,
            "ec2:DescribeAvailabilityZones": zones,
            "arc-zonal-shift:ListAutoshifts": no_route,
        }
    )
    recorder, _ = scan(script)
    first, second = recorder.of("ListAutoshifts") + recorder.of("ListAutoshifts", pass_=2)
    assert first.error is not None
    assert first.error.outcome is outcome
    assert second.error is not None
    assert second.error.outcome is (Outcome.FAILED if listed else Outcome.NOT_OFFERED)


def test_services_can_be_chosen() -> None:
    script = Script(estate())
    scan(script, services=["eks"])
    assert {m.service for m in script.made if m.operation != "DescribeRegions"} == {"eks"}


# Stopping


def test_stop_ends_a_scan_and_keeps_what_came_in(tmp_path: Path) -> None:
    stop = threading.Event()

    def listing(_: dict[str, Any]) -> dict[str, Any]:
        stop.set()
        return {"TargetGroups": GROUPS}

    script = Script(estate() | {"elbv2:DescribeTargetGroups": listing})
    recorder = Recorder.create(tmp_path / "scan.gz", HEADER)
    with pytest.raises(Interrupted, match="interrupted") as caught:
        scan(script, recorder=recorder, stop=stop, threads=1)  # type: ignore[arg-type]
    assert caught.value.exit_code == 130
    recorder.close()
    found = read_recording(recorder.part)
    assert not found.cut_off
    assert 5 < len(found.answers) < 40


def test_ctrl_c_ends_a_scan_and_keeps_what_came_in() -> None:
    class Impatient(Memory):
        def append(self, answer: Answer) -> None:
            super().append(answer)
            if answer.operation == "DescribeTargetGroups":
                raise KeyboardInterrupt

    recorder = Impatient()
    with pytest.raises(Interrupted, match="interrupted"):
        scan(Script(estate()), recorder=recorder)
    assert len(recorder.answers) >= 6


def test_a_scan_does_not_wait_for_calls_in_flight_when_it_is_stopped() -> None:
    stop, release = threading.Event(), threading.Event()

    def hang(_: dict[str, Any]) -> dict[str, Any]:
        stop.set()
        release.wait(30)
        return {}

    with pytest.raises(Interrupted):
        scan(Script(estate() | {"ec2:DescribeSubnets": hang}), stop=stop)
    assert not release.is_set()
    release.set()


def test_a_recording_that_cannot_be_written_ends_the_scan() -> None:
    class Full(Memory):
        def append(self, answer: Answer) -> None:
            if len(self.lines) == 7:
                raise RecordingError("x cannot be written: no space left on device")
            super().append(answer)

    with pytest.raises(RecordingError, match="no space left"):
        scan(Script(estate()), recorder=Full())


# Side by side


def test_never_more_calls_in_flight_than_threads() -> None:
    lock = threading.Lock()
    flying = highest = 0
    together = threading.Barrier(3, timeout=10)

    def attributes(_: dict[str, Any]) -> dict[str, Any]:
        nonlocal flying, highest
        with lock:
            flying += 1
            highest = max(highest, flying)
        together.wait()
        with lock:
            flying -= 1
        return {"Attributes": []}

    many = {"TargetGroups": [group(f"{TG}/{n}", "lambda") for n in range(9)]}
    script = Script({"elbv2:DescribeTargetGroups": many, "elbv2:DescribeTargetGroupAttributes": attributes})
    scan(script, threads=3, services=["elbv2"])
    # The barrier lets nobody through unless three are in flight at once.
    assert highest == 3


def test_what_is_certain_to_come_is_expected_from_the_start() -> None:
    told: list[Progress] = []
    script = Script({})
    scan(script, progress=told.append)
    assert told[0].done == 1
    assert told[0].expected == len(script.made)


def test_progress_grows_with_the_listings_and_ends_where_it_is_done() -> None:
    told: list[Progress] = []
    script = Script(estate())
    scan(script, HOME, EUROPE, pace="normal", progress=told.append)
    last = told[-1]
    assert (last.done, last.expected, last.seconds_left) == (len(script.made), len(script.made), 0)
    assert [p.done for p in told] == sorted(p.done for p in told)
    assert told[0].expected < last.expected
    assert all(p.expected >= p.done for p in told)
    assert any(p.scope == "123456789012 us-east-1" and p.says for p in told)
