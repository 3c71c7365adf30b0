"""Resources that ARC can shift, and the zones of those it manages."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from ...model.identity import Zone
from ...model.known import Known
from ..node import Fact, Facts, Node

_LIST = "arc-zonal-shift:ListManagedResources"
_SHIFTS = "arc-zonal-shift:ListZonalShifts"
_SWITCHES = (
    "elbv2:DescribeLoadBalancerAttributes#zonal_shift.config.enabled",
    "autoscaling:DescribeAutoScalingGroups#AvailabilityZoneImpairmentPolicy.ZonalShiftEnabled",
    "eks:DescribeCluster#zonalShiftConfig.enabled",
)


class ShiftResource(Node, frozen=True, kw_only=True):
    """A load balancer, Auto Scaling group or EKS cluster that ARC can shift, or that ARC lists."""

    name: Annotated[str, Fact("name of the resource", _LIST)]
    own_switch: Annotated[
        Known[bool | None],
        Fact("the resource's own zonal-shift switch; null when the resource itself was not found", *_SWITCHES),
    ]
    listed: Annotated[Known[bool], Fact("whether ARC lists it as managed", _LIST + "#arn")]
    settling: Annotated[
        Known[bool],
        Fact("whether the resource is still being made", "elbv2:DescribeLoadBalancers#State.Code"),
    ]


class AppliedShift(Facts, frozen=True, kw_only=True):
    """A shift that moves traffic now."""

    kind: Annotated[str, Fact("customer shift, autoshift, practice run or experiment", _LIST + "#zonalShifts")]
    kind_words: Annotated[str, Fact("kind of the shift", _LIST + "#zonalShifts")]
    kind_reported: Annotated[bool, Fact("whether ARC said the type", _LIST + "#zonalShifts")]
    zone: Annotated[Zone, Fact("zone that traffic leaves", _LIST + "#zonalShifts")]
    shift_id: Annotated[str, Fact("ARC's ID of the shift; empty for an autoshift", _LIST + "#zonalShifts")]
    since: Annotated[datetime | None, Fact("start time", _LIST + "#zonalShifts")]
    since_words: Annotated[str, Fact("start", _LIST + "#zonalShifts")]
    until: Annotated[
        datetime | None, Fact("expiry time; null for an autoshift or practice run", _LIST + "#zonalShifts")
    ]
    until_words: Annotated[str, Fact("end", _LIST)]
    comment: Annotated[str, Fact("the comment it was started with", _LIST)]


class ManagedResourceZone(Node, frozen=True, kw_only=True):
    """One zone of a resource that ARC manages."""

    name: Annotated[str, Fact("name of the resource", _LIST)]
    zone: Annotated[Zone, Fact("the zone", _LIST + "#availabilityZones", "ec2:DescribeAvailabilityZones")]
    shift: Annotated[
        AppliedShift | None, Fact("the shift applied away from this zone; null when none is", _LIST + "#zonalShifts")
    ]
    shift_applied: Annotated[
        bool, Fact("whether a shift is applied away from this zone", _LIST + "#zonalShifts", _SHIFTS)
    ]
    changed_while_reading: Annotated[
        Known[bool], Fact("whether ARC's state differed between the first and the last reading", _LIST)
    ]
    reading_note: Annotated[str, Fact("a remark when ARC's state changed while it was read, else empty", _LIST)]
    used: Annotated[
        Known[bool],
        Fact("whether the resource itself uses the zone", _LIST, "autoscaling:DescribeAutoScalingGroups"),
    ]
    weight: Annotated[
        Known[float], Fact("weight ARC applies to the zone: 1, or 0 for no traffic", _LIST + "#appliedWeights")
    ]
    named_by_shift: Annotated[
        bool,
        Fact(
            "whether any active shift or autoshift of the resource, applied or not, is away from the zone",
            _LIST + "#zonalShifts",
            _LIST + "#autoshifts",
        ),
    ]
    practice_configured: Annotated[
        Known[bool], Fact("whether the resource has a practice-run configuration", _LIST + "#practiceRunStatus")
    ]
    practised: Annotated[
        Known[bool],
        Fact("whether a successful practice run or an ended customer shift away from the zone is on record", _SHIFTS),
    ]
