"""The use cases, one readable function each: the table of contents of the program.

Nothing is decided here; each function puts the stages in order. Stages are imported where they are used, so that
``auditor --help`` loads neither boto3 nor the rule engine.
"""

# ruff: noqa: PLC0415

from __future__ import annotations

import contextlib
import datetime
import uuid
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from . import __version__
from .config import Settings, closest
from .errors import EXIT_CLEAN, EXIT_FINDINGS, EXIT_INCOMPLETE, UsageError
from .record.place import RecordingPlace

if TYPE_CHECKING:
    from .aws.sessions import Account
    from .collect.progress import Progress
    from .derive.figures import Figures
    from .derive.zonal_model import ZonalModel
    from .evaluate.cases import CaseReport
    from .evaluate.catalogue import Catalogue
    from .evaluate.subjects import SubjectFact
    from .evaluate.trying import Trial, Tried
    from .model.verdict import Severity
    from .record.recording import Recorder

__all__ = [
    "Judged",
    "check",
    "missing_permissions",
    "new_rule",
    "permissions",
    "rule_cases",
    "rule_fields",
    "rule_pages",
    "rule_schema",
    "rules",
    "scan",
    "try_expression",
]


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """A judged recording: the report document, the findings behind it, and remarks for whoever reads stderr."""

    document: dict[str, Any]
    findings: Sequence[Any]
    notes: Sequence[str] = ()

    def exit_code(self, fail_on: Severity | None) -> int:
        """The verdict as an exit code.

        Findings that are hidden or muted do not count; what is shown makes no difference. Without findings at the gate an
        incomplete scan, or a rule that broke, still shows.
        """
        from .model.verdict import Status
        from .report.document import counts_for_gate

        if fail_on and any(counts_for_gate(f) and f.severity.rank >= fail_on.rank for f in self.findings):
            return EXIT_FINDINGS
        broken = any(f.status is Status.ERROR for f in self.findings)
        return EXIT_CLEAN if self.document["scan"]["complete"] and not broken else EXIT_INCOMPLETE


def scan(settings: Settings, place: RecordingPlace, *, progress: Callable[[Progress], None] | None = None) -> Judged:
    """Read an account into a recording, then judge that recording as `check` does.

    Args:
        settings: what to read and how to judge it.
        place: where the recording is, goes on, or is to be.
        progress: told how far the scan is.

    Raises:
        AuditorError: settings, rules, credentials or files that cannot be used. Rules are loaded first, so that a mistake
            in one costs no call.
        Interrupted: stopped by the user; the recording holds what came in.
    """
    catalogue = _catalogue(settings)
    _check_services(settings)
    with _account(settings, place) as account, _recorder(settings, place, account) as recorder:
        _collect(settings, account, recorder, progress)
    judged = _judge(settings, catalogue, place.finished)
    if not settings.demo:
        _remember(judged.document)
    return judged


def check(settings: Settings, recording: Path) -> Judged:
    """Judge a recording; asks nothing of AWS.

    Raises:
        AuditorError: settings, rules or a recording that cannot be used.
    """
    return _judge(settings, _catalogue(settings), recording)


def rules(folders: Sequence[Path] = ()) -> Catalogue:
    """The built-in rules and those of some folders."""
    from .evaluate.catalogue import load_catalogue

    return load_catalogue(folders)


def rule_cases(folders: Sequence[Path], patterns: Sequence[str]) -> list[CaseReport]:
    """Run the cases of the rules that `patterns` name (of all, when there are none), and test the cases by mutation."""
    from .evaluate.cases import Models, run_cases

    catalogue = rules(folders)
    models = Models(catalogue)
    return [run_cases(catalogue, rule.id, models=models) for rule in catalogue.select(patterns)]


def new_rule(rule_id: str, subject: str, folder: Path) -> dict[Path, str]:
    """The files of a new rule of one's own: its skeleton, and the schema that editors check it with.

    Raises:
        UsageError: an id or a subject that cannot be, or a rule of that id is in the folder already.
    """
    from .evaluate.rule_schema import schema_text
    from .evaluate.skeleton import SCHEMA_FILE, checked_id, skeleton

    name = f"{checked_id(rule_id)}.yaml"
    text = skeleton(rule_id, subject, str(folder))
    there = sorted(folder.rglob(name))
    if there:
        raise UsageError(f"{there[0]} is there already: choose another id, or remove that file")
    return {folder / name: text, folder / SCHEMA_FILE: schema_text()}


