"""What is written into configurations outlives uv's cache; uv runs here for real, without an index."""

import json
import os
import re
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.installations import PACKAGES, person, wheel

UV = str(Path(sys.executable).with_name("uv"))
REFUSAL = re.compile(
    r"laconic: This laconic runs from a cache, which may be cleaned at any time\. "
    r"Run: uv tool install (\S+) \(or pipx install \1\), then this command again\.\n"
)


@pytest.fixture(scope="module")
def light(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Our wheel, but its dependencies are those of the tests, so that nothing is fetched."""
    folder = tmp_path_factory.mktemp("wheel")
    built = wheel(folder / "built")
    made = folder / built.name
    with zipfile.ZipFile(built) as old, zipfile.ZipFile(made, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name.endswith(".dist-info/METADATA"):
                content = re.sub(rb"(?m)^(Requires-Dist|Provides-Extra): .*\n", b"", content)
            if name.endswith(".dist-info/RECORD"):
                content += b"dependencies.pth,,\n"
            new.writestr(name, content)
        new.writestr("dependencies.pth", PACKAGES)
    return made


@dataclass(frozen=True)
class Uv:
    """uv with its own cache, tools and home folder, in a project."""

    home: Path
    project: Path

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        places = {"CACHE_DIR": "cache", "TOOL_DIR": "tools", "TOOL_BIN_DIR": "bin"}
        own = {f"UV_{name}": str(self.home / folder) for name, folder in places.items()}
        kept = {name: value for name, value in person(self.home).items() if not name.startswith("UV_")}
        return subprocess.run(
            words,
            cwd=self.project,
            env=kept | own | {"UV_OFFLINE": "1", "UV_PYTHON": sys.executable},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=150,
            check=False,
        )

    def driver(self) -> str:
        return self.run("git", "config", "merge.laconic-issues.driver").stdout


@pytest.fixture
def uv(tmp_path: Path) -> Uv:
    made = Uv(tmp_path / "home", tmp_path / "project")
    made.home.mkdir()
    made.project.mkdir()
    made.run("git", "init", "-q")
    return made


@pytest.mark.parametrize("how", [["tool", "run", "--from"], ["run", "--no-project", "--with"]])
@pytest.mark.parametrize(
    "words", [["install", "cursor"], ["install", "cursor", "--dry-run"], ["issues", "init"]]
)
def test_from_a_cache_nothing_is_set_up(uv: Uv, light: Path, how: list[str], words: list[str]) -> None:
    done = uv.run(UV, *how, str(light), "laconic", *words)

    assert done.returncode == 1, done.stderr
    refusal = REFUSAL.search(done.stderr)
    assert refusal and refusal[1] == str(light)
    assert [path.name for path in uv.project.iterdir()] == [".git"]
    assert uv.driver() == ""


def test_from_a_cache_other_commands_work(uv: Uv, light: Path) -> None:
    done = uv.run(
        UV, "tool", "run", "--from", str(light), "laconic", "issues", "new", "One", "--body", "Text"
    )
    assert done.returncode == 0, done.stderr
    done = uv.run(UV, "tool", "run", "--from", str(light), "laconic", "issues", "init", "--dry-run")
    assert done.returncode == 0, done.stderr


def test_what_an_installed_tool_writes_survives_cleaning_the_cache(uv: Uv, light: Path) -> None:
    assert uv.run(UV, "tool", "install", str(light)).returncode == 0
    laconic = str(uv.home / "bin" / "laconic")
    for words in (["install", "claude-code"], ["issues", "init"]):
        assert uv.run(laconic, *words).returncode == 0
    uv.run(UV, "cache", "clean")
    assert not (uv.home / "cache" / "archive-v0").exists()

    entry = json.loads((uv.project / ".mcp.json").read_text(encoding="utf-8"))["mcpServers"]["laconic"]
    assert entry["command"] == laconic
    assert uv.run(entry["command"], "--version").stdout.startswith("laconic ")
    assert str(uv.home / "cache") not in uv.driver()
    (python,) = re.findall(r"test -x (\S+)", uv.driver())
    assert os.access(python, os.X_OK) and python.startswith(str(uv.home / "tools"))
