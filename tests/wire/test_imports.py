"""Imports are earned: what a start over stdio may import, with the reasons in imports.toml."""

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from laconic.cli.toolsets import DEFAULT
from tests.process.speaking import environment
from tests.wire.talking import initialize, notice, request

# The interpreter's own beginning does not count, nor what this machine puts into it.
PROGRAM = """
import sys
bare = set(sys.modules)
from laconic.cli.main import main
status = main(["serve", *sys.argv[1:]])
print(*(set(sys.modules) - bare), sep="\\n", file=sys.stderr)
sys.exit(status)
"""
LISTED = [initialize("2025-11-25", 1), notice("notifications/initialized"), request(2, "tools/list")]
CALLED = [*LISTED, request(3, "tools/call", name="issues_list", arguments={})]
_STANDARD = re.compile(r"^(?:import dataclasses|from dataclasses import .*\bdataclass\b)", re.MULTILINE)
ALLOWED: Mapping[str, Any] = tomllib.loads((Path(__file__).parent / "imports.toml").read_text("utf-8"))


def imported(lines: list[dict[str, Any]], folder: Path, *servers: str) -> set[str]:
    """What a server imports that hears these lines and then the end; with a call, after its answer.

    After the list alone it must not wait, or it loads ahead.
    """
    asked = [line["id"] for line in lines if "id" in line]
    with subprocess.Popen(
        [sys.executable, "-P", "-c", PROGRAM, *servers],
        cwd=folder,
        env=environment(folder.parent / "home"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdin and server.stdout and server.stderr
        server.stdin.write("".join(json.dumps(line) + "\n" for line in lines))
        server.stdin.flush()
        if len(lines) == len(LISTED):
            server.stdin.close()
        answered: list[int] = []
        while sorted(answered) != asked and (line := server.stdout.readline()):
            answered += [message["id"] for message in [json.loads(line)] if "result" in message]
        server.stdin.close()
        told = server.stderr.read()
    assert server.returncode == 0, told
    assert sorted(answered) == asked
    return set(told.split())


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    folder = tmp_path_factory.mktemp("imports") / "project"
    folder.mkdir()
    imported(LISTED, folder, "issues")  # makes the list
    return imported(LISTED, folder, "issues")


@pytest.fixture(scope="module")
def after(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    folder = tmp_path_factory.mktemp("imports") / "project"
    folder.mkdir()
    return imported(CALLED, folder, "issues")


@cache
def entries(*parts: str) -> frozenset[str]:
    groups = [group for part in parts for group in ALLOWED[part]]
    return frozenset(
        name for group in groups for key in ("modules", "packages") for name in group.get(key, ())
    )


def is_allowed(module: str, names: frozenset[str]) -> bool:
    package = module.partition(".")[0]
    if package == "laconic":
        return module in names or any(
            name.endswith("*") and module.startswith(name[:-1]) for name in names if name != "*"
        )
    is_inner = package.startswith("_sysconfigdata") or package in sys.stdlib_module_names
    return package in names or (package.startswith("_") and is_inner)


def source(module: str) -> str:
    found = find_spec(module)
    assert found is not None
    return Path(str(found.origin)).read_text(encoding="utf-8")


def strangers(modules: set[str], *parts: str) -> list[str]:
    return sorted(module for module in modules if not is_allowed(module, entries(*parts)))


def test_the_list_of_tools_is_answered_with_what_is_allowed_and_no_more(before: set[str]) -> None:
    assert strangers(before, "before") == []


def test_the_first_call_is_answered_with_what_is_allowed_and_no_more(after: set[str]) -> None:
    assert strangers(after, "before", "after") == []


def test_neither_the_sdk_nor_anything_of_http_is_ever_imported(before: set[str], after: set[str]) -> None:
    never = set(ALLOWED["never"]["packages"])

    assert {module.partition(".")[0] for module in before | after} & never == set()


@pytest.mark.parametrize(
    "package", ["asyncio", "pydantic", "anyio", "ssl", "socket", "yaml", "sqlite3", "uuid"]
)
def test_what_is_heavy_waits_at_least_for_the_first_call(before: set[str], package: str) -> None:
    assert package not in before


def test_a_call_imports_only_the_server_whose_tool_it_is(tmp_path: Path) -> None:
    folder, other = tmp_path / "project", ALLOWED["beside"]["server"]
    folder.mkdir()
    imported(LISTED, folder, "issues", other)  # makes the list
    called = [*LISTED, request(3, "tools/call", name="memo_list", arguments={})]

    issues, example = (imported(lines, folder, "issues", other) for lines in (CALLED, called))

    names = frozenset(ALLOWED["beside"]["modules"])
    assert [module for module in issues if module.startswith("laconic.") and is_allowed(module, names)] == []
    assert [module for module in example if module.startswith("laconic.servers.issues")] == []
    assert any(module.startswith("laconic.servers.example") for module in example)


def test_prompts_beside_issues_are_listed_again_without_their_library(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    asked = [*LISTED, request(3, "prompts/list"), request(4, "tools/call", name="issues_list", arguments={})]
    made = request(3, "tools/call", name="create_prompt", arguments={"name": "a", "content": "Hello."})

    none = imported(asked, folder, *DEFAULT)
    for lines in ([*LISTED, made], [*LISTED, request(3, "prompts/list")]):  # the second keeps the list
        imported(lines, folder, *DEFAULT)
    kept = imported(asked, folder, *DEFAULT)

    for modules in (none, kept):
        heavy = {module for module in modules if module.partition(".")[0] in ("sqlalchemy", "jinja2")}
        assert heavy == set()
    assert "laconic.servers.prompts.kept" in kept


def test_what_a_first_call_imports_makes_its_dataclasses_quickly(after: set[str]) -> None:
    slow = [name for name in after if name.startswith("laconic.") and _STANDARD.search(source(name))]

    assert slow == ["laconic.data"], "use laconic.data.dataclass there: it takes a quarter of the time"


def test_no_line_of_the_list_is_left_over(before: set[str], after: set[str]) -> None:
    assert list(left_over("before", before)) == []
    assert list(left_over("after", after)) == []


def left_over(part: str, modules: set[str]) -> Iterator[str]:
    """Names of ours that nothing needs any more; the standard library differs from release to release."""
    for name in entries(part):
        if name.startswith("laconic") and not any(
            module == name or (name.endswith("*") and module.startswith(name[:-1])) for module in modules
        ):
            yield name


def test_every_group_has_a_reason() -> None:
    groups = [*ALLOWED["before"], *ALLOWED["after"], ALLOWED["never"], ALLOWED["beside"]]

    assert all(len(group["reason"]) > 20 for group in groups)
