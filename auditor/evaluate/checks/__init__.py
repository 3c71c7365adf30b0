"""Python templates for rules whose mechanism expressions cannot say. A module here registers its templates when imported.

Most rules need none: a missing derived fact is the usual cure. A template is for a mechanism that several rules share with
other params. It is a pure function of the subject and its params.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, TypeVar

import msgspec

from ...derive.node import Node
from ...errors import RuleError
from ...model.verdict import Truth
from ..expression import Expression, compile_expression
from ..trail import Trail
from ..types import BOOL, closest, joined

__all__ = ["Check", "check", "find_check", "registered"]

N = TypeVar("N", bound=Node)
P = TypeVar("P", bound=msgspec.Struct)


@dataclasses.dataclass(frozen=True, slots=True)
class Check:
    """A template: what it judges, the form of its params, the facts it reads, and the judgement itself."""

    subject: type[Node]
    params: type[msgspec.Struct]
    facts: tuple[str, ...]
    judge: Callable[[Any, Any], Truth]


_CHECKS: dict[str, Check] = {}


def check(
    name: str, *, subject: type[N], params: type[P], facts: tuple[str, ...]
) -> Callable[[Callable[[N, P], Truth]], Callable[[N, P], Truth]]:
    """Register a function as the template `name`.

    Args:
        name: what rule files call it.
        subject: the kind of node it judges.
        params: a msgspec struct; the `params` of a rule are converted to it, strictly.
        facts: the facts it reads, by dotted name; they give the needed IAM actions and the evidence.
    """

    def register(judge: Callable[[N, P], Truth]) -> Callable[[N, P], Truth]:
        if name in _CHECKS:
            raise ValueError(f"the check {name} is registered twice")
        _CHECKS[name] = Check(subject, params, facts, judge)
        return judge

    return register


@cache
def _load() -> None:
    for module in iter_modules(__path__, f"{__name__}."):
        import_module(module.name)


def registered() -> Mapping[str, Check]:
    """All templates by name."""
    _load()
    return _CHECKS


def find_check(name: str, subject: type[Node], params: Mapping[str, Any], trail: Trail | None) -> Expression:
    """The template `name`, bound to the params of a rule, as a condition.

    Raises:
        RuleError: unknown name, other subject, or params of another form.
    """
    checks = registered()
    if name not in checks:
        near = closest(name, list(checks))
        raise RuleError(
            f"there is no check {name!r};{f' {near}' if near else ''} the checks are {joined(sorted(checks))}"
        )
    found = checks[name]
    if not issubclass(subject, found.subject):
        raise RuleError(f"{name} judges a {found.subject.__name__}, not a {subject.__name__}")
    try:
        bound = msgspec.convert(dict(params), found.params)
    except msgspec.ValidationError as error:
        raise RuleError(f"{name}: params: {error}") from None
    reads = [compile_expression(fact, {}, subject, trail) for fact in found.facts]
    judge = found.judge

    def run(node: Any) -> Truth:
        if trail:
            for read in reads:
                read.run(node)
        return judge(node, bound)

    return Expression(run, BOOL.but(vague=True), {k: v for read in reads for k, v in read.facts.items()})
