"""EKS clusters."""

from __future__ import annotations

from typing import Annotated

from ...model.finding import Cause
from ...model.identity import Zone
from ...model.known import Known
from ..node import Fact, Node

_CLUSTER = "eks:DescribeCluster"
_ASG = "autoscaling:DescribeAutoScalingGroups"
_NODES = "eks:DescribeNodegroup"
_SERVING = ("elbv2:DescribeLoadBalancers", "elbv2:DescribeTags", "elbv2:DescribeTargetGroups", _ASG, _NODES)


class EksCluster(Node, frozen=True, kw_only=True):
    """An EKS cluster as the AWS API shows it."""

    name: Annotated[str, Fact("name of the cluster", _CLUSTER)]
    status: Annotated[str, Fact("status AWS reports", _CLUSTER + "#status")]
    external: Annotated[
        bool, Fact("whether it is a connected cluster that AWS does not run", _CLUSTER + "#connectorConfig")
    ]
    zonal_shift_enabled: Annotated[
        bool, Fact("whether it is registered for zonal shift", _CLUSTER + "#zonalShiftConfig.enabled")
    ]
    node_group_count: Annotated[Known[int], Fact("managed node groups", "eks:ListNodegroups")]
    fargate_only: Annotated[
        Known[bool],
        Fact(
            "whether only Fargate profiles are seen (no node group, no Auto Mode, no Auto Scaling group tagged for it)",
            "eks:ListNodegroups",
            "eks:ListFargateProfiles",
            _CLUSTER + "#computeConfig.enabled",
            "eks:DescribeFargateProfile",
            "autoscaling:DescribeAutoScalingGroups",
            "ec2:DescribeInstances",
        ),
    ]
    auto_mode: Annotated[bool, Fact("whether EKS Auto Mode runs its nodes", _CLUSTER + "#computeConfig.enabled")]
    fargate_profiles: Annotated[
        Known[tuple[str, ...]],
        Fact("active Fargate profiles", "eks:DescribeFargateProfile#status", "eks:ListFargateProfiles"),
    ]
    nodes_in_one_zone: Annotated[
        Known[bool],
        Fact("whether its node groups together cover one zone", _ASG, _NODES, "eks:ListNodegroups"),
    ]
    node_zones: Annotated[
        Known[tuple[Zone, ...]],
        Fact("zones of its nodes, or of its node groups when there are no nodes", _ASG, _NODES),
    ]
    node_words: Annotated[Known[str], Fact("nodes of its node groups in service, per zone", _ASG, _NODES)]
    nodes_causes: Annotated[
        Known[tuple[Cause, ...]],
        Fact("the cluster, and the target groups whose every usable target is a node of it", _ASG, _NODES),
    ]
    lb_shift_gaps: Annotated[
        Known[tuple[str, ...]],
        Fact(
            "load balancers that serve it and are switched otherwise",
            "elbv2:DescribeLoadBalancerAttributes",
            _CLUSTER + "#zonalShiftConfig.enabled",
            *_SERVING,
            "elbv2:DescribeTargetHealth",
        ),
    ]
    lb_shift_gap_arns: Annotated[
        Known[tuple[str, ...]], Fact("their ARNs", "elbv2:DescribeLoadBalancerAttributes", *_SERVING)
    ]
    lb_shift_gap_words: Annotated[
        str, Fact("how the switches differ, in words", _CLUSTER + "#zonalShiftConfig.enabled")
    ]
    lb_shift_gap_causes: Annotated[
        Known[tuple[Cause, ...]],
        Fact("where the switch is off: those load balancers, or the cluster", _CLUSTER, *_SERVING),
    ]


class EksNodegroup(Node, frozen=True, kw_only=True):
    """A managed node group of an EKS cluster."""

    name: Annotated[str, Fact("name of the node group", _NODES)]
    cluster: Annotated[str, Fact("name of its cluster", _NODES)]
    status: Annotated[str, Fact("status AWS reports", _NODES + "#status")]
    launch_problems: Annotated[
        tuple[str, ...], Fact("codes of health issues that keep it from starting nodes", _NODES + "#health.issues")
    ]
    issue_words: Annotated[str, Fact("its health issues, in words", _NODES + "#health.issues")]
