"""Signing in: the standard credential chain, an optional role, and one clear sentence for everything that goes wrong.

Credentials come from botocore's own chain (environment, profile, SSO, container, instance), never from our own settings.
"""

from __future__ import annotations

import dataclasses
import difflib
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cache
from typing import Any

import botocore
from botocore import exceptions as errors
from botocore.credentials import (
    AssumeRoleCredentialFetcher,
    CredentialProvider,
    CredentialResolver,
    Credentials,
    DeferredRefreshableCredentials,
)
from botocore.loaders import create_loader
from botocore.parsers import ResponseParserError
from botocore.session import Session

from ..errors import UsageError
from ..model.answer import Answer, stamp
from ..model.identity import AccountId, RegionName, arn_part
from ..model.inventory import Scope
from ..model.known import Outcome
from ..model.sts import CALLER_IDENTITY
from .guard import Guard, RoleGuard, declared_operations
from .outcome import EXPIRED_CODES, classify
from .transport import ClientTransport, client_config

__all__ = ["Account", "check_region", "open_account"]

# Signing in answers a person who waits, so it gives up sooner than a scan does.
SIGN_IN_ATTEMPTS = 2
ROLE_SESSION_NAME = "zonal-auditor"
_NO_ANSWER = (errors.ConnectionError, errors.HTTPClientError)


@dataclasses.dataclass(frozen=True, slots=True)
class Account:
    """An account that was signed in to.

    Attributes:
        account_id: the account of the credentials, after any role was assumed.
        partition: ``aws``, ``aws-cn``, ``aws-us-gov`` and so on, from the caller's ARN.
        region: the home region: where account-wide questions are asked.
        caller_arn: the principal that asks.
        transport: makes the calls.
        identity: AWS's answer to who is asking, for the recording.
    """

    account_id: AccountId
    partition: str
    region: RegionName
    caller_arn: str
    transport: ClientTransport
    identity: Answer

    def scopes(self, regions: Iterable[str] = ()) -> tuple[Scope, ...]:
        """Scopes of the named regions, of the home region when none is named; repeats are folded.

        Raises:
            UsageError: a region name that botocore does not know.
        """
        wanted = tuple(dict.fromkeys(regions)) or (self.region,)
        for region in wanted:
            check_region(region)
        return tuple(Scope(self.account_id, RegionName(r)) for r in wanted)


def open_account(
    profile: str | None = None,
    region: str | None = None,
    role_arn: str | None = None,
    external_id: str | None = None,
    endpoint_url: str | None = None,
    *,
    allowed: Iterable[tuple[str, str]] | None = None,
) -> Account:
    """Sign in and learn which account this is (one call: sts GetCallerIdentity).

    Args:
        profile: named profile; None for the chain's own choice (``AWS_PROFILE``).
        region: where to sign in when the session names no region (``AWS_DEFAULT_REGION``, the profile), or one of another
            partition. A region to be read may be closed to the account, so it is not the first choice.
        role_arn: role to assume first; its credentials renew themselves.
        external_id: external ID the role's trust policy asks for.
        endpoint_url: sends every call there; None leaves ``AWS_ENDPOINT_URL`` to botocore.
        allowed: operations the guard lets through; None for every declared read.

    Raises:
        UsageError: no region or an unknown one, no credentials, unknown profile, expired or refused credentials, a role that
            cannot be assumed, or an endpoint that does not answer. The sentence says which.
    """
    if external_id and not role_arn:
        raise UsageError("an external ID is of use only together with a role to assume")
    try:
        session = Session(profile=profile)
        home = _home(session, region)
        if not home:
            raise UsageError("no region: name one with --regions, AWS_DEFAULT_REGION, or in the profile")
        check_region(home)
        if role_arn:
            _take_role(session, home, role_arn, external_id, endpoint_url)
        if session.get_credentials() is None:
            raise UsageError(
                f"the AWS profile {profile!r} gives no credentials"
                if profile
                else "no AWS credentials found: name a profile with --profile, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
            )
        return _sign_in(session, RegionName(home), endpoint_url, declared_operations() if allowed is None else allowed)
    except UsageError:
        raise
    except Exception as error:
        raise UsageError(_sentence(error, profile, role_arn, endpoint_url)) from error


def _home(session: Session, region: str | None) -> str | None:
    own: str | None = session.get_config_variable("region")
    if own is None or region is None:
        return own or region
    for name in (own, region):
        check_region(name)
    same = session.get_partition_for_region(own) == session.get_partition_for_region(region)
    return own if same else region


def check_region(name: str) -> None:
    """Refuse a region name that is in no partition botocore knows.

    Raises:
        UsageError: names the region, and one that is spelt alike.
    """
    known = _regions()
    if name in known:
        return
    alike = difflib.get_close_matches(name, known, n=1)
    hint = f"; did you mean {alike[0]}?" if alike else ""
    raise UsageError(f"{name!r} is not a region that botocore {botocore.__version__} knows{hint}")


