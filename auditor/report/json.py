"""JSON: the report document as it is."""

from __future__ import annotations

import json

from .registry import Document, RenderOptions


def render(document: Document, options: RenderOptions) -> str:
    """The document, indented, in its own order; text in its own script, never NaN or Infinity."""
    del options
    return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2) + "\n"
