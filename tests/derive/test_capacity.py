"""Load and capacity by the documented figures: 1200 requests a second for each target, a peak of 9000, unless said."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.derive.capacity import Demand, Fleet, equal_shares, in_proportion, worst_of
from auditor.model.known import Unknown

from .region import A, B, C

DEMAND = Demand(peak_rps=9000, target_rps=1200)
D, E, F = (type(A)(type(A.id)(f"use1-az{n}"), type(A.name)(f"us-east-1{x}")) for n, x in ((4, "d"), (5, "e"), (6, "f")))


def fleet(*counts, pooled=False, shares=None):
    zones = (A, B, C, D, E, F)[: len(counts)]
    given_shares = dict(zip(zones, shares, strict=True)) if shares else equal_shares(zones)
    return Fleet(targets=dict(zip(zones, counts, strict=True)), shares=given_shares, pooled=pooled)


def each(state):
    """What one target of each zone carries."""
    return [round(z.per_target, 6) for z in state.zones]


def test_d1_even_ingress_cross_zone_off():
    assert each(fleet(2, 4, 6).state(DEMAND)) == [1500, 750, 500]
    assert fleet(2, 4, 6).state(DEMAND).verdict == "overloads"
    assert fleet(2, 4, 6).state(DEMAND).hottest.zone == A


def test_d2_cross_zone_on():
    state = fleet(2, 4, 6, pooled=True).state(DEMAND)
    assert each(state) == [750, 750, 750]
    assert [round(z.load) for z in state.zones] == [1500, 3000, 4500]
    assert state.verdict == "holds"


def test_d3_capacity_and_utilisation():
    state = fleet(2, 4, 6, pooled=True).state(DEMAND)
    assert state.capacity == 14400
    assert state.load / state.capacity == 0.625
    assert {z.utilisation for z in state.zones} == {0.625}


def test_d4_uneven_ingress():
    assert each(fleet(2, 4, 6, shares=[0.5, 0.3, 0.2]).state(DEMAND)) == [2250, 675, 300]
    assert each(fleet(2, 4, 6, shares=[0.5, 0.3, 0.2], pooled=True).state(DEMAND)) == [750, 750, 750]


def test_d5_lose_the_fullest_zone():
    off = fleet(2, 4, 6).without(C).state(DEMAND)
    assert each(off) == [2250, 1125]
    assert off.zones[0].utilisation == 1.875
    on = fleet(2, 4, 6, pooled=True).without(C).state(DEMAND)
    assert each(on) == [1500, 1500]
    assert (on.capacity, on.verdict, on.missing) == (7200, "overloads", 2)
    assert fleet(2, 4, 6).share_lost(C) == 0.5


def test_d6_lose_the_smallest_zone():
    on = fleet(2, 4, 6, pooled=True).without(A).state(DEMAND)
    assert (each(on), on.capacity, on.verdict) == ([900, 900], 12000, "holds")
    off = fleet(2, 4, 6).without(A).state(DEMAND)
    assert (each(off), off.verdict) == ([1125, 750], "holds")


def test_d7_lose_the_middle_zone():
    on = fleet(2, 4, 6, pooled=True).without(B).state(DEMAND)
    assert (each(on), on.capacity, on.verdict) == ([1125, 1125], 9600, "holds")
    off = fleet(2, 4, 6).without(B).state(DEMAND)
    assert (each(off), off.verdict) == ([2250, 750], "overloads")


def test_d8_the_worst_zone_decides():
    worst = min((A, B, C), key=lambda z: fleet(2, 4, 6, pooled=True).without(z).state(DEMAND).capacity)
    assert worst == C
    assert fleet(2, 4, 6, pooled=True).without(C).state(DEMAND).verdict == "overloads"


def test_d8_as_a_table():
    table = fleet(2, 4, 6, pooled=True).losses(DEMAND)
    assert [(x.zone, x.after.capacity, x.after.margin, x.after.verdict, x.after.missing) for x in table] == [
        (A, 12000, 3000, "holds", 0),
        (B, 9600, 600, "holds", 0),
        (C, 7200, -1800, "overloads", 2),
    ]
    worst = worst_of(table)
    assert worst is not None
    assert (worst.zone, worst.share_lost, worst.after.utilisation) == (C, 0.5, 1.25)
    local = worst_of(fleet(2, 4, 6).losses(DEMAND))
    assert local is not None
    assert (local.zone, local.after.hottest.zone, local.after.utilisation) == (B, A, 1.875)
    assert [z.missing for z in local.after.zones] == [2, 0]
    assert worst_of(Fleet(targets={}, shares={}, pooled=True).losses(DEMAND)) is None


@pytest.mark.parametrize("lost", [A, B, C])
@pytest.mark.parametrize("pooled", [True, False])
def test_d9_four_in_each(lost, pooled):
    state = fleet(4, 4, 4, pooled=pooled).without(lost).state(DEMAND)
    assert (state.capacity, each(state), state.verdict) == (9600, [1125, 1125], "holds")
    assert state.capacity - state.load == 600
    assert round(100 * (state.capacity - state.load) / state.load, 2) == 6.67


def test_d10_survivors_get_sixty_and_forty_of_a_hundred():
    four = fleet(4, 4, 4, shares=[0.3, 0.2, 0.5]).without(C)
    state = four.state(DEMAND)
    assert [round(z.load) for z in state.zones] == [5400, 3600]
    assert each(state) == [1350, 900]
    assert state.verdict == "overloads"
    assert fleet(4, 4, 4, shares=[0.3, 0.2, 0.5], pooled=True).without(C).state(DEMAND).verdict == "holds"


def test_d11_fewest_targets():
    assert DEMAND.targets_needed == 8
    assert Demand(peak_rps=9600, target_rps=1200).targets_needed == 8
    assert Demand(peak_rps=0.3, target_rps=0.1).targets_needed == 3


@pytest.mark.parametrize(("zones", "factor"), [(2, 2.0), (3, 1.5), (4, 4 / 3), (6, 1.2)])
def test_d12_installed_capacity(zones, factor):
    assert DEMAND.installed_for(zones) == pytest.approx(9000 * factor)
    assert DEMAND.installed_for(1) == math.inf


def test_d12_in_targets():
    assert DEMAND.installed_for(3) == 13500
    assert math.ceil(DEMAND.installed_for(3) / 1200) == 12
    assert [DEMAND.targets_in_each(n) for n in (1, 2, 3, 4, 6)] == [None, 8, 4, 3, 2]


@pytest.mark.parametrize("pooled", [True, False])
def test_d13_clients_that_have_not_left_cannot_be_counted(pooled):
    assert isinstance(fleet(4, 4, 4, pooled=pooled).while_clients_stay(A, DEMAND), Unknown)
    nobody = fleet(4, 4, 4, pooled=pooled, shares=[0, 0.5, 0.5])
    assert nobody.while_clients_stay(A, DEMAND) == nobody.without(A).state(DEMAND)


def test_d14_two_and_eight():
    hundred = Demand(peak_rps=100, target_rps=100)
    state = fleet(2, 8).state(hundred)
    assert each(state) == [25, 6.25]
    assert state.zones[0].per_target / state.zones[1].per_target == 4
    assert each(fleet(2, 8, pooled=True).state(hundred)) == [10, 10]


def test_three_three_and_four():
    verdicts = [fleet(3, 3, 4, pooled=True).without(z).state(DEMAND).verdict for z in (A, B, C)]
    assert verdicts == ["overloads", "overloads", "overloads"]
    assert [
        fleet(3, 3, 4, pooled=True).without(z).state(Demand(peak_rps=7200, target_rps=1200)).verdict for z in (A, C)
    ] == [
        "holds",
        "holds",
    ]


def test_two_zones_each_carry_everything():
    assert fleet(8, 8).without(A).state(DEMAND).verdict == "holds"
    assert fleet(8, 7).without(A).state(DEMAND).missing == 1


def test_six_zones():
    state = fleet(2, 2, 2, 2, 2, 2).without(F).state(DEMAND)
    assert each(state) == [900] * 5
    assert state.verdict == "holds"


def test_an_empty_zone_has_no_capacity_for_its_share_alone():
    state = fleet(0, 4, 6).state(DEMAND)
    assert state.verdict == "no_capacity"
    assert state.zones[0].utilisation == math.inf
    assert state.missing == 3
    assert fleet(0, 4, 6, pooled=True).state(DEMAND).verdict == "holds"


def test_a_zone_with_clients_and_no_target_has_no_capacity_after_another_is_lost():
    after = fleet(0, 20, 20, shares=[0.2, 0.4, 0.4]).without(B).state(DEMAND)
    assert (after.verdict, after.utilisation, after.hottest.zone) == ("no_capacity", math.inf, A)
    assert [z.missing for z in after.zones] == [3, 0]
    nobody = fleet(0, 20, 20, shares=[0, 0.5, 0.5]).without(B).state(DEMAND)
    assert (nobody.verdict, nobody.missing) == ("holds", 0)


def test_where_nobody_came_to_the_others_they_get_equal_parts():
    assert fleet(4, 4, 4, shares=[1, 0, 0]).without(A).shares == {B: 0.5, C: 0.5}
    assert in_proportion({A: 0.0, B: 0.0}) == {}
    assert in_proportion({A: 1.0, B: 3.0}) == {A: 0.25, B: 0.75}


def test_nothing_is_left_of_one_zone():
    assert fleet(4).without(A).state(DEMAND).verdict == "no_capacity"
    assert fleet(4).without(A).state(DEMAND).utilisation == math.inf
    assert fleet(4).without(A).state(DEMAND).margin == -9000
    assert fleet(4).survivable_utilisation(A) == 0


def test_a_deployment_takes_targets_away_in_proportion():
    tenth = Demand(peak_rps=9000, target_rps=1200, unavailable_share=0.1)
    assert [z.targets for z in fleet(2, 4, 6).state(tenth).zones] == pytest.approx([1.8, 3.6, 5.4])
    assert fleet(4, 4, 4, pooled=True).without(A).state(tenth).verdict == "overloads"
    two = Demand(peak_rps=9000, target_rps=1200, unavailable=2)
    assert sum(z.targets for z in fleet(2, 4, 6).state(two).zones) == pytest.approx(10)
    assert fleet(1, 0, 0, pooled=True).state(two).verdict == "no_capacity"


def test_what_is_missing_counts_those_a_deployment_takes_too():
    half = Demand(peak_rps=1000, target_rps=100, unavailable_share=0.5)
    assert (half.targets_needed, half.targets_required) == (10, 20)
    assert fleet(4, 8, pooled=True).without(B).state(half).missing == 16
    assert fleet(4, 8).without(B).state(half).missing == 16
    two = Demand(peak_rps=1000, target_rps=100, unavailable=2)
    assert two.targets_required == 12
    assert fleet(4, 8, pooled=True).without(B).state(two).missing == 8
    one = Demand(peak_rps=9000, target_rps=1200, unavailable=1)
    # Seven are left of eight, four fifths of which would do in A: 4500 of 3.5 * 1200 is too much for each, by one target.
    assert [z.missing for z in fleet(4, 4, 4).without(C).state(one).zones] == [1, 1]
    assert fleet(5, 5, 4).without(C).state(one).verdict == "holds"


@pytest.mark.parametrize(
    ("peak", "target", "retries", "needed"),
    [
        (9900, 1100, 1, 9),
        (2.1, 0.7, 1, 3),
        (0.3, 0.1, 1, 3),
        (9000, 1100, 1.1, 9),
        (3, 1.1, 1.1, 3),
        (9000.01, 1200, 1, 8),
    ],
)
def test_exactly_enough_is_enough(peak, target, retries, needed):
    demand = Demand(peak_rps=peak, target_rps=target, retry_factor=retries)
    assert (demand.targets_needed, demand.targets_required) == (needed, needed)
    for pooled in (True, False):
        assert fleet(needed, needed, pooled=pooled).without(B).state(demand).verdict == "holds"
        assert fleet(needed - 1, needed, pooled=pooled).without(B).state(demand).verdict != "holds"


def test_one_target_too_few_among_very_many_is_noticed():
    many = Demand(peak_rps=1e6, target_rps=1)
    assert fleet(10**6, 10**6, pooled=True).without(A).state(many).missing == 0
    assert fleet(10**6 - 1, 10**6).without(B).state(many).missing == 1


def test_no_load_needs_nothing():
    calm = Demand(peak_rps=0, target_rps=100)
    for pooled in (True, False):
        assert fleet(0, 0, pooled=pooled).state(calm).verdict == "holds"
        assert fleet(0, 0, pooled=pooled).state(calm).utilisation == 0


@pytest.mark.parametrize(
    "numbers",
    [
        {"peak_rps": math.inf},
        {"peak_rps": math.nan},
        {"peak_rps": -1},
        {"peak_rps": 1e308, "retry_factor": 10},
        {"peak_rps": 1e308, "target_rps": 1e-300},
        {"target_rps": 0},
        {"target_rps": -5},
        {"unavailable": -1},
        {"unavailable_share": 1},
        {"unavailable_share": -0.1},
        {"unavailable_share": math.nan},
    ],
)
def test_what_nothing_can_be_counted_with_is_refused(numbers):
    with pytest.raises(ValueError, match="nothing can be counted"):
        Demand(**{"peak_rps": 9000, "target_rps": 1200, **numbers})


def test_retries_add_to_the_load():
    assert Demand(peak_rps=9000, target_rps=1200, retry_factor=1.1).load == pytest.approx(9900)


@pytest.mark.parametrize(
    ("counts", "pooled", "lost", "expected"),
    [
        ((2, 4, 6), True, C, 0.5),
        ((4, 4, 4), True, A, 2 / 3),
        ((4, 4, 4), False, A, 2 / 3),
        ((2, 4, 6), False, C, 1 / 3),
        ((0, 4, 4), False, C, 0.0),
    ],
)
def test_the_highest_utilisation_that_survives(counts, pooled, lost, expected):
    assert fleet(*counts, pooled=pooled).survivable_utilisation(lost) == pytest.approx(expected)


COUNTS = st.lists(st.integers(0, 50), min_size=1, max_size=6)
DEMANDS = st.builds(
    Demand,
    peak_rps=st.floats(1, 1e6),
    target_rps=st.floats(1, 1e5),
    retry_factor=st.floats(1, 3),
    unavailable_share=st.floats(0, 0.5),
)


SHARES = st.lists(st.floats(0, 1), min_size=6, max_size=6)


def arriving(counts, weights):
    """Shares of as many zones as there are counts, in proportion to some numbers."""
    zones = (A, B, C, D, E, F)[: len(counts)]
    found = in_proportion(dict(zip(zones, weights, strict=False))) or equal_shares(zones)
    return [found[z] for z in zones]


@given(COUNTS, SHARES, DEMANDS)
def test_pooled_load_never_exceeds_the_hottest_local_load(counts, weights, demand):
    shares = arriving(counts, weights)
    local = fleet(*counts, shares=shares).state(demand).hottest
    pooled = fleet(*counts, shares=shares, pooled=True).state(demand).hottest
    assert local is not None
    assert pooled is not None
    assert pooled.per_target <= local.per_target * (1 + 1e-9)


@given(COUNTS, SHARES, DEMANDS, st.booleans())
def test_losing_a_zone_never_adds_capacity_or_takes_load_away(counts, weights, demand, pooled):
    whole = fleet(*counts, shares=arriving(counts, weights), pooled=pooled)
    before = whole.state(demand)
    for loss in whole.losses(demand):
        after = loss.after
        assert after.capacity <= before.capacity * (1 + 1e-9)
        assert after.missing >= before.missing or not pooled
        if after.zones:
            assert math.fsum(z.load for z in after.zones) == pytest.approx(demand.load)


@given(st.lists(st.integers(0, 50), min_size=2, max_size=6), SHARES, DEMANDS)
def test_what_fails_pooled_fails_local_too(counts, weights, demand):
    shares = arriving(counts, weights)
    for local, pooled in zip(
        fleet(*counts, shares=shares).losses(demand),
        fleet(*counts, shares=shares, pooled=True).losses(demand),
        strict=True,
    ):
        assert local.after.verdict != "holds" or pooled.after.verdict == "holds"
        assert local.after.utilisation >= pooled.after.utilisation * (1 - 1e-9)


@given(st.integers(1, 60), st.integers(2, 6), DEMANDS, st.data())
def test_an_even_spread_loses_least_with_its_fullest_zone(total, zones, demand, data):
    even = [total // zones + (i < total % zones) for i in range(zones)]
    parts = sorted(data.draw(st.lists(st.integers(0, total), min_size=zones - 1, max_size=zones - 1)))
    other = [b - a for a, b in zip([0, *parts], [*parts, total], strict=True)]

    def worst(counts):
        whole = fleet(*counts, pooled=True)
        return min(whole.without(z).state(demand).capacity for z in whole.targets)

    assert worst(even) >= worst(other) * (1 - 1e-9)


@given(COUNTS, SHARES, DEMANDS, st.booleans(), st.integers(0, 4))
def test_the_verdict_is_what_is_missing_and_adding_that_mends_it(counts, weights, demand, pooled, away):
    demand = Demand(
        peak_rps=demand.peak_rps,
        target_rps=max(demand.target_rps, demand.peak_rps / 1000),
        unavailable=away,
        unavailable_share=demand.unavailable_share,
    )
    shares = arriving(counts, weights)
    state = fleet(*counts, shares=shares, pooled=pooled).state(demand)
    assert (state.verdict == "holds") == (state.missing == 0)
    more = [z.missing for z in state.zones]
    if pooled:
        more[0] = state.missing
    mended = [n + m for n, m in zip(counts, more, strict=True)]
    assert fleet(*mended, shares=shares, pooled=pooled).state(demand).verdict == "holds"
    if pooled and state.missing:
        mended[0] -= 1
        assert fleet(*mended, shares=shares, pooled=pooled).state(demand).verdict != "holds"


@given(st.integers(2, 6), DEMANDS)
def test_as_many_in_each_zone_as_are_asked_for_survive_any_loss(zones, demand):
    each = demand.targets_in_each(zones)
    assert each is not None
    for pooled in (True, False):
        assert all(x.after.verdict == "holds" for x in fleet(*[each] * zones, pooled=pooled).losses(demand))
