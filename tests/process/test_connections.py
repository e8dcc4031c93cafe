"""`laconic serve --http` against clients that open connections and send too little."""

import json
import re
import select
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.process.speaking import PATIENCE, Web, listening

TOKEN = "a-token-for-the-tests"
BEARER = {"Authorization": f"Bearer {TOKEN}"}
HALF = b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
HALF_BODY = (
    HALF
    + f"Authorization: Bearer {TOKEN}\r\nAccept: application/json, text/event-stream\r\n".encode()
    + b'Content-Length: 1000\r\n\r\n{"jsonrpc"'
)

SLOW = """
import asyncio
from laconic.kit import Toolset

slow = Toolset("slow")

@slow.read
async def slow_read() -> str:
    "Read slowly."
    await asyncio.sleep(12)
    return "Read."
"""


def connected(server: Web) -> socket.socket:
    address = urlsplit(server.url)
    assert address.hostname and address.port
    return socket.create_connection((address.hostname, address.port), timeout=PATIENCE)


@contextmanager
def half_open(server: Web, count: int) -> Iterator[list[socket.socket]]:
    """Connections that have sent half of a request each."""
    with ExitStack() as stack:
        opened = [stack.enter_context(connected(server)) for _ in range(count)]
        for one in opened:
            try:
                one.sendall(HALF)
            except OSError:  # closed already, to make room
                continue
        yield opened


def seconds_of(lines: list[str]) -> set[str]:
    return {json.loads(line)["time"][:19] + str(json.loads(line)["pid"]) for line in lines}


@pytest.mark.parametrize("workers", [1, 2])
def test_a_caller_is_served_while_more_half_open_connections_hang_than_files_are_allowed(
    workspace: Path, workers: int
) -> None:
    words = ("--workers", str(workers))
    with (
        listening(*words, folder=workspace, files=128, LACONIC_TOKEN=TOKEN) as server,
        half_open(server, 160 * workers),
    ):
        for number in range(20):
            made = server.call("memo_create", BEARER, name=f"memo-{number}", title="One", body="x")
            assert f"memo-{number}" in made
        time.sleep(1.5)  # the log comes after a second
        said = server.stderr

    assert "Too many open files" not in said and "Traceback" not in said
    lines = [line for line in said.splitlines() if "HTTP connections closed" in line]
    assert "made room for others" in lines[0]
    assert len(lines) == len(seconds_of(lines)) <= 10 * workers


def test_a_request_that_does_not_arrive_is_given_up(workspace: Path) -> None:
    (workspace / "slow.py").write_text(SLOW, encoding="utf-8")
    with (
        listening("slow:slow", folder=workspace) as server,
        ExitStack() as stack,
    ):
        silent, half, trickle, body, idle = [stack.enter_context(connected(server)) for _ in range(5)]
        half.sendall(HALF)
        body.sendall(HALF_BODY)
        idle.sendall(b"GET /nothing HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        waiting = {silent, half, trickle, body, idle}
        with ThreadPoolExecutor() as pool:
            long = pool.submit(server.call, "slow_read")  # takes longer than a request may take to arrive
            said: dict[socket.socket, bytes] = dict.fromkeys(waiting, b"")
            until = time.monotonic() + PATIENCE
            while waiting:
                assert time.monotonic() < until, "a connection was left open"
                if trickle in waiting:
                    with suppress(OSError):
                        trickle.sendall(b"P")
                for one in select.select(list(waiting), [], [], 0.2)[0]:
                    with suppress(ConnectionResetError):
                        if heard := one.recv(65536):
                            said[one] += heard
                            continue
                    waiting.discard(one)
            assert long.result() == "Read."

        assert said[half].startswith(b"HTTP/1.1 408 ") and said[body].startswith(b"HTTP/1.1 408 ")
        assert said[idle].startswith(b"HTTP/1.1 404 ") and b" 408 " not in said[idle]
        assert "Traceback" not in server.stderr


def test_requests_that_are_not_http_are_logged_once_a_second(workspace: Path) -> None:
    with listening(folder=workspace) as server:
        for _ in range(100):
            with connected(server) as one:
                one.sendall(b"nonsense\r\n\r\n")
                assert one.recv(100).startswith(b"HTTP/1.1 400 ")
        time.sleep(1.5)
        lines = [line for line in server.stderr.splitlines() if "nvalid" in line]

        assert len(lines) == len(seconds_of(lines)) < 10
        assert sum(int(re.findall(r"(\d+) invalid request", line)[0]) for line in lines) == 100
