"""Nothing but one sentence and the right exit code, whatever happens."""

from __future__ import annotations

import errno
import os
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from auditor import app
from auditor.cli.guard import guarded
from auditor.errors import Interrupted, RecordingError, UsageError


def raising(error: BaseException):
    def run():
        raise error

    return run


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (UsageError("no region"), 2, "auditor: no region"),
        (RecordingError("x cannot be read"), 2, "auditor: x cannot be read"),
        (Interrupted("interrupted; kept in x"), 130, "auditor: interrupted; kept in x"),
        (KeyboardInterrupt(), 130, "auditor: interrupted"),
        (click.Abort(), 130, "auditor: interrupted"),
        (click.UsageError("bad option."), 2, "auditor: bad option"),
        (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "r.json"), 2, "auditor: r.json: No space left on device"),
        (KeyError("x"), 2, "auditor: unexpected fault (KeyError: 'x'); AUDITOR_DEBUG=1 shows where"),
        (RecursionError(), 2, "auditor: unexpected fault (RecursionError); AUDITOR_DEBUG=1 shows where"),
        (UsageError("name \x1b[31m\nred"), 2, "auditor: name \\x1b[31m red"),
    ],
)
def test_exceptions_become_sentences(capsys, error, code, sentence):
    assert guarded(raising(error)) == code
    assert capsys.readouterr().err == sentence + "\n"


def test_notes_on_the_way_up_are_said(capsys):
    error = UsageError("disk full")
    error.add_note("kept in x")
    guarded(raising(error))
    assert capsys.readouterr().err == "auditor: disk full; kept in x\n"


def test_debug_shows_where(capsys, monkeypatch):
    monkeypatch.setenv("AUDITOR_DEBUG", "1")
    guarded(raising(KeyError("x")))
    assert "Traceback" in capsys.readouterr().err
    monkeypatch.setenv("AUDITOR_DEBUG", "0")
    guarded(raising(KeyError("x")))
    assert "Traceback" not in capsys.readouterr().err


def test_a_crash_below_a_command_is_one_sentence(run, record, monkeypatch):
    monkeypatch.setattr(app, "check", lambda *_: {}["x"])
    result = run("check", record())
    assert result.exit_code == 2
    assert result.stderr == "auditor: unexpected fault (KeyError: 'x'); AUDITOR_DEBUG=1 shows where\n"


def test_unknown_commands_get_a_hint(run):
    result = run("scna")
    assert result.exit_code == 2
    assert result.stderr == "auditor: there is no command `scna`; did you mean `scan`?\n"


def test_version_and_help(run):
    from auditor import __version__

    assert run("--version").stdout == f"auditor, version {__version__}\n"
    for command in ((), ("scan",), ("check",), ("report",), ("rules",), ("rules", "test"), ("permissions",)):
        result = run(*command, "--help")
        assert result.exit_code == 0
        assert result.stdout.startswith("Usage: ")


def process(*args: str, **options):
    return subprocess.Popen(
        [sys.executable, "-c", "from auditor.cli import main; main()", *args],
        stderr=subprocess.PIPE, text=True, **options,
    )  # fmt: skip


def test_help_loads_nothing_heavy():
    script = (
        "import sys\nfrom auditor.cli import auditor\n"
        "auditor.main(['scan', '--help'], standalone_mode=False)\n"
        "heavy = {'boto3', 'botocore', 'moto', 'rich', 'jmespath'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_reader_that_goes_away_is_no_fault():
    child = process("rules", "list", stdout=subprocess.PIPE)
    child.stdout.close()
    assert child.wait(60) == 0
    assert child.stderr.read() == ""
    child.stderr.close()


@pytest.mark.parametrize("command", [("rules", "list"), ("permissions",), ("--help",)])
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")  # noqa: PTH110
def test_a_full_disk_behind_stdout_is_one_sentence(command):
    with open("/dev/full", "w") as full, process(*command, stdout=full) as child:  # noqa: PTH123
        errors = child.stderr.read()
    assert child.returncode == 2
    assert errors == "auditor: standard output: No space left on device\n"


def test_a_closed_stdout_is_no_fault(tmp_path):
    command = f"exec {shlex.quote(sys.executable)} -c 'from auditor.cli import main; main()' permissions >&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("group", [(), ("rules",)])
def test_without_a_command_the_help_keeps_its_lines(run, group):
    result = run(*group)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == run(*group, "--help").stdout


def test_ctrl_c_while_the_program_loads_is_one_sentence():
    code = (
        "import sys\n"
        "class Stop:\n"
        "    def find_spec(self, name, *rest):\n"
        "        if name == 'click': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Stop())\n"
        "from auditor.__main__ import main\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "auditor: interrupted\n")


def test_a_user_without_a_home_is_told_what_to_do(run, record, tmp_path, monkeypatch):
    def nowhere() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", nowhere)
    result = run("scan", "--demo")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        "auditor: this user has no home directory to keep the recording in: "
        "name another place for it with --save, or set HOME\n"
    )
    assert run("check", record()).exit_code in (0, 1)
    assert run("scan", "--demo", "--save", tmp_path / "r.gz", "--fail-on", "none").exit_code == 0
    assert "unexpected" not in run("permissions", "--missing").stderr
