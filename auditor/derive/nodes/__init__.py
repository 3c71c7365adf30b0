"""The subjects rules judge, and the facts each offers. `SUBJECTS` names them as rule files do."""

from __future__ import annotations

from ..node import Node
from .clusters import EksCluster, EksNodegroup
from .load_balancers import LoadBalancer, LoadBalancerZone
from .managed import ArcRegion, ManagedResource
from .scaling import AutoScalingGroup
from .shifts import ManagedResourceZone, ShiftResource
from .subnets import LoadBalancerSubnet
from .target_groups import TargetGroup, TargetGroupZone
from .zones import AvailabilityZone

SUBJECTS: dict[str, type[Node]] = {
    cls.__name__: cls
    for cls in (
        LoadBalancer,
        LoadBalancerZone,
        LoadBalancerSubnet,
        TargetGroup,
        TargetGroupZone,
        AutoScalingGroup,
        EksCluster,
        EksNodegroup,
        ShiftResource,
        ManagedResource,
        ManagedResourceZone,
        ArcRegion,
        AvailabilityZone,
    )
}

__all__ = [
    "SUBJECTS",
    "ArcRegion",
    "AutoScalingGroup",
    "AvailabilityZone",
    "EksCluster",
    "EksNodegroup",
    "LoadBalancer",
    "LoadBalancerSubnet",
    "LoadBalancerZone",
    "ManagedResource",
    "ManagedResourceZone",
    "ShiftResource",
    "TargetGroup",
    "TargetGroupZone",
]
