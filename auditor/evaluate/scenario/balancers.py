"""Elastic Load Balancing as a scenario has it: load balancers, listeners, rules, target groups and their health."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...model import elb_defaults
from . import defaults
from .form import Action, Form, Listener, LoadBalancer, Scenario, TargetGroup, actions_of, groups_of, refuse
from .names import Names, digits
from .scaling import Fleet
from .shorthand import ZONE_NOT_ENABLED, TargetState, target_states

_CREATED = "2025-06-01T09:00:00Z"


def key_values(values: Mapping[str, str]) -> list[dict[str, str]]:
    """Attributes or tags as AWS lists them."""
    return [{"Key": key, "Value": value} for key, value in values.items()]


def _attributes(known: Mapping[str, str], given: Mapping[str, str], place: str) -> list[dict[str, str]]:
    for key in given:
        if key not in known:
            raise refuse(place, f"{key} is not an attribute of this type; those are {', '.join(known)}")
    merged = {**known, **given}
    return key_values({key: value for key, value in merged.items() if value != "absent"})


class Balancers:
    """Answers about load balancers and target groups."""

    def __init__(self, scenario: Scenario, names: Names, fleet: Fleet) -> None:
        self._scenario = scenario
        self._names = names
        self._fleet = fleet
        self._users: dict[str, str] = {}
        for name, balancer in scenario.load_balancers.items():
            for action in actions_of(balancer):
                for group in groups_of(action):
                    self._attach(group, name, balancer)

    def _attach(self, group: str, name: str, balancer: LoadBalancer) -> None:
        kind = self.kind(group)
        if kind != balancer.type or self._users.get(group, name) != name:
            says = f"{group} has the protocol of another kind of load balancer, or belongs to another one"
            raise refuse(f"load_balancers.{name}.listeners", says)
        self._users[group] = name

    def kind(self, group: str) -> str:
        """The kind of load balancer a target group is for."""
        form = self._scenario.target_groups[group]
        if form.type == "lambda":
            return "application"
        protocol = self._protocol(form)
        if protocol not in defaults.KIND_OF_PROTOCOL:
            raise refuse(f"target_groups.{group}.protocol", f"{protocol} is not a protocol of target groups")
        return defaults.KIND_OF_PROTOCOL[protocol]

    @staticmethod
    def _protocol(form: TargetGroup) -> str:
        return form.protocol or ("TCP" if form.type == "alb" else "HTTP")

    def shift_enabled(self, name: str) -> bool:
        """Whether the load balancer's own zonal-shift switch is on."""
        return self._scenario.load_balancers[name].attributes.get("zonal_shift.config.enabled") == "true"

    # Load balancers

    def load_balancers(self) -> list[dict[str, Any]]:
        """All of API version 2."""
        found = []
        for name, form in self._scenario.load_balancers.items():
            if form.type == "classic":
                continue
            balancer = {
                "LoadBalancerArn": self._names.load_balancer(name),
                "DNSName": f"{name}-{digits(10, 'dns', name)}.elb.{self._scenario.region}.amazonaws.com",
                "CanonicalHostedZoneId": "Z35SXDOTRQ7X7K",
                "CreatedTime": _CREATED,
                "LoadBalancerName": name,
                "Scheme": form.scheme,
                "VpcId": self._names.vpc,
                "State": {"Code": form.state},
                "Type": form.type,
                "AvailabilityZones": [self._balancer_zone(zone, form) for zone in form.zones],
                "IpAddressType": "ipv4",
            }
            if form.type == "application":
                balancer["SecurityGroups"] = [f"sg-{digits(17, 'sg', name)}"]
            found.append(balancer)
        return found

    def _balancer_zone(self, zone: str, form: LoadBalancer) -> dict[str, Any]:
        found: dict[str, Any] = {
            "ZoneName": self._names.zone_names[zone],
            "SubnetId": self._names.subnet(zone),
            "LoadBalancerAddresses": [],
        }
        if form.outpost:
            found["OutpostId"] = f"op-{digits(17, 'outpost')}"
        return found

    def load_balancer_attributes(self, name: str) -> list[dict[str, str]]:
        """Attributes of a load balancer of API version 2."""
        form = self._scenario.load_balancers[name]
        place = f"load_balancers.{name}.attributes"
        known = elb_defaults.load_balancer_attributes(form.type, form.scheme)
        return _attributes(known, form.attributes, place)

    # Listeners and rules

    def listeners(self, name: str) -> list[dict[str, Any]]:
        """Listeners of a load balancer."""
        found = []
        for form in self._scenario.load_balancers[name].listeners:
            listener: dict[str, Any] = {
                "ListenerArn": self._names.listener(name, form.port),
                "LoadBalancerArn": self._names.load_balancer(name),
                "DefaultActions": self._actions(form.default),
            }
            if form.protocol != "GENEVE":
                listener |= {"Port": form.port, "Protocol": form.protocol}
            if form.protocol in ("HTTPS", "TLS"):
                listener["SslPolicy"] = form.policy or "ELBSecurityPolicy-TLS13-1-2-Res-PQ-2025-09"
                listener["Certificates"] = [
                    {"CertificateArn": self._names.arn("acm", f"certificate/{digits(8, name)}")}
                ]
                listener["MutualAuthentication"] = {"Mode": form.mutual}
            elif form.policy or form.mutual != "off":
                raise refuse(f"load_balancers.{name}.listeners", f"a {form.protocol} listener has no TLS settings")
            found.append(listener)
        return found

    def rules_matter(self, name: str, groups: Sequence[Mapping[str, Any]]) -> bool:
        """Whether the rules are read: all of an ALB, those of an NLB only to explain an attached group."""
        form = self._scenario.load_balancers[name]
        if form.type != "network":
            return form.type == "application"
        arn = self._names.load_balancer(name)
        attached = {g["TargetGroupName"] for g in groups if arn in g["LoadBalancerArns"]}
        defaults_ = [groups_of(listener.default) for listener in form.listeners]
        return bool(attached - {group for forwards in defaults_ for group, weight in forwards.items() if weight})

    def rules(self, name: str, port: int) -> list[dict[str, Any]]:
        """Rules of a listener, the default rule last."""
        form = next(li for li in self._scenario.load_balancers[name].listeners if li.port == port)
        found = [
            {
                "RuleArn": self._names.rule(name, port, str(rule.priority)),
                "Priority": str(rule.priority),
                "Conditions": list(_conditions(rule.when)),
                "Actions": self._actions(rule.then),
                "IsDefault": False,
                "Transforms": [],
            }
            for rule in form.rules
        ]
        return [*found, self._default_rule(name, form)]

    def _default_rule(self, name: str, form: Listener) -> dict[str, Any]:
        return {
            "RuleArn": self._names.rule(name, form.port, "default"),
            "Priority": "default",
            "Conditions": [],
            "Actions": self._actions(form.default),
            "IsDefault": True,
            "Transforms": [],
        }

    def _actions(self, form: Action) -> list[dict[str, Any]]:
        steps = []
        if form.authenticate:
            config = {"oidc": "AuthenticateOidcConfig", "cognito": "AuthenticateCognitoConfig"}[form.authenticate]
            settings = {"OnUnauthenticatedRequest": form.unauthenticated}
            steps.append({"Type": f"authenticate-{form.authenticate}", config: settings})
        if form.jwt:
            steps.append({"Type": "jwt-validation"})
        steps.append(self._last_action(form))
        return [{**step, "Order": order} for order, step in enumerate(steps, 1)] if len(steps) > 1 else steps

    def _last_action(self, form: Action) -> dict[str, Any]:
        groups = groups_of(form)
        if (form.redirect is not None) + (form.fixed is not None) + bool(groups) != 1:
            raise refuse("load_balancers", "an action must hold one of forward, redirect, fixed")
        if form.redirect:
            config = {
                "Protocol": "HTTPS",
                "Port": "443",
                "Host": "#{host}",
                "Path": "/#{path}",
                "Query": "#{query}",
                "StatusCode": f"HTTP_{form.redirect}",
            }
            return {"Type": "redirect", "RedirectConfig": config}
        if form.fixed:
            return {"Type": "fixed-response", "FixedResponseConfig": {"StatusCode": str(form.fixed)}}
        tuples = [{"TargetGroupArn": self._names.target_group(group), "Weight": w} for group, w in groups.items()]
        action: dict[str, Any] = {"Type": "forward", "ForwardConfig": {"TargetGroups": tuples}}
        if len(tuples) == 1:
            action["TargetGroupArn"] = tuples[0]["TargetGroupArn"]
        return action

    # Target groups

    def target_groups(self) -> list[dict[str, Any]]:
        """All target groups, with the load balancer that uses each."""
        return [self._target_group(name, form) for name, form in self._scenario.target_groups.items()]

    def _target_group(self, name: str, form: TargetGroup) -> dict[str, Any]:
        check = {**defaults.health_check(self.kind(name), form.type), **_given(form.health_check)}
        user = self._users.get(name)
        group: dict[str, Any] = {
            "TargetGroupArn": self._names.target_group(name),
            "TargetGroupName": name,
            "HealthCheckEnabled": form.health_check.enabled is not False and form.type != "lambda",
            "HealthCheckIntervalSeconds": 30,
            "HealthCheckTimeoutSeconds": 5,
            "HealthyThresholdCount": 5,
            "UnhealthyThresholdCount": 2,
            "LoadBalancerArns": [self._names.load_balancer(user)] if user else [],
            "TargetType": form.type,
            "IpAddressType": "ipv4",
        }
        if form.type == "lambda":
            return group | {"HealthCheckPath": "/", "Matcher": {"HttpCode": "200"}}
        group |= {
            "Protocol": self._protocol(form),
            "Port": form.port or 80,
            "VpcId": self._names.vpc,
            "HealthCheckProtocol": check["protocol"],
            "HealthCheckPort": check["port"],
        }
        if self.kind(name) == "application":
            group["ProtocolVersion"] = "HTTP1"
        if check["protocol"] in ("HTTP", "HTTPS"):
            group["HealthCheckPath"] = check.get("path", "/")
            group["Matcher"] = {"HttpCode": check.get("matcher", "200-399")}
        elif "path" in check or "matcher" in check:
            raise refuse(
                f"target_groups.{name}.health_check", f"a {check['protocol']} check has no path and no matcher"
            )
        return group

    def target_group_attributes(self, name: str) -> list[dict[str, str]]:
        """Attributes of a target group, with the defaults of its type."""
        form = self._scenario.target_groups[name]
        protocol = None if form.type == "lambda" else self._protocol(form)
        known = elb_defaults.target_group_attributes(protocol, form.type)
        return _attributes(known, form.attributes, f"target_groups.{name}.attributes")

    def health(self, name: str) -> list[dict[str, Any]]:
        """Targets of a group with their health, as DescribeTargetHealth gives it with ``Include=All``."""
        form = self._scenario.target_groups[name]
        placed = form.targets if form.targets is not None else self._fleet.targets_fed(name)
        found = []
        for place, text in placed.items():
            where = f"target_groups.{name}.targets.{place}"
            number = 0
            for state in target_states(text, where, says_codes=self.kind(name) == "application"):
                for _ in range(state.number):
                    found.append(self._target(name, place, number, state))
                    number += 1
        return found

    def _target(self, name: str, place: str, number: int, state: TargetState) -> dict[str, Any]:
        form = self._scenario.target_groups[name]
        target: dict[str, Any] = {"Id": self._target_id(form, name, place, number)}
        if form.type == "lambda":
            target["AvailabilityZone"] = "all"
        else:
            target["Port"] = form.port or 80
        if form.type == "ip" and place != "unplaced":
            target["AvailabilityZone"] = "all" if place == "all-inside" else self._names.zone_names.get(place, place)
        health = {"State": state.state, "Reason": state.reason, "Description": state.description}
        user = self._users.get(name)
        zoned = form.type in ("ip", "instance") and place not in ("all", "all-inside", "unplaced")
        served = user is not None and place in self._scenario.load_balancers[user].zones
        if user and zoned and not served and state.state not in ("draining", "unused"):
            health = {"State": "unused", "Reason": "Target.NotInUse", "Description": ZONE_NOT_ENABLED}
        found: dict[str, Any] = {
            "Target": target,
            "TargetHealth": {key: value for key, value in health.items() if value is not None},
        }
        if form.type != "lambda":
            port = form.health_check.port
            found["HealthCheckPort"] = str(port) if port not in (None, "traffic-port") else str(form.port or 80)
        if self.kind(name) == "network":
            override = {"State": "no_override", "Reason": "AdministrativeOverride.NoOverride"}
            found["AdministrativeOverride"] = {**override, "Description": "No override is currently active on target"}
        if self.kind(name) == "application" and form.type != "lambda":
            found["AnomalyDetection"] = {"Result": "normal", "MitigationInEffect": "no"}
        return found

    def _target_id(self, form: TargetGroup, name: str, place: str, number: int) -> str:
        if form.type == "alb":
            return self._names.load_balancer(place)
        if form.type == "lambda":
            return self._names.arn("lambda", f"function:{place}")
        if form.type == "instance":
            return self._fleet.target_instance(name, place, number)
        return self._fleet.address(name, place, number)

    # Classic

    def classics(self) -> list[dict[str, Any]]:
        """Classic Load Balancers."""
        return [
            {
                "LoadBalancerName": name,
                "DNSName": f"{name}-{digits(10, 'dns', name)}.{self._scenario.region}.elb.amazonaws.com",
                "ListenerDescriptions": [
                    {"Listener": {"Protocol": "HTTP", "LoadBalancerPort": 80, "InstancePort": 80}, "PolicyNames": []}
                ],
                "AvailabilityZones": [self._names.zone_names[zone] for zone in form.zones],
                "Subnets": [self._names.subnet(zone) for zone in form.zones],
                "VPCId": self._names.vpc,
                "Instances": [{"InstanceId": i} for i, _ in self._fleet.classic_instances(name, form)],
                "HealthCheck": {
                    "Target": "HTTP:80/healthz",
                    "Interval": 30,
                    "Timeout": 5,
                    "UnhealthyThreshold": 2,
                    "HealthyThreshold": 10,
                },
                "Scheme": form.scheme,
                "CreatedTime": _CREATED,
            }
            for name, form in self._scenario.load_balancers.items()
            if form.type == "classic"
        ]

    def classic_attributes(self, name: str) -> dict[str, Any]:
        """Attributes of a Classic Load Balancer."""
        return {
            "CrossZoneLoadBalancing": {"Enabled": self._scenario.load_balancers[name].cross_zone},
            "AccessLog": {"Enabled": False},
            "ConnectionDraining": {"Enabled": True, "Timeout": 300},
            "ConnectionSettings": {"IdleTimeout": 60},
            "AdditionalAttributes": [{"Key": "elb.http.desyncmitigationmode", "Value": "defensive"}],
        }

    def classic_tags(self, name: str) -> Mapping[str, str]:
        """Tags of a Classic Load Balancer."""
        return self._scenario.load_balancers[name].tags

    def classic_health(self, name: str) -> list[dict[str, Any]]:
        """Health of the instances of a Classic Load Balancer."""
        form = self._scenario.load_balancers[name]
        failed = "Instance has failed at least the UnhealthyThreshold number of health checks consecutively."
        return [
            {
                "InstanceId": instance,
                "State": "InService" if healthy else "OutOfService",
                "ReasonCode": "N/A" if healthy else "Instance",
                "Description": "N/A" if healthy else failed,
            }
            for instance, healthy in self._fleet.classic_instances(name, form)
        ]


