"""The short form of measured traffic."""

from __future__ import annotations

import msgspec


class Traffic(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What CloudWatch counted of a load balancer: the busiest period of the window, and a quiet one that has half of it.

    `peak` are requests or new flows a second, `groups` requests a second to each target group, where there are several. `shares`
    is the part of each zone; one that is not named has published nothing. `bytes` are those of the window. What is left out was
    not published.
    """

    peak: float | None = None
    groups: dict[str, float] = {}
    shares: dict[str, float] = {}
    bytes: float | None = None
