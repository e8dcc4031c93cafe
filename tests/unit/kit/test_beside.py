"""A record and blocks in one answer, and envelopes around texts and blocks."""

import re
from typing import Annotated, Any, get_args

import pytest
from jsonschema import Draft202012Validator

from laconic.kit import (
    META,
    PAGINATION,
    About,
    BadConfiguration,
    Image,
    Link,
    Record,
    Settings,
    Text,
    Toolset,
    Verbatim,
)
from laconic.kit.pipeline import Output
from laconic.kit.testing import ERAS, WIRES, Over, TestClient, connect

LINK = Link("gdrive://docs/d1/content", "the whole", "text/markdown")
PIXEL = Image(b"\x89PNG", "image/png")


async def _schemas(client: TestClient) -> dict[str, Any]:
    return {tool["name"]: tool.get("outputSchema") for tool in await client.tools()}


class Summary(Record, bodies=("outline",)):
    """What a document is about."""

    id: str
    title: str
    outline: str = ""

    def list_remarks(self) -> list[str]:
        """Warn of a draft."""
        return ["It is a draft."] if self.title == "Draft" else []


def _docs(**options: Any) -> Toolset:
    docs = Toolset("docs", envelope=PAGINATION, **options)

    @docs.read
    async def doc_get(
        title: Annotated[str, "Its title."] = "Plan", size: Annotated[int, "Lines."] = 3
    ) -> tuple[Summary, Link]:
        """Read the summary of a document, with a link to the whole."""
        return Summary(id="d1", title=title, outline="A line.\n" * size), LINK

    @docs.read
    async def doc_show(is_short: Annotated[bool, "No picture."] = False) -> Summary | tuple[Summary, Image]:
        """Read the summary of a document, with its picture."""
        summary = Summary(id="d1", title="Plan")
        return summary if is_short else (summary, PIXEL)

    @docs.read
    async def doc_links() -> tuple[Summary, *tuple[Link, ...]]:
        """Read the summary of a document, with all links."""
        return Summary(id="d1", title="Plan"), LINK, LINK

    return docs


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("output", get_args(Output))
async def test_a_record_comes_with_a_link_in_every_form(output: Output, era: str) -> None:
    async with connect(_docs(), settings=Settings(output=output), era=era) as client:
        schemas = await _schemas(client)
        reply = await client.call("doc_get")
    text, link = reply.result.content
    assert (link.type, str(link.uri), link.name) == ("resource_link", LINK.uri, "the whole")
    if output == "text":
        assert reply.structured is None and schemas["doc_get"] is None
    else:
        assert reply.structured == {"id": "d1", "title": "Plan", "outline": "A line.\n" * 3}
        Draft202012Validator(schemas["doc_get"]).validate(reply.structured)
        assert list(schemas["doc_get"]["properties"]) == ["id", "title", "outline"]
    assert text.text.startswith(
        '{"id":"d1"' if output == "structured" else "id: d1\ntitle: Plan\n<outline>\n"
    )


@pytest.mark.parametrize("over", WIRES)
async def test_the_link_arrives_over_every_wire(over: Over) -> None:
    async with connect(_docs(), over=over) as client:
        reply = await client.call("doc_get")
    assert [block.type for block in reply.result.content] == ["text", "resource_link"]


async def test_blocks_may_come_or_not_and_be_several() -> None:
    async with connect(_docs(), settings=Settings(output="both")) as client:
        tools = {
            tool["name"]: tool["outputSchema"] for tool in await client.tools() if "outputSchema" in tool
        }
        plain, picture = await client.call("doc_show", is_short=True), await client.call("doc_show")
        links = await client.call("doc_links")
    kinds = [[block.type for block in reply.result.content] for reply in (plain, picture, links)]
    assert kinds == [["text"], ["text", "image"], ["text", "resource_link", "resource_link"]]
    assert plain.structured == picture.structured == links.structured
    assert tools["doc_show"] == tools["doc_links"] == tools["doc_get"]


@pytest.mark.parametrize("output", get_args(Output))
async def test_a_long_record_beside_a_link_is_kept_and_its_notes_are_told(output: Output) -> None:
    settings = Settings(output=output, budget=2_000)
    async with connect(_docs(), settings=settings) as client:
        reply = await client.call("doc_get", title="Draft", size=500)
        handle = re.search(r"handle='(\w+)'", reply.text)
        assert handle
        read = await client.call("read_on", handle=handle[1], lines="2")
    assert "It is a draft." in reply.text
    assert reply.result.content[-1].type == "resource_link"
    assert "A line.\n" in read.text


