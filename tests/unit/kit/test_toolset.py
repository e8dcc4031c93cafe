"""Declarations: what the verbs and options make of a function, and what they refuse."""

import asyncio
import os
from collections.abc import AsyncIterator
from copy import deepcopy
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import BaseModel

from laconic.kit import (
    UNLISTED,
    Answer,
    BadConfiguration,
    Call,
    Caller,
    CamelPart,
    Endpoint,
    Guard,
    Inline,
    Inner,
    Progress,
    Settings,
    Toolset,
    Versioned,
    ordered,
)
from laconic.kit.arguments.known import arguments_of
from laconic.kit.listing import Listing, key_of, places_of
from laconic.kit.peer import SilentPeer
from laconic.kit.testing import WIRES, Over, connect
from laconic.servers.example.tools import example
from tests.toolsets.workshop import Jobs, jobs_list, workshop


async def test_a_declared_function_is_just_a_function() -> None:
    page = await jobs_list(Jobs(3))
    assert [job.id for job in page.items] == ["JOB-0003", "JOB-0002", "JOB-0001"]


@pytest.mark.requirement("004-P2-1")
def test_the_verb_decides_the_annotations() -> None:
    hints = {spec.name: spec.hints for spec in workshop.tools}
    assert (hints["jobs_list"].read_only, hints["jobs_list"].destructive, hints["jobs_list"].idempotent) == (
        1,
        0,
        1,
    )
    assert (hints["job_create"].read_only, hints["job_create"].idempotent) == (False, False)
    assert (hints["job_update"].destructive, hints["job_update"].idempotent) == (False, True)
    assert (hints["job_delete"].destructive, hints["job_delete"].idempotent) == (True, False)
    assert hints["job_break"].idempotent is False


@pytest.mark.requirement("003-1.1")
async def test_every_tool_lists_all_four_hints() -> None:
    hints = {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}
    async with connect(workshop) as client:
        tools = await client.tools()
    assert len(tools) > 15
    assert [tool["name"] for tool in tools if not hints <= set(tool["annotations"])] == []


def test_differing_from_the_table_needs_a_reason() -> None:
    odd = Toolset("odd")
    with pytest.raises(BadConfiguration, match="with because="):

        @odd.create(idempotent=True)
        async def odd_create() -> str:
            """Create."""
            return ""


def test_a_guard_that_nobody_checks_is_refused() -> None:
    odd = Toolset("odd")
    with pytest.raises(BadConfiguration, match="no parameter of type Guard"):

        @odd.update(guard="version")
        async def odd_update() -> str:
            """Update."""
            return ""


def test_a_plain_function_that_would_have_to_wait_is_refused() -> None:
    odd = Toolset("odd")
    with pytest.raises(BadConfiguration, match="odd_read uses Progress and must be an async function"):

        @odd.read
        def odd_read(progress: Progress) -> str:
            """Read."""
            return ""


def _named(name: str) -> Toolset:
    toolset = Toolset(name)

    @toolset.read(name="thing_list")
    async def thing_list() -> str:
        """List things."""
        return name

    return toolset


async def test_two_tools_of_one_name_are_refused_unless_one_has_a_prefix() -> None:
    with pytest.raises(BadConfiguration, match="Two tools are called thing_list"):
        _ = Endpoint([_named("one"), _named("two")]).catalogue
    async with connect(_named("one"), _named("two"), settings=Settings(prefixes={"two": "two_"})) as client:
        assert (await client.call("thing_list")).text == "one"
        assert (await client.call("two_thing_list")).text == "two"


async def test_what_a_toolset_provides_is_not_in_the_schema() -> None:
    schema = arguments_of(next(spec for spec in workshop.tools if spec.name == "job_update")).schema
    assert list(schema["properties"]) == ["id", "title", "status", "priority", "assignee", "version"]


async def test_a_factory_that_fails_is_tried_again_on_the_next_call() -> None:
    shaky = Toolset("shaky", provides=(list,))
    tries: list[int] = []

    @shaky.factory
    async def open_shaky(section):  # type: ignore[no-untyped-def]  # as a stranger may write it
        tries.append(1)
        if len(tries) == 1:
            raise OSError("the disk is away")
        yield [1, 2, 3]

    @shaky.read
    async def shaky_count(things: list) -> int:  # type: ignore[type-arg]  # the provided type itself
        """Count."""
        return len(things)

    async with connect(shaky) as client:
        first = await client.call("shaky_count")
        second = await client.call("shaky_count")
    assert first.error["code"] == "CONFIGURATION_ERROR"
    assert "the disk is away" in first.text
    assert second.text == "3"


