"""What must hold of every estate: order is nothing, a refusal turns no fact into another one, a zone's name is only a name.

`PROPERTY_EXAMPLES` raises the number of estates (a normal run takes few).
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from auditor.derive.build import derive
from auditor.derive.evidence import evidence_for, facts_of
from auditor.derive.node import Facts, Node
from auditor.derive.nodes import SUBJECTS
from auditor.derive.nodes.target_groups import ProbeWalk
from auditor.derive.zonal_model import RegionModel
from auditor.evaluate.given_figures import Capacity, Drill, figures_of
from auditor.evaluate.matching import Match
from auditor.evaluate.scenario import answers
from auditor.model import ec2
from auditor.model.answer import Answer
from auditor.model.catalogue import all_reads
from auditor.model.identity import Zone
from auditor.model.known import Unknown
from auditor.record.decode import decode, reads

from .generated import estates

EXAMPLES = int(os.environ.get("PROPERTY_EXAMPLES", "100"))
few = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=EXAMPLES <= 100,
    phases=list(__import__("hypothesis").Phase)[:3],
    suppress_health_check=list(HealthCheck),
)
ACTIONS = sorted({r.action for r in all_reads()} - {"sts:GetCallerIdentity"})


FIGURES = figures_of(
    [
        Capacity(match=Match(name="asg0"), peak_rps=300, target_rps=100),
        Capacity(match=Match(tag="env=prod"), peak_rps=500, target_rps=100),
    ],
    Drill(start=datetime(2026, 12, 2, 18, tzinfo=UTC), end=datetime(2026, 12, 2, 22, tzinfo=UTC)),
)


def model_of(scenario: Mapping[str, Any], deny: Iterable[str] = ()) -> RegionModel:
    (found,) = derive(decode(*answers(scenario, tuple(deny))), FIGURES).regions
    return found


# Order


def unlike(one: RegionModel, other: RegionModel) -> list[str]:
    """Where two models differ."""
    found = [kind for kind in one.subjects if one.of(kind).gaps != other.of(kind).gaps]
    for kind in one.subjects:
        if len(one.of(kind)) != len(other.of(kind)):
            found.append(kind)
        for a, b in zip(one.of(kind), other.of(kind), strict=False):
            fields = (f for f in a.__struct_fields__ if getattr(a, f) != getattr(b, f))
            found += [f"{kind}.{f}: {getattr(a, f)} / {getattr(b, f)}" for f in fields]
            for name in facts_of(type(a)):
                if evidence_for(one, a, a, name, getattr(a, name)) != evidence_for(other, b, b, name, getattr(b, name)):
                    found.append(f"{kind}.{name}: evidence")
    return found


def _paged(answer: Answer, rng: random.Random) -> list[Answer]:
    """An answer with its items in another order, cut into pages."""
    read = reads()[answer.service, answer.operation]
    found = (answer.response or {}).get(read.items)
    if not isinstance(found, list) or len(found) < 2:
        return [answer]
    mixed = rng.sample(found, len(found))
    cut = rng.randrange(1, len(mixed))
    parts = [mixed[:cut], mixed[cut:]]
    return [
        msgspec.structs.replace(
            answer,
            page=n,
            next=None if n == len(parts) else f"t{n}",
            response={**(answer.response or {}), read.items: p},
        )
        for n, p in enumerate(parts, 1)
    ]


@few
@given(estates(), st.randoms(use_true_random=False), st.lists(st.sampled_from(ACTIONS), max_size=2))
def test_order_of_calls_pages_and_resources_is_nothing(scenario, rng, deny):
    pages, header, footer = answers(scenario, deny)
    mixed = [page for answer in pages for page in _paged(answer, rng)]
    rng.shuffle(mixed)
    plain, other = decode(pages, header, footer), decode(mixed, header, footer)
    assert unlike(derive(plain).regions[0], derive(other).regions[0]) == []
    assert plain.gaps == other.gaps


# Refusals

# Facts whose known value may differ when something could not be read. Each says why that cannot mislead.
WITNESSES = {
    # Lists and counts of what was seen. They may shrink, but never to nothing while the whole has something, so a question
    # "is there any" is never answered otherwise; nothing else may be asked of them when their subject has gaps.
    ("LoadBalancerZone", "empty_groups_local"),
    ("LoadBalancerZone", "empty_groups_pooled"),
    ("LoadBalancerZone", "empty_group_names"),
    ("LoadBalancer", "groups_pinning_cross_zone_off"),
    ("LoadBalancer", "arns_pinning_cross_zone_off"),
    ("LoadBalancerSubnet", "load_balancer_names"),
    ("LoadBalancer", "sticky_groups"),
    ("LoadBalancer", "sticky_groups_local"),
    ("LoadBalancer", "groups_local"),
    ("LoadBalancer", "groups_not_rebalanced"),
    ("TargetGroup", "failing_open_zones"),
    ("TargetGroup", "all_zone_targets"),
    ("AvailabilityZone", "inhabitants"),
    ("EksCluster", "fargate_profiles"),
    ("EksCluster", "lb_shift_gaps"),
    ("EksCluster", "lb_shift_gap_arns"),
    # A zone of a group is a subject because targets stand in it; targets whose place could not be read are missing there.
    ("TargetGroupZone", "targets"),
    ("TargetGroupZone", "target_labels"),
    ("TargetGroupZone", "registered_count"),
    ("ManagedResource", "differing_layers"),
    ("ManagedResource", "differing_zones"),
    ("ManagedResource", "layers_ending_late"),
    ("ManagedResource", "groups_without_effect"),
    ("ManagedResource", "broken_alarms"),
    ("ManagedResource", "broken_alarm_words"),
    ("ManagedResource", "self_tripping_alarms"),
    ("ManagedResource", "groups_short"),
}
CAUSES = {
    # What a finding is counted towards when findings hide one another. With less read, less is hidden; no verdict changes.
    ("LoadBalancerZone", "empty_causes"),
    ("LoadBalancerZone", "withdrawn_causes"),
    ("AutoScalingGroup", "only_source_of"),
    ("AutoScalingGroup", "zone_fit_causes"),
    ("EksCluster", "lb_shift_gap_causes"),
    ("EksCluster", "nodes_causes"),
    ("ManagedResource", "without_effect_causes"),
}
TIES = {
    # One of several zones that are equally full or hot: the first by ID, or by name where the refusal left only names.
    ("TargetGroup", "fullest_zone"),
    ("TargetGroup", "hottest_zone"),
}
TEXT = {
    # Names a target group by its ARN when the group itself was not read.
    ("AutoScalingGroup", "feeds_words"),
    # Says "in a zone not known" itself, target by target, and drops no target.
    ("TargetGroup", "reasons_per_zone"),
    # Names every rule that may decide when they all end alike; the whole answer names the one that does.
    ("ProbeWalk", "outcome_words"),
    # One of several reasons; and what a command is filled with: the first difference that was seen, the latest end. No rule
    # judges by them.
    ("ManagedResource", "without_effect_words"),
    ("ManagedResource", "behind_arn"),
    ("ManagedResource", "behind_zone_id"),
    ("ManagedResource", "expiry_needed"),
}


class Compared:
    """Collects where a model with refusals says something else than the whole one."""

    def __init__(self, whole: RegionModel, less: RegionModel, zones: Mapping[str, str], region: str) -> None:
        self.wrong: list[str] = []
        self._same = {f"{region}{name}": zone_id for name, zone_id in zones.items()}
        self._only_names = any(less.inventory.listing(r).gaps for r in (ec2.AVAILABILITY_ZONES, ec2.SUBNETS))
        for kind in whole.subjects:
            before = {self._key(n): n for n in whole.of(kind)}
            assert len(before) == len(whole.of(kind))
            for node in less.of(kind):
                if self._key(node) in before:
                    self._node(kind, before[self._key(node)], node)

    def _key(self, node: Node) -> tuple[str, str, str]:
        zone = getattr(node, "zone", None)
        return node.resource.arn, node.resource.name, self._zone(zone) if isinstance(zone, Zone) else ""

    def _zone(self, zone: Zone) -> str:
        """A zone by its ID, also where the refusal left only its name."""
        return zone.id or self._same.get(zone.name or "", zone.name or "")

    def _node(self, kind: str, before: Node, after: Node) -> None:
        for name in (*facts_of(type(before)), "resource", "tags"):
            if (kind, name) in CAUSES | TEXT | (TIES if self._only_names else set()):
                continue
            old, new = getattr(before, name), getattr(after, name)
            place = f"{kind}({before.resource.name}).{name}"
            if (kind, name) in WITNESSES and not isinstance(old, Unknown) and not isinstance(new, Unknown):
                self._witness(place, old, new)
            else:
                self._value(place, old, new)

    def _witness(self, place: str, old: Any, new: Any) -> None:
        old_count, new_count = (v if isinstance(v, int) else len(v) for v in (old, new))
        shrunk = new_count <= old_count and bool(new_count) == bool(old_count)
        if not shrunk or (isinstance(old, tuple) and isinstance(old[:1], tuple) and not self._within(old, new)):
            self.wrong.append(f"{place}: {old} -> {new}")

    def _within(self, old: tuple[Any, ...], new: tuple[Any, ...]) -> bool:
        known = [self._plain(o) for o in old]
        return all(self._plain(n) in known for n in new)

    def _plain(self, value: Any) -> Any:
        """The part of a value that a witness is recognised by."""
        if isinstance(value, Zone):
            return self._zone(value)
        for identity in ("TargetGroupArn", "label"):
            if hasattr(value, identity):
                return getattr(value, identity)
        return value

    def _value(self, place: str, old: Any, new: Any) -> None:
        if isinstance(new, Unknown):
            return
        if isinstance(old, Facts) and type(old) is type(new):
            for name in facts_of(type(old)):
                if (type(old).__name__, name) not in TEXT:
                    self._value(f"{place}.{name}", getattr(old, name), getattr(new, name))
        elif isinstance(old, tuple) and isinstance(new, tuple) and len(old) == len(new):
            for o, n in zip(self._ordered(old), self._ordered(new), strict=True):
                self._value(place, o, n)
        elif not self._alike(old, new):
            self.wrong.append(f"{place}: {old!r} -> {new!r}")

    def _alike(self, old: Any, new: Any) -> bool:
        if isinstance(old, Zone) and isinstance(new, Zone):
            return self._zone(old) == self._zone(new)
        if isinstance(old, str) and isinstance(new, str):
            return self._words(old) == self._words(new)
        return bool(old == new)

    def _words(self, text: str) -> list[str]:
        """The parts of a phrase with each zone by its ID, since a phrase writes a zone as it is known and by that order."""
        for name, zone_id in self._same.items():
            for written in (f"{zone_id} ({name})", f"{name} (zone ID not read)", name):
                text = text.replace(written, zone_id)
        return sorted(text.split(", "))

    def _ordered(self, values: tuple[Any, ...]) -> list[Any]:
        """Zones in order of their IDs, whichever form they have; everything else as it is."""
        if all(isinstance(v, Zone) for v in values):
            return sorted(values, key=self._zone)
        if all(isinstance(getattr(v, "zone", None), Zone) and not hasattr(v, "label") for v in values):
            return sorted(values, key=lambda v: self._zone(v.zone))
        return list(values)


def differences(scenario: Mapping[str, Any], deny: Iterable[str]) -> list[str]:
    return Compared(model_of(scenario), model_of(scenario, deny), scenario["zones"], "us-east-1").wrong


@few
@given(estates())
def test_refusing_any_one_action_turns_no_known_fact_into_another(scenario):
    whole = model_of(scenario)
    found = {
        action: wrong
        for action in ACTIONS
        if (wrong := Compared(whole, model_of(scenario, [action]), scenario["zones"], "us-east-1").wrong)
    }
    assert found == {}


@few
@given(estates(), st.sets(st.sampled_from(ACTIONS), min_size=2, max_size=12))
def test_refusing_several_actions_turns_no_known_fact_into_another(scenario, deny):
    assert differences(scenario, deny) == []


@few
@given(estates(), st.sampled_from(["elasticloadbalancing", "ec2", "autoscaling", "eks", "arc-zonal-shift"]))
def test_a_service_that_may_not_be_read_at_all(scenario, service):
    assert differences(scenario, [a for a in ACTIONS if a.startswith(f"{service}:")]) == []


@few
@given(estates(), st.sampled_from(ACTIONS))
def test_a_subject_that_a_refusal_hides_leaves_a_gap(scenario, action):
    whole, less = model_of(scenario), model_of(scenario, [action])
    for kind in whole.subjects:
        # A zone that is served is no fault, so that one need not be missed: a target in use stands in a served zone.
        before, after = ([n for n in m.of(kind) if getattr(n, "served", None) is not True] for m in (whole, less))
        if len(after) < len(before):
            assert any(g.action == action for g in less.of(kind).gaps), kind


def test_the_exceptions_name_facts_that_exist():
    for kind, name in WITNESSES | CAUSES | TEXT | TIES:
        assert name in facts_of({**SUBJECTS, "ProbeWalk": ProbeWalk}[kind])


@pytest.mark.parametrize("old", [1, 0])
def test_the_comparison_notices(old):
    """The tests above can fail: a fact that flips and one that becomes known are both reported."""
    scenario = {
        "zones": {"a": "use1-az1", "b": "use1-az2"},
        "load_balancers": {"x": {"type": "network", "zones": ["a", "b"], "attributes": {
            "load_balancing.cross_zone.enabled": "true" if old else "false"}}},
    }  # fmt: skip
    other = {**scenario, "load_balancers": {"x": {"type": "network", "zones": ["a"]}}}
    wrong = Compared(model_of(scenario), model_of(other), scenario["zones"], "us-east-1").wrong
    assert ("cross_zone_setting" in " ".join(wrong)) is bool(old)
    assert "zone_count: 2 -> 1" in " ".join(wrong)


# Names of zones


def _renamed(pages: list[Answer], names: Mapping[str, str]) -> list[Answer]:
    text = msgspec.json.encode(pages).decode()
    for old in names:
        text = text.replace(old, old.upper())
    for old, new in names.items():
        text = text.replace(old.upper(), new)
    return msgspec.json.decode(text, type=list[Answer])


def _flat(model: RegionModel, names: Mapping[str, str]) -> dict[str, str]:
    """Every subject by kind, ARN and zone ID, as text with the names of zones translated."""
    found = {}
    for kind, listing in model.subjects.items():
        for node in listing:
            zone = getattr(node, "zone", None)
            key = f"{kind} {node.resource.arn} {zone.id if isinstance(zone, Zone) else ''}"
            text = msgspec.json.encode(node).decode()
            for old in names:
                text = text.replace(old, f"<{old}>".upper())
            for old, new in names.items():
                text = text.replace(f"<{old}>".upper(), new)
            found[key] = text
    return found


@few
@given(estates(), st.randoms(use_true_random=False))
def test_renaming_zones_changes_names_and_nothing_else(scenario, rng):
    letters = list(scenario["zones"])
    other = rng.sample(letters, len(letters))
    names = {f"us-east-1{old}": f"us-east-1{new}" for old, new in zip(letters, other, strict=True)}
    pages, header, footer = answers(scenario)
    (before,) = derive(decode(pages, header, footer)).regions
    (after,) = derive(decode(_renamed(pages, names), header, footer)).regions
    assert _flat(before, names) == _flat(after, {})
