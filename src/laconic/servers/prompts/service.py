"""What can be done with prompts; tools, pages and commands all come here."""

from __future__ import annotations

import asyncio
import contextvars
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal
from weakref import WeakValueDictionary

from laconic.kit import BadArguments, Changes, Conflict, Guard, Page, Problem, TooLarge, Unset, Window
from laconic.kit.errors import Failure
from laconic.servers.prompts import declared
from laconic.servers.prompts.models import Argument, Edit, Edited, Prompt, Saved, Span
from laconic.servers.prompts.store import (
    PROMPT,
    Entry,
    find,
    find_newest,
    prompt_of,
    refuse_blank,
    terms_of,
    used_by,
)
from laconic.servers.prompts.templates.judge import Judge
from laconic.servers.prompts.templates.limits import Inspected, TemplateFault, Variable
from laconic.stores import By, Draft, Item, ItemEdit, ItemPage, ItemQuery, Shelf, Stale, Taken
from laconic.text import Replaced, line_range, replace_each, unified_diff

if TYPE_CHECKING:
    from laconic.stores.shelf.desk import Desk

__all__ = ["Library", "PromptQuery"]

log = logging.getLogger("laconic.prompts")

SortBy = Literal["created_at", "updated_at", "last_used_at", "title", "relevance"]
_DEEPEST: Final = 10  # prompts that include each other
_FIELDS: Final = {"body": "content", "extra": "arguments"}  # of the shelf, by the names that callers use


@dataclass(frozen=True)
class PromptQuery:
    """Which prompts, and in which order."""

    text: str = ""
    tags: Sequence[str] = ()
    any_tag: bool = False
    sort: SortBy | None = None
    ascending: bool | None = None  # None: titles from A to Z, the newest first

    def on_shelf(self) -> ItemQuery:
        """Return the query of the shelf."""
        is_ascending = self.sort == "title" if self.ascending is None else self.ascending
        return ItemQuery([PROMPT], self.text, self.tags, self.any_tag, sort=self.sort, ascending=is_ascending)

    @property
    def is_ranked(self) -> bool:
        """True if the best come first."""
        return bool(self.text.strip()) and self.sort in (None, "relevance")


@dataclass(frozen=True)
class _Checked:
    """A template that can be saved, with its arguments."""

    content: str
    arguments: list[Argument]
    includes: list[str]

    def values(self) -> dict[str, Any]:
        kept = [argument.kept() for argument in self.arguments]
        extra = {"arguments": kept} | ({"includes": self.includes} if self.includes else {})
        return {"body": self.content, "extra": extra, "terms": terms_of(self.arguments, self.includes)}


