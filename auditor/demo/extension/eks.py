"""moto's EKS with zonal shift, Auto Mode and an Auto Scaling group behind every node group."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

from moto.autoscaling.models import autoscaling_backends
from moto.ec2.models import ec2_backends
from moto.eks.models import EKSBackend
from moto.moto_api._internal import mock_random

from .validate import check_part

_VERSION = "1.33"


class DemoEKSBackend(EKSBackend):
    """EKS of one account and region."""

    __module__ = EKSBackend.__module__

    def create_cluster(self, *args: Any, **kwargs: Any) -> Any:
        """As moto, with a current version, an endpoint of its own, and zonal shift off as AWS has it by default."""
        kwargs["version"] = kwargs.get("version") or _VERSION
        cluster: Any = super().create_cluster(*args, **kwargs)
        cluster.platformVersion = "eks.12"
        unique = mock_random.get_random_hex(32).upper()
        cluster.endpoint = f"https://{unique}.gr7.{self.region_name}.eks.amazonaws.com"
        cluster.identity = {"oidc": {"issuer": f"https://oidc.eks.{self.region_name}.amazonaws.com/id/{unique}"}}
        cluster.certificate_authority = {"data": base64.b64encode(unique.encode()).decode()}
        cluster.zonal_shift_config = {"enabled": False}
        cluster.resources_vpc_config = self._vpc_config(cluster.resources_vpc_config)
        return cluster

    def keep_settings(self, name: str, params: Mapping[str, Any]) -> None:
        """Keep zonalShiftConfig and computeConfig of a create or update request."""
        cluster: Any = self.clusters[name]
        shift, compute = params.get("zonalShiftConfig"), params.get("computeConfig")
        if shift is not None:
            cluster.zonal_shift_config = {"enabled": bool(shift["enabled"])}
            check_part("eks", "ZonalShiftConfigResponse", cluster.zonal_shift_config)
        if compute is not None:
            cluster.compute_config = {"enabled": bool(compute.get("enabled"))}
            check_part("eks", "ComputeConfigResponse", cluster.compute_config)

    def create_nodegroup(self, *args: Any, **kwargs: Any) -> Any:
        """As moto, and the Auto Scaling group that the node group names really exists."""
        kwargs["version"] = kwargs.get("version") or _VERSION
        kwargs["release_version"] = kwargs.get("release_version") or f"{_VERSION}.0-20260801"
        group: Any = super().create_nodegroup(*args, **kwargs)
        name = f"eks-{group.nodegroup_name}-{group.uuid}"
        group.resources = {"autoScalingGroups": [{"name": name}]}
        group.remote_access = None
        group.disk_size = int(group.disk_size)
        self._make_scaling_group(name, group)
        return group

    def _make_scaling_group(self, name: str, group: Any) -> None:
        ec2 = ec2_backends[self.account_id][self.region_name]
        template = ec2.create_launch_template(
            name, "", {"ImageId": "ami-0d3f2a1b4c5e6f708", "InstanceType": group.instance_types[0]}, {}
        )
        sizes = group.scaling_config
        tags = {"eks:cluster-name": group.cluster_name, "eks:nodegroup-name": group.nodegroup_name}
        propagated: Any = [{"Key": key, "Value": value, "PropagateAtLaunch": True} for key, value in tags.items()]
        autoscaling_backends[self.account_id][self.region_name].create_auto_scaling_group(
            name=name,
            availability_zones=[],
            desired_capacity=sizes["desiredSize"],
            max_size=sizes["maxSize"],
            min_size=sizes["minSize"],
            launch_config_name="",
            launch_template={"LaunchTemplateId": template.id, "Version": "1"},
            vpc_zone_identifier=",".join(group.subnets),
            default_cooldown=None,
            health_check_period=None,
            health_check_type=None,
            load_balancers=[],
            target_group_arns=[],
            placement_group=None,
            termination_policies=["AllocationStrategy", "OldestLaunchTemplate", "OldestInstance"],
            tags=propagated,
            capacity_rebalance=True,
        )

    def _vpc_config(self, given: Mapping[str, Any]) -> dict[str, Any]:
        subnet = ec2_backends[self.account_id][self.region_name].get_subnet(given["subnetIds"][0])
        return {
            "subnetIds": list(given["subnetIds"]),
            "securityGroupIds": list(given.get("securityGroupIds") or []),
            "vpcId": subnet.vpc_id,
            "endpointPublicAccess": True,
            "endpointPrivateAccess": True,
            "publicAccessCidrs": ["0.0.0.0/0"],
        }
