"""Following `Your first server`: its tests pass, and its server is reached over HTTP with tokens."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from tests.docs.pages import ROOT, Page
from tests.process.speaking import SOURCES, listening, own_file

PAGE = Page(ROOT / "docs" / "first-server.md")
(SHOWN,) = [block.text for block in PAGE.blocks("text")]  # what its client prints


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The folder of somebody who has saved every file of the page."""
    folder = tmp_path / "project"
    folder.mkdir()
    for block in PAGE.blocks():
        if block.file:
            (folder / block.file).write_text(block.text, encoding="utf-8")
    own_file(folder, (folder / "config.toml").read_text(encoding="utf-8"))
    return folder


def python(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, "PYTHONPATH": str(SOURCES), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, *words]
    return subprocess.run(
        command, cwd=folder, env=environ, capture_output=True, text=True, timeout=100, check=False
    )


@pytest.mark.slow
def test_its_tests_pass(project: Path) -> None:
    done = python("-m", "pytest", "-q", "-p", "no:cacheprovider", "test_lending.py", folder=project)

    assert done.returncode == 0, done.stdout
    assert "6 passed" in done.stdout


@pytest.mark.slow
def test_its_client_reaches_its_server_with_the_tokens(project: Path) -> None:
    with listening("lending:lending", folder=project) as server:
        done = python("client.py", server.url, folder=project)

    assert done.stdout == SHOWN, done.stderr


@pytest.mark.slow
def test_its_own_program_serves_the_tools_and_another_route(project: Path) -> None:
    with own_program(project) as url:
        assert httpx2.get(f"{url}/alive").text == "yes"
        assert httpx2.post(f"{url}/mcp", json={}).status_code == 401
        done = python("client.py", f"{url}/mcp", folder=project)
        assert half_a_request(url).startswith(b"HTTP/1.1 408")

    assert done.stdout == SHOWN, done.stderr


def half_a_request(url: str) -> bytes:
    """Send the beginning of a request, and return what the server says to that."""
    host, _, port = url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=30) as connection:
        connection.sendall(b"POST /alive HTTP/1.1\r\nHost: ")
        return connection.recv(100)


IMPATIENT = """
import runpy, sys
from laconic.kit.wire import connections

connections.PATIENCE = 2.0  # seconds
runpy.run_path(sys.argv.pop(1), run_name="__main__")
"""


@contextmanager
def own_program(folder: Path) -> Iterator[str]:
    """The page's last program, on a port that it is given; it does not wait for requests for long."""
    (folder / "impatient.py").write_text(IMPATIENT, encoding="utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environ = {**os.environ, "PYTHONPATH": str(SOURCES)}
    with subprocess.Popen(
        [sys.executable, "impatient.py", "server.py", str(port)],
        cwd=folder,
        env=environ,
        stderr=subprocess.DEVNULL,
    ) as process:
        url, until = f"http://127.0.0.1:{port}", time.monotonic() + 30
        try:
            while True:
                try:
                    httpx2.get(f"{url}/alive")
                    break
                except httpx2.TransportError:
                    assert time.monotonic() < until, "it did not start"
                    time.sleep(0.05)
            yield url
        finally:
            process.terminate()