class Library:
    """Finds, creates, changes and renders prompts."""

    def __init__(self, shelf: Shelf, judge: Judge, changes: Changes) -> None:
        self._shelf = shelf
        self._judge = judge
        self._changes = changes
        self._turns = _Turns()
        self._notes: set[asyncio.Task[None]] = set()

    async def get(self, address: str, start: int | None = None, end: int | None = None) -> Prompt:
        """Return a prompt with its template, or some lines of it."""
        entry = await self._shelf.read(lambda desk: find(desk, address))
        lines = line_range(entry.body, start or 1, end)
        is_partial = start is not None or end is not None
        return _prompt(entry).model_copy(
            update={
                "content": lines.text if is_partial else entry.body,
                "content_metadata": Span(
                    total_lines=lines.total,
                    start_line=lines.first,
                    end_line=lines.last,
                    is_partial=is_partial,
                ),
            }
        )

    async def find(self, window: Window, query: PromptQuery) -> Page[Prompt]:
        """Return a page of the active prompts, without their templates."""
        wanted = query.on_shelf()

        def work(desk: Desk) -> tuple[ItemPage, int, int]:
            start, after = window.start, None
            if window.position is not None:
                start, after = window.position[0], window.position[1:]
            elif start:
                after = desk.search(wanted, start).after
                if after is None:
                    return ItemPage((), None), desk.count(wanted), start
            return desk.search(wanted, window.count, after), desk.count(wanted), start

        page, total, start = await self._shelf.read(work)
        following = None if page.after is None else (start + len(page.items), *page.after)
        remark = "Best first; a change may move them between pages." if query.is_ranked and following else ""
        return Page([*map(prompt_of, page.items)], total=total, next=following, start=start, remark=remark)

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
    ) -> Saved:
        """Keep a new prompt."""
        made = await self._check(name, content, (), arguments)
        draft = Draft(PROMPT, name, title or None, description or None, tags=tags, **made.values())
        try:
            item = await self._shelf.run(lambda desk: desk.add(draft, by))
        except Taken as taken:
            raise _conflict(name, taken) from None
        await self._changes.tell("prompts")
        return _saved(item)

    async def edit(
        self,
        address: str,
        edits: Sequence[Edit],
        by: By,
        *,
        guard: Guard | None = None,
        arguments: Sequence[Argument] | None = None,
        merge: bool = False,
        dry_run: bool = False,
    ) -> Edited:
        """Replace texts in a template, all or none.

        The template is checked before the transaction begins, so that nobody waits for a worker; if another
        edit was faster, the replacement is made again in what that edit wrote.
        """
        async with self._turns.of(address.partition("@")[0]):
            return await self._edit(
                address, edits, by, guard.expected if guard else None, arguments, merge, dry_run
            )

    async def _edit(
        self,
        address: str,
        edits: Sequence[Edit],
        by: By,
        expected: Any,
        arguments: Sequence[Argument] | None,
        merge: bool,
        dry_run: bool,
    ) -> Edited:
        while True:
            entry = await self._shelf.read(lambda desk: find_newest(desk, address, expected))
            replaced = replace_each(entry.body, [(edit.old_str, edit.new_str) for edit in edits])
            made = await self._edited(entry, replaced.text, arguments, merge)
            if dry_run:
                return await self._report(entry, replaced, made, None)
            try:
                done = await self._shelf.run(_writing(entry, made.values(), by))
            except Stale:
                continue
            if done.changed:
                await self._changes.tell("prompts")
            return await self._report(entry, replaced, made, done)

    async def _edited(
        self, entry: Entry, content: str, given: Sequence[Argument] | None, merge: bool
    ) -> _Checked:
        arguments = declared.merged(entry.arguments, given) if merge and given is not None else given
        try:
            return await self._check(entry.name, content, entry.arguments, arguments)
        except Failure as failure:
            failure.message = f"This would make the template invalid. {failure.message}"
            raise

    async def _report(
        self, entry: Entry, replaced: Replaced, made: _Checked, done: ItemEdit | None
    ) -> Edited:
        users = await self._shelf.read(lambda desk: used_by(desk, entry.name))
        before = [argument.name for argument in entry.arguments]
        after = [argument.name for argument in made.arguments]
        remarks = [] if done is None or done.changed else ["Nothing changed."]
        if done is None:
            remarks.append("Nothing was saved: this is a dry run.")
        if users:
            more = f" and {len(users) - 5} more" if len(users) > 5 else ""
            remarks.append(f"Included by {', '.join(users[:5])}{more}.")
        return Edited(
            name=entry.name,
            id=entry.item.id,
            version=done.item.version if done else entry.version,
            updated_at=done.item.updated_at if done else entry.updated_at,
            match_type=replaced.replacements[0].match,
            line=replaced.replacements[0].line,
            arguments=after if after != before else None,
            diff=unified_diff(entry.body, replaced.text).text,
            remarks=remarks,
        )

    async def describe(
        self,
        address: str,
        by: By,
        *,
        guard: Guard | None = None,
        new_name: str | None = None,
        title: str | Unset | None,
        description: str | Unset | None,
        tags: Sequence[str] | None = None,
        add_tags: Sequence[str] = (),
        remove_tags: Sequence[str] = (),
    ) -> Saved:
        """Change what is known about a prompt, not its template."""
        texts = {"title": title, "description": description}
        given: dict[str, Any] = {
            field: value or None for field, value in texts.items() if not isinstance(value, Unset)
        }
        if new_name is not None:
            given["name"] = new_name

        def change(now: Item) -> Mapping[str, Any]:
            gone = {tag.strip().lower() for tag in remove_tags}
            kept = [tag for tag in (now.tags if tags is None else tags) if tag.strip().lower() not in gone]
            return {**given, "tags": [*kept, *add_tags]}

        def work(desk: Desk) -> tuple[ItemEdit, list[str]]:
            entry = find_newest(desk, address, guard.expected if guard else None)
            users = used_by(desk, entry.name) if new_name not in (None, entry.name) else []
            return desk.edit(entry.item.id, change, by), users

        try:
            done, users = await self._shelf.run(work)
        except Taken as taken:
            raise _conflict(new_name or "", taken) from None
        if done.changed:
            await self._changes.tell("prompts")
        remarks = [] if done.changed else ["No changes."]
        if users:
            remarks.append(f"Included under its old name by {', '.join(users[:5])}.")
        return _saved(done.item, done.changed, remarks)

    async def render(self, address: str, given: Mapping[str, Any]) -> str:
        """Fill in a template."""
        entry = await self._shelf.read(lambda desk: find(desk, address))
        return await self.fill(entry, given)

    async def fill(self, entry: Entry, given: Mapping[str, Any]) -> str:
        """Fill in the template of a prompt that was found, and note that it was used."""
        values, missing = declared.filled(entry.arguments, given)
        try:
            sources = await self._sources(entry)
            text = await self._judge.render(entry.body, values, missing, sources)
        except TemplateFault as fault:
            raise _failure(fault, "name") from None
        self._note_use(entry.item.id)
        return text

    async def revision(self) -> int:
        """Return a number that every change of a prompt increases; uses do not."""
        newest = await self._shelf.read(lambda desk: desk.history([PROMPT], 1))
        return newest[0].entry if newest else 0

    async def close(self) -> None:
        """Wait for what is still to be noted, and end the workers."""
        await asyncio.gather(*self._notes)
        await self._judge.close()

    async def _check(
        self, name: str, content: str, known: Sequence[Argument], given: Sequence[Argument] | None
    ) -> _Checked:
        """Check a template and its arguments; those that are not given come from the template."""
        refuse_blank(content)
        try:
            needs = await self._judge.inspect(content)
            variables = await self._needed(name, needs, (name,))
        except TemplateFault as fault:
            raise _failure(fault, "content") from None
        arguments = declared.derived(variables, known) if given is None else list(given)
        return _Checked(content, declared.checked(arguments, variables), _bases(needs))

    async def _needed(self, name: str, needs: Inspected, path: tuple[str, ...]) -> list[Variable]:
        """Return the variables of a template and of what it includes."""
        found = {variable.name: variable for variable in needs.variables}
        for address, line in needs.includes.items():
            base = address.partition("@")[0]
            if base in path or len(path) > _DEEPEST:
                way = " > ".join([*path, base])
                raise TemplateFault(
                    "invalid", f"Prompts must not include each other in a circle: {way}.", line
                )
            entry = await self._included(address, line)
            inner = await self._needed(base, await self._judge.inspect(entry.body), (*path, base))
            for variable in inner:
                if variable.name not in needs.assigned:
                    found.setdefault(variable.name, Variable(variable.name, line, variable.is_optional))
        return list(found.values())

    async def _included(self, address: str, line: int) -> Entry:
        try:
            return await self._shelf.read(lambda desk: find(desk, address))
        except Failure as failure:
            raise TemplateFault("invalid", failure.message, line) from None

    async def _sources(self, entry: Entry) -> dict[str, str]:
        """Return the templates that a template includes, by the names it uses, however deep."""
        sources: dict[str, str] = {}
        waiting = [entry.body] if entry.item.extra.get("includes") else []
        while waiting:
            needs = await self._judge.inspect(waiting.pop())
            for address, line in needs.includes.items():
                if address not in sources:
                    sources[address] = (await self._included(address, line)).body
                    waiting.append(sources[address])
        return sources

    def _note_use(self, id: str) -> None:
        """Note a use after the answer; the call has no part in it."""
        task = asyncio.create_task(self._used(id), context=contextvars.Context())
        self._notes.add(task)
        task.add_done_callback(self._notes.discard)

    async def _used(self, id: str) -> None:
        try:
            await self._shelf.run(lambda desk: desk.use(id))
        except Exception as error:  # a counter must not fail anything
            log.warning("the use of %s was not noted: %s", id, type(error).__name__)


