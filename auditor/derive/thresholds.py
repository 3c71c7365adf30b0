"""Target group health thresholds: when is a zone still published, when does a node fail open?

https://docs.aws.amazon.com/elasticloadbalancing/latest/network/load-balancer-target-groups.html#target-group-health
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from ..model.known import Known, Unknown, unclear
from ..model.verdict import Truth

DNS_KEY = "target_group_health.dns_failover.minimum_healthy_targets"
ROUTING_KEY = "target_group_health.unhealthy_state_routing.minimum_healthy_targets"


class Threshold(msgspec.Struct, frozen=True):
    """A minimum of healthy targets as a count and as a percentage; None is ``off``. A breach of either is enough."""

    count: int | None
    percentage: int | None

    def met(self, healthy: int, total: int) -> bool:
        """Whether `healthy` of `total` targets satisfy both parts."""
        if self.count is not None and healthy < self.count:
            return False
        return self.percentage is None or total == 0 or 100 * healthy >= self.percentage * total


class Count(msgspec.Struct, frozen=True):
    """Usable targets in some scope: how many, how many healthy, how many not yet judged by their health check."""

    total: int
    healthy: int
    pending: int

    def __add__(self, other: Count) -> Count:
        """Both scopes together."""
        return Count(self.total + other.total, self.healthy + other.healthy, self.pending + other.pending)


def meets(threshold: Threshold, count: Count) -> Truth:
    """Whether the threshold is met, whatever becomes of the targets still pending; unknown when they would decide."""
    worst = threshold.met(count.healthy, count.total)
    best = threshold.met(count.healthy + count.pending, count.total)
    if worst == best:
        return worst
    return unclear(f"{count.pending} of {count.total} targets are not yet judged by their health check")


def _number(text: str) -> int | None:
    return int(text) if text.isdigit() else None


def dns_threshold(attributes: Known[Mapping[str, str]]) -> Known[Threshold]:
    """When a zone leaves DNS. AWS's pages disagree on the default of the count, so an absent key is unknown."""
    if isinstance(attributes, Unknown):
        return attributes
    count, percentage = attributes.get(f"{DNS_KEY}.count"), attributes.get(f"{DNS_KEY}.percentage", "off")
    if count is None:
        return unclear(f"AWS did not return {DNS_KEY}.count, and its documents disagree on the default")
    return Threshold(_number(count), _number(percentage))


def routing_threshold(attributes: Known[Mapping[str, str]]) -> Known[Threshold]:
    """When a node sends to failing targets. The count cannot be switched off; 1 is the documented default."""
    if isinstance(attributes, Unknown):
        return attributes
    return Threshold(
        _number(attributes.get(f"{ROUTING_KEY}.count", "1")) or 1,
        _number(attributes.get(f"{ROUTING_KEY}.percentage", "off")),
    )


def part_of(attributes: Known[Mapping[str, str]], key: str) -> Known[int | None]:
    """One minimum by its key, None for ``off``; what AWS left out is off, 1 (routing count), or unclear (DNS count)."""
    if isinstance(attributes, Unknown):
        return attributes
    if key.endswith(".percentage"):
        return _number(attributes.get(key, "off"))
    found = dns_threshold(attributes) if key.startswith(DNS_KEY) else routing_threshold(attributes)
    return found if isinstance(found, Unknown) else found.count
