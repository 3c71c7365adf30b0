"""moto's ELBv2 with the states, zones, ARNs and attributes that AWS has and moto lacks."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from moto.elbv2.exceptions import InvalidConfigurationRequest, LoadBalancerNotFoundError, TargetGroupNotFoundError
from moto.elbv2.models import ELBv2Backend

from ...model import elb_defaults
from . import target_health
from .interfaces import delete_interfaces, make_interfaces
from .target_health import Registration, Setting
from .validate import ImpossibleAnswer, check_target_health

_ARN_PART = {"application": "app", "network": "net", "gateway": "gwy"}
_INTERFACE_TYPE = {
    "application": "interface",
    "network": "network_load_balancer",
    "gateway": "gateway_load_balancer",
}
_DEFAULT_POLICY = "ELBSecurityPolicy-2016-08"
_SHIFT = "zonal_shift.config.enabled"
_CROSS_ZONE = "load_balancing.cross_zone.enabled"


class DemoELBv2Backend(ELBv2Backend):
    """ELBv2 of one account and region; targets are kept by id and port, with their zone and health."""

    __module__ = ELBv2Backend.__module__

    def __init__(self, region_name: str, account_id: str) -> None:
        super().__init__(region_name, account_id)
        self.registrations: dict[str, dict[tuple[str, int | None], Registration]] = {}

    def create_load_balancer(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """As moto, with the ARN, scheme, attributes and network interfaces of the load balancer's type."""
        kwargs["scheme"] = kwargs.get("scheme") or "internet-facing"
        tags = kwargs.pop("tags", None)
        made: Any = super().create_load_balancer(name, *args, **kwargs)
        del self.load_balancers[made.arn]
        made.arn = made.arn.replace("/app/", f"/{_ARN_PART[made.type]}/", 1)
        self.load_balancers[made.arn] = made
        self.tagging_service.tag_resource(made.arn, tags)
        made.attrs = elb_defaults.load_balancer_attributes(made.type, made.scheme)
        if made.type == "gateway":
            made.scheme = None
            made.dns_name = None
        owner = made.arn.split(":loadbalancer/", 1)[1]
        make_interfaces(self.ec2_backend, made.subnets, owner, _INTERFACE_TYPE[made.type])
        return made

    def delete_load_balancer(self, arn: str) -> None:
        """As moto, and the load balancer's network interfaces go with it."""
        delete_interfaces(self.ec2_backend, arn.split(":loadbalancer/", 1)[-1])
        super().delete_load_balancer(arn)

    def describe_load_balancers(self, arns: list[str] | None, names: list[str] | None) -> list[Any]:
        """As AWS: an ARN or name that does not exist fails the whole call."""
        known = {balancer.arn for balancer in self.load_balancers.values()}
        if set(arns or []) - known:
            raise LoadBalancerNotFoundError
        found: list[Any] = super().describe_load_balancers(arns, names)
        return found

    def modify_load_balancer_attributes(self, arn: str, attrs: dict[str, Any]) -> dict[str, Any]:
        """Change attributes; a key that the type does not have is refused, as is cross-zone off on an ALB."""
        balancer = self.load_balancers.get(arn)
        if balancer is None:
            raise LoadBalancerNotFoundError
        refuse_unknown(attrs, balancer.attrs)
        if balancer.type == "application" and attrs.get(_CROSS_ZONE, "true") != "true":
            raise InvalidConfigurationRequest(
                "Cross-zone load balancing cannot be turned off here; use the target group"
            )
        balancer.attrs.update(attrs)
        return dict(balancer.attrs)

    def create_target_group(self, name: str, **kwargs: Any) -> Any:
        """As moto, with the attributes and health-check defaults of AWS for the protocol and target type."""
        group: Any = super().create_target_group(name, **kwargs)
        group.attributes = elb_defaults.target_group_attributes(group.protocol, group.target_type)
        network = group.protocol in ("TCP", "TLS", "UDP", "TCP_UDP", "GENEVE")
        if network and group.health_check_protocol in ("HTTP", "HTTPS"):
            group.matcher = kwargs.get("matcher") or {"HttpCode": "200-399"}
            group.health_check_path = group.health_check_path or "/"
        if group.target_type == "lambda":
            group.ip_address_type = None
            group.health_check_protocol = None
        self.registrations[group.arn] = {}
        return group

    def modify_target_group_attributes(self, target_group_arn: str, attributes: dict[str, Any]) -> None:
        """Change attributes; a key that the group does not have is refused, and so is any on an ``alb`` group."""
        group = self._group(target_group_arn)
        if group.target_type == "alb":
            raise InvalidConfigurationRequest("Attributes of a target group with target type alb cannot be changed")
        refuse_unknown(attributes, group.attributes)
        super().modify_target_group_attributes(target_group_arn, attributes)

    def describe_target_groups(
        self, load_balancer_arn: str | None, target_group_arns: list[str], names: list[str] | None
    ) -> list[Any]:
        """As moto; the load balancer of each group is found anew from listeners and rules."""
        users: dict[str, list[str]] = {}
        for arn, used in self._uses():
            users.setdefault(used, [])
            if arn not in users[used]:
                users[used].append(arn)
        for group in self.target_groups.values():
            group.load_balancer_arns = users.get(group.arn, [])
        return list(super().describe_target_groups(load_balancer_arn, target_group_arns, names))

    def create_listener(self, load_balancer_arn: str, *args: Any, **kwargs: Any) -> Any:
        """As moto; forward actions are completed, and only HTTPS and TLS listeners have a policy."""
        kwargs["actions"] = _completed(kwargs["actions"])
        listener: Any = super().create_listener(load_balancer_arn, *args, **kwargs)
        secure = listener.protocol in ("HTTPS", "TLS")
        listener.ssl_policy = (listener.ssl_policy or _DEFAULT_POLICY) if secure else None
        listener.protocol = listener.protocol or None
        if listener.protocol not in ("TCP", None):
            listener.attributes = {}
        for rule in listener.rules.values():
            # moto ends the default rule's ARN in the address of an object in memory.
            rule.arn = rule.arn.rsplit("/", 1)[0] + "/" + listener.arn.rsplit("/", 1)[1][::-1]
        return listener

    def create_rule(
        self, listener_arn: str, conditions: Any, priority: int, actions: Any, *rest: Any, **kw: Any
    ) -> Any:
        """As moto; forward actions are completed."""
        return super().create_rule(listener_arn, conditions, priority, _completed(actions), *rest, **kw)

    def register_targets(self, target_group_arn: str, instances: list[Any]) -> None:
        """Register targets by id and port; an ip target's zone is the one given, or that of its subnet."""
        group = self._group(target_group_arn)
        for target in instances:
            port = None if group.target_type == "lambda" else int(target.get("Port") or group.port)
            zone = target.get("AvailabilityZone")
            if group.target_type == "ip":
                zone = zone or self._zone_of_address(target["Id"])
            self.registrations[group.arn].setdefault((target["Id"], port), Registration(target["Id"], port, zone))

    def deregister_targets(self, target_group_arn: str, instances: list[Any]) -> None:
        """Forget targets; without a port every port of the id."""
        registered = self.registrations[self._group(target_group_arn).arn]
        for target in instances:
            for key in [key for key in registered if key[0] == target["Id"] and target.get("Port") in (None, key[1])]:
                del registered[key]

    def notify_terminate_instances(self, instance_ids: list[str]) -> None:
        """Forget instances that were terminated."""
        for registered in self.registrations.values():
            for key in [key for key in registered if key[0] in instance_ids]:
                del registered[key]

    def set_target_health(self, target_group_arn: str, target_id: str, health: Mapping[str, str]) -> None:
        """Say what the checks find for every port of a target.

        Args:
            target_group_arn: the group.
            target_id: instance, address, load balancer or function, as registered.
            health: a TargetHealth in AWS spelling.

        Raises:
            ImpossibleAnswer: AWS could not report that state, or the target is not registered.
        """
        check_target_health(health)
        found = [item for key, item in self.registrations[target_group_arn].items() if key[0] == target_id]
        if not found:
            raise ImpossibleAnswer(f"elbv2.TargetHealth: {target_id} is not registered in {target_group_arn}")
        for registration in found:
            registration.health = dict(health)

    def target_health_descriptions(
        self, target_group_arn: str, targets: Sequence[Mapping[str, Any]], include: list[str]
    ) -> list[dict[str, Any]]:
        """TargetHealthDescriptions in AWS spelling, ordered by target."""
        group = self._group(target_group_arn)
        setting = self._setting(group)
        registered = self.registrations[group.arn]
        if not targets:
            return [self._description(group, setting, registered[key], include) for key in sorted(registered, key=str)]
        answers = []
        for target in targets:
            port = int(target.get("Port") or group.port or 0) or None
            registration = registered.get((target["Id"], port))
            answers.append(
                self._description(group, setting, registration, include)
                if registration
                else {"Target": {"Id": target["Id"], "Port": port}, "TargetHealth": target_health.NOT_REGISTERED}
            )
        return answers

    def _description(self, group: Any, setting: Setting, target: Registration, include: list[str]) -> dict[str, Any]:
        instance = self.ec2_backend.get_instance_by_id(target.id) if group.target_type == "instance" else None
        zone = instance.placement.zone if instance else target.zone
        health = target_health.state_of(target, zone, bool(instance and instance.state == "stopped"), setting)
        reported = target.zone if group.target_type == "ip" else None
        check_port = group.health_check_port
        return {
            "Target": {"Id": target.id, "Port": target.port, "AvailabilityZone": reported},
            "HealthCheckPort": str(target.port) if check_port == "traffic-port" else check_port and str(check_port),
            "TargetHealth": dict(health),
            "AdministrativeOverride": target_health.override_of(zone, setting),
            "AnomalyDetection": target_health.anomaly_of(health, include, setting),
        }

    def _setting(self, group: Any) -> Setting:
        users = [self.load_balancers[arn] for arn, used in self._uses() if used == group.arn]
        if not users:
            return Setting(None, frozenset(), group.health_check_enabled, False, False, None)
        balancer = users[0]
        inherited = balancer.attrs.get(_CROSS_ZONE) == "true"
        own = group.attributes.get(_CROSS_ZONE)
        away_from = self.shifted_zone_id(balancer.arn)
        return Setting(
            kind=balancer.type,
            zones=frozenset(subnet.availability_zone for subnet in balancer.subnets),
            checked=group.health_check_enabled,
            cross_zone=own == "true" if own in ("true", "false") else inherited,
            shift_enabled=balancer.attrs.get(_SHIFT) == "true",
            away_from=next(
                (s.availability_zone for s in balancer.subnets if s.availability_zone_id == away_from), None
            ),
        )

    def shifted_zone_id(self, arn: str) -> str | None:
        """Zone that a shift in force moves a load balancer's traffic away from."""
        from .arc.models import arczonalshift_backends  # noqa: PLC0415 - the two services know each other

        return arczonalshift_backends[self.account_id][self.region_name].away_from(arn)

    def _uses(self) -> Iterator[tuple[str, str]]:
        """Load balancer and target group, for every group that a listener or rule names."""
        for balancer in self.load_balancers.values():
            for listener in balancer.listeners.values():
                for rule in listener.rules.values():
                    for action in rule.actions:
                        for arn in self._get_target_group_arns_from(action_data=action.data):
                            yield balancer.arn, arn

    def _zone_of_address(self, address: str) -> str:
        for subnet in self.ec2_backend.describe_subnets():
            if ipaddress.ip_address(address) in ipaddress.ip_network(subnet.cidr_block):
                return str(subnet.availability_zone)
        raise InvalidConfigurationRequest(f"Target {address} is outside the VPC and needs an Availability Zone")

    def _group(self, arn: str) -> Any:
        group = self.target_groups.get(arn)
        if group is None:
            raise TargetGroupNotFoundError
        return group


def refuse_unknown(given: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    """Refuse attribute keys that a resource of its kind does not have."""
    for key in given:
        if key not in known:
            raise InvalidConfigurationRequest(f"Attribute key '{key}' is not recognized")


def _completed(actions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Forward actions in both spellings, as AWS answers them when there is one group."""
    completed = []
    for action in actions:
        whole = dict(action)
        groups = whole.get("ForwardConfig", {}).get("TargetGroups", [])
        if whole.get("Type") == "forward" and not groups:
            whole["ForwardConfig"] = {"TargetGroups": [{"TargetGroupArn": whole["TargetGroupArn"], "Weight": 1}]}
        elif len(groups) == 1:
            whole["TargetGroupArn"] = groups[0]["TargetGroupArn"]
        completed.append(whole)
    return completed
