"""Rules, changes and readers that the tests of the command line share."""

from __future__ import annotations

import json
from typing import Any

from click.testing import Result

NO_SHIFT = """\
id: lb-no-shift
title: The load balancer cannot be shifted
severity: high
confidence: certain
subject: LoadBalancer
applies_when: zone_count > `1`
violated_when: "!zonal_shift_enabled"
intent: [no-shift]
message: "{LoadBalancerName} cannot be moved out of a zone."
why: Nothing moves its traffic.
fix:
  summary: Enable zonal shift.
  cli: aws elbv2 modify-load-balancer-attributes --load-balancer-arn {LoadBalancerArn}
references: [https://docs.aws.amazon.com/elasticloadbalancing/latest/application/zonal-shift.html]
cases:
  - name: switched off
    given: {scenario: alb-three-zones, change: {load_balancers: {shop: {attributes: {zonal_shift.config.enabled: "false"}}}}}
    expect: {fail: [shop]}
  - name: switched on
    given: {scenario: alb-three-zones}
    expect: {pass: [shop]}
  - name: one zone
    given: {scenario: alb-three-zones, change: {load_balancers: {shop: {zones: [a]}}}}
    expect: {not_applicable: [shop]}
equivalent: []
"""

EMPTY = """\
id: tg-empty
title: The target group is empty
severity: critical
confidence: certain
subject: TargetGroup
params: {most: 0}
violated_when: usable_count <= $most
message: "{TargetGroupName} has {usable_count} targets."
why: Nobody answers.
fix: {summary: Register targets.}
cases: []
"""


OFF = {"load_balancers": {"shop": {"attributes": {"zonal_shift.config.enabled": "false"}}}}
NOBODY = {"target_groups": {"shop-web": {"targets": None}}}


def report_of(result: Result) -> dict[str, Any]:
    """The JSON document on stdout."""
    found: dict[str, Any] = json.loads(result.stdout)
    return found
