"""Settings of target groups that decide over zones: parts of the facts of a target group."""

from __future__ import annotations

from typing import Annotated

from ...model.identity import Zone
from ..node import Fact, Facts

_TG = "elbv2:DescribeTargetGroups"
_TG_ATTR = "elbv2:DescribeTargetGroupAttributes"
_HEALTH = "elbv2:DescribeTargetHealth"


class NamedGroup(Facts, frozen=True, kw_only=True):
    """A target group by name and ARN."""

    TargetGroupName: Annotated[str, Fact("name of the target group", _TG)]
    TargetGroupArn: Annotated[str, Fact("ARN of the target group", _TG)]


class UnreachableThreshold(Facts, frozen=True, kw_only=True):
    """A minimum of healthy targets that is higher than the number of targets there are."""

    key: Annotated[str, Fact("attribute that sets the minimum", _TG_ATTR)]
    minimum: Annotated[int, Fact("healthy targets it asks for", _TG_ATTR)]
    usable_count: Annotated[int, Fact("targets there are to meet it, neither unused nor draining", _HEALTH)]
    zone: Annotated[Zone | None, Fact("zone it is judged in; null when it is judged over the whole group", _HEALTH)]
    words: Annotated[str, Fact("all of that in words", _TG_ATTR, _HEALTH)]
