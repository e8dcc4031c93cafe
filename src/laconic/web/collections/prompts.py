"""Prompts as a collection: by id in any state, and by name while they are active."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from laconic.kit import BadArguments, Failure
from laconic.library.expecting import Expected
from laconic.servers.prompts.models import Edit
from laconic.servers.prompts.service import PromptChanges
from laconic.servers.prompts.service.failing import name_taken
from laconic.servers.prompts.store import ById, Which, arguments_of, find
from laconic.stores import By, Item, Taken
from laconic.web.collections.collection import Replacing, as_version
from laconic.web.models.bodies import NewPrompt, PromptChange, PromptReplacement
from laconic.web.models.items import FullItem, ItemPageOf, ListedItem, PromptFull, PromptListed
from laconic.web.opened import OpenLibrary

if TYPE_CHECKING:
    from laconic.stores.shelf.desk import Desk

__all__ = ["PromptItems", "PromptsPage", "which"]


class PromptsPage(ItemPageOf):
    """A page of prompts."""

    items: list[PromptListed]


def which(path: Mapping[str, Any]) -> Which:
    """Return the prompt that a path names, by id or by name."""
    return ById(str(path["id"])) if "id" in path else str(path["name"])


class PromptItems:
    """The prompts of the library."""

    word, path, toolset = "prompt", "/api/prompts", "prompts"
    has_names = True
    full: type[FullItem] = PromptFull
    listed: type[ListedItem] = PromptListed
    page: type[BaseModel] = PromptsPage
    new: type[BaseModel] = NewPrompt
    changed: type[BaseModel] = PromptChange
    replacement: type[BaseModel] = PromptReplacement

    def find(self, desk: Desk, path: Mapping[str, Any]) -> Item:
        """Return a prompt, or one of its versions."""
        entry = find(desk, which(path))
        if entry.is_newest:
            return entry.item
        return as_version(
            entry.item,
            title=entry.title,
            description=entry.description,
            body=entry.body,
            extra={"arguments": [argument.kept() for argument in entry.arguments]},
            tags=entry.tags,
            version=entry.version,
            updated_at=entry.updated_at,
        )

    def own_fields(self, item: Item) -> dict[str, Any]:
        """Return the name and the arguments."""
        return {"name": item.name, "arguments": list(arguments_of(item.extra))}

    def conflict(self, item: Item, taken: Taken) -> Failure:
        """Say that another prompt has the name."""
        return name_taken(item.name or "", taken)

    async def create(self, opened: OpenLibrary, body: NewPrompt, by: By) -> str:
        """Keep a new prompt."""
        saved = await (await opened.library()).editing.create(
            body.name,
            body.content,
            by,
            title=body.title,
            description=body.description,
            arguments=body.arguments,
            tags=body.tags or (),
            placing=body.placing,
        )
        return saved.id

    async def change(
        self, opened: OpenLibrary, path: Mapping[str, Any], body: PromptChange, by: By, expected: Expected
    ) -> str:
        """Change a prompt; its template cannot be cleared."""
        if body.given("content")["content"] is None:
            raise BadArguments("A prompt has a template: content cannot be null.", field="content")
        wanted = PromptChanges(
            name=body.name,
            content=body.content,
            arguments=body.arguments,
            tags=body.tags,
            placing=body.placing,
            **body.given("title", "description"),
        )
        editing = (await opened.library()).editing
        return (await editing.change(which(path), wanted, by, expected=expected)).id

    async def replace(
        self,
        opened: OpenLibrary,
        path: Mapping[str, Any],
        body: PromptReplacement,
        by: By,
        expected: Expected,
    ) -> Replacing:
        """Replace a text in a template."""
        edits = [Edit(old_str=body.old_str, new_str=body.new_str)]
        editing = (await opened.library()).editing
        done = await editing.edit(which(path), edits, by, expected=expected, arguments=body.arguments)
        return Replacing(done.id, done.match_type, done.line, done.version, done.updated_at)

    async def revert(self, opened: OpenLibrary, id: str, version: int, by: By, expected: Expected) -> None:
        """Make a prompt what it was; what its template includes must still be there."""
        await (await opened.library()).versions.revert(ById(id), str(version), by, expected=expected)
