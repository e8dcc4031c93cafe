"""The check of every file that each call starts with, and a file watcher instead of it."""

from __future__ import annotations

import asyncio
import gc
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter
from typing import Any

from benchmarks.harness import Subject
from benchmarks.programs import memory_of
from laconic.servers.issues.index.layout import Layout
from laconic.servers.issues.index.scan import Tree

__all__ = ["sweeping", "watched"]


def sweeping(root: Path) -> Subject:
    """Return a subject that runs only the check."""
    tree = Tree(Layout.of(root))
    tree.scan({})

    async def round() -> list[float]:
        times = []
        for _ in range(3):
            began = perf_counter()
            tree.scan({})
            times.append(perf_counter() - began)
        return times

    return round


async def watched(root: Path, count: int, writes: int) -> dict[str, Any]:
    """Watch a workspace with watchfiles, write to it, and measure when the watcher reports it."""
    return await asyncio.to_thread(_watched, root, count, writes)


def _watched(root: Path, count: int, writes: int) -> dict[str, Any]:
    from os import getpid

    from watchfiles._rust_notify import RustNotify  # watch() itself cannot be polled

    gc.collect()
    before, began = memory_of(getpid()) or 0, perf_counter()
    watcher = RustNotify([str(root / ".wrangler")], False, False, 300, True, False)
    started, after = perf_counter() - began, memory_of(getpid()) or 0
    files = sorted((root / ".wrangler" / "ideas").glob("*.md"))
    asked, missed, delays = [], 0, []
    try:
        for number in range(writes):
            path = files[number % len(files)]
            path.write_bytes(path.read_bytes())
            wrote = perf_counter()
            news = watcher.watch(1, 1, 1, None)  # the shortest wait it allows, in ms
            asked.append(perf_counter() - wrote)
            missed += not _is_in(path, news)
            while not _is_in(path, news):
                news = watcher.watch(1, 1, 1_000, None)
            delays.append(perf_counter() - wrote)
    finally:
        watcher.close()
    return {
        "files": count,
        "start": started,
        "memory": after - before,
        "ask": median(asked),
        "missed": missed,
        "writes": writes,
        "delay": median(delays),
        "delay p95": quantiles(delays, n=20)[-1],
    }


def _is_in(path: Path, news: Any) -> bool:
    return isinstance(news, set) and any(changed == str(path) for _, changed in news)
