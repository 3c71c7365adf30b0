"""``python -m tests.estates`` writes what is generated from the reference estates; ``--check`` says what is not current."""

from __future__ import annotations

import sys

from .pages import GENERATED, PAGE


def main() -> int:
    root = PAGE.parent.parent
    made = {path: make() for path, make in GENERATED.items()}
    stale = [p for p, text in made.items() if not p.exists() or p.read_text(encoding="utf-8") != text]
    for path in stale:
        if "--check" in sys.argv[1:]:
            sys.stderr.write(f"{path.relative_to(root)} is not current: run `make docs`\n")
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(made[path], encoding="utf-8")
    return 1 if stale and "--check" in sys.argv[1:] else 0


if __name__ == "__main__":
    sys.exit(main())
