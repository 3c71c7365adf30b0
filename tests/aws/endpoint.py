"""A tiny endpoint that answers whatever a test tells it to, and remembers what it was asked."""

from __future__ import annotations

import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple
from urllib.parse import parse_qsl


class Asked(NamedTuple):
    path: str
    form: dict[str, str]
    headers: dict[str, str]


class Reply(NamedTuple):
    status: int
    body: str
    kind: str = "text/xml"


class Endpoint:
    """Answers on a free port of 127.0.0.1 until it is closed."""

    def __init__(self, reply: Callable[[Asked], Reply]) -> None:
        self.asked: list[Asked] = []
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length") or 0)).decode()
                asked = Asked(self.path, dict(parse_qsl(body)), {k.lower(): v for k, v in self.headers.items()})
                endpoint.asked.append(asked)
                answer = reply(asked)
                data = answer.body.encode()
                self.send_response(answer.status)
                self.send_header("content-type", answer.kind)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_POST = do_GET = _answer

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def identity(account: str = "123456789012", partition: str = "aws", who: str = "user/auditor") -> Reply:
    return Reply(
        200,
        '<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult>'
        f"<Arn>arn:{partition}:iam::{account}:{who}</Arn><UserId>AIDA</UserId><Account>{account}</Account>"
        "</GetCallerIdentityResult><ResponseMetadata><RequestId>r</RequestId></ResponseMetadata>"
        "</GetCallerIdentityResponse>",
    )


def assumed(account: str = "444455556666") -> Reply:
    return Reply(
        200,
        '<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>'
        f"<AccessKeyId>ASIA{account}ROLE</AccessKeyId><SecretAccessKey>s</SecretAccessKey>"
        "<SessionToken>token-of-the-role</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials>"
        f"<AssumedRoleUser><Arn>arn:aws:sts::{account}:assumed-role/r/s</Arn><AssumedRoleId>A:s</AssumedRoleId>"
        "</AssumedRoleUser></AssumeRoleResult></AssumeRoleResponse>",
    )


def refusal(code: str, message: str, status: int = 403) -> Reply:
    return Reply(
        status,
        '<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type>'
        f"<Code>{code}</Code><Message>{message}</Message></Error><RequestId>r</RequestId></ErrorResponse>",
    )
