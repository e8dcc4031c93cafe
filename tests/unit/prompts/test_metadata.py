"""What is known about a prompt is read and changed without its template."""

import pytest

from laconic.kit.testing import TestClient
from tests.unit.prompts.calls import REVIEW, content, create, done, edit, refused


async def test_metadata_has_everything_but_the_template(client: TestClient) -> None:
    await create(client, title="Review", description="Reads code.", tags=["dev"])
    text = await done(client, "get_prompt_metadata", name="code-review")
    for line in ("title: Review", "description: Reads code.", "tags: dev", "version: 1", "prompt_length: 46"):
        assert f"\n{line}\n" in text
    assert "prompt_preview: Review this {{ language }} code: {{ code }}" in text
    assert "<content>" not in text


@pytest.mark.requirement("002-4")
async def test_only_the_given_fields_change(client: TestClient) -> None:
    await create(client, title="Review", description="Reads code.", tags=["dev"])
    text = await done(client, "update_prompt_metadata", name="code-review", title="Reading")
    assert "version: 2\nchanged: title" in text
    after = await done(client, "get_prompt_metadata", name="code-review")
    assert "title: Reading\ndescription: Reads code." in after
    assert "tags: dev" in after
    assert await content(client) == REVIEW


async def test_null_clears_a_title_and_a_description(client: TestClient) -> None:
    await create(client, title="Review", description="Reads code.")
    text = await done(client, "update_prompt_metadata", name="code-review", title=None, description=None)
    assert "changed: description,title" in text
    assert "title:" not in await done(client, "get_prompt_metadata", name="code-review")


@pytest.mark.parametrize(
    ("change", "tags"),
    [
        ({"add_tags": ["New", "a"]}, "a,b,new"),
        ({"remove_tags": ["A"]}, "b"),
        ({"add_tags": ["c"], "remove_tags": ["a", "nobody"]}, "b,c"),
        ({"tags": ["z"]}, "z"),
        ({"tags": ["z"], "add_tags": ["y"]}, "z,y"),
    ],
)
async def test_tags_are_added_removed_or_replaced(
    client: TestClient, change: dict[str, list[str]], tags: str
) -> None:
    await create(client, tags=["a", "b"])
    await done(client, "update_prompt_metadata", name="code-review", **change)
    assert f"\ntags: {tags}\n" in await done(client, "get_prompt_metadata", name="code-review")


async def test_no_tags_are_left_after_an_empty_list(client: TestClient) -> None:
    await create(client, tags=["a"])
    await done(client, "update_prompt_metadata", name="code-review", tags=[])
    assert "tags: []" in await done(client, "get_prompt_metadata", name="code-review")


async def test_only_a_name_is_no_change_and_no_version(client: TestClient) -> None:
    await create(client)
    nothing: list[dict[str, object]] = [{}, {"new_name": "code-review"}, {"tags": []}]
    for same in nothing:
        text = await done(client, "update_prompt_metadata", name="code-review", **same)
        assert "version: 1" in text
        assert "No changes." in text


async def test_a_prompt_is_renamed_and_keeps_its_versions(client: TestClient) -> None:
    await create(client)
    await done(client, "update_prompt_metadata", name="code-review", new_name="review")
    assert await content(client, "review@1") == REVIEW
    gone = await refused(client, "get_prompt_template", name="code-review")
    assert "Did you mean review? Use search_prompts" in gone.text
    assert "name" in await done(client, "list_prompt_versions", name="review")


@pytest.mark.requirement("002-4.1")
async def test_a_rename_to_a_name_in_use_is_refused_and_changes_nothing(client: TestClient) -> None:
    await create(client)
    await create(client, "poem", "Write a poem.")
    taken = await refused(client, "update_prompt_metadata", name="poem", new_name="code-review", title="x")
    assert "A prompt called code-review already exists." in taken.text
    assert taken.error["details"]["existing"]["state"] == "active"
    assert "title:" not in await done(client, "get_prompt_metadata", name="poem")


async def test_a_rename_to_a_name_that_an_archived_prompt_holds_says_how_to_free_it(
    all_tools: TestClient,
) -> None:
    await create(all_tools)
    await create(all_tools, "poem", "Write a poem.")
    await done(all_tools, "archive_prompt", name="code-review")
    taken = await refused(all_tools, "update_prompt_metadata", name="poem", new_name="code-review")
    assert "An archived prompt called code-review already exists." in taken.text
    assert "keeps its name: choose another, or ask a person to restore or rename it." in taken.text
    assert taken.error["details"]["existing"]["state"] == "archived"
    assert "version: 1" in await done(all_tools, "get_prompt_metadata", name="poem")


async def test_a_change_of_an_older_version_is_refused(client: TestClient) -> None:
    await create(client)
    await edit(client, "Review", "Read")
    stale = await refused(client, "update_prompt_metadata", name="code-review", title="x", version=1)
    assert "is at version 2, not 1" in stale.text
    old = await refused(client, "update_prompt_metadata", name="code-review@1", title="x")
    assert "is at version 2, not 1" in old.text
    await done(client, "update_prompt_metadata", name="code-review@2", title="x", version=2)


@pytest.mark.requirement("002-4")
async def test_what_a_prompt_is_cannot_be_changed_as_metadata(client: TestClient) -> None:
    await create(client)
    for field in ("content", "arguments", "old_str"):
        unknown = await refused(client, "update_prompt_metadata", name="code-review", **{field: "x"})
        assert f"Unknown argument '{field}'. Use edit_prompt_template for it." in unknown.text
    assert await content(client) == REVIEW


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"title": "x" * 501}, "at most 500 characters"),
        ({"description": "x" * 2001}, "at most 2,000 characters"),
        ({"tags": ["No Tag!"]}, "Expected a tag of lower-case words"),
        ({"add_tags": [f"t{number}" for number in range(101)]}, "Expected at most 100 tags"),
        ({"new_name": "No Name"}, "Expected: lower-case words joined by hyphens"),
        ({"new_name": "a" * 101}, "at most 100 characters"),
    ],
)
async def test_a_value_that_is_too_long_or_no_name_is_refused(
    client: TestClient, fields: dict[str, object], words: str
) -> None:
    await create(client)
    told = await refused(client, "update_prompt_metadata", name="code-review", **fields)
    assert words in told.text
    assert "version: 1" in await done(client, "get_prompt_metadata", name="code-review")


async def test_tags_are_counted_over_prompts_only(client: TestClient) -> None:
    await create(client, tags=["dev", "code"])
    await create(client, "poem", "Write a poem.", tags=["dev"])
    text = await done(client, "list_tags")
    assert text.splitlines()[1:] == ["name\tprompts", "dev\t2", "code\t1"]


async def test_a_rename_says_which_prompts_include_the_old_name(client: TestClient) -> None:
    await create(client, "intro", "Be brief.")
    await create(client, "letter", "{% include 'intro' %} Dear {{ who }}.")
    text = await done(client, "update_prompt_metadata", name="intro", new_name="start")
    assert "Included under its old name by letter." in text
