"""A load balancer as CloudWatch alarms watch it."""

from __future__ import annotations

from typing import Annotated, Literal

from ...model.identity import Zone
from ...model.known import Known
from ..node import Fact, Node

_LB = "elbv2:DescribeLoadBalancers"
_ALARMS = "cloudwatch:DescribeAlarms"
_MUTES = ("cloudwatch:ListAlarmMuteRules", "cloudwatch:GetAlarmMuteRule")
_COVER = (_ALARMS, *_MUTES, _LB + "#AvailabilityZones")
_USE = ("elbv2:DescribeTargetGroups", "elbv2:DescribeListeners", "elbv2:DescribeRules")
_HEALTH = "elbv2:DescribeTargetHealth"


class LoadBalancerAlarms(Node, frozen=True, kw_only=True):
    """An Application or Network Load Balancer with the alarms on its metrics."""

    LoadBalancerName: Annotated[str, Fact("name of the load balancer", _LB)]
    LoadBalancerArn: Annotated[str, Fact("its ARN", _LB)]
    kind: Annotated[Literal["application", "network"], Fact("type; application or network", _LB + "#Type")]
    dimension: Annotated[str, Fact("how CloudWatch names it", _LB)]
    groups_in_use: Annotated[Known[tuple[str, ...]], Fact("its target groups that get traffic", *_USE)]
    zones_without_health_alarm: Annotated[
        Known[tuple[Zone, ...]],
        Fact("its zones without an alarm on ZonalHealthStatus that calls somebody (Network Load Balancers)", *_COVER),
    ]
    places_without_host_alarm: Annotated[
        Known[tuple[str, ...]],
        Fact(
            "target groups and zones without an alarm that calls somebody before the last healthy target is gone",
            *_COVER,
            _HEALTH,
            *_USE,
        ),
    ]
    zones_without_host_alarm: Annotated[Known[tuple[Zone, ...]], Fact("zones of those", *_COVER, _HEALTH, *_USE)]
    fail_open_watched: Annotated[
        Known[bool],
        Fact("whether an alarm calls somebody when it sends traffic to failing targets", *_COVER, *_USE),
    ]
    useless_alarms: Annotated[
        Known[tuple[str, ...]], Fact("alarms on its health that call nobody, each with the reason", _ALARMS, *_MUTES)
    ]
    alarms_blind_to_missing_data: Annotated[
        Known[tuple[str, ...]],
        Fact(
            "alarms on its healthy targets that stay silent when the metric ends",
            _ALARMS + "#TreatMissingData",
            *_MUTES,
        ),
    ]
