"""Several toolsets on one service: one instance, one section, one set of threads, each chosen by itself."""

import threading
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from pydantic import BaseModel

from laconic.kit import BadConfiguration, Described, Settings, Toolset
from laconic.kit.testing import connect


class Opening(BaseModel):
    """The section of the library."""

    shelf: str = "A"


class Library:
    """Books, and how often a library was opened."""

    opened = 0

    def __init__(self, shelf: str) -> None:
        Library.opened += 1
        self.books = [shelf]


library = Toolset("library", "Books.", provides=(Library,), settings=Opening, case="camel", threads=1)
more = Toolset("library_more", "More about books.", of=library)


@library.factory
async def open_library(section: Opening) -> AsyncIterator[Library]:
    yield Library(section.shelf)


@library.read(cache=60)
async def books_list(library: Library) -> str:
    """List the books."""
    return ", ".join(library.books)


@library.read
def books_thread(library: Library) -> int:
    """Name the thread."""
    return threading.get_ident()


@more.create(replays=False)
async def book_add(library: Library, book_title: Annotated[str, "Its title."]) -> str:
    """Add a book."""
    library.books.append(book_title)
    return f"Added {book_title}."


@more.read
def more_thread(library: Library) -> int:
    """Name the thread."""
    return threading.get_ident()


async def test_two_toolsets_of_one_service_open_it_once() -> None:
    before = Library.opened
    async with connect(library, more) as client:
        assert (await client.call("books_list")).text == "A"
        await client.call("book_add", bookTitle="Moby-Dick")
        assert (await client.call("books_list")).text == "A, Moby-Dick"  # the write ended the cached answer
    assert Library.opened == before + 1


async def test_a_toolset_opens_the_service_of_another_that_is_not_served() -> None:
    settings = Settings(sections={"library": {"shelf": "B"}})
    async with connect(more, settings=settings) as client:
        await client.call("book_add", bookTitle="Emma")
        assert [tool["name"] for tool in await client.tools()] == ["book_add", "more_thread", "read_on"]
        things = await client.endpoint.supplies.of("library_more")
    assert things[Library].books == ["B", "Emma"]


async def test_functions_that_are_not_async_share_the_threads() -> None:
    async with connect(library, more) as client:
        threads = {(await client.call(name)).text for name in ("books_thread", "more_thread")}
    assert len(threads) == 1


@dataclass
class Desk:
    """Where a call is made."""

    name: str
    pins: dict[str, str]


async def test_a_tool_made_from_data_gets_what_the_other_toolset_makes_for_each_call() -> None:
    shop = Toolset("shop", "A shop.", case="camel")
    extra = Toolset("shop_extra", "More of it.", of=shop)

    @shop.each_call
    async def desk(desk_id: str = "main") -> Desk:
        return Desk(desk_id, {"deskId": desk_id})

    async def run(desk: Desk, arguments: Mapping[str, Any]) -> str:
        return f"{desk.name}: {dict(arguments)}"

    takes = Described({"id": {"type": "string"}}, ["id"])
    extra.add("read", "thing_get", "Get a thing.", takes, run)
    async with connect(extra) as client:
        assert list((await client.tools())[0]["inputSchema"]["properties"]) == ["id"]
        assert (await client.call("thing_get", id="a")).text == "main: {'id': 'a'}"
        assert (await client.call("thing_get", id="a", deskId="b")).text == "b: {'id': 'a'}"


def test_what_comes_from_the_other_toolset_is_not_declared_again() -> None:
    with pytest.raises(BadConfiguration, match="odd: provides= and settings= are those of library"):
        Toolset("odd", of=library, provides=(Library,))
    with pytest.raises(BadConfiguration, match="library_more: the factory is that of library"):
        more.factory(open_library)
    assert Toolset("most", of=more).root is library
