"""The history of a prompt: which changes are versions, what an entry says, and how a version comes back."""

from typing import Any

import pytest

from laconic.kit import Conflict
from laconic.library.placing import Placing
from laconic.servers.prompts.models import Argument
from laconic.servers.prompts.service import Library, PromptChanges
from laconic.servers.prompts.store import ById
from laconic.stores import By
from tests.unit.prompts.test_states import BY_ID, made, outcome
from tests.unit.stores.shelf.samples import ME

TWO = [Argument(name="a"), Argument(name="b", description="Second.")]


async def newest(library: Library, id: str) -> Any:
    return (await library.versions.history(ById(id), 1))[0]


@pytest.mark.parametrize(
    ("what", "state", "action", "number"),
    [
        ("change", "active", "update", 3),
        ("edit", "archived", "update", 3),
        ("restore a version", "active", "restore", 3),
        ("archive", "active", "archive", None),
        ("unarchive", "archived", "unarchive", None),
        ("trash", "active", "delete", None),
        ("bring back", "deleted", "undelete", None),
    ],
)
async def test_saves_are_versions_and_the_rest_is_noted_without_a_number(
    service: Library, what: str, state: str, action: str, number: int | None
) -> None:
    id = await made(service, state)
    await BY_ID[what][0](service, id)
    entry = await newest(service, id)
    assert (entry.action, entry.number, entry.item, entry.kind) == (action, number, id, "prompt")
    if number is None:  # nothing but what identifies it
        assert (entry.name, entry.description, entry.tags, entry.extra) == ("hello", None, (), {})
        assert entry.changed == ()


async def test_an_entry_says_who_by_which_way_and_when(service: Library) -> None:
    id = await made(service, "active")
    by = By("bob", "rest", {"auth_type": "pat", "token_prefix": "lac_12345678"})
    await service.editing.change(ById(id), PromptChanges(title="T"), by)
    entries = await service.versions.history(ById(id), 9)
    assert (entries[0].by, entries[1].by) == (by, ME)
    assert [entry.number for entry in entries] == [3, 2, 1]
    assert entries[0].at > entries[1].at > entries[2].at


@pytest.mark.parametrize(
    ("change", "changed"),
    [
        (PromptChanges(title="T", description="D"), ("description", "title")),
        (PromptChanges(name="other"), ("name",)),
        (PromptChanges(tags=["x", "y"]), ("tags",)),
        (PromptChanges(content="{{ b }}, {{ a }}"), ("body",)),
        (PromptChanges(content="{{ a }}", arguments=TWO[:1]), ("body", "extra")),
        (PromptChanges(arguments=[TWO[0], Argument(name="b", description="Other.")]), ("extra",)),
        (PromptChanges(title="Both", tags=["two", "one"]), None),
        (PromptChanges(arguments=TWO), None),
        (PromptChanges(), None),
    ],
)
async def test_an_entry_names_the_fields_that_really_differ(
    service: Library, change: PromptChanges, changed: tuple[str, ...] | None
) -> None:
    saved = await service.editing.create(
        "both", "{{ a }} {{ b }}", ME, title="Both", arguments=TWO, tags=["one", "two"]
    )
    await service.editing.change(ById(saved.id), change, ME)
    entry = await newest(service, saved.id)
    if changed is None:
        assert (entry.number, entry.action) == (1, "create")
        assert entry.changed == ("body", "extra", "name", "tags", "title")  # all that is not empty
    else:
        assert (entry.number, entry.changed) == (2, changed)


async def test_a_version_has_everything_as_it_was(service: Library) -> None:
    saved = await service.editing.create("both", "{{ a }} {{ b }}", ME, title="T", arguments=TWO, tags=["x"])
    other = await service.editing.create("other", "x", ME)
    await service.editing.change("both", PromptChanges(placing=Placing(links={other.id: "why"})), ME)
    await service.editing.change(
        "both",
        PromptChanges(name="new", title=None, content="{{ c }}", tags=[], placing=Placing(links={})),
        ME,
    )
    then = await service.versions._shelf.read(lambda desk: desk.version(saved.id, 2))
    assert (then.name, then.title, then.body, then.tags) == ("both", "T", "{{ a }} {{ b }}", ("x",))
    assert [one["name"] for one in then.extra["arguments"]] == ["a", "b"]
    assert then.links == (other.id,)


async def test_a_restored_version_follows_renamed_tags_and_leaves_out_lost_links(service: Library) -> None:
    saved = await service.editing.create(
        "both", "{{ a }} {{ b }}", ME, title="T", arguments=TWO, tags=["old"]
    )
    kept, lost = [(await service.editing.create(name, "x", ME)).id for name in ("kept", "lost")]
    await service.editing.change("both", PromptChanges(placing=Placing(links={kept: None, lost: None})), ME)
    await service.editing.change(
        "both",
        PromptChanges(name="new", title="N", content="{{ c }}", tags=[], placing=Placing(links={})),
        ME,
    )
    shelf = service.versions._shelf
    await shelf.run(lambda desk: desk.rename_tag("old", "renamed"))
    await service.shelving.purge(ById(lost))
    await service.versions.revert("new", "2", ME)
    now = await service.reading.get("both")
    assert (now.title, now.content, now.tags) == ("T", "{{ a }} {{ b }}", ["renamed"])
    assert [argument.name for argument in now.arguments or []] == ["a", "b"]
    assert [link.id for link in await shelf.read(lambda desk: desk.get(saved.id).links)] == [kept]


@pytest.mark.parametrize(("version", "expected"), [("2", "refused"), ("9", "missing"), ("0", "missing")])
async def test_what_cannot_be_restored(service: Library, version: str, expected: str) -> None:
    id = await made(service, "active")
    assert await outcome(service.versions.revert(ById(id), version, ME)) == expected


async def test_a_version_whose_name_is_taken_is_a_conflict_with_who_has_it(service: Library) -> None:
    id = await made(service, "active")
    await service.editing.change("hello", PromptChanges(name="moved"), ME)
    taken = await service.editing.create("hello", "x", ME)
    await service.shelving.archive("hello", ME)
    with pytest.raises(Conflict) as conflict:
        await service.versions.revert(ById(id), "1", ME)
    assert (conflict.value.details or {})["existing"] == {"id": taken.id, "state": "archived"}


async def test_a_version_without_a_new_text_is_compared(service: Library) -> None:
    id = await made(service, "active")
    second = await service.versions.compare(ById(id), "2")
    assert second.diff == "" and second.changes == {"title": ["Old", "Newer"]}


async def test_a_hundred_versions_are_kept(service: Library) -> None:
    await service.editing.create("hello", "0", ME)
    for number in range(1, 105):
        await service.editing.change("hello", PromptChanges(content=str(number)), ME)
    texts = [(await service.reading.get(f"hello@{number}")).content for number in (1, 2, 50, 105)]
    assert texts == ["0", "1", "49", "104"]
