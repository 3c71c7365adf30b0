"""The one way a call leaves this machine. Nothing above it knows how bytes travel.

Behind it: botocore clients that share one session, hence one data loader, one endpoint resolver and one set of models. They
are made when first needed, because making a client costs more than calling it in a small account.
"""

from __future__ import annotations

import threading
from typing import Any, Protocol

from botocore import xform_name
from botocore.config import Config
from botocore.session import Session

from .. import __version__
from ..model.inventory import Scope
from .guard import Guard, NotDeclaredError
from .outcome import CallFailed, classify

__all__ = ["CONNECTIONS", "ClientTransport", "Transport", "client_config"]

CONNECTIONS = 16
CONNECT_SECONDS = 5
READ_SECONDS = 60
ATTEMPTS = 5


class Transport(Protocol):
    """Anything that can make a call: AWS itself, or a script in a test."""

    def call(self, scope: Scope, service: str, operation: str, params: dict[str, Any]) -> dict[str, Any]:
        """Make one call and return AWS's answer as botocore shapes it; safe to use from several threads.

        Args:
            scope: account and region to call in.
            service: botocore's service name, such as ``elbv2``.
            operation: API operation in AWS's spelling, such as ``DescribeRules``.
            params: request parameters in AWS's spelling.

        Raises:
            CallFailed: AWS refused, or gave no answer.
            NotDeclaredError: the operation is not a declared read; nothing was sent.
        """


def client_config(*, attempts: int = ATTEMPTS) -> Config:
    """How clients behave: standard retries, short to connect, patient to read."""
    return Config(
        connect_timeout=CONNECT_SECONDS,
        read_timeout=READ_SECONDS,
        max_pool_connections=CONNECTIONS,
        parameter_validation=False,
        retries={"mode": "standard", "total_max_attempts": attempts},
        user_agent_extra=f"zonal-auditor/{__version__}",
    )


class ClientTransport:
    """Calls through botocore clients of one session; the guard watches each of them, and the session."""

    def __init__(self, session: Session, guard: Guard, *, endpoint_url: str | None = None) -> None:
        self._session = session
        self._guard = guard
        self._endpoint_url = endpoint_url
        self._config = client_config()
        self._clients: dict[tuple[str, str], Any] = {}
        self._listed: dict[tuple[str, str], bool] = {}
        # botocore sessions are not safe to make clients from in several threads; finished clients are safe to use.
        self._lock = threading.Lock()
        guard.watch_session(session)

    def call(self, scope: Scope, service: str, operation: str, params: dict[str, Any]) -> dict[str, Any]:
        """See `Transport.call`. Everything that goes wrong below this line is a failed call with an outcome."""
        self._guard.check(service, operation)
        try:
            client = self.client(service, scope.region)
            answer: dict[str, Any] = getattr(client, xform_name(operation))(**params)
        except NotDeclaredError:
            raise
        except Exception as error:
            raise self._failed(error, service, scope.region) from error
        return answer

    def client(self, service: str, region: str) -> Any:
        """The guarded client of a service in a region, made when it is first asked for."""
        found = self._clients.get((service, region))
        if found is not None:
            return found
        with self._lock:
            if (service, region) not in self._clients:
                client = self._session.create_client(
                    service,  # type: ignore[call-overload,unused-ignore]
                    region_name=region,
                    endpoint_url=self._endpoint_url,
                    config=self._config,
                )
                self._guard.watch(client)
                self._clients[service, region] = client
            return self._clients[service, region]

    def _failed(self, error: Exception, service: str, region: str) -> CallFailed:
        return classify(error, service=service, listed=self._is_listed(service, region))

    def _is_listed(self, service: str, region: str) -> bool:
        """Whether partition data lists the service there; true when the data lists the service nowhere, so tells nothing."""
        with self._lock:
            if (service, region) not in self._listed:
                everywhere = [
                    listed
                    for partition in self._session.get_available_partitions()
                    for listed in self._session.get_available_regions(service, partition)
                ]
                self._listed[service, region] = not everywhere or region in everywhere
            return self._listed[service, region]
