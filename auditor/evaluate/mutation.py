"""Mutants of a rule: its conditions with one comparison, combination, number or judgement changed. Some case must notice."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator

from .rule import Rule, compile_conditions
from .syntax import Tree, printed

__all__ = ["Mutant", "mutants_of"]

# Each comparison becomes its opposite, and a bound is moved by one step.
_FLIPS = {
    "eq": ("ne",),
    "ne": ("eq",),
    "lt": ("lte", "gte"),
    "lte": ("lt", "gt"),
    "gt": ("gte", "lte"),
    "gte": ("gt", "lt"),
}
_SWAPS = {"and_expression": "or_expression", "or_expression": "and_expression"}


@dataclasses.dataclass(frozen=True, slots=True)
class Mutant:
    """A changed rule; `name` says where and what: ``violated_when: a < b => a <= b``."""

    name: str
    rule: Rule


def mutants_of(rule: Rule) -> Iterator[Mutant]:
    """Every mutant of the rule.

    Names are unique within the rule: where the same change is possible twice, the second one ends in ``(2)``.
    """
    seen: Counter[str] = Counter()
    for place, tree in rule.parsed.items():
        for change, mutated in _mutated(tree, truth=True):
            parsed = {**rule.parsed, place: mutated}
            conditions = compile_conditions(rule.file, rule.subject, parsed, None)
            name = f"{place}: {change}"
            seen[name] += 1
            if seen[name] > 1:
                name = f"{name} ({seen[name]})"
            yield Mutant(name, dataclasses.replace(rule, parsed=parsed, conditions=conditions))


def _mutated(tree: Tree, *, truth: bool, denied: bool = False) -> Iterator[tuple[str, Tree]]:
    """Each single change to a tree: what it does, and the whole tree with it.

    Args:
        tree: the tree.
        truth: whether it stands where a truth is wanted.
        denied: whether it stands right below a not, where negating it is the same as removing that.
    """
    for changed in _here(tree, truth=truth, denied=denied):
        yield f"{printed(tree)} => {printed(changed)}", changed
    combining = tree["type"] in _SWAPS or tree["type"] == "not_expression"
    for position, child in enumerate(tree["children"]):
        inner = combining or (tree["type"] == "filter_projection" and position == 2)
        for change, mutated in _mutated(child, truth=inner, denied=tree["type"] == "not_expression"):
            children = list(tree["children"])
            children[position] = mutated
            yield change, {**tree, "children": children}


def _here(tree: Tree, *, truth: bool, denied: bool) -> Iterator[Tree]:
    kind = tree["type"]
    if kind == "comparator":
        for flipped in _FLIPS[tree["value"]]:
            yield {**tree, "value": flipped}
    elif kind in _SWAPS:
        yield {**tree, "type": _SWAPS[kind]}
    elif kind == "not_expression":
        yield tree["children"][0]
    elif truth and not denied:
        yield {"type": "not_expression", "children": [tree]}
    if kind in ("comparator", "function_expression"):
        yield from _numbers_moved(tree)


def _numbers_moved(tree: Tree) -> Iterator[Tree]:
    for position, child in enumerate(tree["children"]):
        for value in _moved(child["value"]) if child["type"] == "literal" else ():
            children = list(tree["children"])
            children[position] = {**child, "value": value}
            yield {**tree, "children": children}


def _moved(value: object) -> Iterator[object]:
    if isinstance(value, list):
        for position, member in enumerate(value):
            yield from ([*value[:position], moved, *value[position + 1 :]] for moved in _moved(member))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield value - 1
        yield value + 1
