"""Running the cases of a rule, and its mutants against them.

A case names a scenario and a change to it; its recording goes the same way as that of a scan: decoded, derived, judged.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from ..derive.build import derive
from ..derive.zonal_model import ZonalModel
from ..errors import AuditorError
from ..model.finding import Finding
from ..model.verdict import Status
from ..record.decode import decode
from .case import Case, Given
from .catalogue import Catalogue
from .given_figures import figures_of
from .intent import IntentEntry, intent_entries
from .mutation import mutants_of
from .rule import Rule
from .rule_file import Equivalent
from .run import JudgeOptions, judge
from .scenario import answers, changed
from .syntax import comparisons
from .types import joined

__all__ = ["CaseReport", "CaseResult", "Models", "run_cases"]


@dataclasses.dataclass(frozen=True, slots=True)
class CaseResult:
    """One case: its name, and a sentence for each expectation that was not met."""

    name: str
    failures: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether everything came as expected."""
        return not self.failures


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class CaseReport:
    """How the cases of one rule went.

    Attributes:
        rule_id: the rule.
        path: its file.
        results: the cases, in the order of the file.
        mutants: how many mutants there are; 0 when they were not tried.
        killed: how many of them a case noticed.
        survivors: names of those that none noticed and the rule does not list as equivalent.
        equivalent: those that none noticed and the rule lists as equivalent, each with its reason.
        comparisons: how many comparisons the conditions hold; a rule without any rests on a derived fact alone.
        stale: names the rule lists as equivalent that are no mutant, or one that a case notices.
        undenied: IAM actions the verdict rests on that no case denies.
    """

    rule_id: str
    path: Path
    results: tuple[CaseResult, ...]
    mutants: int = 0
    killed: int = 0
    survivors: tuple[str, ...] = ()
    equivalent: tuple[Equivalent, ...] = ()
    comparisons: int = 0
    stale: tuple[str, ...] = ()
    undenied: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether every case passed and every mutant was noticed or is listed as equivalent."""
        return bool(self.results) and all(r.passed for r in self.results) and not self.survivors and not self.stale

    @property
    def problems(self) -> tuple[str, ...]:
        """Everything that is wrong, one sentence each."""
        found = [f"case {r.name!r}: {failure}" for r in self.results for failure in r.failures]
        if not self.results:
            found.append("the rule has no cases")
        found += [f"no case notices the mutant  {name}" for name in self.survivors]
        found += [
            f"listed as equivalent, but a case notices it or there is no such mutant:  {name}" for name in self.stale
        ]
        return tuple(found)


class Models:
    """Zonal models of scenarios, each made once."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._made: dict[bytes, ZonalModel] = {}

    def of(self, given: Given) -> ZonalModel:
        """The model a case starts from.

        Raises:
            RuleError: the scenario does not exist, or a key in it or in the change means nothing.
        """
        start = (given.scenario, given.change, sorted(given.deny), given.capacity, given.drill)
        key = msgspec.json.encode(start, order="deterministic")
        if key not in self._made:
            scenario = changed(self._catalogue.scenario(given.scenario), given.change)
            figures = figures_of(given.capacity, given.drill)
            self._made[key] = derive(decode(*answers(scenario, given.deny)), figures)
        return self._made[key]


def run_cases(catalogue: Catalogue, rule_id: str, *, mutate: bool = True, models: Models | None = None) -> CaseReport:
    """Run the cases of a rule, and when all pass, its mutants.

    Args:
        catalogue: where the rule, its cases, scenarios and the rules that hide it are found.
        rule_id: the rule.
        mutate: whether mutants are tried.
        models: share one among rules, so that a scenario is derived once.

    Raises:
        UsageError: there is no such rule.
        RuleError: cases of another form.
    """
    rule = catalogue[rule_id]
    models = models or Models(catalogue)
    cases = catalogue.cases(rule.id)
    results = tuple(CaseResult(case.name, tuple(_failures(rule, case, catalogue, models))) for case in cases)
    mutants: dict[str, bool] = {}
    if mutate and results and all(result.passed for result in results):
        for mutant in mutants_of(rule):
            mutants[mutant.name] = any(_notices(mutant.rule, case, catalogue, models) for case in cases)
    listed = {entry.mutant for entry in rule.file.equivalent} if mutants else set()
    survivors = [name for name, killed in mutants.items() if not killed]
    denied = {action for case in cases for action in case.given.deny}
    return CaseReport(
        rule_id=rule.id,
        path=rule.path,
        results=results,
        mutants=len(mutants),
        killed=sum(mutants.values()),
        survivors=tuple(name for name in survivors if name not in listed),
        equivalent=tuple(entry for entry in rule.file.equivalent if entry.mutant in survivors),
        comparisons=sum(comparisons(tree) for tree in rule.parsed.values()),
        stale=tuple(sorted(listed - set(survivors))),
        undenied=tuple(action for action in rule.needs if action not in denied),
    )


