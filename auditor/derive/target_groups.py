"""Target groups → the facts rules read. Each fact is one call into the file that answers its question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from ..model import autoscaling, elbv2
from ..model.identity import AccountId, RegionName, Resource, Zone, arn_part
from ..model.known import Known, Listing, Unknown, merge, unclear
from ..model.verdict import Truth
from .dns import published
from .fail_open import failing_open_in, summed
from .group_health import GroupView
from .group_settings import settings_of
from .health_checks import code_words, matcher_of, probe_walk
from .links import Links
from .node import Node
from .nodes.target_groups import Target, TargetGroup, TargetGroupZone
from .placement import Spread, in_words, load_ratio, spread_of, uneven_by
from .shifts import ShiftState
from .tags import group_tags
from .targets import per_zone, unresolved
from .thresholds import routing_threshold

T = TypeVar("T")
U = TypeVar("U")
TYPE = "AWS::ElasticLoadBalancingV2::TargetGroup"


def when(value: Known[T], then: Callable[[T], U]) -> Known[U]:
    """`then(value)`, or the unknown unchanged."""
    return value if isinstance(value, Unknown) else then(value)


def flat(value: Known[T], then: Callable[[T], Known[U]]) -> Known[U]:
    """`then(value)`, which may itself be unknown, or the unknown unchanged."""
    return value if isinstance(value, Unknown) else then(value)


def resource_of(group: elbv2.TargetGroup, links: Links) -> Resource:
    """The target group as the resource of a finding."""
    return Resource(
        type=TYPE,
        arn=group.TargetGroupArn,
        name=group.TargetGroupName,
        account_id=AccountId(links.inventory.scope.account_id),
        region=RegionName(links.inventory.scope.region),
    )


def evidence_links(view: GroupView, links: Links) -> dict[str, str | tuple[str, ...]]:
    """Where the answers behind the facts of a group are found."""
    group = view.group
    balancer = "" if isinstance(view.balancer, Unknown) or view.balancer is None else view.balancer.LoadBalancerArn
    alb = ""
    if group.TargetType == "alb" and not isinstance(view.targets, Unknown) and view.targets:
        alb = view.targets[0].Id
    return {
        "elbv2:DescribeTargetGroups": group.TargetGroupArn,
        "elbv2:DescribeTargetGroupAttributes": group.TargetGroupArn,
        "elbv2:DescribeTargetHealth": group.TargetGroupArn,
        "elbv2:DescribeLoadBalancers": balancer,
        "elbv2:DescribeLoadBalancerAttributes": balancer,
        "elbv2:DescribeListeners": balancer,
        "elbv2:DescribeRules": tuple(sorted(x.ListenerArn for x in links.inventory.listing(elbv2.LISTENERS, balancer))),
        "arc-zonal-shift:ListManagedResources": balancer,
        "probe": alb,
    }


def balancer_name(view: GroupView) -> str:
    """Name of the load balancer of a group, or ""; from its ARN when the load balancer itself was not read."""
    if view.balancer is None:
        return ""
    if not isinstance(view.balancer, Unknown):
        return view.balancer.LoadBalancerName
    parts = arn_part(view.group.LoadBalancerArns[0], 5).split("/")
    return parts[2] if len(parts) > 2 else ""


class _Placed:
    """Placement of one group: usable and healthy targets per zone, or why that is not known."""

    def __init__(self, view: GroupView) -> None:
        self.usable: Known[Mapping[Zone, int]]
        self.healthy: Known[Mapping[Zone, int]]
        self.settled: Known[bool] = False
        if isinstance(view.targets, Unknown):
            self.usable = self.healthy = self.settled = view.targets
            return
        lost = unresolved(view.targets)
        zones = per_zone(view.targets)
        if lost is not None:
            self.usable = self.healthy = lost
        else:
            self.usable = {z: n for z, ts in zones.items() if (n := sum(t.usable for t in ts))}
            self.healthy = {z: sum(t.healthy or t.fails_on_purpose for t in ts) for z, ts in zones.items()}
        waiting = sum(t.pending for t in view.targets if t.usable)
        self.settled = unclear(f"{waiting} targets are not yet judged by their health check") if waiting else True


def _compared(view: GroupView, placed: _Placed) -> Known[Mapping[Zone, int]]:
    """Healthy targets over the zones that are compared for evenness.

    With cross-zone off a zone without any healthy target is another rule's business; with it on every enabled zone counts.
    """
    for need in (placed.healthy, placed.settled, view.enabled, view.cross_zone):
        if isinstance(need, Unknown):
            return need
    healthy, enabled, cross_zone = placed.healthy, view.enabled, view.cross_zone
    assert not isinstance(healthy, Unknown) and not isinstance(enabled, Unknown)  # noqa: PT018
    pooled = cross_zone is None or isinstance(cross_zone, Unknown) or cross_zone.value == "on"
    return {z: healthy.get(z, 0) for z in enabled if pooled or healthy.get(z, 0)}


def _everywhere(targets: Sequence[Target], test: Callable[[Target], bool]) -> Truth:
    """Whether all usable targets of the group, or of one of its zones, pass the test; unknown when a zone would decide."""
    usable = [t for t in targets if t.usable]
    hits = [t for t in usable if test(t)]
    if not hits:
        return False
    if len(hits) == len(usable):
        return True
    lost = [t.zone for t in usable if isinstance(t.zone, Unknown)]
    for members in per_zone(tuple(usable)).values():
        if not lost and all(test(t) for t in members):
            return True
    return merge(lost) if lost else False


def _reasons(targets: Sequence[Target]) -> str:
    parts: Counter[tuple[str, str]] = Counter()
    for target in targets:
        if target.unhealthy and not target.fails_on_purpose:
            where = "a zone not known" if isinstance(target.zone, Unknown) else str(target.zone or "")
            parts[where, target.Reason or target.State] += 1
    return ", ".join(
        f"{n} {reason}" + (f" in {where}" if where else "") for (where, reason), n in sorted(parts.items())
    )


def _wants_zero(view: GroupView, links: Links) -> Truth:
    feeders = links.feeders.get(view.group.TargetGroupArn, ())
    if any((g.DesiredCapacity or 0) > 0 for g in feeders):
        return False
    groups: Listing[autoscaling.AutoScalingGroup] = links.inventory.listing(autoscaling.AUTO_SCALING_GROUPS)
    return bool(feeders) if groups.complete else groups.unknown


def _failing_open(view: GroupView, views: Sequence[GroupView], links: Links) -> Known[Mapping[Zone, Truth]]:
    """Per zone whether the group fails open, given the DNS model over all in-use groups of the same load balancer."""
    if view.group.TargetType == "lambda" or view.balancer is None:
        return {}
    if isinstance(view.balancer, Unknown):
        return view.balancer
    if isinstance(view.enabled, Unknown):
        return view.enabled
    kind = links.kind(view.balancer)
    routing = routing_threshold(links.inventory.attributes(elbv2.TARGET_GROUP_ATTRIBUTES, view.group.TargetGroupArn))
    dns: Mapping[Zone, Truth] = dict.fromkeys(view.enabled, True)
    if not isinstance(view.cross_zone, Unknown) and view.cross_zone is not None and view.cross_zone.value == "off":
        dns = published(kind, in_use_health(views, links), view.enabled)
    return failing_open_in(kind, view.health(links), routing, view.enabled, dns)


def in_use_health(views: Sequence[GroupView], links: Links) -> Known[Any]:
    """The in-use groups of one load balancer as the DNS model wants them; unknown when it is unclear which are in use."""
    unknowns = [v.in_use for v in views if isinstance(v.in_use, Unknown)]
    if unknowns:
        return merge(unknowns)
    return [v.health(links) for v in views if v.in_use is True and v.in_dns_model and v.cross_zone is not None]


def _counted(view: GroupView) -> dict[str, Any]:
    """Facts that are counts and subsets of the targets."""
    targets = view.targets

    def some(test: Callable[[Target], bool]) -> Known[tuple[Target, ...]]:
        return when(targets, lambda ts: tuple(t for t in ts if test(t)))

    def codes(test: Callable[[Target], bool]) -> Known[tuple[int, ...]]:
        return when(some(test), lambda ts: tuple(sorted({c for t in ts for c in t.codes})))

    def failing(test: Callable[[Target], bool]) -> Known[int]:
        return when(targets, lambda ts: _failing(ts, test))

    usable, unexplained = some(lambda t: t.usable), failing(lambda t: not t.codes)
    share: Known[float] = 0.0
    if isinstance(usable, Unknown) or isinstance(unexplained, Unknown):
        share = usable if isinstance(usable, Unknown) else unexplained
    elif usable:
        share = unexplained / len(usable)
    return {
        "targets": targets,
        "registered_count": when(some(lambda t: t.State != "draining"), len),
        "usable_count": when(usable, len),
        "healthy_count": when(some(lambda t: t.healthy), len),
        "unhealthy_count": failing(lambda t: True),
        "unexplained_count": unexplained,
        "unexplained_share": share,
        "reasons_per_zone": when(targets, _reasons),
        "redirected": some(lambda t: t.redirected),
        "redirected_zones": flat(some(lambda t: t.redirected), _zones_of),
        "redirects_everywhere": when(targets, lambda ts: _everywhere(ts, lambda t: t.redirected)),
        "redirect_codes": codes(lambda t: t.redirected),
        "mismatched": some(lambda t: t.mismatched and not t.fails_on_purpose),
        "mismatch_codes": codes(lambda t: t.mismatched and not t.fails_on_purpose),
        "mismatch_words": when(codes(lambda t: t.mismatched and not t.fails_on_purpose), code_words),
        "all_fail_without_code": when(usable, _all_fail_without_code),
        "alb_target_state": when(targets, lambda ts: ts[0].State if view.group.TargetType == "alb" and ts else None),
    }


def _failing(targets: Sequence[Target], test: Callable[[Target], bool]) -> Known[int]:
    """How many targets are at fault; a failure on the load balancer's side (``Elb.`` reasons) proves nothing about them."""
    proven = sum(t.unhealthy and not t.fails_on_purpose and test(t) for t in targets)
    doubtful = sum(t.pending and t.State.startswith("unhealthy") for t in targets)
    if doubtful and not proven:
        return unclear(f"{doubtful} targets are unhealthy for a reason on the load balancer's side")
    return proven


