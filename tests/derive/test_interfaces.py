"""Whose address: what network interfaces hold, which of them are nodes of load balancers, and which subnet has an address."""

from __future__ import annotations

import pytest

from auditor.derive.interfaces import Interfaces, is_node, moves, owner_of
from auditor.model import ec2, elbv2
from auditor.model.vpc_addresses import VpcSubnets, calls_for_all_interfaces, may_be_nobodys

from .region import answer, items, region, unknown

VPC = "vpc-1"


def interface(**more):
    return {"NetworkInterfaceId": "eni-1", "VpcId": VPC, "InterfaceType": "interface", **more}


def read(*found, **params):
    return Interfaces(region(items(ec2.NETWORK_INTERFACES, found, params)))


def node(**more):
    return ec2.NetworkInterface(NetworkInterfaceId="eni-1", **more)


def test_an_interface_holds_all_its_addresses_within_its_vpc():
    found = read(
        interface(
            PrivateIpAddress="10.0.0.4",
            PrivateIpAddresses=[{"PrivateIpAddress": "10.0.0.4"}, {"PrivateIpAddress": "10.0.0.5"}],
            Ipv6Addresses=[{"Ipv6Address": "2001:db8::7"}],
        )
    )
    assert all(found.holds(VPC, a) for a in ("10.0.0.4", "10.0.0.5", "2001:db8::7", "2001:0DB8:0::0007"))
    assert not found.holds(VPC, "10.0.0.6")
    assert not found.holds(VPC, "2001:db8::8")
    assert not found.holds("vpc-2", "10.0.0.4")


def test_an_interface_holds_the_ranges_it_has_for_pods():
    found = read(
        interface(Ipv4Prefixes=[{"Ipv4Prefix": "10.0.0.16/28"}], Ipv6Prefixes=[{"Ipv6Prefix": "2001:db8:1::/80"}])
    )
    assert all(found.holds(VPC, a) for a in ("10.0.0.16", "10.0.0.31", "2001:db8:1::1"))
    assert not any(found.holds(VPC, a) for a in ("10.0.0.15", "10.0.0.32", "2001:db8:2::1", "not an address"))
    assert not found.holds("vpc-2", "10.0.0.20")


def test_absence_is_known_only_when_all_interfaces_were_asked_for_and_read():
    assert read(interface()).absence_unknown is None
    narrowed = read(interface(), Filters=[{"Name": "description", "Values": ["ELB *"]}])
    assert unknown(narrowed.absence_unknown)
    both = region(
        items(ec2.NETWORK_INTERFACES, [], {"Filters": [{"Name": "description", "Values": ["ELB *"]}]}),
        items(ec2.NETWORK_INTERFACES, [interface()]),
    )
    assert Interfaces(both).absence_unknown is None
    cut = Interfaces(region(items(ec2.NETWORK_INTERFACES, [interface(PrivateIpAddress="10.0.0.4")], more=True)))
    assert unknown(cut.absence_unknown, "ec2:DescribeNetworkInterfaces")
    assert cut.holds(VPC, "10.0.0.4")
    never = Interfaces(region(items(ec2.SUBNETS, [])))
    assert unknown(never.absence_unknown, "ec2:DescribeNetworkInterfaces")


@pytest.mark.parametrize(
    ("found", "is_one", "may_move", "owner"),
    [
        (
            node(Description="ELB app/shop/0123456789abcdef", InterfaceType="interface", RequesterManaged=True),
            True,
            True,
            "the Application Load Balancer shop",
        ),
        (
            node(Description="ELB old-shop", InterfaceType="interface", RequesterManaged=True),
            True,
            True,
            "the Classic Load Balancer old-shop",
        ),
        (
            node(Description="ELB net/edge/0123456789abcdef", InterfaceType="network_load_balancer"),
            True,
            False,
            "the Network Load Balancer edge",
        ),
        (
            node(Description="ELB gwy/inspect/0123456789abcdef", InterfaceType="gateway_load_balancer"),
            True,
            True,
            "the Gateway Load Balancer inspect",
        ),
        (
            node(Description="", InterfaceType="network_load_balancer", RequesterManaged=True),
            True,
            False,
            "a load balancer",
        ),
    ],
)
def test_nodes_of_load_balancers(found, is_one, may_move, owner):
    assert (is_node(found), moves(found), owner_of(found)) == (is_one, may_move, owner)


@pytest.mark.parametrize(
    "found",
    [
        # A description that somebody wrote is no proof.
        node(Description="ELB app/shop/0123456789abcdef", InterfaceType="interface", RequesterManaged=False),
        node(Description="ELB app/shop/0123456789abcdef", InterfaceType="interface"),
        node(Description="arn:aws:ecs:us-east-1:123456789012:attachment/1", RequesterManaged=True),
        node(Description="VPC Endpoint Interface vpce-1", InterfaceType="vpc_endpoint", RequesterManaged=True),
        node(Description="", InterfaceType="gateway_load_balancer_endpoint", RequesterManaged=True),
    ],
)
def test_interfaces_of_others(found):
    assert not is_node(found)


