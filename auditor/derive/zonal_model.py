"""The zonal model: per account and region, every subject a rule can judge."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from ..model.inventory import Inventory, RegionInventory
from ..model.known import Listing
from .node import Node


class RegionModel(msgspec.Struct, frozen=True, kw_only=True):
    """Subjects of one scope, by subject name (``TargetGroup``, …). A listing has gaps where subjects may be missing."""

    inventory: RegionInventory
    subjects: dict[str, Listing[Node]]

    def of(self, subject: str) -> Listing[Node]:
        """Subjects of one kind."""
        return self.subjects[subject]


class ZonalModel(msgspec.Struct, frozen=True, kw_only=True):
    """The whole estate."""

    inventory: Inventory
    regions: tuple[RegionModel, ...]

    def __iter__(self) -> Iterator[RegionModel]:
        return iter(self.regions)
