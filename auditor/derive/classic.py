"""Classic Load Balancers → the facts rules read. No zonal shift exists for them, and their DNS behaviour is not modelled.

https://docs.aws.amazon.com/elasticloadbalancing/latest/classic/introduction.html
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..model import ec2, elb
from ..model.identity import AccountId, Arn, RegionName, Resource, Zone
from ..model.inventory import RegionInventory
from ..model.known import Known, Unknown, merge, unclear
from ..model.verdict import all_of
from .balancer_settings import region_zone_count
from .links import Links
from .nodes.load_balancers import LoadBalancer, LoadBalancerZone
from .placement import in_words, uneven_by
from .tags import classic_tags

TYPE = "AWS::ElasticLoadBalancing::LoadBalancer"


def partition_of(region: str) -> str:
    """The partition of a region, for ARNs that AWS does not return (Classic Load Balancers)."""
    return "aws-cn" if region.startswith("cn-") else "aws-us-gov" if region.startswith("us-gov-") else "aws"


def classic_arn(name: str, inventory: RegionInventory) -> Arn:
    """ARN of a Classic Load Balancer; AWS returns none, its form is documented in the IAM reference."""
    account, region = inventory.scope
    return Arn(f"arn:{partition_of(region)}:elasticloadbalancing:{region}:{account}:loadbalancer/{name}")


def classic_nodes(balancer: elb.LoadBalancerDescription, links: Links) -> tuple[LoadBalancer, list[LoadBalancerZone]]:
    """A Classic Load Balancer and its zones; no shift exists for it, and its DNS behaviour is not modelled."""
    inventory, name = links.inventory, balancer.LoadBalancerName
    zones = tuple(sorted(_classic_zones(balancer, links), key=lambda z: z.key))
    arn = classic_arn(name, inventory)
    resource = Resource(
        type=TYPE,
        arn=arn,
        name=name,
        account_id=AccountId(inventory.scope.account_id),
        region=RegionName(inventory.scope.region),
    )
    tags = classic_tags(name, inventory)
    sources = {
        "elbv2:DescribeLoadBalancers": name,
        "elb:DescribeLoadBalancers": name,
        "elb:DescribeLoadBalancerAttributes": name,
        "elb:DescribeInstanceHealth": name,
    }
    attributes = inventory.one(elb.LOAD_BALANCER_ATTRIBUTES, name)
    cross_zone: Known[bool]
    if isinstance(attributes, Unknown):
        cross_zone = attributes
    elif attributes.CrossZoneLoadBalancing is None:
        cross_zone = unclear("AWS did not return the cross-zone attribute, and its default depends on how it was made")
    else:
        cross_zone = attributes.CrossZoneLoadBalancing.Enabled
    placed = [links.places.instance(i.InstanceId) for i in balancer.Instances]
    node = LoadBalancer(
        resource=resource,
        tags=tags,
        links=sources,
        LoadBalancerArn="",
        LoadBalancerName=name,
        Scheme=balancer.Scheme,
        State="active",
        kind="classic",
        kind_words="Classic Load Balancer",
        zones=zones,
        zone_count=len(zones),
        subnet_ids=tuple(sorted(balancer.Subnets)),
        on_edge=bool(zones) and all(links.zones.is_edge(z.name or "") for z in zones),
        targets_only_in_its_zones=all_of(z if isinstance(z, Unknown) else z in zones for z in placed)
        if placed
        else False,
        cross_zone_setting=cross_zone if isinstance(cross_zone, Unknown) else "on" if cross_zone else "off",
        zonal_shift_enabled=False,
        is_target_of_nlb=False,
        groups_pinning_cross_zone_off=(),
        arns_pinning_cross_zone_off=(),
        client_keep_alive_seconds=0,
        client_routing_policy=None,
        impaired=False,
        state_words="",
        region_zone_count=region_zone_count(links),
        sticky_groups=(),
        sticky_groups_local=(),
        groups_local=(),
        groups_not_rebalanced=(),
        **_instances(placed, zones),
    )
    health = inventory.listing(elb.INSTANCE_HEALTH, name)
    in_service = {s.InstanceId for s in health if s.State == "InService"}
    nodes = []
    for zone in zones:
        doubts = [p for p in placed if isinstance(p, Unknown)]
        here = [i.InstanceId for i, p in zip(balancer.Instances, placed, strict=True) if p == zone]
        healthy_doubts = doubts if health.complete or not balancer.Instances else [*doubts, health.unknown]
        nodes.append(
            LoadBalancerZone(
                resource=resource,
                tags=tags,
                links=sources,
                LoadBalancerName=name,
                kind="classic",
                zone=zone,
                groups=(),
                empty_groups_local=(),
                empty_groups_pooled=(),
                empty_causes=(),
                empty_group_names=(),
                empty_effect="",
                withdrawn_by=(),
                withdrawn_causes=(),
                published=unclear("the DNS answer of a Classic Load Balancer is not modelled"),
                shift_applied=False,
                healthy_count=merge(healthy_doubts) if healthy_doubts else sum(i in in_service for i in here),
                registered_count=merge(doubts) if doubts else len(here),
            )
        )
    return node, nodes


def _instances(placed: Sequence[Known[Zone]], zones: Sequence[Zone]) -> dict[str, Any]:
    """How the registered instances lie over the zones it serves; unknown as soon as the place of one is."""
    if doubts := [p for p in placed if isinstance(p, Unknown)]:
        return dict.fromkeys(("instances_uneven_by", "instances_per_zone", "zones_without_instance"), merge(doubts))
    counts = {zone: placed.count(zone) for zone in zones}
    return {
        "instances_uneven_by": uneven_by(list(counts.values())),
        "instances_per_zone": in_words(counts),
        "zones_without_instance": tuple(z for z, n in counts.items() if n == 0) if any(counts.values()) else (),
    }


def _classic_zones(balancer: elb.LoadBalancerDescription, links: Links) -> list[Zone]:
    if balancer.AvailabilityZones:
        return [links.zones.named(z) for z in balancer.AvailabilityZones]
    subnets = links.inventory.index(ec2.SUBNETS)
    return [
        links.zones.named(z)
        for z in dict.fromkeys(subnets[s].AvailabilityZone for s in balancer.Subnets if s in subnets)
    ]
