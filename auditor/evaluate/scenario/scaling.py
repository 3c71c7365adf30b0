"""Auto Scaling groups, instances and addresses of a scenario; targets are the instances of groups that feed them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from .form import AutoScalingGroup, LoadBalancer, Scenario, refuse
from .names import Names, digits
from .shorthand import InstanceState, instance_states, target_states

_TARGET_STATE = {"Pending": "initial", "Terminating": "draining", "Standby": "unused"}
_LAUNCHED = "2025-06-01T09:00:00Z"
_TYPE = "m6i.large"


class _Instance(NamedTuple):
    id: str
    zone: str
    state: InstanceState


class Fleet:
    """Instances and addresses of a scenario, each made from the name of what it belongs to."""

    def __init__(self, scenario: Scenario, names: Names) -> None:
        self._scenario = scenario
        self._names = names
        self._addresses: dict[tuple[str, str, int], str] = {}
        self._zone_of: dict[str, str] = {}
        self._members = {name: self._launch(name, form) for name, form in scenario.auto_scaling_groups.items()}
        self._owners = {
            nodes.auto_scaling_group: (cluster, key)
            for cluster, form in scenario.clusters.items()
            for key, nodes in form.node_groups.items()
        }

    def _launch(self, name: str, form: AutoScalingGroup) -> list[_Instance]:
        found = []
        for zone, value in form.instances.items():
            number = 0
            for state in instance_states(value, f"auto_scaling_groups.{name}.instances.{zone}"):
                for _ in range(state.number):
                    found.append(_Instance(self._instance(zone, "asg", name, zone, str(number)), zone, state))
                    number += 1
        return found

    def _instance(self, zone: str, *parts: str) -> str:
        instance = f"i-{digits(17, *parts)}"
        if zone in self._scenario.zones:
            self._zone_of[instance] = zone
        return instance

    # Targets

    def targets_fed(self, group: str) -> dict[str, str]:
        """What stands in a target group because Auto Scaling groups feed it, in the shorthand of targets."""
        found: dict[str, list[str]] = {}
        for name in self._feeders(group):
            for member in self._members[name]:
                state = "healthy" if member.state.healthy else "unhealthy"
                state = _TARGET_STATE.get(member.state.lifecycle.partition(":")[0], state)
                found.setdefault(member.zone, []).append(f"1 {state}")
        return {zone: ", ".join(states) for zone, states in found.items()}

    def _feeders(self, group: str) -> Iterable[str]:
        for name, form in self._scenario.auto_scaling_groups.items():
            if group in form.target_groups:
                yield name

    def target_instance(self, group: str, zone: str, number: int) -> str:
        """ID of target `number` of a group in a zone: an instance of a group that feeds it, or one that nobody owns."""
        pool = [m.id for name in self._feeders(group) for m in self._members[name] if m.zone == zone]
        if number < len(pool):
            return pool[number]
        return self._instance(zone, "target", group, zone, str(number))

    def address(self, group: str, place: str, number: int) -> str:
        """Address of target `number` of a group: in the subnet of its zone, or outside the VPC."""
        key = (group, place, number)
        if key not in self._addresses:
            used = len(self._addresses)
            if place in self._scenario.zones:
                third = 16 * list(self._scenario.zones).index(place) + used // 200
                self._addresses[key] = f"10.0.{third}.{10 + used % 200}"
            elif place == "all-inside":
                self._addresses[key] = f"10.0.{used // 200}.{10 + used % 200}"
            else:
                self._addresses[key] = f"192.168.{used // 200}.{10 + used % 200}"
        return self._addresses[key]

    def classic_instances(self, name: str, form: LoadBalancer) -> list[tuple[str, bool]]:
        """Instances of a Classic Load Balancer and whether each is in service."""
        found = []
        for zone, text in form.instances.items():
            number = 0
            for state in target_states(text, f"load_balancers.{name}.instances.{zone}", says_codes=False):
                for _ in range(state.number):
                    instance = self._instance(zone, "classic", name, zone, str(number))
                    found.append((instance, state.state == "healthy"))
                    number += 1
        return found

    # EC2

    def reservations(self, wanted: Iterable[str]) -> list[dict[str, Any]]:
        """What DescribeInstances gives for some instances; those EC2 does not know are left out."""
        found = []
        for instance in sorted(wanted):
            zone = self._zone_of.get(instance)
            if zone is None:
                continue
            index = list(self._scenario.zones).index(zone)
            described = {
                "InstanceId": instance,
                "InstanceType": _TYPE,
                "State": {"Code": 16, "Name": "running"},
                "Placement": {
                    "AvailabilityZone": self._names.zone_names[zone],
                    "AvailabilityZoneId": self._scenario.zones[zone],
                    "Tenancy": "default",
                },
                "SubnetId": self._names.subnet(zone),
                "VpcId": self._names.vpc,
                "PrivateIpAddress": f"10.0.{16 * index + 15}.{int(instance[-2:], 16)}",
                "LaunchTime": _LAUNCHED,
            }
            reservation = f"r-{digits(17, 'reservation', instance)}"
            owner = self._scenario.account
            found.append({"ReservationId": reservation, "OwnerId": owner, "Instances": [described]})
        return found

    # Auto Scaling

    def auto_scaling_groups(self) -> list[dict[str, Any]]:
        """All Auto Scaling groups."""
        return [self._group(name, form) for name, form in self._scenario.auto_scaling_groups.items()]

    def _group(self, name: str, form: AutoScalingGroup) -> dict[str, Any]:
        arns = [self._names.target_group(group) for group in (*form.target_groups, *form.lost_target_groups)]
        sources = [{"Identifier": arn, "Type": "elbv2"} for arn in arns]
        sources += [{"Identifier": balancer, "Type": "elb"} for balancer in form.load_balancers]
        group: dict[str, Any] = {
            "AutoScalingGroupName": name,
            "AutoScalingGroupARN": self._names.auto_scaling_group(name),
            "MinSize": form.min,
            "MaxSize": form.max,
            "DesiredCapacity": form.desired,
            "DefaultCooldown": 300,
            "AvailabilityZones": [self._names.zone_names[zone] for zone in form.zones],
            "AvailabilityZoneIds": [self._scenario.zones[zone] for zone in form.zones],
            "LoadBalancerNames": list(form.load_balancers),
            "TargetGroupARNs": arns,
            "HealthCheckType": form.health_check,
            "HealthCheckGracePeriod": 300,
            "Instances": [self._member(name, member) for member in self._members[name]],
            "CreatedTime": _LAUNCHED,
            "SuspendedProcesses": [
                {"ProcessName": process, "SuspensionReason": "User suspended"} for process in form.suspended
            ],
            "VPCZoneIdentifier": ",".join(self._names.subnet(zone) for zone in form.zones),
            "EnabledMetrics": [],
            "Tags": self._tags(name, form),
            "TerminationPolicies": ["Default"],
            "NewInstancesProtectedFromScaleIn": form.protected,
            "TrafficSources": sources,
            "AvailabilityZoneDistribution": {"CapacityDistributionStrategy": form.distribution},
            "AvailabilityZoneImpairmentPolicy": {"ZonalShiftEnabled": form.zonal_shift},
        }
        if form.impaired_zone != "absent":
            group["AvailabilityZoneImpairmentPolicy"]["ImpairedZoneHealthCheckBehavior"] = form.impaired_zone
        if form.capacity_type:
            group["DesiredCapacityType"] = form.capacity_type
        if form.min_healthy is not None:
            group["InstanceMaintenancePolicy"] = {"MinHealthyPercentage": form.min_healthy, "MaxHealthyPercentage": 120}
        if form.types or form.by_attributes:
            group["MixedInstancesPolicy"] = {"LaunchTemplate": {"Overrides": _overrides(form)}}
        if form.operator:
            group["Operator"] = {"Managed": True, "Principal": form.operator}
        if form.warm_pool:
            group["WarmPoolConfiguration"] = {"MinSize": form.warm_pool.min, "PoolState": "Stopped"}
            group["WarmPoolSize"] = len(self.warm_pool(name))
        return group

    def _member(self, name: str, member: _Instance) -> dict[str, Any]:
        form = self._scenario.auto_scaling_groups[name]
        described: dict[str, Any] = {
            "InstanceId": member.id,
            "InstanceType": form.types[0] if form.types else _TYPE,
            "AvailabilityZone": self._names.zone_names[member.zone],
            "AvailabilityZoneId": self._scenario.zones[member.zone],
            "LifecycleState": member.state.lifecycle,
            "HealthStatus": "Healthy" if member.state.healthy else "Unhealthy",
            "ProtectedFromScaleIn": False,
        }
        if member.zone in form.weights:
            described["WeightedCapacity"] = str(form.weights[member.zone])
        return described

    def _tags(self, name: str, form: AutoScalingGroup) -> list[dict[str, Any]]:
        tags = dict(form.tags)
        if name in self._owners:
            cluster, nodes = self._owners[name]
            tags |= {
                "eks:cluster-name": cluster,
                "eks:nodegroup-name": nodes,
                f"kubernetes.io/cluster/{cluster}": "owned",
            }
        common = {"ResourceId": name, "ResourceType": "auto-scaling-group", "PropagateAtLaunch": True}
        return [{**common, "Key": key, "Value": value} for key, value in tags.items()]

    def warm_pool(self, name: str) -> list[dict[str, Any]]:
        """Instances of a group's warm pool."""
        form = self._scenario.auto_scaling_groups[name]
        if form.warm_pool is None:
            return []
        place = f"auto_scaling_groups.{name}.warm_pool.instances"
        if not set(form.warm_pool.instances) <= set(form.zones):
            raise refuse(place, "a zone that the group does not have")
        return [
            self._member(name, _Instance(f"i-{digits(17, 'warm', name, zone, str(n))}", zone, state))
            for zone, value in form.warm_pool.instances.items()
            for state in instance_states(value, place)
            for n in range(state.number)
        ]

    def scheduled_actions(self) -> list[dict[str, Any]]:
        """Scheduled actions of all groups."""
        found = []
        for name, form in self._scenario.auto_scaling_groups.items():
            for key, action in form.scheduled_actions.items():
                sizes: dict[str, Any] = {
                    "MinSize": action.min,
                    "MaxSize": action.max,
                    "DesiredCapacity": action.desired,
                }
                path = f"scheduledUpdateGroupAction:{digits(8, name, key)}:scheduledActionName/{key}"
                described = {
                    "AutoScalingGroupName": name,
                    "ScheduledActionName": key,
                    "ScheduledActionARN": self._names.arn("autoscaling", path),
                    "StartTime": action.start,
                }
                more = {"Recurrence": action.recurrence, "EndTime": action.end, "TimeZone": action.time_zone, **sizes}
                found.append(described | {k: v for k, v in more.items() if v is not None})
        return found


def _overrides(form: AutoScalingGroup) -> list[dict[str, Any]]:
    if form.by_attributes:
        return [{"InstanceRequirements": {"VCpuCount": {"Min": 2}, "MemoryMiB": {"Min": 4096}}}]
    return [{"InstanceType": name} for name in form.types]
