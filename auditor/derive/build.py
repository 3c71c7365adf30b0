"""Inventory → zonal model. The order of pages and of resources makes no difference: subjects are sorted by ARN."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from ..model import ec2, elb, elbv2
from ..model.identity import AccountId, RegionName, Resource, Zone
from ..model.inventory import Inventory, RegionInventory
from ..model.known import Known, Listing, Reason, Unknown, merge, unclear
from ..model.verdict import Truth
from . import classic, load_balancers, target_groups
from .balancer_subnets import subnet_nodes
from .cluster_nodes import cluster_nodes, node_group_nodes
from .figures import Figures
from .group_health import GroupView, view_of
from .inhabitants import inhabitants_of
from .links import Links
from .managed import Managed, region_node
from .managed_zones import managed_tags, managed_zones, type_of
from .node import Node
from .nodes import AutoScalingGroup, AvailabilityZone, EksCluster, LoadBalancerZone, ShiftResource, TargetGroup
from .scaling_nodes import scaling_nodes
from .shifts import ShiftState
from .tags import group_tags
from .zonal_model import RegionModel, ZonalModel


def derive(inventory: Inventory, figures: Figures | None = None) -> ZonalModel:
    """The zonal model of everything the inventory holds; `figures` are what the user gave beside."""
    now, given = datetime.fromisoformat(inventory.finished_at), figures or Figures()
    return ZonalModel(inventory=inventory, regions=tuple(derive_region(r, now, given) for r in inventory.regions))


def derive_region(inventory: RegionInventory, now: datetime, figures: Figures) -> RegionModel:
    """Subjects of one account and region; `now` is when the scan ended.

    A subject listing has gaps where a refused call may hide subjects.
    """
    links = Links(inventory)
    shifts = ShiftState(inventory, links.zones)
    groups = inventory.listing(elbv2.TARGET_GROUPS)
    views = {arn: view_of(links.groups[arn], links) for arn in sorted(links.groups)}
    by_balancer: dict[str, list[GroupView]] = {
        arn: [views[g.TargetGroupArn] for g in members] for arn, members in links.groups_of.items()
    }
    balancers = inventory.listing(elbv2.LOAD_BALANCERS)
    balancer_nodes: list[Node] = []
    balancer_zones: list[Node] = []
    strange: list[Reason] = []
    for balancer in balancers:
        if (why := links.strange(balancer)) is not None:
            strange += why.reasons
            continue
        members = by_balancer.get(balancer.LoadBalancerArn, [])
        balancer_nodes.append(load_balancers.balancer_node(balancer, members, links))
        balancer_zones += load_balancers.zone_nodes(balancer, members, links, shifts)
    older = inventory.listing(elb.LOAD_BALANCERS)
    classic_zones: list[LoadBalancerZone] = []
    for old in older:
        node, zones = classic.classic_nodes(old, links)
        balancer_nodes.append(node)
        classic_zones += zones
    balancer_zones += classic_zones
    group_nodes: list[TargetGroup] = []
    group_zones: list[Listing[Node]] = []
    for view in views.values():
        arns = view.group.LoadBalancerArns
        siblings = by_balancer.get(arns[0], [view]) if arns else [view]
        group_nodes.append(target_groups.group_node(view, siblings, links, shifts))
        group_zones.append(target_groups.zone_nodes(view, links))
    asgs = _listed(scaling_nodes(views, figures, links, shifts))
    clusters = _listed(cluster_nodes(links))
    subjects = {
        "LoadBalancer": _sorted(balancer_nodes, (*balancers.gaps, *older.gaps, *sorted(strange, key=lambda r: r.says))),
        "LoadBalancerZone": _sorted(
            balancer_zones, (*balancers.gaps, *older.gaps, *sorted(strange, key=lambda r: r.says))
        ),
        "LoadBalancerSubnet": subnet_nodes(links),
        "TargetGroup": _sorted(group_nodes, groups.gaps),
        "TargetGroupZone": _sorted(
            [n for zones in group_zones for n in zones],
            (*groups.gaps, *(g for zones in group_zones for g in zones.gaps)),
        ),
        "AutoScalingGroup": asgs,
        "EksCluster": clusters,
        "EksNodegroup": _listed(node_group_nodes(links)),
    }
    scaling = [n for n in asgs if isinstance(n, AutoScalingGroup)]
    managed = Managed(links, shifts, now, scaling, figures=bool(figures.capacity))
    subjects["ManagedResource"] = _managed_resources(managed, group_nodes, by_balancer, links, shifts)
    subjects["ManagedResourceZone"] = _sorted(managed_zones(managed, links, shifts), shifts.listing.gaps)
    subjects["ArcRegion"] = Listing((region_node(links),))
    subjects["ShiftResource"] = _shift_resources(balancers, asgs, clusters, links, shifts)
    subjects["AvailabilityZone"] = _zones(classic_zones, list(views.values()), asgs, links)
    return RegionModel(inventory=inventory, subjects=subjects)


def _sorted(nodes: Iterable[Node], gaps: Sequence[Reason] = ()) -> Listing[Node]:
    def order(node: Node) -> tuple[str, str, str]:
        zone = getattr(node, "zone", None)
        return node.resource.arn, node.resource.name, zone.key if isinstance(zone, Zone) else ""

    return Listing(tuple(sorted(nodes, key=order)), tuple(dict.fromkeys(gaps)))


def _listed(found: tuple[list[Node], Sequence[Reason]]) -> Listing[Node]:
    return _sorted(*found)


def _resource(kind: str, arn: str, name: str, inventory: RegionInventory) -> Resource:
    account, region = inventory.scope
    return Resource(type=kind, arn=arn, name=name, account_id=AccountId(account), region=RegionName(region))


def _managed_resources(
    managed: Managed,
    groups: Sequence[TargetGroup],
    by_balancer: Mapping[str, list[GroupView]],
    links: Links,
    shifts: ShiftState,
) -> Listing[Node]:
    nodes_of = {g.TargetGroupArn: g for g in groups}
    nodes: list[Node] = []
    for arn, listed in shifts.resources.items():
        resource = _resource(type_of(arn), arn, listed.name, links.inventory)
        views = by_balancer.get(arn, [])
        members = [nodes_of[v.group.TargetGroupArn] for v in views]
        nodes.append(managed.node(resource, managed_tags(listed, managed.groups, links), views, members))
    return _sorted(nodes, shifts.listing.gaps)


def _shift_resources(
    balancers: Listing[elbv2.LoadBalancer],
    asgs: Listing[Node],
    clusters: Listing[Node],
    links: Links,
    shifts: ShiftState,
) -> Listing[Node]:
    """Everything that ARC can shift or that it lists, with both views of whether it is opted in."""
    nodes: dict[str, Node] = {}

    def add(
        source: Node | Resource,
        tags: object,
        own: Known[bool | None],
        settling: Truth,
        links_: Mapping[str, str | tuple[str, ...]],
    ) -> None:
        resource = source.resource if isinstance(source, Node) else source
        nodes[resource.arn] = ShiftResource(
            resource=resource,
            tags=tags,  # type: ignore[arg-type]
            links={"arc-zonal-shift:ListManagedResources": resource.arn, **links_},
            name=resource.name,
            own_switch=own,
            listed=shifts.listed(resource.arn),
            settling=settling,
        )

    for balancer in balancers:
        if balancer.Type not in ("application", "network"):
            continue
        arn = balancer.LoadBalancerArn
        attributes = links.inventory.attributes(elbv2.LOAD_BALANCER_ATTRIBUTES, arn)
        switch = load_balancers.own_switch(attributes, shifts.listed(arn))
        starting = balancer.State.Code == "provisioning"
        add(
            load_balancers.resource_of(balancer, links),
            group_tags(arn, links.inventory),
            switch,
            unclear("the load balancer is being made") if starting else False,
            {"elbv2:DescribeLoadBalancerAttributes": arn, "elbv2:DescribeLoadBalancers": arn},
        )
    for node in asgs:
        assert isinstance(node, AutoScalingGroup)
        add(node, node.tags, node.zonal_shift_enabled, False, node.links)
    for node in clusters:
        assert isinstance(node, EksCluster)
        making = node.status == "CREATING"
        add(
            node,
            node.tags,
            node.zonal_shift_enabled,
            unclear("the cluster is being made") if making else False,
            node.links,
        )
    gaps = [*balancers.gaps, *asgs.gaps, *clusters.gaps]
    for arn, resource in shifts.resources.items():
        if arn not in nodes and not links.inventory.vanished(elbv2.LOAD_BALANCERS, arn):
            own = Unknown(tuple(gaps)) if gaps else None
            tags: Known[dict[str, str]] = own if isinstance(own, Unknown) else {}
            add(_resource(type_of(arn), arn, resource.name, links.inventory), tags, own, False, {})
    return _sorted(nodes.values(), gaps)


def _zones(
    classic_zones: Sequence[LoadBalancerZone],
    views: Sequence[GroupView],
    asgs: Listing[Node],
    links: Links,
) -> Listing[Node]:
    listing = links.inventory.listing(ec2.AVAILABILITY_ZONES)
    capacity = {
        n.AutoScalingGroupName: [c.zone for c in n.capacity if c.instance_count]
        for n in asgs
        if isinstance(n, AutoScalingGroup)
    }
    inhabitants, unknowns = inhabitants_of(classic_zones, views, capacity, links)
    nodes: list[Node] = []
    for raw in listing:
        zone = links.zones.named(raw.ZoneName)
        seen = tuple(sorted(inhabitants.get(zone.key, ())))
        nodes.append(
            AvailabilityZone(
                resource=_resource("AWS::EC2::AvailabilityZone", "", raw.ZoneName, links.inventory),
                tags={},
                links={"ec2:DescribeAvailabilityZones": raw.ZoneName},
                ZoneName=raw.ZoneName,
                ZoneId=raw.ZoneId,
                State=raw.State if raw.State else unclear("EC2 did not report a state for the zone"),
                zone=zone,
                inhabitants=seen if seen or not unknowns else merge(unknowns),
            )
        )
    return _sorted(nodes, listing.gaps)
