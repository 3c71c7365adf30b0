"""What cross-zone traffic costs: the documented arithmetic, and no amount that nobody measured."""

from __future__ import annotations

import re
from typing import Any

import pytest

from auditor.derive.cross_zone_cost import cost_facts, cost_words, estimated_usd
from auditor.derive.links import Links
from auditor.model import elbv2
from auditor.model.known import Unknown, unclear

from .region import estate, items, region, subject, unknown

ESTATE = """
load_balancers:
  edge:
    type: network
    zones: [a, b, c]
    attributes: {load_balancing.cross_zone.enabled: "true"}
    listeners: [{port: 443, protocol: TCP, default: {forward: web}}]
target_groups: {web: {type: ip, protocol: TCP, targets: {a: 1 healthy, b: 1 healthy, c: 1 healthy}}}
"""


def edge(change: Any = None, *deny: str) -> Any:
    return subject(estate(ESTATE, change=change, deny=deny), "LoadBalancer", "edge")


@pytest.mark.parametrize(
    ("gigabytes", "zones", "usd"),
    [(45_000, 3, 600), (30_000, 2, 300), (1_000, 1, 0), (0, 3, 0), (3, 3, 0.04)],
)
def test_two_directions_of_what_crosses_at_a_cent_each(gigabytes: float, zones: int, usd: float) -> None:
    # 30 TB that cross, which are two thirds of 45 TB over three zones, come to 600 USD.
    assert estimated_usd(gigabytes, zones) == pytest.approx(usd)


def test_without_traffic_there_is_no_amount_and_the_formula_is_given() -> None:
    node = edge()
    assert node.cross_zone_usd_per_month is None
    assert node.cross_zone_cost_words == (
        "an amount needs its traffic figures, which this scan did not read (`--metrics 14d` reads them): "
        "GB a month x 2/3 x 2 directions x 0.01 USD, with targets and clients spread evenly over 3 zones"
    )
    assert re.findall(r"[\d.]+ USD", node.cross_zone_cost_words) == ["0.01 USD"]
    assert "1/2" in cost_words(2, None)
    unread = cost_words(3, unclear("the metrics were denied"))
    assert unread == cost_words(3, None).replace(
        "which this scan did not read (`--metrics 14d` reads them)", "which are not known (the metrics were denied)"
    )


def test_an_amount_that_is_known_is_said_with_what_it_supposes() -> None:
    balancer = elbv2.LoadBalancer(
        LoadBalancerArn="arn", Type="network", AvailabilityZones=[elbv2.LoadBalancerZone(ZoneName=z) for z in "abc"]
    )
    links = Links(region(items(elbv2.LOAD_BALANCERS, []), items(elbv2.TARGET_GROUPS, [])))
    found = cost_facts(balancer, [], links, gigabytes=93_000)
    assert found["cross_zone_usd_per_month"] == pytest.approx(1240)
    assert found["cross_zone_cost_words"].startswith(
        "estimated at 1,240.00 USD a month, at 0.01 USD per GB in each direction "
    )
    assert cost_facts(balancer, [], links, unclear("metrics"))["cross_zone_usd_per_month"] == unclear("metrics")
    assert cost_facts(elbv2.LoadBalancer(LoadBalancerArn="arn", Type="application"), [], links) == {}


def test_groups_with_cross_zone_on_in_effect() -> None:
    assert [g.TargetGroupName for g in edge().groups_pooled] == ["web"]
    off = {"target_groups": {"web": {"attributes": {"load_balancing.cross_zone.enabled": "false"}}}}
    assert edge(off).groups_pooled == ()
    idle = {
        "load_balancers": {
            "edge": {"listeners": [{"port": 443, "protocol": "TCP", "default": {"forward": {"web": 0}}}]}
        }
    }
    assert edge(idle).groups_pooled == ()


@pytest.mark.parametrize(
    "operation",
    [
        "DescribeLoadBalancerAttributes",
        "DescribeTargetGroupAttributes",
        "DescribeListeners",
        "DescribeTargetGroups",
    ],
)
def test_without_an_answer_it_is_not_known(operation: str) -> None:
    action = f"elasticloadbalancing:{operation}"
    found = edge(None, action).groups_pooled
    assert isinstance(found, Unknown)
    assert unknown(found, action)
