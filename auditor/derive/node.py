"""Facts: the fields of the zonal model that rules may read, each with a description and what it rests on.

A field in PascalCase is what AWS said; a field in snake_case is derived. Every field is annotated with a `Fact`, which
names the evidence behind it; the rule engine checks paths, lists fields and collects evidence from these annotations.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import msgspec

from ..model.identity import Resource
from ..model.known import Known


@dataclasses.dataclass(frozen=True, slots=True)
class Fact:
    """Annotation of a field: what it says, and the names of the evidence it rests on (see `auditor.derive.evidence`).

    `cites` are the sources of reads, such as ``elbv2:DescribeTargetHealth``; from them follow the IAM actions a rule needs.
    """

    says: str
    cites: tuple[str, ...] = ()

    def __init__(self, says: str, *cites: str) -> None:
        object.__setattr__(self, "says", says)
        object.__setattr__(self, "cites", cites)


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """Base of every struct of the model whose fields a rule may read."""


class Node(Facts, frozen=True, kw_only=True):
    """Base of every subject a rule can judge.

    `resource` is what a finding on it is about; `tags` those of the resource; `links` the keys under which `evidence`
    finds the API answers (read source → parent key, or several).
    """

    resource: Resource
    tags: Known[Mapping[str, str]]
    links: Mapping[str, str | tuple[str, ...]] = msgspec.field(default_factory=dict)
