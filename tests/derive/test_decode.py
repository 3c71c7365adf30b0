"""Answers to inventory: what is whole, what is partly read, what is gone, what nobody asked."""

from __future__ import annotations

import pytest

from auditor.model import arc, autoscaling, eks, elb, elbv2
from auditor.model.known import Outcome, Unknown
from auditor.record.decode import decode

from .region import EARLY, HEADER, LATE, answer, items, region, unknown, whole

LISTING = elbv2.LOAD_BALANCERS
HEALTH = elbv2.TARGET_HEALTH
KEY = {"TargetGroupArn": "arn:tg"}


def lbs(*names, **more):
    return items(LISTING, [{"LoadBalancerArn": n, "LoadBalancerName": n} for n in names], **more)


def names(found, read=LISTING, key="", field="LoadBalancerArn"):
    return [getattr(i, field) for i in found.listing(read, key)]


def test_complete_empty_is_not_unread():
    assert region(lbs()).listing(LISTING).complete
    missing = region(lbs()).listing(elbv2.TARGET_GROUPS)
    assert [g.kind for g in missing.gaps] == ["not_asked"]
    assert missing.gaps[0].action == "elasticloadbalancing:DescribeTargetGroups"
    refused = region(answer(LISTING, fails=Outcome.DENIED)).listing(LISTING)
    assert [(g.kind, g.outcome, g.code) for g in refused.gaps] == [("refused", Outcome.DENIED, "AccessDenied")]


def test_pages_in_any_order_of_arrival():
    pages = [lbs("a", more=True), lbs("b", page=2, more=True), lbs("c", page=3)]
    for order in (pages, pages[::-1], [pages[1], pages[2], pages[0]]):
        found = region(*order)
        assert names(found) == ["a", "b", "c"]
        assert found.listing(LISTING).complete


@pytest.mark.parametrize(
    ("pages", "seen", "kind"),
    [
        ([lbs("a", more=True)], ["a"], "partial"),
        ([lbs("a", more=True), answer(LISTING, page=2, fails=Outcome.THROTTLED)], ["a"], "partial"),
        ([lbs("a", more=True), lbs("c", page=3)], ["a", "c"], "partial"),
        ([answer(LISTING, fails=Outcome.THROTTLED)], [], "refused"),
    ],
)
def test_a_listing_that_was_cut_off_keeps_its_witnesses(pages, seen, kind):
    found = whole(*pages)
    assert names(found.regions[0]) == seen
    (gap,) = found.regions[0].listing(LISTING).gaps
    assert gap.kind == kind
    assert not found.complete
    assert [g.reason for g in found.gaps] == [gap]


def test_where_a_listing_was_cut_off_is_said():
    (gap,) = region(lbs("a", more=True), lbs("c", page=3, more=True)).listing(LISTING).gaps
    assert "after page 1" in gap.says


def test_pages_behind_the_last_stem_from_an_earlier_reading():
    found = region(lbs("a", "b"), lbs("old", page=2, more=True), lbs("older", page=3))
    assert names(found) == ["a", "b"]
    assert found.listing(LISTING).complete


def test_a_repeated_call_replaces_the_earlier_one():
    failed, then = answer(LISTING, fails=Outcome.THROTTLED), lbs("a", at=LATE)
    assert names(region(failed, then)) == ["a"]
    assert region(failed, then).listing(LISTING).complete
    assert region(failed, then).at(LISTING) == LATE


def test_duplicates_across_pages_are_one_and_the_later_counts():
    first = items(LISTING, [{"LoadBalancerArn": "a", "Scheme": "old"}, {"LoadBalancerArn": "b"}], more=True)
    second = items(LISTING, [{"LoadBalancerArn": "c"}, {"LoadBalancerArn": "a", "Scheme": "new"}], page=2)
    for order in ((first, second), (second, first)):
        found = region(*order)
        assert names(found) == ["a", "b", "c"]
        assert found.listing(LISTING).items[0].Scheme == "new"


def test_duplicates_of_plain_names():
    found = region(items(eks.CLUSTER_NAMES, ["x", "y"], more=True), items(eks.CLUSTER_NAMES, ["x"], page=2))
    assert found.listing(eks.CLUSTER_NAMES).items == ("x", "y")


