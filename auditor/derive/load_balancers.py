"""Load balancers and their zones → the facts rules read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..model import ec2, elb, elbv2
from ..model.finding import Cause
from ..model.identity import AccountId, Arn, RegionName, Resource, Zone
from ..model.inventory import RegionInventory
from ..model.known import Known, Unknown, merge, unclear
from ..model.verdict import Truth, all_of, any_of
from .cross_zone import setting_of
from .dns import published
from .group_health import GroupView, enabled_zones
from .links import Links
from .nodes.load_balancers import GroupInZone, Kind, LoadBalancer, LoadBalancerZone
from .shifts import ShiftState
from .tags import classic_tags, group_tags
from .target_groups import in_use_health
from .thresholds import Count

TYPE = "AWS::ElasticLoadBalancingV2::LoadBalancer"
CLASSIC_TYPE = "AWS::ElasticLoadBalancing::LoadBalancer"
_WORDS: Mapping[Kind, str] = {
    "application": "Application Load Balancer",
    "network": "Network Load Balancer",
    "gateway": "Gateway Load Balancer",
    "classic": "Classic Load Balancer",
}
_SHIFT_KEY = "zonal_shift.config.enabled"


def partition_of(region: str) -> str:
    """The partition of a region, for ARNs that AWS does not return (Classic Load Balancers)."""
    return "aws-cn" if region.startswith("cn-") else "aws-us-gov" if region.startswith("us-gov-") else "aws"


def resource_of(balancer: elbv2.LoadBalancer, links: Links) -> Resource:
    """The load balancer as the resource of a finding."""
    scope = links.inventory.scope
    return Resource(
        type=TYPE,
        arn=balancer.LoadBalancerArn,
        name=balancer.LoadBalancerName,
        account_id=AccountId(scope.account_id),
        region=RegionName(scope.region),
    )


def _evidence_links(arn: str) -> dict[str, str]:
    return dict.fromkeys(
        (
            "elbv2:DescribeLoadBalancers",
            "elbv2:DescribeLoadBalancerAttributes",
            "elbv2:DescribeListeners",
            "arc-zonal-shift:ListManagedResources",
        ),
        arn,
    )


def shift_switch(attributes: Known[Mapping[str, str]]) -> Known[bool]:
    """Whether zonal shift is enabled. A key that AWS left out of a whole answer means the documented default, off."""
    return attributes if isinstance(attributes, Unknown) else attributes.get(_SHIFT_KEY, "false") == "true"


def balancer_node(balancer: elbv2.LoadBalancer, views: Sequence[GroupView], links: Links) -> LoadBalancer:
    """All facts of one Application, Network or Gateway Load Balancer."""
    kind, arn = links.kind(balancer), balancer.LoadBalancerArn
    attributes = links.inventory.attributes(elbv2.LOAD_BALANCER_ATTRIBUTES, arn)
    zones = enabled_zones(balancer, links)
    return LoadBalancer(
        resource=resource_of(balancer, links),
        tags=group_tags(arn, links.inventory),
        links=_evidence_links(arn),
        LoadBalancerArn=arn,
        LoadBalancerName=balancer.LoadBalancerName,
        Scheme=balancer.Scheme,
        State=balancer.State.Code,
        kind=kind,
        kind_words=_WORDS[kind],
        zones=zones,
        zone_count=len(zones),
        subnet_ids=tuple(sorted(z.SubnetId for z in balancer.AvailabilityZones if z.SubnetId)),
        on_edge=bool(balancer.AvailabilityZones)
        and all(z.OutpostId or links.zones.is_edge(z.ZoneName) for z in balancer.AvailabilityZones),
        targets_only_in_its_zones=_only_in(views, zones, links),
        cross_zone_setting=setting_of(kind, attributes),
        zonal_shift_enabled=shift_switch(attributes),
        is_target_of_nlb=links.behind_nlb(arn) if kind == "application" else False,
        groups_pinning_cross_zone_off=_pinning(views, links),
    )


def _only_in(views: Sequence[GroupView], zones: Sequence[Zone], links: Links) -> Truth:
    """Whether there are registered targets and all of them stand in `zones`."""
    groups = links.inventory.listing(elbv2.TARGET_GROUPS)
    seen = False
    truths: list[Truth] = [] if groups.complete else [groups.unknown]
    for view in views:
        if isinstance(view.targets, Unknown):
            truths.append(view.targets)
            continue
        for target in view.targets:
            if target.State == "draining" or not view.has_zones:
                continue
            seen = True
            zone = target.zone
            truths.append(zone if isinstance(zone, Unknown) else zone is not None and zone in zones)
    result = all_of(truths)
    return result if seen or isinstance(result, Unknown) else False


def _pinning(views: Sequence[GroupView], links: Links) -> Known[tuple[str, ...]]:
    """Names of groups that set cross-zone off themselves; unknown as soon as one group's attributes are."""
    names: list[str] = []
    unknowns: list[Unknown] = []
    groups = links.inventory.listing(elbv2.TARGET_GROUPS)
    if not groups.complete:
        unknowns.append(groups.unknown)
    for view in views:
        if view.group.TargetType == "alb":
            continue
        attributes = links.inventory.attributes(elbv2.TARGET_GROUP_ATTRIBUTES, view.group.TargetGroupArn)
        if isinstance(attributes, Unknown):
            unknowns.append(attributes)
        elif attributes.get("load_balancing.cross_zone.enabled") == "false":
            names.append(view.group.TargetGroupName)
    if names:
        return tuple(sorted(names))
    return merge(unknowns) if unknowns else ()


