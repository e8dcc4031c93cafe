"""Serves the conformance fixtures: `python -m tests.conformance.server stdio` or `… http PORT`."""

import asyncio
import sys

from laconic.kit import Endpoint
from laconic.kit.wire.http import http_app, serve
from laconic.kit.wire.stdio import serve_stdio
from tests.conformance.fixtures import conformance

HOST = "127.0.0.1"


def main(arguments: list[str]) -> int:
    endpoint = Endpoint([conformance], name="conformance")
    match arguments:
        case ["http", port] if port.isdecimal():
            serve(http_app(endpoint, host=HOST, port=int(port)), HOST, int(port))
        case ["stdio"]:
            asyncio.run(serve_stdio(endpoint))
        case _:
            print("usage: python -m tests.conformance.server stdio | http PORT", file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
