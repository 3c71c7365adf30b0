"""Reserved capacity, zone by zone."""

from __future__ import annotations

from typing import Any

import pytest

from auditor.derive.links import Links
from auditor.derive.reserved_capacity import reserved_in
from auditor.model import elbv2
from auditor.model.inventory import RegionInventory
from auditor.model.known import Outcome, Unknown

from .region import A, B, answer, estate, items, region, subject, unknown

ARN = "arn:aws:elasticloadbalancing:us-east-1:123456789012:loadbalancer/app/shop/1"
SHOP = elbv2.LoadBalancer(LoadBalancerArn=ARN, LoadBalancerName="shop", Type="application")
ACTION = "elasticloadbalancing:DescribeCapacityReservation"


def said(response: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    page = answer(elbv2.CAPACITY_RESERVATION, response, {"LoadBalancerArn": ARN}, **more)
    return reserved_in(SHOP, A, Links(region(page, items(elbv2.LOAD_BALANCERS, []))))


def state(code: str, zone: str = "us-east-1a", **more: Any) -> dict[str, Any]:
    return {"State": {"Code": code}, "AvailabilityZone": zone, **more}


def reserved(*states: dict[str, Any], units: int = 300) -> dict[str, Any]:
    return {"MinimumLoadBalancerCapacity": {"CapacityUnits": units}, "CapacityReservationState": list(states)}


@pytest.mark.parametrize("code", ["provisioned", "rebalancing", "failed"])
def test_states_that_are_settled_are_as_aws_says(code: str) -> None:
    found = said(reserved(state("provisioned", "us-east-1b"), state(code)))
    assert (found["reserved_state"], found["reserved_units"]) == (code, 300)


def test_words_say_the_units_and_the_reason() -> None:
    failed = state("failed", EffectiveCapacityUnits=12.5) | {"State": {"Code": "failed", "Reason": "No capacity."}}
    assert said(reserved(failed))["reserved_words"] == (
        "300 capacity units are reserved over all zones, and those of this one could not be provided "
        "(12.5 in effect now): No capacity"
    )
    assert said(reserved(state("rebalancing")))["reserved_words"].endswith("those of this one are being rebalanced")


@pytest.mark.parametrize("code", ["pending", "", "resting"])
def test_states_that_settle_nothing(code: str) -> None:
    found = said(reserved(state(code)))["reserved_state"]
    assert unknown(found)
    assert found.actions == ()


def test_a_zone_that_the_answer_leaves_out_is_not_taken_for_one_without_trouble() -> None:
    assert unknown(said(reserved(state("provisioned", "us-east-1b")))["reserved_state"])


@pytest.mark.parametrize(
    "response",
    [
        {},
        {"CapacityReservationState": []},
        {"MinimumLoadBalancerCapacity": {}, "CapacityReservationState": []},
        {"MinimumLoadBalancerCapacity": {"CapacityUnits": 0}, "CapacityReservationState": []},
        {"CapacityReservationState": [{"State": {"Code": "provisioned"}}]},  # an emulator's shell of an answer
    ],
)
def test_nothing_is_reserved(response: dict[str, Any]) -> None:
    assert said(response) == {}


def test_a_region_that_does_not_offer_reservations_has_none_and_a_refusal_is_another_matter() -> None:
    assert said(fails=Outcome.NOT_OFFERED) == {}
    for outcome in (Outcome.DENIED, Outcome.THROTTLED, Outcome.FAILED):
        assert all(unknown(value, ACTION) for value in said(fails=outcome).values())


def test_what_was_not_chosen_says_so() -> None:
    scope = region(items(elbv2.LOAD_BALANCERS, [])).scope
    left_out = reserved_in(SHOP, A, Links(RegionInventory(scope, {}, frozenset(), frozenset())))["reserved_state"]
    assert isinstance(left_out, Unknown)
    assert [r.kind for r in left_out.reasons] == ["not_chosen"]
    chosen = Links(RegionInventory(scope, {}, frozenset(), frozenset({"capacity-reservations"})))
    assert [r.kind for r in reserved_in(SHOP, A, chosen)["reserved_state"].reasons] == ["not_asked"]


def test_each_zone_of_a_load_balancer_has_its_own() -> None:
    model = estate("""
load_balancers:
  edge: {type: network, zones: [a, b], reserved: {units: 40, states: {b: failed}}}
  old: {type: classic, zones: [a]}
""")
    assert subject(model, "LoadBalancerZone", "edge", A).reserved_state == "provisioned"
    lost = subject(model, "LoadBalancerZone", "edge", B)
    assert (lost.reserved_state, lost.reserved_units) == ("failed", 40)
    assert lost.LoadBalancerArn.endswith(lost.resource.arn[-16:])
    assert subject(model, "LoadBalancerZone", "old", A).reserved_state is None
