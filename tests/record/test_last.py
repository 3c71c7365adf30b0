"""What a scan leaves in the state directory."""

from __future__ import annotations

import os
import sys

import pytest

from auditor.record.last import LastScan, recall, remember
from auditor.record.place import state_folder


@pytest.mark.skipif(sys.platform == "win32", reason="modes are of POSIX")
def test_only_the_owner_can_read_it_whatever_the_umask() -> None:
    scan = LastScan(finished="2026-11-30T12:00:00Z", accounts=("123456789012",), denied=("eks:ListClusters",))
    before = os.umask(0)
    try:
        remember(scan)
    finally:
        os.umask(before)
    assert [p.stat().st_mode & 0o777 for p in state_folder().iterdir()] == [0o600]
    assert recall() == scan
