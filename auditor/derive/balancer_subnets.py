"""Which subnets do load balancers stand in, and have those addresses left for more nodes?

https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-subnets.html
"""

from __future__ import annotations

from ..model import ec2, elb, elbv2
from ..model.identity import AccountId, Arn, RegionName, Resource, Zone
from ..model.known import Known, Listing, Reason, Unknown, unclear
from .classic import partition_of
from .links import Links
from .node import Node
from .nodes.subnets import LoadBalancerSubnet

TYPE = "AWS::EC2::Subnet"


def subnet_nodes(links: Links) -> Listing[Node]:
    """The subnets of all load balancers. A Classic one does not say in which zones its subnets lie, so that may leave a gap."""
    inventory = links.inventory
    read = inventory.index(ec2.SUBNETS)
    balancers, older = inventory.listing(elbv2.LOAD_BALANCERS), inventory.listing(elb.LOAD_BALANCERS)
    zones: dict[str, Zone] = {}
    users: dict[str, set[str]] = {}
    gaps: list[Reason] = [*balancers.gaps, *older.gaps]
    for balancer in balancers:
        for place in balancer.AvailabilityZones:
            if place.SubnetId:
                zones[place.SubnetId] = links.zones.named(place.ZoneName)
                users.setdefault(place.SubnetId, set()).add(balancer.LoadBalancerName)
    for old in older:
        for name in old.Subnets:
            if name in read:
                zones.setdefault(name, links.zones.named(read[name].AvailabilityZone))
            if name in zones:
                users.setdefault(name, set()).add(old.LoadBalancerName)
            else:
                gaps += _missing(name, links).reasons
    nodes = [_node(name, zones[name], tuple(sorted(users[name])), links) for name in sorted(users)]
    return Listing(tuple(nodes), tuple(dict.fromkeys(gaps)))


def _node(name: str, zone: Zone, users: tuple[str, ...], links: Links) -> LoadBalancerSubnet:
    account, region = links.inventory.scope
    subnet = links.inventory.index(ec2.SUBNETS).get(name)
    owner = subnet.OwnerId if subnet and subnet.OwnerId else account
    free: Known[int]
    only6: Known[bool]
    if subnet is None:
        free = only6 = _missing(name, links)
    else:
        only6 = bool(subnet.Ipv6Native)
        count = subnet.AvailableIpAddressCount
        free = unclear(f"AWS did not say how many addresses {name} has left") if count is None else count
    return LoadBalancerSubnet(
        resource=Resource(
            type=TYPE,
            arn=Arn(f"arn:{partition_of(region)}:ec2:{region}:{owner}:subnet/{name}"),
            name=name,
            account_id=AccountId(account),
            region=RegionName(region),
        ),
        tags={},
        links={"ec2:DescribeSubnets": name},
        SubnetId=name,
        zone=zone,
        AvailableIpAddressCount=free,
        ipv6_only=only6,
        load_balancer_names=users,
    )


def _missing(name: str, links: Links) -> Unknown:
    listing = links.inventory.listing(ec2.SUBNETS)
    return listing.unknown if not listing.complete else unclear(f"the subnet {name} was not in the listing")