def test_a_node_is_found_by_its_address():
    described = {"Description": "ELB app/shop/1", "RequesterManaged": True}
    found = read(
        interface(PrivateIpAddress="10.0.0.4", **described),
        interface(NetworkInterfaceId="eni-2", PrivateIpAddress="10.0.0.5"),
    )
    assert found.node(VPC, "10.0.0.4").NetworkInterfaceId == "eni-1"
    assert found.node(VPC, "10.0.0.5") is None
    assert found.node("vpc-2", "10.0.0.4") is None


SUBNETS = [
    ec2.Subnet(
        SubnetId="subnet-1",
        VpcId=VPC,
        CidrBlock="10.0.0.0/24",
        OwnerId="123456789012",
        Ipv6CidrBlockAssociationSet=[ec2.SubnetRange6(Ipv6CidrBlock="2001:db8::/64")],
    ),
    ec2.Subnet(SubnetId="subnet-2", VpcId=VPC, CidrBlock="10.0.1.0/24", OwnerId="444455556666"),
    ec2.Subnet(SubnetId="subnet-3", VpcId="vpc-2", CidrBlock="10.0.0.0/24", OwnerId="123456789012"),
    ec2.Subnet(SubnetId="subnet-4", VpcId="vpc-2", OwnerId="123456789012"),
]


def test_the_subnet_that_an_address_lies_in():
    found = VpcSubnets(SUBNETS)
    wanted = {"10.0.0.9": "subnet-1", "2001:db8::1": "subnet-1", "10.0.1.9": "subnet-2"}
    for address, name in wanted.items():
        assert found.holding(VPC, address).SubnetId == name
    assert found.holding("vpc-2", "10.0.0.9").SubnetId == "subnet-3"
    for address in ("10.0.2.9", "2001:db8:1::1", "i-1", ""):
        assert found.holding(VPC, address) is None
    assert found.owners(VPC) == {"123456789012", "444455556666"}
    assert found.owners("vpc-3") == frozenset()


@pytest.mark.parametrize(
    ("state", "reason", "may"),
    [
        ("healthy", None, False),
        ("initial", "Elb.RegistrationInProgress", False),
        ("draining", "Target.DeregistrationInProgress", False),
        ("unhealthy", "Target.ResponseCodeMismatch", False),
        ("unused", "Target.IpUnusable", False),
        ("unhealthy", "Target.Timeout", True),
        ("unhealthy", "Target.FailedHealthChecks", True),
        ("unhealthy.draining", "Target.FailedHealthChecks", True),
        ("unused", "Target.NotInUse", True),
        ("unused", "Target.InvalidState", True),
        ("unavailable", "Target.HealthCheckDisabled", True),
    ],
)
def test_states_that_leave_open_that_nobody_is_there(state, reason, may):
    assert may_be_nobodys(state, reason) is may


def calls(address="10.0.0.9", state="unhealthy", kind="ip", arns=("lb",), vpc=VPC):
    group = elbv2.TargetGroup(TargetGroupArn="tg", TargetType=kind, VpcId=vpc, LoadBalancerArns=list(arns))
    target = elbv2.TargetHealthDescription(
        Target=elbv2.TargetDescription(Id=address), TargetHealth=elbv2.TargetHealth(State=state)
    )
    fine = elbv2.TargetHealthDescription(
        Target=elbv2.TargetDescription(Id="10.0.0.1"), TargetHealth=elbv2.TargetHealth(State="healthy")
    )
    return calls_for_all_interfaces(group, [fine, target], VpcSubnets(SUBNETS), "123456789012")


def test_all_interfaces_are_wanted_only_where_they_can_settle_something():
    assert calls()
    assert not calls(state="healthy")
    assert not calls("10.0.1.9"), "a subnet of another account"
    assert not calls("192.168.0.1"), "outside the VPC"
    assert not calls(kind="instance")
    assert not calls(arns=())
    assert not calls(vpc=None)


def test_a_reading_with_filters_is_known_as_such():
    filters = {"Filters": [{"Name": "description", "Values": ["ELB *"]}]}
    assert region(items(ec2.NETWORK_INTERFACES, [], filters)).narrowed(ec2.NETWORK_INTERFACES)
    assert not region(items(ec2.NETWORK_INTERFACES, [], {"MaxResults": 1000})).narrowed(ec2.NETWORK_INTERFACES)
    assert not region(items(ec2.SUBNETS, [])).narrowed(ec2.NETWORK_INTERFACES)
    assert region(answer(ec2.NETWORK_INTERFACES, {"NetworkInterfaces": []}, filters), items(ec2.SUBNETS, [])).narrowed(
        ec2.NETWORK_INTERFACES
    )