def _zones_of(targets: Sequence[Target]) -> Known[tuple[Zone, ...]]:
    lost = [t.zone for t in targets if isinstance(t.zone, Unknown)]
    if lost:
        return merge(lost)
    return tuple(sorted({t.zone for t in targets if isinstance(t.zone, Zone)}, key=lambda z: z.key))


def _all_fail_without_code(usable: Sequence[Target]) -> Truth:
    """Whether every usable target fails with Target.FailedHealthChecks and no code; unknown while the rest is unjudged."""
    judged = [t for t in usable if not t.pending]
    if not judged or not all(t.unhealthy and t.Reason == "Target.FailedHealthChecks" and not t.codes for t in judged):
        return False if judged or not usable else unclear("no target has been judged by its health check yet")
    if len(judged) < len(usable):
        return unclear(f"{len(usable) - len(judged)} targets are not yet judged by their health check")
    return True


def _placement(view: GroupView, placed: _Placed) -> dict[str, Any]:
    """Facts about the lie of the targets over the zones."""
    spread: Known[Spread]
    if isinstance(placed.usable, Unknown):
        spread = placed.usable
    elif isinstance(view.enabled, Unknown):
        spread = view.enabled
    else:
        spread = spread_of(placed.usable, len(view.enabled))
    compared = _compared(view, placed)
    return {
        "targets_settled": placed.settled,
        "placed_zones": when(placed.usable, lambda c: tuple(sorted(c, key=lambda z: z.key))),
        "placed_zone_count": when(placed.usable, len),
        "placement_words": when(placed.usable, in_words),
        "fullest_zone": when(spread, lambda s: s.fullest),
        "fullest_count": when(spread, lambda s: s.fullest_count),
        "even_share": when(spread, lambda s: s.even_share),
        "fullest_share_percent": when(spread, lambda s: s.share_percent),
        "survivable_utilisation_percent": when(spread, lambda s: s.survivable_percent),
        "crowded": when(spread, lambda s: s.crowded),
        "uneven_by": when(compared, lambda c: uneven_by(list(c.values()))),
        "healthy_words": when(compared, in_words),
        "load_ratio": when(compared, lambda c: load_ratio(list(c.values()))),
        "hottest_zone": when(compared, _hottest),
    }


