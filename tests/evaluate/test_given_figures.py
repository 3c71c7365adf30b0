"""Capacity entries of the settings: what is refused when they are read, and what derive gets of them."""

from __future__ import annotations

import pytest

from auditor.config import read_settings
from auditor.errors import UsageError
from auditor.evaluate.given_figures import figures_of


@pytest.fixture
def entry(tmp_path):
    def read(keys: str):
        path = tmp_path / "auditor.yaml"
        path.write_text(f"capacity: [{{match: {{name: a}}, {keys}}}]", "utf-8")
        return read_settings(path).capacity[0]

    return read


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        ("ingress: {a: 0.5, b: 0.4}", "`capacity[0]`: the parts of `ingress` sum to 0.9, not to 1 (give or take 0.02)"),
        ("ingress: {a: 0.5, b: 0.53}", "sum to 1.03, not to 1"),
        ("ingress: {a: 1.5, b: -0.5}", "`capacity[0].ingress`: expected `float` <= 1"),
        ("ingress: {a: .nan}", "`capacity[0]"),
        ("ingress: [0.5, 0.5]", "`capacity[0].ingress`: expected a mapping, got a list"),
        ("ingress: {a: 50%, b: 50%}", "expected a number, got text"),
        ("peak_rps: -1", "`capacity[0].peak_rps`: expected `float` > 0"),
        ("peak_rps: .inf", "`capacity[0].peak_rps`: expected `float` <= 1000000000000"),
        ("peak_rps: .nan", "`capacity[0].peak_rps`"),
        ("target_rps: 0", "`capacity[0].target_rps`: expected `float` >= 1e-06"),
        ("target_rps: .inf", "`capacity[0].target_rps`"),
        ("retry_factor: 0.5", "`capacity[0].retry_factor`: expected `float` >= 1"),
        ("retry_factor: .inf", "`capacity[0].retry_factor`"),
        ("unavailable_during_deploy: -1", "`capacity[0].unavailable_during_deploy`"),
        ("unavailable_during_deploy: .inf", "`capacity[0].unavailable_during_deploy`"),
        ("unavailable_during_deploy: ten", "`capacity[0].unavailable_during_deploy`"),
        ("unavailable_during_deploy: 100%", "takes every target away"),
        ("unavailable_during_deploy: -10%", "`capacity[0].unavailable_during_deploy`"),
    ],
)
def test_what_cannot_be_meant_is_one_sentence(entry, keys, sentence):
    with pytest.raises(UsageError) as caught:
        entry(keys)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("parts", [[1], [0.33] * 3, [0.17] * 6, [0.5, 0.3, 0.2], [1, 0], [0.1] * 10])
def test_parts_may_be_rounded(entry, parts):
    ingress = ", ".join(f"z{n}: {part}" for n, part in enumerate(parts))
    assert list(entry(f"ingress: {{{ingress}}}").ingress.values()) == parts


@pytest.mark.parametrize(
    ("away", "number", "share"), [("2", 2, 0), ("10%", 0, 0.1), ("12.5 %", 0, 0.125), ("0%", 0, 0)]
)
def test_a_deployment_takes_a_number_or_a_share(entry, away, number, share):
    figures = figures_of([entry(f"peak_rps: 9000, target_rps: 1200, unavailable_during_deploy: {away}")], None)
    demand = figures.capacity[0].demand
    assert (demand.unavailable, demand.unavailable_share) == (number, share)


@pytest.mark.parametrize(
    ("keys", "required"),
    [
        ("peak_rps: 9000, target_rps: 1200", 8),
        ("peak_rps: 9600, target_rps: 1200", 8),
        ("peak_rps: 2.1, target_rps: 0.7", 3),
        ("peak_rps: 9000, target_rps: 1100, retry_factor: 1.1", 9),
        ("peak_rps: 9000, target_rps: 1200, unavailable_during_deploy: 10%", 9),
        ("peak_rps: 8400, target_rps: 1200, unavailable_during_deploy: 2", 9),
        ("peak_rps: 1.0e+12, target_rps: 1.0e-06, retry_factor: 1000, unavailable_during_deploy: 99.9%", 10**24),
    ],
)
def test_what_must_be_left_is_rounded_up_and_exactly_enough_is_enough(entry, keys, required):
    assert figures_of([entry(keys)], None).capacity[0].required == pytest.approx(required, rel=1e-9)
