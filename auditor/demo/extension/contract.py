"""What the extension stands on inside moto, none of which is public. Fails loudly when something moved."""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Iterator
from typing import Any

# Module, dotted name, and the parameters that must be there ("" for something that is no function).
_STANDS_ON: tuple[tuple[str, str, str], ...] = (
    ("moto.backend_index", "backend_url_patterns", ""),
    ("moto.backends", "get_backend", "name"),
    ("moto.core.base_backend", "BackendDict", "backend service_name"),
    ("moto.core.base_backend", "BaseBackend.reset", "self"),
    ("moto.core.exceptions", "ServiceException", ""),
    ("moto.core.responses", "ActionResult.execute_result", "self context"),
    ("moto.core.responses", "BaseResponse.dispatch", ""),
    ("moto.core.responses", "BaseResponse.determine_response_protocol", "self service_model"),
    ("moto.core.responses", "BaseResponse._get_param", "self param_name if_none"),
    ("moto.core.responses", "BaseResponse._get_int_param", "self param_name if_none"),
    ("moto.core.responses", "BaseResponse._get_params", "self"),
    ("moto.moto_api._internal", "mock_random.seed", ""),
    ("moto.moto_api._internal", "mock_random.get_random_hex", "length"),
    ("moto.elbv2.models", "elbv2_backends.backend", ""),
    ("moto.elbv2.models", "ELBv2Backend.create_load_balancer", "self name subnet_ids scheme loadbalancer_type tags"),
    ("moto.elbv2.models", "ELBv2Backend.create_target_group", "self name kwargs"),
    ("moto.elbv2.models", "ELBv2Backend.create_listener", "self load_balancer_arn protocol port ssl_policy actions"),
    ("moto.elbv2.models", "ELBv2Backend.create_rule", "self listener_arn conditions priority actions"),
    ("moto.elbv2.models", "ELBv2Backend.describe_load_balancers", "self arns names"),
    ("moto.elbv2.models", "ELBv2Backend.describe_target_groups", "self load_balancer_arn target_group_arns names"),
    ("moto.elbv2.models", "ELBv2Backend.describe_listeners", "self load_balancer_arn listener_arns"),
    ("moto.elbv2.models", "ELBv2Backend.describe_rules", "self listener_arn rule_arns"),
    ("moto.elbv2.models", "ELBv2Backend.register_targets", "self target_group_arn instances"),
    ("moto.elbv2.models", "ELBv2Backend.deregister_targets", "self target_group_arn instances"),
    ("moto.elbv2.models", "ELBv2Backend.notify_terminate_instances", "self instance_ids"),
    ("moto.elbv2.models", "ELBv2Backend._get_target_group_arns_from", "self action_data"),
    ("moto.elbv2.models", "ELBv2Backend._get_resource_by_arn", "self arn"),
    ("moto.elbv2.models", "ELBv2Backend.modify_load_balancer_attributes", "self arn attrs"),
    ("moto.elbv2.models", "ELBv2Backend.modify_target_group_attributes", "self target_group_arn attributes"),
    ("moto.elbv2.responses", "ELBV2Response.describe_target_health", "self"),
    ("moto.elb.models", "elb_backends.backend", ""),
    ("moto.elb.models", "ELBBackend.create_load_balancer", "self name zones ports scheme subnets"),
    ("moto.elb.models", "ELBBackend.describe_instance_health", "self lb_name instances"),
    ("moto.elb.responses", "ELBResponse.describe_instance_health", "self"),
    ("moto.autoscaling.models", "autoscaling_backends.backend", ""),
    ("moto.autoscaling.models", "AutoScalingBackend.create_auto_scaling_group", "self name vpc_zone_identifier tags"),
    ("moto.autoscaling.models", "AutoScalingBackend.describe_auto_scaling_groups", "self names filters"),
    (
        "moto.autoscaling.models",
        "FakeAutoScalingGroup.replace_autoscaling_group_instances",
        "self count_needed propagated_tags",
    ),
    ("moto.autoscaling.models", "InstanceState", "instance protected_from_scale_in"),
    ("moto.autoscaling.responses", "AutoScalingResponse.create_auto_scaling_group", "self"),
    ("moto.eks.models", "eks_backends.backend", ""),
    ("moto.eks.models", "EKSBackend.create_cluster", "self name role_arn resources_vpc_config"),
    ("moto.eks.models", "EKSBackend.create_nodegroup", "self cluster_name nodegroup_name subnets scaling_config"),
    ("moto.eks.responses", "EKSResponse.create_cluster", "self"),
    ("moto.ec2.models", "EC2Backend.create_network_interface", "self subnet private_ip_address description"),
    ("moto.ec2.models", "EC2Backend.create_launch_template", "self name description template_data tag_spec"),
    ("moto.ec2.models", "EC2Backend.get_instance_by_id", "self instance_id"),
    ("moto.ec2.models", "EC2Backend.describe_availability_zones", "self"),
    ("moto.ec2.models", "EC2Backend.describe_subnets", "self subnet_ids"),
    ("moto.ec2.models", "EC2Backend.run_instances", "self image_id count user_data kwargs"),
    ("moto.cloudwatch.responses", "CloudWatchResponse.describe_alarms", "self"),
    ("moto.sts.responses", "TokenResponse.get_caller_identity", "self"),
    ("moto.ec2.responses", "EC2Response.describe_instances", "self"),
)


class MotoMoved(RuntimeError):
    """This version of moto lacks something that the demo's extension stands on; the message lists what."""


def check() -> None:
    """Raise `MotoMoved` unless everything that the extension stands on is where it was."""
    moved = tuple(problems())
    if moved:
        raise MotoMoved("moto changed inside; the demo needs the moto version of the extra: " + "; ".join(moved))


def problems() -> Iterator[str]:
    """What moved, one line each."""
    for module, name, parameters in _STANDS_ON:
        try:
            found: Any = functools.reduce(getattr, name.split("."), importlib.import_module(module))
        except (ImportError, AttributeError):
            yield f"{module}.{name} is gone"
            continue
        missing = set(parameters.split()) - set(inspect.signature(found).parameters) if parameters else set()
        if missing:
            yield f"{module}.{name} has no parameter {', '.join(sorted(missing))}"
