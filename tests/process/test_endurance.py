"""Endurance: after many mixed calls a server needs no more memory, files or disk than after few.

A short run is part of every test run; scripts/soak makes a long one. A leak shows as a slope: from a tenth of
the calls on, memory may grow by so many bytes a call, and open files not at all.
"""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from statistics import linear_regression
from typing import Any

import httpx2
import pytest

from tests.chance import is_soaking
from tests.process.speaking import CLIENT, MODERN, Server, listening, serving

Call = Callable[[str, dict[str, Any]], str]

CALLS = {"stdio": 200_000, "http": 50_000} if is_soaking() else {"stdio": 1_500, "http": 500}
SLOPE = 64 if is_soaking() else 4_096  # bytes a call: short runs are still filling caches of a fixed size
MOST_LOG = 24 << 20  # bytes of a write-ahead log and of what several writers add before it is looked at

pytestmark = [
    pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc"),
    pytest.mark.timeout(3600 if is_soaking() else 300),
]


@contextmanager
def on_stdio(folder: Path) -> Iterator[tuple[Server, Call]]:
    with serving("example", "issues", folder=folder, era=MODERN) as server:
        yield (
            server,
            lambda tool, arguments: json.dumps(server.ask("tools/call", name=tool, arguments=arguments)),
        )


@contextmanager
def on_http(folder: Path) -> Iterator[tuple[Server, Call]]:
    about = {"protocolVersion": MODERN, "clientCapabilities": {}, "clientInfo": CLIENT}
    meta = {f"io.modelcontextprotocol/{name}": value for name, value in about.items()}
    with (
        listening("example", "issues", "--concurrency", "64", folder=folder) as server,
        httpx2.Client(timeout=60) as client,
    ):

        def call(tool: str, arguments: dict[str, Any]) -> str:
            params = {"name": tool, "arguments": arguments, "_meta": meta}
            headers = {
                "Accept": "application/json, text/event-stream",
                "MCP-Protocol-Version": MODERN,
                "Mcp-Method": "tools/call",
                "Mcp-Name": tool,
            }
            body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
            return client.post(server.url, json=body, headers=headers).raise_for_status().text

        yield server, call


def mixed(numbers: Iterator[int]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Reads and writes, answers that are kept aside, keys, searches, and mistakes."""
    for number in numbers:
        yield "memo_list", {"limit": 5}
        yield "memo_list", {"limit": "many"}
        yield "issues_list", {"limit": 20}
        yield "issues_get", {"id": "ISS-000001"}
        yield "issues_get", {"id": f"ISS-{number % 999 + 9000}"}
        yield "issues_search", {"query": f"word-{number % 50}"}
        yield "issues_update", {"id": "ISS-000002", "description": f"Text {number}. " + "long " * 400}
        yield "issues_stats", {}
        yield "issues_update", {"id": "ISS-000003", "title": f"Title {number}"}
        yield "issues_get", {"number": number}


def measures(server: Server, folder: Path) -> tuple[int, int, int]:
    """Resident bytes, open files, and the largest write-ahead log."""
    process = Path(f"/proc/{server.process.pid}")
    pages = int((process / "statm").read_text().split()[1])
    logs = [path.stat().st_size for path in folder.parent.rglob("*-wal")]
    return pages * os.sysconf("SC_PAGE_SIZE"), len(list((process / "fd").iterdir())), max(logs, default=0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    issues = tmp_path / "project/.wrangler/issues"
    issues.mkdir(parents=True)
    for number in range(1, 41):
        text = f"---\nid: ISS-{number:06}\ntitle: Issue {number}\nstatus: open\n---\nword-{number}\n"
        (issues / f"ISS-{number:06}-issue.md").write_text(text)
    return tmp_path / "project"


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_many_mixed_calls_leave_a_server_as_it_was(transport: str, folder: Path) -> None:
    total = CALLS[transport]
    calls, every = mixed(count()), total // 50
    found: list[tuple[int, int, int]] = []
    with (on_stdio if transport == "stdio" else on_http)(folder) as (server, call):
        for number in range(total):
            answer = call(*next(calls))
            assert "Internal" not in answer, answer
            if number >= total // 10 and number % every == 0:
                found.append(measures(server, folder))
    memory, files, logs = zip(*found, strict=True)
    slope, _ = linear_regression([every * place for place in range(len(memory))], memory)

    assert slope < SLOPE, f"{slope:.0f} bytes a call: {[size >> 10 for size in memory]} KiB"
    assert max(files[len(files) // 2 :]) <= max(files[: len(files) // 2]) + 2, files
    assert max(logs) < MOST_LOG
