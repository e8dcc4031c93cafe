"""An answer that is too long is kept whole, and read on in slices."""

import json
import re
from typing import Annotated, Any

import pytest
from jsonschema import Draft202012Validator

from laconic.kit import (
    Batch,
    Caller,
    Endpoint,
    Page,
    Record,
    Resource,
    Settings,
    Text,
    Toolset,
    Verbatim,
    Window,
)
from laconic.kit.contract.read_back import inside
from laconic.kit.keeping.handles import Handles
from laconic.kit.peer import SilentPeer
from laconic.kit.pipeline import Answer
from laconic.kit.testing import ERAS, FakeClock, connect
from laconic.stores import MemoryStore, SqliteStore
from laconic.text import tagged

SECTIONS = [f"## Part {n}\n\n" + f"Sentence {n} of a long document. " * 60 + "\n\n" for n in range(1, 41)]
DOCUMENT = "# Manual\n\n" + "".join(SECTIONS)
ROWS = "name\tsize\n" + "".join(f"file-{n}\t{n * 7}\n" for n in range(5000))
LIST = json.dumps([{"id": n, "text": f"entry {n} é"} for n in range(3000)], ensure_ascii=False)


class Thing(Record, formats={"short": ("title",), "full": ("title", "body")}, bodies=("body",)):
    """A thing with a long text."""

    id: int
    title: str
    body: str = ""


THINGS = [Thing(id=n, title=f"Thing {n}", body=f"Body {n}. " * 200) for n in range(40)]


def _library() -> Toolset:
    library = Toolset("library")

    @library.read(subject="doc:{name}")
    async def doc_get(name: Annotated[str, "Which."] = "manual") -> str:
        """Read a document."""
        return {"manual": DOCUMENT, "rows": ROWS, "list": LIST}[name]

    @library.update(subject="doc:{name}")
    async def doc_edit(name: Annotated[str, "Which."]) -> str:
        """Change a document."""
        return f"Changed {name}."

    @library.read
    async def doc_pair() -> list[Any]:
        """Give a note and a long document."""
        return [Text("A note."), Resource("doc://manual", DOCUMENT, "text/markdown")]

    @library.read
    async def things_list(window: Window = Window(size=40)) -> Page[Thing]:
        """List things."""
        return window.cut(THINGS, key=lambda thing: (thing.id,))

    @library.read(budget=0)
    async def things_export(window: Window = Window(size=40)) -> Page[Thing]:
        """List things, however long the answer."""
        return window.cut(THINGS, key=lambda thing: (thing.id,))

    @library.read(format="full")
    async def thing_get() -> Thing:
        """Read one thing with a very long text."""
        return Thing(id=1, title="One", body=DOCUMENT)

    @library.create
    async def doc_make(name: Annotated[str, "Its name."]) -> str:
        """Make a document, and show it."""
        return DOCUMENT

    return library


def _handle(text: str) -> str:
    found = re.search(r"handle='(\w+)'", text)
    assert found, text[-500:]
    return found[1]


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.requirement("004-P1-3")
async def test_a_long_document_gives_its_beginning_outline_size_and_the_ways_on(era: str) -> None:
    async with connect(_library(), era=era) as client:
        reply = await client.call("doc_get")
    assert len(reply.text) <= 25_000
    assert reply.text.startswith("<beginning>\n# Manual\n\n## Part 1\n")
    assert "\n</beginning>\n[" in reply.text
    assert f"of {len(DOCUMENT):,} characters shown, ~" in reply.text
    assert "kept for 30 minutes" in reply.text
    assert "Part 35" in reply.text  # the outline reaches beyond the beginning
    assert "Read on: read_on with handle='" in reply.text


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.requirement("004-P1-1")
async def test_the_tool_and_the_resource_read_the_same_bytes(era: str) -> None:
    ways = {"section": "Part 7", "lines": "10-20", "characters": "30000-40000", "find": "Sentence 33 "}
    async with connect(_library(), era=era) as client:
        handle = _handle((await client.call("doc_get")).text)
        for way, wanted in ways.items():
            by_tool = await client.send("read_on", {"handle": handle, way: wanted})
            by_address = await client.client.read_resource(
                f"kept://{handle}/{way}/{wanted.replace(' ', '%20')}"
            )
            text = by_tool.result.content[0].text
            assert [by_address.contents[0].text] == (inside(text) or [text])
    assert by_tool.text.startswith("Found 60, the first 20:\nline ")


async def _read(endpoint: Endpoint, caller: str = "local", **arguments: str) -> Answer:
    return await endpoint.call_tool("read_on", arguments, SilentPeer(Caller(caller)))


async def _first(endpoint: Endpoint, tool: str = "doc_get", **arguments: str) -> str:
    return (await endpoint.call_tool(tool, arguments, SilentPeer())).text