def _in_zone(view: GroupView, zone: Zone) -> Known[GroupInZone]:
    if isinstance(view.counts, Unknown):
        return view.counts
    count = view.counts.get(zone, Count(0, 0, 0)) + view.everywhere
    targets = () if isinstance(view.targets, Unknown) else view.targets
    registered = sum(1 for t in targets if t.zone == zone and t.State != "draining")
    if view.group.TargetType == "alb":
        registered = count.total
    return GroupInZone(
        TargetGroupArn=view.group.TargetGroupArn,
        TargetGroupName=view.group.TargetGroupName,
        registered_count=registered,
        usable_count=count.total,
        healthy_count=count.healthy,
    )


def emptiness(view: GroupView, zone: Zone) -> Truth:
    """Whether an in-use group has no usable target for the node of `zone` although other zones have some.

    Facts/elb.md F, EMPTY-ZONE. Targets registered for all zones serve every node. Unknown while targets are pending, or
    when the zone of a target is not known. Lambda groups have no zones.
    """
    if view.group.TargetType == "lambda" or view.in_use is False:
        return False
    if isinstance(view.counts, Unknown):
        return view.counts if view.in_use is True else all_of((view.in_use, view.counts))
    here = view.counts.get(zone, Count(0, 0, 0)).total + view.everywhere.total
    elsewhere = sum(c.total for z, c in view.counts.items() if z != zone)
    if here or not elsewhere:
        return False
    waiting = sum(c.pending for c in view.counts.values())
    settled: Truth = unclear(f"{waiting} targets of {view.group.TargetGroupName} are starting") if waiting else True
    return all_of((view.in_use, settled))


def _empty(views: Sequence[GroupView], zone: Zone, value: str) -> Known[tuple[GroupInZone, ...]]:
    """In-use groups empty in `zone` with cross-zone `value`; a witness makes the list known, else any unknown wins."""
    found: list[GroupInZone] = []
    unknowns: list[Unknown] = []
    for view in views:
        effective = view.cross_zone
        matches: Truth = (
            effective if isinstance(effective, Unknown) else effective is not None and effective.value == value
        )
        truth = all_of((matches, emptiness(view, zone)))
        if isinstance(truth, Unknown):
            unknowns.append(truth)
        elif truth and not isinstance(seen := _in_zone(view, zone), Unknown):
            found.append(seen)
    return tuple(found) if found or not unknowns else merge(unknowns)


