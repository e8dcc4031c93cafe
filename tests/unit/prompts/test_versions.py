"""Every save is a version: listed, compared, read by number or label, and restored."""

import pytest
from mcp import MCPError

from laconic.kit.testing import TestClient
from tests.unit.prompts.calls import REVIEW, content, create, done, edit, refused


async def history(client: TestClient) -> None:
    await create(client, title="Review")
    await edit(client, "Review this", "Read this")
    await done(client, "update_prompt_metadata", name="code-review", title="Reading", add_tags=["dev"])


async def test_versions_are_listed_newest_first_with_what_changed(client: TestClient) -> None:
    await history(client)
    lines = (await done(client, "list_prompt_versions", name="code-review")).splitlines()
    assert lines[1].startswith("version\tat\taction\tby\tchanged")
    assert [line.split("\t")[0] for line in lines[2:]] == ["3", "2", "1"]
    assert "update\tlocal\ttags,title" in lines[2]
    assert "update\tlocal\tcontent" in lines[3]
    assert "create\tlocal\targuments,content,name,title" in lines[4]


async def test_versions_have_pages(client: TestClient) -> None:
    await history(client)
    first = await client.call("list_prompt_versions", name="code-review", limit=2)
    second = await client.call("list_prompt_versions", cursor=first.cursor)
    assert "of 3 versions" in first.text
    assert second.text.splitlines()[-1].startswith("1\t")


async def test_two_versions_are_compared_as_a_diff(client: TestClient) -> None:
    await history(client)
    text = await done(client, "compare_prompt_versions", name="code-review@1")
    assert "from_version: 1\nto_version: 3\n" in text
    assert '"title":["Review","Reading"]' in text
    assert "-Review this {{ language }} code:\n+Read this {{ language }} code:" in text
    back = await done(client, "compare_prompt_versions", name="code-review@3", to="2")
    assert '"tags":[["dev"],[]]' in back
    assert "<diff>" not in back
    again = await done(client, "compare_prompt_versions", name="code-review@3", to=" code-review@2")
    assert again == back
    last = await done(client, "compare_prompt_versions", name="code-review")
    assert "from_version: 2\nto_version: 3\n" in last
    await done(client, "update_prompt_metadata", name="code-review", new_name="reading")
    renamed = await done(client, "compare_prompt_versions", name="reading")
    assert 'changes: {"name":["code-review","reading"]}' in renamed


async def test_what_was_before_the_first_version_is_refused_and_not_told_as_no_difference(
    client: TestClient,
) -> None:
    await create(client)
    only = await refused(client, "compare_prompt_versions", name="code-review")
    assert only.text.endswith("code-review has one version only: there is nothing to compare.")
    await done(client, "update_prompt_metadata", name="code-review", title="Review")
    first = await refused(client, "compare_prompt_versions", name="code-review", to="1")
    assert "There is no version before code-review@1." in first.text
    assert "Compare code-review@1 with a later one, such as 2." in first.text


async def test_a_version_or_label_that_is_not_there_is_told(client: TestClient) -> None:
    await history(client)
    for tool, arguments in (
        ("get_prompt_template", {"name": "code-review@9"}),
        ("compare_prompt_versions", {"name": "code-review@1", "to": "9"}),
        ("render_prompt", {"name": "code-review@0"}),
        ("get_prompt_template", {"name": "code-review@99999999999999999999"}),
    ):
        missed = await refused(client, tool, **arguments)
        assert "not found" in missed.text
        assert "The newest is code-review@3." in missed.text
    label = await refused(client, "get_prompt_template", name="code-review@production")
    assert "Label code-review@production not found. It has no labels." in label.text


async def test_a_label_is_read_in_place_of_a_version_and_moves(all_tools: TestClient) -> None:
    client = all_tools
    await history(client)
    said = await done(client, "label_prompt_version", name="code-review@1", label=" Production")
    assert said == "code-review@production is version 1."
    assert await content(client, "code-review@production") == REVIEW
    near = await refused(client, "get_prompt_template", name="code-review@productoin")
    assert "Did you mean code-review@production?" in near.text
    assert "labels: production@1" in await done(client, "get_prompt_metadata", name="code-review")
    await done(client, "label_prompt_version", name="code-review", label="production")
    assert (await content(client, "code-review@production")).startswith("Read this")
    other = await refused(client, "get_prompt_template", name="code-review@live")
    assert "Label code-review@live not found. Its labels: production." in other.text
    number = await refused(client, "label_prompt_version", name="code-review", label="3")
    assert "A label cannot be a number" in number.text


