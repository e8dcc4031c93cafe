"""Serves the conformance fixtures: `python -m tests.conformance.server lean`, `… sdk` or `… http PORT`."""

import asyncio
import sys

from laconic.kit import Endpoint, serve, serve_http
from laconic.kit.wire.http import http_app
from laconic.kit.wire.stdio import serve_stdio
from tests.conformance.fixtures import conformance

HOST = "127.0.0.1"


def main(arguments: list[str]) -> int:
    endpoint = Endpoint([conformance])
    match arguments:
        case ["http", port] if port.isdecimal():
            serve_http(http_app(endpoint, host=HOST, port=int(port)), HOST, int(port))
        case ["lean"]:
            serve(conformance)
        case ["sdk"]:
            asyncio.run(serve_stdio(endpoint))
        case _:
            print("usage: python -m tests.conformance.server lean | sdk | http PORT", file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
