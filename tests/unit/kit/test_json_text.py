"""With `json=`, a caller chooses data as JSON in the text: pages with their cursor, records without nulls."""

import json
from typing import Any

from laconic.kit import PAGINATION, Page, Record, Settings, Toolset, Window
from laconic.kit.testing import connect

shelf = Toolset("shelf", "Books.", envelope=PAGINATION)


class ShelfBook(Record, noun="book"):
    """A book."""

    id: str
    note: str | None = None


@shelf.read(json="response_format")
async def shelf_list(window: Window = Window(size=2)) -> Page[ShelfBook]:
    """List the books."""
    return window.cut([ShelfBook(id=str(n)) for n in range(5)], key=lambda one: (one.id,))


@shelf.read(json="response_format", fields=None)
async def shelf_get() -> ShelfBook:
    """Show a book."""
    return ShelfBook(id="1")


async def test_a_page_as_json_has_the_cursor_of_the_next_which_keeps_the_form() -> None:
    async with connect(shelf) as client:
        first = json.loads((await client.call("shelf_list", response_format="json")).text)
        second = json.loads((await client.call("shelf_list", cursor=first["pagination"]["next_cursor"])).text)
        usual = await client.call("shelf_list")
    assert first["items"] == [{"id": "0"}, {"id": "1"}] and first["pagination"]["total"] == 5
    assert second["items"] == [{"id": "2"}, {"id": "3"}]
    assert usual.text.startswith("Showing 2 of 5 books:")


async def test_a_record_as_json_is_the_same_with_structured_content() -> None:
    texts: list[Any] = []
    for output in ("text", "both"):
        async with connect(shelf, settings=Settings(output=output)) as client:
            texts.append((await client.call("shelf_get", response_format="json")).text)
            [listed] = [one for one in await client.tools() if one["name"] == "shelf_get"]
    assert texts == ['{"id":"1"}'] * 2
    assert listed["inputSchema"]["properties"]["response_format"]["enum"] == ["markdown", "json"]
