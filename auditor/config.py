"""Settings: ``auditor.yaml`` and the options of the command line, joined into one frozen `Settings`. Options win.

Everything wrong with the file is said in one sentence that names the file, the place in it and, where there is one, the
word that was probably meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from .errors import UsageError
from .evaluate.given_figures import Capacity, Drill, Positive
from .evaluate.intent import IntentEntry
from .evaluate.mutes import MuteEntry
from .evaluate.yaml_text import YamlError, load_yaml
from .model.faults import closest, fault_in_words
from .model.verdict import Severity

__all__ = ["DEFAULT_FILE", "Settings", "SettingsFile", "closest", "listed", "read_settings", "read_yaml", "shaped"]

DEFAULT_FILE = Path("auditor.yaml")

S = TypeVar("S")
Level = Literal["critical", "high", "medium", "low", "info"]
Gate = Literal["critical", "high", "medium", "low", "info", "none"]
Pace = Literal["normal", "full", "gentle"]


class _Section(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A mapping of the settings file; keys that it does not know are refused."""


class Account(_Section, frozen=True, kw_only=True):
    """An account and the name people know it by."""

    id: str
    name: str | None = None

    def __post_init__(self) -> None:
        if not re.fullmatch(r"\d{12}", self.id):
            raise ValueError("an account ID has 12 digits")


class Gates(_Section, frozen=True, kw_only=True):
    """From which severity on a finding makes the exit code 1, and from which on findings are shown."""

    fail_on: Gate = "high"
    min_severity: Level = "info"


class SettingsFile(_Section, frozen=True, kw_only=True):
    """The settings file as it is written. `mutes` has the form of a mutes file."""

    regions: tuple[str, ...] | str = ()
    accounts: tuple[Account, ...] = ()
    services: tuple[str, ...] | str = ()
    mutes: tuple[MuteEntry, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: dict[str, Level] = {}
    params: dict[str, dict[str, Any]] = {}
    gates: Gates = Gates()
    recovery_goal_seconds: Positive = 300
    drill: Drill | None = None
    capacity: tuple[Capacity, ...] = ()
    intent: tuple[IntentEntry, ...] = ()


class _MutesFile(_Section, frozen=True, kw_only=True):
    """A file of mutes: a list of them, or the key `mutes` with that list."""

    mutes: tuple[MuteEntry, ...] = ()


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """All settings of one run.

    `regions` is empty for the region of the session and ``("all",)`` for every enabled one; `services` is empty for
    all; `mutes` are by the file they stand in; `fail_on` is None when no finding is to change the exit code; `source` is
    the settings file that was read.
    """

    regions: tuple[str, ...] = ()
    services: tuple[str, ...] = ()
    profile: str | None = None
    role_arn: str | None = None
    external_id: str | None = None
    endpoint_url: str | None = None
    account_names: Mapping[str, str] = {}
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: Mapping[str, Severity] = {}
    params: Mapping[str, Mapping[str, Any]] = {}
    rules: tuple[Path, ...] = ()
    mutes: Mapping[str, tuple[MuteEntry, ...]] = {}
    intent: tuple[IntentEntry, ...] = ()
    fail_on: Severity | None = Severity.HIGH
    min_severity: Severity = Severity.INFO
    all_verdicts: bool = False
    recovery_goal_seconds: float = 300
    drill: Drill | None = None
    capacity: tuple[Capacity, ...] = ()
    pace: Pace = "normal"
    max_age_seconds: float = 900
    demo: bool = False
    source: Path | None = None


def read_settings(path: Path | None = None, *, mutes_file: Path | None = None, **options: Any) -> Settings:
    """Settings of a file and of options; an option that is None or empty was not given.

    Args:
        path: the settings file; without one, ``./auditor.yaml`` where there is such a file.
        mutes_file: a file of mutes, used beside those of the settings.
        options: fields of `Settings`, except that `fail_on` and `min_severity` are words.

    Raises:
        UsageError: the file cannot be read, or something in it cannot be used.
    """
    source = path or (DEFAULT_FILE if DEFAULT_FILE.is_file() else None)
    file = shaped(read_yaml(source), SettingsFile, str(source)) if source else SettingsFile()
    given = {name: value for name, value in options.items() if value not in (None, (), "")}
    fail_on = given.pop("fail_on", file.gates.fail_on)
    merged: dict[str, Any] = {
        "regions": listed(file.regions),
        "services": listed(file.services),
        "account_names": {account.id: account.name for account in file.accounts if account.name},
        "select": file.select,
        "ignore": file.ignore,
        "severity": {rule: Severity(level) for rule, level in file.severity.items()},
        "params": file.params,
        "mutes": _mutes(source, file.mutes, mutes_file),
        "intent": file.intent,
        "min_severity": file.gates.min_severity,
        "recovery_goal_seconds": file.recovery_goal_seconds,
        "drill": file.drill,
        "capacity": file.capacity,
        "source": source,
        **given,
    }
    merged["min_severity"] = Severity(merged["min_severity"])
    return Settings(fail_on=None if fail_on == "none" else Severity(fail_on), **merged)


def _mutes(
    source: Path | None, in_settings: tuple[MuteEntry, ...], mutes_file: Path | None
) -> dict[str, tuple[MuteEntry, ...]]:
    found = {f"{source}: mutes": in_settings} if in_settings else {}
    if mutes_file:
        content = read_yaml(mutes_file)
        if isinstance(content, list):
            content = {"mutes": content}
        found[str(mutes_file)] = shaped(content, _MutesFile, str(mutes_file)).mutes
    return found


def listed(value: str | Iterable[str]) -> tuple[str, ...]:
    """Words of ``a,b``, or of a list of such, in order and without repeats."""
    texts = [value] if isinstance(value, str) else value
    return tuple(dict.fromkeys(word.strip() for text in texts for word in text.split(",") if word.strip()))


def read_yaml(path: Path) -> Any:
    """The content of a YAML file; an empty file is an empty mapping.

    Raises:
        UsageError: it cannot be read, or is not YAML as this program takes it; names the line.
    """
    try:
        content = load_yaml(path.read_text("utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: is not UTF-8 text") from error
    except YamlError as error:
        raise UsageError(f"{path}: {error}") from error
    return {} if content is None else content


def shaped(content: Any, form: type[S], name: str) -> S:
    """`content` in the shape of `form`; `name` is the file it comes from.

    Raises:
        UsageError: it does not fit; one sentence says where.
    """
    try:
        return msgspec.convert(content, form)
    except msgspec.ValidationError as error:
        raise UsageError(f"{name}: {fault_in_words(str(error), form)}") from error