@pytest.mark.parametrize("over", WIRES)
@pytest.mark.parametrize("error", [SystemExit("no settings"), KeyboardInterrupt(), GeneratorExit()])
async def test_a_factory_that_would_end_the_program_is_answered(error: BaseException, over: Over) -> None:
    leaving = Toolset("leaving", provides=(list,))

    @leaving.factory
    async def opened(section: Any) -> AsyncIterator[list[str]]:
        raise error
        yield []

    @leaving.read
    async def leaving_get(things: list) -> str:  # type: ignore[type-arg]  # what is provided is a class
        """Read."""
        return "never"

    @leaving.read
    async def leaving_wait() -> str:
        """Wait."""
        return "here"

    async with connect(leaving, over=over) as client:
        async with asyncio.timeout(20):
            first = await client.call("leaving_get")
            other = await client.call("leaving_wait")
    assert first.error["code"] == "CONFIGURATION_ERROR"
    assert type(error).__name__ in first.text
    assert other.text == "here"


async def test_a_factory_is_opened_once_and_closed_with_the_endpoint() -> None:
    events: list[str] = []
    kept = Toolset("kept", provides=(dict,))

    @kept.factory
    async def open_kept(section):  # type: ignore[no-untyped-def]  # as a stranger may write it
        events.append("open")
        yield {"a": 1}
        events.append("close")

    @kept.read
    async def kept_read(thing: dict) -> str:  # type: ignore[type-arg]  # the provided type itself
        """Read."""
        return str(thing["a"])

    async with connect(kept) as client:
        assert events == []  # not before it is needed
        await client.call("kept_read")
        await client.call("kept_read")
    assert events == ["open", "close"]


def test_a_listing_comes_back_from_its_file_as_it_was(tmp_path) -> None:  # type: ignore[no-untyped-def]  # pytest's
    listing = Endpoint([workshop]).listing
    listing.save(tmp_path / "deep" / "listing.json")
    assert Listing.load(tmp_path / "deep" / "listing.json") == listing
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    assert Listing.load(tmp_path / "broken.json") is None
    assert Listing.load(tmp_path / "absent.json") is None


def test_the_key_of_a_listing_follows_its_package_and_its_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    tools = tmp_path / "stranger" / "tools"
    tools.mkdir(parents=True)
    files = [tools / "__init__.py", tools / "lists.py", tools.parent / "__init__.py"]
    files += [tools.parent / "models.py", tools.parent / "instructions.md"]
    for file in files:
        file.write_text("", encoding="utf-8")
    keys = {key_of(["stranger.tools:toolset"], {"output": output}) for output in ("text", "both", "text")}
    assert len(keys) == 2

    for file in files:
        file.write_text("# changed\n", encoding="utf-8")
        keys.add(key_of(["stranger.tools:toolset"], {"output": "text"}))
    assert len(keys) == 2 + len(files)


def test_the_key_of_a_single_module_follows_that_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "alone.py").write_text("a = 1\n", encoding="utf-8")
    first = key_of(["alone:toolset"], {})
    (tmp_path / "other.py").write_text("b = 1\n", encoding="utf-8")
    assert key_of(["alone:toolset"], {}) == first
    (tmp_path / "alone.py").write_text("a = 23\n", encoding="utf-8")
    changed = key_of(["alone:toolset"], {})
    assert changed != first
    os.utime(tmp_path / "alone.py", (1, 1))  # the same size
    assert key_of(["alone:toolset"], {}) not in (first, changed)


def test_a_server_of_ours_is_its_own_package() -> None:
    (folder,) = places_of("laconic.servers.issues.tools")
    assert (Path(folder) / "models.py").exists()
    assert Path(folder).parent.name == "servers"


async def test_a_guard_of_a_known_type_is_listed_by_its_type_alone(tmp_path: Path) -> None:
    notes = Toolset("notes")

    @notes.update(guard=Versioned("version", int))
    async def note_edit(guard: Guard) -> str:
        """Edit a note."""
        guard.check("The note", 3)
        return "edited"

    async with connect(notes) as client:
        listed = (await client.tools())[0]["inputSchema"]["properties"]
        edited = await client.send("note_edit", {"version": "3"})
        moved = await client.call("note_edit", version=2)
        wrong = await client.call("note_edit", version="latest")
        client.endpoint.listing.save(tmp_path / "list.json")
        saved = Listing.load(tmp_path / "list.json")
    assert listed == {"version": {"type": "integer"}}
    assert saved is not None and saved.tools[0]["inputSchema"]["properties"] == listed
    assert deepcopy(Versioned("version", int)).kind is int
    assert edited.text == "edited"
    assert "The note is at version 3, not 2." in moved.text
    assert "Invalid version 'latest'. Expected: integer." in wrong.text


