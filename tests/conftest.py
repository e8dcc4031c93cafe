"""How all tests run: async ones on asyncio, soak tests when asked for, absent components in one line."""

from __future__ import annotations

import gc
import json
import signal
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

from tests import chance
from tests.components import COMPONENTS, ROOT, required
from tests.postgres_server import PostgresServer
from tests.redis_server import redis_server

if TYPE_CHECKING:
    from tests.taiga_server import TaigaServer

Found = dict[str, Path | None]
_found = pytest.StashKey[Found]()
# They start processes, try many examples, ask databases, or make the checks of tests/contract.
SLOW_FOLDERS = [
    ROOT / "tests" / name
    for name in (
        *("catalogue", "conformance", "contract", "docs", "examples", "pipeline", "process"),
        *(
            "properties",
            "repair",
            "scripts",
            "trials",
            "unit/evals",
            "unit/library",
            "unit/notes",
            "unit/prompts",
        ),
        *("unit/sandbox", "unit/google", "unit/stores", "unit/taiga", "unit/upstream", "upgrade", "wire"),
    )
]
LONGEST = {"test_replay_schedules.py"}  # their tests take more than ten seconds each

chance.load()
_ABSENT = "absent_component"  # a property of a report, since reports are what comes back from a worker


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"  # the servers run on asyncio; trio would test what nobody starts


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="run the tests that take minutes, too")
    parser.addoption("--quick", action="store_true", help="an answer within a minute: leave out what is slow")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_found] = {}
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # run in the background: processes would inherit it
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if unknown := required() - COMPONENTS.keys():
        known = ", ".join(COMPONENTS)
        raise pytest.UsageError(f"LACONIC_REQUIRE names {', '.join(sorted(unknown))}; known are {known}")
    if hasattr(config, "workerinput"):
        from tests.alone import Turns

        config.pluginmanager.register(Turns(config.rootpath / ".cache"))


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Bytes are numbered, never shown: packed ones may hold a time, and workers would then differ."""
    return argname if isinstance(val, bytes) else None


def pytest_collection_finish() -> None:
    """Keeps the thousands of objects that collecting made out of every later garbage collection."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leaves the slow folders out of a quick run; None means that others decide."""
    return True if config.getoption("--quick") and collection_path in SLOW_FOLDERS else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves soak tests out unless asked for, and slow ones out of a quick run; the longest start first."""
    marks = {"slow"} if config.getoption("--quick") else set()
    if not config.getoption("--soak") and not chance.is_soaking():
        marks.add("soak")
    left_out = [item for item in items if any(item.get_closest_marker(mark) for mark in marks)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
    items.sort(key=lambda item: item.path.name not in LONGEST)  # else one worker waits for them at the end


@pytest.hookimpl(tryfirst=True)  # before any fixture would start the component
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skips a test whose component is absent, or fails it where that component is required."""
    for marker in item.iter_markers("needs"):
        for name in marker.args:
            _need(name, item)


def _need(name: str, item: pytest.Item) -> None:
    component, found = COMPONENTS[name], item.config.stash[_found]
    if name not in found:
        found[name] = component.find()
    if found[name]:
        return
    reason = f"needs {name} ({component.remedy})"
    if name in required():
        pytest.fail(f"{reason}, and LACONIC_REQUIRE says it must be here", pytrace=False)
    item.user_properties.append((_ABSENT, name))
    pytest.skip(reason)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Says in one line each what a quick run left out, and which components were absent."""
    if config.getoption("--quick"):
        folders = ", ".join(folder.name for folder in SLOW_FOLDERS)
        terminalreporter.write_line(
            f"quick: left out the folders {folders}, and tests marked slow", yellow=True
        )
    reports = terminalreporter.stats.get("skipped", ())
    absent = Counter(name for report in reports for key, name in report.user_properties if key == _ABSENT)
    for name, count in sorted(absent.items()):
        tests = "test" if count == 1 else "tests"
        terminalreporter.write_line(
            f"skipped {count} {tests}: needs {name} ({COMPONENTS[name].remedy})", yellow=True
        )


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real Redis on a free loopback port."""
    with redis_server(tmp_path_factory.mktemp("redis")) as address:
        yield address


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A real PostgreSQL; `new_database()` gives an empty one."""
    with PostgresServer() as server:
        yield server


@pytest.fixture(scope="session")
def taiga_site() -> Iterator[TaigaServer]:
    """A Taiga to practise on, on a free loopback port."""
    from tests.taiga_server import taiga_server

    with taiga_server() as served:
        yield served


@pytest.fixture
def site(taiga_site: TaigaServer) -> TaigaServer:
    """That Taiga as it was in the beginning."""
    taiga_site.reset()
    return taiga_site


@pytest.fixture(scope="session", autouse=True)
def each_schema_is_checked_once() -> Iterator[None]:
    """The SDK's client checks a tool's schema once per connection; here it is the same thousands of times."""
    check = Draft202012Validator.check_schema
    known = cache(lambda text: check(json.loads(text)))

    def check_once(schema: Any, *more: Any, **options: Any) -> None:
        check(schema, *more, **options) if more or options else known(json.dumps(schema, sort_keys=True))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Draft202012Validator, "check_schema", check_once)
        yield
