"""The one way a call leaves: clients made once and late, every failure a failed call."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import botocore.endpoint
import pytest
from botocore.session import Session

from auditor.aws.guard import Guard, declared_operations
from auditor.aws.outcome import CallFailed
from auditor.aws.transport import ATTEMPTS, ClientTransport
from auditor.model.identity import AccountId, RegionName
from auditor.model.inventory import Scope
from auditor.model.known import Outcome

from .endpoint import Asked, Endpoint, Reply, identity, refusal

SCOPE = Scope(AccountId("123456789012"), RegionName("us-east-1"))
CHINA = Scope(AccountId("123456789012"), RegionName("cn-north-1"))

Serve = Callable[[Callable[[Asked], Reply]], Endpoint]


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    # Retries are waited for in botocore; here nobody needs the rest.
    monkeypatch.setattr(botocore.endpoint.time, "sleep", lambda _: None)
    made: list[Endpoint] = []

    def start(reply: Callable[[Asked], Reply]) -> Endpoint:
        made.append(Endpoint(reply))
        return made[-1]

    yield start
    for endpoint in made:
        endpoint.close()


class CountingSession(Session):
    def __init__(self) -> None:
        super().__init__()
        self.set_credentials("AKIA123456789012FAKE", "secret")
        self.made: list[tuple[str, str]] = []

    def get_available_regions(self, service_name: str, partition_name: str = "aws", **_: object) -> list[str]:  # type: ignore[override]
        """Partition data in which one service is not offered in China, and of another it does not tell."""
        if service_name == "eks":
            return []
        if service_name == "arc-zonal-shift" and partition_name == "aws-cn":
            return []
        return super().get_available_regions(service_name, partition_name)

    def create_client(self, service_name: str, *args: object, **options: object) -> object:  # type: ignore[override]
        self.made.append((service_name, str(options["region_name"])))
        return super().create_client(service_name, *args, **options)  # type: ignore[call-overload]


def transport(url: str) -> tuple[ClientTransport, CountingSession]:
    session = CountingSession()
    return ClientTransport(session, Guard(declared_operations()), endpoint_url=url), session


def failure(made: ClientTransport, scope: Scope, service: str, operation: str) -> CallFailed:
    with pytest.raises(CallFailed) as caught:
        made.call(scope, service, operation, {})
    return caught.value


def test_a_client_is_made_when_it_is_needed_and_only_once(serve: Serve) -> None:
    made, session = transport(serve(lambda _: identity()).url)
    assert session.made == []
    gate = threading.Barrier(8)

    def call(_: int) -> str:
        gate.wait()
        return str(made.call(SCOPE, "sts", "GetCallerIdentity", {})["Account"])

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(call, range(8))) == {"123456789012"}
    assert session.made == [("sts", "us-east-1")]


def test_retries_are_told(serve: Serve) -> None:
    replies = iter([refusal("Throttling", "Rate exceeded", 400), refusal("InternalFailure", "oops", 500), identity()])
    made, _ = transport(serve(lambda _: next(replies)).url)
    assert made.call(SCOPE, "sts", "GetCallerIdentity", {})["ResponseMetadata"]["RetryAttempts"] == 2


def test_a_throttle_for_good_is_given_up(serve: Serve) -> None:
    endpoint = serve(lambda _: refusal("Throttling", "Rate exceeded", 400))
    failed = failure(transport(endpoint.url)[0], SCOPE, "sts", "GetCallerIdentity")
    assert (failed.outcome, failed.code, failed.retries) == (Outcome.THROTTLED, "Throttling", ATTEMPTS - 1)
    assert len(endpoint.asked) == ATTEMPTS


def test_a_refusal_is_not_repeated(serve: Serve) -> None:
    endpoint = serve(lambda _: refusal("AccessDenied", "no"))
    assert failure(transport(endpoint.url)[0], SCOPE, "sts", "GetCallerIdentity").outcome is Outcome.DENIED
    assert len(endpoint.asked) == 1


@pytest.mark.parametrize("body", ["<html>Welcome</html>", "not XML", ""])
def test_a_foreign_answer_is_a_failed_call(serve: Serve, body: str) -> None:
    made, _ = transport(serve(lambda _: Reply(200, body)).url)
    assert failure(made, SCOPE, "sts", "GetCallerIdentity").outcome is Outcome.FAILED


@pytest.mark.parametrize(
    ("scope", "service", "operation", "listed"),
    [
        (SCOPE, "arc-zonal-shift", "ListAutoshifts", True),
        (CHINA, "arc-zonal-shift", "ListAutoshifts", False),
        (CHINA, "eks", "ListClusters", True),
    ],
)
def test_no_route_says_whether_the_service_is_listed_there(
    serve: Serve, scope: Scope, service: str, operation: str, listed: bool
) -> None:
    serve(lambda _: identity())
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    failed = failure(transport(f"http://127.0.0.1:{port}")[0], scope, service, operation)
    assert (failed.code, failed.outcome, failed.status) == ("EndpointConnectionError", Outcome.FAILED, 0)
    assert (failed.suspect, failed.listed) == ("service", listed)
