"""Long answers: the tokens of the first answer and of finding one thing, and whether all of it can be read.

`python -m benchmarks.long_answers STORE COUNT SIZE` keeps that many handles and prints their cost as JSON.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.harness import Measured, Subject, interleaved
from benchmarks.long_texts import DOCUMENT, ITEMS, LIST, section_name
from benchmarks.programs import MODERN, Program, bare, environment, laconic, memory_of, serving
from benchmarks.report import Bars, Result, Table, figures, times
from benchmarks.served import long_toolset
from laconic.kit.errors import NotFound
from laconic.kit.keeping.handles import Handles
from laconic.kit.testing import TestClient, connect, count_tokens
from laconic.stores import open_keyvalue

__all__ = ["run"]

_TEXTS = {"list": LIST, "document": DOCUMENT}
_TITLES = {"list": "a list of 1.5 MB", "document": "a document of 200 pages"}
_HANDLE = re.compile(r"handle='(\w+)'")
_ON = re.compile(r"characters='(\d+)-")
_ITEM = 4_321
_KEPT = 30_000  # characters per handle


@dataclass
class _Way:
    """One way to reach one thing: its calls and tokens after the first answer."""

    name: str
    calls: int
    tokens: int


@dataclass
class _Found:
    """The results for one long answer."""

    whole: int
    first: int
    ways: list[_Way]
    reached: int
    calls: int


async def run(quick: bool) -> Result:
    """Read both answers in every way, time the first answers, and keep ten thousand handles."""
    async with connect(long_toolset(), era=MODERN) as client:
        found = {what: await _read(client, what) for what in _TEXTS}
    measured = await _timed(2 if quick else 15)
    number = 300 if quick else 10_000
    memory = {store: _measure_kept(store, number) for store in ("memory", "sqlite")}
    return _result(found, measured, memory)


async def _timed(rounds: int) -> dict[str, Measured]:
    """Time the first answer over stdio, and a bare server that sends the whole."""
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        subjects: dict[str, Subject] = {}
        for way, command in {"laconic": laconic("long"), "bare": bare("stdio", "long")}.items():
            program = stack.enter_context(serving(command, home, MODERN))
            for what in _TEXTS:
                request = program.request("tools/call", name="long_get", arguments={"what": what})
                subjects[f"{way} {what}"] = partial(_exchanged, program, request)
        return await interleaved(subjects, rounds)


async def _exchanged(program: Program, request: bytes) -> list[float]:
    began = perf_counter()
    program.exchange(request)
    return [perf_counter() - began]


async def _read(client: TestClient, what: str) -> _Found:
    first = await client.call("long_get", what=what)
    match = _HANDLE.search(first.text)
    assert match, "the answer names no handle"
    read = partial(client.call, "read_on", handle=match[1])
    whole = _TEXTS[what]
    reached, calls = await _walk(read)
    if reached != whole:
        raise RuntimeError(f"{what}: {len(reached):,} of {len(whole):,} characters could be read back")
    ways = await (_list_ways(read) if what == "list" else _document_ways(read))
    return _Found(count_tokens(whole), first.tokens, ways, len(reached.encode()), calls)


async def _walk(read: Any) -> tuple[str, int]:
    """Read everything from start to end, as each answer explains how to continue."""
    parts: list[str] = []
    at: str | None = "0"
    while at is not None:
        blocks = [block.text for block in (await read(characters=f"{at}-")).result.content]
        parts.append(blocks[0])
        onward = _ON.search(blocks[1]) if len(blocks) > 1 else None
        at = onward[1] if onward else None
    return "".join(parts), len(parts)


async def _list_ways(read: Any) -> list[_Way]:
    by_number = await read(items=str(_ITEM))
    found = await read(find=f"P-{_ITEM:05d}")
    if f"P-{_ITEM:05d}" not in by_number.text or f"item {_ITEM}" not in found.text:
        raise RuntimeError("the item was not reached")
    return [
        _Way(f"item {_ITEM:,} of {ITEMS:,} by its number", 1, by_number.tokens),
        _Way("the same by its name: find, then the item", 2, found.tokens + by_number.tokens),
    ]


async def _document_ways(read: Any) -> list[_Way]:
    path = section_name(31, 4)
    section = await read(section=path)
    found = await read(find="mark is 3104")
    if "mark is 3104" not in section.text or "Valve 31.4" not in found.text:
        raise RuntimeError("the section was not reached")
    return [
        _Way("one section by its path", 1, section.tokens),
        _Way("the same by its words: find, then the section", 2, found.tokens + section.tokens),
    ]


def _measure_kept(store: str, count: int) -> dict[str, int]:
    """Measure in a separate process, whose memory nothing else uses."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        address = "memory:" if store == "memory" else f"sqlite:{home / 'kept.db'}"
        words = [sys.executable, "-P", "-m", "benchmarks.long_answers", address, str(count), str(_KEPT)]
        done = subprocess.run(
            words, env=environment(home), cwd=home, capture_output=True, text=True, check=True
        )
        kept: dict[str, int] = json.loads(done.stdout)
        kept["file"] = sum(path.stat().st_size for path in home.glob("kept.db*"))
        return kept


