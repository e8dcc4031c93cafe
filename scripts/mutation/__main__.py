"""Changes a module in many small ways, and reports the changes that no test notices."""

from __future__ import annotations

import argparse
import random
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from scripts.mutation.changes import Mutant, mutants_of
from scripts.mutation.coverage_map import SOURCE, CoverageMap, measured
from scripts.mutation.results import Result, Survivor, keep, kept
from scripts.mutation.running import is_noticed

SAMPLE = 40
AT_ONCE = 2


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/mutants", description=__doc__)
    parser.add_argument(
        "modules",
        nargs="*",
        metavar="MODULE",
        help="such as kit/cursors or kit/steps; default: all that are kept",
    )
    parser.add_argument(
        "--sample", type=int, default=SAMPLE, help="mutants per module (default: %(default)s)"
    )
    given = parser.parse_args()
    cover = measured()
    for name in given.modules or sorted(kept()):
        result = tried(name.removesuffix(".py"), given.sample, cover)
        keep(result)
        print(f"{result.module}: {result.noticed} of {result.tried} noticed ({result.possible} possible)")
        for one in result.survivors:
            print(f"  survived in {one.function}: {one.change}")
    return 0


def tried(name: str, sample: int, cover: CoverageMap) -> Result:
    """Try a sample of the mutants of a module or package: the same one for the same code."""
    possible = [
        (file, mutant) for file in _files(name) for mutant in mutants_of(file.read_text(encoding="utf-8"))
    ]
    chosen = random.Random(name).sample(possible, min(sample, len(possible)))
    with ThreadPoolExecutor(AT_ONCE) as pool:
        noticed = list(pool.map(partial(_tried, cover), chosen))
    survivors = [
        Survivor(f"{file.stem}.{mutant.function}", mutant.change)
        for (file, mutant), was in zip(chosen, noticed, strict=True)
        if not was
    ]
    return Result(name, len(possible), len(chosen), survivors)


def _files(name: str) -> list[Path]:
    place = SOURCE / "laconic" / name
    return sorted(place.rglob("*.py")) if place.is_dir() else [place.with_name(f"{place.name}.py")]


def _tried(cover: CoverageMap, change: tuple[Path, Mutant]) -> bool:
    file, mutant = change
    noticed = is_noticed(mutant, file, cover.tests(file, mutant.line))
    print("." if noticed else "S", end="", file=sys.stderr, flush=True)
    return noticed


if __name__ == "__main__":
    sys.exit(main())
