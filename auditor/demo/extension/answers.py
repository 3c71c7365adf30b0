"""Response methods that take the place of moto's, or stand around them.

Each takes moto's response object (it carries the request) and gives the result that moto then writes in the service's
own protocol. `AROUND` wraps a method of moto's, `INSTEAD` replaces it or adds a missing one; keys are moto's names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from moto.core.responses import ActionResult
from moto.elbv2.exceptions import ValidationError

Method = Callable[[Any], Any]
_LARGEST_PAGE = 400
_LARGEST_BATCH = 20


def describe_load_balancers(response: Any) -> ActionResult:
    """ELBv2 load balancers, up to 400 a page."""
    found = response.elbv2_backend.describe_load_balancers(
        response._get_param("LoadBalancerArns", []), response._get_param("Names", [])
    )
    return _page(response, "LoadBalancers", found, lambda item: item.arn)


def describe_target_groups(response: Any) -> ActionResult:
    """Target groups, up to 400 a page."""
    found = response.elbv2_backend.describe_target_groups(
        response._get_param("LoadBalancerArn"),
        response._get_param("TargetGroupArns", []),
        response._get_param("Names", []),
    )
    return _page(response, "TargetGroups", found, lambda item: item.arn)


def describe_listeners(response: Any) -> ActionResult:
    """Listeners, up to 400 a page."""
    found = response.elbv2_backend.describe_listeners(
        response._get_param("LoadBalancerArn"), response._get_param("ListenerArns", [])
    )
    return _page(response, "Listeners", list(found), lambda item: item.arn)


def describe_rules(response: Any) -> ActionResult:
    """Listener rules, up to 400 a page; priorities are text, as in AWS."""
    found = response.elbv2_backend.describe_rules(response._get_param("ListenerArn"), response._get_param("RuleArns"))
    for rule in found:
        rule.priority = str(rule.priority)
    return _page(response, "Rules", list(found), lambda item: item.arn)


def describe_target_health(response: Any) -> ActionResult:
    """Health of a group's targets, with `Include`."""
    found = response.elbv2_backend.target_health_descriptions(
        response._get_param("TargetGroupArn"), response._get_param("Targets", []), response._get_param("Include", [])
    )
    return ActionResult({"TargetHealthDescriptions": found})


def refuse_unknown_arns(method: Method, response: Any) -> Any:
    """DescribeTags of ELBv2: twenty ARNs at most, and one that does not exist fails the whole call."""
    arns = response._get_param("ResourceArns", [])
    if len(arns) > _LARGEST_BATCH:
        raise ValidationError(f"More than {_LARGEST_BATCH} resources in one call")
    for arn in arns:
        response.elbv2_backend._get_resource_by_arn(arn)
    return method(response)


def describe_instance_health(response: Any) -> ActionResult:
    """Health of a Classic Load Balancer's instances."""
    found = response.elb_backend.instance_states(
        response._get_param("LoadBalancerName"), response._get_param("Instances", [])
    )
    return ActionResult({"InstanceStates": found})


def keep_scaling_settings(method: Method, response: Any) -> Any:
    """CreateAutoScalingGroup and UpdateAutoScalingGroup with the zonal settings kept."""
    result = method(response)
    response.autoscaling_backend.keep_settings(response._get_param("AutoScalingGroupName"), response._get_params())
    return result


def keep_cluster_settings(method: Method, response: Any) -> Any:
    """CreateCluster and UpdateClusterConfig with zonalShiftConfig and computeConfig kept."""
    result = method(response)
    # EKS requests are read field by field: moto does not parse this service's parameters as a whole.
    given = {field: response._get_param(field) for field in ("zonalShiftConfig", "computeConfig")}
    response.eks_backend.keep_settings(response._get_param("name"), given)
    return result


def with_zone_details(method: Method, response: Any) -> Any:
    """DescribeAvailabilityZones with the fields that moto leaves out."""
    result = method(response)
    for zone in result.result["AvailabilityZones"]:
        zone.opt_in_status = "opt-in-not-required"
        zone.group_name = f"{zone.region_name}-zg-1"
        zone.network_border_group = zone.region_name
    return result


