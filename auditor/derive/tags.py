"""Tags of a resource, or why they are not known. Unread tags are a gap, never "no tags"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..model import elb, elbv2
from ..model.inventory import RegionInventory
from ..model.known import Known
from ..model.shape import Tag


def as_mapping(tags: Iterable[Tag]) -> Mapping[str, str]:
    """Tag pairs as a mapping."""
    return {t.Key: t.Value for t in tags}


def group_tags(arn: str, inventory: RegionInventory) -> Known[Mapping[str, str]]:
    """Tags of a load balancer or target group by ARN (DescribeTags)."""
    listing = inventory.listing(elbv2.TAGS, arn)
    return as_mapping(t for d in listing for t in d.Tags) if listing.complete else listing.unknown


def classic_tags(name: str, inventory: RegionInventory) -> Known[Mapping[str, str]]:
    """Tags of a Classic Load Balancer by name."""
    listing = inventory.listing(elb.TAGS, name)
    return as_mapping(t for d in listing for t in d.Tags) if listing.complete else listing.unknown
