"""Thresholds of target group health."""

from __future__ import annotations

import pytest

from auditor.derive.thresholds import Count, Threshold, dns_threshold, meets, routing_threshold

from .region import denied, unknown

DNS = "target_group_health.dns_failover.minimum_healthy_targets"
ROUTING = "target_group_health.unhealthy_state_routing.minimum_healthy_targets"


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ({f"{DNS}.count": "1", f"{DNS}.percentage": "off"}, Threshold(1, None)),
        ({f"{DNS}.count": "off", f"{DNS}.percentage": "50"}, Threshold(None, 50)),
        ({f"{DNS}.count": "off", f"{DNS}.percentage": "off"}, Threshold(None, None)),
        ({f"{DNS}.count": "3"}, Threshold(3, None)),
    ],
)
def test_dns_threshold(attributes, expected):
    assert dns_threshold(attributes) == expected


def test_dns_count_has_no_default_because_the_guides_disagree():
    assert unknown(dns_threshold({}))
    assert unknown(dns_threshold({f"{DNS}.percentage": "50"}))
    assert unknown(dns_threshold(denied("a:B")), "a:B")


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ({}, Threshold(1, None)),
        ({f"{ROUTING}.count": "4", f"{ROUTING}.percentage": "25"}, Threshold(4, 25)),
        ({f"{ROUTING}.count": "off"}, Threshold(1, None)),
    ],
)
def test_routing_threshold_cannot_be_switched_off(attributes, expected):
    assert routing_threshold(attributes) == expected
    assert unknown(routing_threshold(denied("a:B")), "a:B")


@pytest.mark.parametrize(
    ("threshold", "healthy", "total", "met"),
    [
        (Threshold(1, None), 0, 3, False),
        (Threshold(1, None), 1, 3, True),
        (Threshold(2, 50), 2, 5, False),
        (Threshold(2, 50), 3, 5, True),
        (Threshold(None, 50), 1, 2, True),
        (Threshold(None, 34), 1, 3, False),
        (Threshold(None, 33), 1, 3, True),
        (Threshold(None, None), 0, 5, True),
        (Threshold(None, 100), 0, 0, True),
    ],
)
def test_either_breach_is_enough(threshold, healthy, total, met):
    assert threshold.met(healthy, total) is met
    assert meets(threshold, Count(total, healthy, 0)) is met


def test_targets_that_are_starting_decide_nothing():
    assert unknown(meets(Threshold(1, None), Count(2, 0, 2)))
    assert meets(Threshold(1, None), Count(2, 1, 1)) is True
    assert meets(Threshold(3, None), Count(2, 1, 1)) is False
    assert unknown(meets(Threshold(None, 60), Count(5, 2, 1)))
    assert Count(1, 1, 0) + Count(2, 0, 1) == Count(3, 1, 1)
