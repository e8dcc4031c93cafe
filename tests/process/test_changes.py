"""Change notices reach the clients of every process: two on stdio, one on HTTP, two workers, two machines."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.process.speaking import ERAS, LEGACY, MODERN, PATIENCE, Stdio, Web, listening, meta, serving

BOARD = '''
import os
from pathlib import Path
from laconic.kit import Changes, Toolset

board = Toolset("board", "A board.")


@board.resource("note://{name}")
async def note(name: str) -> str:
    """A note."""
    return name


@board.prompt
async def greeting() -> str:
    """Greet."""
    return "Hello."


@board.update
async def note_change(changes: Changes, name: str) -> str:
    """Change a note."""
    await changes.tell("resource", f"note://{name}")
    return str(os.getpid())


@board.update
async def prompt_add(changes: Changes) -> str:
    """Add a prompt."""
    await changes.tell("prompts")
    return str(os.getpid())


@board.update
async def library_add(changes: Changes, folder: str) -> str:
    """Add a prompt to a library of the user's."""
    await changes.of(Path(folder)).tell("prompts")
    return "Added."
'''
UPDATED, LISTED = "notifications/resources/updated", "notifications/prompts/list_changed"


@pytest.fixture
def board(workspace: Path) -> Path:
    return a_board(workspace)


def a_board(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "boards.py").write_text(BOARD, encoding="utf-8")
    return folder


def subscribe(server: Stdio) -> None:
    """Ask for notices, as a client of its era does, and call nothing."""
    if server.era == LEGACY:
        server.ask("resources/subscribe", uri="note://one")
    else:
        wanted = {"promptsListChanged": True, "resourceSubscriptions": ["note://one"]}
        server.send("subscriptions/listen", notifications=wanted)
        assert json.loads(server.line())["method"] == "notifications/subscriptions/acknowledged"


def notice(server: Stdio) -> tuple[str, Any]:
    """The next notice."""
    message = json.loads(server.line())
    return message["method"], message.get("params", {}).get("uri")


@contextmanager
def notices_of(server: Web) -> Iterator[Iterator[str]]:
    """Listen over HTTP; yields the methods of the notices."""
    wanted = {"promptsListChanged": True, "resourceSubscriptions": ["note://one"]}
    method = "subscriptions/listen"
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {"notifications": wanted} | meta(MODERN)}
    accept = "application/json, text/event-stream"
    headers = {"Accept": accept, "MCP-Protocol-Version": MODERN, "Mcp-Method": method}
    with httpx2.stream("POST", server.url, json=body, headers=headers, timeout=PATIENCE) as stream:
        lines = (line for line in stream.iter_lines() if line.startswith("data: {"))
        methods = (json.loads(line.removeprefix("data: "))["method"] for line in lines)
        assert next(methods) == "notifications/subscriptions/acknowledged"
        yield methods


@pytest.mark.parametrize("wire", ["lean", "sdk"])
@pytest.mark.parametrize("era", ERAS)
def test_two_servers_on_stdio(board: Path, era: str, wire: str) -> None:
    hearing = serving("boards:board", folder=board, era=era, LACONIC_WIRE=wire)
    with hearing as one, serving("boards:board", folder=board) as two:
        subscribe(one)
        two.call("note_change", name="other")
        two.call("note_change", name="one")
        two.call("prompt_add")
        assert [notice(one), notice(one)] == [(UPDATED, "note://one"), (LISTED, None)]


def test_other_repositories_hear_only_of_a_library_of_the_user(board: Path, tmp_path: Path) -> None:
    elsewhere, library = a_board(board.parent / "elsewhere"), str(tmp_path / "library")
    with serving("boards:board", folder=board) as one, serving("boards:board", folder=elsewhere) as two:
        subscribe(one)
        one.call("library_add", folder=library)  # opens it
        two.call("note_change", name="one")
        two.call("library_add", folder=library)
        assert notice(one) == (LISTED, None)
        number = one.send("ping")
        assert json.loads(one.line())["id"] == number


def test_a_server_on_stdio_and_one_on_http_hear_of_each_other(board: Path) -> None:
    with listening("boards:board", folder=board) as web, serving("boards:board", folder=board) as stdio:
        web.call("note_change", name="one")  # loads what it needs, so that the next call is quick
        subscribe(stdio)
        web.call("note_change", name="one")
        assert notice(stdio) == (UPDATED, "note://one")
        with notices_of(web) as notices:
            stdio.call("prompt_add")
            assert next(notices) == LISTED


def test_two_workers(board: Path) -> None:
    with listening("boards:board", "--workers", "2", folder=board) as web, notices_of(web) as notices:
        workers = {web.call("prompt_add")}
        calls = 1
        while len(workers) < 2:
            workers.add(web.call("prompt_add"))
            calls += 1
            assert calls < 500
        assert [next(notices) for _ in range(calls)] == [LISTED] * calls


def test_servers_that_share_redis_and_nothing_else(board: Path, redis_url: str) -> None:
    shared = {"LACONIC_STATE": redis_url, "LACONIC_JOURNAL": "off"}  # as on two machines
    elsewhere = a_board(board.parent / "elsewhere")
    with (
        serving("boards:board", folder=board, **shared) as one,
        serving("boards:board", folder=elsewhere, **shared) as two,
    ):
        subscribe(one)
        one.call("prompt_add")
        two.call("note_change", name="one")
        assert notice(one) == (UPDATED, "note://one")


def test_a_notice_that_comes_by_redis_and_by_the_journal_is_sent_once(board: Path, redis_url: str) -> None:
    with (
        serving("boards:board", folder=board, LACONIC_STATE=redis_url) as one,
        serving("boards:board", folder=board, LACONIC_STATE=redis_url) as two,
    ):
        subscribe(one)
        for _ in range(5):
            two.call("note_change", name="one")
        assert [notice(one) for _ in range(5)] == [(UPDATED, "note://one")] * 5
        two.call("prompt_add")
        assert notice(one) == (LISTED, None)


def test_without_a_journal_a_server_tells_its_own_clients(board: Path) -> None:
    with serving("boards:board", "--journal", "off", folder=board) as one:
        number = one.send("tools/call", name="prompt_add", arguments={})
        first, second = json.loads(one.line()), json.loads(one.line())
        assert first["method"] == LISTED and second["id"] == number
