"""The skeleton of a rule of one's own: a small rule that works, with comments that say what to change."""

from __future__ import annotations

import dataclasses
import json
import re
import shlex

from ..errors import UsageError
from .subjects import subject_named

__all__ = ["SCHEMA_FILE", "checked_id", "skeleton"]

SCHEMA_FILE = "rule.schema.json"
_ID = re.compile(r"x(-[a-z0-9]+)+")


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Starter:
    """What a skeleton starts from: a condition, and the state of a scenario in which it is violated.

    `sound` is what differs in the scenario where nothing is wrong. `deny` is the action whose refusal makes it unknown,
    about `unknown` (the region, where the subjects are not listed).
    """

    condition: str
    says: str
    scenario: str
    change: str
    fail: str
    passing: str
    deny: str
    unknown: str
    sound: str = "{}"


_STARTERS = {
    "LoadBalancer": _Starter(
        condition="!zonal_shift_enabled",
        says="{LoadBalancerName} has zonal shift off",
        scenario="alb-three-zones",
        change='{load_balancers: {shop: {attributes: {zonal_shift.config.enabled: "false"}}}}',
        fail="shop",
        passing="shop",
        deny="elasticloadbalancing:DescribeLoadBalancerAttributes",
        unknown="shop",
    ),
    "LoadBalancerZone": _Starter(
        condition="healthy_count == `0`",
        says="{LoadBalancerName} has no healthy target in {zone}",
        scenario="alb-three-zones",
        change="{target_groups: {shop-web: {targets: {c: 2 unhealthy}}}}",
        fail="shop@use1-az2",
        passing="shop@use1-az6",
        deny="elasticloadbalancing:DescribeTargetHealth",
        unknown="shop@use1-az6",
    ),
    "LoadBalancerSubnet": _Starter(
        condition="ipv6_only",
        says="{SubnetId} in {zone} has no IPv4 addresses",
        scenario="alb-three-zones",
        change="{free_addresses: {a: ipv6}}",
        fail="subnet-06d54044adc3c99e8@use1-az6",
        passing="subnet-dfd43e83562e1c100@use1-az1",
        deny="ec2:DescribeSubnets",
        unknown="subnet-06d54044adc3c99e8@use1-az6",
    ),
    "TargetGroup": _Starter(
        condition="usable_count == `1`",
        says="{TargetGroupName} has one target",
        scenario="alb-three-zones",
        change="{target_groups: {shop-web: {targets: {a: 1 healthy, b: null, c: null}}}}",
        fail="shop-web",
        passing="shop-web",
        deny="elasticloadbalancing:DescribeTargetHealth",
        unknown="shop-web",
    ),
    "TargetGroupZone": _Starter(
        condition="served == `false`",
        says="{TargetGroupName} has {registered_count} targets in {zone}, where {LoadBalancerName} is not enabled",
        scenario="alb-three-zones",
        change="{load_balancers: {shop: {zones: [a, b]}}}",
        fail="shop-web@use1-az2",
        passing="shop-web@use1-az6",
        deny="elasticloadbalancing:DescribeLoadBalancers",
        unknown="shop-web@use1-az6",
    ),
    "AutoScalingGroup": _Starter(
        condition="!zonal_shift_enabled",
        says="{AutoScalingGroupName} has zonal shift off",
        scenario="auto-scaling",
        change="{auto_scaling_groups: {api-asg: {zonal_shift: false}}}",
        fail="api-asg",
        passing="api-asg",
        deny="autoscaling:DescribeAutoScalingGroups",
        unknown="us-east-1",
    ),
    "EksCluster": _Starter(
        condition="!zonal_shift_enabled",
        says="{name} is not registered for zonal shift",
        scenario="eks",
        change="{clusters: {main: {zonal_shift: false}}}",
        fail="main",
        passing="main",
        deny="eks:DescribeCluster",
        unknown="us-east-1",
    ),
    "EksNodegroup": _Starter(
        condition="launch_problems",
        says="Node group {name} of {cluster} cannot start nodes: {launch_problems}",
        scenario="eks",
        change="{clusters: {main: {node_groups: {ng: {issues: [AsgInstanceLaunchFailures]}}}}}",
        fail="ng",
        passing="ng",
        deny="eks:DescribeNodegroup",
        unknown="us-east-1",
    ),
    "ShiftResource": _Starter(
        condition="!listed",
        says="ARC does not list {name}",
        scenario="zonal-shift",
        change="{arc: {unlisted: [edge]}}",
        fail="edge",
        passing="main",
        deny="arc-zonal-shift:ListManagedResources",
        unknown="main",
    ),
    "ManagedResourceZone": _Starter(
        condition="shift_applied",
        says="Traffic of {name} has been moved away from {zone}",
        scenario="zonal-shift",
        change="{}",
        fail="shop@use1-az6",
        passing="edge@use1-az6",
        deny="arc-zonal-shift:ListManagedResources",
        unknown="us-east-1",
    ),
    "ManagedResource": _Starter(
        condition="shift_applied",
        says="Traffic of {name} has been moved away from a zone",
        scenario="zonal-shift",
        change="{}",
        fail="shop",
        passing="edge",
        deny="arc-zonal-shift:ListManagedResources",
        unknown="us-east-1",
    ),
    "ArcRegion": _Starter(
        condition="!observer_enabled",
        says="Nobody is told of autoshifts in {resource.region}",
        scenario="alb-three-zones",
        change="{arc: {observer: DISABLED}}",
        fail="us-east-1",
        passing="us-east-1",
        deny="arc-zonal-shift:GetAutoshiftObserverNotificationStatus",
        unknown="us-east-1",
        sound="{arc: {observer: ENABLED}}",
    ),
    "AvailabilityZone": _Starter(
        condition="State == 'impaired'",
        says="EC2 reports {zone} as {State}",
        scenario="alb-three-zones",
        change="{zone_states: {b: impaired}}",
        fail="us-east-1b@use1-az1",
        passing="us-east-1a@use1-az6",
        deny="ec2:DescribeAvailabilityZones",
        unknown="us-east-1",
    ),
}
# For a subject that has none: it loads, and its cases say what they lack.
_PLAIN = _Starter(
    condition="resource.name == 'NAME'",
    says="{resource.name} is named NAME",
    scenario="alb-three-zones",
    change="{}",
    fail="NAME",
    passing="ANOTHER",
    deny="elasticloadbalancing:DescribeLoadBalancers",
    unknown="us-east-1",
)

