"""``python -m auditor``, and where the command ``auditor`` begins."""

import sys

__all__ = ["main"]


def main() -> None:
    """Load the program and run it. A Ctrl-C while it loads is one sentence too."""
    try:
        from .cli import main as run  # noqa: PLC0415 - what is loaded here is what may be interrupted
    except KeyboardInterrupt:
        sys.stderr.write("auditor: interrupted\n")
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
