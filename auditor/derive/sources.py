"""Do those who fill a target group want nothing in it?

An Auto Scaling group or an ECS service that is scaled to zero leaves its target group empty on purpose.
"""

from __future__ import annotations

from ..model import autoscaling
from ..model.known import merge
from ..model.verdict import Truth
from .links import Links


def wants_zero(target_group: str, links: Links) -> Truth:
    """Whether every Auto Scaling group and ECS service that fills a target group wants 0; false where nothing fills it.

    One that wants something decides. Unknown while one of them may not have been seen.
    """
    groups = links.feeders.get(target_group, ())
    services = links.ecs.feeders.get(target_group, ())
    if any((g.DesiredCapacity or 0) > 0 for g in groups) or any(s.desiredCount > 0 for s in services):
        return False
    listing = links.inventory.listing(autoscaling.AUTO_SCALING_GROUPS)
    unknowns = [] if listing.complete else [listing.unknown]
    unknowns += [] if links.ecs.unread is None else [links.ecs.unread]
    return merge(unknowns) if unknowns else bool(groups or services)
