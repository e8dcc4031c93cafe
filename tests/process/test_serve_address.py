"""`laconic serve --http` prints its address on stderr: for a person, or as one line of the log."""

import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from laconic.cli.install.hosts import HOSTS
from tests.process.speaking import COMMAND, PATIENCE, Server, environment

ADDRESS = r"http://127\.0\.0\.1:[1-9]\d*/mcp"


@contextmanager
def listening(*words: str, folder: Path) -> Iterator[Server]:
    """A server that was started without --verbose, as soon as it has printed a whole line."""
    server = Server("--http", "127.0.0.1:0", *words, folder=folder)
    try:
        until = time.monotonic() + PATIENCE
        while "\n" not in server.stderr:
            assert server.process.poll() is None and time.monotonic() < until, server.stderr
            time.sleep(0.001)
        yield server
        server.signal(signal.SIGTERM)
        server.wait()
    finally:
        server.leave()


def test_elsewhere_the_address_is_one_line_of_the_json_log(workspace: Path) -> None:
    with listening(folder=workspace) as server:
        line = json.loads(server.stderr)

        assert re.fullmatch(ADDRESS, line["address"])
        assert line["message"] == f"Serving example (6 tools) for {workspace} at {line['address']}"
        assert (line["level"], line["logger"]) == ("info", "laconic.serve")
        assert httpx2.get(line["address"], timeout=PATIENCE).status_code < 500  # connects at once
        assert server.stderr.count("\n") == 1


def test_every_line_stays_json_with_verbose_and_workers(workspace: Path) -> None:
    with listening("--workers", "2", "--verbose", folder=workspace) as server:
        until = time.monotonic() + PATIENCE
        while server.stderr.count("startup complete") < 2:
            assert time.monotonic() < until, server.stderr
            time.sleep(0.02)
        lines = [json.loads(line) for line in server.stderr.splitlines()]

    assert [bool(re.fullmatch(ADDRESS, line["address"])) for line in lines if "address" in line] == [True]


def test_a_log_for_people_has_a_plain_line(workspace: Path) -> None:
    with listening("--log", "human", folder=workspace) as server:
        said = server.stderr

    assert re.fullmatch(rf"\d\d:\d\d:\d\d Serving example \(6 tools\) for .* at {ADDRESS}\n", said)


def shown(workspace: Path, *words: str, lines: int) -> list[str]:
    """The first lines of a server on a terminal, which is then stopped."""
    terminal, end = os.openpty()
    server = subprocess.Popen(
        [*COMMAND, "serve", *words],
        cwd=workspace,
        env=environment(workspace.parent / "home"),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=end,
    )
    os.close(end)
    try:
        said = b""
        while said.count(b"\n") < lines:
            assert select.select([terminal], [], [], PATIENCE)[0], said
            said += os.read(terminal, 4096)
        return said.decode().splitlines()
    finally:
        server.terminate()
        server.wait(PATIENCE)
        assert server.stdin is not None
        server.stdin.close()
        os.close(terminal)


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
def test_on_a_terminal_a_person_is_told_how_to_connect(workspace: Path) -> None:
    first, connect, stop = shown(workspace, "--http", "127.0.0.1:0", lines=3)

    address = first.rpartition(" at ")[2]
    assert re.fullmatch(ADDRESS, address)
    assert connect == f"Connect a host: claude mcp add --transport http laconic {address}"
    assert stop == "Stop: Ctrl-C."


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
def test_a_json_log_stays_json_on_a_terminal(workspace: Path) -> None:
    (line,) = shown(workspace, "--http", "127.0.0.1:0", "--log", "json", lines=1)

    assert re.fullmatch(ADDRESS, json.loads(line)["address"])


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
def test_the_greeting_names_every_host(workspace: Path) -> None:
    connect = shown(workspace, lines=3)[1]

    assert [word for word in re.findall(r"[a-z-]+", connect) if word in HOSTS] == list(HOSTS)


STOPPED_EARLY = """
import os, signal
from laconic.cli.main import main
from laconic.kit.wire.loops import LastingLoop

def run_forever(loop, really=LastingLoop.run_forever):
    LastingLoop.run_forever = really
    os.kill(os.getpid(), signal.SIGTERM)
    really(loop)

LastingLoop.run_forever = run_forever
main(["serve", "--http", "127.0.0.1:0"])
"""


def test_a_signal_right_after_the_address_stops_the_server(workspace: Path) -> None:
    server = subprocess.run(
        [sys.executable, "-P", "-c", STOPPED_EARLY],
        cwd=workspace,
        env=environment(workspace.parent / "home"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )

    assert (server.returncode, server.stderr.count("\n")) == (0, 1), server.stderr
