"""The README's first commands lead from a clean machine to a host that works on another project."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.docs.pages import ROOT, Page, commands
from tests.installations import PACKAGES, clone, person, ready, state_of, wheel

pytestmark = pytest.mark.timeout(300)
PATIENCE = 240  # seconds: pip installs, on a machine that runs other tests
README = Page(ROOT / "README.md")
HELLO: dict[str, object] = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "a host", "version": "1"},
}
CREATE: dict[str, object] = {"name": "issues_create", "arguments": {"title": "First", "description": "One."}}
CONVERSATION = [
    ("initialize", HELLO),
    ("tools/list", dict[str, object]()),
    ("tools/call", CREATE),
]


def lines(kind: str) -> list[str]:
    """The commands that install from a wheel or a clone, as the README has them."""
    (block,) = [block for block in README.blocks("sh") if block.installs == kind]
    assert 1 < len(commands(block)) <= 5
    return block.text.splitlines()


def clean_machine(folder: Path) -> tuple[Path, Path]:
    """A home folder with nothing in it, and the folder around a person's project."""
    home, here = folder / "home", folder / "here"
    home.mkdir()
    (here / "your-project").mkdir(parents=True)
    subprocess.run(["git", "init", "-q", here / "your-project"], check=True)
    return home, here


def typed(script: list[str], home: Path, here: Path, **variables: str) -> None:
    """Type lines into a shell, which stops at the first that fails."""
    done = subprocess.run(
        ["bash", "-e", "-c", "\n".join(script)],
        cwd=here,
        env=person(home) | variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def check_host(home: Path, here: Path, **variables: str) -> None:
    """Start what the configuration names, as the host does, and use a tool."""
    project = here / "your-project"
    entry = json.loads((project / ".mcp.json").read_text(encoding="utf-8"))["mcpServers"]["laconic"]
    asked = [
        json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        for number, (method, params) in enumerate(CONVERSATION)
    ]
    done = subprocess.run(
        [entry["command"], *entry["args"]],
        cwd=project,
        env=person(home) | variables | entry.get("env", {}),
        input="\n".join(asked) + "\n",
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    answers = {answer["id"]: answer["result"] for answer in map(json.loads, done.stdout.splitlines())}

    assert "issues_list" in [tool["name"] for tool in answers[1]["tools"]]
    assert "ISS-000001" in answers[2]["content"][0]["text"]
    assert list(project.glob(".wrangler/issues/ISS-000001-*.md"))


def index_page(built: Path) -> str:
    """What a package index would show of a wheel."""
    with ZipFile(built) as files:
        (name,) = [name for name in files.namelist() if name.endswith(".dist-info/METADATA")]
        return files.read(name).decode()


def test_the_readme_of_a_wheel_has_no_dead_link(built: Path) -> None:
    page = index_page(built)

    assert "# Laconic" in page
    assert "[Hosts]" not in page
    assert "Hosts has the details" in page
    assert not re.search(r"\]\((?!https:)", page)


def test_with_a_public_address_the_readme_of_a_wheel_links_to_the_repository(tmp_path: Path) -> None:
    source = clone(tmp_path / "source")
    project = source / "pyproject.toml"
    address = 'repository = "https://git.example/laconic"'
    project.write_text(project.read_text().replace('repository = ""', address))

    page = index_page(wheel(tmp_path / "dist", source))

    assert "Project-URL: Repository, https://git.example/laconic" in page
    assert "[Hosts](https://git.example/laconic/blob/main/docs/hosts.md)" in page
    assert "](https://git.example/laconic/raw/main/docs/images/answers.svg)" in page


def test_a_wheel_leads_to_a_host_that_works_on_another_project(built: Path, tmp_path: Path) -> None:
    home, here = clean_machine(tmp_path)
    shutil.copy2(built, here)
    # the dependencies are the tests' own: no index is asked, and pip takes the wheel alone
    offline = {"PYTHONPATH": PACKAGES, "PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1"}

    typed(lines("wheel"), home, here, **offline)

    check_host(home, here, PYTHONPATH=PACKAGES)


def test_a_clone_leads_to_a_host_that_works_on_another_project(tmp_path: Path) -> None:
    home, here = clean_machine(tmp_path)
    origin = clone(tmp_path / "origin")
    first, *rest = lines("clone")

    typed([first.replace("REPOSITORY", str(origin))], home, here)
    ready(home / "laconic")  # what the first use would fetch
    typed(rest, home, here)

    check_host(home, here)
    assert state_of(home / "laconic") == {}, "nothing is written into Laconic's own checkout"
