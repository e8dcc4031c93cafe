"""Notes and bookmarks are created, found, read, changed and linked by id."""

import asyncio

import pytest

from laconic.kit.testing import Reply, TestClient

TEXT = "# Bread\n\nFlour, water, salt.\nBake it.\n"


async def done(client: TestClient, tool: str, **arguments: object) -> Reply:
    reply = await client.call(tool, **arguments)
    assert not reply.failed, reply.text
    return reply


async def note(client: TestClient, title: str = "Bread", content: str | None = TEXT, **more: object) -> str:
    """The id of a new note."""
    return id_of(await done(client, "create_note", title=title, content=content, **more))


async def bookmark(client: TestClient, url: str = "https://example.com/a", **more: object) -> str:
    """The id of a new bookmark."""
    return id_of(await done(client, "create_bookmark", url=url, **more))


def id_of(reply: Reply) -> str:
    return reply.text.partition("id: ")[2].partition("\n")[0]


async def content(client: TestClient, id: str) -> str:
    """The content as a model reads it."""
    reply = await done(client, "get_item", id=id)
    return reply.text.partition("<content>\n")[2].removesuffix("\n</content>")


async def titles(client: TestClient, **query: object) -> list[str]:
    """The titles of what is found, in order."""
    reply = await done(client, "search_items", format="minimal", fields=["title"], **query)
    return [line.split("\t")[1] for line in reply.text.splitlines()[2:] if "\t" in line]


async def test_a_note_is_read_back_to_the_byte(client: TestClient) -> None:
    assert await content(client, await note(client)) == TEXT


@pytest.mark.requirement("002-7.1")
async def test_an_item_is_also_read_under_the_former_name_of_its_tool(client: TestClient) -> None:
    id = await note(client)

    reply = await done(client, "get_content", id=id.upper(), type="note")

    assert "Flour, water" in reply.text and "get_content is now get_item" in reply.text


async def test_some_lines_are_read_and_others_are_not_there(client: TestClient) -> None:
    id = await note(client)

    part = await done(client, "get_item", id=id, start_line=3, end_line=99)
    beyond = await client.call("get_item", id=id, start_line=9)
    reversed_ = await client.call("get_item", id=id, start_line=3, end_line=2)

    assert "<content>\nFlour, water, salt.\nBake it.\n\n</content>" in part.text
    assert '"total_lines":5' in part.text and '"is_partial":true' in part.text
    assert beyond.failed and "from 1 to 5" in beyond.text
    assert reversed_.failed


async def test_without_its_content_an_item_has_its_length_and_its_beginning(client: TestClient) -> None:
    id = await note(client)

    reply = await done(client, "get_item", id=id, include_content=False)

    assert "content_length: 38" in reply.text and "# Bread Flour, water, salt. Bake it." in reply.text
    assert "<content>" not in reply.text


async def test_lines_of_what_has_no_content_are_refused(client: TestClient) -> None:
    id = await note(client, content=None)

    assert (await client.call("get_item", id=id, start_line=1)).failed
    assert "no content yet" in (await client.call("edit_content", id=id, old_str="a", new_str="b")).text
    assert (await client.call("get_item", id=await note(client), include_content=False, start_line=1)).failed


async def test_a_text_to_replace_needs_what_replaces_it(client: TestClient) -> None:
    id = await note(client)

    told = await client.call("edit_content", id=id, old_str="Flour")

    assert told.failed and "new_str" in told.text
    assert "Flour" in (await done(client, "get_item", id=id)).text


async def test_notes_and_bookmarks_are_found_together_or_by_type(client: TestClient) -> None:
    await note(client, tags=["kitchen"])
    await bookmark(client, title="Baking bread", description="By hand", tags=["kitchen", "web"])

    assert await titles(client) == ["Baking bread", "Bread"]
    assert await titles(client, type="note") == ["Bread"]
    assert await titles(client, query="baked -hand") == ["Bread"]
    assert await titles(client, query="example.com/a") == ["Baking bread"]
    assert await titles(client, tags=["kitchen", "web"]) == ["Baking bread"]
    assert await titles(client, sort_by="title") == ["Baking bread", "Bread"]
    assert await titles(client, offset=1) == ["Bread"]
    assert await titles(client, query="nothing-like-it") == []


async def test_items_have_all_tags_or_any_of_them(client: TestClient) -> None:
    await note(client, tags=["kitchen"])
    await bookmark(client, title="Page", tags=["kitchen", "web"])
    await note(client, "Other", tags=["other"])

    assert await titles(client, tags=["kitchen", "web"], tag_match="all") == ["Page"]
    assert await titles(client, tags=["kitchen", "web"], tag_match="any") == ["Page", "Bread"]
    assert await titles(client, tags=["nowhere", "other"], tag_match="any") == ["Other"]