class _Turns:
    """Lets the edits of one prompt wait for each other, since all but one of them would be made in vain."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def of(self, name: str) -> asyncio.Lock:
        return self._locks.setdefault(name, asyncio.Lock())


def _writing(entry: Entry, values: Mapping[str, Any], by: By) -> Any:
    return lambda desk: desk.edit(entry.item.id, values, by, version=entry.version)


def _bases(needs: Inspected) -> list[str]:
    return sorted({address.partition("@")[0] for address in needs.includes})


def _prompt(entry: Entry) -> Prompt:
    return prompt_of(entry.item).model_copy(
        update={
            "title": entry.title,
            "description": entry.description,
            "arguments": list(entry.arguments),
            "tags": list(entry.tags),
            "version": entry.version,
            "updated_at": entry.updated_at,
            "prompt_length": len(entry.body),
            "prompt_preview": " ".join(entry.body[:500].split()),
        }
    )


def _saved(item: Item, changed: Sequence[str] | None = None, remarks: Sequence[str] = ()) -> Saved:
    return Saved(
        name=item.name or "",
        id=item.id,
        version=item.version,
        updated_at=item.updated_at,
        changed=[_FIELDS.get(field, field) for field in changed] if changed else None,
        remarks=list(remarks),
    )


def _conflict(name: str, taken: Taken) -> Conflict:
    existing = dict(taken.existing or {})
    is_archived = existing.get("state") == "archived"
    advice = (
        "The archived prompt keeps its name: choose another, or ask a person to restore or rename it."
        if is_archived
        else "Use edit_prompt_template to change it, or choose another name."
    )
    which = "An archived prompt" if is_archived else "A prompt"
    return Conflict(f"{which} called {name} already exists.", advice=advice, details={"existing": existing})


def _failure(fault: TemplateFault, field: str) -> Failure:
    if fault.kind == "too large":
        return TooLarge(str(fault), field=field)
    details = {"line": fault.line} if fault.line else None
    return BadArguments([Problem(field, str(fault))], details=details)
