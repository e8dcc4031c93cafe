"""What the existing system does for each call: read every file and parse its header, here with libyaml."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import yaml

__all__ = ["count_matches", "create", "read_all"]


def read_all(root: Path) -> list[tuple[dict[str, Any], str]]:
    """Read and parse every file: its list, get, search, stats and labels all start with this."""
    found = []
    for path in _paths(root):
        _, header, body = Path(path).read_text(encoding="utf-8").split("---\n", 2)
        found.append((yaml.load(header, Loader=yaml.CSafeLoader), body))
    return found


def count_matches(root: Path, queries: Sequence[str]) -> dict[str, int]:
    """Count the issues whose title, text or labels contain each query: what a complete search finds."""
    counts = dict.fromkeys(queries, 0)
    for header, body in read_all(root):
        texts = (str(header["title"]), " ".join(body.split()), *header["labels"])
        folded = [part.casefold() for part in texts]
        for query in counts:
            counts[query] += any(query.casefold() in part for part in folded)
    return counts


async def create(root: Path) -> list[float]:
    """Time how it creates a file: find the highest number in the names, then write."""
    began = perf_counter()
    names = [Path(path).name for path in _paths(root)]
    number = 1 + max(int(name[4:10]) for name in names if name.startswith("ISS-"))
    path = root / ".wrangler" / "issues" / f"ISS-{number:06d}-by-the-baseline.md"
    path.write_text(f"---\nid: ISS-{number:06d}\ntitle: By the baseline\nlabels: []\n---\nText.\n", "utf-8")
    return [perf_counter() - began]


def _paths(root: Path) -> Iterator[str]:
    for folder, _, names in os.walk(root / ".wrangler"):
        yield from (f"{folder}{os.sep}{name}" for name in names if name.endswith(".md"))
