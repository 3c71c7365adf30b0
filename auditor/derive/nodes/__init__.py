"""The subjects rules judge, and the facts each offers. `SUBJECTS` names them as rule files do."""

from __future__ import annotations

from ..node import Node
from .alarms import LoadBalancerAlarms
from .caches import ReplicationGroup
from .clusters import EksCluster, EksNodegroup
from .databases import DBCluster, DBInstance, DBProxy, DBSubnetGroup
from .ecs import EcsService
from .load_balancers import LoadBalancer, LoadBalancerZone
from .managed import ArcRegion, ManagedResource
from .nat import NatGateway
from .scaling import AutoScalingGroup
from .served_zones import TargetGroupServedZone
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
        LoadBalancerAlarms,
        TargetGroup,
        TargetGroupZone,
        TargetGroupServedZone,
        AutoScalingGroup,
        EksCluster,
        EksNodegroup,
        EcsService,
        ShiftResource,
        ManagedResource,
        ManagedResourceZone,
        ArcRegion,
        AvailabilityZone,
        DBInstance,
        DBSubnetGroup,
        DBCluster,
        DBProxy,
        ReplicationGroup,
        NatGateway,
    )
}

__all__ = [
    "SUBJECTS",
    "ArcRegion",
    "AutoScalingGroup",
    "AvailabilityZone",
    "DBCluster",
    "DBInstance",
    "DBProxy",
    "DBSubnetGroup",
    "EcsService",
    "EksCluster",
    "EksNodegroup",
    "LoadBalancer",
    "LoadBalancerAlarms",
    "LoadBalancerSubnet",
    "LoadBalancerZone",
    "ManagedResource",
    "ManagedResourceZone",
    "NatGateway",
    "ReplicationGroup",
    "ShiftResource",
    "TargetGroup",
    "TargetGroupServedZone",
    "TargetGroupZone",
]
