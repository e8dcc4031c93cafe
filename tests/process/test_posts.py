"""`laconic serve --http` on either wire: what it collects, and how open subscriptions end."""

import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from tests.process.speaking import MODERN, PATIENCE, Web, listening, meta, result_of

GARBAGE = """
import gc
from laconic.kit import Toolset

garbage = Toolset("garbage")

@garbage.read
async def garbage_frozen() -> str:
    "Say what the collector looks at."
    frozen = gc.get_freeze_count()
    return f"{gc.isenabled()} {frozen > 50_000} {len(gc.get_objects()) < frozen}"
"""


@contextmanager
def subscribed(server: Web) -> Iterator[Iterator[str]]:
    """The data of a stream of change notices."""
    method = "subscriptions/listen"
    params = {"notifications": {"toolsListChanged": True}} | meta(MODERN)
    headers = {
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": MODERN,
        "Mcp-Method": method,
    }
    body = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}
    with httpx2.stream("POST", server.url, json=body, headers=headers, timeout=PATIENCE) as stream:
        yield (line.removeprefix("data: ") for line in stream.iter_lines() if line.startswith("data: "))


@pytest.mark.parametrize("workers", ["1", "2"])
def test_the_collector_leaves_alone_what_was_there_at_the_start(workspace: Path, workers: str) -> None:
    (workspace / "garbage.py").write_text(GARBAGE, encoding="utf-8")
    with listening("garbage:garbage", "--workers", workers, folder=workspace) as server:
        said = {server.call("garbage_frozen") for _ in range(6)}

    assert said == {"True True True"}


@pytest.mark.parametrize("wire", ["lean", "sdk"])
def test_both_wires_serve_the_modern_revision(workspace: Path, wire: str) -> None:
    with listening("--wire", wire, folder=workspace) as server:
        names = [tool["name"] for tool in result_of(server.post("tools/list"))["tools"]]

        assert "memo_list" in names
        assert server.call("memo_list") == "There are no memos."


def test_a_subscription_ends_with_its_result_when_the_server_stops(workspace: Path) -> None:
    with listening(folder=workspace) as server, subscribed(server) as events:
        first = json.loads(next(events))
        server.signal(signal.SIGTERM)
        last = json.loads(list(events)[-1])

        assert server.wait() == 0
        assert "Traceback" not in server.stderr and "Cancel" not in server.stderr
    assert first["method"] == "notifications/subscriptions/acknowledged"
    assert (last["id"], last["result"]["resultType"]) == (7, "complete")
