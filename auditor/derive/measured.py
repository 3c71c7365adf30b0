"""What measured traffic adds to the figures of the settings: the peak, and where clients arrive, where those are not given.

A figure that lacks its peak takes the highest rate of requests that CloudWatch counted for the group, which is the mean of a
period and so understates the true peak (`auditor.model.metrics`). Only Application Load Balancers count requests. What is given
is never replaced. Without metrics nothing is added; metrics that could not be read, or hold no traffic, leave it unknown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..model import elbv2
from ..model.identity import Zone
from ..model.known import Known, Unknown, unclear
from .figures import CapacityFigure, TargetFigure
from .group_health import GroupView
from .links import Links
from .traffic import Traffic


def measured_figure(view: GroupView, meant: Sequence[TargetFigure], links: Links) -> Known[CapacityFigure | None]:
    """The most demanding of some figures that lack a peak, with the measured one; None without one, or without metrics."""
    traffic = _traffic(view, links) if meant else None
    if traffic is None or isinstance(traffic, Unknown):
        return traffic
    assert isinstance(view.balancer, elbv2.LoadBalancer), "only a load balancer has traffic"
    peak = links.traffic.group_peak(view.balancer, view.group.TargetGroupArn)
    if peak is None or isinstance(peak, Unknown):
        return peak
    if not peak:
        return unclear(f"{view.group.TargetGroupName} got no request in the window that metrics were read of")
    words = f"measured: mean of the busiest {traffic.window.period_text} in {traffic.window.text}"
    return max((figure.at(peak, words) for figure in meant), key=lambda f: f.required)


def measured_shares(view: GroupView, links: Links) -> Known[Mapping[Zone, float] | None]:
    """The part of what clients send that arrives in each zone of the group's load balancer; None without metrics."""
    traffic = _traffic(view, links)
    return traffic if traffic is None or isinstance(traffic, Unknown) else traffic.shares


def among(shares: Mapping[Zone, float], zones: Sequence[Zone]) -> dict[Zone, float]:
    """Shares as they are once clients use only some of the zones; none where nothing arrived in those."""
    total = sum(shares.get(z, 0.0) for z in zones)
    return {z: shares.get(z, 0.0) / total for z in zones} if total > 0 else {}


def _traffic(view: GroupView, links: Links) -> Known[Traffic | None]:
    if links.inventory.window is None or view.balancer is None:
        return None
    return view.balancer if isinstance(view.balancer, Unknown) else links.traffic.of(view.balancer)
