"""Judging a model: every rule on every subject, then hiding and mutes. Pure: no clock, no disk, no network."""

from __future__ import annotations

import dataclasses
import datetime
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from ..derive.node import Node
from ..derive.zonal_model import RegionModel, ZonalModel
from ..model.finding import Finding
from ..model.known import Unknown
from ..model.verdict import Status, Truth
from .catalogue import Catalogue
from .hiding import hide
from .intent import Intent, IntentEntry, Intents
from .mutes import MuteEntry, Muting
from .rule import Rule
from .writing import Writer

__all__ = ["JudgeOptions", "Judgement", "judge"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class JudgeOptions:
    """How to judge.

    Attributes:
        all_verdicts: whether `pass` and `not_applicable` verdicts are written as findings too; they are counted anyway.
        intent: what the settings declare to be on purpose (`intent.intent_entries`).
        mutes: mutes (`mutes.mute_entries`).
        today: the day on which mutes are judged; needed when there are mutes.
    """

    all_verdicts: bool = False
    intent: tuple[IntentEntry, ...] = ()
    mutes: tuple[MuteEntry, ...] = ()
    today: datetime.date | None = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class Judgement:
    """What the rules say.

    Attributes:
        findings: every `fail`, `unknown` and `error`, and with `all_verdicts` the others; ordered by rule and subject.
        counts: how many verdicts of each status.
        by_rule: the same for each rule.
        excused: how many verdicts each rule owes to a declared intent, by reason.
        expired_mutes: mutes whose last day is over; they mute nothing.
        unused_mutes: mutes that fitted no finding.
        notes: sentences about settings or tags that mean nothing.
    """

    findings: tuple[Finding, ...]
    counts: Mapping[Status, int]
    by_rule: Mapping[str, Mapping[Status, int]]
    excused: Mapping[str, Mapping[str, int]]
    expired_mutes: tuple[MuteEntry, ...] = ()
    unused_mutes: tuple[MuteEntry, ...] = ()
    notes: tuple[str, ...] = ()


def judge(model: ZonalModel, catalogue: Catalogue, options: JudgeOptions | None = None) -> Judgement:
    """Judge every subject of the model by every rule of the catalogue.

    A rule that breaks on a subject gives the verdict `error` for it, and nothing else is disturbed. A listing of subjects that
    could not be read to its end gives each of its rules one `unknown` verdict about the region.

    Raises:
        ValueError: when there are mutes and `options.today` is None.
    """
    options = options or JudgeOptions()
    if options.mutes and options.today is None:
        raise ValueError("mutes need today's date")
    run = _Run(catalogue, options)
    for region in model:
        run.region(region)
    return run.judgement()


class _Run:
    """One judgement while it is made."""

    def __init__(self, catalogue: Catalogue, options: JudgeOptions) -> None:
        self._catalogue = catalogue
        self._options = options
        self._found: list[tuple[Finding, Node | None]] = []
        self._by_rule: dict[str, Counter[Status]] = {rule.id: Counter() for rule in catalogue}
        self._excused: dict[str, Counter[str]] = {}
        self._notes: dict[str, None] = {}

    def region(self, region: RegionModel) -> None:
        intents: dict[str, Intents] = {}
        for rule in self._catalogue:
            name = rule.subject.__name__
            if rule.file.intent and name not in intents:
                intents[name] = Intents(self._options.intent, region.of(name))
                self._notes.update(dict.fromkeys(intents[name].notes))
            self._judge_all(rule, region, intents.get(name))

    def _judge_all(self, rule: Rule, region: RegionModel, intents: Intents | None) -> None:
        listing = region.of(rule.subject.__name__)
        writer = Writer(rule, region)
        counts = self._by_rule[rule.id]
        gaps = tuple(g for g in listing.gaps if g.outcome is None or not g.outcome.leaves_complete)
        if gaps:
            counts[Status.UNKNOWN] += 1
            self._found.append((writer.region_unknown(Unknown(gaps)), None))
        applies = rule.conditions.applies.run if rule.conditions.applies else _always
        violated = rule.conditions.violated.run
        declared = intents if rule.file.intent and intents else None
        quick = declared is None and not self._options.all_verdicts
        passing = excluded = 0
        for node in listing.items:
            try:
                applied = applies(node)
                truth = violated(node) if applied is True else applied
                if quick and truth is False:
                    passing += applied
                    excluded += not applied
                    continue
                excuse = declared.excuse(node, rule.file.intent) if declared and applied is not False else None
                status = _status(applied, truth, excuse)
                self._write(writer, node, status, truth, excuse)
                counts[status] += 1
            except Exception as error:  # a broken rule must not end the run
                counts[Status.ERROR] += 1
                self._found.append((writer.broken(node, error), node))
        counts[Status.PASS] += passing
        counts[Status.NOT_APPLICABLE] += excluded

    def _write(self, writer: Writer, node: Node, status: Status, truth: Any, excuse: Intent | None) -> None:
        if excuse:
            self._excused.setdefault(writer.rule.id, Counter())[excuse.reason] += 1
        if status in (Status.PASS, Status.NOT_APPLICABLE) and not self._options.all_verdicts:
            return
        self._found.append((writer.finding(node, status, truth, excuse), node))

    def judgement(self) -> Judgement:
        hidden = hide([finding for finding, _ in self._found], self._catalogue.hiding)
        muting = Muting(self._options.mutes, self._options.today) if self._options.today else None
        findings = [_muted(finding, node, muting) for finding, (_, node) in zip(hidden, self._found, strict=True)]
        totals: Counter[Status] = Counter()
        for counts in self._by_rule.values():
            totals.update(counts)
        return Judgement(
            findings=tuple(sorted(findings, key=_order)),
            counts={status: totals[status] for status in Status},
            by_rule={rule: {s: n for s, n in counts.items() if n} for rule, counts in self._by_rule.items()},
            excused=self._excused,
            expired_mutes=() if muting is None else muting.expired,
            unused_mutes=() if muting is None else muting.unused,
            notes=tuple(self._notes),
        )


def _always(_: Node) -> bool:
    return True


def _status(applied: Truth, truth: Truth, excuse: Intent | None) -> Status:
    if excuse or applied is False:
        return Status.NOT_APPLICABLE
    if isinstance(truth, Unknown):
        return Status.UNKNOWN
    return Status.FAIL if truth else Status.PASS


def _muted(finding: Finding, node: Node | None, muting: Muting | None) -> Finding:
    if not muting or node is None or finding.status is not Status.FAIL:
        return finding
    mute = muting.mute(finding.rule_id, node)
    return msgspec.structs.replace(finding, muted=mute) if mute else finding


def _order(finding: Finding) -> tuple[Any, ...]:
    resource = finding.resource
    zones: Sequence[str] = [zone.key for zone in finding.zones]
    return (finding.rule_id, resource.account_id, resource.region, resource.name, resource.arn, zones, finding.id)
