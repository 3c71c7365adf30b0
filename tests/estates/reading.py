"""The reference estates in ``fixtures/estates``: read, judged, and as the lines of their golden reports.

An estate is a folder of files, one for each of its parts. Together they are one scenario, with two things beside it: what its
people wrote into their settings (`capacity`, `drill`, `intent`), and `findings`, the table of what an audit must say of it.
"""

from __future__ import annotations

import copy
import functools
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from auditor.derive.build import derive
from auditor.evaluate.catalogue import load_catalogue
from auditor.evaluate.given_figures import Capacity, Drill, figures_of
from auditor.evaluate.intent import IntentEntry
from auditor.evaluate.run import JudgeOptions, judge
from auditor.evaluate.scenario import answers
from auditor.evaluate.yaml_text import load_yaml
from auditor.model.finding import Finding
from auditor.model.verdict import Status
from auditor.record.decode import decode

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
NAMES = ("clean", "neglected")
SETTINGS = ("capacity", "drill", "intent", "findings")


class Key(msgspec.Struct, frozen=True, order=True):
    """What a finding is known by in the tables and in the golden reports; zones are zone IDs."""

    rule: str
    resource: str
    zones: tuple[str, ...]
    status: str

    def __str__(self) -> str:
        where = f" in {', '.join(self.zones)}" if self.zones else ""
        return f"{self.rule} on {self.resource}{where} ({self.status})"


class Row(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A row of the table `findings`: a rule, the resources it speaks of, the zones it names for each, and what is behind it."""

    rule: str
    resource: str | tuple[str, ...]
    zones: str | tuple[str, ...] = ()
    status: Status = Status.FAIL
    because: str

    def keys(self, zone_ids: Mapping[str, str]) -> list[Key]:
        resources = (self.resource,) if isinstance(self.resource, str) else self.resource
        zones = (self.zones,) if isinstance(self.zones, str) else self.zones
        return [Key(self.rule, r, tuple(sorted(zone_ids[z] for z in zones)), self.status) for r in resources]


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What stands beside the scenario."""

    capacity: tuple[Capacity, ...] = ()
    drill: Drill | None = None
    intent: tuple[IntentEntry, ...] = ()
    findings: tuple[Row, ...] = ()


class Estate(msgspec.Struct, frozen=True, kw_only=True):
    """An estate, and every finding of the catalogue on it that is neither a pass nor out of scope."""

    name: str
    scenario: dict[str, Any]
    settings: Settings
    findings: tuple[Finding, ...]

    @property
    def table(self) -> list[tuple[Key, Row]]:
        """The rows of the tables, one for each resource."""
        return [(key, row) for row in self.settings.findings for key in row.keys(self.scenario["zones"])]


def load(name: str) -> tuple[dict[str, Any], Settings]:
    """The scenario of an estate, and what stands beside it."""
    paths = sorted((FIXTURES / "estates" / name).glob("*.yaml"))
    whole = merged((f"{name}/{p.name}", load_yaml(p.read_text(encoding="utf-8"))) for p in paths)
    return whole, msgspec.convert({k: whole.pop(k) for k in SETTINGS if k in whole}, Settings)


@functools.cache
def estate(name: str) -> Estate:
    """The estate of a name, judged by the whole catalogue."""
    scenario, settings = load(name)
    model = derive(decode(*answers(scenario)), figures_of(settings.capacity, settings.drill))
    found = judge(model, load_catalogue(), JudgeOptions(intent=settings.intent)).findings
    return Estate(name=name, scenario=scenario, settings=settings, findings=found)


def merged(parts: Iterable[tuple[str, Mapping[str, Any]]]) -> dict[str, Any]:
    """Files as one. Their sections and lists are joined; nothing may be said twice.

    Raises:
        ValueError: two files say the same; names the second, and what it is.
    """
    whole: dict[str, Any] = {}
    for place, part in parts:
        _add(whole, part, place, sections=True)
    return whole


def _add(whole: dict[str, Any], part: Mapping[str, Any], place: str, *, sections: bool) -> None:
    """Add what a file says. `arc` holds sections of its own; in the others a name may stand in one file only."""
    for key, value in part.items():
        where = f"{place}: {key}"
        if key not in whole:
            whole[key] = copy.deepcopy(value)
        elif sections and isinstance(value, list):
            whole[key] += value
        elif sections and isinstance(value, dict):
            _add(whole[key], value, where, sections=key == "arc")
        else:
            raise ValueError(f"{where}: another file of the estate says this too")


def key_of(finding: Finding) -> Key:
    zones = tuple(sorted(zone.key for zone in finding.zones))
    return Key(finding.rule_id, finding.resource.name, zones, finding.status)


def report(found: Estate) -> str:
    """The golden report: one finding a line, hidden ones as well."""
    rules = {f.id: f.rule_id for f in found.findings}
    lines = []
    for finding in sorted(found.findings, key=lambda f: (key_of(f), f.resource.arn)):
        key = key_of(finding)
        line: dict[str, Any] = {"rule": key.rule, "resource": key.resource, "zones": key.zones}
        line |= {"status": key.status, "severity": finding.severity}
        if finding.hidden_by:
            line["hidden_by"] = rules[finding.hidden_by]
        lines.append(json.dumps(line))
    return "\n".join(lines) + "\n"
