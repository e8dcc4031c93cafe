"""Calls per second over streamable HTTP, by number of clients and workers."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median, quantiles

from benchmarks.harness import Measured, Subject, interleaved
from benchmarks.load import Site, free_port, hammer, listening, request_of
from benchmarks.programs import bare, laconic
from benchmarks.report import Bars, Result, Table, figures

__all__ = ["run"]

CLIENTS = (1, 16, 64)
WORKERS = (1, 2)
_CALL = ("echo", {"text": "hello"})
_MOST = 5_000  # calls per round


@dataclass
class _Cell:
    """One server with one number of clients: calls per second by round, and the time of every call."""

    rates: list[float] = field(default_factory=list)
    calls: list[float] = field(default_factory=list)


async def run(quick: bool) -> Result:
    """Start all servers, then call each in turn with a growing number of clients."""
    rounds, seconds = (1, 0.5) if quick else (9, 1.5)
    async with AsyncExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        cells: dict[str, _Cell] = {}
        subjects: dict[str, Subject] = {}
        sites: dict[str, Site] = {}
        for workers in WORKERS:
            for way in ("laconic", "bare"):
                port = free_port()
                server = listening(_command(way, port, workers), home, port)
                sites[f"{way} {workers}"] = await stack.enter_async_context(server)
            for clients in CLIENTS:
                for way in ("laconic", "bare"):  # adjacent, so they run in succession
                    name = f"{way}, {workers} workers, {clients} clients"
                    cell = cells[name] = _Cell()
                    port = sites[f"{way} {workers}"].port
                    subjects[name] = partial(_round, port, clients, seconds, cell)
        found = await interleaved(subjects, rounds)
        memory = {name: site.memory for name, site in sites.items()}
    return _result(found, cells, memory)


def _command(way: str, port: int, workers: int) -> list[str]:
    if way == "bare":
        return bare("http", "small", str(port), str(workers))
    return laconic("small", "--http", f"127.0.0.1:{port}", "--workers", str(workers), "--concurrency", "64")


async def _round(port: int, clients: int, seconds: float, cell: _Cell) -> list[float]:
    """Return the seconds a call costs the server: the time of the round divided by its calls."""
    line = request_of("tools/call", port, name=_CALL[0], arguments=_CALL[1])
    rate, calls = await hammer(port, line, clients, seconds, _MOST)
    cell.rates.append(rate)
    cell.calls += calls
    return [1 / rate]


def _result(found: Mapping[str, Measured], cells: Mapping[str, _Cell], memory: Mapping[str, int]) -> Result:
    rows, labels = [], []
    series: dict[str, list[float]] = {"Laconic": [], "bare SDK": []}
    for workers in WORKERS:
        for clients in CLIENTS:
            ours, its = (f"{way}, {workers} workers, {clients} clients" for way in ("laconic", "bare"))
            label = (
                f"{workers} worker{'s' if workers > 1 else ''}, {clients} client{'s' if clients > 1 else ''}"
            )
            labels.append(label)
            series["Laconic"].append(1 / found[ours].median)
            series["bare SDK"].append(1 / found[its].median)
            rows.append(
                [
                    label,
                    f"{1 / found[ours].median:,.0f}",
                    f"{1 / found[its].median:,.0f}",
                    f"{found[ours].over(found[its]):.2f}",
                    f"{median(cells[ours].calls) * 1e3:.1f} / {_p95(cells[ours].calls) * 1e3:.1f}",
                    f"{median(cells[its].calls) * 1e3:.1f} / {_p95(cells[its].calls) * 1e3:.1f}",
                ]
            )
    columns = [
        "load",
        "Laconic calls/s",
        "bare calls/s",
        "cost vs bare",
        "Laconic ms p50 / p95",
        "bare ms p50 / p95",
    ]
    caption = (
        "`echo` over streamable HTTP on loopback, modern era, the same raw client for both. *Cost* is the "
        "server's time per call, compared with the bare SDK's. The client is a process on the same two "
        "cores, so two workers cannot be twice as fast here. uvicorn's own workers leave Nagle's algorithm "
        "on, which delays the end of an answer to a single client by 40 ms: the bare server shows it, ours "
        "turns it off."
    )
    sizes = ", ".join(f"{name} {size / 2**20:.0f} MiB" for name, size in memory.items())
    plot = Bars("bench-http", "Calls per second over HTTP", "calls per second", labels, series)
    baseline = {name: name.replace("laconic", "bare", 1) for name in found if name.startswith("laconic")}
    kept = figures(found, baseline) | {"memory": dict(memory)}
    notes = [f"Memory of all processes after the run, by server and workers: {sizes}."]
    return Result("http", [Table(caption, columns, rows)], [plot], notes, kept)


def _p95(calls: list[float]) -> float:
    return quantiles(calls, n=20, method="inclusive")[-1]
