"""Tools on a shelf: what a model reads when an edit is refused."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from laconic.kit import Page, Record, Toolset, Window
from laconic.kit.testing import TestClient, connect
from laconic.stores import By, Database, Draft, ItemQuery, Shelf

ME = By("ada")


class Recipe(Record, key="name"):
    """A recipe."""

    name: str


def toolset(shelf: Shelf) -> Toolset:
    tools = Toolset("recipes", "Recipes.", provides=(Shelf,))

    @tools.factory
    async def open_shelf(settings: object) -> AsyncIterator[Shelf]:
        yield shelf

    @tools.create(hint="recipes_add")
    async def recipes_add(shelf: Shelf, name: str, tags: list[str] | None = None) -> str:
        """Add a recipe."""
        await shelf.run(lambda desk: desk.add(Draft("recipe", name, tags=tags or ()), ME))
        return "added"

    @tools.update(hint="recipes_add")
    async def recipes_edit(shelf: Shelf, name: str, body: str, version: int) -> str:
        """Change a recipe."""

        def work(desk: Any) -> str:
            return (
                f"version {desk.edit(desk.find('recipe', name).id, {'body': body}, ME, version).item.version}"
            )

        return await shelf.run(work)

    @tools.read
    async def recipes_list(
        shelf: Shelf, query: str = "", window: Window = Window(size=2, offset=True)
    ) -> Page[Recipe]:
        """List recipes, the newest first."""
        wanted = ItemQuery(["recipe"], query)
        found = await shelf.read(
            lambda desk: desk.search(wanted, window.count, window.position, skip=window.start)
        )
        return window.page([Recipe(name=item.name or "") for item in found.items], next=found.after)

    return tools


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[TestClient]:
    database = Database(tmp_path / "library.db", [Shelf.schema])
    async with connect(toolset(Shelf(database))) as client:
        yield client
    await database.close()


async def said(client: TestClient, tool: str, **arguments: Any) -> str:
    return str((await client.call(tool, **arguments)).text)


async def test_what_a_refused_edit_says(client: TestClient) -> None:
    assert await said(client, "recipes_add", name="bread") == "added"
    assert await said(client, "recipes_edit", name="bread", body="Flour.", version=1) == "version 2"
    stale = await said(client, "recipes_edit", name="bread", body="Water.", version=1)
    assert stale.startswith("Error [RESOURCE_LOCKED]: It was changed: it has version 2, not 1.")
    assert "version 2 if the change still fits" in stale
    taken = await said(client, "recipes_add", name="bread")
    assert taken.startswith("Error [RESOURCE_ALREADY_EXISTS]: A recipe has the name bread.")
    bad = await said(client, "recipes_add", name="soup", tags=["two words"])
    assert bad.startswith("Error [VALIDATION_ERROR]: Expected a tag of lower-case words")


async def test_the_details_say_who_has_the_name(client: TestClient) -> None:
    await said(client, "recipes_add", name="bread")
    failure = (await client.call("recipes_add", name="bread")).error
    assert failure["details"]["existing"]["state"] == "active"


@pytest.mark.parametrize("query", ["", "recipe"], ids=["list", "search"])
async def test_an_offset_skips_items_of_the_shelf_and_the_cursor_goes_on_there(
    client: TestClient, query: str
) -> None:
    for number in range(5):
        await said(client, "recipes_add", name=f"recipe-{number}")
    skipped = await client.call("recipes_list", query=query, offset=1)
    after = await client.call("recipes_list", cursor=skipped.cursor)
    assert skipped.text.splitlines()[2:4] == ["recipe-3", "recipe-2"]
    assert after.text.splitlines()[2:4] == ["recipe-1", "recipe-0"]
