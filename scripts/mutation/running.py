"""Running the tests that cover a mutant's line, on a copy of the code with that one change."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scripts.mutation.changes import Mutant
from scripts.mutation.coverage_map import ROOT, SOURCE

__all__ = ["is_noticed"]

_SECONDS = 120  # for the tests of one mutant: one that makes them hang is noticed too
_MOST = 400  # tests of one mutant, the most specific first


def is_noticed(mutant: Mutant, file: Path, tests: list[str]) -> bool:
    """True if a test fails on this mutant, or hangs."""
    if not tests:
        return False
    with _copy(mutant, file) as source:
        environment = {**os.environ, "PYTHONPATH": str(source), "PYTHONDONTWRITEBYTECODE": "1"}
        options = ["-x", "-q", "-n0", "-p", "no:cacheprovider", "--hypothesis-seed=0", "--timeout=30"]
        try:
            done = subprocess.run(
                [sys.executable, "-m", "pytest", *options, *tests[:_MOST]],
                cwd=ROOT,
                env=environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return True
    return done.returncode != 0


@contextmanager
def _copy(mutant: Mutant, file: Path) -> Iterator[Path]:
    """Our code in a folder of its own, with one module changed."""
    with tempfile.TemporaryDirectory(prefix="mutant-") as folder:
        source = Path(folder)
        shutil.copytree(
            SOURCE / "laconic",
            source / "laconic",
            copy_function=os.symlink,
            ignore=shutil.ignore_patterns("__pycache__"),
        )
        changed = source / file.relative_to(SOURCE)
        changed.unlink()
        changed.write_text(mutant.source, encoding="utf-8")
        yield source
