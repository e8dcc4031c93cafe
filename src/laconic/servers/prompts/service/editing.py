"""Editing: prompts are made, their templates edited, and what is known about them changed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from laconic.kit import Changes
from laconic.kit.errors import Failure
from laconic.library.limits import refuse_long_words
from laconic.library.placing import AS_IT_IS, Placing
from laconic.servers.prompts.models import Argument, Edit, Edited, Saved
from laconic.servers.prompts.service.changing import Changing, PromptChanges
from laconic.servers.prompts.service.failing import name_taken, refuse_bad_name
from laconic.servers.prompts.service.records import included_by, lacking, saved, unchanged
from laconic.servers.prompts.service.templates import CheckedTemplate, Templates
from laconic.servers.prompts.store import (
    PROMPT,
    ById,
    Entry,
    Expected,
    Which,
    find_newest,
    includers,
    refuse_circle,
)
from laconic.stores import By, Draft, Item, ItemEdit, Shelf, Stale, Taken
from laconic.text import Replaced, replace_each, unified_diff

if TYPE_CHECKING:
    from laconic.stores.shelf.desk import Desk

__all__ = ["PromptEditing"]


class PromptEditing:
    """Makes and changes prompts.

    A template is checked before the transaction begins, so that nobody waits for a worker; if another edit
    was faster, the change is made again in what that edit wrote.
    """

    def __init__(self, shelf: Shelf, templates: Templates, changes: Changes) -> None:
        self._shelf = shelf
        self._templates = templates
        self._changes = changes
        self._turns = _Turns()

    async def create(
        self,
        name: str,
        content: str,
        by: By,
        *,
        title: str | None = None,
        description: str | None = None,
        arguments: Sequence[Argument] | None = None,
        tags: Sequence[str] = (),
        placing: Placing = AS_IT_IS,
    ) -> Saved:
        """Keep a new prompt."""
        refuse_bad_name(name)
        refuse_long_words(title, description)
        made = await self._templates.check(name, content, given=arguments)
        draft = Draft(PROMPT, name, title or None, description or None, tags=tags, **made.values())

        def work(desk: Desk) -> Item:
            item = desk.add(draft, by)
            return desk.get(item.id) if placing.apply(desk, item, by) else item

        item = await self._kept(name, work)
        await self._changes.tell("prompts")
        return saved(item)

    async def edit(
        self,
        which: Which,
        edits: Sequence[Edit],
        by: By,
        *,
        expected: Expected | None = None,
        arguments: Sequence[Argument] | None = None,
        merge: bool = False,
        dry_run: bool = False,
    ) -> Edited:
        """Replace texts in a template, all or none."""
        async with self._turns.of(which):
            while True:
                entry = await self._shelf.read(lambda desk: find_newest(desk, which, expected))
                replaced = replace_each(entry.body, [(edit.old_str, edit.new_str) for edit in edits])
                made = await self._checked(entry, replaced.text, arguments, merge)
                if dry_run:
                    return _report(entry, replaced, made, await self._users(entry))
                try:
                    done, users = await self._shelf.run(_writing(entry, made, by))
                except Stale:
                    continue
                await self._tell(done)
                return _report(entry, replaced, made, users, done)

    async def change(
        self, which: Which, wanted: PromptChanges, by: By, *, expected: Expected | None = None
    ) -> Saved:
        """Change what is known about a prompt, or its whole template."""
        refuse_bad_name(wanted.name)
        refuse_long_words(wanted.title, wanted.description)
        async with self._turns.of(which):
            while True:
                entry = await self._shelf.read(lambda desk: find_newest(desk, which, expected))
                made: CheckedTemplate | None = None
                if wanted.has_template:
                    content = entry.body if wanted.content is None else wanted.content
                    made = await self._templates.check(entry.name, content, entry.arguments, wanted.arguments)
                work = Changing(entry, wanted, made, by)
                try:
                    done, users = await self._kept(wanted.name or entry.name, work)
                except Stale:
                    continue
                await self._tell(done)
                remarks = unchanged(done) + included_by(users, work.words)
                remarks += lacking(users, entry.arguments, made.arguments if made else ())
                return saved(done.item, done.changed, remarks)

    async def _checked(
        self, entry: Entry, content: str, given: Sequence[Argument] | None, merge: bool
    ) -> CheckedTemplate:
        try:
            return await self._templates.check(entry.name, content, entry.arguments, given, merge)
        except Failure as failure:
            failure.message = f"This would make the template invalid. {failure.message}"
            raise

    async def _kept(self, name: str, work: Callable[[Desk], Any]) -> Any:
        try:
            return await self._shelf.run(work)
        except Taken as taken:
            raise name_taken(name, taken) from None

    async def _users(self, entry: Entry) -> list[Item]:
        return await self._shelf.read(lambda desk: includers(desk, entry.name))

    async def _tell(self, done: ItemEdit) -> None:
        if done.changed or done.is_reordered:
            await self._changes.tell("prompts")


def _report(
    entry: Entry,
    replaced: Replaced,
    made: CheckedTemplate,
    users: Sequence[Item],
    done: ItemEdit | None = None,
) -> Edited:
    """Say what an edit has changed, or would change; `users` are the prompts that include this one."""
    before, after = ([argument.kept() for argument in listed] for listed in (entry.arguments, made.arguments))
    remarks = unchanged(done) if done else ["Nothing was saved: this is a dry run."]
    return Edited(
        name=entry.name,
        id=entry.item.id,
        version=done.item.version if done else entry.version,
        updated_at=done.item.updated_at if done else entry.updated_at,
        match_type=replaced.replacements[0].match,
        line=replaced.replacements[0].line,
        arguments=[argument.name for argument in made.arguments] if after != before else None,
        diff=unified_diff(entry.body, replaced.text).text,
        remarks=remarks + included_by(users) + lacking(users, entry.arguments, made.arguments),
    )


class _Turns:
    """Lets the edits of one prompt wait for each other, since all but one of them would be made in vain."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def of(self, which: Which) -> asyncio.Lock:
        name = which.id if isinstance(which, ById) else which.partition("@")[0]
        return self._locks.setdefault(name, asyncio.Lock())


def _writing(entry: Entry, made: CheckedTemplate, by: By) -> Callable[[Desk], tuple[ItemEdit, list[Item]]]:
    """Write an edit and look who includes the prompt: later it could fail, with the edit done."""

    def work(desk: Desk) -> tuple[ItemEdit, list[Item]]:
        refuse_circle(desk, entry.name, made.includes)  # which another edit may have closed by now
        done = desk.edit(entry.item.id, made.values(), by, version=entry.version)
        return done, includers(desk, entry.name)

    return work