async def _keep(address: str, count: int, size: int) -> dict[str, int]:
    """Keep that many texts; return how the memory grew and how many can still be read."""
    handles = Handles(open_keyvalue(address))
    text = "Ten letters " * (size // 12)
    names: list[str] = []
    await handles.keep("local", text, tool="t", subject=None, began=0.0)
    before = memory_of(os.getpid()) or 0
    most = before
    for number in range(count):
        names.append(await handles.keep("local", f"{number} {text}", tool="t", subject=None, began=0.0))
        if number % 100 == 0:
            most = max(most, memory_of(os.getpid()) or 0)
    after = memory_of(os.getpid()) or 0
    return {
        "count": count,
        "size": size,
        "grew": max(most, after) - before,
        "alive": await _alive(handles, names),
    }


async def _alive(handles: Handles, names: list[str]) -> int:
    """Count the handles that are left; the oldest go first, so a binary search finds the boundary."""
    low, high = 0, len(names)
    while low < high:
        middle = (low + high) // 2
        try:
            await handles.open("local", names[middle])
        except NotFound:
            low = middle + 1
        else:
            high = middle
    return len(names) - low


def _result(
    found: Mapping[str, _Found], measured: Mapping[str, Measured], memory: Mapping[str, Mapping[str, int]]
) -> Result:
    rows = []
    for what, one in found.items():
        for way in (_Way("the first answer", 0, 0), *one.ways):
            total = one.first + way.tokens
            rows.append(
                [
                    f"{_TITLES[what]}: {way.name}",
                    str(1 + way.calls),
                    f"{total:,}",
                    f"{way.tokens:,}" if way.calls else "-",
                    f"{total / one.whole:.1%}",
                ]
            )
        rows.append(
            [f"{_TITLES[what]}: all of it, as a thin wrapper sends it", "1", f"{one.whole:,}", "-", "100.0%"]
        )
    columns = ["read", "calls", "tokens in total", "after the first answer", "share of the whole"]
    caption = "What a long answer, and finding one thing in it, costs a model in o200k tokens."
    reach = [
        [
            _TITLES[what],
            f"{one.reached:,}",
            f"{len(_TEXTS[what].encode()):,}",
            str(one.calls),
            _took(measured, what),
        ]
        for what, one in found.items()
    ]
    reached = Table(
        "What reading on returns, compared byte by byte; and the time of the first answer over stdio, "
        "compared with a bare SDK server that sends the whole.",
        ["answer", "bytes read back", "bytes in total", "calls for all of them", "first answer vs bare"],
        reach,
    )
    baseline = {f"laconic {what}": f"bare {what}" for what in _TEXTS}
    kept = figures(measured, baseline) | {
        "reading": {
            what: vars(one) | {"ways": [vars(way) for way in one.ways]} for what, one in found.items()
        },
        "handles": {store: dict(size) for store, size in memory.items()},
    }
    tables = [Table(caption, columns, rows), reached, _memory(memory)]
    return Result("long_answers", tables, [_plot(found)], figures=kept)


def _took(measured: Mapping[str, Measured], what: str) -> str:
    mine, its = measured[f"laconic {what}"], measured[f"bare {what}"]
    return f"{times(mine.over(its))} ({mine.median * 1e3:.0f} ms)"


def _memory(memory: Mapping[str, Mapping[str, int]]) -> Table:
    rows = [
        [
            store,
            f"{size['count']:,}",
            f"{size['count'] * size['size'] / 2**20:,.0f}",
            f"{size['grew'] / 2**20:,.0f}",
            f"{size['file'] / 2**20:,.0f}" if size["file"] else "-",
            f"{size['alive']:,}",
        ]
        for store, size in memory.items()
    ]
    columns = ["store", "handles stored", "MiB stored", "memory grew by MiB", "file MiB", "still there"]
    return Table("Handles stay within the store's limit; the oldest are dropped first.", columns, rows)


def _plot(found: Mapping[str, _Found]) -> Bars:
    series = {
        "the whole": [one.whole for one in found.values()],
        "first answer": [one.first for one in found.values()],
        "and one thing in it": [one.first + one.ways[0].tokens for one in found.values()],
    }
    return Bars(
        "bench-long-answers",
        "Tokens of a long answer",
        "tokens",
        [_TITLES[what] for what in found],
        series,
        is_log=True,
    )


if __name__ == "__main__":
    print(json.dumps(asyncio.run(_keep(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))))