def _settled(view: GroupView) -> Known[bool]:
    """True, or unclear while the one ALB target has not been judged by its health check."""
    if isinstance(view.targets, Unknown):
        return view.targets
    if view.group.TargetType == "alb" and any(t.pending for t in view.targets):
        return unclear("the Application Load Balancer behind the group is not yet judged by its health check")
    return True


def _hottest(healthy: Mapping[Zone, int]) -> Zone | None:
    present = sorted((z for z, n in healthy.items() if n), key=lambda z: z.key)
    return min(present, key=lambda z: healthy[z], default=None)


def group_node(view: GroupView, siblings: Sequence[GroupView], links: Links, shifts: ShiftState) -> TargetGroup:
    """All facts of one target group. `siblings` are the groups of the same load balancer, itself included."""
    group, balancer = view.group, view.balancer
    fails = _failing_open(view, siblings, links)
    open_now, open_zones = (fails, fails) if isinstance(fails, Unknown) else summed(fails)
    return TargetGroup(
        resource=resource_of(group, links),
        tags=group_tags(group.TargetGroupArn, links.inventory),
        links=evidence_links(view, links),
        TargetGroupArn=group.TargetGroupArn,
        TargetGroupName=group.TargetGroupName,
        TargetType=group.TargetType,
        Protocol=group.Protocol,
        Port=group.Port,
        HealthCheckProtocol=group.HealthCheckProtocol,
        HealthCheckPort=group.HealthCheckPort,
        HealthCheckPath=group.HealthCheckPath,
        matcher=matcher_of(group),
        attached=bool(group.LoadBalancerArns),
        in_use=view.in_use,
        LoadBalancerName=balancer_name(view),
        LoadBalancerArn=next(iter(group.LoadBalancerArns), ""),
        kind=when(balancer, lambda b: links.kind(b) if b else None),
        balancer_zones=view.enabled,
        balancer_zone_count=when(view.enabled, len),
        has_zones=view.has_zones,
        cross_zone=view.cross_zone,
        failing_open=open_now,
        failing_open_zones=open_zones,
        shift_applied=when(balancer, lambda b: shifts.shifted(b.LoadBalancerArn) if b else False),
        wants_zero=_wants_zero(view, links),
        probe=probe_walk(group, links),
        alb_target_settled=_settled(view),
        **settings_of(view, links),
        **_counted(view),
        **_placement(view, _Placed(view)),
    )


