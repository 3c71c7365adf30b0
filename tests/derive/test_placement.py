"""Placement and load: the arithmetic and the worked examples D1 to D14."""

from __future__ import annotations

import pytest

from auditor.derive.placement import in_words, is_crowded, load_ratio, spread_of, uneven_by

from .region import A, B, C, estate, subject, unknown


@pytest.mark.parametrize(
    ("healthy", "ratio"),
    [
        ((2, 4, 6), 2.0),
        ((2, 8), 2.5),
        ((4, 4, 4), 1.0),
        ((1, 1), 1.0),
        ((5,), 1.0),
        ((), 1.0),
        ((0, 4), 1.0),
        ((0, 2, 8), 2.5),
    ],
)
def test_load_ratio(healthy, ratio):
    assert load_ratio(healthy) == pytest.approx(ratio)


@pytest.mark.parametrize(
    ("counts", "even", "fullest", "share", "survivable", "crowded"),
    [
        ((2, 4, 6), 4, C, 50, 50, False),
        ((4, 4, 4), 4, A, 33, 66, False),
        ((3, 3, 4), 4, C, 40, 60, False),
        ((2, 8, 0), 4, B, 80, 20, True),
        ((1, 0, 0), 1, A, 100, 0, False),
        ((0, 0, 0), 0, A, 0, 0, False),
    ],
)
def test_spread(counts, even, fullest, share, survivable, crowded):
    found = spread_of(dict(zip((A, B, C), counts, strict=True)), 3)
    assert (found.even_share, found.fullest, found.share_percent) == (even, fullest, share)
    assert (found.survivable_percent, found.crowded, found.total) == (survivable, crowded, sum(counts))


@pytest.mark.parametrize(("counts", "skewed"), [((2, 4, 6), True), ((4, 4, 4), False), ((3, 3, 4), False)])
def test_skew_of_the_seed_example(counts, skewed):
    """D8, D9 and row 2 of the table: 2/4/6 is skewed, 4/4/4 and 3/3/4 are not."""
    found = spread_of(dict(zip((A, B, C), counts, strict=True)), 3)
    assert (found.fullest_count > found.even_share) is skewed


@pytest.mark.parametrize(
    ("total", "most", "zones", "crowded"),
    [(4, 3, 2, False), (4, 4, 2, True), (4, 3, 3, True), (3, 3, 3, False), (4, 2, 3, False), (10, 5, 3, False), (9, 9, 1, False)],
)  # fmt: skip
def test_crowded_means_over_half_and_over_one_and_a_half_even_shares(total, most, zones, crowded):
    assert is_crowded(total, most, zones) is crowded


def test_uneven_by_and_words():
    assert (uneven_by([2, 4, 6]), uneven_by([3, 3, 4]), uneven_by([5]), uneven_by([])) == (4, 1, 0, 0)
    assert in_words({B: 1, A: 2}) == "2 in use1-az1 (us-east-1a), 1 in use1-az2 (us-east-1b)"
    assert in_words({}) == "none"


ESTATE = """
load_balancers:
  web: {type: application, zones: [a, b, c], listeners: [{port: 80, protocol: HTTP, default: {forward: web}}]}
target_groups: {web: {type: ip, targets: {a: 2 healthy, b: 4 healthy, c: 6 healthy}}}
"""


def web(change=None, deny=(), **targets):
    merged = {"target_groups": {"web": {**(change or {}), **({"targets": targets} if targets else {})}}}
    return subject(estate(ESTATE, change=merged, deny=deny), "TargetGroup", "web")


OFF = {"attributes": {"load_balancing.cross_zone.enabled": "false"}}


def test_facts_of_a_group():
    found = web()
    assert found.placed_zones == (A, B, C)
    assert (found.fullest_zone, found.fullest_count, found.even_share, found.uneven_by) == (C, 6, 4, 4)
    assert (found.load_ratio, found.hottest_zone, found.crowded) == (2.0, A, False)
    assert (found.fullest_share_percent, found.survivable_utilisation_percent) == (50, 50)


def test_an_empty_zone_is_compared_only_while_cross_zone_is_on():
    pooled = web(a="2 healthy", b="2 healthy", c="1 draining")
    assert (pooled.uneven_by, pooled.placed_zones) == (2, (A, B))
    local = web(OFF, a="2 healthy", b="2 healthy", c="1 draining")
    assert (local.uneven_by, local.load_ratio) == (0, 1.0)


def test_a_rollout_leaves_placement_known_and_load_unknown():
    found = web(a="2 healthy", b="2 healthy", c="2 initial")
    assert found.placed_zones == (A, B, C)
    assert unknown(found.uneven_by)
    assert unknown(found.load_ratio)


def test_refusals():
    for name in ("placed_zones", "fullest_zone", "uneven_by", "load_ratio", "crowded", "healthy_count"):
        assert unknown(getattr(web(deny=["elasticloadbalancing:DescribeTargetHealth"]), name)), name
    found = web(deny=["elasticloadbalancing:DescribeTargetGroupAttributes"])
    assert unknown(found.uneven_by, "elasticloadbalancing:DescribeTargetGroupAttributes")
    assert found.placed_zone_count == 3
