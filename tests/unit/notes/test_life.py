"""Archive, trash, versions, history and uses of notes and bookmarks: what REST and the pages will use."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from laconic.kit import BadArguments, Conflict, NotFound, Unset, Window
from laconic.kit.testing import TestClient
from laconic.servers.notes.changes import NoteChange
from laconic.servers.notes.pages import Pages
from laconic.servers.notes.service import ContentQuery, Notes
from laconic.servers.notes.store import KINDS
from laconic.stores import By, Database, Draft, Shelf
from laconic.stores.errors import BadValue, Missing
from tests.library import emptied
from tests.unit.stores.shelf.samples import Clock

ME = By("ada", "test")
URL = "https://example.com/"


@pytest.fixture
def clock() -> Clock:
    """The time of the library."""
    return Clock()


@pytest.fixture
async def shelf(library: str, clock: Clock) -> AsyncIterator[Shelf]:
    """An empty library."""
    await emptied(library)
    database = Database(library, [Shelf.schema])
    yield Shelf(database, KINDS, clock)
    await database.close()


@pytest.fixture
async def notes(shelf: Shelf) -> AsyncIterator[Notes]:
    """The service."""
    service = Notes(shelf, Pages(None))
    yield service
    await service.close()


async def titles(notes: Notes, **query: object) -> list[str | None]:
    page = await notes.find(Window(), ContentQuery(**query))  # type: ignore[arg-type]
    return [item.title for item in page.items]


async def test_an_archived_item_is_read_and_changed_by_id_but_not_listed(notes: Notes) -> None:
    id = (await notes.create_note("Old", ME, content="a")).id

    await notes.archive(id, ME)
    await notes.edit(id, [("a", "b")], ME)

    assert await titles(notes) == [] and await titles(notes, states=["archived"]) == ["Old"]
    read = await notes.get(id)
    assert (read.state, read.content, read.version) == ("archived", "b", 2)
    await notes.unarchive(id, ME)
    assert await titles(notes) == ["Old"]


async def test_an_item_is_archived_when_its_time_comes(notes: Notes, clock: Clock) -> None:
    id = (await notes.create_note("Later", ME)).id

    await notes.archive(id, ME, clock.time + timedelta(days=7))

    assert await titles(notes) == ["Later"]
    clock.turn(days=8)
    assert await titles(notes) == []


async def test_what_is_in_the_trash_is_read_but_not_changed_and_comes_back(notes: Notes) -> None:
    id = (await notes.create_note("Gone", ME, content="a")).id
    await notes.trash(id, ME)

    assert (await notes.get(id)).state == "deleted"
    for refused in (
        notes.edit(id, [("a", "b")], ME),
        notes.update(id, NoteChange(title="x"), ME),
        notes.relate(id, id, ME),
    ):
        with pytest.raises(NotFound) as failure:
            await refused
        assert "in the trash" in failure.value.advice
    await notes.untrash(id, ME)
    assert await titles(notes) == ["Gone"]
    with pytest.raises(BadValue):
        await notes.untrash(id, ME)


async def test_an_address_is_free_again_when_its_bookmark_is_in_the_trash(notes: Notes) -> None:
    first = (await notes.create_bookmark(URL, ME)).id
    await notes.trash(first, ME)
    second = (await notes.create_bookmark(URL, ME)).id

    with pytest.raises(Conflict) as conflict:
        await notes.untrash(first, ME)

    existing = {"id": second, "state": "active"}
    assert conflict.value.details == {"error_code": "ACTIVE_URL_EXISTS", "existing": existing}


async def test_an_archived_bookmark_keeps_its_address_and_says_so(notes: Notes) -> None:
    id = (await notes.create_bookmark(URL, ME)).id
    await notes.archive(id, ME)

    with pytest.raises(Conflict) as conflict:
        await notes.create_bookmark(URL, ME)

    existing = {"id": id, "state": "archived"}
    assert conflict.value.details == {"error_code": "ARCHIVED_URL_EXISTS", "existing": existing}
    assert "archived" in conflict.value.message


async def test_a_tool_is_told_which_archived_bookmark_has_the_address_and_who_restores_it(
    client: TestClient, notes: Notes
) -> None:
    id = (await notes.create_bookmark(URL, ME)).id
    await notes.archive(id, ME)

    told = await client.call("create_bookmark", url=URL)

    assert told.failed and "ask a person to restore it" in told.text
    existing = {"id": id, "state": "archived"}
    assert told.error["details"] == {"error_code": "ARCHIVED_URL_EXISTS", "existing": existing}


# A tool, its arguments beside the id, and whether it works for an archived item and for one in the trash.
BY_ID: list[tuple[str, dict[str, object], bool, bool]] = [
    ("get_item", {}, True, True),
    ("get_item", {"include_content": False}, True, True),
    ("search_in_content", {"query": "a"}, True, True),
    ("edit_content", {"old_str": "a", "new_str": "b"}, True, False),
    ("update_item", {"title": "New"}, True, False),
]


@pytest.mark.parametrize(
    ("tool", "given", "archived", "deleted"), BY_ID, ids=[f"{row[0]} {row[1]}" for row in BY_ID]
)
async def test_what_tools_do_with_what_was_put_away(
    client: TestClient, notes: Notes, tool: str, given: dict[str, object], archived: bool, deleted: bool
) -> None:
    for put, works in ((notes.archive, archived), (notes.trash, deleted)):
        id = (await notes.create_note("Old", ME, content="a")).id
        await put(id, ME)
        reply = await client.call(tool, id=id, **given)
        assert reply.failed != works, reply.text
        assert works or "It is in the trash: a person must restore it first." in reply.text


async def test_what_is_deleted_for_good_is_gone_with_its_history(notes: Notes) -> None:
    id = (await notes.create_note("Gone", ME)).id

    await notes.purge(id)

    with pytest.raises(NotFound):
        await notes.get(id)
    assert await notes.history(9) == []


async def test_every_save_is_a_version_that_can_be_read_compared_and_brought_back(notes: Notes) -> None:
    id = (await notes.create_note("Bread", ME, content="one\n")).id
    await notes.edit(id, [("one", "two")], ME)
    await notes.update(id, NoteChange(title="Cake", content="three\n"), ME)

    assert [entry.number for entry in await notes.versions(id, 9)] == [3, 2, 1]
    assert (await notes.version(id, 1)).body == "one\n"
    assert "-one\n+three" in (await notes.compare(id, 1, 3)).text
    assert "-three\n+one" in (await notes.compare(id, 3, 1)).text
    back = await notes.revert(id, 1, ME)
    assert (back.item.version, back.item.title, back.item.body) == (4, "Bread", "one\n")
    with pytest.raises(BadValue):
        await notes.revert(id, 4, ME)
    with pytest.raises(Missing):
        await notes.revert(id, 9, ME)


async def test_the_history_says_what_was_done_by_whom_to_which_item(notes: Notes) -> None:
    id = (await notes.create_note("Bread", ME)).id
    await notes.archive(id, By("bob", "web"))
    await notes.create_bookmark(URL, ME)

    entries = await notes.history(9)

    assert [(entry.action, entry.by.author) for entry in entries] == [
        ("create", "ada"),
        ("archive", "bob"),
        ("create", "ada"),
    ]
    assert [entry.action for entry in await notes.history(9, sources=["web"])] == ["archive"]
    assert [entry.kind for entry in await notes.history(1)] == ["bookmark"]


async def test_a_read_is_a_use_and_changes_nothing_else(notes: Notes, shelf: Shelf, clock: Clock) -> None:
    id = (await notes.create_note("Bread", ME)).id
    before = await notes.item(id)
    clock.turn(hours=1)

    await notes.get(id)
    await notes.close()

    after = await notes.item(id)
    assert after.uses == 1 and after.last_used_at > before.last_used_at
    assert (after.version, after.updated_at) == (before.version, before.updated_at)


async def test_links_are_removed_and_replaced_from_either_end(notes: Notes) -> None:
    first = (await notes.create_note("One", ME)).id
    second = (await notes.create_note("Two", ME)).id
    await notes.relate(first, second, ME)

    await notes.unlink(second, first, ME)
    assert await notes.links(first) == []
    assert await notes.set_links(first, {second: "why"}, ME)
    assert [link.description for link in await notes.links(second)] == ["why"]
    assert not await notes.set_links(first, {second: "why"}, ME)


async def test_a_link_of_a_note_leads_to_a_prompt_too_but_a_prompt_is_no_note(
    notes: Notes, shelf: Shelf
) -> None:
    note = (await notes.create_note("One", ME)).id
    prompt = (await shelf.run(lambda desk: desk.add(Draft("prompt", "review", body="x"), ME))).id

    await notes.relate(note, prompt, ME)

    related = (await notes.get(note)).relationships
    assert [(one.id, one.type, one.title) for one in related] == [(prompt, "prompt", "review")]
    with pytest.raises(NotFound) as failure:
        await notes.get(prompt)
    assert "It is a prompt" in failure.value.advice


async def test_an_item_has_at_most_fifty_relationships(notes: Notes) -> None:
    hub = (await notes.create_note("Hub", ME)).id
    others = [(await notes.create_note(f"Note {number}", ME)).id for number in range(51)]
    for other in others[:50]:
        await notes.relate(hub, other, ME)

    for ends in ((hub, others[50]), (others[50], hub)):
        with pytest.raises(BadValue, match="at most 50"):
            await notes.relate(*ends, ME)


@pytest.mark.parametrize(("kind", "most"), [("note", 500_000), ("bookmark", 512_000)])
async def test_a_content_has_a_limit_however_it_gets_there(notes: Notes, kind: str, most: int) -> None:
    id = (await notes.create(Draft(kind, URL if kind == "bookmark" else None, "T", body="x" * most), ME)).id

    for refused in (
        notes.update(id, NoteChange(content="x" * (most + 1)), ME),
        notes.create(Draft(kind, None, "T", body="x" * (most + 1)), ME),
    ):
        with pytest.raises(BadArguments, match="at most"):
            await refused
    await notes.update(id, NoteChange(content="y" + "x" * (most - 1)), ME)
    with pytest.raises(BadArguments, match="at most"):
        await notes.edit(id, [("y", "yy")], ME)


async def test_a_value_that_is_the_same_is_no_change(notes: Notes) -> None:
    made = await notes.create_note("Bread", ME, tags=["a", "b"])

    same = await notes.update(made.id, NoteChange(title="Bread", tags=["b", "a"], description=Unset()), ME)

    assert (same.version, same.updated_at, same.changed) == (1, made.updated_at, None)


async def test_long_titles_and_descriptions_are_refused_whoever_writes_them(notes: Notes) -> None:
    id = (await notes.create_note("x" * 500, ME, description="x" * 2000)).id

    with pytest.raises(BadArguments, match="at most 500 characters, not 501"):
        await notes.create_note("x" * 501, ME)
    with pytest.raises(BadArguments, match="at most 2,000 characters, not 2,001"):
        await notes.update(id, NoteChange(description="x" * 2001), ME)
    assert (await notes.get(id)).version == 1


async def test_a_page_of_places_in_a_long_line_has_a_few_and_the_next_goes_on(notes: Notes) -> None:
    id = (await notes.create_note("Long", ME, content="needle " * 60_000)).id
    first = await notes.search_in(id, Window(500), "needle")
    second = await notes.search_in(id, Window(500, position=(1,)), "needle")
    assert (len(first.items), len(second.items), first.total, second.total) == (2, 2, 60_000, 60_000)
    assert (first.next, second.next) == ((1,), (3,))
