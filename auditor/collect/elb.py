"""Elastic Load Balancing, Classic. Its reads have a rate limit of their own."""

from collections.abc import Iterator

from ..model import elb
from .call import Call, View, batches, each

TAGS_AT_ONCE = 20


def _balancers(view: View) -> Iterator[str]:
    return (b.LoadBalancerName for b in view.listing(elb.LOAD_BALANCERS))


def _with_instances(view: View) -> Iterator[str]:
    return (b.LoadBalancerName for b in view.listing(elb.LOAD_BALANCERS) if b.Instances)


LOAD_BALANCERS = Call(elb.LOAD_BALANCERS, page_size=400)
LOAD_BALANCER_ATTRIBUTES = Call(
    elb.LOAD_BALANCER_ATTRIBUTES, each("LoadBalancerName", _balancers), depends=(elb.LOAD_BALANCERS,)
)
INSTANCE_HEALTH = Call(
    elb.INSTANCE_HEALTH, each("LoadBalancerName", _with_instances), depends=(elb.LOAD_BALANCERS,), fades=True
)
TAGS = Call(
    elb.TAGS,
    batches("LoadBalancerNames", _balancers, TAGS_AT_ONCE),
    depends=(elb.LOAD_BALANCERS,),
)
