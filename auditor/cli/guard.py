"""What reaches the user when something goes wrong: one sentence and the right exit code, never a traceback."""

from __future__ import annotations

import errno
import os
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import FrameType
from typing import Any

import click

from ..errors import EXIT_CLEAN, EXIT_INTERRUPTED, EXIT_USAGE, AuditorError
from ..report.plain import plain

__all__ = ["GuardedGroup", "note"]

# A group called without a command: its message is the help. Before click 8.2 there is no such error.
_NO_COMMAND: Any = getattr(click.exceptions, "NoArgsIsHelpError", ())


def note(text: str) -> None:
    """One line on stderr, made harmless: it may hold text from AWS."""
    with suppress(OSError, ValueError):
        click.echo(f"auditor: {plain(text)}", err=True)


class GuardedGroup(click.Group):
    """A group whose `main` ends in an exit code, whatever happens below it."""

    def main(  # type: ignore[override]
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command line and leave; with ``standalone_mode=False`` as click does."""
        if not standalone_mode:
            return super().main(args, prog_name, standalone_mode=False, **extra)
        _stop_on_terminate()
        sys.exit(guarded(lambda: super(GuardedGroup, self).main(args, prog_name, standalone_mode=False, **extra)))


def guarded(run: Callable[[], Any]) -> int:
    """Run something and turn whatever it raises into an exit code and one sentence on stderr.

    With ``AUDITOR_DEBUG`` set to anything but 0, the traceback is shown as well.
    """
    try:
        result = run()
        _flush()
        return result if isinstance(result, int) else EXIT_CLEAN
    except (KeyboardInterrupt, click.Abort) as stop:
        return _said("interrupted", stop, EXIT_INTERRUPTED)
    except AuditorError as error:
        return _said(str(error), error, error.exit_code)
    except _NO_COMMAND as error:
        with suppress(OSError, ValueError):
            click.echo(error.format_message(), err=True)
        return EXIT_USAGE
    except click.ClickException as error:
        return _said(error.format_message().rstrip("."), error, EXIT_USAGE)
    except BrokenPipeError:
        silence_stdout()
        return EXIT_CLEAN
    except OSError as error:
        return _said(os_fault(error), error, EXIT_USAGE)
    except Exception as error:
        kind = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        return _said(f"unexpected fault ({kind}); AUDITOR_DEBUG=1 shows where", error, EXIT_USAGE)


def _said(sentence: str, error: BaseException, code: int) -> int:
    """Say the sentence and what was noted on the error on its way up."""
    if os.environ.get("AUDITOR_DEBUG", "0") not in ("", "0"):
        with suppress(OSError, ValueError):
            traceback.print_exception(error)
    note("; ".join([sentence, *getattr(error, "__notes__", ())]))
    return code


def os_fault(error: OSError) -> str:
    """An operating system's refusal in words, with the file it is about."""
    # Writing to a stream that is open names no file; of those only stdout fills up.
    about = error.filename or ("standard output" if error.errno in (errno.ENOSPC, errno.EIO) else "")
    return f"{about}: {error.strerror}" if about else str(error.strerror or error)


def silence_stdout() -> None:
    """Let nothing more reach a reader that has gone, and nothing complain of it at exit."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _flush() -> None:
    """Write out what is left, so that a full disk or a closed pipe is noticed here and not at exit."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        silence_stdout()
    except OSError as error:
        silence_stdout()
        if error.errno == errno.EINVAL:  # a closed pipe on Windows
            return
        raise OSError(error.errno, error.strerror, "standard output") from error


def _stop_on_terminate() -> None:
    """Take a polite request to end as Ctrl-C is taken: the recording is kept and named."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    with suppress(ValueError):  # not in the main thread
        signal.signal(signal.SIGTERM, stop)
