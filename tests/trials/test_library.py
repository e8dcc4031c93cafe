"""A library of prompt templates, declared as its author would: a prompt source, guarded edits of bodies."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Annotated, Any

import pytest
from pydantic import AfterValidator, Field

from laconic.kit import (
    Caller,
    Changes,
    Conflict,
    Guard,
    Home,
    NotFound,
    Part,
    PromptEntry,
    Record,
    Settings,
    Toolset,
    Versioned,
)
from laconic.kit.testing import connect
from laconic.text import line_range, replace_each, unified_diff

TEMPLATE = "You are:\n- terse\n\tindented {{ topic }}\n\n\n"


def named(name: str) -> str:
    if not name.strip().replace("-", "").isalnum():
        raise ValueError("Expected: lower-case words joined by hyphens, such as code-review")
    return name.strip()


Name = Annotated[str, AfterValidator(named), "Such as code-review."]
Line = Annotated[int | None, Field(ge=1)]


class Prompt(
    Record, bodies=("content",), formats={"minimal": ("name",), "full": ("name", "version", "content")}
):
    name: str
    version: int = 1
    content: str = ""


class Change(Part):
    old: str
    new: str


class Library:
    """Prompts by name, in memory, and the source of the prompts that clients list."""

    def __init__(self) -> None:
        self.prompts: dict[str, Prompt] = {}

    def prompt(self, name: str) -> Prompt:
        if name not in self.prompts:
            raise NotFound("Prompt", name, near=list(self.prompts))
        return self.prompts[name]

    async def page(self, caller: Caller, after: str | None, count: int) -> Sequence[PromptEntry]:
        names = sorted(name for name in self.prompts if after is None or name > after)
        return [PromptEntry(name, "Kept.", [("topic", "What.", True)]) for name in names[:count]]

    async def find(self, caller: Caller, name: str) -> PromptEntry | None:
        base, _, version = name.partition("@")
        known = base in self.prompts
        return PromptEntry(name, "Kept.", [("topic", "What.", True)], key=version) if known else None

    async def get(self, caller: Caller, entry: PromptEntry, arguments: Mapping[str, str]) -> str:
        text = self.prompt(entry.name.partition("@")[0]).content
        return f"{text.replace('{{ topic }}', arguments['topic'])}{entry.key}"

    async def complete(
        self, caller: Caller, entry: PromptEntry, argument: str, typed: str, others: Mapping[str, str]
    ) -> Sequence[str]:
        return [f"{typed}…"]


library = Toolset("library", "Prompt templates.", provides=(Library,), prompt_source=Library)


@library.factory
async def opened(section: Mapping[str, Any], home: Home) -> AsyncIterator[Library]:
    yield Library()


@library.read(hint="search_prompts", format="full", unlisted=["format", "fields"], subject="prompt:{name}")
async def get_template(
    library: Library, name: Name, start_line: Line = None, end_line: Line = None
) -> Prompt:
    """Read a prompt's raw template."""
    found = library.prompt(name)
    if start_line is None and end_line is None:
        return found
    return found.model_copy(update={"content": line_range(found.content, start_line or 1, end_line).text})


@library.update(
    guard=Versioned("version", int),
    subject="prompt:{name}",
    replays=True,
    idempotent=False,
    because="the second replacement finds nothing",
    unlisted=["version", "idempotency_key"],
)
async def edit_template(
    library: Library,
    guard: Guard,
    changes: Changes,
    name: Name,
    edits: Annotated[list[Change], "All or none."],
    dry_run: Annotated[bool, "Only show the diff."] = False,
) -> str:
    """Replace text in a prompt's template; shows the diff."""
    found = library.prompt(name)
    guard.check(f"Prompt {name}", found.version)
    text = replace_each(found.content, [(edit.old, edit.new) for edit in edits]).text
    if not dry_run:
        library.prompts[name] = Prompt(name=name, version=found.version + 1, content=text)
        await changes.tell("prompts")
    return unified_diff(found.content, text).text


@library.create(hint="search_prompts")
async def create_prompt(
    library: Library, changes: Changes, name: Name, content: Annotated[str, Field(min_length=1), "Jinja2."]
) -> Prompt:
    """Keep a new prompt."""
    if name in library.prompts:
        raise Conflict(f"A prompt called {name} exists.", field="name")
    library.prompts[name] = Prompt(name=name, content=content)
    await changes.tell("prompts")
    return library.prompts[name]


@pytest.mark.parametrize("output", ["text", "structured", "both"])
async def test_a_template_is_read_back_to_the_byte(output: Any) -> None:
    async with connect(library, settings=Settings(output=output)) as client:
        await client.call("create_prompt", name="code-review", content=TEMPLATE)
        read = await client.call("get_template", name="code-review")
        part = await client.call("get_template", name="code-review", start_line=2, end_line=2)

    if output != "structured":
        assert f"<content>\n{TEMPLATE}\n</content>" in read.text
    if output != "text":
        assert read.structured["content"] == TEMPLATE and part.structured["content"] == "- terse"


async def test_edits_are_all_or_none_guarded_and_keyed_without_being_listed() -> None:
    async with connect(library) as client:
        await client.call("create_prompt", name="a", content=TEMPLATE)
        edits = [{"old": "terse", "new": "brief"}, {"old": "nowhere", "new": ""}]
        refused = await client.call("edit_template", name="a", edits=edits)
        stale = await client.call("edit_template", name="a", edits=edits[:1], version=7)
        done = await client.call("edit_template", name="a", edits=edits[:1], version=1, idempotency_key="k")
        again = await client.call("edit_template", name="a", edits=edits[:1], version=1, idempotency_key="k")
        listed = next(tool for tool in await client.tools() if tool["name"] == "edit_template")

    assert "edits[1].old" in refused.text and "does not occur" in refused.text
    assert "is at version 1, not 7" in stale.text
    assert "-- terse" in done.text and "+- brief" in done.text and "-- terse" in again.text
    assert sorted(listed["inputSchema"]["properties"]) == ["dry_run", "edits", "name"]


async def test_clients_list_and_render_what_the_library_has_by_version_too() -> None:
    async with connect(library) as client:
        await client.call("create_prompt", name="b", content="On {{ topic }}.")
        names = [prompt.name for prompt in (await client.client.list_prompts()).prompts]
        made = await client.client.get_prompt("b@3", {"topic": "tests"})

    assert names == ["b"] and made.messages[0].content.text == "On tests.3"
