"""The generated blocks of the README are what the program prints; what it names exists."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import click

from auditor.cli import auditor as program
from auditor.config import read_settings

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_generated_blocks_are_current() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "docs" / "generate.py"), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_links_lead_somewhere() -> None:
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            assert target.startswith("https://") or (page.parent / target).exists(), (page.name, target)


def test_every_option_the_readme_names_exists() -> None:
    known = {o for command in _commands(program) for p in command.params for o in p.opts}
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", README.split("## Install")[1]))
    assert named - known - {"--load-balancer-arn", "--subnets", "--check"} == set()


def test_the_settings_of_the_readme_can_be_used(tmp_path: Path) -> None:
    block = re.search(r"```yaml\n(.*?)```", README.split("## Settings")[1], re.S)
    assert block
    file = tmp_path / "auditor.yaml"
    file.write_text(block[1], encoding="utf-8")
    settings = read_settings(file)
    assert (settings.regions, settings.ignore) == (("us-east-1", "eu-west-1"), ("tg-unattached",))
    assert settings.intent
    assert settings.mutes


def _commands(command: click.Command) -> list[click.Command]:
    if not isinstance(command, click.Group):
        return [command]
    context = click.Context(command)
    below = [command.get_command(context, name) for name in command.list_commands(context)]
    return [command, *(c for sub in below if sub for c in _commands(sub))]
