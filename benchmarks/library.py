"""The library at 10,000 prompts and 10,000 notes: calls beside the bare driver, on SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from benchmarks.harness import Measured, Subject, interleaved
from benchmarks.library_calls import Client, Served
from benchmarks.library_fill import KINDS, copy_into, filled
from benchmarks.library_render import rendering
from benchmarks.library_samples import COMMON, RARE, words_of
from benchmarks.library_start import starting
from benchmarks.library_tokens import lists, task
from benchmarks.report import Result, Table, figures, times
from tests.postgres_server import PostgresServer

__all__ = ["run"]

_WORDS: Final = words_of("prompt")
_SEARCHES: Final = {
    "rare word (1 in 1,000)": RARE,
    "word (1 in 100)": _WORDS[4000],
    "word (1 in 10)": _WORDS[400],
    "two words": f"{_WORDS[300]} {_WORDS[400]}",
    "phrase": f'"{COMMON[0]} {_WORDS[300]}"',
    "part of words": _WORDS[400][1:-1],
    "`{{ tone }}`": "{{ tone }}",
    "`C++`": "C++",
    "two letters": "wu",
    "word (4 in 10)": COMMON[0],
}
_CALLS: Final = ("get", "edit", "list, first page", "list, last page")
_AT_ONCE: Final = 16


async def run(quick: bool) -> Result:
    """Measure everything."""
    count = 200 if quick else 10_000
    file = await filled(count)
    started, starts = await starting(1 if quick else 15)
    tables = [await lists(), await task(), started]
    found: dict[str, Measured] = {}
    baseline: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder, PostgresServer() as server:
        copy = Path(folder) / "library.db"
        shutil.copy(file, copy)
        address = server.new_database()
        await copy_into(address, file)
        for kind, at in (("SQLite", copy), ("PostgreSQL", address)):
            print(f"   {kind}", file=sys.stderr, flush=True)
            measured, over = await _database(kind, at, quick)
            tables += [_search_table(kind, measured), _calls_table(kind, measured)]
            found |= measured
            baseline |= over
    more, rendered = await rendering(*((2, 20) if quick else (15, 100)))
    kept = figures(found | rendered | starts, baseline)
    return Result("library", [*tables, *more], figures=kept)


async def _database(kind: str, at: Path | str, quick: bool) -> tuple[dict[str, Measured], dict[str, str]]:
    served = Served(at)
    names = await served.names(160)
    clients = [Client(served, at, names[place::_AT_ONCE]) for place in range(_AT_ONCE)]
    position = await served.last_position()
    rounds, calls = (1, 1) if quick else (5, 2)
    searches: dict[str, Subject] = {}
    for text in _SEARCHES.values():
        searches[f"{kind}: search {text}"] = partial(_timed, partial(served.search, text, KINDS), calls)
        searches[f"{kind}: LIKE {text}"] = partial(_in_thread, partial(clients[0].bare.like, text, KINDS))
    found = await interleaved(searches, rounds)
    for many in (1, _AT_ONCE):
        subjects: dict[str, Subject] = {}
        for name in _CALLS:
            ours, bare = _works(name, position)
            subjects[f"{kind}: {name}, {many} at once"] = partial(_of_all, ours, clients[:many], calls)
            subjects[f"{kind}: {name}, {many} at once, bare"] = partial(
                _of_threads, bare, clients[:many], calls
            )
        found |= await interleaved(subjects, rounds)
    for client in clients:
        client.bare.close()
    await served.close()
    return found, {name: _baseline(name) for name in found if _baseline(name) in found}


def _baseline(name: str) -> str:
    return name.replace(": search ", ": LIKE ") if ": search " in name else f"{name}, bare"


def _works(
    name: str, position: tuple[Any, ...]
) -> tuple[Callable[[Client], Coroutine[Any, Any, object]], Callable[[Client], object]]:
    """Return what a client does, in our way and by the bare driver."""
    if name == "get":
        return lambda one: one.served.get(one.name()), lambda one: one.bare.get(one.name())
    if name == "edit":
        return lambda one: one.served.edit(one.name()), lambda one: one.bare.edit(one.name())
    place = None if name == "list, first page" else position
    return lambda one: one.served.listed(place), lambda one: one.bare.listed(place)


async def _timed(work: Callable[[], Coroutine[Any, Any, object]], calls: int) -> list[float]:
    found = []
    for _ in range(calls):
        began = time.perf_counter()
        await work()
        found.append(time.perf_counter() - began)
    return found


async def _in_thread(work: Callable[[], object]) -> list[float]:
    """Time one call in a thread, where ours runs too: the processor that both wake may be a slower one."""
    return await _timed(partial(asyncio.to_thread, work), 1)


def _seconds(work: Callable[[], object], calls: int) -> list[float]:
    found = []
    for _ in range(calls):
        began = time.perf_counter()
        work()
        found.append(time.perf_counter() - began)
    return found


async def _of_all(
    work: Callable[[Client], Coroutine[Any, Any, object]], clients: Sequence[Client], calls: int
) -> list[float]:
    found = await asyncio.gather(*(_timed(partial(work, one), calls) for one in clients))
    return [seconds for one in found for seconds in one]


async def _of_threads(work: Callable[[Client], object], clients: Sequence[Client], calls: int) -> list[float]:
    if len(clients) == 1:
        return _seconds(partial(work, clients[0]), calls)
    found = await asyncio.gather(*(asyncio.to_thread(_seconds, partial(work, one), calls) for one in clients))
    return [seconds for one in found for seconds in one]


def _search_table(kind: str, found: dict[str, Measured]) -> Table:
    rows = []
    for name, text in _SEARCHES.items():
        mine, like = found[f"{kind}: search {text}"], found[f"{kind}: LIKE {text}"]
        shares = [1 / mine.over(like), 1 / mine.worst_over(like)]
        rows.append(
            [name, *(f"1/{share:.0f}" if share >= 1.5 else times(1 / share) for share in shares)]
            + [f"{one * 1e3:.1f}" for one in (mine.median, mine.p95, like.median)]
        )
    caption = (
        f"{kind}: the best 50 of what a search finds among 20,000 items, and how many there are, beside one"
        " statement of the bare driver that finds, ranks and counts the same with `LIKE` over the five fields"
        " of the same table. Target: at most 1/20."
    )
    return Table(caption, ["search", "of LIKE", "worst round", "ms", "p95", "LIKE ms"], rows)


def _calls_table(kind: str, found: dict[str, Measured]) -> Table:
    rows = []
    for name in _CALLS:
        for many in (1, _AT_ONCE):
            mine, bare = (
                found[f"{kind}: {name}, {many} at once"],
                found[f"{kind}: {name}, {many} at once, bare"],
            )
            ratios = (mine.over(bare), mine.p95 / bare.p95, mine.worst_over(bare))
            in_ms = (f"{one * 1e3:.1f}" for one in (mine.median, mine.p95))
            rows.append([name, str(many), *map(times, ratios), *in_ms])
    first, last = (found[f"{kind}: list, {which} page, 1 at once"] for which in ("first", "last"))
    caption = (
        f"{kind}: a call of the service beside the fewest statements of the bare driver that do the same; an"
        " edit of ours also reads the prompt, checks the template in a worker, and indexes the text. The last"
        f" page takes {times(last.over(first))} times as long as the first (worst round"
        f" {times(last.worst_over(first))}; target: at most 1.5)."
    )
    columns = ["call", "clients", "vs bare, p50", "vs bare, p95", "worst round", "ms", "p95"]
    return Table(caption, columns, rows)
