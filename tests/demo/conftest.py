from __future__ import annotations

from collections.abc import Iterator

import pytest

from auditor.demo import DemoAccount, demo_account

from .reading import Reader


@pytest.fixture(scope="module")
def account() -> Iterator[DemoAccount]:
    """The demo account, shared by the tests of a module that only read it."""
    with demo_account() as opened:
        yield opened


@pytest.fixture(scope="module")
def reader(account: DemoAccount) -> Reader:
    return Reader(account)
