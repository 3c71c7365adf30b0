"""moto's Classic Load Balancers with zones, health and network interfaces."""

from __future__ import annotations

from typing import Any

from moto.ec2.models import ec2_backends
from moto.elb.models import ELBBackend

from .interfaces import delete_interfaces, make_interfaces

_STATES = {
    "InService": ("N/A", "N/A"),
    "OutOfService": (
        "Instance",
        "Instance has failed at least the UnhealthyThreshold number of health checks consecutively.",
    ),
}
_ZONE_NOT_ENABLED = ("Instance", "Instance is in an Availability Zone that is not enabled for the load balancer.")
_DEFAULT_CHECK: dict[str, Any] = {"interval": 30, "timeout": 5, "healthy_threshold": 10, "unhealthy_threshold": 2}


class DemoELBBackend(ELBBackend):
    """Classic Load Balancers of one account and region."""

    __module__ = ELBBackend.__module__

    def __init__(self, region_name: str, account_id: str) -> None:
        super().__init__(region_name, account_id)
        self.failing: dict[str, set[str]] = {}

    def create_load_balancer(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """As moto, with the zones of its subnets, a health check and its region's DNS name."""
        made = super().create_load_balancer(name, *args, **kwargs)
        ec2: Any = ec2_backends[self.account_id][self.region_name]
        subnets = [ec2.get_subnet(subnet_id) for subnet_id in made.subnets]
        made.availability_zones = sorted({subnet.availability_zone for subnet in subnets})
        made.dns_name = f"{name}-1.{self.region_name}.elb.amazonaws.com"
        port = made.listeners[0].instance_port
        self.configure_health_check(load_balancer_name=name, target=f"TCP:{port}", **_DEFAULT_CHECK)
        make_interfaces(ec2, subnets, name, "interface")
        return made

    def delete_load_balancer(self, load_balancer_name: str) -> None:
        """As moto, and the load balancer's network interfaces go with it."""
        delete_interfaces(ec2_backends[self.account_id][self.region_name], load_balancer_name)
        super().delete_load_balancer(load_balancer_name)

    def describe_load_balancers(self, names: list[str]) -> list[Any]:
        """As moto; instances in a stable order."""
        found = list(super().describe_load_balancers(names))
        for balancer in found:
            balancer.instance_sparse_ids = sorted(balancer.instance_sparse_ids)
            balancer.instance_autoscaling_ids = sorted(balancer.instance_autoscaling_ids)
        return found

    def set_failing(self, name: str, instance_id: str) -> None:
        """Let an instance of a load balancer fail its checks."""
        self.failing.setdefault(name, set()).add(instance_id)

    def instance_states(self, name: str, instances: list[dict[str, str]]) -> list[dict[str, str]]:
        """InstanceStates in AWS spelling."""
        balancer = self.describe_load_balancers([name])[0]
        ec2 = ec2_backends[self.account_id][self.region_name]
        states = []
        for state in self.describe_instance_health(name, instances):
            instance_id, word = state["InstanceId"], state["State"]
            instance = ec2.get_instance_by_id(instance_id)
            reason, description = _STATES.get(word, ("N/A", "N/A"))
            if instance and instance.placement.zone not in balancer.availability_zones:
                word, (reason, description) = "OutOfService", _ZONE_NOT_ENABLED
            elif instance_id in self.failing.get(name, ()):
                word, (reason, description) = "OutOfService", _STATES["OutOfService"]
            states.append({"InstanceId": instance_id, "State": word, "ReasonCode": reason, "Description": description})
        return states