def zone_nodes(
    balancer: elbv2.LoadBalancer, views: Sequence[GroupView], links: Links, shifts: ShiftState
) -> list[LoadBalancerZone]:
    """Facts of every enabled zone of one load balancer."""
    kind = links.kind(balancer)
    zones = enabled_zones(balancer, links)
    groups = links.inventory.listing(elbv2.TARGET_GROUPS)
    missing = None if groups.complete else groups.unknown
    dns = published(kind, in_use_health(views, links) if missing is None else missing, zones)
    nodes = []
    for zone in zones:
        local, pooled = _empty(views, zone, "off"), _empty(views, zone, "on")
        if missing is not None:
            local = local if not isinstance(local, Unknown) and local else missing
            pooled = pooled if not isinstance(pooled, Unknown) and pooled else missing
        here = _here(views, zone) if missing is None else missing
        nodes.append(
            LoadBalancerZone(
                resource=resource_of(balancer, links),
                tags=group_tags(balancer.LoadBalancerArn, links.inventory),
                links=_evidence_links(balancer.LoadBalancerArn),
                LoadBalancerName=balancer.LoadBalancerName,
                kind=kind,
                zone=zone,
                groups=here,
                empty_groups_local=local,
                empty_groups_pooled=pooled,
                empty_causes=_causes(local, pooled, zone),
                empty_group_names=_names(local, pooled),
                empty_effect=_effect(kind, local, pooled),
                published=dns[zone],
                shift_applied=shifts.shifted(balancer.LoadBalancerArn, zone),
                healthy_count=here if isinstance(here, Unknown) else sum(g.healthy_count for g in here),
                registered_count=here if isinstance(here, Unknown) else sum(g.registered_count for g in here),
            )
        )
    return nodes


def _here(views: Sequence[GroupView], zone: Zone) -> Known[tuple[GroupInZone, ...]]:
    found: list[GroupInZone] = []
    unknowns: list[Unknown] = []
    for view in views:
        if view.in_use is False or view.group.TargetType == "lambda":
            continue
        seen = _in_zone(view, zone)
        if isinstance(view.in_use, Unknown) or isinstance(seen, Unknown):
            unknowns += [u for u in (view.in_use, seen) if isinstance(u, Unknown)]
        else:
            found.append(seen)
    return merge(unknowns) if unknowns else tuple(found)


def _causes(
    local: Known[tuple[GroupInZone, ...]], pooled: Known[tuple[GroupInZone, ...]], zone: Zone
) -> Known[tuple[Cause, ...]]:
    groups = [g for part in (local, pooled) if not isinstance(part, Unknown) for g in part]
    return tuple(Cause(g.TargetGroupArn, zone.key) for g in groups)


def _names(local: Known[tuple[GroupInZone, ...]], pooled: Known[tuple[GroupInZone, ...]]) -> Known[tuple[str, ...]]:
    names = [g.TargetGroupName for part in (local, pooled) if not isinstance(part, Unknown) for g in part]
    unknowns = [part for part in (local, pooled) if isinstance(part, Unknown)]
    return tuple(names) if names or not unknowns else merge(unknowns)


def _effect(kind: Kind, local: Known[tuple[GroupInZone, ...]], pooled: Known[tuple[GroupInZone, ...]]) -> Known[str]:
    """What an empty zone does (facts/elb.md B.5); empty text when no group is empty here."""
    if not isinstance(local, Unknown) and local:
        return {
            "application": "requests that arrive at the load balancer's address there get 503",
            "network": "the load balancer's address there leaves DNS, and the zone's capacity is gone",
        }.get(kind, "the load balancer has nothing to send to there")
    if not isinstance(pooled, Unknown) and pooled:
        return "routing is fine while cross-zone is on, but the zone adds nothing"
    unknowns = [part for part in (local, pooled) if isinstance(part, Unknown)]
    return merge(unknowns) if unknowns else ""


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
        type=CLASSIC_TYPE,
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
        kind_words=_WORDS["classic"],
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
                published=unclear("the DNS answer of a Classic Load Balancer is not modelled"),
                shift_applied=False,
                healthy_count=merge(healthy_doubts) if healthy_doubts else sum(i in in_service for i in here),
                registered_count=merge(doubts) if doubts else len(here),
            )
        )
    return node, nodes


def _classic_zones(balancer: elb.LoadBalancerDescription, links: Links) -> list[Zone]:
    if balancer.AvailabilityZones:
        return [links.zones.named(z) for z in balancer.AvailabilityZones]
    subnets = links.inventory.index(ec2.SUBNETS)
    return [
        links.zones.named(z)
        for z in dict.fromkeys(subnets[s].AvailabilityZone for s in balancer.Subnets if s in subnets)
    ]


def any_shifted(nodes: Sequence[LoadBalancerZone]) -> Truth:
    """Whether any of the zones is shifted away."""
    return any_of(n.shift_applied for n in nodes)
