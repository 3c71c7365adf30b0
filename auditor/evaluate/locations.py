"""Where the built-in rules and scenarios lie: inside the installed package, or beside it in a checkout."""

from __future__ import annotations

from pathlib import Path

__all__ = ["rule_folder", "scenario_folder"]

_PACKAGE = Path(__file__).resolve().parent.parent


def _folder(packed: str, checkout: Path) -> Path:
    """The folder inside the package where a wheel puts it, else the one of the checkout (also of an editable install)."""
    inside = _PACKAGE / packed
    return inside if inside.is_dir() else _PACKAGE.parent / checkout


def rule_folder() -> Path:
    """The folder of the built-in rules, one folder a family."""
    return _folder("_rules", Path("rules"))


def scenario_folder() -> Path:
    """The folder of the scenarios that the cases of built-in rules start from."""
    return _folder("_scenarios", Path("fixtures", "scenarios"))