# How items are sorted, and their titles then; the most relevant is first in either order.
SORTED: list[tuple[str, str | None, list[str]]] = [
    ("created_at", "asc", ["Cat", "Zebra", "bee"]),
    ("created_at", "desc", ["bee", "Zebra", "Cat"]),
    ("created_at", None, ["bee", "Zebra", "Cat"]),
    ("updated_at", "asc", ["Zebra", "bee", "Cat"]),
    ("updated_at", "desc", ["Cat", "bee", "Zebra"]),
    ("updated_at", None, ["Cat", "bee", "Zebra"]),
    ("last_used_at", "asc", ["Cat", "bee", "Zebra"]),
    ("last_used_at", "desc", ["Zebra", "bee", "Cat"]),
    ("last_used_at", None, ["Zebra", "bee", "Cat"]),
    ("title", "asc", ["bee", "Cat", "Zebra"]),
    ("title", "desc", ["Zebra", "Cat", "bee"]),
    ("title", None, ["bee", "Cat", "Zebra"]),
    ("relevance", "asc", ["Zebra", "bee", "Cat"]),
    ("relevance", "desc", ["Zebra", "bee", "Cat"]),
    ("relevance", None, ["Zebra", "bee", "Cat"]),
]


async def test_items_are_sorted_by_what_is_asked_for(client: TestClient) -> None:
    first = await note(client, "Cat", "A zebra.")
    used = await note(client, "Zebra", "An animal.")
    await bookmark(client, title="bee", description="A zebra.")
    await done(client, "update_item", id=first, add_tags=["new"])
    await done(client, "get_item", id=used)
    async with asyncio.timeout(60):
        while (await titles(client, sort_by="last_used_at"))[0] != "Zebra":  # noqa: ASYNC110  # noted later
            await asyncio.sleep(0.01)

    for sort, order, wanted in SORTED:
        found = await titles(client, query="zebra", sort_by=sort, sort_order=order)
        assert (sort, order, found) == (sort, order, wanted)


async def test_a_hit_in_an_address_counts_less_than_one_in_a_text(client: TestClient) -> None:
    await note(client, "A note", "Read about sourdough.")
    await bookmark(client, "https://example.com/sourdough", title="A page")

    assert await titles(client, query="sourdough") == ["A note", "A page"]


async def test_pages_show_every_item_once(client: TestClient) -> None:
    for number in range(5):
        await note(client, f"Note {number}")

    first = await done(client, "search_items", limit=2)
    second = await done(client, "search_items", cursor=first.cursor)

    assert first.text.startswith("Showing 2 of 5 items:")
    assert second.text.startswith("Showing 3 to 4 of 5 items:")


async def test_an_edit_shows_its_diff_and_the_new_version(client: TestClient) -> None:
    id = await note(client)

    reply = await done(client, "edit_content", id=id, old_str="salt", new_str="yeast")

    assert "version: 2\nmatch_type: exact\nline: 3\n" in reply.text
    assert "-Flour, water, salt.\n+Flour, water, yeast." in reply.text
    assert await content(client, id) == TEXT.replace("salt", "yeast")


async def test_several_edits_are_made_all_or_none_and_a_dry_run_saves_nothing(client: TestClient) -> None:
    id = await note(client)
    edits = [{"old_str": "salt", "new_str": "yeast"}, {"old_str": "nowhere", "new_str": ""}]

    assert (await client.call("edit_content", id=id, edits=edits)).failed
    shown = await done(client, "edit_content", id=id, edits=edits[:1], dry_run=True)

    assert "+Flour, water, yeast." in shown.text and "Nothing was saved" in shown.text
    assert await content(client, id) == TEXT


@pytest.mark.requirement("002-7.2")
@pytest.mark.parametrize(
    ("old", "words"), [("a", "occurs 4 times, in lines 1, 3, 4"), ("floor", "does not occur")]
)
async def test_a_text_that_does_not_occur_once_is_not_replaced(
    client: TestClient, old: str, words: str
) -> None:
    id = await note(client)

    refused = await client.call("edit_content", id=id, old_str=old, new_str="x")

    assert refused.failed and words in refused.text
    assert await content(client, id) == TEXT


