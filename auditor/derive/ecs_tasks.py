"""How do the running tasks of an ECS service lie over the zones it can use, and what would the loss of a zone leave?

https://docs.aws.amazon.com/AmazonECS/latest/developerguide/service-rebalancing.html
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..model import ec2, ecs, elbv2
from ..model.finding import Cause
from ..model.identity import Zone
from ..model.known import Known, Unknown, merge, unclear
from .ecs import target_groups_of
from .figures import Figures
from .fronts import fronts_of
from .headroom import target_group_node
from .links import Links


def zone_of(task: ecs.Task, links: Links) -> Known[Zone]:
    """Zone of a task, as ECS names it, else that of the subnet its network interface is in."""
    if task.availabilityZone:
        return links.zones.named(task.availabilityZone)
    ids = [d.value for a in task.attachments for d in a.details if d.name == "subnetId"]
    subnets = links.inventory.listing(ec2.SUBNETS)
    known = links.inventory.index(ec2.SUBNETS)
    for subnet in (known[i] for i in ids if i in known):
        return links.zones.named(subnet.AvailabilityZone)
    if ids and not subnets.complete:
        return subnets.unknown
    return unclear(f"AWS names no zone for the task {task.taskArn}")


def tasks_per_zone(service: ecs.Service, links: Links) -> Known[Mapping[Zone, int]]:
    """Running tasks of a service by zone, without zones that have none."""
    tasks = links.ecs.tasks(service)
    if isinstance(tasks, Unknown):
        return tasks
    counts: dict[Zone, int] = {}
    unknowns: list[Unknown] = []
    for zone in (zone_of(t, links) for t in tasks):
        if isinstance(zone, Unknown):
            unknowns.append(zone)
        else:
            counts[zone] = counts.get(zone, 0) + 1
    return merge(unknowns) if unknowns else counts


def settling(service: ecs.Service, counts: Known[Mapping[Zone, int]]) -> Known[bool]:
    """False, or unknown while tasks are replaced, start or stop: counts per zone say little at that moment."""
    name = service.serviceName
    deploying = len(service.deployments) > 1 or any(d.rolloutState == "IN_PROGRESS" for d in service.deployments)
    if deploying or len(service.taskSets) > 1 or any(s.stabilityStatus == "STABILIZING" for s in service.taskSets):
        return unclear(f"a deployment of {name} is in progress")
    if service.pendingCount:
        return unclear(f"{service.pendingCount} tasks of {name} are starting")
    if isinstance(counts, Unknown):
        return counts
    seen = sum(counts.values())
    if service.runningCount is not None and seen != service.runningCount:
        return unclear(f"{service.runningCount} tasks of {name} were running, and {seen} a moment later")
    return False


def required_tasks(service: ecs.Service, figures: Figures, links: Links) -> Known[int | None]:
    """Tasks that must be left when a zone is lost, by a figure of the settings for a target group; None without one."""
    if not figures.capacity:
        return None
    arns = target_groups_of(service)
    return figures.required((target_group_node(arn, links) for arn in arns), fronts_of(arns, links))


def zones_short(service: ecs.Service, needed: Known[int | None], links: Links) -> Known[tuple[Zone, ...]]:
    """Zones whose loss leaves fewer running tasks than needed, of all services behind the same target groups."""
    if needed is None:
        return ()
    if isinstance(needed, Unknown):
        return needed
    if links.ecs.unread is not None:
        return links.ecs.unread
    beside = {s.serviceArn: s for arn in target_groups_of(service) for s in links.ecs.feeders.get(arn, ())}
    total: dict[Zone, int] = {}
    for counts in (tasks_per_zone(s, links) for s in beside.values()):
        if isinstance(counts, Unknown):
            return counts
        for zone, count in counts.items():
            total[zone] = total.get(zone, 0) + count
    there = sum(total.values())
    return tuple(sorted((z for z, n in total.items() if there - n < needed), key=lambda z: z.key))


def sole_source_causes(service: ecs.Service, links: Links) -> tuple[Cause, ...]:
    """The service, and each target group whose every usable target is a task of the services behind it: one cause for both."""
    causes = [Cause(service.serviceArn)]
    for arn in target_groups_of(service):
        own = {i for s in links.ecs.feeders.get(arn, ()) for t in links.ecs.seen_tasks(s) for i in _ids(t, links)}
        health = links.inventory.listing(elbv2.TARGET_HEALTH, arn)
        usable = [h.Target.Id for h in health if h.TargetHealth.State not in ("unused", "draining")]
        if health.complete and usable and all(i in own for i in usable):
            causes.append(Cause(arn))
    return tuple(causes)


def _ids(task: ecs.Task, links: Links) -> Iterator[str]:
    """What a task is registered by: its addresses, or the instance it is on."""
    for attachment in task.attachments:
        yield from (d.value for d in attachment.details if d.name == "privateIPv4Address")
    for interface in (i for c in task.containers for i in c.networkInterfaces):
        yield from (a for a in (interface.privateIpv4Address, interface.ipv6Address) if a)
    if task.containerInstanceArn:
        instance = links.inventory.one(ecs.CONTAINER_INSTANCES, task.containerInstanceArn)
        if not isinstance(instance, Unknown):
            yield instance.ec2InstanceId
