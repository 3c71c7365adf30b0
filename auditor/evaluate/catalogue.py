"""The catalogue: rule files found, decoded, checked against each other, chosen and tuned.

The only module of the rule engine that reads files.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from ..errors import RuleError, UsageError
from ..model.faults import fault_in_words
from ..model.verdict import Severity
from .case import Case
from .locations import rule_folder, scenario_folder
from .rule import Rule, compile_rule
from .rule_file import RuleFile
from .types import closest, joined
from .yaml_text import YamlError, load_yaml, without_section

__all__ = ["Catalogue", "load_catalogue", "scenarios_of"]

_SCENARIOS = "scenarios"


@dataclasses.dataclass(frozen=True)
class Catalogue:
    """Rules by id, in order of their ids.

    Attributes:
        rules: the rules in force.
        known: the ids of all rules that were loaded, chosen or not.
        folders: where scenarios lie, the first that has one wins.
    """

    rules: Mapping[str, Rule]
    known: tuple[str, ...]
    folders: tuple[Path, ...] = ()

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules.values())

    def __len__(self) -> int:
        return len(self.rules)

    def __contains__(self, rule_id: object) -> bool:
        return rule_id in self.rules

    def __getitem__(self, rule_id: str) -> Rule:
        """The rule of that id.

        Raises:
            UsageError: there is none; the sentence says which one may be meant.
        """
        if rule_id not in self.rules:
            raise UsageError(_no_rule(rule_id, list(self.rules)))
        return self.rules[rule_id]

    @cached_property
    def hiding(self) -> Mapping[str, tuple[str, ...]]:
        """For each rule that others hide: the ids of those rules."""
        found: dict[str, tuple[str, ...]] = {}
        for rule in self:
            for hidden in rule.file.hides:
                found[hidden] = (*found.get(hidden, ()), rule.id)
        return found

    def select(self, select: Sequence[str] = (), ignore: Sequence[str] = ()) -> Catalogue:
        """The catalogue cut down by ids or globs: only `select` (all when empty), without `ignore`.

        Raises:
            UsageError: for an id or glob that fits no rule.
        """
        wanted = set(self.match(select)) if select else set(self.rules)
        wanted -= set(self.match(ignore))
        return dataclasses.replace(self, rules={i: r for i, r in self.rules.items() if i in wanted})

    def match(self, patterns: Sequence[str]) -> tuple[str, ...]:
        """Ids of the rules that any of the ids or globs names.

        Raises:
            UsageError: for one that fits no rule.
        """
        found: dict[str, None] = {}
        for pattern in patterns:
            hits = [i for i in self.known if fnmatchcase(i, pattern)]
            if not hits:
                raise UsageError(_no_rule(pattern, list(self.known)))
            found.update(dict.fromkeys(hits))
        return tuple(found)

    def tune(
        self, *, severities: Mapping[str, str] | None = None, params: Mapping[str, Mapping[str, Any]] | None = None
    ) -> Catalogue:
        """The catalogue with severities and params of the settings in force. A severity replaces the whole list of a rule.

        Raises:
            UsageError: unknown rule, level or param, or a value of another type than the rule's own.
        """
        rules = dict(self.rules)
        for rule_id, level in (severities or {}).items():
            self._known(rule_id, "severity")
            if level not in list(Severity):
                raise UsageError(
                    f"severity of {rule_id}: there is no {level!r}; the levels are {joined(list(Severity))}"
                )
            _retune(rules, rule_id, severity=Severity(level))
        for rule_id, values in (params or {}).items():
            self._known(rule_id, "params")
            if rule_id in rules:
                _retune(rules, rule_id, params=_tuned(rules[rule_id], values))
        return dataclasses.replace(self, rules=rules)

    def _known(self, rule_id: str, place: str) -> None:
        if rule_id not in self.known:
            raise UsageError(f"{place}: {_no_rule(rule_id, list(self.known))}")

    def cases(self, rule_id: str) -> tuple[Case, ...]:
        """The cases of a rule, decoded now.

        Raises:
            RuleError: for cases of another form; names the file and the place.
        """
        rule = self[rule_id]
        raw = _load(rule.path, _read(rule.path))
        try:
            return msgspec.convert(raw.get("cases", []), tuple[Case, ...])
        except msgspec.ValidationError as error:
            raise RuleError(f"{rule.path}: cases: {fault_in_words(str(error), tuple[Case, ...])}") from None

    def scenario(self, name: str) -> dict[str, Any]:
        """The scenario `name`, from the folders of the user's rules or the built-in ones.

        Raises:
            RuleError: there is none, or it is no mapping.
        """
        for folder in self.folders:
            path = folder / f"{name}.yaml"
            if path.is_file():
                return _load(path, _read(path))
        names = sorted({p.stem for folder in self.folders if folder.is_dir() for p in folder.glob("*.yaml")})
        near = closest(name, names)
        raise RuleError(f"there is no scenario {name!r};{f' {near}' if near else ''} the scenarios are {joined(names)}")


def _no_rule(wanted: str, known: list[str]) -> str:
    near = closest(wanted, known)
    return f"there is no rule {wanted!r}; {near or '`auditor rules list` names them'}"


def _retune(rules: dict[str, Rule], rule_id: str, **changes: Any) -> None:
    rule = rules.get(rule_id)
    if rule:
        intent = {"intent": ()} if changes.get("severity") is Severity.CRITICAL else {}
        file = msgspec.structs.replace(rule.file, **changes, **intent)
        try:
            rules[rule_id] = compile_rule(file, rule.path, builtin=rule.builtin)
        except RuleError as error:
            raise UsageError(str(error)) from None


def _tuned(rule: Rule, values: Mapping[str, Any]) -> dict[str, Any]:
    params: dict[str, Any] = dict(rule.file.params)
    for name, value in values.items():
        if name not in params:
            near = closest(name, list(params))
            raise UsageError(
                f"params of {rule.id}: there is no {name!r};{f' {near}' if near else ''} it has {joined(sorted(params))}"
            )
        params[name] = _same_kind(rule.id, name, params[name], value)
    return params


def _same_kind(rule_id: str, name: str, old: Any, value: Any) -> Any:
    wanted: Any = float | int if isinstance(old, int | float) and not isinstance(old, bool) else type(old)
    if wanted is tuple:
        wanted = tuple[str, ...] if isinstance(old[0], str) else tuple[int | float, ...]
    try:
        return msgspec.convert(value, wanted)
    except msgspec.ValidationError as error:
        raise UsageError(f"params of {rule_id}: {name}: {fault_in_words(str(error), wanted)}") from None


def load_catalogue(dirs: Sequence[Path] = (), *, builtin: bool = True) -> Catalogue:
    """Find, decode, check and compile the rules below some folders.

    Args:
        dirs: folders of rules of the user (``--rules``), searched to any depth; their ``scenarios`` folders hold scenarios.
        builtin: whether the rules that ship with the program are loaded too.

    Raises:
        RuleError: for the first rule that cannot be used; one sentence that names the file and the place.
        UsageError: for a folder that cannot be read.
    """
    rules: dict[str, Rule] = {}
    sources = [(rule_folder(), True)] if builtin else []
    for folder, own in (*sources, *((d, False) for d in dirs)):
        for path in _files(folder, own):
            rule = _load_rule(path, builtin=own)
            if rule.id in rules:
                raise RuleError(f"{path}: id: {rule.id!r} is the id of {rules[rule.id].path} already")
            rules[rule.id] = rule
    rules = dict(sorted(rules.items()))
    _check_hides(rules)
    return Catalogue(rules, tuple(rules), _scenario_folders(dirs))


def scenarios_of(dirs: Sequence[Path] = ()) -> Catalogue:
    """A catalogue without rules: the scenarios beside the rules of the user, and those that ship with the program."""
    return Catalogue({}, (), _scenario_folders(dirs))


def _scenario_folders(dirs: Sequence[Path]) -> tuple[Path, ...]:
    return (*(d / _SCENARIOS for d in dirs), scenario_folder())


def _files(folder: Path, builtin: bool) -> list[Path]:
    if not folder.is_dir():
        if builtin:
            raise RuleError(f"{folder}: the folder of the built-in rules is missing; install the program again")
        raise UsageError(f"{folder}: no such folder of rules")
    return sorted(p for p in folder.rglob("*.yaml") if _SCENARIOS not in p.relative_to(folder).parts[:-1])


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise RuleError(f"{path}: is not UTF-8 text") from None
    except OSError as error:
        raise RuleError(f"{path}: cannot be read ({error.strerror})") from None


def _load(path: Path, text: str) -> dict[str, Any]:
    try:
        raw = load_yaml(text)
    except YamlError as error:
        raise RuleError(f"{path}: {error}") from None
    if not isinstance(raw, dict):
        raise RuleError(f"{path}: is not a mapping of keys to values")
    return raw


def _load_rule(path: Path, *, builtin: bool) -> Rule:
    raw = _load(path, without_section(_read(path), "cases"))
    raw.pop("cases", None)
    try:
        file = msgspec.convert(raw, RuleFile)
    except msgspec.ValidationError as error:
        raise RuleError(f"{path}: {fault_in_words(str(error), RuleFile)}") from None
    return compile_rule(file, path, builtin=builtin)


def _check_hides(rules: Mapping[str, Rule]) -> None:
    for rule in rules.values():
        for hidden in rule.file.hides:
            if hidden not in rules:
                near = closest(hidden, list(rules))
                raise RuleError(f"{rule.path}: hides: there is no rule {hidden!r}{f'; {near}' if near else ''}")
    done: set[str] = set()
    for start in rules:
        _check_cycle(start, rules, done)


def _check_cycle(start: str, rules: Mapping[str, Rule], done: set[str]) -> None:
    """Depth-first, without recursion: a rule met again on the way down closes a cycle."""
    way: list[tuple[str, Iterator[str]]] = [] if start in done else [(start, iter(rules[start].file.hides))]
    while way:
        names = [name for name, _ in way]
        following = next(way[-1][1], None)
        if following is None:
            done.add(way.pop()[0])
        elif following in names:
            circle = " hides ".join([*names[names.index(following) :], following])
            raise RuleError(f"{rules[following].path}: hides: a circle: {circle}")
        elif following not in done:
            way.append((following, iter(rules[following].file.hides)))