@pytest.mark.parametrize("dry_run", [False, True])
async def test_an_edit_of_another_version_than_expected_is_refused(client: TestClient, dry_run: bool) -> None:
    id = await note(client)
    await done(client, "edit_content", id=id, old_str="salt", new_str="yeast")

    late = await client.call("edit_content", id=id, old_str="yeast", new_str="x", version=1, dry_run=dry_run)

    assert late.failed and "version 2, not 1" in late.text


async def test_a_text_is_found_in_an_item_with_its_lines(client: TestClient) -> None:
    id = await note(client, description="About bread")

    found = await done(client, "search_in_content", id=id, query="FLOUR", context_lines=1)
    exact = await done(client, "search_in_content", id=id, query="FLOUR", case_sensitive=True)
    fields = await done(client, "search_in_content", id=id, query="bread", fields=["title", "description"])

    assert '3\tcontent\t"\\nFlour, water, salt.\\nBake it."' in found.text
    assert exact.text.startswith("No places match")
    assert "\ttitle\tBread" in fields.text and "\tdescription\tAbout bread" in fields.text


async def test_only_what_is_given_changes_and_null_clears(client: TestClient) -> None:
    id = await bookmark(client, title="Page", description="Old", tags=["a", "b"])

    changed = await done(client, "update_item", id=id, description=None, add_tags=["c"], remove_tags=["a"])
    again = await done(client, "update_item", id=id, tags=["b", "c"])
    read = await done(client, "get_item", id=id)

    assert "version: 2\nchanged: description,tags" in changed.text
    assert "version: 2" in again.text and "No changes." in again.text
    assert "title: Page" in read.text and "tags: b,c" in read.text and "description" not in read.text


async def test_the_whole_content_of_an_item_is_replaced(client: TestClient) -> None:
    id = await note(client)

    changed = await done(client, "update_item", id=id, content="Buy bread.\n")

    assert "version: 2\nchanged: content" in changed.text
    assert await content(client, id) == "Buy bread.\n"


async def test_a_change_of_another_version_than_expected_is_refused(client: TestClient) -> None:
    id = await note(client)
    await done(client, "update_item", id=id, title="Cake", version=1)

    late = await client.call("update_item", id=id, content="x", version=1)

    assert late.failed and "is at version 2, not 1" in late.text
    assert await content(client, id) == TEXT


async def test_nothing_to_change_a_note_without_a_title_and_a_note_with_a_url_are_refused(
    client: TestClient,
) -> None:
    id = await note(client)

    nothing = await client.call("update_item", id=id)
    untitled = await client.call("update_item", id=id, title=None)
    blank = await client.call("create_note", title="  ")
    address = await client.call("update_item", id=id, url="https://example.com/")

    assert nothing.failed and untitled.failed and blank.failed and address.failed
    assert "A note has none" in address.text
    assert "title: Bread" in (await done(client, "get_item", id=id)).text


async def test_an_address_has_one_bookmark_however_it_is_written(client: TestClient) -> None:
    id = await bookmark(client, "https://Example.com")

    again = await client.call("create_bookmark", url="https://example.com:443/")
    other = await bookmark(client, "https://example.com/b")
    moved = await client.call("update_item", id=other, url="https://EXAMPLE.com/")

    for refused in (again, moved):
        assert refused.failed
        assert refused.error["details"] == {
            "error_code": "ACTIVE_URL_EXISTS",
            "existing": {"id": id, "state": "active"},
        }
    assert "url: https://example.com/\n" in (await done(client, "get_item", id=id)).text


@pytest.mark.parametrize(
    "url",
    [
        "example.com",
        "ftp://example.com/",
        "javascript:alert(1)",
        "https://",
        "https://a b/",
        "http://u:p@x.y/",
    ],
)
async def test_what_is_no_address_of_a_page_is_refused(client: TestClient, url: str) -> None:
    refused = await client.call("create_bookmark", url=url)

    assert refused.failed and "Invalid url" in refused.text
    assert "u:p" not in refused.text


async def test_a_relationship_is_seen_from_both_ends_and_exists_once(client: TestClient) -> None:
    one, two = await note(client), await bookmark(client, title="Page")

    new = await done(client, "create_relationship", source_id=one, target_id=two, description="Source")
    again = await done(client, "create_relationship", source_id=two, target_id=one)
    itself = await client.call("create_relationship", source_id=one, target_id=one)
    missing = await client.call("create_relationship", source_id=one, target_id="nobody")

    assert "is_new: yes" in new.text and "is_new: no" in again.text
    assert itself.failed and missing.failed
    for here, there in ((one, two), (two, one)):
        read = (await done(client, "get_item", id=here)).text
        assert there in read and '"description":"Source"' in read and "version: 2" in read


