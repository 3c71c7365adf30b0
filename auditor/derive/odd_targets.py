"""Which targets are not what they seem: nobody's, a load balancer's own nodes, other load balancers' as well, or anomalous?

Each of the four questions has a file of its own; this one puts the answers together for a group.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .anomalies import anomalies_of
from .balancer_addresses import balancer_addresses
from .group_health import GroupView
from .interfaces import Interfaces
from .links import Links
from .shared_targets import SharedTargets
from .stale_targets import StaleTargets, causes_of


class OddTargetFinder:
    """Indexes over a region; asked for each target group."""

    def __init__(self, views: Iterable[GroupView], links: Links) -> None:
        self._links = links
        self._interfaces = Interfaces(links.inventory)
        self._stale = StaleTargets(links, self._interfaces)
        self._shared = SharedTargets(views, links)

    def facts(self, view: GroupView) -> dict[str, Any]:
        """All facts of one group; nothing odd where it is unattached, or its targets stand in no zone."""
        if not view.has_zones or not view.group.LoadBalancerArns:
            return {
                "stale_targets": (),
                "stale_causes": (),
                "balancer_address_targets": (),
                "shared_with": (),
                "shift_thins_targets": False,
                **anomalies_of(()),
            }
        stale = self._stale.of(view)
        return {
            "stale_targets": stale,
            "stale_causes": causes_of(view, stale),
            "balancer_address_targets": balancer_addresses(view, self._links, self._interfaces),
            "shared_with": self._shared.of(view),
            "shift_thins_targets": self._shared.thins(view),
            **anomalies_of(view.targets),
        }
