"""Can a target group lose a zone, by the figures of the settings, and by measured ones where those are not given?

Counted with the targets that are healthy now. A group that is half healthy is judged as it stands: what fails then fails now.
https://docs.aws.amazon.com/whitepapers/latest/aws-fault-isolation-boundaries/static-stability.html
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ..model import autoscaling
from ..model.identity import Zone
from ..model.known import Known, Unknown, unclear
from .capacity import Demand, Fleet, State, ZoneLoad, equal_shares
from .figures import CapacityFigure, Figures, meant
from .group_health import GroupView
from .links import Links
from .measured import among, measured_figure, measured_shares
from .node import Node
from .nodes.zone_loss import ZoneLoss
from .scaling import as_node
from .tags import group_tags
from .target_groups import resource_of
from .targets import per_zone, unresolved


def figure_for(view: GroupView, figures: Figures, links: Links) -> Known[CapacityFigure | None]:
    """The figure meant for a target group: one that chooses it, or an Auto Scaling group that feeds it.

    Unknown where such a group may not have been seen: a figure could be meant for it.
    """
    peakless = figures.peakless if links.inventory.window else ()
    if not figures.capacity and not peakless:
        return None
    groups = links.inventory.listing(autoscaling.AUTO_SCALING_GROUPS)
    if not groups.complete:
        return groups.unknown
    arn = view.group.TargetGroupArn
    own = Node(resource=resource_of(view.group, links), tags=group_tags(arn, links.inventory))
    nodes = [own, *(as_node(g, links) for g in links.feeders.get(arn, ()))]
    figure = figures.chosen(nodes)
    if figure is not None:
        return figure
    without_peak = meant(peakless, nodes)
    return without_peak if isinstance(without_peak, Unknown) else measured_figure(view, without_peak, links)


def healthy_per_zone(view: GroupView) -> Known[Mapping[Zone, int]]:
    """Healthy targets in every enabled zone of the load balancer.

    Unknown while usable targets are not yet judged, or when the zone of one is not known.
    """
    if isinstance(view.enabled, Unknown):
        return view.enabled
    if isinstance(view.targets, Unknown):
        return view.targets
    if (lost := unresolved(view.targets)) is not None:
        return lost
    waiting = sum(t.pending for t in view.targets if t.usable)
    if waiting:
        return unclear(f"{waiting} targets are not yet judged by their health check")
    zones = per_zone(view.targets)
    return {z: sum(t.healthy or t.fails_on_purpose for t in zones.get(z, ()) if t.usable) for z in view.enabled}


def shares_for(
    figure: CapacityFigure | None,
    healthy: Mapping[Zone, int],
    zones: tuple[Zone, ...],
    links: Links,
    measured: Known[Mapping[Zone, float] | None] = None,
) -> Known[Mapping[Zone, float]]:
    """The part of what clients send that arrives in each zone: as given, else as `measured`, else equal parts.

    What is not given is divided among the zones that have a healthy target. A zone without one is out of DNS, or answers with
    errors, which is another matter. Unknown when a zone is named that the load balancer does not serve.
    """
    if figure is None or not figure.ingress:
        serving = [z for z in zones if healthy.get(z)] or zones
        if isinstance(measured, Unknown):
            return measured
        return (among(measured, serving) if measured else {}) or equal_shares(serving)
    given = {links.zones.of(text): share for text, share in figure.ingress.items()}
    strange = [str(z) for z in given if z not in zones]
    if strange:
        return unclear(f"ingress names {', '.join(strange)}, where the load balancer is not enabled")
    return {z: given.get(z, 0.0) for z in zones}


def zone_loss(view: GroupView, figures: Figures, links: Links) -> Known[ZoneLoss | None]:
    """The loss of each zone of a target group; None without a figure for it, or where there is no zone to lose."""
    figure = figure_for(view, figures, links)
    if figure is None or not view.has_zones or not view.group.LoadBalancerArns:
        return None
    if isinstance(figure, Unknown):
        return figure
    if isinstance(view.enabled, Unknown):
        return view.enabled
    if len(view.enabled) < 2:
        return None
    demand, healthy = figure.demand, healthy_per_zone(view)
    measured = None if figure.ingress else measured_shares(view, links)
    seen = measured is not None and not isinstance(measured, Unknown)
    words = f"{in_words(figure)}, arriving as measured" if seen else in_words(figure)
    said: dict[str, Any] = {"figure_words": words, "targets_needed": demand.targets_needed}
    if isinstance(healthy, Unknown):
        return ZoneLoss(**said, **_unsure("pooled", healthy), **_unsure("local", healthy))
    # Where clients arrive makes no difference to targets that all zones share.
    anywhere = shares_for(figure, healthy, view.enabled, links)
    arriving = shares_for(figure, healthy, view.enabled, links, measured)
    pooled = _unsure("pooled", anywhere) if isinstance(anywhere, Unknown) else _pooled(healthy, anywhere, demand)
    local = _unsure("local", arriving) if isinstance(arriving, Unknown) else _local(healthy, arriving, demand)
    return ZoneLoss(**said, **pooled, **local)


def _unsure(part: str, why: Unknown) -> dict[str, Any]:
    return {name: why for name in ZoneLoss.__struct_fields__ if name.startswith(part)}


def in_words(figure: CapacityFigure) -> str:
    """A figure as a phrase."""
    measured = f" ({figure.measured})" if figure.measured else ""
    parts = [f"peak {figure.peak_rps:g} requests a second{measured}, {figure.target_rps:g} for each target"]
    if figure.retry_factor != 1:
        parts.append(f"times {figure.retry_factor:g} for retries")
    if figure.unavailable_share:
        parts.append(f"{100 * figure.unavailable_share:g} % of the targets away during a deployment")
    elif figure.unavailable_during_deploy:
        parts.append(f"{figure.unavailable_during_deploy:g} targets away during a deployment")
    return ", ".join(parts)


def _after(
    healthy: Mapping[Zone, int], shares: Mapping[Zone, float], demand: Demand, *, pooled: bool
) -> dict[Zone, State]:
    fleet = Fleet(targets=healthy, shares=shares, pooled=pooled)
    return {z: fleet.without(z).state(demand) for z in healthy}


def _pooled(healthy: Mapping[Zone, int], shares: Mapping[Zone, float], demand: Demand) -> dict[str, Any]:
    after = _after(healthy, shares, demand, pooled=True)
    worst = min(after, key=lambda z: (after[z].capacity, z.key), default=None)
    total = sum(healthy.values())
    return {
        "pooled_short": any(s.verdict != "holds" for s in after.values()),
        "pooled_zone": worst,
        "pooled_missing": after[worst].missing if worst else 0,
        "pooled_words": ", ".join(
            f"{total - healthy[z]} left without {z} ({s.capacity:g} of {s.load:g} requests a second)"
            for z, s in after.items()
        ),
    }


def _local(healthy: Mapping[Zone, int], shares: Mapping[Zone, float], demand: Demand) -> dict[str, Any]:
    after = _after(healthy, shares, demand, pooled=False)
    hottest: dict[Zone, ZoneLoad] = {z: h for z, s in after.items() if (h := s.hottest) is not None}
    lost = max(hottest, key=lambda z: (hottest[z].utilisation, z.key), default=None)
    worst = hottest[lost] if lost else None
    return {
        "local_short": any(s.verdict != "holds" for s in after.values()),
        "local_zone": worst.zone if worst else None,
        "local_lost": lost,
        "local_percent": _percent(worst) if worst else None,
        "local_missing": max(0, math.ceil(worst.load / demand.target_rps - worst.targets - 1e-9)) if worst else 0,
        "local_words": ", ".join(
            f"without {z}: {load.zone} at {f'{_percent(load)} %' if _percent(load) is not None else 'no target'}"
            for z, load in hottest.items()
        ),
    }


def _percent(load: ZoneLoad) -> int | None:
    return None if math.isinf(load.utilisation) else round(100 * load.utilisation)
