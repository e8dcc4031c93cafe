"""Profiles, data files and toolsets that share a service, chosen by flags, variables and laconic.toml."""

import json
from pathlib import Path

import pytest

from tests.process.speaking import run, serving

TOOLSETS = """
import json
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from laconic.kit import Described, Profile, Toolset

DATA = Path(__file__).with_name("operations.json")


class Section(BaseModel):
    place: str = "nowhere"


class Drawer:
    def __init__(self, place: str) -> None:
        self.place = place


drawer = Toolset(
    "drawer",
    "Things in a drawer.",
    provides=(Drawer,),
    settings=Section,
    profiles={"lean": Profile(["thing_get"], aside=lambda spec: True), "full": Profile(lambda spec: True)},
    default="lean",
    data=[DATA],
)
more = Toolset("drawer_more", "More about it.", of=drawer)


@drawer.factory
async def open_drawer(section: Section) -> AsyncIterator[Drawer]:
    yield Drawer(section.place)


async def run(drawer: Drawer, arguments: Mapping[str, Any]) -> str:
    return drawer.place


for name in json.loads(DATA.read_text()):
    drawer.add("read", name, "Do it.", Described({}), run)


@more.read
async def drawer_place(drawer: Drawer) -> str:
    \"\"\"Tell where it is.\"\"\"
    return drawer.place
"""


@pytest.fixture
def foreign(workspace: Path) -> Path:
    (workspace / "drawers.py").write_text(TOOLSETS, encoding="utf-8")
    (workspace / "operations.json").write_text(json.dumps(["thing_get", "thing_turn"]), encoding="utf-8")
    return workspace


def names(folder: Path, *flags: str, **variables: str) -> list[str]:
    """The names that `laconic tools` prints."""
    done = run("tools", "-s", "drawers:drawer", *flags, folder=folder, **variables)
    assert done.returncode == 0, done.stderr
    return [line.split()[0] for line in done.stdout.splitlines()[1:] if "  " in line]


def test_a_profile_is_chosen_by_flag_variable_or_file(foreign: Path) -> None:
    assert "thing_turn" not in names(foreign) and "tools_find" in names(foreign)
    assert names(foreign, "--tools", "drawer=full") == ["thing_get", "thing_turn", "read_on"]
    assert names(foreign, LACONIC_TOOLS="drawer=full") == ["thing_get", "thing_turn", "read_on"]
    (foreign / "laconic.toml").write_text("[tools]\ndrawer = 'full'\n", encoding="utf-8")
    assert names(foreign) == ["thing_get", "thing_turn", "read_on"]
    assert names(foreign, "--tools", "drawer=lean")[0] == "thing_get"


def test_tools_and_doctor_show_the_profile(foreign: Path) -> None:
    line = "drawer: profile lean, 1 more tool found with tools_find; --tools drawer=full."
    assert line in run("tools", "-s", "drawers:drawer", folder=foreign).stdout
    assert line in run("doctor", "-s", "drawers:drawer", folder=foreign).stdout


def test_a_tool_that_a_profile_puts_aside_is_shown_as_a_model_would_see_it(foreign: Path) -> None:
    aside = run("tools", "-s", "drawers:drawer", "thing_turn", folder=foreign)
    listed = run("tools", "-s", "drawers:drawer", "thing_get", folder=foreign)
    lost = run("tools", "-s", "drawers:drawer", "thing_trun", folder=foreign)

    assert (
        aside.stdout.startswith("thing_turn  (reads; ")
        and "not listed, found with tools_find" in aside.stdout
    )
    assert listed.stdout.startswith("thing_get  (reads; ") and "not listed" not in listed.stdout
    assert lost.returncode == 2 and "Unknown tool 'thing_trun'." in lost.stderr


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("drawer=fll", "The server 'drawer' has no profile 'fll'. Did you mean full?"),
        ("drawr=full", "Unknown server 'drawr' in --tools. Did you mean drawer?"),
        ("drawer=full,drawr=full", "Unknown server 'drawr' in --tools. Did you mean drawer?"),
        ("drawer", "--tools is 'drawer'. Expected: pairs such as google=lean, separated by commas."),
    ],
)
def test_an_unknown_profile_or_server_is_refused_with_the_nearest(
    foreign: Path, given: str, said: str
) -> None:
    done = run("serve", "drawers:drawer", "--tools", given, folder=foreign)
    assert done.returncode != 0
    assert said in done.stderr


def test_a_change_of_a_data_file_renews_the_list(foreign: Path) -> None:
    assert "thing_burn" not in names(foreign, "--tools", "drawer=full")
    (foreign / "operations.json").write_text(json.dumps(["thing_get", "thing_burn"]), encoding="utf-8")
    assert names(foreign, "--tools", "drawer=full") == ["thing_get", "thing_burn", "read_on"]


def test_a_toolset_of_another_uses_its_section_served_alone(foreign: Path) -> None:
    (foreign / "laconic.toml").write_text("[drawer]\nplace = 'kitchen'\n", encoding="utf-8")
    with serving("drawers:more", folder=foreign) as server:
        assert server.call("drawer_place") == "kitchen"


@pytest.mark.parametrize("where", ["laconic.toml", "config.toml"])
def test_a_section_that_nothing_reads_is_refused_with_the_one_that_is_read(foreign: Path, where: str) -> None:
    own = foreign / "own" / "laconic"
    own.mkdir(parents=True)
    folder = foreign if where == "laconic.toml" else own
    (folder / where).write_text("[drawer_more]\nplace = 'kitchen'\n", encoding="utf-8")
    done = run("tools", "-s", "drawers:more", folder=foreign, XDG_CONFIG_HOME=str(own.parent))
    assert done.returncode == 2
    assert "Nothing reads [drawer_more]: " in done.stderr
    assert "Write it under [drawer]." in done.stderr
