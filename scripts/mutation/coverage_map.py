"""Which tests run which line: measured once per state of the code, and kept."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

__all__ = ["CoverageMap", "measured"]

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src"
_KEPT = ROOT / ".cache" / "mutants"


class CoverageMap:
    """The tests that run each line of our code in their own process."""

    def __init__(self, path: Path) -> None:
        from coverage import CoverageData

        self._data = CoverageData(str(path))
        self._data.read()
        self._lines: Counter[str] = Counter()
        for file in self._data.measured_files():
            for tests in self._data.contexts_by_lineno(file).values():
                self._lines.update(filter(None, tests))

    def tests(self, file: Path, line: int) -> list[str]:
        """Return the tests that run a line, those that run the least code first: they know it best."""
        by_line = self._data.contexts_by_lineno(str(file))
        found = set(filter(None, by_line.get(line, [])))
        if not found and line in by_line:  # run on import: any test of the module may notice
            found = {name for names in by_line.values() for name in names if name}
        names = {name.partition("|")[0] for name in found}
        return sorted(names, key=lambda name: (self._lines[f"{name}|run"], name))


def measured() -> CoverageMap:
    """Return the map of the present code; runs all tests if it is not known yet."""
    path = _KEPT / f"coverage-{_digest()}"
    if not path.exists():
        _KEPT.mkdir(parents=True, exist_ok=True)
        for old in _KEPT.glob("coverage-*"):
            old.unlink()
        print("Measuring which tests run which line: this runs all tests once.", file=sys.stderr)
        options = ["-q", "-n", "auto", "--dist", "worksteal", "--cov", "--cov-context=test", "--cov-report="]
        environment = {**os.environ, "COVERAGE_FILE": str(path.with_suffix(".part"))}
        subprocess.run([sys.executable, "-m", "pytest", *options], cwd=ROOT, env=environment, check=False)
        path.with_suffix(".part").rename(path)
    return CoverageMap(path)


def _digest() -> str:
    digest = hashlib.blake2b(digest_size=8)
    for folder in (SOURCE, ROOT / "tests"):
        for path in sorted(folder.rglob("*.py")):
            digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()
