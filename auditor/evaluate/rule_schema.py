"""The JSON Schema of rule files, for completion and checks in an editor.

Its shape is made from the types that decode a rule file, so that the two cannot part; the words that explain a key are
here. What only the program can check (names of facts, templates, params) is left to ``auditor rules test``.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec

from ..derive.nodes import SUBJECTS
from ..model.verdict import Severity
from ..record.decode import reads
from .case import Case
from .checks import registered
from .intent import WORDS
from .rule_file import RuleFile
from .subjects import says_of

__all__ = ["RuleDocument", "rule_schema", "schema_text"]

_TITLE = "Rule of the zonal auditor"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_ID_PATTERN = "^[a-z][a-z0-9]*(-[a-z0-9]+)*$"


class RuleDocument(RuleFile, frozen=True, kw_only=True):
    """A whole rule file, its cases included."""

    cases: tuple[Case, ...] = ()


# What each key says, by the struct it stands in.
_SAYS: dict[str, dict[str, str]] = {
    "RuleDocument": {
        "id": "Lower-case words joined by hyphens, the same as the name of the file. Rules of your own start with x-.",
        "title": "What is wrong, as one short sentence without a full stop.",
        "severity": "A level; or a list of levels tried in order, each with `when` but the last.",
        "confidence": "certain: the answers of AWS prove it. likely, possible: they point to it.",
        "subject": "What is judged, one by one. `auditor rules fields SUBJECT` lists the facts of each.",
        "applies_when": "Condition (JMESPath over the facts of the subject) under which the rule has a say at all.",
        "not_applicable": "What it takes for the rule to apply, in words, where a reader would not guess it.",
        "violated_when": "Condition (JMESPath over the facts of the subject) under which it is a finding.",
        "check": "Name of a check written in Python, instead of violated_when.",
        "params": "Values that settings can change; an expression reads one as $name.",
        "intent": "Words of intent that switch the rule off; refused on a rule that can be critical.",
        "message": "What a finding says. {expression} is replaced by its value for the subject.",
        "why": "Why it matters: what happens to requests, and when.",
        "fix": "How to mend it.",
        "references": "Pages of AWS's documentation that it rests on.",
        "hides": "Ids of rules whose findings are hidden when this one explains all of their causes.",
        "zones": "Expression for the zones a finding is about; by default the zone of the subject, if it has one.",
        "causes": "Expression for the causes of a finding; by default the resource itself.",
        "equivalent": "Mutants of the conditions that no case can notice, each with its reason.",
        "cases": "States of an account, and the verdicts that must follow. `auditor rules test` runs them.",
    },
    "Level": {
        "level": "The severity.",
        "when": "Condition under which this level counts; only the last has none.",
    },
    "Fix": {
        "summary": "What to do, in words; {expression} as in the message.",
        "cli": "A command, or a list of commands, that can be run as it is; values are quoted for the shell.",
        "caution": "What the fix itself may break.",
    },
    "Equivalent": {
        "mutant": "The mutant as `auditor rules test` names it.",
        "reason": "Why no case can notice it.",
    },
    "Combined": {
        "all": "Every one of these conditions.",
        "any": "At least one of these conditions.",
        "not": "Not this condition.",
    },
    "Case": {
        "name": "What is special about this state.",
        "given": "The state: a scenario and what is different.",
        "expect": "The verdicts that must follow.",
    },
    "Given": {
        "scenario": "Name of a shipped scenario, or of a file in the folder `scenarios` beside your rules.",
        "change": "Merged into the scenario: maps are merged, null removes a key, all else is replaced.",
        "deny": "IAM actions whose calls are refused.",
        "intent": "Entries of intent, as in the settings.",
        "capacity": "Entries of capacity, as in the settings.",
        "drill": "The window of the next drill, as in the settings.",
    },
    "Expect": {
        "fail": "Resources it is a finding on; NAME@ZONE-ID for a subject with a zone.",
        "pass": "Resources it passes on.",
        "unknown": "Resources of which it cannot tell; the region's name when the resources cannot be listed.",
        "not_applicable": "Resources it has no say on.",
        "absent": "Resources without any verdict.",
        "message_has": "Text, or texts, that must be in a message.",
        "severity": "Severity of every finding under `fail`.",
        "missing": "IAM actions that the verdicts under `unknown` must name as missing.",
        "hidden_by": "Id of the rule whose finding hides those under `fail`.",
    },
}


def rule_schema() -> dict[str, Any]:
    """The schema as JSON has it; the same for every call."""
    _, structs = msgspec.json.schema_components([RuleDocument], ref_template="#/$defs/{name}")
    for name, says in _SAYS.items():
        struct = structs[name]
        struct.pop("description")
        struct["properties"] = {
            key: _described(value, says.get(key, "")) for key, value in struct["properties"].items()
        }
    structs["Severity"] = {"enum": [level.value for level in sorted(Severity, key=lambda level: -level.rank)]}
    structs["Action"] = {"enum": sorted({read.action for read in reads().values()})}
    structs["Combined"] |= {"minProperties": 1, "maxProperties": 1}
    structs["Expect"]["properties"]["missing"]["items"] = {"$ref": "#/$defs/Action"}
    structs["Given"]["properties"]["deny"]["items"] = {"$ref": "#/$defs/Action"}
    document = structs.pop("RuleDocument")
    _enumerate(document["properties"])
    document["oneOf"] = [{"required": ["violated_when"]}, {"required": ["check"]}]
    return {"$schema": _DIALECT, **document, "title": _TITLE, "$defs": dict(sorted(structs.items()))}


def schema_text() -> str:
    """The schema as it is shipped."""
    return json.dumps(rule_schema(), ensure_ascii=False, indent=2) + "\n"


def _described(schema: dict[str, Any], says: str) -> dict[str, Any]:
    """A property with its explanation, without the null that stands for a missing key.

    Beside a ``$ref`` some editors read nothing, so that is put one level down.
    """
    kinds = [kind for kind in schema.get("anyOf", ()) if kind != {"type": "null"}]
    kept = {key: value for key, value in schema.items() if key not in ("anyOf", "default")}
    if len(kinds) > 1:
        kept["anyOf"] = kinds
    elif kinds:
        kept |= kinds[0]
    return {"description": says, **({"allOf": [kept]} if "$ref" in kept else kept)}


def _enumerate(properties: dict[str, Any]) -> None:
    """Put in the names that the program knows."""
    subjects = sorted(SUBJECTS)
    properties["id"]["pattern"] = _ID_PATTERN
    properties["subject"] |= {"enum": subjects, "enumDescriptions": [says_of(SUBJECTS[name]) for name in subjects]}
    properties["intent"]["items"] = {"enum": sorted(WORDS)}
    if registered():
        properties["check"]["enum"] = sorted(registered())
