"""What a read of AWS gives: the declaration that collection, decoding, the IAM policy and evidence all stand on."""

from __future__ import annotations

import dataclasses
from typing import Any, Generic, TypeVar

T = TypeVar("T")

# The IAM prefix where it differs from botocore's service name.
_IAM_PREFIX = {"elbv2": "elasticloadbalancing", "elb": "elasticloadbalancing"}


@dataclasses.dataclass(frozen=True, slots=True)
class Read(Generic[T]):
    """One read operation and the shape of what it returns.

    Attributes:
        service: botocore's service name, such as ``elbv2``.
        operation: the API operation; always a Describe, List or Get.
        items: key of the answer that holds the items; "" when the whole answer is one item. A dotted path may step in.
        of: the struct one item is decoded into.
        key: request parameter that names the parent the answer belongs to, such as ``TargetGroupArn``; "" for a listing
            of the region. Where the parameter holds a list (a batch), `item_key` says which field of an item names its parent.
        item_key: see `key`.
        identity: field of an item that identifies it; folds duplicates across pages and lets a vanished resource be dropped.
        regional: whether the answer is about the region asked; false where any region tells the same of the account.
        drops: fields removed before an answer is written to a recording (dotted; lists are stepped through).
    """

    service: str
    operation: str
    items: str
    of: type[T]
    key: str = ""
    item_key: str = ""
    identity: str = ""
    drops: tuple[str, ...] = ()
    regional: bool = True

    @property
    def action(self) -> str:
        """The IAM action that permits this read."""
        return f"{_IAM_PREFIX.get(self.service, self.service)}:{self.operation}"

    @property
    def source(self) -> str:
        """How evidence names this read, such as ``elbv2:DescribeTargetHealth``."""
        return f"{self.service}:{self.operation}"


AnyRead = Read[Any]
