"""Prompts are created, read, found, changed and rendered by name."""

import asyncio
from typing import Any

import pytest

from laconic.kit.testing import TestClient
from laconic.stores import Shelf
from laconic.stores.errors import StoreDown
from tests.unit.prompts.calls import REVIEW, content, create, done, edit


@pytest.mark.requirement("002-2")
async def test_a_template_is_read_back_to_the_byte(client: TestClient) -> None:
    await create(client)

    assert await content(client) == REVIEW


async def test_arguments_that_are_left_out_come_from_the_template(client: TestClient) -> None:
    await create(client, content="{{ b }} {{ a }}{{ b|default('x') }}")

    reply = await client.call("get_prompt_template", name="code-review")

    assert 'arguments: [{"name":"b","required":false},{"name":"a","required":true}]' in reply.text


@pytest.mark.requirement("002-4.1")
async def test_a_name_that_is_taken_is_refused_with_who_has_it(client: TestClient) -> None:
    await create(client)

    again = await client.call("create_prompt", name="code-review", content="x")

    assert again.failed and "already exists" in again.text
    assert again.error["details"]["existing"]["state"] == "active"


async def test_an_edit_shows_its_diff_and_the_new_version(client: TestClient) -> None:
    await create(client)

    done = await client.call(
        "edit_prompt_template", name="code-review", old_str="Review this", new_str="Read"
    )

    assert "version: 2\nmatch_type: exact\nline: 1\n" in done.text
    assert "-Review this {{ language }} code:\n+Read {{ language }} code:" in done.text
    assert await content(client) == REVIEW.replace("Review this", "Read")
    assert await content(client, "code-review@1") == REVIEW


