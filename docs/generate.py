"""Makes what is generated: blocks of the README, the pages of the rules, the schema of rule files.

``python docs/generate.py`` writes them, ``--check`` says what is not current (for CI).
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
SCHEMA = ROOT / "docs" / "rule.schema.json"
PAGES = ROOT / "docs" / "rules"
RULE = ROOT / "docs" / "examples" / "my-rules" / "x-alb-internet-facing-two-zones.yaml"
_TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)? UTC")


def printed(*arguments: str) -> str:
    """What the program prints for these arguments, 80 columns wide, without anybody's settings."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("AWS_", "AUDITOR_"))}
    with tempfile.TemporaryDirectory() as home:
        done = subprocess.run(
            [sys.executable, "-m", "auditor", *arguments],
            env=kept | {"HOME": home, "XDG_STATE_HOME": home, "NO_COLOR": "1", "COLUMNS": "80"},
            cwd=home,
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr)
    return done.stdout.rstrip()


def demo() -> str:
    """The demo, critical findings only."""
    shown = printed("scan", "--demo", "--min-severity", "critical", "--fail-on", "none", "--no-progress")
    return f"```\n$ auditor scan --demo --min-severity critical\n{shown}\n```"


def permissions() -> str:
    """The IAM policy."""
    return f"```json\n{printed('permissions')}\n```"


def rule() -> str:
    """The example of a rule of one's own."""
    return f"```yaml\n{RULE.read_text(encoding='utf-8').rstrip()}\n```"


BLOCKS: dict[str, Callable[[], str]] = {"demo": demo, "permissions": permissions, "rule": rule}


def filled(text: str) -> str:
    """The text with every block made anew."""
    for name, make in BLOCKS.items():
        begin, end = f"<!-- begin: {name} -->", f"<!-- end: {name} -->"
        head, rest = text.split(begin, 1)
        text = f"{head}{begin}\n{make()}\n{end}{rest.split(end, 1)[1]}"
    return text


def timeless(text: str) -> str:
    """The text with every moment taken out: the demo starts anew each time."""
    return _TIME.sub("TIME", text)


def pages(*arguments: str) -> int:
    """Run ``auditor rules docs`` on the pages; its exit code."""
    command = [sys.executable, "-m", "auditor", "rules", "docs", "--directory", str(PAGES.relative_to(ROOT))]
    return subprocess.run([*command, *arguments], cwd=ROOT, check=False).returncode


def current(path: Path, text: str) -> bool:
    """Whether a file says that."""
    return path.exists() and timeless(path.read_text(encoding="utf-8")) == timeless(text)


def main() -> int:
    """Write everything, or with ``--check`` say what is not current."""
    made = {README: filled(README.read_text(encoding="utf-8")), SCHEMA: printed("rules", "schema") + "\n"}
    stale = [path for path, text in made.items() if not current(path, text)]
    if "--check" not in sys.argv[1:]:
        for path in stale:
            path.write_text(made[path], encoding="utf-8")
        return pages("--write")
    for path in stale:
        sys.stderr.write(f"{path.relative_to(ROOT)} is not current: run `make docs`\n")
    return 1 if pages("--check") or stale else 0


if __name__ == "__main__":
    sys.exit(main())
