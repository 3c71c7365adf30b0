"""YAML as rule files may use it."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from auditor.evaluate import yaml_text
from auditor.evaluate.yaml_text import YamlError, load_yaml, without_section


@pytest.fixture(params=["C", "Python"], autouse=True)
def _loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both loaders: the C one, and the one used where libyaml is missing."""
    if request.param == "Python":
        monkeypatch.setattr(yaml_text, "_Loader", yaml.SafeLoader)


def test_plain_values() -> None:
    assert load_yaml("a: [1, two, {b: null}]\nc: no\n") == {"a": [1, "two", {"b": None}], "c": False}
    assert load_yaml("") is None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a: 1\nb:\n  c: 1\n  c: 2\n", "line 4: the key 'c' is given twice"),
        ("a: &x 1\nb: *x\n", "an alias (*name) is not allowed"),
        ("a: !!python/object:os.x {}\n", "could not determine a constructor"),
        ("? [a, b]\n: 1\n", "line 1: a key is a single word"),
        ("a: [1\n", "line 2: "),
        ("a: \x07\n", "special characters are not allowed|control characters are not allowed"),
        ("a: " + "[" * 70 + "]" * 70, "line 1: nested too deeply"),
        ("a: " + "[" * 20_000 + "]" * 20_000, "deep|maximum"),
        ("a: 1\n---\nb: 2\n", "but found another document"),
    ],
)
def test_what_is_refused(text: str, says: str) -> None:
    with pytest.raises(YamlError) as error:
        load_yaml(text)
    message = str(error.value)
    assert any(part in message for part in says.split("|"))
    assert "\n" not in message


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("a: 1\ncases:\n  - x: 1\n\n  - y\nb: 2\n", {"a": 1, "b": 2}),
        ("a: 1\ncases:\n- x: 1\n- y\n", {"a": 1}),
        ("a: 1\ncases: [x,\n  y]\nb: 2\n", {"a": 1, "b": 2}),
        ("cases: []\na: 1\n", {"a": 1}),
        ("a: >\n  cases: none\n  more\nb: 2\n", {"a": "cases: none more\n", "b": 2}),
        ("a: 1\n# cases: none\nb: 2\n", {"a": 1, "b": 2}),
        ('a: 1\ncases:\n  - x\n# note\n"b": 2\n', {"a": 1, "b": 2}),
    ],
)
def test_a_section_is_left_out(text: str, rest: dict[str, Any]) -> None:
    left = without_section(text, "cases")
    assert load_yaml(left) == rest
    assert left.count("\n") == text.count("\n")
