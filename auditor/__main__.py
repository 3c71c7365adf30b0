"""``python -m auditor``: the same as the command ``auditor``."""

from .cli import main

if __name__ == "__main__":
    main()
