"""The least IAM policy that lets a scan read everything it asks for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .guard import check_read_only

# Signing in asks who the caller is. AWS allows that to everybody, yet an explicit deny elsewhere is easier to see with it.
SIGN_IN = "sts:GetCallerIdentity"


def policy(actions: Iterable[str], *, sign_in: bool = True) -> dict[str, Any]:
    """An identity policy that allows the given actions and nothing else.

    The reads take no resource, so one statement on ``*`` is the least there is; it holds no ARN and is therefore the same in
    every partition (Service Authorization Reference, actions of Elastic Load Balancing and the others).

    Args:
        actions: IAM actions such as ``elasticloadbalancing:DescribeRules``; repeats are folded.
        sign_in: whether to add what signing in asks for. Without it and without actions the policy has no statement.

    Raises:
        ValueError: an action is not of the form ``prefix:Operation``, or is not a read.
    """
    wanted = {SIGN_IN, *actions} if sign_in else set(actions)
    for action in wanted:
        prefix, colon, operation = action.partition(":")
        if not (prefix and colon):
            raise ValueError(f"{action!r} is not an IAM action")
        check_read_only(operation)
    statement = {"Sid": "ZonalAuditorReads", "Effect": "Allow", "Action": sorted(wanted), "Resource": "*"}
    return {"Version": "2012-10-17", "Statement": [statement] if wanted else []}