async def test_an_edit_that_was_written_is_told_though_the_library_cannot_be_read_after_it(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    await create(client)
    run = Shelf.run

    async def then_lost(shelf: Shelf, work: Any) -> Any:
        done = await run(shelf, work)
        monkeypatch.setattr(Shelf, "read", lost)
        return done

    async def lost(shelf: Shelf, work: Any) -> Any:
        raise StoreDown("The library cannot be read.")

    monkeypatch.setattr(Shelf, "run", then_lost)
    said = await edit(client, "Review this", "Read this")
    assert "version: 2" in said and "+Read this {{ language }} code:" in said
    monkeypatch.undo()
    assert (await content(client)).startswith("Read this")


async def test_an_edit_brings_the_arguments_along(client: TestClient) -> None:
    await create(client, arguments=[{"name": "language", "description": "Which."}, {"name": "code"}])

    done = await client.call(
        "edit_prompt_template", name="code-review", old_str="{{ code }}", new_str="{{ file }}"
    )

    assert "arguments: language,file" in done.text
    read = await client.call("get_prompt_template", name="code-review")
    assert '{"name":"language","description":"Which.","required":false}' in read.text


async def test_several_edits_are_made_all_or_none(client: TestClient) -> None:
    await create(client)
    edits = [{"old_str": "Review", "new_str": "Read"}, {"old_str": "nowhere", "new_str": ""}]

    refused = await client.call("edit_prompt_template", name="code-review", edits=edits)
    assert refused.failed and await content(client) == REVIEW

    await client.call("edit_prompt_template", name="code-review", edits=[edits[0]])
    assert (await content(client)).startswith("Read this")


async def test_a_dry_run_shows_the_diff_and_saves_nothing(client: TestClient) -> None:
    await create(client)

    shown = await client.call(
        "edit_prompt_template", name="code-review", old_str="Review", new_str="Read", dry_run=True
    )

    assert "+Read this" in shown.text and "Nothing was saved" in shown.text
    assert await content(client) == REVIEW


@pytest.mark.parametrize(
    ("old", "words"), [("code", "occurs 2 times, in lines 1, 3"), ("kode", "does not occur")]
)
async def test_a_text_that_does_not_occur_once_is_not_replaced(
    client: TestClient, old: str, words: str
) -> None:
    await create(client)

    refused = await client.call("edit_prompt_template", name="code-review", old_str=old, new_str="x")

    assert refused.failed and words in refused.text
    assert await content(client) == REVIEW


async def test_an_edit_that_would_break_the_template_is_refused(client: TestClient) -> None:
    await create(client)

    refused = await client.call(
        "edit_prompt_template", name="code-review", old_str="{{ code }}", new_str="{{ code|nope }}"
    )

    assert "This would make the template invalid. Line 3: There is no filter 'nope'." in refused.text
    assert await content(client) == REVIEW


async def test_an_edit_of_an_older_version_is_refused_with_the_newest(client: TestClient) -> None:
    await create(client)
    await client.call("edit_prompt_template", name="code-review", old_str="Review", new_str="Read")

    by_name = await client.call("edit_prompt_template", name="code-review@1", old_str="Read", new_str="x")
    by_number = await client.call(
        "edit_prompt_template", name="code-review", old_str="Read", new_str="x", version=1
    )

    assert "is at version 2, not 1" in by_name.text and "is at version 2, not 1" in by_number.text
    assert (await content(client)).startswith("Read this")


async def test_some_lines_of_a_template_are_read(client: TestClient) -> None:
    await create(client)

    part = await client.call("get_prompt_template", name="code-review", start_line=3, end_line=99)
    beyond = await client.call("get_prompt_template", name="code-review", start_line=9)

    assert "<content>\n{{ code }}\n\n\n</content>" in part.text and '"is_partial":true' in part.text
    assert beyond.failed and "from 1 to 5" in beyond.text


async def test_a_prompt_is_rendered_with_defaults_and_without_optional_arguments(client: TestClient) -> None:
    arguments = [
        {"name": "who", "required": True},
        {"name": "tone", "default": "kind", "choices": ["kind", "curt"]},
        {"name": "more"},
    ]
    await create(client, content="{{ who }} {{ tone }} [{{ more|default('none') }}]\n", arguments=arguments)

    rendered = await client.call("render_prompt", name="code-review", arguments={"who": "Ada"})
    wrong = await client.call("render_prompt", name="code-review", arguments={"tone": "cur", "whom": "x"})

    assert rendered.text == "<prompt>\nAda kind [none]\n\n</prompt>"
    assert "Unknown argument 'whom'. Known: more, tone, who. Did you mean 'who'?" in wrong.text
    assert "Missing required arguments: who." in wrong.text
    assert "Invalid tone. Valid values: kind, curt." in wrong.text


async def test_a_name_that_is_not_there_gets_the_nearest_one(client: TestClient) -> None:
    await create(client)

    for tool, more in (
        ("get_prompt_template", {}),
        ("edit_prompt_template", {"old_str": "a", "new_str": "b"}),
        ("render_prompt", {}),
    ):
        missed = await client.call(tool, name="code-reviews", **more)
        assert "not found. Did you mean code-review? Use search_prompts" in missed.text


async def test_prompts_are_found_by_words_tags_symbols_and_arguments(client: TestClient) -> None:
    await create(client, tags=["dev"])
    await create(client, "poem", "Write a poem about {{ topic }}.", tags=["fun", "dev"])

    async def names(**query: object) -> list[str]:
        reply = await client.call("search_prompts", **query)
        return [line.partition("\t")[0] for line in reply.text.splitlines()[2:]]

    assert await names(query="reviewing") == ["code-review"]
    assert await names(query="{{ topic") == ["poem"]
    assert await names(query="language") == ["code-review"]
    assert await names(tags=["fun"]) == ["poem"]
    assert await names(tags=["fun", "dev"], tag_match="any") == ["poem", "code-review"]
    assert await names(sort_by="title") == ["code-review", "poem"]
    assert await names(offset=1) == ["code-review"]
    assert await names(query="nothing-like-it") == []


# How prompts are sorted, and their names then; the most relevant is first in either order.
SORTED: list[tuple[str, str | None, list[str]]] = [
    ("created_at", "asc", ["a", "b", "c"]),
    ("created_at", "desc", ["c", "b", "a"]),
    ("created_at", None, ["c", "b", "a"]),
    ("updated_at", "asc", ["b", "c", "a"]),
    ("updated_at", "desc", ["a", "c", "b"]),
    ("updated_at", None, ["a", "c", "b"]),
    ("last_used_at", "asc", ["a", "c", "b"]),
    ("last_used_at", "desc", ["b", "c", "a"]),
    ("last_used_at", None, ["b", "c", "a"]),
    ("title", "asc", ["b", "c", "a"]),
    ("title", "desc", ["a", "c", "b"]),
    ("title", None, ["b", "c", "a"]),
    ("relevance", "asc", ["b", "c", "a"]),
    ("relevance", "desc", ["b", "c", "a"]),
    ("relevance", None, ["b", "c", "a"]),
]


async def test_prompts_are_sorted_by_what_is_asked_for(client: TestClient) -> None:
    await create(client, "a", "A zebra.", title="Cat")
    await create(client, "b", "An animal.", title="Ant or zebra")
    await create(client, "c", "An animal.", title="Bee", description="A zebra.")
    await done(client, "update_prompt_metadata", name="a", add_tags=["new"])
    before = await done(client, "get_prompt_metadata", name="b")
    await done(client, "render_prompt", name="b")
    async with asyncio.timeout(60):
        while await done(client, "get_prompt_metadata", name="b") == before:  # noqa: ASYNC110  # noted later
            await asyncio.sleep(0.01)
    for sort, order, names in SORTED:
        text = await done(client, "search_prompts", query="zebra", sort_by=sort, sort_order=order)
        found = [line.partition("\t")[0] for line in text.splitlines()[2:]]
        assert (sort, order, found) == (sort, order, names)


async def test_the_length_and_the_beginning_of_a_template_are_found_if_they_are_wanted(
    client: TestClient,
) -> None:
    await create(client)
    text = await done(client, "search_prompts", fields=["prompt_length", "prompt_preview"])
    assert text.splitlines()[1:] == [
        "name\tprompt_length\tprompt_preview",
        "code-review\t46\tReview this {{ language }} code: {{ code }}",
    ]


async def test_pages_show_every_prompt_once(client: TestClient) -> None:
    for number in range(5):
        await create(client, f"prompt-{number}", "x")

    first = await client.call("search_prompts", limit=2)
    second = await client.call("search_prompts", cursor=first.cursor)
    third = await client.call("search_prompts", cursor=second.cursor)

    assert first.text.startswith("Showing 2 of 5 prompts:") and "prompt-4" in first.text
    assert second.text.startswith("Showing 3 to 4 of 5 prompts:")
    assert third.text.startswith("Showing the last 1 of 5 prompts:") and "prompt-0" in third.text
