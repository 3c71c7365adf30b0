"""Subnets of load balancers: whose they are, where they lie, and what they have left."""

from __future__ import annotations

from auditor.derive.build import derive
from auditor.model import ec2, elbv2

from .region import estate, items, unknown, whole

SUBNETS = "ec2:DescribeSubnets"
TWO = """
load_balancers:
  x: {type: network, zones: [a, b]}
  y: {type: application, zones: [b]}
  old: {type: classic, zones: [b, c]}
"""


def subnets(text=TWO, **more):
    return {n.zone.id: n for n in estate(text, **more).of("LoadBalancerSubnet")}


def test_each_subnet_once_with_all_its_load_balancers():
    found = subnets()
    assert {z: n.load_balancer_names for z, n in found.items()} == {
        "use1-az1": ("x",),
        "use1-az2": ("old", "x", "y"),
        "use1-az3": ("old",),
    }
    for node in found.values():
        assert node.resource.arn == f"arn:aws:ec2:us-east-1:123456789012:subnet/{node.SubnetId}"
        assert (node.resource.type, node.resource.name) == ("AWS::EC2::Subnet", node.SubnetId)


def test_free_addresses():
    found = subnets(change={"free_addresses": {"a": 7, "b": "ipv6"}})
    assert [(n.AvailableIpAddressCount, n.ipv6_only) for _, n in sorted(found.items())] == [
        (7, False),
        (0, True),
        (4000, False),
    ]


def test_subnets_that_may_not_be_read():
    listing = estate(TWO, deny=[SUBNETS]).of("LoadBalancerSubnet")
    assert len(listing) == 2
    assert [g.action for g in listing.gaps] == [SUBNETS]
    for node in listing:
        assert unknown(node.AvailableIpAddressCount, SUBNETS)
        assert unknown(node.ipv6_only, SUBNETS)


def test_a_load_balancer_listing_that_may_not_be_read_leaves_a_gap():
    listing = estate(TWO, deny=["elasticloadbalancing:DescribeLoadBalancers"]).of("LoadBalancerSubnet")
    assert len(listing) == 0
    assert listing.gaps


def test_a_shared_subnet_belongs_to_its_owner_and_a_lost_one_is_unclear():
    place = {"ZoneName": "us-east-1a", "SubnetId": "subnet-1"}
    lost = {"ZoneName": "us-east-1b", "SubnetId": "subnet-2"}
    arn = "arn:aws:elasticloadbalancing:us-east-1:123456789012:loadbalancer/net/x/1"
    balancer = {"LoadBalancerArn": arn, "LoadBalancerName": "x", "Type": "network", "AvailabilityZones": [place, lost]}
    shared = {"SubnetId": "subnet-1", "AvailabilityZone": "us-east-1a", "OwnerId": "111122223333"}
    (model,) = derive(whole(items(elbv2.LOAD_BALANCERS, [balancer]), items(ec2.SUBNETS, [shared]))).regions
    one, two = sorted(model.of("LoadBalancerSubnet"), key=lambda n: n.SubnetId)
    assert one.resource.arn == "arn:aws:ec2:us-east-1:111122223333:subnet/subnet-1"
    assert unknown(one.AvailableIpAddressCount)
    assert one.ipv6_only is False
    assert unknown(two.AvailableIpAddressCount)
