"""The tools of the example server: what the model sees."""

from collections.abc import AsyncIterator
from importlib.resources import files
from typing import Annotated

from pydantic import StringConstraints

from laconic.kit import Complete, Guard, Page, Toolset, Window, at_least_one
from laconic.servers.example.models import Memo, MemoSettings
from laconic.servers.example.service import Memos
from laconic.servers.example.store import MemoStore
from laconic.stores import Folder

example = Toolset(
    "example",
    "Memos kept as markdown files: the kit's example.",
    provides=(Memos,),
    settings=MemoSettings,
    instructions=files(__package__).joinpath("instructions.md").read_text(encoding="utf-8"),
)

Name = Annotated[
    str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,59}$", to_lower=True, strip_whitespace=True)
]


@example.factory
async def open_memos(section: MemoSettings) -> AsyncIterator[Memos]:
    """Open the folder of memos in the workspace."""
    yield Memos(MemoStore(Folder(section.workspace / section.folder)))


@example.read(hint="memo_get")
async def memo_list(
    memos: Memos,
    window: Window = Window(size=25, most=200),
    tag: Annotated[str | None, "Keep only memos with this tag."] = None,
    text: Annotated[str | None, "Keep only memos that contain this."] = None,
) -> Page[Memo]:
    """List memos, newest change first. Read one in full with memo_get."""
    return memos.find(window, tag, text)


@example.read(hint="memo_list", format="full")
async def memo_get(memos: Memos, name: Annotated[Name, "The memo's name."]) -> Memo:
    """Read one memo in full."""
    return memos.get(name)


@example.create()
async def memo_create(
    memos: Memos,
    name: Annotated[Name, "Lower-case letters, digits and hyphens."],
    title: Annotated[str, StringConstraints(min_length=1, max_length=200), "One line."],
    body: Annotated[str, "Markdown."],
    tags: Annotated[list[str] | None, "Words to find it by."] = None,
) -> Memo:
    """Create a memo."""
    return memos.add(name, title, body, tags or [])


@example.update(hint="memo_list", guard="version", rules=[at_least_one("title", "body", "tags")])
async def memo_update(
    memos: Memos,
    guard: Guard,
    name: Annotated[Name, "The memo's name."],
    title: Annotated[str | None, "New title."] = None,
    body: Annotated[str | None, "New text, replacing the whole."] = None,
    tags: Annotated[list[str] | None, "New tags, replacing all."] = None,
) -> Memo:
    """Change a memo's title, text or tags; omitted fields stay."""
    return memos.change(name, guard, title, body, tags)


@example.delete(hint="memo_list", confirm="Delete the memo {name} for good?")
async def memo_delete(memos: Memos, name: Annotated[Name, "The memo's name."]) -> str:
    """Delete a memo."""
    memos.remove(name)
    return f"Deleted {name}."


async def _names(memos: Memos, typed: str) -> list[str]:
    return memos.names(typed)


@example.resource("memo://{name}", mime="text/markdown", hint="memo_list")
async def memo(memos: Memos, name: Annotated[Name, "The memo's name.", Complete(_names)]) -> str:
    """One memo's text."""
    return memos.get(name).body


@example.prompt
async def summarise_memo(memos: Memos, name: Annotated[Name, "The memo's name.", Complete(_names)]) -> str:
    """Ask for a summary of one memo."""
    return f"Summarise this memo in three sentences:\n\n{memos.get(name).body}"
