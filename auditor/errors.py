"""The few errors a caller can meet, each with its exit code (docs/exit-codes)."""

from __future__ import annotations

__all__ = ["AuditorError", "Interrupted", "RecordingError", "RuleError", "UsageError"]

EXIT_CLEAN = 0
EXIT_FINDINGS = 1
EXIT_USAGE = 2
EXIT_INCOMPLETE = 3
EXIT_INTERRUPTED = 130


class AuditorError(Exception):
    """Something a person can mend; ``str(error)`` is one sentence that names what is wrong and where."""

    exit_code = EXIT_USAGE


class UsageError(AuditorError):
    """Options, settings, credentials or files that cannot be used; nothing was judged."""


class RecordingError(AuditorError):
    """A recording that cannot be read, written or resumed."""


class RuleError(AuditorError):
    """A rule file that cannot be loaded; names the file and the place in it."""


class Interrupted(AuditorError):
    """The user stopped the scan; the sentence names the recording that was kept."""

    exit_code = EXIT_INTERRUPTED