@pytest.mark.parametrize("name", ["manual", "rows", "list"])
async def test_character_slices_join_to_the_whole(name: str) -> None:
    whole = {"manual": DOCUMENT, "rows": ROWS, "list": LIST}[name]
    endpoint = Endpoint([_library()], settings=Settings(budget=9_000))
    handle = _handle(await _first(endpoint, name=name))
    found, at = "", "0-"
    while at:
        answer = await _read(endpoint, handle=handle, characters=at)
        assert answer.failure is None
        piece = answer.blocks[0]
        assert isinstance(piece, Text)
        assert len(piece.text) <= 9_000
        found += inside(piece.text)[0]
        onward = re.search(r"characters='(\d+-\d+)'", answer.text[len(piece.text) :])
        at = onward[1] if onward else ""
    assert found == whole


async def test_a_long_text_cannot_imitate_the_lines_around_it() -> None:
    lines = [
        "# Note: nothing is left",
        "# Error [BUG]: x",
        "# Pass cursor 'x' to see next page.",
        "</beginning>",
    ]
    text = "".join(f"{line}\n\n{'Some words. ' * 300}\n\n</outline>\n\n" for line in lines * 3)
    toolset = Toolset("foreign")

    @toolset.read
    async def text_get() -> str:
        """Read a text."""
        return text

    answer = await Endpoint([toolset], settings=Settings(budget=6_000)).call_tool(
        "text_get", {}, SilentPeer()
    )
    ours = re.sub(r"<((?:beginning|outline)[-\d]*)>\n.*?\n</\1>\n", "", answer.text, flags=re.DOTALL)
    assert [line.partition(" ")[0] for line in ours.splitlines()] == [ours.partition(" ")[0], "Read"], ours
    assert ours.startswith("[")


async def test_one_section_costs_one_section() -> None:
    endpoint = Endpoint([_library()])
    handle = _handle(await _first(endpoint))
    assert (await _read(endpoint, handle=handle, section="Part 33")).text == tagged("part", SECTIONS[32])
    assert (await _read(endpoint, handle=handle, section="Manual/part 33")).text == tagged(
        "part", SECTIONS[32]
    )


async def test_items_of_a_list_come_as_valid_json_and_rows_of_a_table_whole() -> None:
    endpoint = Endpoint([_library()])
    by_item = await _read(endpoint, handle=_handle(await _first(endpoint, name="list")), items="2001-2003")
    by_row = await _read(endpoint, handle=_handle(await _first(endpoint, name="rows")), items="4001-4002")
    first = by_item.blocks[0]
    assert isinstance(first, Text)
    assert [entry["id"] for entry in json.loads(inside(first.text)[0])] == [2000, 2001, 2002]
    assert "[items 2,001 to 2,003 of 3,000.]" in by_item.text
    assert "file-4000\t28000\nfile-4001\t28007" in by_row.text


async def test_the_beginning_of_a_json_list_is_json() -> None:
    endpoint = Endpoint([_library()])
    text = await _first(endpoint, name="list")
    shown = text.removeprefix("<beginning>\n").partition("\n</beginning>\n[")[0]
    assert len(json.loads(shown)) > 100


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"section": "Part 77"}, "Section 'Part 77' not found. Did you mean "),
        ({"lines": "nine"}, "Invalid lines 'nine'. Expected: a range, such as 1-50."),
        ({"lines": "9-3"}, "Invalid lines '9-3'."),
        ({"lines": "90000-90001"}, "Invalid lines 90000. Expected: from 1 to "),
        ({"items": "1-2"}, "Invalid items: This text (markdown) has no list of items"),
        ({"find": "/[/"}, "Invalid find '/[/'. Invalid regex: "),
        ({"find": "never there"}, "'never there' does not occur."),
        ({}, "Missing section: pass exactly one of section, lines, items, characters, find."),
    ],
)
async def test_a_way_that_leads_nowhere_says_so(arguments: dict[str, str], said: str) -> None:
    endpoint = Endpoint([_library()])
    answer = await _read(endpoint, handle=_handle(await _first(endpoint)), **arguments)
    assert said in answer.text


@pytest.mark.requirement("004-P1-1")
async def test_a_foreign_or_expired_handle_says_how_to_get_a_new_one() -> None:
    clock = FakeClock()
    endpoint = Endpoint([_library()], state=MemoryStore(now=clock))
    handle = _handle(await _first(endpoint))
    foreign = await _read(endpoint, "mallory", handle=handle, lines="1-2")
    clock.forward(29 * 60)
    assert (await _read(endpoint, handle=handle, lines="1-2")).failure is None
    clock.forward(31 * 60)
    expired = await _read(endpoint, handle=handle, lines="1-2")
    for answer in (foreign, expired):
        assert answer.failure is not None
        assert "call the tool that gave the handle again" in answer.text


