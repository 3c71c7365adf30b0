"""Connections of a load balancer that outlive their target."""

from __future__ import annotations

from typing import Annotated

from ...model.known import Known
from ..node import Fact, Facts
from .forwarding import Forwarding

_DRAINED = "elbv2:DescribeTargetGroupAttributes#deregistration_delay.connection_termination.enabled"
_IDLE = "elbv2:DescribeListenerAttributes#tcp.idle_timeout.seconds"
_LISTENERS = "elbv2:DescribeListeners"
_USE = (_LISTENERS, "elbv2:DescribeRules", "elbv2:DescribeTargetGroups")


class LongConnections(Facts, frozen=True, kw_only=True):
    """A target group, and a listener that sends it connections which nothing ends when their target leaves."""

    TargetGroupName: Annotated[str, Fact("name of the target group", "elbv2:DescribeTargetGroups")]
    TargetGroupArn: Annotated[str, Fact("ARN of the target group", "elbv2:DescribeTargetGroups")]
    ListenerArn: Annotated[str, Fact("listener that forwards to it", _LISTENERS)]
    idle_seconds: Annotated[int, Fact("seconds without data after which that listener ends a connection", _IDLE)]
    words: Annotated[str, Fact("target group, listener and idle timeout, in words", _DRAINED, _IDLE)]


class Connections(Forwarding, frozen=True, kw_only=True):
    """What becomes of the connections of a Network Load Balancer when their target leaves."""

    long_connections: Annotated[
        Known[tuple[LongConnections, ...]],
        Fact(
            "its in-use target groups and listeners where neither a deregistration nor a short idle timeout ends connections",
            _DRAINED,
            _IDLE,
            *_USE,
        ),
    ] = ()