def rule_fields(subject: str | None = None) -> dict[str, tuple[SubjectFact, ...]]:
    """The facts that rules may read, by subject: those of all subjects, or of one.

    Raises:
        UsageError: there is no such subject.
    """
    from .derive.nodes import SUBJECTS
    from .evaluate.subjects import facts_of, subject_named

    wanted = [subject] if subject else sorted(SUBJECTS)
    return {name: facts_of(subject_named(name)) for name in wanted}


def try_expression(
    text: str,
    subject: str,
    *,
    recording: Path | None = None,
    scenario: str | None = None,
    folders: Sequence[Path] = (),
) -> tuple[Trial, list[Tried]]:
    """The value of an expression for every subject of a recording, of a scenario, or of the demo account.

    Args:
        text: the expression.
        subject: name of the subject whose facts it reads.
        recording: where the subjects are; without it and `scenario` in the demo account.
        scenario: name of a scenario.
        folders: folders of rules whose scenarios may be named too.

    Raises:
        AuditorError: a subject, expression, recording or scenario that cannot be used.
    """
    from .evaluate.trying import compile_trial, try_on

    trial = compile_trial(text, subject)
    model = _model(recording) if recording else _scenario_model(scenario, folders) if scenario else _demo_model()
    return trial, list(try_on(trial, model))


def rule_pages(folders: Sequence[Path] = ()) -> dict[str, str]:
    """The catalogue in Markdown: the pages by file name."""
    from .report.rule_pages import rule_pages

    return rule_pages(rules(folders))


def rule_schema() -> str:
    """The JSON Schema of rule files."""
    from .evaluate.rule_schema import schema_text

    return schema_text()


def permissions() -> dict[str, Any]:
    """The least IAM policy that lets a scan read everything it asks for."""
    from .aws.permissions import policy
    from .collect import declared_actions

    return policy(declared_actions())


def missing_permissions() -> tuple[dict[str, Any], str]:
    """The policy of what was denied to the last scan on this machine, and a remark on which scan that was.

    Raises:
        UsageError: no scan is remembered.
    """
    from .aws.permissions import policy
    from .record.last import recall

    last = recall()
    if last is None:
        raise UsageError("no scan is remembered on this machine: run `auditor scan` first")
    of = f"the scan of {', '.join(last.accounts) or 'no account'} that ended {last.finished}"
    return policy(
        last.denied, sign_in=False
    ), f"{of} was denied {len(last.denied) or 'no'} action{'' if len(last.denied) == 1 else 's'}"


# The steps of a scan


def _asked(settings: Settings, place: RecordingPlace) -> dict[str, list[str]]:
    """What to read, as the header of a recording has it; a scan that goes on asks what it asked before."""
    return {
        "regions": list(settings.regions or place.earlier.get("regions", ())),
        "services": sorted(settings.services or place.earlier.get("services", ())),
    }


def _check_services(settings: Settings) -> None:
    """Refuse a service that nothing is read from: it would pass for an empty account."""
    from .collect import declared

    known = {call.read.service for call in declared()}
    for service in settings.services:
        if service not in known:
            raise UsageError(f"nothing is read from a service named {service!r}{closest(service, known)}")


@contextlib.contextmanager
def _account(settings: Settings, place: RecordingPlace) -> Iterator[Account]:
    """Sign in: to the account of the settings, or to the built-in demo account."""
    from .aws.sessions import open_account

    regions = [region for region in _asked(settings, place)["regions"] if region != "all"]
    home = regions[0] if regions else None
    if not settings.demo:
        yield open_account(settings.profile, home, settings.role_arn, settings.external_id, settings.endpoint_url)
        return
    from .demo import demo_account

    with demo_account() as demo:
        yield open_account(region=home or demo.region, endpoint_url=demo.endpoint_url)


def _recorder(settings: Settings, place: RecordingPlace, account: Account) -> Recorder:
    """The recording to write to: a new one, or the rest of an old one of the same account and settings."""
    from .model.answer import Header, stamp
    from .record.recording import FORMAT, Recorder

    wanted = _asked(settings, place)
    wanted["regions"] = wanted["regions"] or [account.region]
    if place.resumes:
        recorder = Recorder.resume(place.path, account_id=account.account_id, settings=wanted)
        place.opened = True
        return recorder
    place.prepare()
    header = Header(
        v=FORMAT,
        tool_version=__version__,
        scan_id=str(uuid.uuid4()),
        started=stamp(datetime.datetime.now(datetime.UTC)),
        settings=wanted,
    )
    recorder = Recorder.create(place.path, header)
    place.opened = True
    recorder.append(account.identity)
    return recorder


