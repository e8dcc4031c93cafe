"""Reading: one prompt or lists of them, and their tags."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laconic.kit import Page, Window
from laconic.library.lists import page_of
from laconic.library.queries import LibraryQuery
from laconic.library.records import ShownLines
from laconic.servers.prompts.models import Prompt, Tag
from laconic.servers.prompts.service.records import listed, prompt_of
from laconic.servers.prompts.service.templates import Templates
from laconic.servers.prompts.store import PROMPT, Which, find, used_by
from laconic.stores import ItemQuery, Shelf
from laconic.text import line_range

if TYPE_CHECKING:
    from laconic.servers.prompts.store import Entry
    from laconic.stores.shelf.desk import Desk

__all__ = ["PromptQuery", "Reading"]


class PromptQuery(LibraryQuery):
    """Which prompts, and in which order."""

    def on_shelf(self) -> ItemQuery:
        """Return the query of the shelf."""
        return self.among([PROMPT])


class Reading:
    """Reads prompts."""

    def __init__(self, shelf: Shelf, templates: Templates) -> None:
        self._shelf = shelf
        self._templates = templates

    async def get(
        self, which: Which, start: int | None = None, end: int | None = None, *, resolved: bool = False
    ) -> Prompt:
        """Return a prompt with its template, or some lines of it; `resolved`: with what it includes."""
        entry = await self._shelf.read(lambda desk: find(desk, which))
        body = await self._templates.resolved(entry) if resolved else entry.body
        lines = line_range(body, start or 1, end)
        is_partial = start is not None or end is not None
        span = ShownLines(
            total_lines=lines.total, start_line=lines.first, end_line=lines.last, is_partial=is_partial
        )
        content = lines.text if is_partial else body
        return prompt_of(entry).model_copy(update={"content": content, "content_metadata": span})

    async def metadata(self, which: Which) -> Prompt:
        """Return what is known about a prompt, without its template: also its labels and who includes it."""

        def work(desk: Desk) -> tuple[Entry, list[str]]:
            entry = find(desk, which)
            return entry, used_by(desk, entry.name)

        entry, users = await self._shelf.read(work)
        pinned = [f"{label}@{number}" for label, number in entry.item.labels.items()]
        return prompt_of(entry).model_copy(update={"labels": pinned or None, "used_by": users or None})

    async def find(self, window: Window, query: PromptQuery) -> Page[Prompt]:
        """Return a page of prompts, without their templates."""
        return await page_of(self._shelf, query.on_shelf(), window, listed)

    async def tags(self, window: Window) -> Page[Tag]:
        """Return the tags of the active prompts, the commonest first."""
        found = await self._shelf.read(lambda desk: desk.tags([PROMPT]))
        tags = [Tag(name=tag.name, prompts=tag.items) for tag in found]
        return window.cut(tags, key=lambda tag: (-tag.prompts, tag.name))
