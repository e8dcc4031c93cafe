"""Absent components skip their tests in one visible line; soak tests run only when asked for."""

import asyncio
from pathlib import Path

import pytest

from tests import components, conftest

INI = """
[pytest]
addopts = -p no:hypothesispytest
markers =
    needs(component)
    slow
    soak
"""

FOUR_NEED_REDIS = """
import pytest

@pytest.mark.needs("redis")
@pytest.mark.parametrize("n", range(4))
def test_with_redis(n): pass

def test_without(): pass
"""

ONE_SOAKS = """
import pytest

@pytest.mark.soak
def test_for_hours(): pass

def test_quick(): pass
"""


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A project with our conftest, on a machine without any program."""
    pytester.makeconftest("from tests.conftest import *")
    pytester.makeini(INI)
    bare_path(pytester, monkeypatch)
    for name in ("LACONIC_REQUIRE", "LACONIC_SOAK"):
        monkeypatch.delenv(name, raising=False)
    return pytester


def bare_path(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(pytester.mkdir("bin")))
    monkeypatch.setattr(components, "NODE_FOLDER", pytester.path / "no-node")
    monkeypatch.setattr(components, "POSTGRES_FOLDERS", pytester.path / "no-postgres")


def install(folder: Path, program: str, says: str = "") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / program
    file.write_text(f"#!/bin/sh\necho '{says}'\n", encoding="utf-8")
    file.chmod(0o755)
    return file


@pytest.mark.parametrize("workers", ["-n0", "-n1"])
def test_an_absent_component_skips_its_tests_with_one_line(project: pytest.Pytester, workers: str) -> None:
    project.makepyfile(FOUR_NEED_REDIS)

    result = project.runpytest_inprocess(workers)

    result.assert_outcomes(passed=1, skipped=4)
    said = [line for line in result.outlines if "needs redis" in line]
    assert said == ["skipped 4 tests: needs redis (apt-get install redis-server)"]


def test_an_absent_component_fails_its_tests_where_it_is_required(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.makepyfile(FOUR_NEED_REDIS)
    monkeypatch.setenv("LACONIC_REQUIRE", "node, redis")

    result = project.runpytest_inprocess()

    result.assert_outcomes(passed=1, errors=4)
    result.stdout.fnmatch_lines(["*needs redis (apt-get install redis-server), and LACONIC_REQUIRE*"])


def test_a_present_component_runs_its_tests(project: pytest.Pytester) -> None:
    project.makepyfile(FOUR_NEED_REDIS)
    install(project.path / "bin", "redis-server")

    result = project.runpytest_inprocess()

    result.assert_outcomes(passed=5)
    result.stdout.no_fnmatch_line("*needs redis*")


def test_a_fixture_is_not_set_up_for_an_absent_component(project: pytest.Pytester) -> None:
    project.makepyfile("""
        import pytest

        @pytest.fixture(scope="session")
        def server(): raise AssertionError("started")

        @pytest.mark.needs("chromium")
        def test_page(server): pass
    """)

    project.runpytest_inprocess().assert_outcomes(skipped=1)


def test_an_unknown_component_in_laconic_require_is_refused(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LACONIC_REQUIRE", "redis,mongo")

    result = project.runpytest_inprocess()

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*LACONIC_REQUIRE names mongo; known are redis, postgres, node, chromium*"])


@pytest.mark.usefixtures("project")
def test_node_must_be_new_enough(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    install(pytester.path / "bin", "node", says="v20.20.2")
    assert components.COMPONENTS["node"].find() is None

    ours = install(pytester.path / "ours", "node", says="v22.23.3")
    monkeypatch.setattr(components, "NODE_FOLDER", ours.parent)

    assert components.COMPONENTS["node"].find() == ours


@pytest.mark.usefixtures("project")
def test_the_newest_postgres_is_found_off_the_path(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert components.COMPONENTS["postgres"].find() is None

    folder = pytester.path / "postgresql"
    for version in ("9.6", "15", "17"):
        install(folder / version / "bin", "postgres")
    monkeypatch.setattr(components, "POSTGRES_FOLDERS", folder)

    assert components.COMPONENTS["postgres"].find() == folder / "17/bin/postgres"


def test_soak_tests_run_only_when_asked_for(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.makepyfile(ONE_SOAKS)

    project.runpytest_inprocess().assert_outcomes(passed=1, deselected=1)
    project.runpytest_inprocess("--soak").assert_outcomes(passed=2)
    project.runpytest_inprocess("--soak", "-m", "soak").assert_outcomes(passed=1, deselected=1)

    monkeypatch.setenv("LACONIC_SOAK", "1")
    project.runpytest_inprocess().assert_outcomes(passed=2)


def test_a_quick_run_leaves_slow_tests_out_and_tells(project: pytest.Pytester) -> None:
    project.makepyfile(ONE_SOAKS.replace("mark.soak", "mark.slow"))

    project.runpytest_inprocess().assert_outcomes(passed=2)
    result = project.runpytest_inprocess("--quick")

    result.assert_outcomes(passed=1, deselected=1)
    result.stdout.fnmatch_lines(["quick: left out the folders catalogue, *, wire, and tests marked slow"])


@pytest.mark.parametrize("folder", conftest.SLOW_FOLDERS, ids=lambda folder: str(folder.name))
def test_a_folder_that_is_left_out_exists(folder: Path) -> None:
    assert folder.is_dir()


async def test_an_async_test_needs_no_marker() -> None:
    assert asyncio.get_running_loop().is_running()
