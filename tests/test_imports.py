"""Who may import whom: every contract of .importlinter holds, and each is seen to fail when it is broken."""

import os
import re
import subprocess
import sys
from configparser import ConfigParser
from copy import deepcopy
from pathlib import Path
from typing import Any

import grimp
import pytest
from importlinter.application.use_cases import read_user_options
from importlinter.configuration import configure
from importlinter.contracts.acyclic_siblings import AcyclicSiblingsContract
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.independence import IndependenceContract
from importlinter.contracts.layers import LayersContract

ROOT = Path(__file__).resolve().parent.parent
CONTRACTS = ROOT / ".importlinter"
TYPES: dict[str, Any] = {
    "acyclic_siblings": AcyclicSiblingsContract,
    "forbidden": ForbiddenContract,
    "independence": IndependenceContract,
    "layers": LayersContract,
}

# contract, the offence in words, and the imports that commit it (below `laconic.`, or another package);
# a module without an import is only added
OFFENCES: list[tuple[str, str, list[tuple[str, str]]]] = [
    ("packages", "stores import kit", [("stores.errors", "laconic.kit.errors")]),
    ("packages", "upstream imports kit", [("upstream", "laconic.kit.errors")]),
    ("packages", "stores and upstream meet", [("upstream", "laconic.stores.errors")]),
    ("packages", "text imports stores", [("text.names", "laconic.stores.errors")]),
    ("packages", "effects import stores", [("effects", "laconic.stores.errors")]),
    ("packages", "kit imports a server", [("kit.errors", "laconic.servers.example.tools")]),
    ("packages", "a server imports cli", [("servers.example.tools", "laconic.cli.main")]),
    ("packages", "a package without a place", [("helpers", "")]),
    ("servers", "a server imports another", [("servers.other", "laconic.servers.example.models")]),
    ("server", "a service imports tools", [("servers.example.service", "laconic.servers.example.tools")]),
    ("server", "models import tools", [("servers.example.models", "laconic.servers.example.tools")]),
    ("server", "a module without a place", [("servers.example.helpers", "")]),
    ("prompts", "a module without a place", [("servers.prompts.helpers", "")]),
    (
        "templates",
        "the judge knows what only workers import",
        [("servers.prompts.templates.judge", "laconic.servers.prompts.templates.worker")],
    ),
    ("notes", "a module without a place", [("servers.notes.helpers", "")]),
    ("taiga", "the api imports tools", [("servers.taiga.api", "laconic.servers.taiga.tools")]),
    ("google", "the api imports tools", [("servers.google.api", "laconic.servers.google.tools")]),
    ("issues", "the index imports the service", [("servers.issues.index", "laconic.servers.issues.service")]),
    ("issues", "a module without a place", [("servers.issues.helpers", "")]),
    ("web", "a collection knows its routes", [("web.collections.notes", "laconic.web.routes.items")]),
    ("web", "a module without a place", [("web.helpers", "")]),
    ("kit", "the pipeline imports the endpoint", [("kit.pipeline", "laconic.kit.endpoint")]),
    ("kit", "a module without a place", [("kit.helpers", "")]),
    ("steps", "a step imports another", [("kit.steps.cache", "laconic.kit.steps.retry")]),
    ("stores", "a header knows a database", [("stores.header", "laconic.stores.keyvalue.opening")]),
    ("stores", "a module without a place", [("stores.helpers", "")]),
    ("upstream", "an exchange signs", [("upstream.exchange", "laconic.upstream.signing")]),
    ("upstream", "a module without a place", [("upstream.helpers", "")]),
    (
        "keyvalue",
        "a store imports another",
        [("stores.keyvalue.memory", "laconic.stores.keyvalue.sqlite")],
    ),
    ("keyvalue", "a module without a place", [("stores.keyvalue.helpers", "")]),
    (
        "database",
        "SQLite knows who opens it",
        [("stores.database.sqlite.backend", "laconic.stores.database.database")],
    ),
    ("database", "a module without a place", [("stores.database.helpers", "")]),
    (
        "shelf",
        "reading the past edits",
        [("stores.shelf.versions.past", "laconic.stores.shelf.items.editing")],
    ),
    ("shelf", "a module without a place", [("stores.shelf.helpers", "")]),
    (
        "journal",
        "the files know their writer",
        [("stores.journal.segments", "laconic.stores.journal.writing")],
    ),
    ("journal", "a module without a place", [("stores.journal.helpers", "")]),
    ("text", "a format imports excerpts", [("text.formats.table", "laconic.text.excerpts.cuts")]),
    ("text", "a module without a place", [("text.helpers", "")]),
    ("cli", "options import a command", [("cli.configuration.options", "laconic.cli.call")]),
    ("cli", "a module without a place", [("cli.helpers", "")]),
    ("sdk", "a server imports the SDK", [("servers.example.tools", "mcp")]),
    ("sdk", "kit outside wire imports its types", [("kit.errors", "mcp_types")]),
    ("lean", "the lean wire imports the SDK", [("kit.wire.lean.lines", "mcp_types")]),
    ("lean", "what both wires share builds models", [("kit.wire.protocol", "pydantic")]),
    ("transport", "a server serves HTTP itself", [("servers.example.service", "starlette")]),
    ("transport", "a command starts the web server", [("cli.main", "uvicorn")]),
    ("transport", "kit outside wire reads tokens", [("kit.errors", "jwt")]),
    ("clients", "a server calls out by itself", [("servers.example.service", "httpx2")]),
    ("keeping", "a server reads YAML itself", [("servers.issues.models", "yaml")]),
    ("keeping", "kit opens a database", [("kit.supplying.supply", "sqlite3")]),
    ("keeping", "a command talks to redis", [("cli.main", "redis")]),
    ("keeping", "a service writes SQL", [("servers.prompts.service", "sqlalchemy")]),
    ("single", "the kit renders templates", [("kit.errors", "jinja2")]),
    ("single", "the kit knows Google", [("kit.errors", "google")]),
    ("sandbox", "a sandbox shares the server's models", [("sandbox.taiga", "laconic.servers.taiga.tools")]),
    ("sandbox", "a sandbox notes effects", [("sandbox.taiga", "laconic.effects")]),
    ("printing", "kit prints", [("kit.errors", "rich")]),
    ("printing", "a server is a command", [("servers.example.tools", "typer")]),
    ("entrances", "a page calls a tool", [("web.page", "laconic.servers.example.tools")]),
    ("cycles", "two modules need each other", [("text.a", "laconic.text.b"), ("text.b", "laconic.text.a")]),
]


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("laconic", include_external_packages=True, cache_dir=None)


