"""The read-only guard: an operation that is not declared, or is not a read, never leaves this machine.

It sits on every client as a botocore event hook that runs before the request is built, so it also covers a call that a
later change makes past the transport's own interface. It sits on the session as well, for clients that are made from it in
some other way; there it lets botocore's own credential chain sign in.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, Protocol

from ..model.catalogue import all_reads

__all__ = ["Guard", "NotDeclaredError", "check_read_only", "declared_operations"]

READ_PREFIXES = ("Describe", "List", "Get")
Operation = tuple[str, str]
# What botocore's credential chain asks, of a session's own accord, to turn a profile into credentials.
CREDENTIAL_CHAIN: frozenset[Operation] = frozenset(
    {
        ("signin", "CreateOAuth2Token"),
        ("sso", "GetRoleCredentials"),
        ("sso-oidc", "CreateToken"),
        ("sts", "AssumeRole"),
        ("sts", "AssumeRoleWithWebIdentity"),
    }
)


class NotDeclaredError(Exception):
    """A mistake in this program: it tried an operation that no read declares. Nothing was sent."""


class _Client(Protocol):
    @property
    def meta(self) -> Any:
        """The metadata of a botocore client, which holds its event emitter."""


def check_read_only(operation: str) -> None:
    """Refuse the declaration of an operation that is not a read.

    Raises:
        ValueError: the name does not start with Describe, List or Get.
    """
    if not operation.startswith(READ_PREFIXES):
        raise ValueError(f"{operation} is not a read: only {', '.join(READ_PREFIXES)} operations may be declared")


@cache
def declared_operations() -> frozenset[Operation]:
    """Service and operation of every `Read` in `auditor.model`: the whole allow-list."""
    found = frozenset((read.service, read.operation) for read in all_reads())
    for _, operation in found:
        check_read_only(operation)
    return found


class Guard:
    """Refuses every operation outside its allow-list on the clients it watches."""

    def __init__(self, allowed: Iterable[Operation]) -> None:
        self.allowed = frozenset(allowed)
        for _, operation in self.allowed:
            check_read_only(operation)

    def check(self, service: str, operation: str) -> None:
        """Refuse an operation that is not allowed.

        Raises:
            NotDeclaredError: it is not on the list.
        """
        if (service, operation) not in self.allowed:
            raise NotDeclaredError(f"{service}:{operation} is not a declared read; it was not sent")

    def watch(self, client: _Client) -> None:
        """Hook the guard into a botocore client, before every other hook."""
        client.meta.events.register_first("before-parameter-build", self._before)

    def watch_session(self, session: Any) -> None:
        """Hook the guard into a botocore session: into every client that will be made from it, by whomever."""
        session.register("before-parameter-build", self._before_any)

    def _before(self, model: Any, **_: Any) -> None:
        self.check(model.service_model.service_name, model.name)

    def _before_any(self, model: Any, **_: Any) -> None:
        asked = (model.service_model.service_name, model.name)
        if asked not in CREDENTIAL_CHAIN:
            self.check(*asked)


class RoleGuard(Guard):
    """The guard of the one client that may assume the role the user named, and do nothing else."""

    def __init__(self) -> None:
        self.allowed = frozenset({("sts", "AssumeRole")})