def _given(form: Form) -> dict[str, str]:
    """Settings that the scenario gives, as text."""
    fields = {"protocol", "port", "path", "matcher"}
    return {f: str(getattr(form, f)) for f in fields if getattr(form, f) is not None}


def _conditions(when: Any) -> Iterator[dict[str, Any]]:
    paths, hosts = list(when.path), list(when.host)
    if paths or when.path_regex:
        config = {"Values": paths, "RegexValues": list(when.path_regex)}
        yield {"Field": "path-pattern", "Values": paths, "PathPatternConfig": config}
    if hosts or when.host_regex:
        config = {"Values": hosts, "RegexValues": list(when.host_regex)}
        yield {"Field": "host-header", "Values": hosts, "HostHeaderConfig": config}
    for name, values in when.header.items():
        yield {"Field": "http-header", "HttpHeaderConfig": {"HttpHeaderName": name, "Values": list(values)}}
    if when.method:
        yield {"Field": "http-request-method", "HttpRequestMethodConfig": {"Values": list(when.method)}}
    if when.source_ip:
        yield {"Field": "source-ip", "SourceIpConfig": {"Values": list(when.source_ip)}}
    if when.query:
        pairs = [{"Key": key, "Value": value} for key, value in when.query.items()]
        yield {"Field": "query-string", "QueryStringConfig": {"Values": pairs}}
