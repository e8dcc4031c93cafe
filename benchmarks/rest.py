"""REST: get, 304, list, search and str-replace at 10,000 items, beside a bare FastAPI route."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from functools import partial
from itertools import count
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import httpx2

from benchmarks.harness import Measured, Subject, interleaved
from benchmarks.load import Site, free_port, hammer, listening
from benchmarks.programs import serve
from benchmarks.report import Result, Table, figures, times
from laconic.stores import By, Database, Draft, Shelf
from tests.components import COMPONENTS
from tests.postgres_server import PostgresServer

__all__ = ["run"]

CLIENTS = (1, 16)
WORKERS = (1, 2)
_ITEMS = 10_000
_MOST = 20_000  # calls per round
_EDIT = b'{"old_str": "END", "new_str": "xEND"}'
_REQUESTS = ("get", "304", "new get", "list", "search", "str-replace")
_Asked = bytes | Callable[[], bytes]
_Calls = dict[str, list[float]]


async def run(quick: bool) -> Result:
    """Start a server for each database and number of workers, and ask each in turn."""
    rounds, seconds, items, many = (1, 0.2, 300, 500) if quick else (5, 0.5, _ITEMS, 50_000)
    async with AsyncExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        sites, lines = await _sites(stack, home, items)
        calls: _Calls = {}
        subjects: dict[str, Subject] = {}
        for clients in CLIENTS:
            for name, site in sites.items():
                for what, line in lines[name].items():
                    subject = f"{what}, {name}, {clients} clients"
                    calls[subject] = []
                    subjects[subject] = partial(_round, site, line, what, clients, seconds, calls[subject])
        found = await interleaved(subjects, rounds)
        grown = _memory(sites["sqlite, 1 workers"], lines["sqlite, 1 workers"]["get"], many)
    return _result(found, calls, list(sites), grown, items, many)


async def _sites(
    stack: AsyncExitStack, home: Path, items: int
) -> tuple[dict[str, Site], dict[str, dict[str, _Asked]]]:
    sites: dict[str, Site] = {}
    lines: dict[str, dict[str, _Asked]] = {}
    databases = {"sqlite": str(home / "library.db")}
    if COMPONENTS["postgres"].find() is not None:
        databases["postgres"] = stack.enter_context(PostgresServer()).new_database()
    body = b""
    for kind, address in databases.items():
        await _fill(address, items)
        for workers in WORKERS:
            port, name = free_port(), f"{kind}, {workers} workers"
            command = serve("prompts", "--http", f"127.0.0.1:{port}", "--workers", str(workers))
            more = {"LACONIC_DATABASE": address}
            sites[name] = await stack.enter_async_context(listening(command, home, port, more))
            read = httpx2.get(f"http://127.0.0.1:{port}/api/prompts/name/item-7", timeout=60)
            body = read.content
            lines[name] = _lines(port, read.json()["id"], read.headers["etag"], items)
    file = home / "body.json"
    file.write_bytes(body)
    for workers in WORKERS:
        port, name = free_port(), f"bare, {workers} workers"
        command = [sys.executable, "-P", "-m", "benchmarks.rest_bare", str(port), str(file), str(workers)]
        sites[name] = await stack.enter_async_context(listening(command, home, port))
        lines[name] = {
            "get": _request(port, "GET", "/item/7"),
            "304": _request(port, "GET", "/item/7", {"If-None-Match": '"same"'}),
        }
    return sites, lines


async def _fill(address: str, items: int) -> None:
    database = Database(address, [Shelf.schema])
    shelf = Shelf(database)
    for start in range(0, items, 500):

        def work(desk: Any, start: int = start) -> None:
            for number in range(start, min(start + 500, items)):
                text = f"Text number {number} about topic{number % 97}.\n" * 20 + "END"
                desk.add(Draft("prompt", f"item-{number}", f"Item {number}", body=text, tags=["bench"]), By())

        await shelf.run(work)
    await database.close()


def _lines(port: int, id: str, etag: str, items: int) -> dict[str, _Asked]:
    item, numbers = f"/api/prompts/{id}", count()
    return {
        "get": _request(port, "GET", item),
        "304": _request(port, "GET", item, {"If-None-Match": etag}),
        "new get": lambda: _request(port, "GET", f"/api/prompts/name/item-{next(numbers) % items}"),
        "list": _request(port, "GET", "/api/prompts/?limit=50"),
        "search": _request(port, "GET", "/api/prompts/?q=topic13&limit=50"),
        "str-replace": _request(port, "PATCH", "/api/prompts/name/item-9/str-replace", body=_EDIT),
    }


def _request(
    port: int, method: str, path: str, headers: Mapping[str, str] | None = None, body: bytes = b""
) -> bytes:
    sent = {"Host": f"127.0.0.1:{port}", "Content-Type": "application/json", "Content-Length": len(body)}
    lines = [f"{name}: {value}" for name, value in {**sent, **(headers or {})}.items()]
    return "\r\n".join([f"{method} {path} HTTP/1.1", *lines, "", ""]).encode() + body


async def _round(
    site: Site, line: _Asked, what: str, clients: int, seconds: float, calls: list[float]
) -> list[float]:
    good = b"HTTP/1.1 304" if what == "304" else b"HTTP/1.1 200"
    rate, took = hammer(site.port, line, clients, seconds, _MOST, good)
    calls += took
    return [1 / rate]


def _memory(site: Site, line: _Asked, many: int) -> float:
    """Return the memory after many requests, by that after a tenth of them."""
    few = many // 10
    hammer(site.port, line, 16, 600, few, b"HTTP/1.1 200")
    before = site.memory
    hammer(site.port, line, 16, 600, many - few, b"HTTP/1.1 200")
    return site.memory / before


def _result(
    found: Mapping[str, Measured], calls: _Calls, names: list[str], grown: float, items: int, many: int
) -> Result:
    rows, baseline = [], {}
    for clients in CLIENTS:
        for name in names:
            for what in _REQUESTS:
                subject = f"{what}, {name}, {clients} clients"
                bare = f"{what.removeprefix('new ')}, bare, {name.partition(', ')[2]}, {clients} clients"
                if subject not in found:
                    continue
                ratio = ""
                if bare in found and subject != bare:
                    baseline[subject] = bare
                    ratio = times(found[subject].over(found[bare]))
                took = calls[subject]
                p95 = quantiles(took, n=20, method="inclusive")[-1]
                cells = [f"{1 / found[subject].median:,.0f}", f"{median(took) * 1e3:.1f}", f"{p95 * 1e3:.1f}"]
                rows.append([subject, *cells, ratio])
    caption = (
        f"Requests over HTTP on loopback at {items:,} prompts, the same raw client for all. *By bare* is the"
        " time of one request by that of a bare FastAPI route with the same bytes and as many workers, in the"
        " same round. All answers but those of str-replace are kept; a *new get* is of an item that nobody"
        " has asked for before, so everything is read for it."
    )
    columns = ["request", "a second", "p50 ms", "p95 ms", "by bare"]
    notes = [f"Resident memory after {many:,} requests is {grown:.3f} of that after {many // 10:,}."]
    kept = figures(found, baseline) | {"memory": grown}
    return Result("rest", [Table(caption, columns, rows)], notes=notes, figures=kept)
