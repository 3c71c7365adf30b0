"""Load balancers and their zones → the facts rules read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..model import elbv2
from ..model.finding import Cause
from ..model.identity import AccountId, RegionName, Resource, Zone
from ..model.known import Known, Unknown, merge, unclear
from ..model.verdict import Truth, all_of
from .balancer_settings import settings_of
from .cross_zone import setting_of
from .dns import group_allows, published
from .group_health import GroupView, enabled_zones
from .links import Links
from .nodes.load_balancers import GroupInZone, Kind, LoadBalancer, LoadBalancerZone
from .shifts import ShiftState
from .tags import group_tags
from .target_groups import in_use_health
from .thresholds import Count

TYPE = "AWS::ElasticLoadBalancingV2::LoadBalancer"
_WORDS: Mapping[Kind, str] = {
    "application": "Application Load Balancer",
    "network": "Network Load Balancer",
    "gateway": "Gateway Load Balancer",
    "classic": "Classic Load Balancer",
}
_SHIFT_KEY = "zonal_shift.config.enabled"


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


def _evidence_links(arn: str, groups: Sequence[str], links: Links) -> dict[str, str | tuple[str, ...]]:
    """Where the answers behind the facts of a load balancer are found; `groups` are the target groups that matter."""
    own = (
        "elbv2:DescribeLoadBalancers",
        "elbv2:DescribeLoadBalancerAttributes",
        "elbv2:DescribeListeners",
        "arc-zonal-shift:ListManagedResources",
    )
    of_groups = ("elbv2:DescribeTargetGroups", "elbv2:DescribeTargetGroupAttributes", "elbv2:DescribeTargetHealth")
    listeners = tuple(sorted(x.ListenerArn for x in links.inventory.listing(elbv2.LISTENERS, arn)))
    return dict.fromkeys(own, arn) | dict.fromkeys(of_groups, tuple(groups)) | {"elbv2:DescribeRules": listeners}


def shift_switch(attributes: Known[Mapping[str, str]]) -> Known[bool]:
    """Whether zonal shift is enabled. A key that AWS left out of a whole answer means the documented default, off."""
    return attributes if isinstance(attributes, Unknown) else attributes.get(_SHIFT_KEY, "false") == "true"


def own_switch(attributes: Known[Mapping[str, str]], listed: Truth) -> Known[bool | None]:
    """The switch beside ARC's view: where ARC manages what the attributes are silent on, the default proves nothing."""
    if listed is True and not isinstance(attributes, Unknown) and _SHIFT_KEY not in attributes:
        return unclear(f"AWS did not return {_SHIFT_KEY}, and ARC lists the load balancer")
    return shift_switch(attributes)


