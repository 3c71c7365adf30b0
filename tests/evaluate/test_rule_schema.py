"""The JSON Schema of rule files: takes every rule there is, and refuses what the loader refuses by form."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from auditor.evaluate.locations import rule_folder
from auditor.evaluate.rule_schema import RuleDocument, rule_schema
from auditor.evaluate.skeleton import skeleton
from auditor.evaluate.yaml_text import load_yaml

ROOT = Path(__file__).parent.parent.parent
FILES = sorted([*rule_folder().rglob("*.yaml"), *(ROOT / "docs" / "examples").rglob("*.yaml")])


@pytest.fixture(scope="module")
def validator() -> Any:
    schema = rule_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def sound() -> dict[str, Any]:
    return load_yaml(skeleton("x-first", "TargetGroup", "my-rules"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_rule_fits(validator, path):
    assert [
        error.message for error in validator.iter_errors(msgspec.to_builtins(load_yaml(path.read_text("utf-8"))))
    ] == []


def test_a_skeleton_fits(validator):
    validator.validate(sound())


@pytest.mark.parametrize(
    "change",
    [
        {"id": "X First"},
        {"severity": "grave"},
        {"severity": [{"when": "a"}]},
        {"confidence": "sure"},
        {"subject": "Balancer"},
        {"intent": ["single-zones"]},
        {"violated_when": 3},
        {"violated_when": {"all": ["a"], "any": ["b"]}},
        {"violated_when": {}},
        {"violated_when": {"all": ["a", {"nor": "b"}]}},
        {"check": "something"},
        {"titel": "?"},
        {"fix": {"cli": "aws"}},
        {"fix": {"summary": "s", "clii": "aws"}},
        {"cases": [{"name": "n", "given": {"scenario": "s"}}]},
        {"cases": [{"name": "n", "given": {"scenario": "s", "deny": ["elbv2:DescribeRules"]}, "expect": {"fail": ["a"]}}]},
        {"cases": [{"name": "n", "given": {"scenario": "s"}, "expect": {"failed": ["a"]}}]},
    ],
    ids=str,
)  # fmt: skip
def test_what_cannot_be_a_rule_is_refused(validator, change):
    assert list(validator.iter_errors(sound() | change))


@pytest.mark.parametrize("key", ["id", "title", "severity", "subject", "message", "why", "fix", "violated_when"])
def test_what_is_needed_is_asked_for(validator, key):
    rule = sound()
    del rule[key]
    assert list(validator.iter_errors(rule))


def test_every_key_is_explained():
    schema = rule_schema()
    parts = {"RuleDocument": schema, **schema["$defs"]}
    assert set(parts) > {"Case", "Combined", "Equivalent", "Expect", "Fix", "Given", "Level"}
    for name, part in parts.items():
        for key, property_ in part.get("properties", {}).items():
            assert property_.get("description", part.get("description", "")).endswith("."), (name, key)
    assert set(schema["properties"]) == {field.encode_name for field in msgspec.structs.fields(RuleDocument)}
