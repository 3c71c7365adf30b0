"""NAT gateways, and the route tables that lead to them where there are any."""

from ..model import vpc
from .call import Call, View, once


def _any_gateway(view: View) -> bool:
    return any(g.State == "available" for g in view.listing(vpc.NAT_GATEWAYS))


NAT_GATEWAYS = Call(vpc.NAT_GATEWAYS, page_size=1000)
ROUTE_TABLES = Call(vpc.ROUTE_TABLES, once(_any_gateway), depends=(vpc.NAT_GATEWAYS,), page_size=100)