@pytest.mark.parametrize("broken", [None, "text", 7, ["x"], {"LoadBalancerArn": 5}, {"AvailabilityZones": "x"}])
def test_an_item_that_cannot_be_read_is_a_gap_and_the_others_stay(broken):
    found = whole(items(LISTING, [{"LoadBalancerArn": "a"}, broken]))
    assert names(found.regions[0]) == ["a"]
    (gap,) = found.regions[0].listing(LISTING).gaps
    assert (gap.kind, gap.code) == ("partial", "UnexpectedAnswer")
    assert not found.complete


@pytest.mark.parametrize("broken", [None, "text", 7])
def test_an_item_of_a_batch_that_cannot_be_read_is_a_gap_of_all_in_it(broken):
    params = {"ResourceArns": ["a", "b"]}
    found = region(items(elbv2.TAGS, [{"ResourceArn": "a", "Tags": []}, broken], params))
    assert not found.listing(elbv2.TAGS, "a").complete
    assert not found.listing(elbv2.TAGS, "b").complete


def test_members_of_the_future_are_passed_over_and_missing_ones_are_none():
    found = region(items(LISTING, [{"LoadBalancerArn": "a", "Invented": {"x": 1}}]))
    (balancer,) = found.listing(LISTING)
    assert (balancer.Type, balancer.AvailabilityZones) == ("", [])


def test_attributes_need_the_whole_answer():
    pairs = [{"Key": "load_balancing.cross_zone.enabled", "Value": "true"}]
    params = {"LoadBalancerArn": "a"}
    read = elbv2.LOAD_BALANCER_ATTRIBUTES
    assert region(items(read, pairs, params)).attributes(read, "a") == {"load_balancing.cross_zone.enabled": "true"}
    assert region(items(read, [], params)).attributes(read, "a") == {}
    assert unknown(region(items(read, pairs, params)).attributes(read, "b"))
    assert unknown(region(answer(read, None, params, fails=Outcome.DENIED)).attributes(read, "a"))
    assert unknown(region(items(read, [*pairs, None], params)).attributes(read, "a"))


# Gone


def gone(read, params, code="NotFound"):
    return answer(read, None, params, fails=Outcome.GONE, code=code)


def test_what_vanished_is_left_out_and_the_scan_stays_complete():
    found = whole(lbs("a", "b"), gone(elbv2.LISTENERS, {"LoadBalancerArn": "a"}, "LoadBalancerNotFound"))
    (here,) = found.regions
    assert names(here) == ["b"]
    assert here.listing(LISTING).complete
    assert found.complete
    assert [(g.key, g.reason.outcome, g.reason.code) for g in found.gaps] == [
        ("a", Outcome.GONE, "LoadBalancerNotFound")
    ]
    assert here.vanished(LISTING, "a")


def test_a_name_is_gone_only_in_its_own_service():
    found = region(
        items(autoscaling.AUTO_SCALING_GROUPS, [{"AutoScalingGroupName": "web"}]),
        items(elb.LOAD_BALANCERS, [{"LoadBalancerName": "web"}]),
        items(eks.CLUSTER_NAMES, ["web"]),
        gone(eks.CLUSTER, {"name": "web"}, "ResourceNotFoundException"),
    )
    assert names(found, autoscaling.AUTO_SCALING_GROUPS, field="AutoScalingGroupName") == ["web"]
    assert names(found, elb.LOAD_BALANCERS, field="LoadBalancerName") == ["web"]
    assert found.vanished(eks.CLUSTER, "web")
    assert not found.vanished(elb.LOAD_BALANCERS, "web")


def test_what_answered_once_is_not_gone():
    params = {"LoadBalancerArn": "a"}
    first = items(elbv2.LISTENERS, [{"ListenerArn": "l"}], params, more=True)
    found = region(lbs("a"), first, answer(elbv2.LISTENERS, None, params, page=2, fails=Outcome.GONE))
    assert names(found) == ["a"]


# Batches


