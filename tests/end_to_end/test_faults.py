"""A call that fails never becomes a "no": one declared action at a time, on the demo account."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from auditor.aws.outcome import CallFailed
from auditor.collect import declared
from auditor.model.finding import Finding
from auditor.model.inventory import Inventory
from auditor.model.known import Outcome
from auditor.record.recording import Recording

from .conftest import Fault, scan_again

Verdicts = Mapping[tuple[str, str, str, tuple[str, ...]], str]
CALLS = sorted(
    {(c.read.service, c.read.operation, c.read.action) for c in declared()}
    - {("sts", "GetCallerIdentity", "sts:GetCallerIdentity")}
)
ACTIONS = sorted({action for _, _, action in CALLS})
PAGED = [
    (service, operation)
    for service, operation, _ in CALLS
    if (
        operation.startswith(
            ("DescribeLoadBalancers", "DescribeTargetGroups", "DescribeAutoScaling", "List", "DescribeSubnets")
        )
        and not operation.endswith("Attributes")
    )
    or operation
    in ("DescribeInstances", "DescribeNetworkInterfaces", "DescribeSSLPolicies", "DescribeRules", "DescribeListeners")
]
KINDS = [
    ("AccessDenied", Outcome.DENIED),
    ("Throttling", Outcome.THROTTLED),
    ("InternalFailure", Outcome.FAILED),
]


def refuse(action: str, code: str, outcome: Outcome) -> Fault:
    """Refuse every call that needs an IAM action."""
    by_call = {(service, operation): name for service, operation, name in CALLS}

    def fault(service: str, operation: str, _: Mapping[str, Any]) -> CallFailed | None:
        return CallFailed(code, "", outcome) if by_call.get((service, operation)) == action else None

    return fault


def verdicts(findings: tuple[Finding, ...]) -> Verdicts:
    return {(f.rule_id, f.resource.type, f.resource.arn or f.resource.name, (f.id,)): f.status.value for f in findings}


def flips(before: Verdicts, after: Verdicts) -> list[tuple[Any, str, str]]:
    """Verdicts that changed to or from a clear answer in a way that a lost permission must never cause."""
    bad = {
        ("pass", "fail"),
        ("fail", "pass"),
        ("unknown", "pass"),
        ("not_applicable", "fail"),
        ("fail", "not_applicable"),
    }
    return [
        (key, before[key], status) for key, status in after.items() if key in before and (before[key], status) in bad
    ]


def vanished(before: Verdicts, after: Verdicts, inventory: Inventory) -> list[str]:
    """Rules with failing findings that are gone without an unknown verdict of the same rule in their place."""
    unknown_rules = {rule for (rule, *_), status in after.items() if status == "unknown"}
    return sorted(
        {
            key[0]
            for key, status in before.items()
            if status == "fail" and key not in after and key[0] not in unknown_rules
        }
    )


@pytest.fixture(scope="module")
def undisturbed(recording: Recording) -> Verdicts:
    return verdicts(scan_again(recording)[1])


@pytest.mark.parametrize(("code", "outcome"), KINDS, ids=[k[0] for k in KINDS])
@pytest.mark.parametrize("action", ACTIONS)
def test_a_refused_action_flips_no_verdict(
    recording: Recording, undisturbed: Verdicts, action: str, code: str, outcome: Outcome
) -> None:
    inventory, findings, transport = scan_again(recording, refuse(action, code, outcome))
    after = verdicts(findings)
    assert flips(undisturbed, after) == []
    assert vanished(undisturbed, after, inventory) == []
    assert all(f.status.value != "error" for f in findings)
    asked = {name for service, operation, name in CALLS if (service, operation) in transport.calls}
    if action in asked:
        assert not inventory.complete
        assert action in {g.read.action for g in inventory.gaps}


@pytest.mark.parametrize(("service", "operation"), PAGED, ids=[f"{s}:{o}" for s, o in PAGED])
def test_a_listing_cut_after_page_one_flips_no_verdict(
    recording: Recording, undisturbed: Verdicts, service: str, operation: str
) -> None:
    inventory, findings, transport = scan_again(recording, cut=(service, operation))
    after = verdicts(findings)
    assert flips(undisturbed, after) == []
    assert vanished(undisturbed, after, inventory) == []
    if (service, operation) in transport.calls:
        assert not inventory.complete


def test_every_declared_action_is_asked_on_the_demo_account(recording: Recording) -> None:
    _, _, transport = scan_again(recording)
    never = {f"{s}:{o}" for s, o, _ in CALLS if (s, o) not in transport.calls}
    assert never == set()