async def test_the_fields_of_the_record_are_chosen_as_ever() -> None:
    async with connect(_docs()) as client:
        reply = await client.call("doc_get", fields=["title"])
    assert reply.text == "id: d1\ntitle: Plan"


def test_a_tuple_of_anything_else_is_a_mistake_in_the_declaration() -> None:
    bad = Toolset("bad")
    for returns in (tuple[Link, Summary], tuple[Summary, str], tuple[Summary, Text], tuple[Summary]):

        def thing_get() -> Any:
            """Read it."""

        thing_get.__annotations__["return"] = returns
        with pytest.raises(BadConfiguration, match=r"A tuple is a record and the blocks beside it"):
            bad.read(thing_get)


def _texts(**options: Any) -> Toolset:
    texts = Toolset("texts", **options)

    @texts.read
    async def text_get(about: About, size: Annotated[int, "Letters."] = 5) -> str:
        """Read a text."""
        about["_rateLimit"] = {"left": 7}
        return "x" * size

    @texts.read
    async def text_blocks(about: About) -> list[Text | Link | Image]:
        """Read blocks."""
        about["_rateLimit"] = {"left": 7}
        return [Text("Hello."), LINK, PIXEL]

    @texts.read
    async def text_link(about: About) -> Link:
        """Read a link."""
        about["_rateLimit"] = {"left": 7}
        return LINK

    @texts.read
    async def text_plain() -> str:
        """Read a text without more."""
        return "plain"

    @texts.read
    async def text_theirs() -> Verbatim:
        """Read a text by someone else."""
        return Verbatim("theirs")

    return texts


THE_LINK = {"uri": LINK.uri, "name": "the whole", "mime": "text/markdown"}
BLOCKS = ["Hello.", THE_LINK, {"mime": "image/png", "bytes": 4}]


@pytest.mark.parametrize("output", ["structured", "both"])
async def test_texts_and_blocks_are_in_an_envelope_that_is_around_everything(output: Output) -> None:
    async with connect(_texts(envelope=META), settings=Settings(output=output)) as client:
        schemas = await _schemas(client)
        replies = {name: await client.call(name) for name in schemas if name.startswith("text_")}
    for name, reply in replies.items():
        Draft202012Validator(schemas[name]).validate(reply.structured)
    data = {name: reply.structured["data"] for name, reply in replies.items()}
    assert data == {
        "text_get": "xxxxx",
        "text_blocks": BLOCKS,
        "text_link": THE_LINK,
        "text_plain": "plain",
        "text_theirs": {"text": "theirs"},
    }
    assert [name for name, reply in replies.items() if "_rateLimit" in reply.structured] == [
        "text_get",
        "text_blocks",
        "text_link",
    ]
    kinds = [block.type for block in replies["text_blocks"].result.content]
    assert kinds == ["text", "resource_link", "image"]


async def test_without_such_an_envelope_only_a_tool_that_adds_fields_sends_its_text_as_data() -> None:
    async with connect(_texts(), settings=Settings(output="both")) as client:
        schemas = await _schemas(client)
        added = await client.call("text_get")
        blocks = await client.call("text_blocks")
        plain = await client.call("text_plain")
    assert added.structured == {"result": "xxxxx", "_rateLimit": {"left": 7}} and added.text == "xxxxx"
    assert blocks.structured == {"result": BLOCKS, "_rateLimit": {"left": 7}}
    Draft202012Validator(schemas["text_blocks"]).validate(blocks.structured)
    assert plain.structured is None and schemas["text_plain"] is None


@pytest.mark.parametrize("envelope", [META, PAGINATION])
async def test_a_long_text_in_an_envelope_is_kept(envelope: Any) -> None:
    settings = Settings(output="structured", budget=2_000)
    async with connect(_texts(envelope=envelope), settings=settings) as client:
        schemas = await _schemas(client)
        reply = await client.call("text_get", size=9_000)
    Draft202012Validator(schemas["text_get"]).validate(reply.structured)
    assert reply.structured["_notes"][0].startswith("Left out: the result (9,000 characters). Read on: ")
    assert reply.structured["_rateLimit"] == {"left": 7}


async def test_a_long_list_of_records_that_is_no_page_is_kept() -> None:
    lists = Toolset("lists")

    @lists.read
    async def summary_all() -> list[Summary]:
        """Read all."""
        return [Summary(id=str(n), title="Long " * 20) for n in range(99)]

    async with connect(lists, settings=Settings(output="both", budget=2_000)) as client:
        reply = await client.call("summary_all")
    assert not reply.failed and "Left out: the result" in reply.structured["_notes"][0]