def sections() -> dict[str, Any]:
    config = ConfigParser()
    config.read(CONTRACTS, encoding="utf-8")
    start = "importlinter:contract:"
    return {name.removeprefix(start): config[name] for name in config.sections() if name.startswith(start)}


def holds(contract: str, graph: grimp.ImportGraph) -> bool:
    configure()
    options = read_user_options(str(CONTRACTS))
    given = next(one for one in options.contracts_options if one["name"] == sections()[contract]["name"])
    made = TYPES[str(given["type"])](
        name=given["name"], session_options=options.session_options, contract_options=given
    )
    return bool(made.check(graph, verbose=False).kept)


def test_the_command_finds_every_contract_kept() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(
        [linter, "--no-cache", f"--config={CONTRACTS}"],
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert f"Contracts: {len(sections())} kept, 0 broken." in done.stdout


@pytest.mark.parametrize("contract", sections())
def test_a_contract_holds_until_an_offence_breaks_it(contract: str, graph: grimp.ImportGraph) -> None:
    assert holds(contract, deepcopy(graph))
    offences = [(words, imports) for name, words, imports in OFFENCES if name == contract]
    assert offences, "every contract has an offence that breaks it"
    unnoticed = [words for words, imports in offences if holds(contract, broken(graph, imports))]

    assert unnoticed == []


def broken(graph: grimp.ImportGraph, imports: list[tuple[str, str]]) -> grimp.ImportGraph:
    """Return the graph with these imports added."""
    worse = deepcopy(graph)
    for importer, imported in imports:
        name = f"laconic.{importer}"
        for module in (name.rpartition(".")[0], name):
            if module not in worse.modules:
                worse.add_module(module)
        if imported:
            worse.add_import(importer=name, imported=imported)
    return worse


def test_every_server_has_a_contract_for_its_inside(graph: grimp.ImportGraph) -> None:
    containers = {
        line for section in sections().values() for line in str(section.get("containers", "")).split()
    }

    assert graph.find_children("laconic.servers") - containers == set()


def test_every_contract_about_layers_is_exhaustive() -> None:
    loose = [
        name
        for name, section in sections().items()
        if section["type"] == "layers" and section.get("exhaustive") != "true"
    ]

    assert loose == []


def test_a_sandbox_may_use_nothing_of_ours_but_text(graph: grimp.ImportGraph) -> None:
    allowed = {"laconic.sandbox", "laconic.text", "laconic.__main__"}

    assert set(sections()["sandbox"]["forbidden_modules"].split()) == graph.find_children("laconic") - allowed


def test_every_offence_names_a_contract() -> None:
    assert {name for name, _, _ in OFFENCES} - sections().keys() == set()


# who may import benchmarks, and why; what both need is in tests
OF_BENCHMARKS = {
    "test_benchmarks.py": "tests the benchmarks",
    "test_beside.py": "tests the comparison with another version",
    "upgrade/write.py": "a program that runs another version, as the benchmarks do",
}


def test_tests_import_benchmarks_only_to_test_them() -> None:
    found = {
        path.relative_to(ROOT / "tests").as_posix()
        for path in (ROOT / "tests").rglob("*.py")
        if re.search(r"^\s*(from|import) benchmarks\b", path.read_text(encoding="utf-8"), re.MULTILINE)
    }

    assert found == OF_BENCHMARKS.keys()
