"""What does ECS run here, for which target groups, and on which Auto Scaling groups?

Only services that are active count; one that is drained or was deleted runs nothing that matters.
https://docs.aws.amazon.com/AmazonECS/latest/developerguide/ecs_services.html
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from ..model import autoscaling, ecs
from ..model.inventory import RegionInventory
from ..model.known import Known, Reason, Unknown, merge, unclear

# Put by ECS on the Auto Scaling groups of its capacity providers. Without it a group may still be one of them.
_MANAGED_TAG = "AmazonECSManaged"


class EcsEstate:
    """The services of a region with their tasks and what these may run on; built once, asked by other files of this package."""

    def __init__(self, inventory: RegionInventory) -> None:
        self.inventory = inventory
        self.gaps: list[Reason] = list(inventory.listing(ecs.CLUSTER_ARNS).gaps)
        self.services: tuple[ecs.Service, ...] = tuple(sorted(self._read(), key=lambda s: (s.serviceArn, s.clusterArn)))

    def _read(self) -> Iterator[ecs.Service]:
        inventory = self.inventory
        for cluster in sorted(inventory.listing(ecs.CLUSTER_ARNS)):
            if inventory.vanished(ecs.SERVICE_ARNS, cluster):
                continue
            listing = inventory.listing(ecs.SERVICE_ARNS, cluster)
            self.gaps += listing.gaps
            for arn in sorted(a for a in listing if not inventory.vanished(ecs.SERVICES, a)):
                described = inventory.listing(ecs.SERVICES, arn)
                # An ARN of the older form lacks the cluster, so two clusters may hold a service of the same ARN.
                found = [s for s in described if s.clusterArn in ("", cluster)]
                if not found:
                    self.gaps += described.gaps or unclear(f"AWS does not describe the service {arn}").reasons
                yield from (s for s in found[:1] if ecs.active(s))

    @cached_property
    def unread(self) -> Unknown | None:
        """Why there may be more services, or None. What the scan left out by choice says nothing here."""
        reasons = tuple(dict.fromkeys(r for r in self.gaps if r.kind != "not_chosen"))
        return Unknown(reasons) if reasons else None

    @cached_property
    def feeders(self) -> Mapping[str, tuple[ecs.Service, ...]]:
        """Services by the ARN of the target groups they register tasks with."""
        found: dict[str, list[ecs.Service]] = {}
        for service in self.services:
            for arn in target_groups_of(service):
                found.setdefault(arn, []).append(service)
        return {arn: tuple(services) for arn, services in found.items()}

    # What tasks run on

    def scaling_group(self, provider: str) -> Known[str | None]:
        """Name of the Auto Scaling group behind a capacity provider; None for one that has none, such as Fargate."""
        if provider in ecs.FARGATE_PROVIDERS or self.inventory.vanished(ecs.CAPACITY_PROVIDERS, provider):
            return None
        found = self.inventory.one(ecs.CAPACITY_PROVIDERS, provider)
        if isinstance(found, Unknown):
            return found
        behind = found.autoScalingGroupProvider
        return ecs.short_name(behind.autoScalingGroupArn) if behind else None

    @cached_property
    def _groups(self) -> tuple[Mapping[str, tuple[str, ...]], tuple[Unknown, ...]]:
        found: dict[str, list[str]] = {}
        unknowns: list[Unknown] = []
        for service in self.services:
            for provider in ecs.providers_of(service):
                name = self.scaling_group(provider)
                if isinstance(name, Unknown):
                    unknowns.append(name)
                elif name is not None:
                    found.setdefault(name, []).append(service.serviceArn)
        return {name: tuple(dict.fromkeys(arns)) for name, arns in found.items()}, tuple(unknowns)

    def carried(self, name: str) -> tuple[str, ...]:
        """ARNs of services whose capacity providers have the Auto Scaling group of this name."""
        return self._groups[0].get(name, ())

    @cached_property
    def providers_unread(self) -> Unknown | None:
        """Why an Auto Scaling group may carry services that are not seen to run on it, or None."""
        unknowns = [*([] if self.unread is None else [self.unread]), *self._groups[1]]
        return merge(unknowns) if unknowns else None

    def may_carry(self, group: autoscaling.AutoScalingGroup) -> Unknown | None:
        """Why a group may carry services that are not seen to run on it.

        Where ECS was left out by choice, only a group that ECS has marked is in doubt.
        """
        if self.providers_unread is not None:
            return self.providers_unread
        left_out = Unknown(tuple(self.gaps)).unchosen
        marked = any(t.Key == _MANAGED_TAG for t in group.Tags)
        return left_out if marked else None

    # Tasks

    @cached_property
    def _tasks(self) -> tuple[Mapping[tuple[str, str], tuple[ecs.Task, ...]], Mapping[str, Unknown]]:
        found: dict[tuple[str, str], list[ecs.Task]] = {}
        unread: dict[str, Unknown] = {}
        for cluster in sorted({s.clusterArn for s in self.services}):
            listing = self.inventory.listing(ecs.TASK_ARNS, cluster)
            reasons = list(listing.gaps)
            for arn in sorted(a for a in listing if not self.inventory.vanished(ecs.TASKS, a)):
                task = self.inventory.one(ecs.TASKS, arn)
                if isinstance(task, Unknown):
                    reasons += task.reasons
                elif task.lastStatus == "RUNNING":
                    found.setdefault((cluster, task.group), []).append(task)
            if reasons:
                unread[cluster] = Unknown(tuple(dict.fromkeys(reasons)))
        return {key: tuple(tasks) for key, tasks in found.items()}, unread

    def seen_tasks(self, service: ecs.Service) -> tuple[ecs.Task, ...]:
        """Running tasks of a service that were read."""
        return self._tasks[0].get((service.clusterArn, f"service:{service.serviceName}"), ())

    def tasks(self, service: ecs.Service) -> Known[tuple[ecs.Task, ...]]:
        """Running tasks of a service; unknown while one of its cluster was not read, which may be its own."""
        if not ecs.runs_tasks(service):
            return ()
        return self._tasks[1].get(service.clusterArn, self.seen_tasks(service))

    def instances(self, cluster: str) -> tuple[tuple[ecs.ContainerInstance, ...], Unknown | None]:
        """Container instances of a cluster that take tasks, and why there may be more."""
        listing = self.inventory.listing(ecs.CONTAINER_INSTANCE_ARNS, cluster)
        reasons, found = list(listing.gaps), []
        for arn in sorted(a for a in listing if not self.inventory.vanished(ecs.CONTAINER_INSTANCES, a)):
            instance = self.inventory.one(ecs.CONTAINER_INSTANCES, arn)
            if isinstance(instance, Unknown):
                reasons += instance.reasons
            elif instance.status == "ACTIVE":
                found.append(instance)
        return tuple(found), Unknown(tuple(dict.fromkeys(reasons))) if reasons else None


def target_groups_of(service: ecs.Service) -> tuple[str, ...]:
    """ARNs of the target groups a service registers tasks with, those of blue/green deployments included."""
    return tuple(
        dict.fromkeys(_registered(service.loadBalancers + [b for s in service.taskSets for b in s.loadBalancers]))
    )


def _registered(balancers: Iterable[ecs.ServiceLoadBalancer]) -> Iterator[str]:
    for balancer in balancers:
        if balancer.targetGroupArn:
            yield balancer.targetGroupArn
        more = balancer.advancedConfiguration
        if more and more.alternateTargetGroupArn:
            yield more.alternateTargetGroupArn
