"""Changing: new values for a prompt, and the work of one change within its transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from laconic.kit import UNSET, Unset
from laconic.library.placing import AS_IT_IS, Placing
from laconic.library.tagging import tags_after
from laconic.servers.prompts.models import Argument
from laconic.servers.prompts.service.templates import CheckedTemplate
from laconic.servers.prompts.store import Entry, includers, refuse_circle
from laconic.stores import By, Item, ItemEdit

if TYPE_CHECKING:
    from laconic.stores.shelf.desk import Desk

__all__ = ["Changing", "PromptChanges"]


@dataclass(frozen=True)
class PromptChanges:
    """New values for a prompt; what is unset stays, and None clears a title or a description."""

    name: str | None = None
    title: str | Unset | None = UNSET
    description: str | Unset | None = UNSET
    content: str | None = None
    arguments: Sequence[Argument] | None = None
    tags: Sequence[str] | None = None
    add_tags: Sequence[str] = ()
    remove_tags: Sequence[str] = ()
    placing: Placing = AS_IT_IS

    @property
    def has_template(self) -> bool:
        """True if the template and its arguments have to be checked."""
        return self.content is not None or self.arguments is not None

    def values(self, now: Item) -> dict[str, Any]:
        """Return the fields of the item, but for its template."""
        texts = {"title": self.title, "description": self.description}
        found: dict[str, Any] = {
            field: value or None for field, value in texts.items() if not isinstance(value, Unset)
        }
        if self.name is not None:
            found["name"] = self.name
        return {**found, "tags": tags_after(now.tags, self.tags, self.add_tags, self.remove_tags)}


class Changing:
    """The work of one change within its transaction."""

    def __init__(self, entry: Entry, wanted: PromptChanges, made: CheckedTemplate | None, by: By) -> None:
        self._entry, self._wanted, self._made, self._by = entry, wanted, made, by
        self._is_renamed = wanted.name not in (None, entry.name)
        self.words = "Included under its old name by" if self._is_renamed else "Included by"

    def __call__(self, desk: Desk) -> tuple[ItemEdit, list[Item]]:
        """Write it, and return what changed and which prompts include this one, if they should know."""
        id = self._entry.item.id
        if self._is_renamed or self._made:  # another edit may have closed one by now
            name = self._wanted.name or self._entry.name
            refuse_circle(desk, name, (self._made or self._entry).includes)
        is_included = self._is_renamed or self._made is not None
        users = includers(desk, self._entry.name) if is_included else []
        self._wanted.placing.hold(desk, id)
        done = desk.edit(id, self._values, self._by, version=self._entry.version)
        changed = (*done.changed, *self._wanted.placing.apply(desk, self._entry.item, self._by))
        return ItemEdit(desk.get(id), changed, done.is_reordered), users

    def _values(self, now: Item) -> Mapping[str, Any]:
        return {**(self._made.values() if self._made else {}), **self._wanted.values(now)}
