"""Amazon ECS: services in tens, tasks and container instances in hundreds, capacity providers that services name.

Tasks are listed by cluster, not by service: a service has a handful, so that one page often holds those of twenty services.
Only clusters in which a service runs some are asked, and for container instances only those where the zones of a service follow
from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ..model import ecs
from ..model.known import Unknown
from ..model.read import Read
from .call import Call, Params, Requests, View, each

PAGE = 100
SERVICES_A_CALL = 10
OTHERS_A_CALL = 100
# AWS answers with ten at most, however many are named, and botocore does not page this operation.
PROVIDERS_A_CALL = 10


def _clusters(view: View) -> Iterator[str]:
    return iter(view.listing(ecs.CLUSTER_ARNS))


def _services(view: View, cluster: str) -> Iterator[ecs.Service]:
    for arn in view.listing(ecs.SERVICE_ARNS, cluster):
        service = view.one(ecs.SERVICES, arn)
        if not isinstance(service, Unknown) and ecs.active(service):
            yield service


def _where(test: Callable[[ecs.Service], bool]) -> Callable[[View], Iterator[str]]:
    """Clusters with a service that passes a test."""
    return lambda view: (c for c in _clusters(view) if any(test(s) for s in _services(view, c)))


def _in_batches(parameter: str, parents: Callable[[View, str], Iterable[str]], size: int, **params: object) -> Requests:
    """One request per cluster and `size` parents."""

    def requests(view: View) -> Iterator[Params]:
        for cluster in _clusters(view):
            names = list(dict.fromkeys(parents(view, cluster)))
            for start in range(0, len(names), size):
                yield {"cluster": cluster, parameter: names[start : start + size], **params}

    return requests


def _listed(read: Read[str]) -> Callable[[View, str], Iterable[str]]:
    return lambda view, cluster: view.listing(read, cluster)


def _providers(view: View, cluster: str) -> Iterator[str]:
    for service in _services(view, cluster):
        yield from (p for p in ecs.providers_of(service) if p not in ecs.FARGATE_PROVIDERS)


_KNOWN = (ecs.CLUSTER_ARNS, ecs.SERVICE_ARNS, ecs.SERVICES)

CLUSTER_ARNS = Call(ecs.CLUSTER_ARNS, page_size=PAGE)
SERVICE_ARNS = Call(ecs.SERVICE_ARNS, each("cluster", _clusters), depends=(ecs.CLUSTER_ARNS,), page_size=PAGE)
SERVICES = Call(
    ecs.SERVICES,
    _in_batches("services", _listed(ecs.SERVICE_ARNS), SERVICES_A_CALL, include=["TAGS"]),
    depends=(ecs.CLUSTER_ARNS, ecs.SERVICE_ARNS),
)
TASK_ARNS = Call(
    ecs.TASK_ARNS,
    each("cluster", _where(ecs.runs_tasks), desiredStatus="RUNNING"),
    depends=_KNOWN,
    page_size=PAGE,
    fades=True,
)
TASKS = Call(
    ecs.TASKS,
    _in_batches("tasks", _listed(ecs.TASK_ARNS), OTHERS_A_CALL),
    depends=(ecs.CLUSTER_ARNS, ecs.TASK_ARNS),
)
CONTAINER_INSTANCE_ARNS = Call(
    ecs.CONTAINER_INSTANCE_ARNS,
    each("cluster", _where(ecs.placed_by_instances), status="ACTIVE"),
    depends=_KNOWN,
    page_size=PAGE,
)
CONTAINER_INSTANCES = Call(
    ecs.CONTAINER_INSTANCES,
    _in_batches("containerInstances", _listed(ecs.CONTAINER_INSTANCE_ARNS), OTHERS_A_CALL),
    depends=(ecs.CLUSTER_ARNS, ecs.CONTAINER_INSTANCE_ARNS),
)
CAPACITY_PROVIDERS = Call(
    ecs.CAPACITY_PROVIDERS, _in_batches("capacityProviders", _providers, PROVIDERS_A_CALL), depends=_KNOWN
)
