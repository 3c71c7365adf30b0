"""The demo account as a server process: ``python -m auditor.demo.server --port N``, then AWS_ENDPOINT_URL points at it.

It binds to 127.0.0.1 only. Estate and ids are those of the account in process, so both give the same findings.
"""

from __future__ import annotations

import argparse
import contextlib
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence

from ..errors import UsageError
from . import ACCOUNT_ID, REGION, DemoAccount, demo_account

_HOST = "127.0.0.1"
_MISSING = "the demo server needs the extra `demo`: pip install '.[demo]' in the checkout"


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until interrupted; the first line on stdout is the address. Gives the exit code."""
    parser = argparse.ArgumentParser(prog="python -m auditor.demo.server", description="Serve the demo account.")
    parser.add_argument("--port", type=int, default=0, help="port on 127.0.0.1; 0 takes a free one (default)")
    port: int = parser.parse_args(arguments).port
    try:
        _serve(port)
    except UsageError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    except KeyboardInterrupt:
        return 0
    return 0


@contextlib.contextmanager
def server_process(port: int = 0) -> Iterator[DemoAccount]:
    """Run the server in a process of its own for as long as the context lasts.

    Raises:
        UsageError: the server did not start.
    """
    command = [sys.executable, "-m", "auditor.demo.server", "--port", str(port)]
    with (
        tempfile.TemporaryFile(mode="w+") as said,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said, text=True) as process,
    ):
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        if not address:
            process.wait()
            said.seek(0)
            raise UsageError(f"the demo server did not start: {said.read().strip()}")
        try:
            yield DemoAccount(ACCOUNT_ID, REGION, address)
        finally:
            process.terminate()


def _serve(port: int) -> None:
    with demo_account():
        try:
            from moto.moto_server.werkzeug_app import (  # noqa: PLC0415 - the extra may be missing
                DomainDispatcherApplication,
                MotoRequestHandler,
                create_backend_app,
            )
            from werkzeug.serving import make_server  # noqa: PLC0415
        except ImportError as error:
            raise UsageError(_MISSING) from error

        class Quiet(MotoRequestHandler):
            """Serves without a log line for every request; failures still show."""

            def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
                """Say nothing."""

        application = DomainDispatcherApplication(create_backend_app)
        try:
            server = make_server(_HOST, port, application, threaded=True, request_handler=Quiet)
        except (OSError, SystemExit) as error:
            raise UsageError(f"port {port} on {_HOST} cannot be used") from error
        with contextlib.closing(server.socket):
            sys.stdout.write(f"http://{_HOST}:{server.port}\n")
            sys.stdout.flush()
            server.serve_forever()


if __name__ == "__main__":
    sys.exit(main())