def zone_nodes(view: GroupView, links: Links) -> Listing[Node]:
    """The zones in which a group has registered targets. A target whose zone is not known leaves a gap where it matters.

    A target that the load balancer uses stands in a zone it serves, whatever that is, so only unused ones matter.
    """
    group = view.group
    if isinstance(view.targets, Unknown):
        return Listing((), view.targets.reasons)
    if not view.has_zones:
        return Listing()
    lost = [
        t.zone
        for t in view.targets
        if isinstance(t.zone, Unknown) and t.State == "unused" and t.Reason != "Target.InvalidState"
    ]
    nodes: list[Node] = []
    for zone, members in per_zone(view.targets).items():
        present = tuple(t for t in members if t.State != "draining" and t.Reason != "Target.InvalidState")
        if not present:
            continue
        nodes.append(
            TargetGroupZone(
                resource=resource_of(group, links),
                tags=group_tags(group.TargetGroupArn, links.inventory),
                links=evidence_links(view, links),
                TargetGroupName=group.TargetGroupName,
                LoadBalancerName=balancer_name(view),
                LoadBalancerArn=next(iter(group.LoadBalancerArns), ""),
                balancer_subnet_ids=when(
                    view.balancer,
                    lambda b: tuple(sorted(z.SubnetId for z in b.AvailabilityZones if z.SubnetId)) if b else (),
                ),
                zone=zone,
                attached=bool(group.LoadBalancerArns),
                has_zones=view.has_zones,
                served=view.enabled if isinstance(view.enabled, Unknown) else zone in view.enabled,
                registered_count=len(present),
                targets=present,
                target_labels=tuple(t.label for t in present),
            )
        )
    return Listing(tuple(nodes), merge(lost).reasons if lost else ())
