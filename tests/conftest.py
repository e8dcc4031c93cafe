"""How all tests run: async ones on asyncio, soak tests when asked for, absent components in one line."""

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.redis_server import redis_server
from tests.components import COMPONENTS, required

Found = dict[str, Path | None]
_found = pytest.StashKey[Found]()
_skipped = pytest.StashKey[Counter[str]]()


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"  # the servers run on asyncio; trio would test what nobody starts


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="run the tests that take minutes, too")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_found] = {}
    config.stash[_skipped] = Counter()
    if unknown := required() - COMPONENTS.keys():
        known = ", ".join(COMPONENTS)
        raise pytest.UsageError(f"LACONIC_REQUIRE names {', '.join(sorted(unknown))}; known are {known}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves soak tests out unless asked for."""
    if config.getoption("--soak") or os.environ.get("LACONIC_SOAK") == "1":
        return
    soaking = [item for item in items if item.get_closest_marker("soak")]
    if soaking:
        config.hook.pytest_deselected(items=soaking)
        items[:] = [item for item in items if item not in soaking]


@pytest.hookimpl(tryfirst=True)  # before any fixture would start the component
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skips a test whose component is absent, or fails it where that component is required."""
    for marker in item.iter_markers("needs"):
        for name in marker.args:
            _need(name, item.config)


def _need(name: str, config: pytest.Config) -> None:
    component, found = COMPONENTS[name], config.stash[_found]
    if name not in found:
        found[name] = component.find()
    if found[name]:
        return
    reason = f"needs {name} ({component.remedy})"
    if name in required():
        pytest.fail(f"{reason}, and LACONIC_REQUIRE says it must be here", pytrace=False)
    config.stash[_skipped][name] += 1
    pytest.skip(reason)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Says each absent component in one line, however many tests it cost."""
    for name, count in sorted(config.stash[_skipped].items()):
        tests = "test" if count == 1 else "tests"
        terminalreporter.write_line(
            f"skipped {count} {tests}: needs {name} ({COMPONENTS[name].remedy})", yellow=True
        )


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real Redis on a free loopback port."""
    with redis_server(tmp_path_factory.mktemp("redis")) as address:
        yield address
