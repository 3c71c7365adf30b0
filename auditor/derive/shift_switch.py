"""Is a load balancer opted in to zonal shift? Its own attribute, and that beside ARC's list.

https://docs.aws.amazon.com/elasticloadbalancing/latest/network/enable-zonal-shift.html
"""

from __future__ import annotations

from collections.abc import Mapping

from ..model.known import Known, Unknown, unclear
from ..model.verdict import Truth

KEY = "zonal_shift.config.enabled"


def shift_switch(attributes: Known[Mapping[str, str]]) -> Known[bool]:
    """Whether zonal shift is enabled. A key that AWS left out of a whole answer means the documented default, off."""
    return attributes if isinstance(attributes, Unknown) else attributes.get(KEY, "false") == "true"


def own_switch(attributes: Known[Mapping[str, str]], listed: Truth) -> Known[bool | None]:
    """The switch beside ARC's view: where ARC manages what the attributes are silent on, the default proves nothing."""
    if listed is True and not isinstance(attributes, Unknown) and KEY not in attributes:
        return unclear(f"AWS did not return {KEY}, and ARC lists the load balancer")
    return shift_switch(attributes)
