"""Resources that ARC manages, each as a whole, and the region's own settings of zonal autoshift."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from ...model.finding import Cause
from ...model.identity import Zone
from ...model.known import Known
from ..node import Fact, Facts, Node
from .shifts import AppliedShift

_LIST = "arc-zonal-shift:ListManagedResources"
_GET = "arc-zonal-shift:GetManagedResource"
_SHIFTS = "arc-zonal-shift:ListZonalShifts"
_AUTOSHIFTS = "arc-zonal-shift:ListAutoshifts"
_ZONES = "ec2:DescribeAvailabilityZones"
_ALARMS = "cloudwatch:DescribeAlarms"
_HEALTH = "elbv2:DescribeTargetHealth"
_LINKS = (
    "elbv2:DescribeLoadBalancers",
    "elbv2:DescribeTargetGroups",
    "elbv2:DescribeListeners",
    "elbv2:DescribeRules",
    _HEALTH,
    "elbv2:DescribeTags",
    "autoscaling:DescribeAutoScalingGroups",
    "eks:DescribeNodegroup",
)
_NO_EFFECT = (
    _LIST,
    _HEALTH,
    "elbv2:DescribeTargetGroups",
    "elbv2:DescribeTargetGroupAttributes",
    "elbv2:DescribeLoadBalancers",
    "elbv2:DescribeLoadBalancerAttributes",
    "elbv2:DescribeListeners",
    "elbv2:DescribeRules",
)


class LayerDifference(Facts, frozen=True, kw_only=True):
    """A managed resource behind a load balancer whose shift is another than that of the load balancer."""

    arn: Annotated[str, Fact("ARN of the resource", _LIST)]
    name: Annotated[str, Fact("name of the resource", _LIST)]
    words: Annotated[str, Fact("its name and its shift, in words", _LIST)]
    practice: Annotated[bool, Fact("whether one of the two shifts is a practice run", _LIST)]
    zones: Annotated[tuple[Zone, ...], Fact("zones that the two shifts move traffic away from", _LIST)]
    behind_arn: Annotated[str, Fact("ARN of the one of the two that should follow the other", _LIST)]
    behind_zone: Annotated[Zone, Fact("zone it should be shifted away from", _LIST)]


class LateLayer(Facts, frozen=True, kw_only=True):
    """A managed resource behind a load balancer whose shift ends too late for the end of the load balancer's."""

    name: Annotated[str, Fact("name of the resource", _LIST)]
    words: Annotated[str, Fact("its name and the end of its shift, in words", _LIST)]
    until: Annotated[datetime, Fact("the end of its shift", _LIST)]


class PracticeAlarm(Facts, frozen=True, kw_only=True):
    """An alarm of a practice-run configuration that cannot do its work."""

    arn: Annotated[str, Fact("ARN of the alarm", _GET)]
    name: Annotated[str, Fact("name of the alarm", _GET)]
    role: Annotated[Literal["outcome", "blocking"], Fact("what the configuration uses it for", _GET)]
    problem: Annotated[str, Fact("what is wrong with it, in words", _ALARMS, _GET)]


