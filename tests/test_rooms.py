"""The rooms stay apart: every contract of .importlinter holds, and is seen to fail when it is broken."""

import os
import shutil
import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CONTRACTS = ROOT / ".importlinter"

# contract, the offence in words, and the lines that commit it: file under src/laconic -> line added to it
OFFENCES: list[tuple[str, str, dict[str, str]]] = [
    ("rooms", "stores import kit", {"stores/__init__.py": "import laconic.kit"}),
    ("rooms", "upstream imports kit", {"upstream/__init__.py": "import laconic.kit"}),
    ("rooms", "stores and upstream meet", {"upstream/__init__.py": "import laconic.stores"}),
    ("rooms", "text imports stores", {"text/__init__.py": "import laconic.stores"}),
    ("rooms", "kit imports a server", {"kit/__init__.py": "import laconic.servers.example"}),
    ("rooms", "a server imports cli", {"servers/example/tools.py": "import laconic.cli"}),
    ("rooms", "a room without a place", {"helpers/__init__.py": ""}),
    (
        "neighbours",
        "a server imports another",
        {"servers/other/__init__.py": "from laconic.servers import example"},
    ),
    (
        "inside",
        "a service imports tools",
        {"servers/example/service.py": "from laconic.servers.example import tools"},
    ),
    (
        "inside",
        "models import tools",
        {"servers/example/models.py": "from laconic.servers.example import tools"},
    ),
    ("sdk", "a server imports the SDK", {"servers/example/tools.py": "import mcp"}),
    ("sdk", "kit outside wire imports its types", {"kit/errors.py": "from mcp_types import Tool"}),
    ("lean", "the lean wire leans on the SDK", {"kit/wire/lean/lines.py": "import mcp_types"}),
    ("lean", "what both wires share builds models", {"kit/wire/protocol.py": "import pydantic"}),
    ("transport", "a server serves HTTP itself", {"servers/example/service.py": "import starlette"}),
    ("transport", "a command starts the web server", {"cli/__init__.py": "import uvicorn"}),
    ("transport", "kit outside wire reads tokens", {"kit/errors.py": "import jwt"}),
    ("clients", "a server calls out by itself", {"servers/example/service.py": "import httpx2"}),
    ("printing", "kit prints", {"kit/errors.py": "from rich.console import Console"}),
    ("printing", "a server is a command", {"servers/example/tools.py": "import typer"}),
    (
        "doors",
        "a page calls a tool",
        {"web/__init__.py": "", "web/page.py": "import laconic.servers.example.tools"},
    ),
    (
        "cycles",
        "two files need each other",
        {"kit/a.py": "import laconic.kit.b", "kit/b.py": "import laconic.kit.a"},
    ),
]


def lint(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    linter = Path(sys.executable).with_name("lint-imports")
    command = [str(linter), "--no-cache", f"--config={CONTRACTS}", *arguments]
    environment = os.environ | {"PYTHONPATH": str(folder)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A copy of the source tree, to do harm to."""
    copy = tmp_path / "src"
    shutil.copytree(ROOT / "src", copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def test_every_contract_is_kept(source: Path) -> None:
    result = lint(source)

    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize(
    ("contract", "lines"), [pytest.param(c, lines, id=f"{c}: {words}") for c, words, lines in OFFENCES]
)
def test_an_offence_breaks_the_contract(source: Path, contract: str, lines: dict[str, str]) -> None:
    for name, line in lines.items():
        file = source / "laconic" / name
        file.parent.mkdir(exist_ok=True)
        with file.open("a", encoding="utf-8") as module:
            module.write(f"\n{line}\n")

    result = lint(source, "--contract", contract)

    assert result.returncode == 1, result.stdout + result.stderr
    assert "Contracts: 0 kept, 1 broken." in result.stdout


def test_every_contract_has_an_offence() -> None:
    config = ConfigParser()
    config.read(CONTRACTS, encoding="utf-8")
    contracts = {name.removeprefix("importlinter:contract:") for name in config.sections() if ":" in name}

    assert contracts == {contract for contract, _, _ in OFFENCES}
