"""Calls per second over streamable HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from benchmarks.beside.comparison import BYTES, RATE, Figure, Round
from benchmarks.beside.running import Side
from benchmarks.load import Site, free_port, hammer, listening, request_of
from benchmarks.stdio_servers import ECHO

__all__ = ["rounds"]

_CLIENTS = (1, 16)
_MOST = 5_000  # calls in a round


async def rounds(side: Side) -> Mapping[str, Round]:
    """`echo` on one worker, for a single client and for many."""
    port = free_port()
    command = side.tree.laconic("small", "--http", f"127.0.0.1:{port}", "--concurrency", "64")
    server = listening(command, side.home, port, side.tree.variables)
    site = await side.stack.enter_async_context(server)
    return {
        str(clients): partial(_round, site, clients, 0.2 if side.is_quick else 1.0) for clients in _CLIENTS
    }


async def _round(site: Site, clients: int, seconds: float) -> dict[Figure, float]:
    tool, arguments = ECHO
    line = request_of("tools/call", site.port, name=tool, arguments=arguments)
    rate, _ = hammer(site.port, line, clients, seconds, _MOST)
    words = f"{clients} client{'s' if clients > 1 else ''}"
    return {Figure(f"calls, {words}", RATE): 1 / rate, Figure(f"memory, {words}", BYTES): site.memory}