async def test_the_guard_refuses_what_moved_and_says_where_it_is() -> None:
    async with connect(workshop) as client:
        await client.call("job_update", id="JOB-0001", status="open", version=1)
        reply = await client.call("job_update", id="JOB-0001", status="done", version=1)
        again = await client.call("job_update", id="JOB-0001", status="done", version=2)
    assert "Job JOB-0001 is at version 2, not 1." in reply.text
    assert not again.failed


async def test_the_caller_is_supplied() -> None:
    asked = Toolset("asked")

    @asked.update(guard="revision")
    async def asked_who(caller: Caller, guard: Guard, note: Annotated[str, "A note."] = "") -> str:
        """Say who."""
        return f"{caller.name} {guard.field}={guard.expected}"

    endpoint = Endpoint([asked])
    answer = await endpoint.call_tool("asked_who", {"revision": "r7"}, SilentPeer(Caller("https://idp|ann")))
    assert answer.text == "https://idp|ann revision=r7"
    await endpoint.close()


@pytest.mark.parametrize(
    ("section", "said"),
    [
        ({"foldr": "x"}, "Unknown key 'foldr' in [example]. Did you mean 'folder'?"),
        ({"folder": 7}, "[example] folder: Input should be a valid string."),
    ],
)
async def test_a_wrong_section_of_the_configuration_is_said(section: dict[str, object], said: str) -> None:
    async with connect(example, settings=Settings(sections={"example": section})) as client:
        reply = await client.call("memo_list")
    assert reply.error["code"] == "CONFIGURATION_ERROR"
    assert said in reply.text


@pytest.mark.requirement("003-10.4")
async def test_an_unlisted_argument_is_understood_all_the_same() -> None:
    quiet = Toolset("quiet")

    @quiet.read(unlisted=["loud"])
    async def quiet_say(word: Annotated[str, "What."], loud: bool = False) -> str:
        """Say it."""
        return word.upper() if loud else word

    async with connect(quiet) as client:
        (tool, *_) = await client.tools()
        assert list(tool["inputSchema"]["properties"]) == ["word"]
        assert (await client.call("quiet_say", word="hey", loud=True)).text == "HEY"


class Span(BaseModel):
    """A stretch of years."""

    since: int
    before: int


async def test_a_rule_sees_the_fields_of_an_inline_parameter() -> None:
    years = Toolset("years")

    @years.read(rules=[ordered("since", "before")])
    async def years_count(span: Annotated[Span, Inline()]) -> int:
        """Count years."""
        return span.before - span.since

    async with connect(years) as client:
        assert (await client.call("years_count", since=1900, before=1950)).text == "50"
        reply = await client.call("years_count", since=1950, before=1900)
    assert "Invalid before 1900. Expected: more than since (1950)." in reply.text


async def test_unlisted_fields_of_an_inlined_part_are_accepted_and_not_listed() -> None:
    class Filters(CamelPart):
        tag_names: list[str] | None = None
        is_open: Annotated[bool | None, UNLISTED] = None
        old_name: str | None = None

    beds = Toolset("beds", case="camel")

    @beds.read(unlisted=["oldName"])
    async def beds_list(filters: Annotated[Filters, Inline()]) -> str:
        """List beds."""
        return f"{filters.wire()}"

    async with connect(beds) as client:
        listed = (await client.tools())[0]["inputSchema"]["properties"]
        reply = await client.call("beds_list", isOpen="true", oldName="north", tagNames="dry")
        wrong = await client.call("beds_list", isOpn=True)
    assert list(listed) == ["tagNames"]
    assert reply.text == "{'tagNames': ['dry'], 'isOpen': True, 'oldName': 'north'}"
    assert "Unknown argument 'isOpn'." in wrong.text


@pytest.mark.requirement("003-6.1")
async def test_a_toolset_brings_its_own_steps_for_its_own_calls() -> None:
    seen: list[str] = []

    async def watch(call: Call, inner: Inner) -> Answer:
        seen.append(call.spec.name)
        return await inner(call)

    watched = Toolset("watched", steps=[watch])

    @watched.read
    async def watched_read() -> str:
        """Read."""
        return "read"

    async with connect(watched, workshop) as client:
        await client.call("watched_read")
        await client.call("whoami")
    assert seen == ["watched_read"]
