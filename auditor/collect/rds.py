"""Amazon RDS and Aurora. Instances carry their subnet group, and both kinds their tags; only proxies' tags are asked for."""

from collections.abc import Iterator

from ..model import rds
from .call import Call, View, each

PAGE = 100


def _proxies(view: View) -> Iterator[str]:
    return (p.DBProxyArn for p in view.listing(rds.DB_PROXIES) if p.DBProxyArn)


DB_INSTANCES = Call(rds.DB_INSTANCES, page_size=PAGE)
DB_CLUSTERS = Call(rds.DB_CLUSTERS, page_size=PAGE)
DB_PROXIES = Call(rds.DB_PROXIES, page_size=PAGE)
DB_PROXY_TAGS = Call(rds.DB_PROXY_TAGS, each("ResourceName", _proxies), depends=(rds.DB_PROXIES,))
