"""Amazon EC2 Auto Scaling: groups; warm pools where there are any; scheduled actions when there is a group to schedule."""

from collections.abc import Iterator

from ..model import autoscaling
from .call import Call, View, each, once

PAGE = 100


def _with_warm_pool(view: View) -> Iterator[str]:
    groups = view.listing(autoscaling.AUTO_SCALING_GROUPS)
    return (g.AutoScalingGroupName for g in groups if g.WarmPoolConfiguration is not None)


def _any_group(view: View) -> bool:
    return len(view.listing(autoscaling.AUTO_SCALING_GROUPS)) > 0


AUTO_SCALING_GROUPS = Call(autoscaling.AUTO_SCALING_GROUPS, page_size=PAGE)
WARM_POOL = Call(
    autoscaling.WARM_POOL,
    each("AutoScalingGroupName", _with_warm_pool),
    depends=(autoscaling.AUTO_SCALING_GROUPS,),
    page_size=50,
)
SCHEDULED_ACTIONS = Call(
    autoscaling.SCHEDULED_ACTIONS,
    once(_any_group),
    depends=(autoscaling.AUTO_SCALING_GROUPS,),
    page_size=PAGE,
)
