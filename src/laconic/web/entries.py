"""Entries of the history, in the words of the API."""

from __future__ import annotations

from typing import Any, Final

from laconic.stores import ItemVersion

__all__ = ["entry_of", "snapshot_of"]

_FIELDS: Final = {"body": "content", "extra": "arguments", "links": "relationships"}


def entry_of(one: ItemVersion) -> dict[str, Any]:
    """Return an entry without its content."""
    return {
        "id": one.entry,
        "content_type": one.kind,
        "content_id": one.item,
        "action": one.action,
        "version": one.number,
        "labels": list(one.labels),
        "metadata_snapshot": snapshot_of(one),
        "changed_fields": sorted(_field(one.kind, name) for name in one.changed),
        "author": one.by.author,
        "source": one.by.source,
        "auth_type": one.by.details.get("auth_type"),
        "token_prefix": one.by.details.get("token_prefix"),
        "created_at": one.at,
    }


def snapshot_of(one: ItemVersion) -> dict[str, Any]:
    """Return what was known about an item then; of what changed no content, only what names it."""
    named = {"title": one.title} | ({_field(one.kind, "name"): one.name} if one.name else {})
    if one.number is None:
        return named
    known = {
        **named,
        "description": one.description,
        "tags": list(one.tags),
        "relationships": list(one.links),
    }
    return known | ({"arguments": one.extra.get("arguments", [])} if one.kind == "prompt" else {})


def _field(kind: str, name: str) -> str:
    return "url" if (kind, name) == ("bookmark", "name") else _FIELDS.get(name, name)