async def test_tags_of_notes_and_bookmarks_are_counted_together(client: TestClient) -> None:
    await note(client, tags=["kitchen", "home"])
    await bookmark(client, tags=["kitchen"])

    assert (await done(client, "list_content_tags")).text == "2 tags:\nname\titems\nkitchen\t2\nhome\t1"


@pytest.mark.parametrize(
    ("tool", "more"),
    [
        ("get_item", {}),
        ("edit_content", {"old_str": "a", "new_str": "b"}),
        ("search_in_content", {"query": "a"}),
        ("update_item", {"title": "x"}),
    ],
)
async def test_an_id_that_nothing_has_is_told_with_where_to_look(
    client: TestClient, tool: str, more: dict[str, object]
) -> None:
    missed = await client.call(tool, id="0190-none", **more)

    assert missed.failed and "Item 0190-none not found." in missed.text and "search_items" in missed.text


# A tool, its arguments beside the id of a note, and a word of the refusal.
REFUSED: list[tuple[str, dict[str, object], str]] = [
    ("search_items", {"type": "prompt"}, "Valid values: note, bookmark"),
    ("search_items", {"tag_match": "some"}, "Valid values: all, any"),
    ("search_items", {"sort_by": "deleted_at"}, "Valid values: created_at"),
    ("search_items", {"limit": 0}, "limit"),
    ("search_items", {"offset": -1}, "offset"),
    ("search_items", {"tags": ["No Tag"]}, "lower-case words"),
    ("get_item", {"start_line": 0}, "start_line"),
    ("get_item", {"end_line": 0}, "end_line"),
    ("get_item", {"start_line": 3, "end_line": 2}, "Invalid end_line 2"),
    ("edit_content", {}, "old_str"),
    ("edit_content", {"old_str": "", "new_str": "x"}, "old_str is empty"),
    ("edit_content", {"old_str": "Flour", "new_str": None}, "new_str"),
    ("edit_content", {"edits": []}, "edits"),
    ("edit_content", {"old_str": "Flour", "new_str": "x", "edits": []}, "edits"),
    ("edit_content", {"old_str": "Flour", "new_str": "x", "title": "x"}, "Use update_item for it"),
    ("search_in_content", {}, "query"),
    ("search_in_content", {"query": ""}, "query"),
    ("search_in_content", {"query": "a", "fields": ["url"]}, "Valid values: content, title, description"),
    ("search_in_content", {"query": "a", "context_lines": 11}, "from 0 to 10"),
    ("search_in_content", {"query": "a", "context_lines": -1}, "from 0 to 10"),
    ("update_item", {"old_str": "Flour"}, "Use edit_content for it"),
    ("update_item", {"title": "x" * 501}, "500"),
    ("update_item", {"add_tags": ["No Tag"]}, "lower-case words"),
    ("create_note", {}, "Missing title"),
    ("create_note", {"title": "x", "content": "x" * 500_001}, "500,000"),
    ("create_note", {"title": "x", "description": "x" * 2001}, "2,000"),
    ("create_bookmark", {}, "Missing url"),
    ("create_bookmark", {"url": "https://example.com/" + "x" * 2029}, "2,048"),
    ("create_relationship", {"target_id": "x"}, "Missing source_id"),
]


@pytest.mark.parametrize(
    ("tool", "given", "words"), REFUSED, ids=[f"{r[0]} {str(r[1])[:40]}" for r in REFUSED]
)
async def test_what_is_wrong_is_an_error_that_says_what(
    client: TestClient, tool: str, given: dict[str, object], words: str
) -> None:
    id = await note(client)
    by_id = tool in ("get_item", "edit_content", "search_in_content", "update_item")

    told = await client.call(tool, **({"id": id} if by_id else {}), **given)

    assert told.failed and words in told.text, told.text
    assert await titles(client) == ["Bread"] and await content(client, id) == TEXT


async def test_places_of_several_lines_are_shown_whole_and_counted_in_pages(client: TestClient) -> None:
    id = await note(client, content="0\na\nb\n1\n2\na\nb\n3\n")

    found = await done(client, "search_in_content", id=id, query="a\nb", context_lines=1)
    first = await done(client, "search_in_content", id=id, query="a\nb", context_lines=0, limit=1)

    assert found.text.splitlines()[2:] == ['2\tcontent\t"0\\na\\nb\\n1"', '6\tcontent\t"2\\na\\nb\\n3"']
    assert first.text.startswith("Showing 1 of 2 places:")
