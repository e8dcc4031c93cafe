"""Changes of notes and bookmarks: what an item may have, and what is said about what was saved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from laconic.kit import BadArguments, Conflict, Unset
from laconic.library.limits import refuse_long_words
from laconic.library.placing import AS_IT_IS, Placing
from laconic.library.tagging import tags_after
from laconic.servers.notes.bookmarks import one_form
from laconic.servers.notes.models import ContentEdit, ContentSaved
from laconic.servers.notes.store import BOOKMARK, NOTE
from laconic.stores import Item, ItemEdit, Taken
from laconic.text import Replaced, replace_each, unified_diff

__all__ = ["NoteChange", "edit_of", "refuse_long", "refuse_untitled", "replacement", "saved", "url_conflict"]

_WORDS: Final = {"body": "content", "name": "url", "links": "relationships"}  # what callers call the fields
_MOST: Final = {NOTE: 500_000, BOOKMARK: 512_000}  # characters of a content


@dataclass(frozen=True)
class NoteChange:
    """What to change about an item; what is UNSET stays, and None clears."""

    title: str | Unset | None = field(default_factory=Unset)
    description: str | Unset | None = field(default_factory=Unset)
    content: str | Unset | None = field(default_factory=Unset)
    url: str | Unset = field(default_factory=Unset)
    tags: Sequence[str] | None = None
    add_tags: Sequence[str] = ()
    remove_tags: Sequence[str] = ()
    placing: Placing = AS_IT_IS

    def values(self, now: Item) -> dict[str, Any]:
        """Return the new values of an item's fields.

        Raises:
            BadArguments: the item cannot have one of them.
        """
        if now.kind == NOTE:
            _refuse_for_note(self)
        given = {"title": self.title, "description": self.description}
        values: dict[str, Any] = {
            name: value or None for name, value in given.items() if not isinstance(value, Unset)
        }
        if not isinstance(self.content, Unset):
            values["body"] = self.content
        if not isinstance(self.url, Unset):
            values["name"] = one_form(self.url)
        refuse_long(now.kind, values.get("body"))
        refuse_long_words(self.title, self.description)
        return {**values, "tags": tags_after(now.tags, self.tags, self.add_tags, self.remove_tags)}


def url_conflict(taken: Taken) -> Conflict:
    """Say that another bookmark has the address."""
    existing = dict(taken.existing or {})
    is_archived = existing.get("state") == "archived"
    return Conflict(
        f"{'An archived' if is_archived else 'A'} bookmark has this url already.",
        field="url",
        advice=(
            "It keeps its url: change it by its id, or ask a person to restore it."
            if is_archived
            else "Change that one with update_item."
        ),
        details={
            "error_code": "ARCHIVED_URL_EXISTS" if is_archived else "ACTIVE_URL_EXISTS",
            "existing": existing,
        },
    )


def replacement(now: Item, edits: Sequence[tuple[str, str]]) -> Replaced:
    """Return an item's content with texts replaced in it.

    Raises:
        BadArguments: it has none, or would be too long.
        NotReplaced: a text occurs nowhere or more than once.
    """
    if now.body is None:
        raise BadArguments(
            "This item has no content yet.", field="old_str", advice="Set it with update_item."
        )
    replaced = replace_each(now.body, edits)
    refuse_long(now.kind, replaced.text)
    return replaced


def edit_of(done: ItemEdit, before: str, replaced: Replaced, *, is_kept: bool = True) -> ContentEdit:
    """Return what an edit changed, or would change if it is not kept."""
    remarks = [] if done.changed else ["Nothing changed."]
    return ContentEdit(
        id=done.item.id,
        version=done.item.version,
        updated_at=done.item.updated_at,
        match_type=replaced.replacements[0].match,
        line=replaced.replacements[0].line,
        diff=unified_diff(before, replaced.text).text,
        remarks=remarks if is_kept else ["Nothing was saved: this is a dry run."],
    )


def saved(item: Item, changed: Sequence[str] | None = None, remarks: Sequence[str] = ()) -> ContentSaved:
    """Return what was saved, in the words of callers."""
    return ContentSaved(
        id=item.id,
        version=item.version,
        updated_at=item.updated_at,
        changed=[_WORDS.get(name, name) for name in changed] if changed else None,
        remarks=list(remarks),
    )


def _refuse_for_note(change: NoteChange) -> None:
    if not isinstance(change.url, Unset):
        raise BadArguments("Invalid url. A note has none.", field="url")
    if not isinstance(change.title, Unset):
        refuse_untitled(change.title)


def refuse_untitled(title: str | None) -> None:
    """Refuse a note without a title.

    Raises:
        BadArguments: it has none.
    """
    if not (title or "").strip():
        raise BadArguments("Invalid title. Expected: a note has one that is not blank.", field="title")


def refuse_long(kind: str, content: str | None) -> None:
    """Refuse a content that is too long for its kind of item.

    Raises:
        BadArguments: it is.
    """
    if content is not None and len(content) > _MOST[kind]:
        raise BadArguments(
            f"Invalid content. Expected: at most {_MOST[kind]:,} characters, not {len(content):,}.",
            field="content",
        )