async def test_an_edit_by_a_label_needs_the_newest_version(all_tools: TestClient) -> None:
    client = all_tools
    await history(client)
    await done(client, "label_prompt_version", name="code-review@1", label="old")
    await done(client, "label_prompt_version", name="code-review", label="new")
    stale = await refused(client, "edit_prompt_template", name="code-review@old", old_str="Read", new_str="x")
    assert "is at version 3, not 1" in stale.text
    await edit(client, "Read this", "Look at this", "code-review@new")


async def test_a_version_is_restored_as_a_new_one(all_tools: TestClient) -> None:
    client = all_tools
    await history(client)
    text = await done(client, "restore_prompt_version", name="code-review", to="1")
    assert "version: 4" in text
    assert await content(client) == REVIEW
    assert "title: Review\n" in await done(client, "get_prompt_metadata", name="code-review")
    assert "4\t" in await done(client, "list_prompt_versions", name="code-review")
    present = await refused(client, "restore_prompt_version", name="code-review", to="4")
    assert "Version 4 is the present one." in present.text
    unknown = await refused(client, "restore_prompt_version", name="code-review", to="12")
    assert "The newest is code-review@4." in unknown.text


async def test_a_version_whose_name_is_taken_is_not_restored(all_tools: TestClient) -> None:
    client = all_tools
    await create(client)
    await done(client, "update_prompt_metadata", name="code-review", new_name="review")
    await create(client)
    taken = await refused(client, "restore_prompt_version", name="review", to="1")
    assert "A prompt called code-review already exists." in taken.text
    assert "version: 2" in await done(client, "get_prompt_metadata", name="review")


async def test_an_archived_prompt_is_not_found_and_keeps_its_name(all_tools: TestClient) -> None:
    client = all_tools
    await create(client)
    await done(client, "archive_prompt", name="code-review")
    for tool, more in (
        ("get_prompt_template", {}),
        ("get_prompt_metadata", {}),
        ("render_prompt", {}),
        ("edit_prompt_template", {"old_str": "a", "new_str": "b"}),
        ("update_prompt_metadata", {"title": "x"}),
        ("list_prompt_versions", {}),
    ):
        missed = await refused(client, tool, name="code-review", **more)
        assert "a person must restore it first (laconic prompts restore code-review)." in missed.text
    taken = await refused(client, "create_prompt", name="code-review", content="x")
    assert "An archived prompt called code-review already exists." in taken.text
    assert taken.error["details"]["existing"]["state"] == "archived"
    assert "restore or rename it" in taken.text


async def test_a_prompt_that_will_be_archived_is_active_until_then(all_tools: TestClient) -> None:
    client = all_tools
    await create(client)
    await done(client, "archive_prompt", name="code-review", at="2999-01-01T00:00:00Z")
    assert await content(client) == REVIEW
    assert "archived_at: 2999-01-01" in await done(client, "get_prompt_metadata", name="code-review")


async def test_who_archives_a_prompt_is_told_when_and_which_prompts_include_it(all_tools: TestClient) -> None:
    await create(all_tools, "intro", "Be brief.")
    await create(all_tools, "letter", "{% include 'intro' %}")
    said = await done(all_tools, "archive_prompt", name="intro")
    assert said.startswith("name: intro\nstate: archived\narchived_at: 2")
    assert said.endswith("\nused_by: letter")
    later = await done(all_tools, "archive_prompt", name="letter", at="2999-01-01T00:00:00Z")
    assert later == "name: letter\nstate: active\narchived_at: 2999-01-01T00:00:00Z"


@pytest.mark.parametrize("tool", ["archive_prompt", "restore_prompt_version", "label_prompt_version"])
async def test_what_is_for_people_is_no_tool_unless_it_is_asked_for(client: TestClient, tool: str) -> None:
    with pytest.raises(MCPError, match="Unknown tool"):
        await client.call(tool, name="code-review")
