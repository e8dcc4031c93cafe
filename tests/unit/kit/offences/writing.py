"""Toolsets whose lists or texts are not what was asked for or written."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from laconic.kit import Memory, Page, Record, Toolset, Window
from laconic.kit.contract import Body, Contract
from tests.unit.kit.offences.shelf import Thing, breaks


def rooms(*, asked: bool) -> Toolset:
    """Things in two rooms: the list names its room, or shows that of the room chosen last."""
    toolset = Toolset("rooms")
    chosen = ["cellar"]

    def things(room: str, window: Window) -> Page[Thing]:
        first = 10 if room == "cellar" else 20
        return window.cut([Thing(id=first + number) for number in range(5)], key=lambda thing: (thing.id,))

    @toolset.update
    async def room_choose(room: Annotated[str, "Its name."]) -> str:
        """Choose a room."""
        chosen[0] = room
        return room

    if asked:

        @toolset.read
        async def thing_list(window: Window, room: Annotated[str, "Its name."]) -> Page[Thing]:
            """List things."""
            return things(room, window)

    else:

        @toolset.read(name="thing_list")
        async def thing_list_of_chosen(window: Window) -> Page[Thing]:
            """List things."""
            return things(chosen[0], window)

    return toolset


@breaks("a_cursor_keeps_its_list")
def a_list_of_whatever_was_chosen_last(*_: object) -> Contract:
    samples = {"thing_list": {}, "room_choose": {"room": "attic"}}
    return Contract(rooms(asked=False), samples=samples)


FIRST = {"cellar": 10, "attic": 20}


@dataclass(frozen=True)
class Room:
    """The room that a call is about."""

    name: str
    pins: Mapping[str, Any]


def remembered(*, pinned: bool, first: Mapping[str, int] = FIRST) -> Contract:
    """Things in the room that the caller chose before; cursors may not be bound to it."""
    toolset = Toolset("rooms")

    @toolset.each_call
    async def room(memory: Memory, room: Annotated[str | None, "Another."] = None) -> Room:
        name = room or await memory.get("room", "none")
        return Room(name, {"room": name} if pinned else {})

    @toolset.update
    async def room_choose(memory: Memory, room: Annotated[str, "Its name."]) -> str:
        """Choose a room."""
        await memory.put("room", room)
        return room

    @toolset.read
    async def thing_list(room: Room, window: Window) -> Page[Thing]:
        """List things."""
        ids = range(first[room.name], first[room.name] + 5)
        return window.cut([Thing(id=id, name=room.name) for id in ids], key=lambda thing: (thing.id,))

    samples = {"thing_list": {}, "room_choose": {"room": "attic"}}
    return Contract(toolset, samples=samples, before={"room_choose": {"room": "cellar"}})


@breaks("a_cursor_keeps_its_list")
def a_list_of_the_room_that_was_remembered(*_: object) -> Contract:
    return remembered(pinned=False)


@breaks("a_cursor_keeps_its_list")
def a_list_of_things_that_are_numbered_in_each_room(*_: object) -> Contract:
    return remembered(pinned=False, first={"cellar": 1, "attic": 1})


class Note(Record, bodies=("text",)):
    """A note."""

    id: int
    text: str


def notes(*, strips: bool = False, cuts: bool = False) -> Toolset:
    """Notes, perhaps without the white space around them, or shown in a text of their own."""
    toolset = Toolset("notes")
    kept: dict[int, str] = {}

    class Cut(Note, bodies=("text",)):
        """A note that shows its first line."""

        def write_text(self, format: str | None) -> str | None:
            return self.text.strip().splitlines()[0]

    kind = Cut if cuts else Note

    @toolset.create
    async def note_add(text: Annotated[str, "What it says."]) -> Note:
        """Add a note."""
        kept[len(kept) + 1] = text.strip() if strips else text
        return Note(id=len(kept), text="")

    @toolset.read
    async def note_get(id: Annotated[int, "Its id."]) -> Note:
        """Read a note."""
        return kind(id=id, text=kept[id])

    return toolset


def written(toolset: Toolset) -> Contract:
    return Contract(
        toolset, samples={"note_add": {"text": "x"}}, bodies={"note_add": Body("text", read="note_get")}
    )


@breaks("a_body_is_read_back_as_written")
def notes_that_lose_their_ends(*_: object) -> Contract:
    return written(notes(strips=True))


@breaks("a_body_is_read_back_as_written")
def notes_whose_text_is_cut(*_: object) -> Contract:
    return written(notes(cuts=True))
