"""The built-in demo account: an estate on moto in this process, no network and no credentials.

Loading this package needs nothing; moto (extra ``demo``) is loaded when a demo account is opened.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
from collections.abc import Iterator, Mapping

from ..errors import UsageError

ACCOUNT_ID = "123456789012"
REGION = "us-east-1"

# In place of everything that could lead boto3 to a real account, or to the user's own settings.
_ENVIRONMENT: Mapping[str, str] = {
    "AWS_ACCESS_KEY_ID": "testing",
    "AWS_SECRET_ACCESS_KEY": "testing",
    "AWS_SESSION_TOKEN": "testing",
    "AWS_DEFAULT_REGION": REGION,
    "AWS_CONFIG_FILE": os.devnull,
    "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
    "AWS_EC2_METADATA_DISABLED": "true",
    # moto reads a thousand machine images into every region otherwise, which takes longer than the whole demo.
    "MOTO_EC2_LOAD_DEFAULT_AMIS": "false",
}
_PREFIXES = ("AWS_", "MOTO_")
_MISSING = "the demo needs the extra `demo`: pip install '.[demo]' in the checkout"


@dataclasses.dataclass(frozen=True, slots=True)
class DemoAccount:
    """An open demo account.

    Attributes:
        account_id: its id.
        region: the region that holds the estate.
        endpoint_url: where its API answers; None when botocore itself is intercepted in this process.
    """

    account_id: str
    region: str
    endpoint_url: str | None


@contextlib.contextmanager
def demo_account() -> Iterator[DemoAccount]:
    """Open the demo account in this process; within the context every AWS call of botocore's is answered by it.

    Credentials are made up and the user's AWS settings (profile, endpoint, configuration files) play no part; both end
    with the context. Clients must be created inside it. One at a time in a process.

    Raises:
        UsageError: moto is not installed, or another version than the extension was written for.
    """
    with _environment(), _moto_running():
        from .builder import Builder  # noqa: PLC0415 - needs moto
        from .estate import build  # noqa: PLC0415

        build(Builder.open(ACCOUNT_ID, REGION))
        yield DemoAccount(ACCOUNT_ID, REGION, None)


@contextlib.contextmanager
def _moto_running() -> Iterator[None]:
    try:
        from moto import mock_aws  # noqa: PLC0415 - the extra may be missing

        from .extension import contract, hooks  # noqa: PLC0415
    except ImportError as error:
        raise UsageError(_MISSING) from error
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(hooks.installed())
        except contract.MotoMoved as error:
            raise UsageError(str(error)) from error
        stack.enter_context(mock_aws(config={"core": {"mock_credentials": False, "reset_boto3_session": True}}))
        yield


@contextlib.contextmanager
def _environment() -> Iterator[None]:
    """Only the demo's AWS and moto settings in the environment; the user's come back afterwards."""
    kept = {name: value for name, value in os.environ.items() if name.startswith(_PREFIXES)}
    _replace(kept, _ENVIRONMENT)
    try:
        yield
    finally:
        _replace({name: "" for name in os.environ if name.startswith(_PREFIXES)}, kept)


def _replace(old: Mapping[str, str], new: Mapping[str, str]) -> None:
    for name in old:
        del os.environ[name]
    os.environ.update(new)
