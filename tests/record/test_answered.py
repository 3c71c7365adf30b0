"""What a resumed scan need not ask again, and what is left out of a recording."""

from __future__ import annotations

from typing import Any

import pytest

from auditor.model.answer import Answer, CallError, Header
from auditor.model.elbv2 import LOAD_BALANCERS
from auditor.model.known import Outcome
from auditor.record.decode import decode
from auditor.record.drops import without
from auditor.record.resume import answered, call_key

HEADER = Header(v=1, tool_version="0", scan_id="s", started="2026-01-01T00:00:00.000Z", settings={})
SCOPE = ("123456789012", "us-east-1")


def page(
    number: int, *names: str, following: str | None = None, outcome: Outcome | None = None, pass_: int = 1
) -> Answer:
    error = CallError(code="X", message="", outcome=outcome) if outcome else None
    items = [{"LoadBalancerArn": name} for name in names]
    return Answer(
        v=1,
        account=SCOPE[0],
        region=SCOPE[1],
        service="elbv2",
        operation="DescribeLoadBalancers",
        params={},
        page=number,
        at=f"2026-01-01T00:00:0{number}.000Z",
        ms=1,
        pass_=pass_,
        next=following,
        response=None if error else {"LoadBalancers": items},
        error=error,
    )


def known(*answers: Answer) -> list[int]:
    pages = answered(answers).get(call_key(SCOPE, "elbv2", "DescribeLoadBalancers", {}), ())
    return [p.page for p in pages]


def test_the_order_of_parameters_does_not_matter() -> None:
    assert call_key(SCOPE, "a", "b", {"x": 1, "y": [2]}) == call_key(SCOPE, "a", "b", {"y": [2], "x": 1})
    assert call_key(SCOPE, "a", "b", {"y": [2]}) != call_key(SCOPE, "a", "b", {"y": [2]}, pass_=2)


def test_pages_count_up_to_the_first_that_is_missing_or_was_refused() -> None:
    one, two, three = page(1, "a", following="2"), page(2, "b", following="3"), page(3, "c")
    assert known(one, two, three) == [1, 2, 3]
    assert known(one, three) == [1]
    assert known(two, three) == []
    assert known(one, page(2, outcome=Outcome.THROTTLED)) == [1]
    assert known(one, page(2, outcome=Outcome.THROTTLED), two) == [1, 2]


@pytest.mark.parametrize("outcome", Outcome)
def test_only_a_parent_that_has_gone_is_not_asked_again(outcome: Outcome) -> None:
    assert known(page(1, outcome=outcome)) == ([1] if outcome is Outcome.GONE else [])


def test_a_listing_that_was_read_again_and_got_shorter_ends_where_it_ends_now() -> None:
    answers = [page(1, "a", following="2"), page(2, "b", following="3"), page(3, outcome=Outcome.FAILED), page(1, "a")]
    assert known(*answers) == [1]
    (region,) = decode(answers, HEADER, None).regions
    listing = region.listing(LOAD_BALANCERS)
    assert listing.complete
    assert [b.LoadBalancerArn for b in listing] == ["a"]


@pytest.mark.parametrize(
    ("drops", "left"),
    [
        ((), {"A": [{"B": {"C": 1, "D": 2}}, {"B": {"C": 3}}], "E": 4}),
        (("A.B.C",), {"A": [{"B": {"D": 2}}, {"B": {}}], "E": 4}),
        (("A.B.C", "E"), {"A": [{"B": {"D": 2}}, {"B": {}}]}),
        (("A",), {"E": 4}),
        (("A.X.Y", "Z", "E.F"), {"A": [{"B": {"C": 1, "D": 2}}, {"B": {"C": 3}}], "E": 4}),
    ],
)
def test_dropped_fields_are_left_out_wherever_they_stand(drops: tuple[str, ...], left: Any) -> None:
    assert without({"A": [{"B": {"C": 1, "D": 2}}, {"B": {"C": 3}}], "E": 4}, drops) == left
