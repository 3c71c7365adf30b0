"""YAML text → plain values, strictly: no repeated keys, no aliases, no tags of Python; the C loader where there is one."""

from __future__ import annotations

import re
from typing import Any

import yaml

__all__ = ["YamlError", "load_yaml", "without_section"]

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_DEEPEST = 60


class YamlError(ValueError):
    """Text that is not YAML as this program takes it; one sentence with the line."""


def load_yaml(text: str) -> Any:
    """The value of a YAML document.

    Raises:
        YamlError: broken YAML, a key given twice, an alias, or nesting beyond reason.
    """
    try:
        loader = _Loader(text)
        try:
            root = loader.get_single_node()
            if root is None:
                return None
            _check(root)
            return loader.construct_document(root)
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        raise YamlError(_sentence(error)) from None
    except yaml.YAMLError as error:
        raise YamlError(" ".join(str(error).split())) from None
    except (ValueError, RecursionError) as error:
        raise YamlError(str(error) or "nested too deeply") from None


def _sentence(error: yaml.MarkedYAMLError) -> str:
    line = f"line {error.problem_mark.line + 1}: " if error.problem_mark else ""
    return f"{line}{error.problem or error.context or 'not YAML'}"


def _check(root: Any) -> None:
    seen: set[int] = set()
    todo = [(root, 0)]
    while todo:
        node, depth = todo.pop()
        line = node.start_mark.line + 1
        if id(node) in seen:
            raise ValueError(f"line {line}: an alias (*name) is not allowed")
        seen.add(id(node))
        if depth > _DEEPEST:
            raise ValueError(f"line {line}: nested too deeply")
        if isinstance(node, yaml.MappingNode):
            _check_keys(node)
            todo += [(child, depth + 1) for pair in node.value for child in pair]
        elif isinstance(node, yaml.SequenceNode):
            todo += [(child, depth + 1) for child in node.value]


def _check_keys(node: Any) -> None:
    keys: set[str] = set()
    for key, _ in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise YamlError(f"line {key.start_mark.line + 1}: a key is a single word")
        if key.value in keys:
            raise ValueError(f"line {key.start_mark.line + 1}: the key {key.value!r} is given twice")
        keys.add(key.value)


def without_section(text: str, name: str) -> str:
    """The text without the top-level section `name`, its lines left empty so that line numbers stay."""
    match = re.search(rf"^{re.escape(name)}:.*$(\n(?![A-Za-z_\"']).*$)*", text, re.MULTILINE)
    if not match:
        return text
    return text[: match.start()] + "\n" * match.group(0).count("\n") + text[match.end() :]
