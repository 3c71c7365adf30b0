"""EC2 and EKS as a scenario has them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .form import Scenario
from .names import Names, digits

_MADE = "2025-06-01T09:00:00Z"


# EC2


def zones(scenario: Scenario, names: Names) -> list[dict[str, Any]]:
    """What DescribeAvailabilityZones gives."""
    found = []
    for zone, zone_id in scenario.zones.items():
        kind = names.zone_type(zone)
        described: dict[str, Any] = {
            "State": scenario.zone_states.get(zone, "available"),
            "OptInStatus": "opt-in-not-required" if kind == "availability-zone" else "opted-in",
            "Messages": [],
            "RegionName": scenario.region,
            "ZoneName": names.zone_names[zone],
            "ZoneId": zone_id,
            "GroupName": f"{scenario.region}-zg-1" if kind == "availability-zone" else names.zone_names[zone][:-1],
            "NetworkBorderGroup": scenario.region,
            "ZoneType": kind,
        }
        found.append(described)
    return found


def regions(scenario: Scenario) -> list[dict[str, Any]]:
    """What DescribeRegions gives: the one region."""
    endpoint = f"ec2.{scenario.region}.amazonaws.com"
    return [{"RegionName": scenario.region, "Endpoint": endpoint, "OptInStatus": "opt-in-not-required"}]


def subnets(scenario: Scenario, names: Names) -> list[dict[str, Any]]:
    """One subnet per zone, and one more on the Outpost where there is any."""
    outpost = any(b.outpost for b in scenario.load_balancers.values())
    found = []
    for index, (zone, zone_id) in enumerate(scenario.zones.items()):
        described: dict[str, Any] = {
            "SubnetId": names.subnet(zone),
            "VpcId": names.vpc,
            "AvailabilityZone": names.zone_names[zone],
            "AvailabilityZoneId": zone_id,
            "CidrBlock": f"10.0.{16 * index}.0/20",
            **_free(scenario.free_addresses.get(zone, 4000)),
            "State": "available",
            "OwnerId": scenario.account,
            "Tags": [],
        }
        if outpost:
            described["OutpostArn"] = names.arn("outposts", f"outpost/op-{digits(17, 'outpost')}")
        found.append(described)
    return found


def _free(left: int | str) -> dict[str, Any]:
    """What a subnet says of its free addresses; one for IPv6 alone has none of version 4."""
    return (
        {"AvailableIpAddressCount": left}
        if isinstance(left, int)
        else {"AvailableIpAddressCount": 0, "Ipv6Native": True}
    )


def offerings(scenario: Scenario, types: Iterable[str]) -> list[dict[str, Any]]:
    """Where EC2 offers instance types, by zone ID."""
    return [
        {"InstanceType": name, "LocationType": "availability-zone-id", "Location": zone_id}
        for name in types
        for zone, zone_id in scenario.zones.items()
        if zone not in scenario.not_offered.get(name, ())
    ]


def network_interfaces(scenario: Scenario, names: Names) -> list[dict[str, Any]]:
    """Interfaces of load balancers, one per zone."""
    types = {"network": "network_load_balancer", "gateway": "gateway_load_balancer"}
    found = []
    for number, (name, form) in enumerate(scenario.load_balancers.items()):
        for zone in form.zones:
            address = f"10.0.{16 * list(scenario.zones).index(zone) + 14}.{number + 4}"
            found.append(
                {
                    "NetworkInterfaceId": f"eni-{digits(17, 'eni', name, zone)}",
                    "Description": f"ELB {names.load_balancer_path(name)}",
                    "InterfaceType": types.get(form.type, "interface"),
                    "RequesterManaged": True,
                    "AvailabilityZone": names.zone_names[zone],
                    "SubnetId": names.subnet(zone),
                    "VpcId": names.vpc,
                    "PrivateIpAddress": address,
                    "PrivateIpAddresses": [{"Primary": True, "PrivateIpAddress": address}],
                    "Status": "in-use",
                    "TagSet": [],
                }
            )
    return found


# EKS


def cluster(scenario: Scenario, names: Names, name: str) -> dict[str, Any]:
    """What DescribeCluster gives of a cluster."""
    form = scenario.clusters[name]
    described: dict[str, Any] = {
        "name": name,
        "arn": names.cluster(name),
        "createdAt": _MADE,
        "version": "1.33",
        "status": form.status,
        "tags": dict(form.tags),
    }
    if form.external:
        return described | {
            "connectorConfig": {"provider": "OTHER", "roleArn": "arn:aws:iam::123456789012:role/connector"}
        }
    ids = [names.subnet(zone) for zone in scenario.zones if names.zone_type(zone) == "availability-zone"]
    return described | {
        "resourcesVpcConfig": {"subnetIds": ids, "vpcId": names.vpc},
        "computeConfig": {"enabled": form.auto_mode},
        "zonalShiftConfig": {"enabled": form.zonal_shift},
        "health": {"issues": []},
    }


def node_group(scenario: Scenario, names: Names, cluster_name: str, name: str) -> dict[str, Any]:
    """What DescribeNodegroup gives of a node group."""
    form = scenario.clusters[cluster_name].node_groups[name]
    group = scenario.auto_scaling_groups[form.auto_scaling_group]
    return {
        "nodegroupName": name,
        "nodegroupArn": names.arn("eks", f"nodegroup/{cluster_name}/{name}/{digits(8, cluster_name, name)}"),
        "clusterName": cluster_name,
        "status": form.status,
        "scalingConfig": {"minSize": group.min, "maxSize": group.max, "desiredSize": group.desired},
        "subnets": [names.subnet(zone) for zone in form.zones],
        "resources": {"autoScalingGroups": [{"name": form.auto_scaling_group}]},
        "health": {"issues": [{"code": code, "message": "as AWS words it", "resourceIds": []} for code in form.issues]},
        "tags": {},
    }


def fargate_profile(scenario: Scenario, names: Names, cluster_name: str, name: str) -> dict[str, Any]:
    """What DescribeFargateProfile gives of a profile."""
    form = scenario.clusters[cluster_name].fargate_profiles[name]
    return {
        "fargateProfileName": name,
        "clusterName": cluster_name,
        "status": form.status,
        "subnets": [names.subnet(zone) for zone in form.zones],
        "selectors": [{"namespace": form.namespace}],
    }
