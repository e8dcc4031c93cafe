"""Records: prompts and what was saved of them, made from items of the shelf."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from laconic.servers.prompts.models import Argument, Prompt, Saved
from laconic.servers.prompts.store import Entry, arguments_of
from laconic.stores import Item, ItemEdit, preview_of

__all__ = ["field_names", "included_by", "lacking", "listed", "prompt_of", "saved", "unchanged"]

_FIELDS: Final = {"body": "content", "extra": "arguments"}  # of the shelf, by the names that callers use
_SHOWN: Final = 5


def listed(item: Item) -> Prompt:
    """Return an item of a list, without its template."""
    return Prompt(
        id=item.id,
        name=item.name or "",
        title=item.title,
        description=item.description,
        arguments=list(arguments_of(item.extra)),
        tags=list(item.tags),
        version=item.version,
        state=item.state,
        created_at=item.created_at,
        updated_at=item.updated_at,
        last_used_at=item.last_used_at,
        uses=item.uses,
        archived_at=item.archived_at,
        deleted_at=item.deleted_at,
        prompt_length=item.length,
        prompt_preview=item.preview,
    )


def prompt_of(entry: Entry) -> Prompt:
    """Return a prompt in one of its versions, without its template."""
    return listed(entry.item).model_copy(
        update={
            "title": entry.title,
            "description": entry.description,
            "arguments": list(entry.arguments),
            "tags": list(entry.tags),
            "version": entry.version,
            "updated_at": entry.updated_at,
            "prompt_length": len(entry.body),
            "prompt_preview": preview_of(entry.body),
        }
    )


def saved(item: Item, changed: Sequence[str] | None = None, remarks: Sequence[str] = ()) -> Saved:
    """Return what was saved."""
    return Saved(
        name=item.name or "",
        id=item.id,
        version=item.version,
        updated_at=item.updated_at,
        changed=field_names(changed) if changed else None,
        remarks=list(remarks),
    )


def unchanged(done: ItemEdit) -> list[str]:
    """Return a remark for an edit that made no version."""
    if done.changed:
        return []
    if done.is_reordered:
        return ["Only the order of the arguments changed, which is no new version."]
    return ["No changes."]


def field_names(changed: Sequence[str]) -> list[str]:
    """Return changed fields by the names that callers use."""
    return sorted(_FIELDS.get(field, field) for field in changed)


def included_by(users: Sequence[Item], words: str = "Included by") -> list[str]:
    """Return a remark that names the prompts which include another one; none if there are none."""
    return [f"{words} {_names(users)}."] if users else []


def lacking(users: Sequence[Item], before: Sequence[Argument], after: Sequence[Argument]) -> list[str]:
    """Return a remark that names the prompts which include another one and lack its new arguments."""
    new = {argument.name for argument in after} - {argument.name for argument in before}
    without = [item for item in users if new - {one.name for one in arguments_of(item.extra)}]
    if not without:
        return []
    return [
        f"There is no argument {', '.join(sorted(new))} yet in {_names(without)}: any edit there adds it."
    ]


def _names(items: Sequence[Item]) -> str:
    more = f" and {len(items) - _SHOWN} more" if len(items) > _SHOWN else ""
    return f"{', '.join(item.name or '' for item in items[:_SHOWN])}{more}"
