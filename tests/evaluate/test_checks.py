"""Python templates: registered, bound to the params of a rule, and judged like an expression."""

from __future__ import annotations

import msgspec
import pytest

from auditor.errors import RuleError
from auditor.evaluate import checks
from auditor.evaluate.checks import check, registered
from auditor.evaluate.run import judge
from auditor.model.known import Unknown
from auditor.model.verdict import Status, Truth

from .conftest import Load, Write
from .shop import Box, Shop, model, shop, unread


class Most(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    most: int


@pytest.fixture(autouse=True)
def _templates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "_CHECKS", dict(registered()))

    @check("too-many", subject=Shop, params=Most, facts=("count", "lid.weight"))
    def too_many(node: Shop, params: Most) -> Truth:
        return node.count if isinstance(node.count, Unknown) else node.count > params.most


def test_a_template_judges(write: Write, load: Load) -> None:
    write("x-full", "check: too-many", "params: {most: 2}")
    rule = load()["x-full"]
    assert rule.needs == ("elasticloadbalancing:DescribeTargetHealth",)
    found = judge(model(shop("a", count=3, lid=Box(weight=4)), shop("b", count=2), shop("c", count=unread())), load())
    assert {f.resource.name: f.status for f in found.findings} == {"a": Status.FAIL, "c": Status.UNKNOWN}
    assert [(e.says, e.value) for e in found.findings[0].evidence] == [
        ("a: how many are in it: 3", 3),
        ("a: its weight: 4", 4),
    ]


@pytest.mark.parametrize(
    ("lines", "subject", "says"),
    [
        (["check: too-mny", "params: {most: 1}"], "Shop", "there is no check 'too-mny'; did you mean too-many?"),
        (["check: too-many", "params: {most: a}"], "Shop", "check: too-many: params: Expected `int`, got `str`"),
        (["check: too-many"], "Shop", "missing required field `most`"),
        (["check: too-many", "params: {most: 1, least: 2}"], "Shop", "unknown field `least`"),
        (["check: too-many", "params: {most: 1}"], "Stall", "too-many judges a Shop, not a Stall"),
    ],
)
def test_a_template_that_does_not_fit_is_refused(
    write: Write, load: Load, lines: list[str], subject: str, says: str
) -> None:
    write("x-full", *lines, subject=subject)
    with pytest.raises(RuleError) as error:
        load()
    assert says in str(error.value)


def test_a_name_is_registered_once() -> None:
    with pytest.raises(ValueError, match="registered twice"):
        check("too-many", subject=Shop, params=Most, facts=())(lambda node, params: True)
