"""EC2, EKS and ARC as a scenario has them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .form import Scenario, Shift, refuse
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


# ARC


class ManagedResources:
    """ARC's view: the resources whose own switch is on, apart from what the scenario says differs."""

    def __init__(self, scenario: Scenario, names: Names) -> None:
        self._scenario = scenario
        self._names = names
        arc = scenario.arc
        unlisted = {names.shiftable(text, "arc.unlisted") for text in arc.unlisted}
        self._found: dict[str, tuple[str, list[str], list[str]]] = {}
        for kind, name in self._switched_on():
            if (kind, name) not in unlisted:
                self._add(kind, name)
            unlisted.discard((kind, name))
        if unlisted:
            raise refuse("arc.unlisted", f"{sorted(unlisted)[0][1]} has its switch off, so ARC does not list it anyway")
        for text in arc.extra:
            if text.startswith("arn:"):
                every = list(scenario.zones.values())
                self._found[text] = (text.rpartition("/")[2], every, every)
            else:
                self._add(*names.shiftable(text, "arc.extra"))
        self._autoshift = {self._listed(text, "arc.autoshift") for text in arc.autoshift}
        self.practice = {self._listed(text, "arc.practice"): alarms for text, alarms in arc.practice.items()}
        self._shifts = [(self._listed(shift.resource, "arc.shifts"), shift) for shift in arc.shifts]
        for arn, shift in self._shifts:
            if scenario.zones[shift.away] not in self._found[arn][1]:
                raise refuse("arc.shifts", f"{shift.resource} has nothing in zone {shift.away}")

    def _switched_on(self) -> list[tuple[str, str]]:
        balancers, groups = self._scenario.load_balancers, self._scenario.auto_scaling_groups
        on = [
            ("load_balancers", name)
            for name, form in balancers.items()
            if form.attributes.get("zonal_shift.config.enabled") == "true"
        ]
        on += [("auto_scaling_groups", name) for name, group in groups.items() if group.zonal_shift]
        return on + [("clusters", name) for name, form in self._scenario.clusters.items() if form.zonal_shift]

    def _add(self, kind: str, name: str) -> None:
        """List a resource. ARC's weights of an Auto Scaling group name every zone of the region."""
        every = [i for z, i in self._scenario.zones.items() if self._names.zone_type(z) == "availability-zone"]
        own = every
        if kind != "clusters":
            form = getattr(self._scenario, kind)[name]
            own = [self._scenario.zones[zone] for zone in form.zones]
        weights = every if kind == "auto_scaling_groups" else own
        self._found[self._names.shiftable_arn(kind, name)] = (name, own, weights)

    def _listed(self, text: str, place: str) -> str:
        arn = text if text.startswith("arn:") else self._names.shiftable_arn(*self._names.shiftable(text, place))
        if arn not in self._found:
            raise refuse(place, f"ARC does not list {text}, so nothing of it can be shifted")
        return arn

    def items(self, pass_: int) -> list[dict[str, Any]]:
        """What ListManagedResources gives in the first or the last reading."""
        return [
            {
                "arn": arn,
                "name": name,
                "availabilityZones": own,
                **self._state(arn, weights, pass_),
                "practiceRunStatus": "ENABLED" if arn in self.practice else "DISABLED",
            }
            for arn, (name, own, weights) in self._found.items()
        ]

    def _state(self, arn: str, weights: list[str], pass_: int) -> dict[str, Any]:
        active = [s for a, s in self._shifts if a == arn and s.status == "ACTIVE" and pass_ in s.passes]
        away = {self._scenario.zones[shift.away] for shift in active if shift.applied}
        return {
            "appliedWeights": {zone: 0.0 if zone in away else 1.0 for zone in weights},
            "zonalShifts": [
                {"appliedStatus": _applied(shift), **self._shift(arn, shift)}
                for shift in active
                if shift.kind != "ZONAL_AUTOSHIFT"
            ],
            "autoshifts": [
                {
                    "appliedStatus": _applied(shift),
                    "awayFrom": self._scenario.zones[shift.away],
                    "startTime": shift.started,
                }
                for shift in active
                if shift.kind == "ZONAL_AUTOSHIFT"
            ],
            "zonalAutoshiftStatus": "ENABLED" if arn in self._autoshift else "DISABLED",
        }

    def _shift(self, arn: str, shift: Shift) -> dict[str, Any]:
        described: dict[str, Any] = {
            "zonalShiftId": digits(32, "shift", arn, shift.away, shift.started),
            "resourceIdentifier": arn,
            "awayFrom": self._scenario.zones[shift.away],
            "expiryTime": shift.expires,
            "startTime": shift.started,
            "comment": shift.comment,
        }
        if shift.kind:
            described["shiftType"] = shift.kind
        if shift.kind == "PRACTICE_RUN":
            described["practiceRunOutcome"] = shift.outcome or "PENDING"
        return described

    def detail(self, arn: str) -> dict[str, Any]:
        """What GetManagedResource gives of a resource with a practice-run configuration."""
        name, _, weights = self._found[arn]
        alarms = [{"type": "CLOUDWATCH", "alarmIdentifier": alarm} for alarm in self.practice[arn]]
        configuration = {"practiceRunConfiguration": {"outcomeAlarms": alarms}}
        return {"arn": arn, "name": name, **self._state(arn, weights, 1), **configuration}

    def shifts(self, pass_: int) -> list[dict[str, Any]]:
        """What ListZonalShifts gives: customer shifts and practice runs, active or finished."""
        return [
            {**self._shift(arn, shift), "status": shift.status}
            for arn, shift in self._shifts
            if shift.kind != "ZONAL_AUTOSHIFT" and pass_ in shift.passes
        ]

    def autoshifts(self, pass_: int) -> list[dict[str, Any]]:
        """What ListAutoshifts gives: AWS's own shifts in the region, by zone."""
        away = {
            self._scenario.zones[s.away]: s.started
            for _, s in self._shifts
            if s.kind == "ZONAL_AUTOSHIFT" and pass_ in s.passes
        }
        return [{"awayFrom": zone, "startTime": start, "status": "ACTIVE"} for zone, start in away.items()]


def _applied(shift: Shift) -> str:
    return "APPLIED" if shift.applied else "NOT_APPLIED"
