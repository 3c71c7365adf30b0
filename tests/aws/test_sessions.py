"""Signing in: the account that comes out of it, and one clear sentence for all that can go wrong."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from auditor.aws import sessions
from auditor.aws.guard import Guard
from auditor.aws.sessions import check_region, open_account
from auditor.errors import EXIT_USAGE, UsageError

from .endpoint import Asked, Endpoint, Reply, assumed, identity, refusal

KEYS = {
    "AWS_ACCESS_KEY_ID": "AKIA123456789012FAKE",
    "AWS_SECRET_ACCESS_KEY": "secret",
    "AWS_DEFAULT_REGION": "us-east-1",
}
ROLE = "arn:aws:iam::444455556666:role/auditor"

Serve = Callable[[Callable[[Asked], Reply]], Endpoint]


@pytest.fixture
def serve() -> Iterator[Serve]:
    open_ones: list[Endpoint] = []

    def start(reply: Callable[[Asked], Reply]) -> Endpoint:
        open_ones.append(Endpoint(reply))
        return open_ones[-1]

    yield start
    for endpoint in open_ones:
        endpoint.close()


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)


def sentence(**options: str) -> str:
    """The sentence signing in fails with; it is one line that ends without a traceback."""
    with pytest.raises(UsageError) as caught:
        open_account(**options)  # type: ignore[arg-type]
    assert caught.value.exit_code == EXIT_USAGE
    assert "\n" not in str(caught.value)
    return str(caught.value)


def closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def test_the_account_is_the_one_of_the_credentials(serve: Serve) -> None:
    endpoint = serve(lambda _: identity(partition="aws-cn"))
    account = open_account(region="cn-north-1", endpoint_url=endpoint.url)
    assert (account.account_id, account.partition, account.region) == ("123456789012", "aws-cn", "cn-north-1")
    assert account.caller_arn == "arn:aws-cn:iam::123456789012:user/auditor"
    assert account.identity.response is not None
    assert account.identity.response["Account"] == "123456789012"
    assert [a.form["Action"] for a in endpoint.asked] == ["GetCallerIdentity"]
    assert "/cn-north-1/sts/" in endpoint.asked[0].headers["authorization"]
    assert "zonal-auditor/" in endpoint.asked[0].headers["user-agent"]


def test_the_endpoint_may_come_from_the_environment(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", serve(lambda _: identity()).url)
    assert open_account().account_id == "123456789012"


def test_a_role_is_assumed_with_the_own_credentials_and_used_for_the_rest(serve: Serve) -> None:
    def reply(asked: Asked) -> Reply:
        return assumed() if asked.form["Action"] == "AssumeRole" else identity("444455556666")

    endpoint = serve(reply)
    account = open_account(role_arn=ROLE, external_id="ticket", endpoint_url=endpoint.url)
    first, second = endpoint.asked
    assert account.account_id == "444455556666"
    assert (first.form["RoleArn"], first.form["ExternalId"]) == (ROLE, "ticket")
    assert KEYS["AWS_ACCESS_KEY_ID"] in first.headers["authorization"]
    assert second.headers["x-amz-security-token"] == "token-of-the-role"


def test_the_guard_also_watches_the_clients_that_sign_in(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    endpoint = serve(lambda _: assumed())
    with pytest.raises(UsageError, match="sts:GetCallerIdentity is not a declared read"):
        open_account(endpoint_url=endpoint.url, allowed=[])
    monkeypatch.setattr(sessions, "RoleGuard", lambda: Guard([]))
    with pytest.raises(UsageError, match="sts:AssumeRole is not a declared read"):
        open_account(role_arn=ROLE, endpoint_url=endpoint.url)
    assert endpoint.asked == []


def test_scopes_are_of_the_home_region_unless_others_are_named(serve: Serve) -> None:
    account = open_account(endpoint_url=serve(lambda _: identity()).url)
    assert [s.region for s in account.scopes()] == ["us-east-1"]
    assert [s.region for s in account.scopes(["eu-west-1", "us-east-1", "eu-west-1"])] == ["eu-west-1", "us-east-1"]
    with pytest.raises(UsageError, match="'eu-west-9' is not a region"):
        account.scopes(["eu-west-9"])


def test_no_region(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    assert sentence().startswith("no region: name one with --regions")


def test_a_region_of_the_profile_counts(serve: Serve, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    config = tmp_path / "config"
    keys = "aws_access_key_id = AKIA123456789012FAKE\naws_secret_access_key = secret\n"
    config.write_text(f"[profile audit]\nregion = eu-central-1\n{keys}[profile bare]\nregion = eu-central-1\n")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(config))
    account = open_account("audit", endpoint_url=serve(lambda _: identity()).url)
    assert account.region == "eu-central-1"
    assert sentence(profile="bare") == "the AWS profile 'bare' gives no credentials"


def test_an_unknown_region_is_named_with_one_that_is_spelt_alike() -> None:
    said = sentence(region="eu-wesst-1")
    assert said.startswith("'eu-wesst-1' is not a region")
    assert said.endswith("did you mean eu-west-1?")
    with pytest.raises(UsageError, match="'aws-global' is not a region"):
        check_region("aws-global")


@pytest.mark.parametrize("region", ["us-east-1", "cn-north-1", "us-gov-west-1", "eusc-de-east-1", "il-central-1"])
def test_regions_of_every_partition_are_known(region: str) -> None:
    check_region(region)


def test_no_credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    assert sentence().startswith("no AWS credentials found: name a profile with --profile")
    assert sentence(role_arn=ROLE).startswith("no AWS credentials found")


def test_half_of_the_credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    assert sentence().startswith("the AWS credentials cannot be loaded")


def test_an_unknown_profile(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sentence(profile="nobody") == "there is no AWS profile named 'nobody' in the AWS configuration files"
    monkeypatch.setenv("AWS_PROFILE", "noone")
    assert sentence() == "there is no AWS profile named 'noone' in the AWS configuration files"


def test_an_external_id_needs_a_role() -> None:
    assert "together with a role" in sentence(external_id="x")


@pytest.mark.parametrize(
    ("reply", "starts"),
    [
        (refusal("ExpiredToken", "The security token has expired."), "the AWS credentials have expired"),
        (refusal("InvalidClientTokenId", "The token is invalid."), "AWS refused the credentials: The token is invalid"),
        (refusal("SignatureDoesNotMatch", "No match."), "AWS refused the credentials"),
        (refusal("AccessDenied", "explicit deny"), "AWS refused the credentials"),
        (refusal("ValidationError", "odd", 400), "AWS did not say whose credentials these are"),
        (Reply(200, "<html>Welcome</html>"), "the endpoint http://127.0.0.1:"),
        (Reply(200, "not even XML"), "the endpoint http://127.0.0.1:"),
    ],
    ids=["expired", "unknown key", "wrong secret", "denied", "odd", "a web site", "not xml"],
)
def test_refused_and_strange_answers(serve: Serve, reply: Reply, starts: str) -> None:
    assert sentence(endpoint_url=serve(lambda _: reply).url).startswith(starts)


def test_a_role_that_cannot_be_assumed(serve: Serve) -> None:
    endpoint = serve(lambda _: refusal("AccessDenied", "User is not authorized to perform: sts:AssumeRole"))
    assert sentence(role_arn=ROLE, endpoint_url=endpoint.url).startswith(
        f"the role {ROLE} cannot be assumed: User is not"
    )
    assert {a.form["Action"] for a in endpoint.asked} == {"AssumeRole"}


def test_expired_credentials_are_not_taken_for_a_bad_role(serve: Serve) -> None:
    endpoint = serve(lambda _: refusal("ExpiredToken", "expired"))
    assert sentence(role_arn=ROLE, endpoint_url=endpoint.url).startswith("the AWS credentials have expired")


def test_an_endpoint_that_does_not_answer() -> None:
    url = f"http://127.0.0.1:{closed_port()}"
    assert sentence(endpoint_url=url).startswith(f"the AWS endpoint {url} does not answer")


def test_an_endpoint_that_is_no_url() -> None:
    assert sentence(endpoint_url="nowhere").startswith("the endpoint URL cannot be used")


def test_no_secret_is_ever_said(serve: Serve) -> None:
    endpoint = serve(lambda _: refusal("InvalidClientTokenId", "bad"))
    assert "secret" not in sentence(endpoint_url=endpoint.url)
