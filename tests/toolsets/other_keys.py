"""Two toolsets with prescribed keys: the envelope of requirement 001, the pagination of 004."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Annotated, Any

from laconic.kit import META, PAGINATION, NotFound, Page, Record, Toolset, UpstreamDown, Window


class Epic(Record):
    """A large story."""

    id: int
    subject: str


class Epics:
    """Twelve epics."""

    def __init__(self) -> None:
        self.items = [Epic(id=number, subject=f"Epic {number}") for number in range(1, 13)]


taiga = Toolset(
    "taiga", "Epics.", provides=(Epics,), case="camel", envelope=META, dotted=True, open_world=True
)


@taiga.factory
async def open_taiga(section: Mapping[str, Any]) -> AsyncIterator[Epics]:
    """Open it."""
    yield Epics()


@taiga.read
async def taiga_list_epics(
    epics: Epics, window: Window = Window(size=5, most=200, offset=True)
) -> Page[Epic]:
    """List epics."""
    return window.cut(epics.items, key=lambda epic: (epic.id,))


@taiga.read(hint="taiga_list_epics")
async def taiga_get_epic(epics: Epics, id: Annotated[int, "The epic's number."]) -> Epic:
    """Read one epic."""
    for epic in epics.items:
        if epic.id == id:
            return epic
    if id == 500:
        raise UpstreamDown("Taiga answered 502.", retry_after=0.012)
    raise NotFound("Epic", id)


class File(Record, key="name"):
    """A file somewhere else."""

    name: str


drive = Toolset("drive", "Files of another service.", case="camel", envelope=PAGINATION, open_world=True)


@drive.read
async def drive_list_files(window: Window = Window(size=3, most=10)) -> Page[File]:
    """List files; the total is not known."""
    begin = (
        int(str(window.position[0]).removeprefix("upstream-page-token-that-is-long-"))
        if window.position
        else 0
    )
    names = [File(name=f"file-{number}") for number in range(begin, min(begin + window.count, 8))]
    end = begin + len(names)
    token = f"upstream-page-token-that-is-long-{end}"
    return Page(names, next=(token,) if end < 8 else None)
