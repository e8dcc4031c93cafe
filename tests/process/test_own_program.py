"""A program of an author's own over stdio: what it keeps lasts as long as the author says."""

from pathlib import Path

import pytest

from laconic.kit import BadConfiguration, Endpoint, Toolset, serve
from tests.process.speaking import serving

PROGRAM = '''
import sys
from collections.abc import AsyncIterator
from pathlib import Path

from laconic.kit import Endpoint, Home, HomeFolders, Memory, Toolset, serve
from laconic.stores import open_keyvalue


class Desk:
    def __init__(self, home: Home) -> None:
        self.note = home.credentials / "note"


desk = Toolset("desk", provides=(Desk,))


@desk.factory
async def open_desk(section: object, home: Home) -> AsyncIterator[Desk]:
    yield Desk(home)


@desk.update
async def desk_use(desk: Desk, memory: Memory) -> str:
    """Tell how often it was used."""
    before = await memory.get("times", 0)
    await memory.put("times", before + 1)
    notes = desk.note.read_text() if desk.note.exists() else ""
    desk.note.write_text(notes + "x")
    return f"{before} {notes}"


if sys.argv[1] == "lasting":
    serve(Endpoint([desk], state=open_keyvalue("sqlite:state.db"), folders=HomeFolders.below(Path("home"))))
else:
    serve(desk)
'''


@pytest.mark.parametrize(("way", "second"), [("lasting", "1 x"), ("passing", "0 ")])
def test_an_endpoint_keeps_what_it_was_given_a_place_for(workspace: Path, way: str, second: str) -> None:
    (workspace / "own.py").write_text(PROGRAM, encoding="utf-8")
    answers = []
    for _ in range(2):
        with serving(way, folder=workspace, program="own.py") as server:
            answers.append(server.call("desk_use"))
    assert answers == ["0 ", second]


def test_an_endpoint_is_served_alone() -> None:
    desk = Toolset("desk")
    with pytest.raises(BadConfiguration, match="served alone"):
        serve(Endpoint([desk]), desk)
    with pytest.raises(BadConfiguration, match="served alone"):
        serve(Endpoint([desk]), name="mine")
