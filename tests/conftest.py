"""Every test runs without a network, without real credentials, and without the settings of whoever runs it."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Any

import pytest

for _name in [n for n in os.environ if n.startswith(("AWS_", "AUDITOR_"))]:
    del os.environ[_name]
os.environ |= {"AWS_EC2_METADATA_DISABLED": "true", "MOTO_EC2_LOAD_DEFAULT_AMIS": "false"}

_LOCAL = ("127.", "::1", "localhost")
_connect = socket.socket.connect


def _guarded(self: socket.socket, address: Any) -> Any:
    if isinstance(address, tuple) and not str(address[0]).startswith(_LOCAL):
        raise RuntimeError(f"a test tried to reach {address[0]}: no test needs a network")
    return _connect(self, address)


socket.socket.connect = _guarded  # type: ignore[method-assign,assignment]


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home, a state folder and an AWS configuration of the test's own; no settings file in the working directory."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "state"))
    monkeypatch.setenv("AWS_CONFIG_FILE", str(home / "none"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(home / "none"))
