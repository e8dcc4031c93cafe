"""What benchmarks of servers with an upstream share: the practice instance as a process, bare requests."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import httpx2
import uvicorn

from benchmarks.harness import Measured
from benchmarks.programs import ROOT
from benchmarks.report import Table, times
from laconic.kit import Endpoint
from laconic.kit.peer import SilentPeer

__all__ = ["beside_bare", "call", "got", "serve", "served"]


async def serve(app: Any) -> None:
    """Serve an application on a free port, which is printed, until the process is ended."""
    config = uvicorn.Config(app, host="127.0.0.1", port=0, log_config=None, lifespan="off", ws="none")
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110  # uvicorn has no event for it
        await asyncio.sleep(0.01)
    print(server.servers[0].sockets[0].getsockname()[1], flush=True)
    await serving


@contextmanager
def served(module: str, *words: str) -> Iterator[str]:
    """Run a module that serves in a process of its own; its address."""
    command = [sys.executable, "-m", module, *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        finally:
            process.kill()


async def call(endpoint: Endpoint, tool: str, **given: Any) -> str:
    """Call a tool, which must not fail."""
    answer = await endpoint.call_tool(tool, given, SilentPeer())
    assert answer.failure is None, answer.text
    return answer.text


async def got(client: httpx2.AsyncClient, path: str) -> Any:
    """Send a bare request, and return its data."""
    response = await client.get(path)
    response.raise_for_status()
    return response.json()


def beside_bare(found: Mapping[str, Measured], baseline: Mapping[str, str]) -> Table:
    """Return the table of calls, each beside its bare request."""
    rows = [
        [name, times(found[name].over(found[its])), times(found[name].worst_over(found[its]))]
        + [f"{one * 1e3:.1f}" for one in (found[name].median, found[name].p95)]
        for name, its in baseline.items()
    ]
    caption = (
        "A call beside a bare request for the same on loopback; the practice instance is another process."
    )
    return Table(caption, ["call", "vs bare httpx2", "worst round", "median ms", "p95 ms"], rows)
