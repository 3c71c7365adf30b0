"""The short form of ECS clusters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

import msgspec

_FARGATE = ("FARGATE", "FARGATE_SPOT")


class EcsForm(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of these parts of the form."""


class EcsService(EcsForm, frozen=True, kw_only=True):
    """A service. `tasks` maps a zone to a number of running tasks, or to text such as ``2, 1 PENDING``.

    `subnets` are the zones of its subnets; without them tasks use the network of their container instances. It runs on Fargate
    where it has subnets and neither `launch` nor `providers` says otherwise, else on EC2. A placement strategy is written as
    ``spread zone``, ``binpack memory`` or ``random``. `pinned` are the zones of a placement constraint, `constraints` further
    expressions of such. `alternates` are the second target groups of blue/green deployments, `running` is what the service says
    of its running tasks where that is not what there is. Tasks of an `unzoned` service name no zone. `lost_subnets` are in no
    listing. An `external` deployment controller keeps network, launch type and load balancers in a task set.
    """

    desired: int
    tasks: dict[str, str | int] = {}
    subnets: tuple[str, ...] = ()
    lost_subnets: tuple[str, ...] = ()
    launch: Literal["FARGATE", "EC2", "EXTERNAL", "MANAGED_INSTANCES"] | None = None
    providers: tuple[str, ...] = ()
    target_groups: tuple[str, ...] = ()
    alternates: tuple[str, ...] = ()
    lost_target_groups: tuple[str, ...] = ()
    classic: str | None = None
    scheduling: Literal["REPLICA", "DAEMON"] = "REPLICA"
    controller: Literal["ECS", "CODE_DEPLOY", "EXTERNAL"] = "ECS"
    rebalancing: Literal["ENABLED", "DISABLED", "absent"] = "ENABLED"
    placement: tuple[str, ...] = ()
    pinned: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    maximum_percent: int = 200
    deploying: bool = False
    running: int | None = None
    unzoned: bool = False
    status: Literal["ACTIVE", "DRAINING", "INACTIVE"] = "ACTIVE"
    tags: dict[str, str] = {}

    @property
    def launch_type(self) -> str | None:
        """Launch type as AWS gives it; None beside capacity providers."""
        return None if self.providers else self.launch or ("FARGATE" if self.subnets else "EC2")


class EcsCluster(EcsForm, frozen=True, kw_only=True):
    """A cluster. Its container instances are those of the Auto Scaling groups `of`, and `instances` of a number per zone.

    `providers` maps a capacity provider to its Auto Scaling group, or to ``managed`` for instances that ECS manages itself; the
    instances of such a group carry the provider's name. `attributes` are further attributes of the instances of a zone; one with
    the value ``absent`` is taken away. `standalone` are running tasks of no service, `gone` names of services that are listed
    and then not there.
    """

    services: dict[str, EcsService] = {}
    of: tuple[str, ...] = ()
    instances: dict[str, str | int] = {}
    providers: dict[str, str] = {}
    attributes: dict[str, dict[str, str]] = {}
    standalone: dict[str, int] = {}
    gone: tuple[str, ...] = ()


MANAGED = "managed"


def counted(value: str | int) -> dict[str, int]:
    """Tasks or instances by status: ``2, 1 PENDING`` has two that are ``RUNNING``.

    Raises:
        ValueError: text of another form.
    """
    found: dict[str, int] = {}
    for part in str(value).split(","):
        number, _, status = part.strip().partition(" ")
        found[status or ""] = found.get(status or "", 0) + int(number)
    return found


def zone_lists(clusters: Mapping[str, EcsCluster]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every zone these parts speak of, with its place."""
    for name, cluster in clusters.items():
        yield f"ecs.{name}.instances", (*cluster.instances, *cluster.attributes, *cluster.standalone)
        for key, service in cluster.services.items():
            yield f"ecs.{name}.services.{key}", (*service.subnets, *service.tasks, *service.pinned)


def names_named(
    clusters: Mapping[str, EcsCluster],
    groups: Mapping[str, Any],
    targets: Mapping[str, Any],
    balancers: Mapping[str, Any],
) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Every name that must exist, with its place and where it must exist."""
    for name, cluster in clusters.items():
        yield from ((f"ecs.{name}.of", group, groups) for group in cluster.of)
        yield from ((f"ecs.{name}.providers", g, groups) for g in cluster.providers.values() if g != MANAGED)
        for key, service in cluster.services.items():
            place = f"ecs.{name}.services.{key}"
            yield from ((place, group, targets) for group in (*service.target_groups, *service.alternates))
            yield from ((place, p, {**cluster.providers, **dict.fromkeys(_FARGATE)}) for p in service.providers)
            yield from ((place, service.classic, balancers) for _ in "x" if service.classic)


def fed(clusters: Mapping[str, EcsCluster], group: str) -> Iterator[tuple[str, str]]:
    """What stands in a target group because services register their tasks with it: zone and shorthand."""
    for cluster in clusters.values():
        for service in cluster.services.values():
            if group in service.target_groups:
                for zone, value in service.tasks.items():
                    for status, number in counted(value).items():
                        yield zone, f"{number} {'initial' if status else 'healthy'}"


def hosting(clusters: Mapping[str, EcsCluster], group: str) -> Iterator[str]:
    """Auto Scaling groups whose instances run the tasks that are registered with a target group."""
    for cluster in clusters.values():
        if any(group in service.target_groups for service in cluster.services.values()):
            yield from dict.fromkeys([*cluster.of, *(g for g in cluster.providers.values() if g != MANAGED)])
