"""Running the tests that cover a mutant's line, on a copy of the code with that one change."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import sys
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from scripts.mutation.changes import Mutant
from scripts.mutation.coverage_map import ROOT, SOURCE

__all__ = ["failing", "first_failing"]

_FIRST = 12  # tests of one mutant that run alone at first: they mostly suffice, and are collected fast
_MOST = 400  # tests of one mutant, the most specific first
_TEST_SECONDS = 60  # for one test, far more than any needs: one that hangs fails
_SECONDS = 900  # for all tests of one mutant; to be slow is not to fail, so the mutant is then not noticed

_QUIET = ("-W", "ignore::pytest.PytestAssertRewriteWarning")  # about the libraries that are loaded already
_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(
    [
        *(
            "anyio.pytest_plugin",
            "hypothesis",
            "_hypothesis_pytestplugin",
            "jsonschema",
            "mcp.client.session",
        ),
        *("mcp.server", "pydantic", "pytest", "pytest_cov.plugin", "pytest_timeout", "starlette"),
        *("xdist.plugin", "yaml", "_pytest.pytester"),
    ]
)
_copies: list[tempfile.TemporaryDirectory[str]] = []  # those not in use


def first_failing(mutant: Mutant, file: Path, tests: list[str]) -> str | None:
    """Return the test that notices this mutant, or None."""
    with _copy() as source, _changed(source / file.relative_to(SOURCE), mutant.source):
        for some in (tests[:_FIRST], tests[_FIRST:_MOST]):
            if failed := _failed(source, some, "-x"):
                return failed[0]
    return None


def failing(tests: Collection[str]) -> set[str]:
    """Return those of the tests that fail on a copy without a change: they notice nothing."""
    with _copy() as source:
        return set(_failed(source, sorted(tests)))


def _failed(source: Path, tests: list[str], *options: str) -> list[str]:
    if not tests:
        return []
    common = ["-q", "-n0", "-rfE", "--tb=no", "-p", "no:cacheprovider", "--hypothesis-seed=0"]
    code, output = _run(source, [*common, f"--timeout={_TEST_SECONDS}", *_QUIET, *options, *tests])
    named = _named(output, tests)
    if not named and "while loading conftest" in output:  # none of them can run
        named = tests[:1]
    if code and not named:
        raise RuntimeError(f"pytest could not run:\n{output[-2000:]}")
    return named


def _run(source: Path, arguments: list[str]) -> tuple[int | None, str]:
    """Run pytest in a process that has the libraries loaded already; return its code, or None, and output."""
    with tempfile.NamedTemporaryFile("r", encoding="utf-8", errors="replace") as output:
        process = _FORKS.Process(target=_pytest, args=(str(source), arguments, output.name))
        process.start()
        process.join(_SECONDS)
        code = process.exitcode
        if code is None:
            process.kill()
            process.join()
        return code, output.read()


def _pytest(source: str, arguments: list[str], output: str) -> None:
    file = os.open(output, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(file, stream)
    os.chdir(ROOT)
    os.environ["PYTHONPATH"] = source
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    for name in [name for name in sys.modules if name.partition(".")[0] in ("laconic", "tests")]:
        del sys.modules[name]  # another user of the one fork server of this process loaded the original
    sys.path.insert(0, source)
    sys.exit(pytest.main(arguments))


def _named(output: str, tests: list[str]) -> list[str]:
    """Return the tests that pytest's summary names; for a module that cannot be imported, its first one."""
    found = []
    for line in output.splitlines():
        word, _, rest = line.partition(" ")
        if word in ("FAILED", "ERROR"):
            named = [test for test in tests if rest.startswith(test)]
            named = named or [test for test in tests if test.startswith(rest.partition(" - ")[0])]
            found += [max(named, key=len)] if named else []
    return found


@contextmanager
def _copy() -> Iterator[Path]:
    """Our code in a folder of its own, as links; what is compiled there is used again."""
    try:
        folder = _copies.pop()
    except IndexError:
        folder = tempfile.TemporaryDirectory(prefix="mutants-")
        no_cache = shutil.ignore_patterns("__pycache__")
        target = Path(folder.name, "laconic")
        shutil.copytree(SOURCE / "laconic", target, copy_function=os.symlink, ignore=no_cache)
    try:
        yield Path(folder.name)
    finally:
        _copies.append(folder)


@contextmanager
def _changed(module: Path, text: str) -> Iterator[None]:
    original = module.readlink()
    _forget(module)
    module.write_text(text, encoding="utf-8")
    try:
        yield
    finally:
        _forget(module)
        module.symlink_to(original)


def _forget(module: Path) -> None:
    """Remove a module and what was compiled from it: the time of a file does not tell two changes apart."""
    module.unlink()
    for compiled in (module.parent / "__pycache__").glob(f"{module.stem}.*"):
        compiled.unlink()
