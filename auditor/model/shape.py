"""Base of all AWS shapes: frozen, keyword-only, in AWS's own spelling; a member that AWS left out is None or empty."""

from __future__ import annotations

import msgspec


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """A structure as the AWS API returns it, cut down to the members this program reads. Unknown members are ignored."""


class Tag(Shape, frozen=True, kw_only=True):
    """A tag of ELB, EC2 or Auto Scaling."""

    Key: str = ""
    Value: str = ""


class KeyValue(Shape, frozen=True, kw_only=True):
    """An attribute of a load balancer or target group. Values are strings, booleans included."""

    Key: str = ""
    Value: str = ""
