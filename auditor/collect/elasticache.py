"""Amazon ElastiCache: replication groups and their tags. Nodes without replicas, and serverless caches, are not read."""

from collections.abc import Iterator

from ..model import elasticache
from .call import Call, View, each

PAGE = 100


def _groups(view: View) -> Iterator[str]:
    return (g.ARN for g in view.listing(elasticache.REPLICATION_GROUPS) if g.ARN)


REPLICATION_GROUPS = Call(elasticache.REPLICATION_GROUPS, page_size=PAGE)
CACHE_TAGS = Call(elasticache.CACHE_TAGS, each("ResourceName", _groups), depends=(elasticache.REPLICATION_GROUPS,))
