"""What is each registered target, in which zone does it stand, and what does its state say?

https://docs.aws.amazon.com/elasticloadbalancing/latest/application/target-group-health-checks.html#target-health-states
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping

from ..model import autoscaling, ec2, elbv2
from ..model.identity import Zone
from ..model.inventory import RegionInventory
from ..model.known import Known, Listing, Unknown, merge, unclear
from .nodes.target_groups import Target
from .zones import ZoneMap

REDIRECTS = frozenset({301, 302, 303, 307, 308})
_CODES = re.compile(r"\[\s*\d{3}(?:\s*,\s*\d{3})*\s*\]")
_GRPC_CODES = re.compile(r"\[\s*\d{1,3}(?:\s*,\s*\d{1,3})*\s*\]")
_JUDGED = frozenset({"healthy", "unhealthy", "unhealthy.draining", "unused", "draining"})
_NODE_PORTS = range(30000, 32768)


def codes_in(description: str, *, grpc: bool = False) -> tuple[int, ...]:
    """Status codes in a health description, such as ``[301]``; AWS pairs them with several reasons, so only text decides.

    A gRPC check names gRPC codes, which are shorter: ``[12]``.
    """
    form = _GRPC_CODES if grpc else _CODES
    return tuple(int(c) for group in form.findall(description) for c in re.findall(r"\d+", group))


def checks_node_port(group: elbv2.TargetGroup) -> bool:
    """Whether the check goes to a Kubernetes node port of its own, which answers only on nodes that run a pod.

    That is how ``externalTrafficPolicy: Local`` works: an HTTP check on a port of the node-port range that is not the
    traffic port. Failing nodes are then no fault.
    """
    port = group.HealthCheckPort or ""
    return (
        group.TargetType == "instance"
        and group.HealthCheckProtocol in ("HTTP", "HTTPS")
        and port.isdigit()
        and int(port) in _NODE_PORTS
        and int(port) != group.Port
    )


class TargetPlaces:
    """Finds the zone of a target from whatever answers hold it."""

    def __init__(self, inventory: RegionInventory, zones: ZoneMap) -> None:
        self._zones = zones
        self._instances_read = inventory.listing(ec2.INSTANCES)
        self._groups_read = inventory.listing(autoscaling.AUTO_SCALING_GROUPS)
        self._subnets_read = inventory.listing(ec2.SUBNETS)
        self._instance_zone: dict[str, str] = {
            i.InstanceId: i.AvailabilityZone for g in self._groups_read for i in g.Instances if i.AvailabilityZone
        }
        self._instance_zone |= {
            i.InstanceId: i.Placement.AvailabilityZone
            for r in self._instances_read
            for i in r.Instances
            if i.Placement.AvailabilityZone
        }
        self._subnets: dict[str, list[tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, str]]] = {}
        for subnet in self._subnets_read:
            if subnet.CidrBlock and subnet.AvailabilityZone:
                network = ipaddress.ip_network(subnet.CidrBlock, strict=False)
                self._subnets.setdefault(subnet.VpcId, []).append((network, subnet.AvailabilityZone))

    def instance(self, instance_id: str) -> Known[Zone]:
        """Zone of an instance, from EC2 or from its Auto Scaling group."""
        name = self._instance_zone.get(instance_id)
        if name:
            return self._zones.named(name)
        if not self._instances_read.complete:
            return self._instances_read.unknown
        return unclear(f"EC2 does not know the instance {instance_id}")

    def of(self, group: elbv2.TargetGroup, target: elbv2.TargetDescription) -> Known[Zone | None]:
        """Zone of a target; None when it is registered for all zones or has none (Lambda, load balancers)."""
        if group.TargetType in ("lambda", "alb") or target.AvailabilityZone == "all":
            return None
        if group.TargetType == "instance":
            found = self.instance(target.Id)
            if isinstance(found, Unknown) and target.AvailabilityZone:
                return self._zones.named(target.AvailabilityZone)
            return found
        if target.AvailabilityZone:
            return self._zones.named(target.AvailabilityZone)
        return self._by_address(group.VpcId or "", target.Id)

    def _by_address(self, vpc_id: str, address: str) -> Known[Zone | None]:
        try:
            ip = ipaddress.ip_address(address)
        except ValueError:
            return unclear(f"the target {address} is not an IP address")
        for network, zone_name in self._subnets.get(vpc_id, ()):
            if ip in network:
                return self._zones.named(zone_name)
        if not self._subnets_read.complete:
            return self._subnets_read.unknown
        return unclear(f"no subnet of {vpc_id} holds the target {address}")


def target_of(group: elbv2.TargetGroup, health: elbv2.TargetHealthDescription, zone: Known[Zone | None]) -> Target:
    """One target with everything its health answer says."""
    state, reason = health.TargetHealth.State, health.TargetHealth.Reason or ""
    description = health.TargetHealth.Description or ""
    codes = codes_in(description, grpc=group.ProtocolVersion == "GRPC")
    unhealthy = state.startswith("unhealthy") and not reason.startswith("Elb.")
    redirected = unhealthy and any(c in REDIRECTS for c in codes)
    disabled = reason == "Target.HealthCheckDisabled"
    port = health.Target.Port
    return Target(
        Id=health.Target.Id,
        Port=port,
        State=state,
        Reason=reason,
        Description=description,
        label=health.Target.Id if port is None else f"{health.Target.Id}:{port}",
        zone=zone,
        codes=codes,
        usable=state not in ("unused", "draining"),
        healthy=state == "healthy",
        unhealthy=unhealthy,
        pending=not disabled and (state not in _JUDGED or reason.startswith("Elb.")),
        redirected=redirected,
        mismatched=unhealthy and bool(codes) and not redirected,
        fails_on_purpose=(unhealthy and not codes and checks_node_port(group))
        or (unhealthy and checks_node_port(group) and 503 in codes),
    )


def targets_of(group: elbv2.TargetGroup, inventory: RegionInventory, places: TargetPlaces) -> Known[tuple[Target, ...]]:
    """All targets of a group, or why they are not known. Unattached groups are not asked about."""
    listing: Listing[elbv2.TargetHealthDescription] = inventory.listing(elbv2.TARGET_HEALTH, group.TargetGroupArn)
    if not listing.complete:
        return listing.unknown
    found = (target_of(group, h, places.of(group, h.Target)) for h in listing)
    return tuple(sorted(found, key=lambda t: (t.Id, t.Port or 0)))


def unresolved(targets: tuple[Target, ...], *, usable_only: bool = True) -> Unknown | None:
    """Why the zones of some targets are not known, or None when all are. Targets for all zones count as unknown places."""
    reasons = [
        t.zone if isinstance(t.zone, Unknown) else unclear(f"the target {t.label} is registered for all zones")
        for t in targets
        if (t.usable or not usable_only) and (t.zone is None or isinstance(t.zone, Unknown))
    ]
    return merge(reasons) if reasons else None


def per_zone(targets: tuple[Target, ...]) -> Mapping[Zone, tuple[Target, ...]]:
    """Targets by the zone they stand in; those without a known zone are left out."""
    found: dict[Zone, list[Target]] = {}
    for target in targets:
        if isinstance(target.zone, Zone):
            found.setdefault(target.zone, []).append(target)
    return {zone: tuple(found[zone]) for zone in sorted(found, key=lambda z: z.key)}
