"""Identifiers of a scenario: ARNs, IDs and zones, made from names alone, so that they never change between runs."""

from __future__ import annotations

import hashlib
from functools import lru_cache

from .form import Scenario, refuse

KINDS = ("load_balancers", "auto_scaling_groups", "clusters")
_ARN_KIND = {"application": "app", "network": "net", "gateway": "gwy"}


@lru_cache(maxsize=65536)
def digits(length: int, *parts: str) -> str:
    """Hexadecimal digits that depend on `parts` alone."""
    return hashlib.blake2b("/".join(parts).encode(), digest_size=16).hexdigest()[:length]


class Names:
    """ARNs, IDs and zones of one scenario."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.zone_names = {z: f"{scenario.region}{'' if len(z) == 1 else '-'}{z}" for z in scenario.zones}
        self.vpc = f"vpc-{digits(17, 'vpc')}"

    def arn(self, service: str, resource: str) -> str:
        """ARN of a resource of the account and region."""
        return f"arn:aws:{service}:{self.scenario.region}:{self.scenario.account}:{resource}"

    def zone_type(self, zone: str) -> str:
        """Type of a zone; availability-zone unless the scenario says otherwise."""
        return self.scenario.zone_types.get(zone, "availability-zone")

    def subnet(self, zone: str) -> str:
        """The one subnet of a zone, named after the zone's ID."""
        return f"subnet-{digits(17, 'subnet', self.scenario.zones[zone])}"

    def load_balancer_path(self, name: str) -> str:
        """Such as ``app/web/0123456789abcdef``; a Classic one has only its name."""
        kind = self.scenario.load_balancers[name].type
        return name if kind == "classic" else f"{_ARN_KIND[kind]}/{name}/{digits(16, kind, name)}"

    def load_balancer(self, name: str) -> str:
        """ARN of a load balancer."""
        return self.arn("elasticloadbalancing", f"loadbalancer/{self.load_balancer_path(name)}")

    def listener(self, name: str, port: int) -> str:
        """ARN of a listener."""
        path = f"{self.load_balancer_path(name)}/{digits(16, 'listener', name, str(port))}"
        return self.arn("elasticloadbalancing", f"listener/{path}")

    def rule(self, name: str, port: int, priority: str) -> str:
        """ARN of a listener rule."""
        listener = self.listener(name, port).replace(":listener/", ":listener-rule/")
        return f"{listener}/{digits(16, 'rule', name, str(port), priority)}"

    def target_group(self, name: str) -> str:
        """ARN of a target group."""
        return self.arn("elasticloadbalancing", f"targetgroup/{name}/{digits(16, 'targetgroup', name)}")

    def auto_scaling_group(self, name: str) -> str:
        """ARN of an Auto Scaling group."""
        uuid = digits(32, "autoscaling", name)
        dashed = "-".join((uuid[:8], uuid[8:12], uuid[12:16], uuid[16:20], uuid[20:]))
        return self.arn("autoscaling", f"autoScalingGroup:{dashed}:autoScalingGroupName/{name}")

    def cluster(self, name: str) -> str:
        """ARN of an EKS cluster."""
        return self.arn("eks", f"cluster/{name}")

    def alarm(self, text: str) -> str:
        """ARN of an alarm: `text` itself where it is one, else that of the alarm of this name."""
        return text if text.startswith("arn:") else self.arn("cloudwatch", f"alarm:{text}")

    def shiftable(self, text: str, place: str) -> tuple[str, str]:
        """The kind and name of a resource: `text` is its name, or ``auto_scaling_groups.web`` where several share it.

        Raises:
            RuleError: no resource, or more than one, has the name.
        """
        kind, _, name = text.partition(".")
        found = [(k, text) for k in KINDS if text in getattr(self.scenario, k)]
        if kind in KINDS and name in getattr(self.scenario, kind):
            found.append((kind, name))
        if len(found) != 1:
            says = "names no resource" if not found else f"names more than one; write {found[0][0]}.{text}"
            raise refuse(place, f"{text} {says}")
        return found[0]

    def shiftable_arn(self, kind: str, name: str) -> str:
        """ARN of a load balancer, Auto Scaling group or cluster."""
        return {
            "load_balancers": self.load_balancer,
            "auto_scaling_groups": self.auto_scaling_group,
            "clusters": self.cluster,
        }[kind](name)
