"""All facts of every active ECS service of a region."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..model import autoscaling, ec2, ecs
from ..model.identity import AccountId, RegionName, Resource, Zone
from ..model.known import Known, Listing, Unknown, merge
from ..model.verdict import Truth
from . import ecs_tasks
from .ecs import target_groups_of
from .ecs_fit import ServiceFit, service_fit
from .ecs_zones import Reach, reach
from .figures import Figures
from .group_health import GroupView
from .links import Links
from .node import Node
from .nodes.ecs import EcsService
from .placement import in_words, is_crowded, uneven_by
from .scaling import zones_of

TYPE = "AWS::ECS::Service"
_ZONE_SPREAD = f"attribute:{ecs.ZONE_ATTRIBUTE}"
_NO_SUBNETS = "NO_SUBNETS_OF_ITS_OWN"


def service_nodes(views: Mapping[str, GroupView], figures: Figures, links: Links) -> Listing[Node]:
    """Every active service, by ARN, and why there may be more."""
    nodes = [_node(s, views, figures, links) for s in links.ecs.services]
    return Listing(tuple(nodes), tuple(dict.fromkeys(links.ecs.gaps)))


def _node(service: ecs.Service, views: Mapping[str, GroupView], figures: Figures, links: Links) -> EcsService:
    account, region = links.inventory.scope
    where = reach(service, links)
    network = ecs.subnets_of(service)
    tasks = sorted(t.taskArn for t in links.ecs.seen_tasks(service))
    hosts = [] if network else sorted(links.inventory.listing(ecs.CONTAINER_INSTANCE_ARNS, service.clusterArn))
    return EcsService(
        resource=Resource(
            type=TYPE,
            arn=service.serviceArn,
            name=service.serviceName,
            account_id=AccountId(account),
            region=RegionName(region),
        ),
        tags={t.key: t.value for t in service.tags},
        links={
            "ecs:DescribeServices": service.serviceArn,
            "ecs:ListTasks": service.clusterArn,
            "ecs:DescribeTasks": tuple(tasks),
            "ecs:DescribeCapacityProviders": ecs.providers_of(service),
            "ecs:DescribeContainerInstances": tuple(hosts),
            "ec2:DescribeSubnets": tuple(network.subnets) if network else (),
        },
        name=service.serviceName,
        cluster=ecs.short_name(service.clusterArn),
        desired_count=service.desiredCount,
        wants_tasks=ecs.wants_tasks(service),
        wants_several=ecs.wants_tasks(service) and service.desiredCount > 1,
        launch_words=ecs.launch_type(service) or ", ".join(ecs.providers_of(service)) or "not said",
        on_instances=_on_instances(service, links),
        own_subnets=network is not None,
        zones=where.zones,
        in_one_zone=where.in_one_zone,
        **_together(service, where, links),
        place_words="its subnets" if network else "the container instances that may take its tasks",
        single_zone_causes=ecs_tasks.sole_source_causes(service, links),
        **_network(network),
        controller=service.deploymentController.type or "ECS",
        rebalancing_on=service.availabilityZoneRebalancing == "ENABLED",
        rebalancing_possible=_rebalancing_possible(service),
        spreads_over_zones=_spreads_over_zones(service, links),
        placement_words=", ".join(f"{p.type} {p.field}".strip() for p in service.placementStrategy) or "none",
        **_tasks(service, where, figures, links),
        feeds_load_balancer=bool(target_groups_of(service)),
        **_fit(service, service_fit(service, views, links), links),
    )


def _on_instances(service: ecs.Service, links: Links) -> Truth:
    """Whether tasks run on EC2 instances of the account; those that ECS manages itself are placed by ECS alone."""
    if ecs.launch_type(service) is not None or not ecs.on_instances(service):
        return ecs.launch_type(service) == "EC2"
    groups = [links.ecs.scaling_group(p) for p in ecs.providers_of(service)]
    if any(isinstance(g, str) for g in groups):
        return True
    unknowns = [g for g in groups if isinstance(g, Unknown)]
    return merge(unknowns) if unknowns else False


def _together(service: ecs.Service, where: Reach, links: Links) -> dict[str, Any]:
    """The services behind the same target groups: one for each zone is a sound pattern."""
    beside = {
        s.serviceArn: s for arn in target_groups_of(service) for s in links.ecs.feeders[arn] if ecs.wants_tasks(s)
    }
    beside[service.serviceArn] = service
    if target_groups_of(service) and links.ecs.unread is not None:
        alone = where.in_one_zone is False
        return {"together_in_one_zone": False if alone else links.ecs.unread, "together_names": links.ecs.unread}
    all_of_them = [reach(s, links) for s in beside.values()]
    union = Reach(
        sure=frozenset(z for r in all_of_them for z in r.sure),
        doubtful=frozenset(z for r in all_of_them for z in r.doubtful),
        doubts=tuple(d for r in all_of_them for d in r.doubts),
        unseen=tuple(u for r in all_of_them for u in r.unseen),
    )
    return {
        "together_in_one_zone": union.in_one_zone,
        "together_names": tuple(sorted(s.serviceName for s in beside.values())),
    }


def _network(network: ecs.AwsVpcConfiguration | None) -> dict[str, Any]:
    """The network configuration as the AWS CLI takes it: it is sent whole, so all of it has to be there."""
    if network is None:
        return {"network_words": _NO_SUBNETS, "network_with_more": _NO_SUBNETS}
    groups = f",securityGroups=[{','.join(network.securityGroups)}]" if network.securityGroups else ""
    public = f",assignPublicIp={network.assignPublicIp}" if network.assignPublicIp else ""
    subnets = ",".join(network.subnets)
    return {
        "network_words": f"awsvpcConfiguration={{subnets=[{subnets}]{groups}{public}}}",
        "network_with_more": f"awsvpcConfiguration={{subnets=[{subnets},SUBNET_IN_ANOTHER_ZONE]{groups}{public}}}",
    }


def _rebalancing_possible(service: ecs.Service) -> bool:
    """Whether Availability Zone rebalancing can be switched on beside a service's other settings.

    It needs the replica strategy, zone spread as the first placement strategy or none at all, and room for a task more
    (maximumPercent above 100). It does not go with tasks outside AWS, a Classic Load Balancer, or a constraint on the zone, and
    UpdateService does not change it for services that somebody else deploys.
    https://docs.aws.amazon.com/AmazonECS/latest/developerguide/service-rebalancing.html
    """
    first = service.placementStrategy[:1]
    maximum = service.deploymentConfiguration.maximumPercent
    return (
        service.schedulingStrategy == "REPLICA"
        and ecs.launch_type(service) != "EXTERNAL"
        and service.deploymentController.type in ("", "ECS")
        and (maximum is None or maximum > 100)
        and all(p.type == "spread" and p.field == _ZONE_SPREAD for p in first)
        and not any(ecs.ZONE_ATTRIBUTE in c.expression for c in service.placementConstraints)
        and not any(b.loadBalancerName for b in service.loadBalancers)
    )


def _spreads_over_zones(service: ecs.Service, links: Links) -> Truth:
    """Whether a service is spread over zones first. Without a strategy of its own it is: that is the default of services.

    Capacity providers that have one zone each spread it as well, whatever strategy holds within a zone.
    https://docs.aws.amazon.com/AmazonECS/latest/developerguide/task-placement-strategies.html
    """
    first = next(iter(service.placementStrategy), None)
    if first is None or (first.type == "spread" and first.field == _ZONE_SPREAD):
        return True
    if len(ecs.providers_of(service)) < 2:
        return False
    listing = links.inventory.listing(autoscaling.AUTO_SCALING_GROUPS)
    groups = {g.AutoScalingGroupName: g for g in listing}
    zones: list[tuple[Zone, ...]] = []
    for provider in ecs.providers_of(service):
        name = links.ecs.scaling_group(provider)
        if isinstance(name, Unknown):
            return name
        if name is None or name not in groups:
            return False if name is None or listing.complete else listing.unknown
        zones.append(zones_of(groups[name], links.zones, links.inventory.index(ec2.SUBNETS)))
    return all(len(z) == 1 for z in zones) and len(set(zones)) == len(zones)


def _tasks(service: ecs.Service, where: Reach, figures: Figures, links: Links) -> dict[str, Any]:
    """Facts about the lie of running tasks."""
    placed = ecs_tasks.tasks_per_zone(service, links)
    seen = links.ecs.tasks(service)
    needed = ecs_tasks.required_tasks(service, figures, links)
    short = ecs_tasks.zones_short(service, needed, links)
    counts = _over_zones(placed, where)
    found: dict[str, Any] = {
        "running_count": seen if isinstance(seen, Unknown) else len(seen),
        "settling": ecs_tasks.settling(service, placed),
        "required_tasks": needed,
        "zones_short": short,
    }
    if isinstance(counts, Unknown):
        return found | dict.fromkeys(("task_words", "uneven_by", "crowded", "imbalance_words"), counts)
    total, most = sum(counts.values()), max(counts.values(), default=0)
    uneven = uneven_by(list(counts.values()))
    return found | {
        "task_words": in_words(counts),
        "uneven_by": uneven,
        "crowded": is_crowded(total, most, len(counts)),
        "imbalance_words": short if isinstance(short, Unknown) else _imbalance(uneven, counts, short, needed),
    }


def _over_zones(placed: Known[Mapping[Zone, int]], where: Reach) -> Known[Mapping[Zone, int]]:
    """Running tasks in each zone a service can use, and in any other in which it runs some."""
    if isinstance(placed, Unknown):
        return placed
    zones = where.zones
    return zones if isinstance(zones, Unknown) else {**dict.fromkeys(zones, 0), **placed}


def _imbalance(uneven: int, counts: Mapping[Zone, int], short: tuple[Zone, ...], needed: Known[int | None]) -> str:
    said = [f"its running tasks differ by {uneven} between zones ({in_words(counts)})"] if uneven > 1 else []
    if short:
        said.append(f"without {' or '.join(map(str, short))} fewer than the {needed} tasks that are needed remain")
    return "; ".join(said) or f"nothing ({in_words(counts)})"


def _fit(service: ecs.Service, fit: Known[ServiceFit], links: Links) -> dict[str, Any]:
    """How the zones fit those of the load balancers."""
    if isinstance(fit, Unknown):
        return dict.fromkeys(("zones_that_differ", "zone_fit_words", "tasks_lost", "zone_fit_causes"), fit)
    return {
        "zones_that_differ": fit.zones,
        "zone_fit_words": fit.words(links),
        "tasks_lost": fit.lost,
        "zone_fit_causes": fit.causes(service.serviceArn),
    }
