"""`scripts/bench [--beside VERSION] [--files N] [--quick] [NAME…]`: run benchmarks, keep the figures."""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from importlib import import_module
from typing import Any

from benchmarks import baseline
from benchmarks.beside import running
from benchmarks.report import Result, write

NAMES = (
    "calls",
    "steps",
    "journal",
    "replay",
    "start",
    "lists",
    "declaring",
    "finding",
    "http",
    "stdio",
    "long_answers",
    "databases",
    "issues",
    "upstream",
    "taiga",
    "library",
    "rest",
    "google",
)
_Run = Callable[[str, bool], Coroutine[Any, Any, Result]]


def main() -> int:
    """Run those named, or all."""
    parser = _parser()
    given = parser.parse_args()
    known = NAMES if given.beside is None else running.NAMES
    if unknown := [name for name in given.names if name not in known]:
        kind = "benchmark" if given.beside is None else "benchmark of two versions"
        parser.error(f"no {kind} is called {unknown[0]}; there are {', '.join(known)}")
    try:
        run = partial(_alone, given.files) if given.beside is None else _beside(given.beside, given.files)
    except baseline.Unavailable as reason:
        print(f"scripts/bench: {reason}", file=sys.stderr)
        return 2
    is_usual = given.beside is not None or not given.files
    _run_all(run, given.names or known, given.quick, is_kept=is_usual and not given.quick)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/bench",
        description="What Laconic costs: beside the bare SDK, or beside an earlier version of itself.",
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"which of {', '.join(NAMES)}; all unless named"
    )
    parser.add_argument(
        "--beside",
        choices=baseline.VERSIONS,
        metavar="VERSION",
        help=f"run that version in turns with the present one ({', '.join(baseline.VERSIONS)}); "
        f"for {', '.join(running.NAMES)}; its checkout is made in .cache when it is first needed",
    )
    parser.add_argument(
        "--files",
        action="append",
        type=int,
        metavar="N",
        help="how many issues there are, in the benchmark issues and with --beside; repeatable. Other sizes"
        " than usual of issues are printed and not kept",
    )
    parser.add_argument(
        "--quick", action="store_true", help="few repeats, printed and not kept: a smoke test"
    )
    return parser


def _beside(version: str, files: Sequence[int] | None) -> _Run:
    return partial(running.run, baseline.checkout(version), files or running.FILES)


async def _alone(files: Sequence[int] | None, name: str, quick: bool) -> Result:
    more = {"sizes": files} if files and name == "issues" else {}
    result: Result = await import_module(f"benchmarks.{name}").run(quick, **more)
    return result


def _run_all(run: _Run, names: Sequence[str], quick: bool, *, is_kept: bool) -> None:
    for name in names:
        began = time.monotonic()
        print(f"== {name}", file=sys.stderr, flush=True)
        result = asyncio.run(run(name, quick))
        print(f"## {name}\n\n{result.markdown()}\n", flush=True)
        if is_kept:
            write(result)
        print(f"   {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