def with_instance_zone_ids(method: Method, response: Any) -> Any:
    """DescribeInstances with the zone ID of every placement."""
    result = method(response)
    ids = _zone_ids(response)
    for reservation in result.result["Reservations"]:
        for instance in reservation.instances:
            instance.placement.availability_zone_id = ids.get(instance.placement.zone)
    return result


def with_interface_zone_ids(method: Method, response: Any) -> Any:
    """DescribeNetworkInterfaces with zone IDs."""
    result = method(response)
    ids = _zone_ids(response)
    for interface in result.result["NetworkInterfaces"]:
        interface.availability_zone_id = ids.get(interface.availability_zone)
    return result


def _zone_ids(response: Any) -> dict[str, str]:
    return {zone.name: zone.zone_id for zone in response.ec2_backend.describe_availability_zones()}


def _page(response: Any, key: str, items: Sequence[Any], mark: Callable[[Any], str]) -> ActionResult:
    size = response._get_int_param("PageSize", _LARGEST_PAGE)
    if not 1 <= size <= _LARGEST_PAGE:
        raise ValidationError(f"PageSize must be between 1 and {_LARGEST_PAGE}")
    marker = response._get_param("Marker")
    marks = [mark(item) for item in items]
    if marker is not None and marker not in marks:
        raise ValidationError("Marker was not given by this service")
    start = marks.index(marker) + 1 if marker is not None else 0
    more = start + size < len(items)
    return ActionResult({key: items[start : start + size], "NextMarker": marks[start + size - 1] if more else None})


INSTEAD: Mapping[str, Mapping[str, Method]] = {
    "elbv2": {
        "describe_load_balancers": describe_load_balancers,
        "describe_target_groups": describe_target_groups,
        "describe_listeners": describe_listeners,
        "describe_rules": describe_rules,
        "describe_target_health": describe_target_health,
    },
    "elb": {"describe_instance_health": describe_instance_health},
}

AROUND: Mapping[str, Mapping[str, Callable[[Method, Any], Any]]] = {
    "autoscaling": {
        "create_auto_scaling_group": keep_scaling_settings,
        "update_auto_scaling_group": keep_scaling_settings,
    },
    "eks": {"create_cluster": keep_cluster_settings, "update_cluster_config": keep_cluster_settings},
    "elbv2": {"describe_tags": refuse_unknown_arns},
    "ec2": {
        "describe_availability_zones": with_zone_details,
        "describe_instances": with_instance_zone_ids,
        "describe_network_interfaces": with_interface_zone_ids,
    },
}

# Operations of moto whose answers are checked on their way out: the reads that the auditor makes.
CHECKED: Mapping[str, tuple[str, ...]] = {
    "sts": ("get_caller_identity",),
    "cloudwatch": ("describe_alarms",),
    "ec2": (
        "describe_regions",
        "describe_availability_zones",
        "describe_subnets",
        "describe_instances",
        "describe_network_interfaces",
        "describe_instance_type_offerings",
    ),
    "elbv2": (
        "describe_load_balancers",
        "describe_load_balancer_attributes",
        "describe_listeners",
        "describe_listener_attributes",
        "describe_rules",
        "describe_target_groups",
        "describe_target_group_attributes",
        "describe_target_health",
        "describe_ssl_policies",
        "describe_tags",
    ),
    "elb": (
        "describe_load_balancers",
        "describe_load_balancer_attributes",
        "describe_instance_health",
        "describe_tags",
    ),
    "autoscaling": ("describe_auto_scaling_groups", "describe_warm_pool", "describe_scheduled_actions"),
    "eks": (
        "list_clusters",
        "describe_cluster",
        "list_nodegroups",
        "describe_nodegroup",
        "list_fargate_profiles",
        "describe_fargate_profile",
    ),
}