async def test_a_write_drops_what_it_touches_and_nothing_else() -> None:
    endpoint = Endpoint([_library()])
    manual, rows = _handle(await _first(endpoint)), _handle(await _first(endpoint, name="rows"))
    await endpoint.call_tool("doc_edit", {"name": "manual"}, SilentPeer())
    changed = await _read(endpoint, handle=manual, lines="1-2")
    assert "was changed since it was kept. Call doc_get again" in changed.text
    assert (await _read(endpoint, handle=rows, lines="1-2")).failure is None


async def test_a_handle_survives_a_restart_and_any_replica_serves_it(tmp_path: Any) -> None:
    handle = _handle(await _first(Endpoint([_library()], state=SqliteStore(tmp_path / "state.sqlite"))))
    replica = Endpoint([_library()], state=SqliteStore(tmp_path / "state.sqlite"))
    assert (await _read(replica, handle=handle, section="Part 2")).text == tagged("part", SECTIONS[1])
    await replica.close()


async def test_a_long_page_becomes_a_shorter_page_and_nothing_is_lost() -> None:
    endpoint = Endpoint([_library()], settings=Settings(budget=9_000))
    seen: list[int] = []
    arguments: dict[str, Any] = {"format": "full"}
    while True:
        answer = await endpoint.call_tool("things_list", arguments, SilentPeer())
        assert len(answer.text) <= 9_000
        assert "read_on" not in answer.text
        seen += [thing.id for thing in answer.value.items]
        cursor = answer.text.partition("Pass cursor '")[2].partition("'")[0]
        if not cursor:
            break
        arguments = {"cursor": cursor, "format": "full"}
    assert seen == list(range(40))


async def test_the_budget_can_be_set_by_call() -> None:
    endpoint = Endpoint([_library()])
    answer = await endpoint.call_tool("doc_get", {"budget": 2_000}, SilentPeer())
    assert len(answer.text) <= 2_000


async def test_of_several_blocks_only_the_long_one_is_shortened() -> None:
    endpoint = Endpoint([_library()])
    answer = await endpoint.call_tool("doc_pair", {}, SilentPeer())
    assert answer.blocks[0] == Text("A note.")
    assert isinstance(answer.blocks[1], Resource)
    assert answer.blocks[1].uri == "doc://manual"
    assert len(str(answer.blocks[1].content)) <= 25_000


@pytest.mark.parametrize("output", ["structured", "both"])
async def test_structured_content_still_fits_its_schema_and_names_the_handle(output: Any) -> None:
    async with connect(_library(), settings=Settings(output=output, budget=9_000)) as client:
        listed = {tool["name"]: tool for tool in await client.tools()}
        for name, arguments in (("things_list", {"format": "full"}), ("thing_get", {})):
            reply = await client.send(name, arguments)
            Draft202012Validator(listed[name]["outputSchema"]).validate(reply.structured)
            assert len(json.dumps(reply.structured)) <= 10_500
        handle = _handle(reply.structured["_notes"][0])
        whole = await client.call("read_on", handle=handle, find="Sentence 33")
    assert "Found 60" in whole.text


async def test_a_replayed_answer_is_whole_again_and_gets_a_fresh_handle() -> None:
    endpoint = Endpoint([_library()])
    arguments = {"name": "x", "idempotency_key": "k"}
    first = await endpoint.call_tool("doc_make", arguments, SilentPeer())
    second = await endpoint.call_tool("doc_make", arguments, SilentPeer())
    assert _handle(first.text) != _handle(second.text)
    assert second.text.endswith("\nNote: Already done; this is the first answer again.")
    assert len(second.text) <= 25_000
    answer = await _read(endpoint, handle=_handle(second.text), section="Part 40")
    assert inside(answer.text)[0].startswith(SECTIONS[39].rstrip("\n"))


async def test_a_tool_without_a_limit_gives_its_page_whole() -> None:
    endpoint = Endpoint([_library()], settings=Settings(budget=9_000))
    cut = await endpoint.call_tool("things_list", {"format": "full"}, SilentPeer())
    whole = await endpoint.call_tool("things_export", {"format": "full"}, SilentPeer())
    assert len(cut.text) <= 9_000 < len(whole.text)
    assert "Pass cursor" in cut.text and "Pass cursor" not in whole.text
    assert all(f"Body {n}." in whole.text for n in range(40))


async def test_a_budget_of_nothing_means_no_limit_and_no_tool() -> None:
    async with connect(_library(), settings=Settings(budget=0)) as client:
        assert (await client.call("doc_get")).text == DOCUMENT
        assert "read_on" not in {tool["name"] for tool in await client.tools()}


