"""Names of things: accounts, regions, zones and ARNs. A zone name is per account, a zone ID is physical."""

from __future__ import annotations

from typing import NewType

import msgspec

AccountId = NewType("AccountId", str)
RegionName = NewType("RegionName", str)
ZoneId = NewType("ZoneId", str)
ZoneName = NewType("ZoneName", str)
Arn = NewType("Arn", str)


class Zone(msgspec.Struct, frozen=True, order=True):
    """One Availability Zone as this account sees it. `id` is None only when no answer maps the name to an ID."""

    id: ZoneId | None
    name: ZoneName | None

    @property
    def key(self) -> str:
        """The zone ID; or, where no answer gives it, the name behind a question mark, so that the two never meet."""
        return self.id or f"?{self.name}"

    def __str__(self) -> str:
        if self.id and self.name:
            return f"{self.id} ({self.name})"
        return self.id or f"{self.name} (zone ID not read)"


class Resource(msgspec.Struct, frozen=True, kw_only=True):
    """What a finding is about. `type` is the CloudFormation type."""

    type: str
    arn: str
    name: str
    account_id: AccountId
    region: RegionName


def arn_part(arn: str, index: int) -> str:
    """Part `index` of an ARN (1 partition, 2 service, 3 region, 4 account, 5 resource), or "" where there is none."""
    parts = arn.split(":", 5)
    return parts[index] if len(parts) > index else ""
