"""Finding toolsets: ours without a scan, others by name or by path, and clear errors."""

import sys
import tomllib
from pathlib import Path

import pytest

from laconic.cli import toolsets
from laconic.cli.toolsets import Reference
from laconic.kit import Endpoint
from laconic.kit.errors import BadConfiguration
from laconic.kit.testing import tool_tokens

ROOT = Path(__file__).resolve().parents[3]
WRONG = """
from laconic.kit import Toolset
x = Toolset('x')
@x.read(hnt="look")
def look() -> str: ...
"""
MODULE = """
from laconic.kit import Toolset
mine = Toolset('mine')
other = 5
@mine.read
def look() -> str:
    '''Look.'''
    return "here"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with a toolset module in it."""
    (tmp_path / "tools_of_mine.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "broken_of_mine.py").write_text("1 / 0\n", encoding="utf-8")
    (tmp_path / "wrong_of_mine.py").write_text(WRONG, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "tools_of_mine", raising=False)
    return tmp_path


def test_our_own_table_matches_our_entry_points() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert project["entry-points"][toolsets.GROUP] == toolsets.OWN


def test_one_of_ours_is_found_without_a_scan(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolsets, "installed", lambda: pytest.fail("scanned"))

    assert toolsets.find("example") == Reference("laconic.servers.example.tools", "example")


def test_a_foreign_toolset_is_found_by_its_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolsets, "installed", lambda: {"theirs": "theirs.tools:toolset"})

    assert toolsets.find("theirs") == Reference("theirs.tools", "toolset")


def test_a_module_of_the_current_folder_is_served_and_shadows_nothing(folder: Path) -> None:
    found = toolsets.load(toolsets.find("tools_of_mine:mine"))

    assert found.name == "mine"
    assert sys.path[-1] == str(folder)  # last: what is installed comes first


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("exmaple", "There is no server 'exmaple'. Did you mean example?"),
        ("tools_of_mine:mien", "has no toolset 'mien'. Did you mean tools_of_mine:mine?"),
        ("tools_of_mine:other", "has no toolset 'other'. Did you mean tools_of_mine:mine?"),
        ("tools_of_mine:", "does not name a toolset. Expected: package.module:toolset."),
        ("nowhere_at_all:x", "nowhere_at_all is neither installed nor in "),
        ("wrong_of_mine:x", "wrong_of_mine: look: unknown option 'hnt'. Did you mean 'hint'?"),
        ("broken_of_mine:x", "broken_of_mine cannot be imported: ZeroDivisionError: division by zero."),
    ],
)
def test_an_unknown_toolset_is_refused_with_the_nearest(folder: Path, name: str, said: str) -> None:
    with pytest.raises(BadConfiguration) as caught:
        toolsets.load(toolsets.find(name))

    assert said in caught.value.message


@pytest.mark.parametrize(
    "name", ["deep/tools_of_mine:mine", "./deep/tools_of_mine.py:mine", "{}/deep/tools_of_mine:mine"]
)
def test_a_module_of_another_folder_is_named_with_it(folder: Path, name: str) -> None:
    (folder / "deep").mkdir()
    (folder / "tools_of_mine.py").rename(folder / "deep" / "tools_of_mine.py")

    found = toolsets.find(name.format(folder))

    assert toolsets.load(found).name == "mine"
    assert found.folder == str(folder / "deep")


def test_a_name_that_is_written_down_means_the_same_elsewhere(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert toolsets.placed("issues", folder) == "issues"
    assert toolsets.placed("json.tool:x", folder) == "json.tool:x"  # installed
    assert toolsets.placed("tools_of_mine:mine", folder) == "tools_of_mine:mine"
    assert toolsets.placed("tools_of_mine:mine", folder.parent) == f"{folder.name}/tools_of_mine:mine"
    assert toolsets.placed("tools_of_mine.py:mine", None) == f"{folder}/tools_of_mine:mine"


def test_the_default_servers_together_are_within_their_bounds() -> None:
    loaded = [toolsets.load(toolsets.find(name)) for name in toolsets.DEFAULT]
    tools = Endpoint(loaded).listing.tools

    assert toolsets.DEFAULT == ("issues", "prompts")
    assert len(tools) <= 36
    assert sum(tool_tokens(tool) for tool in tools) <= 3800