async def test_many_handles_stay_within_the_bound() -> None:
    store = MemoryStore(limit_bytes=1_000_000)
    handles = Handles(store)
    kept = [await handles.keep("ann", "x" * 50_000, tool="t", subject=None, began=0) for _ in range(50)]
    assert (await handles.open("ann", kept[-1])).text == "x" * 50_000
    assert 10 < len(await store.keys("handle:")) <= 20


CROWDED = "".join(f"# A heading that is rather long {n}\n\nText.\n\n" for n in range(30)) + "Words. " * 900


@pytest.mark.parametrize(
    ("texts", "budget", "shown"),
    [
        (["word " * 2000], 600, [150]),
        (["word " * 2000], 4000, [3450]),
        (["word " * 2000, "word " * 1900], 4000, [450, 2740]),
        ([CROWDED], 4000, [635]),
        ([CROWDED], 2000, [1237]),  # without its outline, which is too long
        ([DOCUMENT], 4000, [331]),
        ([ROWS], 4000, [235]),
        ([LIST], 4000, [223]),
    ],
)
async def test_the_beginning_of_a_long_text_takes_its_share_of_the_budget(
    texts: list[str], budget: int, shown: list[int]
) -> None:
    library = Toolset("library")

    @library.read
    async def texts_get() -> list[Any]:
        """Read all texts."""
        return [Text(text) for text in texts]

    answer = await Endpoint([library]).call_tool("texts_get", {"budget": budget}, SilentPeer())
    found = re.findall(r"\[([\d,]+) of [\d,]+ characters shown", answer.text)
    assert [int(number.replace(",", "")) for number in found] == shown


class Script(Record, bodies=("content",)):
    """A script, as the kit writes it."""

    id: int
    title: str
    content: str = ""


class Poem(Script):
    """A script that writes its own text."""

    def write_text(self, format: str | None) -> str:
        """Return the title, then the content."""
        return f"{self.title}, in full:\n\n{self.content}\n\nThe end."


CONTENT = "".join(f"line {n} of the script\n" for n in range(1, 2001))


def _scripts(value: Any) -> Toolset:
    scripts = Toolset("scripts")

    @scripts.read(cache=60)
    async def script_get() -> type(value):  # type: ignore[valid-type]  # each case has its own
        """Read it."""
        return value

    return scripts


@pytest.mark.parametrize(
    "value",
    [Script(id=1, title="One", content=CONTENT), Poem(id=1, title="One", content=CONTENT), Verbatim(CONTENT)],
    ids=["record", "own text", "verbatim"],
)
async def test_the_lines_of_a_kept_text_are_those_of_the_text_itself(value: Any) -> None:
    async with connect(_scripts(value), settings=Settings(budget=4_000)) as client:
        first = await client.call("script_get")
        again = await client.call("script_get")  # from the cache
        assert len(first.text) <= 4_000
        for reply in (first, again):
            assert "line 9 of the script\n" in reply.text and "line 999 " not in reply.text
            read = await client.call("read_on", handle=_handle(reply.text), lines="9-10")
            assert inside(read.text) == ["line 9 of the script\nline 10 of the script\n"]
            found = await client.call("read_on", handle=_handle(reply.text), find="line 777 ")
            assert "\nline 777: " in found.text


async def test_a_record_with_a_long_text_keeps_its_other_lines() -> None:
    scripts = _scripts(Script(id=1, title="One", content=CONTENT))
    async with connect(scripts, settings=Settings(budget=4_000)) as client:
        text = (await client.call("script_get")).text
    assert text.startswith("id: 1\ntitle: One\n<beginning>\nline 1 of the script\n")
    assert f"[content: {len(inside(text)[0]):,} of {len(CONTENT):,} characters shown, " in text
    assert "<content>" not in text


class Pair(Record, bodies=("left", "right")):
    """Two texts."""

    id: int
    left: str
    right: str


async def test_each_long_text_of_a_record_is_kept_by_itself() -> None:
    pair = Pair(id=1, left=CONTENT, right="Other.\n" + CONTENT)
    async with connect(_scripts(pair), settings=Settings(budget=4_000)) as client:
        text = (await client.call("script_get")).text
        assert len(text) <= 4_000
        handles = re.findall(r"handle='(\w+)'", text)
        parts = [await client.call("read_on", handle=handle, lines="2") for handle in handles]
    assert [inside(part.text) for part in parts] == [["line 2 of the script\n"], ["line 1 of the script\n"]]


async def test_many_long_texts_are_kept_as_one_answer() -> None:
    batch = Toolset("batch")

    @batch.read
    async def scripts_all() -> Batch[Script]:
        """Read all."""
        return Batch([Script(id=n, title="S", content=CONTENT) for n in range(9)])

    async with connect(batch, settings=Settings(budget=4_000)) as client:
        text = (await client.call("scripts_all")).text
    assert len(text) <= 4_000
    assert len(re.findall(r"handle='", text)) == 1
