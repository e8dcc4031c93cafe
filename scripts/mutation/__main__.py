"""Changes a module in many small ways, and reports the changes that no test notices."""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from scripts.mutation.coverage_map import CoverageMap, measured
from scripts.mutation.results import SAMPLE, Result, Survivor, keep, kept
from scripts.mutation.running import failing, first_failing
from scripts.mutation.sampling import MODULES, Change, possible_changes, sample_of

AT_ONCE = 2


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/mutants", description=__doc__)
    parser.add_argument(
        "modules",
        nargs="*",
        metavar="MODULE",
        help="such as kit/cursors or kit/steps; default: all whose results are kept",
    )
    parser.add_argument(
        "--sample", type=int, default=SAMPLE, help="mutants per module (default: %(default)s)"
    )
    parser.add_argument(
        "--again", action="store_true", help="try only what survived last time, if the module is the same"
    )
    parser.add_argument(
        "--tests", nargs="+", default=[], metavar="PATH", help="only these tests, such as tests/unit/kit"
    )
    given = parser.parse_args()
    cover = measured(given.tests)
    for name in given.modules or MODULES:
        result = tried(name.removesuffix(".py"), given.sample, cover, again=given.again)
        keep(result)
        print(f"{result.module}: {result.noticed} of {result.tried} noticed ({result.possible} possible)")
        for one in result.survivors:
            print(f"  survived in {one.function}: {one.change}")
    return 0


def tried(name: str, most: int, cover: CoverageMap, *, again: bool = False) -> Result:
    """Try a sample of the mutants of a module or package."""
    possible = possible_changes(name)
    chosen = sample_of(name, possible, most)
    result = Result(name, len(possible), len(chosen))
    known = kept().get(name)
    if again and known and (known.possible, known.tried) == (result.possible, result.tried):
        left = [one for one in chosen if known.is_survivor(one.function, one.mutant.change)]
        chosen = left if len(left) >= len(known.survivors) else chosen  # otherwise the module has changed
    for one in _survivors(chosen, cover):
        result.survivors.append(Survivor(one.function, one.mutant.change))
    return result


def _survivors(changes: list[Change], cover: CoverageMap) -> list[Change]:
    """Return the changes that no test notices; a test that also fails without a change does not count."""
    unsound: set[str] = set()
    survivors: list[Change] = []
    while changes:
        with ThreadPoolExecutor(AT_ONCE) as pool:
            noticed_by = list(pool.map(partial(_noticed_by, cover, unsound), changes))
        pairs = list(zip(changes, noticed_by, strict=True))
        survivors += [change for change, test in pairs if test is None]
        unsound |= failing({test for test in noticed_by if test})
        changes = [change for change, test in pairs if test in unsound]
    return survivors


def _noticed_by(cover: CoverageMap, unsound: set[str], change: Change) -> str | None:
    mutant = change.mutant
    tests = cover.tests(change.file, mutant.line, on_import=mutant.on_import)
    test = first_failing(mutant, change.file, [test for test in tests if test not in unsound])
    what = f"noticed by {test}" if test else f"survived {len(tests)} tests"
    print(f"{change.function}, line {mutant.line}: {mutant.change}: {what}", file=sys.stderr, flush=True)
    return test


if __name__ == "__main__":
    sys.exit(main())
