"""What do the settings of a target group mean: its matcher, the port of its check, its thresholds, its `all` targets?

https://docs.aws.amazon.com/elasticloadbalancing/latest/network/load-balancer-target-groups.html
https://docs.aws.amazon.com/elasticloadbalancing/latest/application/target-group-health-checks.html
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from typing import Any

from ..model import ec2, elbv2
from ..model.identity import Zone
from ..model.known import Known, Unknown, merge, unclear
from ..model.verdict import Truth, any_of
from .group_health import GroupView
from .health_checks import accepts, matcher_of
from .links import Links
from .nodes.group_settings import UnreachableThreshold
from .nodes.target_groups import Target
from .targets import checks_node_port
from .thresholds import DNS_KEY, ROUTING_KEY, Count, Threshold, dns_threshold, part_of, routing_threshold

_HTTP = ("HTTP", "HTTPS")


def settings_of(view: GroupView, links: Links) -> dict[str, Any]:
    """Facts of a target group that follow from its settings."""
    group = view.group
    attributes = links.inventory.attributes(elbv2.TARGET_GROUP_ATTRIBUTES, group.TargetGroupArn)
    codes = matcher_of(group) if _checks_http(group) else ""
    return {
        "health_check_enabled": group.HealthCheckEnabled is not False,
        "matcher_accepts_redirects": any(accepts(codes, code) for code in range(300, 400)),
        "matcher_accepts_errors": any(accepts(codes, code) for code in range(400, 600)),
        "checks_node_port": checks_node_port(group),
        "checks_other_port": checks_other_port(group, view.targets),
        "dns_failover_count": part_of(attributes, f"{DNS_KEY}.count"),
        "dns_failover_percentage": part_of(attributes, f"{DNS_KEY}.percentage"),
        "unreachable_thresholds": unreachable(view, dns_threshold(attributes), routing_threshold(attributes)),
        "thresholds_out_of_order": out_of_order(attributes),
        "threshold_words": _in_words(attributes),
        "balancer_behind_nlb": _behind_nlb(view, links),
        "all_zone_targets": all_zone_targets(view, links),
    }


def _checks_http(group: elbv2.TargetGroup) -> bool:
    """Whether the matcher holds status codes of HTTP, which gRPC does not use."""
    return not (group.Matcher and group.Matcher.GrpcCode and not group.Matcher.HttpCode)


def checks_other_port(group: elbv2.TargetGroup, targets: Known[tuple[Target, ...]]) -> Truth:
    """Whether the check goes to a port that a usable target does not serve on; without targets, the group's own port."""
    port = group.HealthCheckPort or "traffic-port"
    if not port.isdigit():
        return False
    if isinstance(targets, Unknown):
        return targets
    served = {t.Port or group.Port for t in targets if t.usable} or {group.Port}
    return any(p != int(port) for p in served)


def unreachable(
    view: GroupView, dns: Known[Threshold], routing: Known[Threshold]
) -> Known[tuple[UnreachableThreshold, ...]]:
    """Minimum counts that the targets there are cannot meet although all of them were healthy.

    With cross-zone on the whole group is counted, with cross-zone off each zone that has a target. While targets are
    starting, more may come, so what is lacking is unclear. An empty zone and an empty group are no matter of thresholds.
    """
    if view.cross_zone is None or not view.in_dns_model:
        return ()
    if isinstance(view.cross_zone, Unknown):
        return view.cross_zone
    if isinstance(view.counts, Unknown):
        return view.counts
    scopes: dict[Zone | None, Count] = {z: c + view.everywhere for z, c in view.counts.items()}
    if view.cross_zone.value == "on":
        scopes = {None: sum(view.counts.values(), view.everywhere)}
    found: list[UnreachableThreshold] = []
    doubts = [t for t in (dns, routing) if isinstance(t, Unknown)]
    for key, threshold in ((DNS_KEY, dns), (ROUTING_KEY, routing)):
        if isinstance(threshold, Unknown) or threshold.count is None:
            continue
        for zone, count in scopes.items():
            if 0 < count.total < threshold.count and count.pending:
                doubts.append(unclear(f"{count.pending} targets are starting, and more may be on their way"))
            elif 0 < count.total < threshold.count:
                found.append(_lacking(key, threshold.count, zone, count.total))
    return tuple(found) if found or not doubts else merge(doubts)


def _lacking(key: str, minimum: int, zone: Zone | None, total: int) -> UnreachableThreshold:
    what = "DNS" if key == DNS_KEY else "routing"
    place = f"in {zone}" if zone else "in the group"
    noun = "target" if total == 1 else "targets"
    return UnreachableThreshold(
        key=f"{key}.count",
        minimum=minimum,
        usable_count=total,
        zone=zone,
        words=f"{what} minimum {minimum} against {total} {noun} {place}",
    )


def out_of_order(attributes: Known[Mapping[str, str]]) -> Truth:
    """Whether a DNS threshold is lower than the routing threshold of the same form. Off is no lower threshold."""
    if isinstance(attributes, Unknown):
        return attributes
    return any_of(
        _lower(part_of(attributes, f"{DNS_KEY}.{form}"), part_of(attributes, f"{ROUTING_KEY}.{form}"))
        for form in ("count", "percentage")
    )


def _lower(dns: Known[int | None], routing: Known[int | None]) -> Truth:
    if isinstance(dns, Unknown):
        return dns
    if isinstance(routing, Unknown):
        return routing
    return dns is not None and routing is not None and dns < routing


def _in_words(attributes: Known[Mapping[str, str]]) -> Known[str]:
    """Both thresholds as AWS has them; what it did not return is said so."""
    if isinstance(attributes, Unknown):
        return attributes
    return ", ".join(
        f"{name} {form} {attributes.get(f'{key}.{form}', 'not returned')}"
        for name, key in (("DNS", DNS_KEY), ("routing", ROUTING_KEY))
        for form in ("count", "percentage")
    )


def _behind_nlb(view: GroupView, links: Links) -> Truth:
    if view.balancer is None:
        return False
    if isinstance(view.balancer, Unknown):
        return view.balancer
    if links.kind(view.balancer) != "application":
        return False
    return links.behind_nlb(view.balancer.LoadBalancerArn)


def all_zone_targets(view: GroupView, links: Links) -> Known[tuple[Target, ...]]:
    """Targets registered for all zones whose address lies in a subnet of the group's VPC, so that they stand in a zone.

    An address outside the VPC (on premises, a peered VPC) has no zone of the region to be registered in.
    """
    if isinstance(view.targets, Unknown):
        return view.targets
    if view.group.TargetType != "ip":
        return ()
    everywhere = [t for t in view.targets if t.zone is None and t.State != "draining"]
    subnets = links.inventory.listing(ec2.SUBNETS)
    networks = [
        ipaddress.ip_network(s.CidrBlock, strict=False) for s in subnets if s.VpcId == view.group.VpcId and s.CidrBlock
    ]
    found = tuple(t for t in everywhere if any(_within(t.Id, n) for n in networks))
    if found or not everywhere or subnets.complete:
        return found
    return subnets.unknown


def _within(address: str, network: ipaddress.IPv4Network | ipaddress.IPv6Network) -> bool:
    try:
        return ipaddress.ip_address(address) in network
    except ValueError:
        return False
