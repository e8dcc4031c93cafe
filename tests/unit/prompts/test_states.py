"""What may be done with a prompt that is active, archived or in the trash: the whole table, row by row."""

from collections.abc import Awaitable, Callable
from typing import Any

import mcp_types as t
import pytest
from mcp import MCPError

from laconic.kit import BadArguments, NotFound
from laconic.kit.testing import TestClient
from laconic.library.placing import Placing
from laconic.servers.prompts.models import Edit
from laconic.servers.prompts.service import Library, PromptChanges
from laconic.servers.prompts.store import ById
from laconic.stores import BadValue, Missing
from tests.unit.stores.shelf.samples import ME

STATES = ("active", "archived", "deleted")
EDIT = [Edit(old_str="Hello", new_str="Dear")]
Act = Callable[[Library, str], Awaitable[Any]]
# What is done, and what becomes of it in each state: done, not found, or refused.
BY_ID: dict[str, tuple[Act, str]] = {
    "read": (lambda library, id: library.reading.get(ById(id)), "done done done"),
    "read lines": (lambda library, id: library.reading.get(ById(id), 1, 1), "done done done"),
    "read metadata": (lambda library, id: library.reading.metadata(ById(id)), "done done done"),
    "render": (lambda library, id: library.templates.render(ById(id), {"who": "Ada"}), "done done done"),
    "list versions": (lambda library, id: library.versions.history(ById(id), 9), "done done done"),
    "compare": (lambda library, id: library.versions.compare(ById(id), "2"), "done done done"),
    "change": (
        lambda library, id: library.editing.change(ById(id), PromptChanges(title="New"), ME),
        "done done missing",
    ),
    "edit": (lambda library, id: library.editing.edit(ById(id), EDIT, ME), "done done missing"),
    "trash": (lambda library, id: library.shelving.trash(ById(id), ME), "done done missing"),
    "purge": (lambda library, id: library.shelving.purge(ById(id)), "done done done"),
    "archive": (lambda library, id: library.shelving.archive(ById(id), ME), "done done missing"),
    "unarchive": (lambda library, id: library.shelving.unarchive(ById(id), ME), "refused done missing"),
    "bring back": (lambda library, id: library.shelving.untrash(ById(id), ME), "refused refused done"),
    "restore a version": (
        lambda library, id: library.versions.revert(ById(id), "1", ME),
        "done done missing",
    ),
}
BY_NAME: dict[str, Act] = {
    "read": lambda library, name: library.reading.get(name),
    "read metadata": lambda library, name: library.reading.metadata(name),
    "render": lambda library, name: library.templates.render(name, {"who": "Ada"}),
    "change": lambda library, name: library.editing.change(name, PromptChanges(title="New"), ME),
    "edit": lambda library, name: library.editing.edit(name, EDIT, ME),
    "restore a version": lambda library, name: library.versions.revert(name, "1", ME),
}
TOOLS: dict[str, dict[str, Any]] = {
    "get_prompt_template": {},
    "get_prompt_metadata": {},
    "render_prompt": {"arguments": {"who": "Ada"}},
    "edit_prompt_template": {"old_str": "Hello", "new_str": "Dear"},
    "update_prompt_metadata": {"title": "New"},
    "list_prompt_versions": {},
    "compare_prompt_versions": {},
}


async def made(library: Library, state: str) -> str:
    """Make a prompt with two versions in a state, and return its id."""
    await library.editing.create("hello", "Hello {{ who }}.", ME, title="Old")
    saved = await library.editing.change("hello", PromptChanges(title="Newer"), ME)
    if state != "active":
        put = library.shelving.archive if state == "archived" else library.shelving.trash
        await put(ById(saved.id), ME)
    return saved.id


async def outcome(act: Awaitable[Any]) -> str:
    try:
        await act
    except (NotFound, Missing):
        return "missing"
    except (BadArguments, BadValue):
        return "refused"
    return "done"


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("what", BY_ID)
async def test_by_id(service: Library, what: str, state: str) -> None:
    act, expected = BY_ID[what]
    id = await made(service, state)
    assert await outcome(act(service, id)) == expected.split()[STATES.index(state)]


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("what", BY_NAME)
async def test_by_name_only_what_is_active_is_there(service: Library, what: str, state: str) -> None:
    await made(service, state)
    expected = "done" if state == "active" else "missing"
    assert await outcome(BY_NAME[what](service, "hello")) == expected


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("tool", TOOLS)
async def test_tools_see_what_is_active(client: TestClient, service: Library, tool: str, state: str) -> None:
    await made(service, state)
    reply = await client.call(tool, name="hello", **TOOLS[tool])
    assert reply.failed == (state != "active"), reply.text
    assert state == "active" or "not found" in reply.text


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("query", [None, "hello"])
async def test_a_search_finds_what_is_active(
    client: TestClient, service: Library, query: str | None, state: str
) -> None:
    await made(service, state)
    found = await client.call("search_prompts", query=query)
    assert ("hello" in found.text.partition("\n")[2]) == (state == "active"), found.text
    assert not found.failed


@pytest.mark.parametrize("state", STATES)
async def test_the_capability_sees_what_is_active(client: TestClient, service: Library, state: str) -> None:
    await made(service, state)
    listed = [one.name for one in (await client.client.list_prompts(cache_mode="bypass")).prompts]
    assert listed == (["hello"] if state == "active" else [])
    if state == "active":
        filled = await client.client.get_prompt("hello", {"who": "Ada"})
        assert isinstance(filled.messages[0].content, t.TextContent)
        assert filled.messages[0].content.text == "Hello Ada."
    else:
        with pytest.raises(MCPError, match="hello"):
            await client.client.get_prompt("hello", {"who": "Ada"})


async def test_what_comes_back_is_active_also_if_it_was_archived(service: Library) -> None:
    id = await made(service, "archived")
    await service.shelving.trash(ById(id), ME)
    back = await service.shelving.untrash(ById(id), ME)
    assert (back.state, back.archived_at, back.deleted_at) == ("active", None, None)


async def test_archiving_twice_is_one_entry_of_the_history(service: Library) -> None:
    id = await made(service, "archived")
    await service.shelving.archive(ById(id), ME)
    actions = [entry.action for entry in await service.versions.history(ById(id), 9)]
    assert actions == ["archive", "update", "create"]


@pytest.mark.parametrize("what", ["archive", "unarchive", "trash", "bring back"])
async def test_none_of_it_moves_the_time_of_change_or_the_version(service: Library, what: str) -> None:
    state = {"unarchive": "archived", "bring back": "deleted"}.get(what, "active")
    id = await made(service, state)
    before = await service.reading.get(ById(id))
    await BY_ID[what][0](service, id)
    after = await service.reading.get(ById(id))
    assert (after.updated_at, after.version) == (before.updated_at, before.version)


async def test_what_is_deleted_for_good_leaves_no_history_and_no_links(service: Library) -> None:
    id = await made(service, "active")
    other = (await service.editing.create("other", "x", ME)).id
    await service.editing.change("other", PromptChanges(placing=Placing(links={id: None})), ME)
    await service.shelving.purge(ById(id))
    assert await outcome(service.versions.history(ById(id), 9)) == "missing"
    shelf = service.shelving._shelf
    assert await shelf.read(lambda desk: desk.get(other).links) == ()