def _notices(rule: Rule, case: Case, catalogue: Catalogue, models: Models) -> bool:
    return next(iter(_failures(rule, case, catalogue, models)), None) is not None


def _failures(rule: Rule, case: Case, catalogue: Catalogue, models: Models) -> Iterator[str]:
    try:
        model = models.of(case.given)
        intent = intent_entries(case.given.intent, "given.intent")
    except AuditorError as error:
        yield str(error)
        return
    expect = case.expect
    findings = _verdicts(rule, model, catalogue, intent, expect.hidden_by)
    own = [f for f in findings if f.rule_id == rule.id]
    yield from (f.message for f in own if f.status is Status.ERROR)
    expected = (
        (Status.FAIL, expect.fail),
        (Status.PASS, expect.pass_),
        (Status.UNKNOWN, expect.unknown),
        (Status.NOT_APPLICABLE, expect.not_applicable),
    )
    for status, names in expected:
        for name in names:
            yield from _differs(name, status, own)
    yield from _other_zones(expect.fail, own)
    for name in expect.absent:
        yield from (f"{name}: expected no verdict, got {f.status}: {f.message}" for f in own if _is(f, name))
    yield from _details(case, own, findings)


def _verdicts(
    rule: Rule, model: ZonalModel, catalogue: Catalogue, intent: Sequence[IntentEntry], hidden_by: str | None
) -> tuple[Finding, ...]:
    rules = {rule.id: rule}
    if hidden_by and hidden_by in catalogue:
        rules[hidden_by] = catalogue[hidden_by]
    chosen = dataclasses.replace(catalogue, rules=rules)
    return judge(model, chosen, JudgeOptions(all_verdicts=True, intent=tuple(intent))).findings


def _is(finding: Finding, name: str) -> bool:
    resource, _, zone = name.partition("@")
    return finding.resource.name == resource and (not zone or any(zone in (z.key, z.name) for z in finding.zones))


def _differs(name: str, status: Status, own: Sequence[Finding]) -> Iterator[str]:
    found = [f for f in own if _is(f, name)]
    if not found:
        there = sorted({f.resource.name for f in own})
        yield f"{name}: expected {status}, got no verdict; there are verdicts on {joined(there)}"
    for finding in found:
        if finding.status is not status:
            where = f" in {joined([z.key for z in finding.zones])}" if finding.zones and "@" not in name else ""
            yield f"{name}: expected {status}, got {finding.status}{where}: {finding.message}"


def _other_zones(names: Sequence[str], own: Sequence[Finding]) -> Iterator[str]:
    """A resource named with zones must fail in exactly those."""
    for resource in dict.fromkeys(name.partition("@")[0] for name in names if "@" in name):
        meant = [name for name in names if name.partition("@")[0] == resource]
        for finding in own:
            if finding.resource.name != resource or finding.status is not Status.FAIL or resource in meant:
                continue
            wanted = {name.partition("@")[2] for name in meant}
            more = [z.key for z in finding.zones if not {z.key, z.name} & wanted]
            if more:
                yield f"{resource}: fails in {joined(more)} too, which is not expected: {finding.message}"


def _details(case: Case, own: Sequence[Finding], findings: Sequence[Finding]) -> Iterator[str]:
    expect = case.expect
    failing = [f for f in own if any(_is(f, name) for name in expect.fail)]
    unknown = [f for f in own if any(_is(f, name) for name in expect.unknown)]
    excused = [f for f in own if any(_is(f, name) for name in expect.not_applicable)]
    texts = (expect.message_has,) if isinstance(expect.message_has, str) else expect.message_has
    for text in texts:
        messages = [f.message for f in (*failing, *unknown, *excused)]
        if not any(text in message for message in messages):
            yield f"no message has {text!r}; there is {joined([repr(m) for m in messages])}"
    if expect.severity:
        for finding in failing:
            if finding.severity is not expect.severity:
                yield f"{finding.resource.name}: expected severity {expect.severity}, got {finding.severity}"
    for action in expect.missing:
        for finding in unknown:
            if action not in finding.missing_actions:
                named = joined(list(finding.missing_actions))
                yield f"{finding.resource.name}: {action} should be named as missing; named: {named}"
    if expect.hidden_by:
        yield from _hidden(expect.hidden_by, failing, findings)


def _hidden(rule_id: str, failing: Sequence[Finding], findings: Sequence[Finding]) -> Iterator[str]:
    by_id = {f.id: f.rule_id for f in findings}
    for finding in failing:
        hider = by_id.get(finding.hidden_by or "", "")
        if hider != rule_id:
            instead = f"is hidden by {hider}" if hider else "is in sight"
            yield f"{finding.resource.name}: expected to be hidden by {rule_id}, {instead}"
