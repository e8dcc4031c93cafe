"""`python -m benchmarks [NAME…] [--quick]`: run benchmarks and keep what they found."""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from importlib import import_module

from benchmarks.report import Result, write

NAMES = ("calls", "steps", "replay", "start", "lists", "http", "stdio", "long_answers", "issues")


def main() -> int:
    """Run those named, or all."""
    parser = argparse.ArgumentParser(
        prog="scripts/bench", description="What Laconic costs, beside the bare SDK."
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"which of {', '.join(NAMES)}; all unless named"
    )
    parser.add_argument(
        "--quick", action="store_true", help="few repeats, printed and not kept: a smoke test"
    )
    given = parser.parse_args()
    if unknown := [name for name in given.names if name not in NAMES]:
        parser.error(f"no benchmark is called {unknown[0]}; there are {', '.join(NAMES)}")
    for name in given.names or NAMES:
        began = time.monotonic()
        print(f"== {name}", file=sys.stderr, flush=True)
        result: Result = asyncio.run(import_module(f"benchmarks.{name}").run(given.quick))
        print(f"## {name}\n\n{result.markdown()}\n", flush=True)
        if not given.quick:
            write(result)
        print(f"   {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
