"""Is cross-zone load balancing in effect for this target group? Computed, never read from one attribute.

https://docs.aws.amazon.com/elasticloadbalancing/latest/userguide/how-elastic-load-balancing-works.html
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from ..model.known import Known, Unknown
from .nodes.load_balancers import Kind
from .nodes.target_groups import CrossZone

KEY = "load_balancing.cross_zone.enabled"


def setting_of(kind: Kind, attributes: Known[Mapping[str, str]]) -> Known[Literal["on", "off"]]:
    """Cross-zone at the load balancer itself.

    An Application Load Balancer has it on and cannot change it, whatever its attribute shows. Network and Gateway Load
    Balancers have it off until it is switched on, so a key that AWS left out of a whole answer means off.
    """
    if kind == "application":
        return "on"
    if isinstance(attributes, Unknown):
        return attributes
    return "on" if attributes.get(KEY, "false") == "true" else "off"


def effective_cross_zone(
    kind: Kind,
    target_type: str,
    group_attributes: Known[Mapping[str, str]],
    balancer_attributes: Known[Mapping[str, str]],
) -> Known[CrossZone]:
    """Effective cross-zone of one target group on one kind of load balancer.

    Application: on unless the group says ``false``. Network: the group's own ``true`` or ``false`` wins, except for `alb`
    groups, which always follow the load balancer. Gateway: the load balancer alone. An input that could not be read and
    that would decide makes the answer unknown.
    """
    whole = setting_of(kind, balancer_attributes)
    if kind == "gateway" or (kind == "network" and target_type == "alb"):
        return _inherited(whole, "the target group cannot set it")
    if isinstance(group_attributes, Unknown):
        return group_attributes
    raw = group_attributes.get(KEY, "use_load_balancer_configuration")
    if raw in ("true", "false") and not (kind == "application" and raw == "true"):
        return CrossZone(value="on" if raw == "true" else "off", because=f"the target group sets {KEY}={raw}")
    if kind == "application":
        return CrossZone(
            value="on", because="an Application Load Balancer has it on unless the target group switches it off"
        )
    return _inherited(whole, f"the target group has {raw}")


def _inherited(whole: Known[Literal["on", "off"]], why: str) -> Known[CrossZone]:
    if isinstance(whole, Unknown):
        return whole
    return CrossZone(value=whole, because=f"{why}, and the load balancer has it {whole}")
