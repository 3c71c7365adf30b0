"""moto's Auto Scaling with instances spread over zones and the zonal settings that moto drops."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from moto.autoscaling.models import AutoScalingBackend, InstanceState

from .validate import check_part

# Request field and attribute under which moto's serialiser finds it again.
_KEPT = {
    "AvailabilityZoneImpairmentPolicy": ("availability_zone_impairment_policy", "AvailabilityZoneImpairmentPolicy"),
    "AvailabilityZoneDistribution": ("availability_zone_distribution", "AvailabilityZoneDistribution"),
    "InstanceMaintenancePolicy": ("instance_maintenance_policy", "InstanceMaintenancePolicy"),
}


class DemoAutoScalingBackend(AutoScalingBackend):
    """Auto Scaling of one account and region."""

    __module__ = AutoScalingBackend.__module__

    def keep_settings(self, name: str, params: Mapping[str, Any]) -> None:
        """Keep the zonal settings of a create or update request; `ImpossibleAnswer` for a value AWS does not know."""
        group = self.autoscaling_groups[name]
        for field, (attribute, shape) in _KEPT.items():
            value = params.get(field)
            if value is not None:
                plain = _plain(value)
                check_part("autoscaling", shape, plain)
                setattr(group, attribute, plain)

    def describe_auto_scaling_groups(self, *args: Any, **kwargs: Any) -> list[Any]:
        """As moto, with zone ids, traffic sources and the default distribution strategy."""
        groups: list[Any] = list(super().describe_auto_scaling_groups(*args, **kwargs))
        ids = self._zone_ids()
        for group in groups:
            group.availability_zones = sorted(set(group.availability_zones))
            group.availability_zone_ids = [ids[zone] for zone in group.availability_zones]
            group.traffic_sources = [
                *({"Identifier": arn, "Type": "elbv2"} for arn in group.target_group_arns),
                *({"Identifier": name, "Type": "elb"} for name in group.load_balancer_names),
            ]
            if not hasattr(group, "availability_zone_distribution"):
                group.availability_zone_distribution = {"CapacityDistributionStrategy": "balanced-best-effort"}
            for state in group.instance_states:
                state.availability_zone_id = ids[state.availability_zone]
            # Replaced, never sorted in place: another request may be reading the list.
            group.instance_states = sorted(group.instance_states, key=_by_zone)
        return groups

    def _zone_ids(self) -> dict[Any, str]:
        return {zone.name: zone.zone_id for zone in self.ec2_backend.describe_availability_zones()}


def _by_zone(state: Any) -> tuple[str, str]:
    return state.availability_zone, state.instance_id


def spread_over_zones(group: Any, count_needed: int, propagated_tags: dict[str, str]) -> None:
    """Launch instances one by one into the zone that has fewest; takes the place of moto's all-in-one-subnet launch."""
    tags = {**propagated_tags, "aws:autoscaling:groupName": group.name, **group.instance_tags}
    ec2 = group.autoscaling_backend.ec2_backend
    places = _places(group, ec2)
    for _ in range(count_needed):
        taken = Counter(state.availability_zone for state in group.instance_states)
        zone, subnet_id = min(places, key=lambda place: (taken[place[0]], place[0]))
        reservation = ec2.run_instances(
            group.image_id,
            1,
            group.user_data,
            group.security_groups,
            instance_type=group.instance_type,
            tags={"instance": dict(tags)},
            placement=zone,
            launch_config=group.launch_config,
            launch_template=_template(group),
            is_instance_type_default=False,
            associate_public_ip=None,
            subnet_id=subnet_id,
        )
        for instance in reservation.instances:
            instance.autoscaling_group = group
            group.instance_states.append(
                InstanceState(instance, protected_from_scale_in=group.new_instances_protected_from_scale_in)
            )


def _template(group: Any) -> dict[str, str] | None:
    return {"LaunchTemplateId": group.ec2_launch_template.id} if group.ec2_launch_template else None


def _places(group: Any, ec2: Any) -> list[tuple[str, str | None]]:
    """Zone and subnet of every place the group may launch into."""
    if not group.vpc_zone_identifier:
        return [(zone, None) for zone in group.availability_zones]
    subnets = ec2.describe_subnets(subnet_ids=group.vpc_zone_identifier.split(","))
    return [(subnet.availability_zone, subnet.id) for subnet in subnets]


def _plain(value: Any) -> Any:
    """Parsed parameters as ordinary dictionaries in AWS spelling."""
    original = getattr(value, "original_dict", None)
    return dict(original()) if original is not None else value
