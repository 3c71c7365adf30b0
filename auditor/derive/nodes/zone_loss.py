"""What the loss of a zone does to a target group, by the user's figures, and by measured ones where those are not given."""

from __future__ import annotations

from typing import Annotated

from ...model.identity import Zone
from ...model.known import Known
from ..node import Fact, Facts

_WEIGHTS = "autoscaling:DescribeAutoScalingGroups"
_COUNTED = (
    "elbv2:DescribeTargetHealth#targets_per_zone",
    "ec2:DescribeInstances",
    "elbv2:DescribeLoadBalancers",
    _WEIGHTS,
)
_ARRIVING = (*_COUNTED, "cloudwatch:GetMetricData", "ec2:DescribeAvailabilityZones")


class ZoneLoss(Facts, frozen=True, kw_only=True):
    """The loss of each zone in turn, counted with healthy targets against a figure of the settings."""

    figure_words: Annotated[str, Fact("the figure that it is counted against, in words")]
    targets_needed: Annotated[
        int,
        Fact("fewest targets that carry the peak while a deployment is under way, by weight where weights are used"),
    ]
    even_count: Annotated[
        int,
        Fact("targets in each zone of the load balancer with which any one zone may be lost, clients arriving evenly"),
    ]
    unit: Annotated[Known[str], Fact("what is counted: target, or capacity unit where targets have weights", _WEIGHTS)]
    healthy_words: Annotated[
        Known[str], Fact("healthy targets per zone, by weight where weights are used, in words", *_COUNTED)
    ]
    survived: Annotated[
        Known[bool],
        Fact(
            "whether no loss of a zone leaves too little: in all, and with cross-zone off in any zone",
            *_ARRIVING,
            "elbv2:DescribeTargetGroupAttributes",
        ),
    ]
    pooled_short: Annotated[
        Known[bool],
        Fact("whether without one zone too few targets are left for the peak, however it is spread", *_COUNTED),
    ]
    pooled_zone: Annotated[Known[Zone | None], Fact("the zone whose loss leaves the fewest targets", *_COUNTED)]
    pooled_missing: Annotated[Known[int], Fact("how many targets are missing without it", *_COUNTED)]
    pooled_words: Annotated[Known[str], Fact("what is left without each zone, in words", *_COUNTED)]
    pooled_healed_words: Annotated[
        Known[str], Fact("what would be missing if every registered target were healthy, in words, or empty", *_COUNTED)
    ]
    local_short: Annotated[
        Known[bool],
        Fact("whether without one zone another cannot carry its own part of the peak from its own targets", *_ARRIVING),
    ]
    local_zone: Annotated[Known[Zone | None], Fact("the zone that is overloaded worst", *_ARRIVING)]
    local_lost: Annotated[Known[Zone | None], Fact("the zone whose loss overloads it", *_ARRIVING)]
    local_percent: Annotated[
        Known[int | None], Fact("its utilisation then, in percent; null where it has no target at all", *_ARRIVING)
    ]
    local_missing: Annotated[Known[int], Fact("how many targets are missing in its zone", *_ARRIVING)]
    local_words: Annotated[Known[str], Fact("the hottest zone after the loss of each zone, in words", *_ARRIVING)]
    local_arriving_words: Annotated[
        Known[str], Fact("where clients are taken to arrive, and from what that follows, in words", *_ARRIVING)
    ]
    local_healed_words: Annotated[
        Known[str],
        Fact("why it is counted as if every registered target were healthy, in words, or empty where not", *_ARRIVING),
    ]