class ManagedResource(Node, frozen=True, kw_only=True):
    """A load balancer, Auto Scaling group or EKS cluster that ARC manages."""

    name: Annotated[str, Fact("name of the resource", _LIST)]
    is_load_balancer: Annotated[bool, Fact("whether it is a load balancer", _LIST + "#arn")]
    zone_count: Annotated[
        Known[int],
        Fact("how many zones it uses", _LIST + "#availabilityZones", "autoscaling:DescribeAutoScalingGroups"),
    ]
    shift: Annotated[
        AppliedShift | None, Fact("the shift applied to it now; null when none is", _LIST + "#zonalShifts")
    ]
    shift_applied: Annotated[bool, Fact("whether any shift is applied to it now", _LIST + "#zonalShifts")]
    customer_shift: Annotated[bool, Fact("whether a customer shift is applied to it now", _LIST + "#zonalShifts")]
    minutes_left: Annotated[
        Known[int], Fact("minutes from the end of the scan until the customer shift ends", _LIST + "#zonalShifts")
    ]
    time_left: Annotated[Known[str], Fact("the same in words", _LIST)]
    zone_in_trouble: Annotated[
        Known[bool],
        Fact(
            "whether EC2 reports the shifted zone impaired or unavailable, or an active autoshift names it",
            _AUTOSHIFTS,
            _LIST + "#autoshifts",
            _ZONES,
        ),
    ]
    differing_layers: Annotated[
        Known[tuple[LayerDifference, ...]],
        Fact("managed resources behind this load balancer that are shifted otherwise", _LIST + "#zonalShifts", *_LINKS),
    ]
    behind_arn: Annotated[Known[str], Fact("ARN of the first resource that should follow, or empty", _LIST)]
    behind_zone_id: Annotated[Known[str], Fact("ID of the zone it should be shifted away from, or empty", _LIST)]
    differing_zones: Annotated[Known[tuple[Zone, ...]], Fact("zones those shifts and its own are about", _LIST)]
    own_shift_words: Annotated[str, Fact("its own shift in words", _LIST)]
    differs_in_practice_only: Annotated[
        Known[bool], Fact("whether each of those differences is due to a practice run", _LIST + "#zonalShifts")
    ]
    layers_ending_late: Annotated[
        Known[tuple[LateLayer, ...]],
        Fact(
            "Auto Scaling groups and clusters behind it whose shift away from the same zone ends less than 30 minutes "
            "before its own, or later",
            _LIST + "#zonalShifts",
            *_LINKS,
        ),
    ]
    expiry_needed: Annotated[
        Known[str],
        Fact(
            "how long from the end of the scan its shift must last to end 30 minutes after those, at most 72 hours",
            _LIST,
        ),
    ]
    cross_zone_off: Annotated[
        Known[bool],
        Fact(
            "whether any of its target groups in use has cross-zone off",
            "elbv2:DescribeTargetGroupAttributes",
            "elbv2:DescribeLoadBalancerAttributes",
        ),
    ]
    groups_without_effect: Annotated[
        Known[tuple[str, ...]], Fact("names of its target groups in use for which a shift does nothing", *_NO_EFFECT)
    ]
    without_effect_words: Annotated[Known[tuple[str, ...]], Fact("those, each with a reason", *_NO_EFFECT)]
    without_effect_causes: Annotated[Known[tuple[Cause, ...]], Fact("what those come from", *_NO_EFFECT)]
    masked_zones: Annotated[
        Known[tuple[Zone, ...]],
        Fact("zones of active autoshifts that its customer shift keeps from being applied", _LIST + "#autoshifts"),
    ]
    practice_configured: Annotated[
        Known[bool], Fact("whether it has a practice-run configuration", _LIST + "#practiceRunStatus")
    ]
    autoshift_enabled: Annotated[
        Known[bool], Fact("whether zonal autoshift is enabled on it", _LIST + "#zonalAutoshiftStatus")
    ]
    last_run_outcome: Annotated[
        Known[str | None],
        Fact("outcome of the newest finished practice run on record; null when there is none", _SHIFTS),
    ]
    last_run_words: Annotated[Known[str], Fact("that run in words", _SHIFTS)]
    interrupted_in_a_row: Annotated[Known[int], Fact("how many of the newest practice runs were interrupted", _SHIFTS)]
    practice_overdue: Annotated[
        Known[bool],
        Fact("whether no practice run on record of the last 14 days succeeded, though there were runs before", _SHIFTS),
    ]
    groups_short: Annotated[
        Known[tuple[str, ...]],
        Fact("Auto Scaling groups behind it that lose too much with a zone, by the figures of the settings", *_LINKS),
    ]
    windows_problem: Annotated[
        Known[str], Fact("why windows and dates leave no room for a practice run, or empty", _GET)
    ]
    broken_alarms: Annotated[
        Known[tuple[PracticeAlarm, ...]], Fact("alarms of its practice runs that cannot do their work", _GET, _ALARMS)
    ]
    broken_alarm_words: Annotated[Known[tuple[str, ...]], Fact("those alarms, each with what is wrong", _GET, _ALARMS)]
    self_tripping_alarms: Annotated[
        Known[tuple[str, ...]],
        Fact("outcome alarms that its own shift sets off, since they watch its traffic in one zone", _GET, _ALARMS),
    ]


class ArcRegion(Node, frozen=True, kw_only=True):
    """What ARC's zonal autoshift is set to in a region as a whole."""

    observer_enabled: Annotated[
        Known[bool],
        Fact("whether autoshift notifications are on", "arc-zonal-shift:GetAutoshiftObserverNotificationStatus#status"),
    ]
    anything_shiftable: Annotated[
        Known[bool],
        Fact(
            "whether the region has anything that a zonal shift could move",
            "elbv2:DescribeLoadBalancers",
            "autoscaling:DescribeAutoScalingGroups",
            "eks:ListClusters",
        ),
    ]
