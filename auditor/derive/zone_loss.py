"""Can a target group lose a zone, by the figures of the settings, and by measured ones where those are not given?

Counted with the targets that are healthy now. A group that is half healthy is judged as it stands: what fails then fails now.

A half-healthy moment must not hide a fault of placement either. Of targets that all zones share more only help, so nothing
is hidden there. With cross-zone off something is: a zone without any healthy target gets no clients, and looks well; once its few
targets are healthy again, it gets a share that they cannot carry. So that is counted with all registered targets too. The
desired capacity of Auto Scaling groups adds nothing: it says how many there should be and never where, and spread evenly, as
one would have to assume, it shows no fault of placement.
https://docs.aws.amazon.com/whitepapers/latest/aws-fault-isolation-boundaries/static-stability.html
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import msgspec

from ..model import autoscaling
from ..model.identity import Zone
from ..model.known import Known, Unknown, unclear
from ..model.verdict import Truth, all_of, any_of, negate
from .capacity import Demand, Fleet, Loss, ZoneLoad, worst_of
from .figures import CapacityFigure, Figures, meant
from .fronts import fronts_of
from .group_health import GroupView
from .ingress import Arriving, arriving
from .links import Links
from .loss_counts import Counts, Placed, counts_of
from .measured import measured_figure, measured_shares
from .node import Node
from .nodes.zone_loss import ZoneLoss
from .placement import in_words as placed_in_words
from .scaling import as_node
from .tags import group_tags
from .target_groups import flat, resource_of


def figure_for(view: GroupView, figures: Figures, links: Links) -> Known[CapacityFigure | None]:
    """The figure meant for a target group: one that chooses it, an Auto Scaling group that feeds it, or its load balancer.

    Unknown where such an Auto Scaling group may not have been seen, since a figure could be meant for it, and where the only
    figure is for a load balancer of which other groups are in use as well.
    """
    measured = links.inventory.window is not None
    if not figures.for_peaks(measured=measured):
        return None
    groups = links.inventory.listing(autoscaling.AUTO_SCALING_GROUPS)
    if not groups.complete:
        return groups.unknown
    arn = view.group.TargetGroupArn
    own = Node(resource=resource_of(view.group, links), tags=group_tags(arn, links.inventory))
    nodes = [own, *(as_node(g, links) for g in links.feeders.get(arn, ()))]
    fronts = fronts_of([arn], links)
    figure = figures.chosen(nodes, fronts)
    if figure is not None:
        return figure
    without_peak = meant(figures.peakless if measured else (), nodes, fronts)
    if isinstance(without_peak, Unknown):
        return without_peak
    return measured_figure(view, without_peak, links) if without_peak else figures.refused(fronts)


def loss_facts(view: GroupView, figures: Figures, links: Links) -> dict[str, Any]:
    """The loss of each zone of a target group, and whether it may hurt: it may unless figures say otherwise."""
    loss = zone_loss(view, figures, links)
    return {
        "zone_loss": loss,
        "loss_may_hurt": flat(loss, lambda found: True if found is None else negate(found.survived)),
    }


def zone_loss(view: GroupView, figures: Figures, links: Links) -> Known[ZoneLoss | None]:
    """The loss of each zone of a target group; None without a figure for it, or where there is no zone to lose."""
    figure = figure_for(view, figures, links)
    if figure is None or not view.has_zones or not view.group.LoadBalancerArns:
        return None
    if isinstance(figure, Unknown):
        return figure
    if isinstance(view.enabled, Unknown):
        return view.enabled
    in_each = figure.demand.targets_in_each(len(view.enabled))
    if in_each is None:
        return None
    counts = counts_of(view, links)
    measured = None if figure.ingress else measured_shares(view, links)
    clients = arriving(figure.ingress, view.enabled, measured, links)
    seen = measured is not None and not isinstance(measured, Unknown)
    pooled = _pooled(counts, view.enabled, figure.demand)
    local = _local(counts, clients, figure.demand)
    off = flat(view.cross_zone, lambda c: c is not None and c.value == "off")
    words = in_words(figure, weighted=not isinstance(counts, Unknown) and counts.weighted)
    return ZoneLoss(
        figure_words=f"{words}, arriving as measured" if seen else words,
        targets_needed=figure.demand.targets_required,
        even_count=in_each,
        healthy_words=flat(counts, lambda c: placed_in_words(c.healthy.units)),
        unit=flat(counts, lambda c: "capacity unit" if c.weighted else "target"),
        survived=negate(any_of((pooled["pooled_short"], all_of((off, local["local_short"]))))),
        **pooled,
        **local,
    )


class _Judged(msgspec.Struct, frozen=True, kw_only=True):
    """The loss of each zone in turn, and whether one of them leaves too little."""

    short: Truth
    losses: tuple[Loss, ...]
    worst: Loss


def _judge(placed: Placed, shares: Mapping[Zone, float], demand: Demand, *, pooled: bool) -> _Judged:
    """What targets by weight cannot carry is too little, what each can carry as the lightest is enough; between is unknown."""
    losses = Fleet(targets=placed.units, shares=shares, pooled=pooled).losses(demand)
    short: Truth = any(x.after.verdict != "holds" for x in losses)
    if not short and placed.mixed:
        lighter = Fleet(targets=placed.least, shares=shares, pooled=pooled).losses(demand)
        if any(x.after.verdict != "holds" for x in lighter):
            short = unclear(
                "its targets have different weights and get the same number of requests: "
                "together they carry the peak without any one zone, the lightest may not carry their part"
            )
    worst = worst_of(losses)
    assert worst is not None, "a load balancer has a zone"
    return _Judged(short=short, losses=losses, worst=worst)


def _pooled(counts: Known[Counts], zones: tuple[Zone, ...], demand: Demand) -> dict[str, Any]:
    """The facts of targets that all zones share: where clients arrive makes no difference to them."""
    if isinstance(counts, Unknown):
        return _unsure("pooled", counts)
    everywhere = Arriving(zones=zones).shares({})
    now = _judge(counts.healthy, everywhere, demand, pooled=True)
    healed = _judge(counts.registered, everywhere, demand, pooled=True)
    total = counts.healthy.total
    return {
        "pooled_short": now.short,
        "pooled_zone": now.worst.zone,
        "pooled_missing": now.worst.after.missing,
        "pooled_words": ", ".join(
            f"{total - counts.healthy.units[x.zone]} left without {x.zone} "
            f"({plain(x.after.capacity)} of {plain(x.after.load)} requests a second)"
            for x in now.losses
        ),
        "pooled_healed_words": _healed(counts, healed) if now.short is True else "",
    }


def _healed(counts: Counts, healed: _Judged) -> str:
    """What the health of targets has to do with it, where some are not healthy."""
    if counts.registered == counts.healthy:
        return ""
    if not healed.short:
        return "If every registered target were healthy, enough would be left without any one zone."
    lost = healed.worst
    return f"If every registered target were healthy, {lost.after.missing} would still be missing without {lost.zone}."


def _local(counts: Known[Counts], clients: Known[Arriving], demand: Demand) -> dict[str, Any]:
    """The facts of zones that each serve their own clients."""
    if isinstance(counts, Unknown):
        return _unsure("local", counts)
    if isinstance(clients, Unknown):
        return _unsure("local", clients)
    judged = _judge(counts.healthy, clients.shares(counts.healthy.units), demand, pooled=False)
    words = ""
    dark = [str(z) for z, n in counts.healthy.units.items() if not n and counts.registered.units[z]]
    if judged.short is False and dark:
        healed = _judge(counts.registered, clients.shares(counts.registered.units), demand, pooled=False)
        if healed.short is not False:
            judged = healed
            words = (
                f"Counted as if every registered target were healthy: none in {' and '.join(dark)} is now, "
                "so clients do not go there; once they do again, they overload it."
            )
    hottest = {x.zone: h for x in judged.losses if (h := x.after.hottest) is not None}
    zone = hottest.get(judged.worst.zone)
    return {
        "local_short": judged.short,
        "local_zone": zone.zone if zone else None,
        "local_lost": judged.worst.zone,
        "local_percent": _percent(zone) if zone else None,
        "local_missing": zone.missing if zone else 0,
        "local_words": ", ".join(f"without {z}: {h.zone} {_burden(h)}" for z, h in hottest.items()),
        "local_arriving_words": clients.words,
        "local_healed_words": words,
    }


def _unsure(part: str, why: Unknown) -> dict[str, Any]:
    return {name: why for name in ZoneLoss.__struct_fields__ if name.startswith(part)}


def in_words(figure: CapacityFigure, *, weighted: bool = False) -> str:
    """A figure as a phrase; `weighted` where targets count by their weight."""
    each = "each target of weight 1" if weighted else "each target"
    measured = f" ({figure.measured})" if figure.measured else ""
    parts = [f"peak {plain(figure.peak_rps)} requests a second{measured}, {plain(figure.target_rps)} for {each}"]
    if figure.retry_factor != 1:
        parts.append(f"times {plain(figure.retry_factor)} for retries")
    if figure.unavailable_share:
        parts.append(f"{plain(100 * figure.unavailable_share)} % of the targets away during a deployment")
    elif figure.unavailable_during_deploy:
        parts.append(f"{plain(figure.unavailable_during_deploy)} targets away during a deployment")
    return ", ".join(parts)


def plain(number: float) -> str:
    """A number as people write it: never with an exponent, and not longer than it has to be."""
    whole = round(number)
    if abs(number - whole) <= 1e-9 * max(1.0, abs(number)):
        return str(whole)
    digits = 1 if number >= 100 else 4 if number >= 0.01 else 12
    return f"{number:.{digits}f}".rstrip("0")


def _percent(load: ZoneLoad) -> int | None:
    """Utilisation in percent, rounded away from one hundred, so that it never looks like the other side of it."""
    if math.isinf(load.utilisation):
        return None
    exact = 100 * load.utilisation
    return math.ceil(exact - 1e-6) if exact > 100 else math.floor(exact + 1e-6)


def _burden(load: ZoneLoad) -> str:
    percent = _percent(load)
    return "has no target" if percent is None else f"at {percent} %"
