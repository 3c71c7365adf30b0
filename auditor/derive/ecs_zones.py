"""In which zones can a service of ECS run tasks?

With network interfaces of their own (awsvpc) tasks stand where the service has subnets; in bridge and host mode where its
container instances are, or where an Auto Scaling group behind them may start one. Placement constraints bind either way.
https://docs.aws.amazon.com/AmazonECS/latest/developerguide/task-placement.html
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from ..model import autoscaling, ec2, ecs
from ..model.identity import Zone
from ..model.known import Known, Unknown, merge, unclear
from ..model.verdict import Truth, all_of
from .ecs_query import Traits, meets
from .links import Links
from .scaling import zones_of


class Reach(msgspec.Struct, frozen=True, kw_only=True):
    """Zones in which a service can surely run tasks, zones in which that is in doubt, and why there may be further ones."""

    sure: frozenset[Zone]
    doubtful: frozenset[Zone]
    doubts: tuple[Unknown, ...]
    unseen: tuple[Unknown, ...]

    @property
    def zones(self) -> Known[tuple[Zone, ...]]:
        """The zones. A doubt does not matter about the only zone there can be."""
        found = self.sure | self.doubtful
        if self.unseen or (self.doubts and len(found) > 1):
            return merge([*self.unseen, *self.doubts])
        if not found:
            return unclear("nothing that was read can run its tasks")
        return tuple(sorted(found, key=lambda z: z.key))

    @property
    def in_one_zone(self) -> Truth:
        """Whether there is only one. Two that are sure decide, whatever else there may be."""
        if len(self.sure) > 1:
            return False
        zones = self.zones
        return zones if isinstance(zones, Unknown) else len(zones) == 1


def reach(service: ecs.Service, links: Links) -> Reach:
    """Where a service can run tasks. Nothing is known of the zones of instances outside AWS (launch type ``EXTERNAL``)."""
    if ecs.launch_type(service) == "EXTERNAL":
        says = f"{service.serviceName} runs on instances outside AWS, which stand in no zone that AWS knows"
        return _reach([], [unclear(says)])
    network = ecs.subnets_of(service)
    if network is not None:
        return _of_subnets(service, network, links)
    return _of_instances(service, links)


def _reach(places: Iterable[tuple[Zone, Truth]], unseen: Iterable[Unknown]) -> Reach:
    found = list(places)
    sure = frozenset(z for z, truth in found if truth is True)
    doubts = [(z, truth) for z, truth in found if isinstance(truth, Unknown) and z not in sure]
    return Reach(
        sure=sure,
        doubtful=frozenset(z for z, _ in doubts),
        doubts=tuple(truth for _, truth in doubts),
        unseen=tuple(unseen),
    )


def _constrained(service: ecs.Service, traits: Traits) -> Truth:
    """Whether a place meets every placement constraint that says something of places."""
    return all_of(meets(c.expression, traits) for c in service.placementConstraints if c.type == "memberOf")


def _in_zone(service: ecs.Service, zone: Zone) -> Truth:
    """Whether an instance of a zone, of which nothing else is known, meets the constraints."""
    return _constrained(service, Traits(attributes={ecs.ZONE_ATTRIBUTE: zone.name or ""}, whole=False))


def _of_subnets(service: ecs.Service, network: ecs.AwsVpcConfiguration, links: Links) -> Reach:
    listing, known = links.inventory.listing(ec2.SUBNETS), links.inventory.index(ec2.SUBNETS)
    zones = {links.zones.named(known[s].AvailabilityZone) for s in network.subnets if s in known}
    unseen: list[Unknown] = []
    for subnet in sorted(s for s in network.subnets if s not in known):
        unseen.append(unclear(f"no listing has the subnet {subnet}") if listing.complete else listing.unknown)
    return _reach(((z, _in_zone(service, z)) for z in zones), unseen)


def _of_instances(service: ecs.Service, links: Links) -> Reach:
    """Zones of the container instances that may take a task, and of the Auto Scaling groups that may start more of them."""
    instances, more = links.ecs.instances(service.clusterArn)
    providers = ecs.providers_of(service)
    eligible = [i for i in instances if not providers or i.capacityProviderName in providers]
    places: list[tuple[Zone, Truth]] = []
    unseen = [] if more is None else [more]
    for instance in eligible:
        attributes = {a.name: a.value for a in instance.attributes}
        if attributes.get(ecs.ZONE_ATTRIBUTE):
            zone = links.zones.named(attributes[ecs.ZONE_ATTRIBUTE])
            places.append((zone, _constrained(service, Traits(attributes=attributes))))
        else:
            unseen.append(unclear(f"AWS names no zone for the container instance {instance.ec2InstanceId}"))
    groups, unknown = _groups(providers, eligible, links)
    unseen += unknown
    subnets = links.inventory.index(ec2.SUBNETS)
    for group in groups:
        places += [(z, _in_zone(service, z)) for z in zones_of(group, links.zones, subnets)]
    return _reach(places, unseen)


def _groups(
    providers: tuple[str, ...], instances: Iterable[ecs.ContainerInstance], links: Links
) -> tuple[list[autoscaling.AutoScalingGroup], list[Unknown]]:
    """Auto Scaling groups behind the capacity providers, or where there are none, those that own one of the instances."""
    listing = links.inventory.listing(autoscaling.AUTO_SCALING_GROUPS)
    unknowns = [] if listing.complete else [listing.unknown]
    if not providers:
        ids = {i.ec2InstanceId for i in instances}
        return [g for g in listing if any(i.InstanceId in ids for i in g.Instances)], unknowns
    names = list(_names(providers, links))
    unknowns += [n for n in names if isinstance(n, Unknown)]
    return [g for g in listing if g.AutoScalingGroupName in names], unknowns


def _names(providers: Iterable[str], links: Links) -> Iterator[Known[str]]:
    for provider in providers:
        name = links.ecs.scaling_group(provider)
        if name is not None:
            yield name
