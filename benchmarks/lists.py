"""The tool list: its size on the wire, its cost to a model, and how long a warm one takes."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.harness import Measured, Subject, interleaved
from benchmarks.programs import Program, bare, laconic, serving
from benchmarks.report import Bars, Result, Table, figures, times
from laconic.kit.testing import count_tokens, tool_tokens

__all__ = ["run"]

COUNTS = (20, 250)
_WAYS = {"laconic": "Laconic", "bare": "bare SDK"}


async def run(quick: bool) -> Result:
    """Request the list over stdio repeatedly."""
    rounds, count = (3, 3) if quick else (31, 10)
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        subjects: dict[str, Subject] = {}
        sizes: dict[str, dict[str, int]] = {}
        for number in COUNTS:
            for way, command in _commands(number).items():
                program = stack.enter_context(serving(command, home))
                sizes[f"{way} {number}"] = _size(program.list_tools())
                subjects[f"{way} {number}"] = partial(_listed, program, count)
        found = await interleaved(subjects, rounds)
    return _result(found, sizes)


def _commands(number: int) -> dict[str, list[str]]:
    return {"laconic": laconic(f"tools_{number}"), "bare": bare("stdio", str(number))}


def _size(pages: list[bytes]) -> dict[str, int]:
    tools: list[dict[str, Any]] = [tool for page in pages for tool in json.loads(page)["result"]["tools"]]
    whole = json.dumps(tools, ensure_ascii=False, separators=(",", ":"))
    return {
        "tools": len(tools),
        "pages": len(pages),
        "bytes": sum(len(page) for page in pages),
        "tokens": count_tokens(whole),
        "model": sum(tool_tokens(tool) for tool in tools),
    }


async def _listed(program: Program, count: int) -> list[float]:
    found = []
    for _ in range(count):
        began = perf_counter()
        program.list_tools()
        found.append(perf_counter() - began)
    return found


def _result(found: Mapping[str, Measured], sizes: Mapping[str, Mapping[str, int]]) -> Result:
    rows = []
    for number in COUNTS:
        for way, words in _WAYS.items():
            size, its = sizes[f"{way} {number}"], sizes[f"bare {number}"]
            mine = found[f"{way} {number}"]
            rows.append(
                [
                    f"{number} tools: {words}",
                    f"{size['model']:,}",
                    times(size["model"] / its["model"]),
                    f"{size['model'] / size['tools']:.0f}",
                    f"{size['tokens']:,}",
                    f"{size['bytes']:,}",
                    f"{mine.median * 1e3:.1f}",
                    times(mine.over(found[f"bare {number}"])),
                ]
            )
    columns = [
        "list",
        "tokens for the model",
        "vs bare",
        "per tool",
        "tokens, whole",
        "bytes",
        "ms",
        "vs bare",
    ]
    caption = (
        "The same tools (six parameters each), listed over stdio. *For the model* counts name, description "
        "and input schema; *whole* counts everything that is sent. Tokens are o200k: read them as ratios. "
        "Laconic's list includes what the kit adds: keys for creates, and the tool that reads long answers."
    )
    plot = Bars(
        "bench-lists",
        "Tokens of the tool list for a model",
        "tokens",
        [f"{number} tools" for number in COUNTS],
        {words: [sizes[f"{way} {number}"]["model"] for number in COUNTS] for way, words in _WAYS.items()},
    )
    baseline = {f"laconic {number}": f"bare {number}" for number in COUNTS}
    kept = figures(found, baseline) | {"sizes": {name: dict(size) for name, size in sizes.items()}}
    return Result("lists", [Table(caption, columns, rows)], [plot], figures=kept)
