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
from .config import Settings
from .errors import EXIT_CLEAN, EXIT_FINDINGS, EXIT_INCOMPLETE, UsageError
from .record.place import RecordingPlace

if TYPE_CHECKING:
    from .aws.sessions import Account
    from .collect.progress import Progress
    from .derive.figures import Figures
    from .derive.zonal_model import ZonalModel
    from .evaluate.catalogue import Catalogue
    from .model.verdict import Severity
    from .record.recording import Recorder

__all__ = [
    "Judged",
    "check",
    "demo_model",
    "missing_permissions",
    "permissions",
    "rules",
    "scan",
    "zonal_model",
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


def scan(
    settings: Settings,
    place: RecordingPlace,
    *,
    progress: Callable[[Progress], None] | None = None,
    say: Callable[[str], None] | None = None,
) -> Judged:
    """Read an account into a recording, then judge that recording as `check` does.

    Args:
        settings: what to read and how to judge it.
        place: where the recording is, goes on, or is to be.
        progress: told how far the scan is.
        say: told what is billed, before it is read.

    Raises:
        AuditorError: settings, rules, credentials or files that cannot be used. Rules are loaded first, so that a mistake
            in one costs no call.
        Interrupted: stopped by the user; the recording holds what came in.
    """
    catalogue = _catalogue(settings)
    with _account(settings, place) as account, _recorder(settings, place, account) as recorder:
        _collect(settings, account, recorder, progress=progress, say=say)
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


def permissions(services: Sequence[str] = (), *, metrics: bool = False) -> dict[str, Any]:
    """The least IAM policy that lets a scan read all that it asks for with these words of ``--services``, and with metrics."""
    from .aws.permissions import policy
    from .collect import declared_actions
    from .model.metrics import METRICS
    from .model.services import chosen

    return policy(declared_actions([*chosen(services), *([METRICS.name] if metrics else [])]))


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


def zonal_model(path: Path, figures: Figures | None = None) -> ZonalModel:
    """Recording → inventory → zonal model; `figures` are those of the settings."""
    from .derive.build import derive
    from .record.decode import decode
    from .record.recording import read_recording

    recording = read_recording(path)
    return derive(decode(recording.answers, recording.header, recording.footer), figures)


def demo_model() -> ZonalModel:
    """The zonal model of the built-in demo account; its recording is not kept."""
    settings, place = Settings(demo=True), RecordingPlace()
    try:
        with _account(settings, place) as account, _recorder(settings, place, account) as recorder:
            _collect(settings, account, recorder)
        return zonal_model(place.finished)
    finally:
        place.discard()


# The steps of a scan


def _asked(settings: Settings, place: RecordingPlace) -> dict[str, Any]:
    """What to read, as the header of a recording has it; a scan that goes on asks what it asked before."""
    from .model.services import chosen

    earlier = None if settings.services else place.earlier.get("services")
    metrics = settings.metrics or place.earlier.get("metrics")
    return {
        "regions": list(settings.regions or place.earlier.get("regions", ())),
        "services": list(chosen(settings.services) if earlier is None else earlier),
    } | ({"metrics": metrics} if metrics else {})


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


def _collect(settings: Settings, account: Account, recorder: Recorder, **told: Any) -> None:
    """Make every declared call, write down what comes back, and close the recording; `told` are those of `collect`."""
    from .collect.engine import collect
    from .model.answer import Footer, stamp
    from .model.metrics import chosen_in, window_of
    from .record.recording import FORMAT
    from .record.resume import answered

    regions = recorder.header.settings["regions"]
    collect(
        account.transport,
        recorder,
        account.scopes(region for region in regions if region != "all"),
        home=account.region,
        all_regions="all" in regions,
        services=chosen_in(recorder.header),
        window=window_of(recorder.header),
        pace="unpaced" if settings.demo else settings.pace,
        answered=answered(recorder.earlier.answers) if recorder.earlier else None,
        max_age=datetime.timedelta(seconds=settings.max_age_seconds),
        **told,
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
    model = zonal_model(path, figures_of(settings.capacity, settings.drill))
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