_TEXT = """\
# yaml-language-server: $schema={schema}
#
# A rule of your own for subject {subject}. It works as it stands: change it step by step.
#   auditor rules fields {subject}
#   auditor rules try EXPRESSION --subject {subject} --scenario {scenario}
#   auditor rules test --rules {folder} {id}
#   auditor scan --demo --rules {folder} --select {id}

# The id is the name of this file.
id: {id}
title: {title}
severity: medium                # critical, high, medium, low or info; or a list:
#                                 - {{level: high, when: CONDITION}}
#                                 - {{level: low}}
confidence: certain             # certain: AWS's answers prove it; likely and possible: they point to it
subject: {subject}

# Conditions are JMESPath over the facts of the subject: texts in single quotes, numbers in backticks.
# Combine several with `all: [...]`, `any: [...]` and `not: ...`. What was not read is unknown, never false.
# applies_when: CONDITION       # the rule has no say where this is false
violated_when: {condition}

# {{...}} is replaced by its value for the subject.
message: {message}
why: >-
  Say what happens to requests, and when; the reader may be tired.
fix:
  summary: Say what to do.
  # cli: aws ... {{resource.arn}}   # a command, or a list; values are quoted for the shell
  # caution: Say what the fix itself may break.
references: []                  # pages of AWS's documentation that the rule rests on
# intent: [single-zone]         # declared intent that switches the rule off
# hides: [ID]                   # rules whose findings this one explains

# Each case is a scenario (the account in short form), what is different in it, and the verdicts that must follow.
# `rules test` also changes each comparison of the rule, and says when no case notices.
cases:
  - name: a finding
    given: {{scenario: {scenario}{change}}}
    expect: {{fail: [{fail}], severity: medium}}
  - name: nothing wrong
    given: {{scenario: {scenario}{sound}}}
    expect: {{pass: [{passing}]}}
  - name: it could not be read
    given: {{scenario: {scenario}, deny: [{deny}]}}
    expect: {{unknown: [{unknown}], missing: [{deny}]}}
"""


def checked_id(rule_id: str) -> str:
    """The id, when a rule of one's own may have it.

    Raises:
        UsageError: it may not; the sentence says which one may be meant.
    """
    if _ID.fullmatch(rule_id):
        return rule_id
    words = re.findall(r"[a-z0-9]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", rule_id).lower())
    better = "-".join(words if words[:1] == ["x"] else ["x", *words])
    near = f"; did you mean {better}?" if words and _ID.fullmatch(better) else ""
    raise UsageError(
        f"{rule_id!r} cannot be the id of a rule of your own: that is x- and lower-case words joined by hyphens{near}"
    )


def skeleton(rule_id: str, subject: str, folder: str) -> str:
    """The text of a rule file that loads, and whose cases pass where the subject has a starter.

    Args:
        rule_id: its id, from `checked_id`.
        subject: name of the subject it judges.
        folder: the folder it will lie in, as the comments name it.

    Raises:
        UsageError: there is no such subject.
    """
    subject_named(subject)
    starter = _STARTERS.get(subject, _PLAIN)
    words = rule_id.removeprefix("x-").replace("-", " ")
    return _TEXT.format(
        schema=SCHEMA_FILE,
        id=rule_id,
        title=json.dumps(words[0].upper() + words[1:]),
        subject=subject,
        folder=shlex.quote(" ".join(folder.split())),
        condition=json.dumps(starter.condition),
        message=json.dumps(starter.says + "."),
        scenario=starter.scenario,
        change=_given(starter.change),
        sound=_given(starter.sound),
        fail=starter.fail,
        passing=starter.passing,
        deny=starter.deny,
        unknown=starter.unknown,
    )


def _given(change: str) -> str:
    return "" if change == "{}" else f", change: {change}"
