"""Which figure is meant for a target group."""

from __future__ import annotations

from typing import Any

import yaml

from auditor.derive.build import derive
from auditor.evaluate.given_figures import Capacity, figures_of
from auditor.evaluate.matching import Match
from auditor.evaluate.scenario import answers
from auditor.model.known import Unknown
from auditor.record.decode import decode

from .region import subject

ESTATE = yaml.safe_load("""
zones: {a: use1-az1, b: use1-az2, c: use1-az3}
load_balancers:
  shop: {type: application, zones: [a, b, c], listeners: [{port: 80, protocol: HTTP, default: {forward: web}}]}
target_groups:
  web: {type: instance}
auto_scaling_groups:
  web-asg: {zones: [a, b, c], max: 9, desired: 6, target_groups: [web], instances: {a: 2, b: 2, c: 2}}
""")


def loss(name: str, *deny: str) -> Any:
    figures = figures_of([Capacity(match=Match(name=name), peak_rps=300, target_rps=100)], None)
    (model,) = derive(decode(*answers(ESTATE, deny)), figures).regions
    return subject(model, "TargetGroup", "web").zone_loss


def test_a_figure_of_the_group_that_feeds_it_is_meant_for_it() -> None:
    assert loss("web-asg").targets_needed == loss("web").targets_needed == 3
    assert loss("other") is None


def test_a_group_that_was_not_seen_may_have_the_figure() -> None:
    assert isinstance(loss("web-asg", "autoscaling:DescribeAutoScalingGroups"), Unknown)
    assert isinstance(loss("other", "autoscaling:DescribeAutoScalingGroups"), Unknown)
