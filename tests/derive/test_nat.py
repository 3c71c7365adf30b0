"""Which subnets leave through a NAT gateway of another zone, by routes, associations and main route tables."""

from __future__ import annotations

from auditor.model.known import Unknown

from .region import A, B, C, estate, subject

ESTATE = """
nat_gateways:
  a: {zone: a, serves: [a, b]}
"""


def gateway(change=None, deny=(), name="nat-a", **more):
    return subject(estate(ESTATE, change=change, deny=deny, **more), "NatGateway", name)


def test_a_subnet_of_another_zone_by_its_own_route_table():
    node = gateway()
    assert node.zone == A
    assert node.zones_elsewhere == (B,)
    assert len(node.subnets_elsewhere) == len(node.route_tables_elsewhere) == 1


def test_subnets_that_name_no_route_table_use_the_main_one():
    assert gateway({"nat_gateways": {"a": {"main": True, "serves": []}}}).zones_elsewhere == (B, C)


def test_a_subnet_with_a_table_of_its_own_does_not_use_the_main_one():
    change = {"nat_gateways": {"a": {"main": True, "serves": []}, "c": {"zone": "c", "serves": ["c"]}}}
    assert gateway(change).zones_elsewhere == (B,)
    assert gateway(change, name="nat-c").subnets_elsewhere == ()


def test_a_regional_gateway_is_in_no_zone():
    node = gateway({"nat_gateways": {"a": {"mode": "regional"}}})
    assert (node.zonal, node.zone, node.subnets_elsewhere) == (False, None, ())


def test_one_that_is_not_available_serves_nobody():
    change = {"nat_gateways": {"a": {"state": "deleted"}}}
    assert list(estate(ESTATE, change=change).of("NatGateway")) == []


def test_a_subnet_that_was_seen_is_enough_though_more_tables_may_come():
    cut = {"cut": ["ec2:DescribeRouteTables"], "nat_gateways": {"z": {"zone": "c", "serves": ["c"]}}}
    assert gateway(cut).zones_elsewhere == (B,)
    assert isinstance(gateway(cut, name="nat-z").subnets_elsewhere, Unknown)


def test_the_main_table_counts_only_when_every_table_was_read():
    cut = {"cut": ["ec2:DescribeRouteTables"], "nat_gateways": {"a": {"main": True, "serves": []}, "z": {"zone": "c"}}}
    assert isinstance(gateway(cut).subnets_elsewhere, Unknown)


def test_without_route_tables_or_subnets_nothing_is_known():
    for action in ("ec2:DescribeRouteTables", "ec2:DescribeSubnets"):
        assert isinstance(gateway(deny=[action]).subnets_elsewhere, Unknown), action
