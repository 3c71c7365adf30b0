"""The formats there are. A format is a module of this package with a function ``render(document, options) -> str``."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, cast

import msgspec

Document: TypeAlias = Mapping[str, Any]


class RenderOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What a format may need to know of the place its text goes to. Machine formats ignore it.

    `width` is in columns; `color` allows ANSI colours; `all_verdicts` is ``--all``.
    """

    width: int = 80
    color: bool = False
    all_verdicts: bool = False


Render: TypeAlias = Callable[[Document, RenderOptions], str]

# Name of a format -> its module. A new format is a new file and a line here.
FORMATS: Mapping[str, str] = {
    "table": "table",
    "json": "json",
}


def render(name: str, document: Document, options: RenderOptions) -> str:
    """The document in the format `name`, ending in a line break."""
    module = importlib.import_module(f".{FORMATS[name]}", __package__)
    return cast("Render", module.render)(document, options)
