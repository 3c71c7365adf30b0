"""Amazon EKS: clusters, managed node groups, Fargate profiles."""

from collections.abc import Iterator

from ..model import eks
from ..model.read import Read
from .call import Call, Params, Requests, View, each

PAGE = 100


def _clusters(view: View) -> Iterator[str]:
    return iter(view.listing(eks.CLUSTER_NAMES))


def _within_clusters(names: Read[str], parameter: str) -> Requests:
    def requests(view: View) -> Iterator[Params]:
        for cluster in _clusters(view):
            for name in view.listing(names, cluster):
                yield {"clusterName": cluster, parameter: name}

    return requests


CLUSTER_NAMES = Call(eks.CLUSTER_NAMES, page_size=PAGE)
CLUSTER = Call(eks.CLUSTER, each("name", _clusters), depends=(eks.CLUSTER_NAMES,))
NODEGROUP_NAMES = Call(
    eks.NODEGROUP_NAMES, each("clusterName", _clusters), depends=(eks.CLUSTER_NAMES,), page_size=PAGE
)
NODEGROUP = Call(
    eks.NODEGROUP,
    _within_clusters(eks.NODEGROUP_NAMES, "nodegroupName"),
    depends=(eks.CLUSTER_NAMES, eks.NODEGROUP_NAMES),
)
FARGATE_PROFILE_NAMES = Call(
    eks.FARGATE_PROFILE_NAMES, each("clusterName", _clusters), depends=(eks.CLUSTER_NAMES,), page_size=PAGE
)
FARGATE_PROFILE = Call(
    eks.FARGATE_PROFILE,
    _within_clusters(eks.FARGATE_PROFILE_NAMES, "fargateProfileName"),
    depends=(eks.CLUSTER_NAMES, eks.FARGATE_PROFILE_NAMES),
)