def tags(arns, found):
    return items(
        elbv2.TAGS, [{"ResourceArn": a, "Tags": [{"Key": "k", "Value": a}]} for a in found], {"ResourceArns": arns}
    )


def value(found, arn):
    listing = found.listing(elbv2.TAGS, arn)
    return [t.Value for d in listing for t in d.Tags] if listing.complete else listing.unknown


def test_a_batch_gives_each_parent_its_own():
    found = region(tags(["a", "b"], ["b", "a"]))
    assert (value(found, "a"), value(found, "b")) == (["a"], ["b"])


def test_a_batch_that_failed_for_one_of_it_is_forgiven_once_it_was_split():
    found = whole(
        lbs("a", "b"),
        gone(elbv2.TAGS, {"ResourceArns": ["a", "b"]}, "LoadBalancerNotFound"),
        tags(["a"], ["a"]),
        gone(elbv2.TAGS, {"ResourceArns": ["b"]}, "LoadBalancerNotFound"),
    )
    (here,) = found.regions
    assert value(here, "a") == ["a"]
    assert names(here) == ["a"]
    assert found.complete


def test_a_batch_that_was_never_split_says_nothing_of_anyone():
    found = whole(lbs("a", "b"), gone(elbv2.TAGS, {"ResourceArns": ["a", "b"]}, "LoadBalancerNotFound"))
    (here,) = found.regions
    assert names(here) == ["a", "b"]
    assert isinstance(value(here, "a"), Unknown)
    assert not found.complete


@pytest.mark.parametrize("outcome", [Outcome.DENIED, Outcome.THROTTLED, Outcome.FAILED])
def test_a_refused_batch_is_a_gap_of_each(outcome):
    found = region(answer(elbv2.TAGS, None, {"ResourceArns": ["a", "b"]}, fails=outcome))
    assert isinstance(value(found, "a"), Unknown)
    assert isinstance(value(found, "b"), Unknown)


# Single answers, passes, the rest


def test_an_empty_answer_is_an_answer():
    found = region(answer(arc.OBSERVER_STATUS, {}))
    status = found.one(arc.OBSERVER_STATUS)
    assert not isinstance(status, Unknown)
    assert status.status is None
    assert region(answer(arc.OBSERVER_STATUS, {"status": "ENABLED"})).one(arc.OBSERVER_STATUS).status == "ENABLED"
    assert unknown(region(lbs()).one(arc.OBSERVER_STATUS))


def test_the_second_pass_counts_and_the_first_stays():
    read = arc.MANAGED_RESOURCES
    found = region(items(read, [{"arn": "a"}]), items(read, [{"arn": "b"}], pass_=2, at=LATE))
    assert names(found, read, field="arn") == ["b"]
    assert [r.arn for r in found.listing(read, pass_=1)] == ["a"]
    assert found.at(read) == LATE


def test_composite_keys():
    params = {"clusterName": "c", "nodegroupName": "n"}
    found = region(answer(eks.NODEGROUP, {"nodegroup": {"nodegroupName": "n", "clusterName": "c"}}, params))
    assert found.one(eks.NODEGROUP, "c/n").nodegroupName == "n"
    assert found.keys(eks.NODEGROUP) == ("c/n",)


def test_an_unfinished_recording_is_not_complete_and_has_the_time_of_its_last_answer():
    found = decode([lbs("a"), lbs("a", page=1, at=LATE)], HEADER, None)
    assert (found.finished, found.complete, found.finished_at) == (False, False, LATE)
    assert whole(lbs("a")).complete
    assert found.started_at == EARLY
    assert found.calls == {"elbv2:DescribeLoadBalancers": 2}


def test_operations_nobody_declared_are_passed_over():
    import msgspec

    odd = msgspec.structs.replace(lbs("a"), operation="DescribeTomorrow")
    assert region(odd, lbs("b")).listing(LISTING).complete


@pytest.mark.parametrize("outcome", [Outcome.NOT_ENABLED, Outcome.NOT_OFFERED])
def test_closed_regions_and_absent_services_leave_a_scan_complete(outcome):
    found = whole(answer(LISTING, fails=outcome))
    assert found.complete
    assert not found.regions[0].listing(LISTING).complete
