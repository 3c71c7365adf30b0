"""EKS clusters."""

from __future__ import annotations

from typing import Annotated

from ...model.known import Known
from ..node import Fact, Node

_CLUSTER = "eks:DescribeCluster"


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
