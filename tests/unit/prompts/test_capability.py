"""The prompts capability: pages, filling in, versions, completion, and notices of changes."""

import asyncio

import mcp_types as t
import pytest
from mcp import MCPError

from laconic.kit.testing import TestClient
from laconic.stores.shelf.desk import Desk
from tests.unit.prompts.calls import REVIEW, create, done, edit

TONE = [
    {"name": "who", "description": "To whom.", "required": True},
    {"name": "tone", "default": "kind", "choices": ["kind", "curt", "blank"]},
]


async def names(client: TestClient) -> list[str]:
    page = await client.client.list_prompts(cache_mode="bypass")
    return [prompt.name for prompt in page.prompts]


@pytest.mark.requirement("002-background-1")
async def test_prompts_are_listed_by_name_with_their_arguments(client: TestClient) -> None:
    await create(
        client, "b", "Dear {{ who }}, {{ tone }}.", arguments=TONE, title="B", description="About b."
    )
    await create(client, "a", "Hello.")
    page = await client.client.list_prompts(cache_mode="bypass")
    one, two = page.prompts
    assert (one.name, two.name, two.title, two.description) == ("a", "b", "B", "About b.")
    assert one.arguments == []
    who, tone = two.arguments or []
    assert (who.name, who.description, who.required) == ("who", "To whom.", True)
    assert (tone.description, tone.required) == ("One of: kind, curt, blank. Default: kind.", False)


async def test_every_change_is_listed_at_once(all_tools: TestClient) -> None:
    client = all_tools
    assert await names(client) == []
    await create(client)
    assert await names(client) == await names(client) == ["code-review"]
    await done(client, "update_prompt_metadata", name="code-review", new_name="review", title="Review")
    page = await client.client.list_prompts(cache_mode="bypass")
    assert [(one.name, one.title) for one in page.prompts] == [("review", "Review")]
    await done(client, "archive_prompt", name="review")
    assert await names(client) == []


@pytest.mark.requirement("002-background-2")
async def test_a_prompt_is_filled_in_also_in_an_earlier_version(client: TestClient) -> None:
    await create(client, description="Reads code.")
    await edit(client, "Review", "Read")
    given = {"language": "Go", "code": "x := 1"}
    newest = await client.client.get_prompt("code-review", given)
    first = await client.client.get_prompt("code-review@1", given)
    assert newest.description == "Reads code."
    assert len(newest.messages) == 1 and newest.messages[0].role == "user"
    assert newest.messages[0].content.text == "Read this Go code:\n\nx := 1\n\n"
    assert first.messages[0].content.text == REVIEW.replace("{{ language }}", "Go").replace(
        "{{ code }}", "x := 1"
    )


@pytest.mark.parametrize(
    ("name", "given", "words"),
    [
        ("code-review", {"language": "Go"}, "code"),
        ("code-review", {"language": "Go", "code": "x", "langauge": "x"}, "langauge"),
        ("code-reviews", {}, "Did you mean code-review"),
        ("code-review@9", {}, "code-review@9"),
        ("../notes", {}, "notes"),
        ("", {}, ""),
        ("crash", {"x": "0"}, "Line 1"),
        ("blocked", {"x": "0"}, "Line 1: It uses something that templates may not use."),
        ("choice", {"tone": "loud"}, "kind, curt, blank"),
    ],
)
async def test_what_cannot_be_filled_in_is_an_error_of_the_arguments(
    client: TestClient, name: str, given: dict[str, str], words: str
) -> None:
    await create(client)
    await create(client, "crash", "{{ 1 // x|int }}")
    await create(client, "blocked", "{{ x['__class__'] }}")
    await create(client, "choice", "{{ tone }}", arguments=TONE[1:])
    with pytest.raises(MCPError) as error:
        await client.client.get_prompt(name, given)
    assert error.value.error.code == -32602
    assert words in error.value.error.message


@pytest.mark.parametrize(
    ("argument", "typed", "values"),
    [
        ("tone", "", ["kind", "curt", "blank"]),
        ("tone", "K", ["kind", "blank"]),
        ("tone", "x", []),
        ("who", "", []),
        ("nobody", "", []),
    ],
)
async def test_choices_are_suggested(
    client: TestClient, argument: str, typed: str, values: list[str]
) -> None:
    await create(client, "b", "Dear {{ who }}, {{ tone }}.", arguments=TONE)
    reference = t.PromptReference(type="ref/prompt", name="b@1")
    found = await client.client.complete(reference, {"name": argument, "value": typed})
    assert found.completion.values == values


async def test_filling_in_is_a_use_and_no_change(client: TestClient) -> None:
    await create(client, "b", "Hello.")
    before = await done(client, "get_prompt_metadata", name="b")
    await client.client.get_prompt("b", {})
    for _ in range(600):
        after = await done(client, "get_prompt_metadata", name="b")
        if after != before:
            break
    changed = set(after.splitlines()) - set(before.splitlines())
    assert [line.partition(":")[0] for line in changed] == ["last_used_at"]


async def test_a_use_that_cannot_be_noted_fails_nothing_and_is_logged(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(desk: Desk, id: str) -> None:
        raise OSError("the disk is full")

    await create(client, "b", "Hello.")
    monkeypatch.setattr(Desk, "use", broken)
    filled = await client.client.get_prompt("b", {})
    assert filled.messages[0].content.text == "Hello."
    async with asyncio.timeout(60):
        while "was not noted: OSError" not in caplog.text:  # noqa: ASYNC110  # noted later
            await asyncio.sleep(0.01)
    assert [one.levelname for one in caplog.records if "not noted" in one.message] == ["WARNING"]