@cache
def _regions() -> tuple[str, ...]:
    partitions = create_loader().load_data("partitions")["partitions"]
    return tuple(sorted(r for p in partitions for r in p["regions"] if not r.endswith("-global")))


class _RoleProvider(CredentialProvider):
    """Hands the assumed role's credentials to the session in place of its own chain."""

    METHOD = "assume-role"
    CANONICAL_NAME = "zonal-auditor-role"

    def __init__(self, credentials: Credentials) -> None:
        super().__init__()
        self._credentials = credentials

    def load(self) -> Credentials:
        return self._credentials


def _take_role(session: Session, region: str, role_arn: str, external_id: str | None, endpoint_url: str | None) -> None:
    """Put a role's self-renewing credentials in the session's place; the session's own are only used to assume it."""
    source = session.get_component("credential_provider").load_credentials()
    if source is None:
        return
    guard = RoleGuard()

    def client_for(service: str, **credentials: Any) -> Any:
        client = session.create_client(
            service,  # type: ignore[call-overload,unused-ignore]
            region_name=region,
            endpoint_url=endpoint_url,
            config=client_config(attempts=SIGN_IN_ATTEMPTS),
            **credentials,
        )
        guard.watch(client)
        return client

    extra = {"RoleSessionName": ROLE_SESSION_NAME} | ({"ExternalId": external_id} if external_id else {})
    fetcher = AssumeRoleCredentialFetcher(client_for, source, role_arn, extra_args=extra)
    role = DeferredRefreshableCredentials(fetcher.fetch_credentials, "assume-role")
    session.register_component("credential_provider", CredentialResolver([_RoleProvider(role)]))


def _sign_in(
    session: Session, region: RegionName, endpoint_url: str | None, allowed: Iterable[tuple[str, str]]
) -> Account:
    guard = Guard(allowed)
    began = time.monotonic()
    client: Any = session.create_client(
        "sts",
        region_name=region,
        endpoint_url=endpoint_url,
        config=client_config(attempts=SIGN_IN_ATTEMPTS),
    )
    guard.watch(client)
    response: dict[str, Any] = dict(client.get_caller_identity())
    response.pop("ResponseMetadata", None)
    arn = str(response.get("Arn", ""))
    account_id = str(response.get("Account", ""))
    if not account_id or not arn_part(arn, 1):
        raise UsageError(f"{client.meta.endpoint_url} does not answer as AWS does: it names no account")
    identity = Answer(
        v=1,
        account=account_id,
        region=region,
        service=CALLER_IDENTITY.service,
        operation=CALLER_IDENTITY.operation,
        params={},
        page=1,
        at=stamp(datetime.now(UTC)),
        ms=int((time.monotonic() - began) * 1000),
        response=response,
    )
    transport = ClientTransport(session, guard, endpoint_url=endpoint_url)
    return Account(AccountId(account_id), arn_part(arn, 1), region, arn, transport, identity)


def _sentence(error: Exception, profile: str | None, role_arn: str | None, endpoint_url: str | None) -> str:
    """One sentence a person can act on."""
    if isinstance(error, errors.ProfileNotFound):
        return (
            f"there is no AWS profile named {profile or error.kwargs.get('profile')!r} in the AWS configuration files"
        )
    if isinstance(error, errors.ClientError):
        return _refusal(error, role_arn)
    words = " ".join(str(error).split())
    if isinstance(error, _NO_ANSWER):
        return f"the AWS endpoint{f' {endpoint_url}' if endpoint_url else ''} does not answer: {words}"
    if isinstance(error, errors.SSOError | errors.TokenRetrievalError):
        return f"the AWS single sign-on session cannot be used, sign in again with `aws sso login`: {words}"
    if isinstance(error, errors.NoCredentialsError | errors.PartialCredentialsError | errors.CredentialRetrievalError):
        return f"the AWS credentials cannot be loaded: {words}"
    if isinstance(error, ValueError) and "endpoint" in words.lower():
        return f"the endpoint URL cannot be used: {words}"
    if isinstance(error, ResponseParserError | LookupError | AttributeError):  # botocore stumbles over foreign answers
        return f"the endpoint{f' {endpoint_url}' if endpoint_url else ''} does not answer as AWS does"
    return f"signing in to AWS failed: {words or type(error).__name__}"


def _refusal(error: errors.ClientError, role_arn: str | None) -> str:
    failed = classify(error, service="sts")
    says = f"{failed.message.rstrip('.')} ({failed.code})" if failed.message else failed.code
    if failed.code in EXPIRED_CODES:
        return f"the AWS credentials have expired, get new ones and start again: {says}"
    if error.operation_name == "AssumeRole":
        return f"the role {role_arn} cannot be assumed: {says}"
    if failed.outcome is Outcome.DENIED:
        return f"AWS refused the credentials: {says}"
    return f"AWS did not say whose credentials these are: {says}"