def _collect(
    settings: Settings, account: Account, recorder: Recorder, progress: Callable[[Progress], None] | None
) -> None:
    """Make every declared call, write down what comes back, and close the recording."""
    from .collect.engine import collect
    from .model.answer import Footer, stamp
    from .record.recording import FORMAT
    from .record.resume import answered

    regions = recorder.header.settings["regions"]
    collect(
        account.transport,
        recorder,
        account.scopes(region for region in regions if region != "all"),
        home=account.region,
        all_regions="all" in regions,
        services=recorder.header.settings["services"] or None,
        pace="unpaced" if settings.demo else settings.pace,
        progress=progress,
        answered=answered(recorder.earlier.answers) if recorder.earlier else None,
        max_age=datetime.timedelta(seconds=settings.max_age_seconds),
    )
    finished = stamp(datetime.datetime.now(datetime.UTC))
    recorder.finish(Footer(v=FORMAT, finished=finished, calls=recorder.calls, errors=recorder.errors))


def _remember(document: dict[str, Any]) -> None:
    """Keep what was denied, for `missing_permissions`."""
    from .record.last import LastScan, remember

    scan = document["scan"]
    remember(
        LastScan(
            finished=scan["finished_at"],
            accounts=tuple(account["id"] for account in scan["accounts"]),
            denied=tuple(sorted({gap["action"] for gap in scan["gaps"] if gap["outcome"] == "denied"})),
        )
    )


def _catalogue(settings: Settings) -> Catalogue:
    """The rules in force: all that there are, tuned and chosen as the settings say."""
    return (
        rules(settings.rules)
        .tune(severities=settings.severity, params=settings.params)
        .select(settings.select, settings.ignore)
    )


def _model(path: Path, figures: Figures | None = None) -> ZonalModel:
    """Recording → inventory → zonal model; `figures` are those of the settings."""
    from .derive.build import derive
    from .record.decode import decode
    from .record.recording import read_recording

    recording = read_recording(path)
    return derive(decode(recording.answers, recording.header, recording.footer), figures)


def _scenario_model(name: str, folders: Sequence[Path]) -> ZonalModel:
    """Scenario → answers → inventory → zonal model."""
    from .derive.build import derive
    from .evaluate.catalogue import scenarios_of
    from .evaluate.scenario import answers
    from .record.decode import decode

    return derive(decode(*answers(scenarios_of(folders).scenario(name))))


def _demo_model() -> ZonalModel:
    """The zonal model of the built-in demo account; its recording is not kept."""
    settings, place = Settings(demo=True), RecordingPlace()
    try:
        with _account(settings, place) as account, _recorder(settings, place, account) as recorder:
            _collect(settings, account, recorder, None)
        return _model(place.finished)
    finally:
        place.discard()


def _judge(settings: Settings, catalogue: Catalogue, path: Path) -> Judged:
    """Recording → inventory → zonal model → findings → report document."""
    from .evaluate.given_figures import figures_of
    from .evaluate.mutes import mute_entries
    from .evaluate.run import JudgeOptions, judge
    from .report.document import DocumentOptions, build

    mutes = [mute_entries(entries, place, catalogue.known) for place, entries in settings.mutes.items()]
    options = JudgeOptions(
        all_verdicts=settings.all_verdicts,
        intent=settings.intent,
        mutes=tuple(entry for entries in mutes for entry in entries),
        today=datetime.datetime.now(datetime.UTC).date(),
    )
    model = _model(path, figures_of(settings.capacity, settings.drill))
    judgement = judge(model, catalogue, options)
    document = build(
        model,
        judgement.findings,
        judgement.counts,
        DocumentOptions(
            all_verdicts=settings.all_verdicts,
            min_severity=settings.min_severity,
            account_names=settings.account_names,
        ),
    )
    notes = [
        *judgement.notes,
        *(f"{mute} ended on {mute.until} and mutes nothing" for mute in judgement.expired_mutes),
        *(f"{mute} fits no finding" for mute in judgement.unused_mutes),
    ]
    return Judged(document=document, findings=judgement.findings, notes=notes)
