"""Which tests run which line: measured once per state of our code, and again only for tests that changed."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import closing
from functools import cache
from pathlib import Path

__all__ = ["ROOT", "SOURCE", "CoverageMap", "measured"]

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src"
_TESTS = ROOT / "tests"
_KEPT = ROOT / ".cache" / "mutants"
_LINES = "select context.context, numbits from line_bits join context on context.id = context_id"

_Digests = dict[str, str]  # by the path of a module of tests


class CoverageMap:
    """The tests that run each line of our code in their own process."""

    def __init__(self, parts: list[_Part]) -> None:
        self._parts = parts
        self._lines: Counter[str] = Counter()
        for part in parts:
            self._lines.update(part.lines_of_each_test())
        self._of = cache(self._tests_by_line)

    def tests(self, file: Path, line: int, *, on_import: bool = False) -> list[str]:
        """Return the tests that run a line, the best first: named after the module, running little code."""
        by_line = self._of(file)
        # A statement of several lines may be known by its first one only.
        nearest = max((known for known in by_line if known <= line), default=0)
        found = set() if on_import else by_line.get(nearest, set())
        if not found:  # any test of the module may notice
            found = {name for names in by_line.values() for name in names}
        return sorted(found, key=lambda name: (not _is_about(name, file), self._lines[name], name))

    def _tests_by_line(self, file: Path) -> dict[int, set[str]]:
        found: dict[int, set[str]] = {}
        for part in self._parts:
            for line, names in part.tests_by_line(file).items():
                found.setdefault(line, set()).update(names)
        return found


def _is_about(test: str, file: Path) -> bool:
    return file.stem in Path(test.partition("::")[0]).stem


class _Part:
    """One run of tests; its figures hold for each module of tests until that module changes."""

    def __init__(self, path: Path, now: _Digests) -> None:
        from coverage import CoverageData

        self._data = CoverageData(str(path))
        self._data.read()
        then = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        self.current = {module for module, digest in then.items() if now.get(module) == digest}

    def tests_by_line(self, file: Path) -> dict[int, set[str]]:
        by_line = self._data.contexts_by_lineno(str(file))
        return {line: set(self._tests(contexts)) for line, contexts in by_line.items()}

    def lines_of_each_test(self) -> Counter[str]:
        lines: Counter[str] = Counter()
        with closing(sqlite3.connect(self._data.data_filename())) as file:
            for context, bits in file.execute(_LINES):
                for test in self._tests([context]):
                    lines[test] += int.from_bytes(bits, "little").bit_count()
        return lines

    def _tests(self, contexts: Iterable[str]) -> Iterable[str]:
        """Return the tests that are still the same; a context is a test and one of its phases."""
        names = {context.rpartition("|")[0] for context in contexts}
        return (name for name in names if name.partition("::")[0] in self.current)


def measured(places: Sequence[str] = ()) -> CoverageMap:
    """Return the map of the present code, after running the tests there that it does not hold yet."""
    now = {str(path.relative_to(ROOT)): _digest([path]) for path in _TESTS.rglob("test_*.py")}
    wanted = {module for module in now if not places or module.startswith(tuple(places))}
    others = [path for path in _TESTS.rglob("*.py") if str(path.relative_to(ROOT)) not in now]
    folder = _KEPT / _digest([*SOURCE.rglob("*.py"), *others])
    if not folder.exists():
        shutil.rmtree(_KEPT, ignore_errors=True)
        folder.mkdir(parents=True)
    parts = [_Part(path, now) for path in sorted(folder.glob("*.coverage"))]
    changed = wanted - {module for part in parts for module in part.current}
    if changed:
        path = folder / f"{len(parts)}.coverage"
        _run(sorted(changed), path)
        path.with_suffix(".json").write_text(
            json.dumps({module: now[module] for module in changed}), encoding="utf-8"
        )
        parts.append(_Part(path, now))
    return CoverageMap(parts)


def _run(modules: list[str], path: Path) -> None:
    print(f"Measuring which lines {len(modules)} modules of tests run.", file=sys.stderr)
    options = ["-q", "-n", "auto", "--dist", "worksteal", "--cov", "--cov-context=test", "--cov-report="]
    unfinished = path.with_suffix(".part")
    environment = {**os.environ, "COVERAGE_FILE": str(unfinished)}
    subprocess.run(
        [sys.executable, "-m", "pytest", *options, *modules], cwd=ROOT, env=environment, check=False
    )
    unfinished.rename(path)


def _digest(paths: Iterable[Path]) -> str:
    digest = hashlib.blake2b(digest_size=8)
    for path in sorted(paths):
        digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()
