"""Trying an expression on an estate: its value for every subject, or why it is unknown."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterator
from typing import Any

import msgspec

from ..derive.node import Facts, Node
from ..derive.zonal_model import RegionModel, ZonalModel
from ..model.finding import Cause
from ..model.identity import Zone
from ..model.known import Unknown, merge
from .expression import MAX_LEAVES, Expression, compile_expression
from .subjects import subject_named, type_words
from .syntax import leaves, parse
from .types import fields_of
from .values import Bounds, Partial, entries
from .writing import zone_key

__all__ = ["Trial", "Tried", "compile_trial", "try_on"]


class Tried(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome for one subject, or for a listing of subjects with gaps (then `name` is that of the region).

    Attributes:
        account_id: account of the subject.
        region: region of the subject.
        name: name of its resource.
        arn: ARN of its resource, or "".
        zone: zone ID, for a subject with a zone.
        value: the value in plain types; None for null, and when it is unknown.
        unknown: why the value, or a part of it, is not known.
        missing: the IAM actions whose answers are missing for it.
    """

    account_id: str
    region: str
    name: str
    arn: str
    zone: str
    value: Any
    unknown: tuple[str, ...]
    missing: tuple[str, ...]


class Trial(msgspec.Struct, frozen=True, kw_only=True):
    """An expression compiled for a subject.

    Attributes:
        type: what it gives, in words.
        remark: what a rule would say to it as a condition; "" when it would take it.
    """

    expression: Expression
    subject: type[Node]
    type: str
    remark: str


def compile_trial(text: str, subject: str) -> Trial:
    """Check an expression against the facts of a subject.

    Raises:
        UsageError: there is no such subject.
        RuleError: the expression cannot be used; one sentence, as for a rule.
    """
    kind = subject_named(subject)
    expression = compile_expression(text, {}, kind)
    count = leaves(parse(text))
    remark = f"a rule takes at most {MAX_LEAVES} judgements in one expression, and this has {count}"
    return Trial(
        expression=expression,
        subject=kind,
        type=type_words(expression.type),
        remark=remark if count > MAX_LEAVES else "",
    )


def try_on(trial: Trial, model: ZonalModel) -> Iterator[Tried]:
    """The value for every subject of the model, ordered by account, region, name and zone."""
    for region in model:
        listing = region.of(trial.subject.__name__)
        gaps = tuple(g for g in listing.gaps if g.outcome is None or not g.outcome.leaves_complete)
        if gaps:
            yield _unlisted(region, Unknown(gaps))
        found = [_tried(trial.expression, node) for node in listing]
        yield from sorted(found, key=lambda t: (t.account_id, t.region, t.name, t.zone, t.arn))


def _unlisted(region: RegionModel, gap: Unknown) -> Tried:
    scope = region.inventory.scope
    says = tuple(f"perhaps not all are listed: {reason.says}" for reason in gap.reasons)
    return Tried(
        account_id=scope.account_id,
        region=scope.region,
        name=scope.region,
        arn="",
        zone="",
        value=None,
        unknown=says,
        missing=gap.actions,
    )


def _tried(expression: Expression, node: Node) -> Tried:
    value = expression.run(node)
    doubts = list(_doubts(value))
    why = merge(doubts)
    return Tried(
        account_id=node.resource.account_id,
        region=node.resource.region,
        name=node.resource.name,
        arn=node.resource.arn,
        zone=zone_key(node),
        value=_plain(value),
        unknown=tuple(reason.says for reason in why.reasons),
        missing=why.actions,
    )


def _doubts(value: Any) -> Iterator[Unknown]:
    """Everything that is not known about a value: its own doubts, and those of the facts below it."""
    if isinstance(value, Unknown):
        yield value
    elif isinstance(value, Bounds):
        yield value.why
    elif isinstance(value, tuple | Partial):
        for item, sure in entries(value):
            if isinstance(sure, Unknown):
                yield sure
            yield from _doubts(item)
        if isinstance(value, Partial) and value.more is not None:
            yield value.more
    elif isinstance(value, Facts):
        for name in fields_of(type(value)):
            yield from _doubts(getattr(value, name))


def _plain(value: Any) -> Any:
    """A value as JSON has it. What is unknown is null at the top, and ``unknown`` inside a list or a group of facts."""
    if isinstance(value, Unknown):
        return None
    if isinstance(value, Bounds):
        return {"least": value.lo, "most": None if math.isinf(value.hi) else value.hi}
    if isinstance(value, tuple | Partial):
        return [_inner(item) if sure is True else {"perhaps": _inner(item)} for item, sure in entries(value)]
    if isinstance(value, Zone):
        return str(value)
    if isinstance(value, Cause):
        return f"{value.arn} in {value.zone}" if value.zone else value.arn
    if isinstance(value, Facts):
        return {name: _inner(getattr(value, name)) for name in fields_of(type(value))}
    if isinstance(value, datetime.datetime):
        return value.isoformat(timespec="seconds").replace("+00:00", "Z")
    return msgspec.to_builtins(value)


def _inner(value: Any) -> Any:
    return "unknown" if isinstance(value, Unknown) else _plain(value)