def balancer_node(balancer: elbv2.LoadBalancer, views: Sequence[GroupView], links: Links) -> LoadBalancer:
    """All facts of one Application, Network or Gateway Load Balancer."""
    kind, arn = links.kind(balancer), balancer.LoadBalancerArn
    attributes = links.inventory.attributes(elbv2.LOAD_BALANCER_ATTRIBUTES, arn)
    zones = enabled_zones(balancer, links)
    return LoadBalancer(
        resource=resource_of(balancer, links),
        tags=group_tags(arn, links.inventory),
        links=_evidence_links(arn, [v.group.TargetGroupArn for v in views], links),
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
        groups_pinning_cross_zone_off=_pinning(views, links, lambda g: g.TargetGroupName),
        arns_pinning_cross_zone_off=_pinning(views, links, lambda g: g.TargetGroupArn),
        **settings_of(balancer, views, links),
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


def _pinning(
    views: Sequence[GroupView], links: Links, word: Callable[[elbv2.TargetGroup], str]
) -> Known[tuple[str, ...]]:
    """Names (or ARNs) of groups that set cross-zone off themselves; unknown as soon as one group's attributes are."""
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
            names.append(word(view.group))
    if names:
        return tuple(sorted(names))
    return merge(unknowns) if unknowns else ()


def _in_zone(view: GroupView, zone: Zone) -> Known[GroupInZone]:
    if isinstance(view.counts, Unknown):
        return view.counts
    count = view.counts.get(zone, Count(0, 0, 0)) + view.everywhere
    targets = () if isinstance(view.targets, Unknown) else view.targets
    present = [t for t in targets if t.State != "draining"]
    lost = [t.zone for t in present if isinstance(t.zone, Unknown)]
    registered: Known[int] = merge(lost) if lost else sum(t.zone == zone for t in present)
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
        short = _withdrawn_by(kind, views, zone, zones, links) if missing is None else missing
        nodes.append(
            LoadBalancerZone(
                resource=resource_of(balancer, links),
                tags=group_tags(balancer.LoadBalancerArn, links.inventory),
                links=_evidence_links(balancer.LoadBalancerArn, _matter(views, local, pooled), links),
                LoadBalancerName=balancer.LoadBalancerName,
                kind=kind,
                zone=zone,
                groups=here,
                empty_groups_local=local,
                empty_groups_pooled=pooled,
                empty_causes=_causes(local, pooled, zone),
                empty_group_names=_names(local, pooled),
                empty_effect=_effect(kind, local, pooled),
                withdrawn_by=short,
                withdrawn_causes=short if isinstance(short, Unknown) else _causes(short, (), zone),
                published=dns[zone],
                shift_applied=shifts.shifted(balancer.LoadBalancerArn, zone),
                healthy_count=here if isinstance(here, Unknown) else sum(g.healthy_count for g in here),
                registered_count=_registered(here),
            )
        )
    return nodes


def _withdrawn_by(
    kind: Kind, views: Sequence[GroupView], zone: Zone, enabled: Sequence[Zone], links: Links
) -> Known[tuple[GroupInZone, ...]]:
    """In-use groups that do not leave the zone in DNS; unknown as soon as that is so of one group."""
    found: list[GroupInZone] = []
    unknowns: list[Unknown] = []
    for view in views:
        if view.in_use is False or not view.in_dns_model or view.cross_zone is None:
            continue
        allows = group_allows(kind, view.health(links), zone, enabled)
        seen = _in_zone(view, zone)
        doubts = [x for x in (view.in_use, allows, seen) if isinstance(x, Unknown)]
        if doubts:
            unknowns += doubts
        elif not allows and not isinstance(seen, Unknown):
            found.append(seen)
    return merge(unknowns) if unknowns else tuple(found)


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


def _registered(groups: Known[tuple[GroupInZone, ...]]) -> Known[int]:
    if isinstance(groups, Unknown):
        return groups
    counts = [g.registered_count for g in groups]
    unknowns = [c for c in counts if isinstance(c, Unknown)]
    return merge(unknowns) if unknowns else sum(c for c in counts if not isinstance(c, Unknown))


def _causes(
    local: Known[tuple[GroupInZone, ...]], pooled: Known[tuple[GroupInZone, ...]], zone: Zone
) -> Known[tuple[Cause, ...]]:
    groups = [g for part in (local, pooled) if not isinstance(part, Unknown) for g in part]
    return tuple(Cause(g.TargetGroupArn, zone.key) for g in groups)


def _matter(
    views: Sequence[GroupView], local: Known[tuple[GroupInZone, ...]], pooled: Known[tuple[GroupInZone, ...]]
) -> list[str]:
    """ARNs of the groups that a zone's facts rest on: the empty ones where there are any, else all that are in use."""
    empty = [g.TargetGroupArn for part in (local, pooled) if not isinstance(part, Unknown) for g in part]
    return empty or [v.group.TargetGroupArn for v in views if v.in_use is not False]


def _names(local: Known[tuple[GroupInZone, ...]], pooled: Known[tuple[GroupInZone, ...]]) -> Known[tuple[str, ...]]:
    names = [g.TargetGroupName for part in (local, pooled) if not isinstance(part, Unknown) for g in part]
    unknowns = [part for part in (local, pooled) if isinstance(part, Unknown)]
    return tuple(names) if names or not unknowns else merge(unknowns)


def _effect(kind: Kind, local: Known[tuple[GroupInZone, ...]], pooled: Known[tuple[GroupInZone, ...]]) -> Known[str]:
    """What an empty zone does; empty text when no group is empty here.

    The worse effect comes first, so it must be known to be absent before the milder one may be named.
    """
    if isinstance(local, Unknown):
        return local
    if local:
        return {
            "application": "requests that arrive at the load balancer's address there get 503",
            "network": "the load balancer's address there leaves DNS, and the zone's capacity is gone",
        }.get(kind, "the load balancer has nothing to send to there")
    if not isinstance(pooled, Unknown) and pooled:
        return "routing is fine while cross-zone is on, but the zone adds nothing"
    return pooled if isinstance(pooled, Unknown) else ""
