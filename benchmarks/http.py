"""Calls per second over streamable HTTP, by number of clients and workers."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
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
WAYS = {"laconic": "Laconic", "sdk": "Laconic on the SDK's wire", "bare": "bare SDK"}
_CALL = ("echo", {"text": "hello"})
_MOST = 20_000  # calls per round


@dataclass
class _Cell:
    """One server with one number of clients: the time of every call, and the server's CPU time of one."""

    calls: list[float] = field(default_factory=list)
    work: list[float] = field(default_factory=list)

    @property
    def times(self) -> str:
        """The median and the slowest of a hundred, in milliseconds."""
        return f"{median(self.calls) * 1e3:.1f} / {self.p99 * 1e3:.1f}"

    @property
    def p99(self) -> float:
        """The time that 99 of 100 calls stay below."""
        return quantiles(self.calls, n=100, method="inclusive")[-1]


async def run(quick: bool) -> Result:
    """Start all servers, then call each in turn with a growing number of clients."""
    rounds, seconds = (1, 0.2) if quick else (7, 0.6)
    async with AsyncExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        cells: dict[str, _Cell] = {}
        subjects: dict[str, Subject] = {}
        sites: dict[str, Site] = {}
        for workers in WORKERS:
            for way in WAYS:
                port = free_port()
                server = listening(_command(way, port, workers), home, port)
                sites[f"{way} {workers}"] = await stack.enter_async_context(server)
            for clients in CLIENTS:
                for way in WAYS:  # adjacent, so they run in succession
                    name = _name(way, workers, clients)
                    cell = cells[name] = _Cell()
                    subjects[name] = partial(_round, sites[f"{way} {workers}"], clients, seconds, cell)
        found = await interleaved(subjects, rounds)
        memory = {name: site.memory for name, site in sites.items()}
    return _result(found, cells, memory)


def _name(way: str, workers: int, clients: int) -> str:
    return f"{way}, {workers} workers, {clients} clients"


def _command(way: str, port: int, workers: int) -> list[str]:
    if way == "bare":
        return bare("http", "small", str(port), str(workers))
    wire = ["--wire", "sdk"] if way == "sdk" else []
    address = ["--http", f"127.0.0.1:{port}"]
    return laconic("small", *address, "--workers", str(workers), "--concurrency", "64", *wire)


async def _round(site: Site, clients: int, seconds: float, cell: _Cell) -> list[float]:
    """Return the seconds between two answers: the time of the round divided by its calls."""
    line = request_of("tools/call", site.port, name=_CALL[0], arguments=_CALL[1])
    before = site.work
    rate, calls = hammer(site.port, line, clients, seconds, _MOST)
    cell.work.append((site.work - before) / len(calls))
    cell.calls += calls
    return [1 / rate]


_CAPTION = (
    "`echo` over streamable HTTP on loopback, modern era, the same raw client for all. *By bare* is calls a "
    "second by those of the bare SDK in the same round: the median of the rounds, and the worst. All servers "
    "parse with httptools, which a bare installation of the SDK lacks. uvicorn's own workers leave Nagle's "
    "algorithm on, which delays the end of an answer by 40 ms: the bare server shows it, ours turns it off."
)


def _result(found: Mapping[str, Measured], cells: Mapping[str, _Cell], memory: Mapping[str, int]) -> Result:
    loads = [(workers, clients) for workers in WORKERS for clients in CLIENTS]
    rows = [_row(*load, found, cells) for load in loads]
    labels = [row[0] for row in rows]
    series = {words: [1 / found[_name(way, *load)].median for load in loads] for way, words in WAYS.items()}
    columns = [
        "load",
        "Laconic calls/s",
        "by bare",
        "worst",
        "on the SDK's wire",
        "bare",
        "Laconic ms p50 / p99",
        "bare ms p50 / p99",
        "p99 vs bare",
    ]
    sizes = ", ".join(f"{name} {size / 2**20:.0f} MiB" for name, size in memory.items())
    plot = Bars("bench-http", "Calls per second over HTTP", "calls per second", labels, series)
    baseline = {name: f"bare,{name.partition(',')[2]}" for name in found if not name.startswith("bare")}
    kept = figures(found, baseline) | {"memory": dict(memory)}
    notes = [f"Memory of all processes after the run, by server and workers: {sizes}."]
    tables = [Table(_CAPTION, columns, rows), _scaling(found, cells)]
    return Result("http", tables, [plot], notes, kept)


def _row(
    workers: int, clients: int, found: Mapping[str, Measured], cells: Mapping[str, _Cell]
) -> Sequence[str]:
    ours, sdk, its = (_name(way, workers, clients) for way in WAYS)
    load = f"{_count(workers, 'worker')}, {_count(clients, 'client')}"
    rates = {name: f"{1 / found[name].median:,.0f}" for name in (ours, sdk, its)}
    faster, worst = 1 / found[ours].over(found[its]), 1 / found[ours].worst_over(found[its])
    p99 = cells[ours].p99 / cells[its].p99
    return [
        load,
        rates[ours],
        f"{faster:.2f}",
        f"{worst:.2f}",
        rates[sdk],
        rates[its],
        cells[ours].times,
        cells[its].times,
        f"{p99:.2f}",
    ]


def _scaling(found: Mapping[str, Measured], cells: Mapping[str, _Cell]) -> Table:
    """Return what a second worker brings, and what a call costs the server either way."""
    rows = []
    for clients in CLIENTS[1:]:
        for way, words in WAYS.items():
            one, two = (_name(way, workers, clients) for workers in WORKERS)
            more = 1 / found[two].over(found[one])
            costs = [f"{median(cells[name].work) * 1e6:.0f}" for name in (one, two)]
            rows.append([f"{words}, {_count(clients, 'client')}", f"{more:.2f}", *costs])
    caption = (
        "What a second worker brings, in calls a second by those of one worker. The client and both workers "
        "share two cores, so this cannot reach 2. The CPU time of the server for one call shows what more "
        "cores would bring."
    )
    return Table(caption, ["server", "2 workers by 1", "CPU µs per call, 1 worker", "2 workers"], rows)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' if number > 1 else ''}"
