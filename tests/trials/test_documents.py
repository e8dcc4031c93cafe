"""Documents of another system with accounts, declared as their author would: links, page tokens, profiles."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Literal

from laconic.kit import (
    PAGINATION,
    BadArguments,
    Described,
    Link,
    Memory,
    Page,
    Profile,
    Record,
    Settings,
    Text,
    Toolset,
    Window,
)
from laconic.kit.testing import connect

SECTIONS = {f"Part {number}": f"# Part {number}\n\n" + "Words. " * 200 for number in range(8)}
BODY = "\n\n".join(SECTIONS.values())


class File(Record, formats={"summary": ("name", "account")}):
    id: str
    name: str
    account: str


@dataclass
class Account:
    alias: str

    @property
    def pins(self) -> dict[str, str]:
        return {"account": self.alias}


class Suite:
    """What the accounts see."""

    aliases = ("home", "work")


suite = Toolset(
    "suite",
    "Documents.",
    provides=(Suite,),
    case="camel",
    envelope=PAGINATION,
    open_world=True,
    profiles={
        "lean": Profile(["docs_getDocument", "drive_listFiles"], aside=lambda spec: True),
        "full": Profile(lambda spec: True, also=True),
    },
    default="lean",
)


@suite.factory
async def opened(section: Mapping[str, Any]) -> AsyncIterator[Suite]:
    yield Suite()


@suite.each_call(listed=True)
async def account(
    suite: Suite, memory: Memory, account: Annotated[str | None, "In place of the chosen one."] = None
) -> Account:
    alias = account or await memory.get("account", "home")
    if alias not in suite.aliases:
        raise BadArguments(f"Invalid account '{alias}'. Valid values: {', '.join(suite.aliases)}.")
    return Account(alias)


@suite.read(name="docs_getDocument", also="docs_get", subject="file:{documentId}", hint="drive_listFiles")
async def docs_get_document(
    account: Account,
    document_id: Annotated[str, "Its id."],
    return_mode: Literal["summary", "full"] = "summary",
    section: Annotated[str | None, "Only this heading's part."] = None,
) -> list[Text | Link] | str:
    """Read a document: its outline first, or all of it, or one section."""
    if section is not None:
        return SECTIONS[section]
    if return_mode == "full":
        return BODY
    uri = f"suite://docs/{document_id}/chunk/0-500"
    return [Text(", ".join(SECTIONS)), Link(uri, "first part", "text/markdown")]


@suite.read(name="drive_listFiles")
async def drive_list_files(account: Account, window: Window = Window(size=2, most=1000)) -> Page[File]:
    """List files."""
    begin = int(window.position[0]) if window.position else 0
    names = [f"{account.alias} {number}" for number in range(5)]
    items = [File(id=name, name=name, account=account.alias) for name in names[begin : begin + window.count]]
    more = begin + len(items) < len(names)
    return Page(items, next=(str(begin + len(items)),) if more else None)  # the total is not known


@suite.resource("suite://docs/{id}/chunk/{start}-{end}", mime="text/markdown", name="docs_chunk")
async def docs_chunk(id: str, start: Annotated[int, "From."], end: Annotated[int, "To."]) -> str:
    """Read a part of a document."""
    return BODY[start:end]


async def sent(name: str, account: Account, arguments: Mapping[str, Any]) -> str:
    return f"{name} as {account.alias}: {dict(arguments)}"


LOCATION = {"type": "object", "properties": {"index": {"type": "integer"}}, "additionalProperties": False}
for operation in ("docs_insertText", "docs_deleteContentRange"):
    takes = Described(
        {"location": {"$ref": "Location"}, "size.unit": {"type": "string"}}, types={"Location": LOCATION}
    )
    suite.add("update", operation, "Change a document.", takes, partial(sent, operation))


async def test_a_document_is_summed_up_with_a_link_that_a_tool_can_read() -> None:
    async with connect(suite) as client:
        summary = await client.call("docs_getDocument", documentId="d1")
        whole = await client.call("docs_get", documentId="d1", returnMode="full", budget=3000)
        link = summary.result.content[1].uri
        part = await client.call("read_on", uri=link)

    assert summary.text.startswith("Part 0") and link == "suite://docs/d1/chunk/0-500"
    assert "read_on" in whole.text and "Note:" not in whole.text  # a second name is no former one
    assert "# Part 0" in part.text


async def test_page_tokens_become_cursors_of_their_account_without_an_invented_total() -> None:
    async with connect(suite, settings=Settings(output="both")) as client:
        first = await client.call("drive_listFiles", account="work")
        rest = await client.call("drive_listFiles", cursor=first.cursor)
        other = await client.call("drive_listFiles", cursor=first.cursor, account="home")
        wrong = await client.call("drive_listFiles", account="nobody")

    assert (
        "total" not in first.structured["pagination"] and first.structured["pagination"]["has_more"] is True
    )
    assert "work 2" in rest.text and "home" not in rest.text
    assert other.failed and "account" in other.text
    assert "Valid values: home, work." in wrong.text


async def test_operations_from_data_check_nested_bodies_and_get_the_account() -> None:
    async with connect(suite) as client:
        listed = [tool["name"] for tool in await client.tools()]
        arguments = {"location": {"index": 1}, "size.unit": "PT", "account": "work"}
        done = await client.send("docs_insertText", arguments)
        wrong = await client.send("docs_insertText", {"location": {"indx": 1}})
        found = await client.call("tools_find", query="insert text")

    assert listed[:2] == ["docs_getDocument", "drive_listFiles"] and "docs_insertText" not in listed
    assert done.text.startswith("docs_insertText as work:") and "size.unit" in done.text
    assert "Unknown argument 'location.indx'. Did you mean 'index'?" in wrong.text
    assert found.text.startswith("docs_insertText")
