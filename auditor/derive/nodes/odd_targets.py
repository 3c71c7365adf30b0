"""Targets that are not what they seem: nobody's, a load balancer's, other load balancers' as well, or anomalous."""

from __future__ import annotations

from typing import Annotated

from ...model.finding import Cause
from ...model.identity import Zone
from ...model.known import Known
from ..node import Fact, Facts, Node

_TG = "elbv2:DescribeTargetGroups"
_HEALTH = "elbv2:DescribeTargetHealth"
_INSTANCES = "ec2:DescribeInstances"
_INTERFACES = "ec2:DescribeNetworkInterfaces"
_SUBNETS = "ec2:DescribeSubnets"
_SCALING = ("autoscaling:DescribeAutoScalingGroups", "autoscaling:DescribeWarmPool")
_TG_ATTR = "elbv2:DescribeTargetGroupAttributes"
_LB_ATTR = "elbv2:DescribeLoadBalancerAttributes"
_STALE = (_HEALTH + "#states", _INSTANCES, _INTERFACES, _SUBNETS, *_SCALING)
_SHARED = (_HEALTH + "#states", _TG, "elbv2:DescribeListeners", "elbv2:DescribeRules")
_ANOMALIES = (_HEALTH + "#states", _INSTANCES)


class OddTarget(Facts, frozen=True, kw_only=True):
    """One such target."""

    label: Annotated[str, Fact("target, by ID and port", _HEALTH)]
    argument: Annotated[str, Fact("target as a command of the AWS CLI takes it, such as Id=10.0.0.1,Port=80", _HEALTH)]


class StaleTarget(OddTarget, frozen=True, kw_only=True):
    """A target that is nobody's."""

    words: Annotated[str, Fact("target with why it is nobody's, in words", *_STALE)]


class NodeTarget(OddTarget, frozen=True, kw_only=True):
    """A target whose address is that of a load balancer's node."""

    NetworkInterfaceId: Annotated[str, Fact("network interface of the node, or empty", _INTERFACES)]
    words: Annotated[
        str, Fact("target with whose node it is, in words", _HEALTH + "#states", _INTERFACES + "#Description")
    ]


class SharingGroup(Facts, frozen=True, kw_only=True):
    """Another target group, of another load balancer, that has the same targets."""

    TargetGroupName: Annotated[str, Fact("name of the other target group", _TG)]
    TargetGroupArn: Annotated[str, Fact("its ARN", _TG)]
    LoadBalancerName: Annotated[str, Fact("name of its load balancer", "elbv2:DescribeLoadBalancers")]
    labels: Annotated[tuple[str, ...], Fact("targets that both have, by ID and port", _HEALTH)]
    words: Annotated[
        str, Fact("how many those are, that group, its load balancer, and some of them, in words", _HEALTH)
    ]


class OddTargets(Node, frozen=True, kw_only=True):
    """Facts about such targets of a target group."""

    stale_targets: Annotated[
        Known[tuple[StaleTarget, ...]],
        Fact("registered targets that are nobody's: the instance stopped or gone, the address held by none", *_STALE),
    ]
    stale_causes: Annotated[
        tuple[Cause, ...],
        Fact("the group where they are all that fails without a status code, else their zones", *_STALE),
    ]
    balancer_address_targets: Annotated[
        Known[tuple[NodeTarget, ...]],
        Fact(
            "targets whose address is a node of a load balancer of the account, static ones that work aside",
            _HEALTH + "#states",
            _INTERFACES,
            _TG_ATTR + "#preserve_client_ip.enabled",
        ),
    ]
    shared_with: Annotated[
        Known[tuple[SharingGroup, ...]], Fact("groups in use by other load balancers that have its targets", *_SHARED)
    ]
    shift_thins_targets: Annotated[
        Known[bool],
        Fact(
            "whether a shift of its load balancer is possible and takes its targets in the zone out of use",
            _LB_ATTR + "#zonal_shift.config.enabled",
            _TG_ATTR + "#load_balancing.cross_zone.enabled",
            "elbv2:DescribeLoadBalancers#AvailabilityZones",
        ),
    ]
    anomalous_zone: Annotated[Known[Zone | None], Fact("zone with most anomalous targets", *_ANOMALIES)]
    anomalous_in_zone: Annotated[Known[int], Fact("anomalous targets in that zone", *_ANOMALIES)]
    anomalous_share: Annotated[
        Known[float], Fact("share of all anomalous targets that stand in that zone, 0 to 1", *_ANOMALIES)
    ]
    anomalous_words: Annotated[Known[str], Fact("anomalous targets per zone, in words", *_ANOMALIES)]
