"""Shrinking structured content: fields or rows are left out, each by name and with a way to read it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from laconic import text as texts
from laconic.data import dataclass
from laconic.kit.answers.content import Block, Resource, Text
from laconic.kit.answers.envelope import Envelope, with_notes
from laconic.kit.answers.facts import Facts
from laconic.kit.compact import compact
from laconic.kit.errors.notices import label
from laconic.kit.pipeline import Answer

if TYPE_CHECKING:
    from laconic.text import Kind

__all__ = ["Shrinker", "left_out", "size_of", "words_of"]

_NOTE = 180  # characters of a note about something left out, without its name
_ITEM = 60  # characters of each further thing in the same note, without its name
_MOST_NOTES = 4  # as many as kinds of text: a note has the ways to read one kind
_NAMES = 0.25  # of the room, for the names of rows or fields left out


class Keeper(Protocol):
    """Keeps texts, and says how to read them."""

    async def keep(self, text: str, kind: Kind) -> str:
        """Keep a text, and return its handle."""

    def ways(self, handle: str | None, kind: Kind) -> str:
        """Return how to read the text of a handle; without a handle: one of several just named."""


@dataclass(frozen=True)
class _Left:
    """Something left out and kept."""

    what: str
    size: int
    handle: str
    kind: Kind


def words_of(block: Block) -> str:
    """Return the text of a block; of an image, nothing."""
    if isinstance(block, Text):
        return block.text
    return block.content if isinstance(block, Resource) and isinstance(block.content, str) else ""


def size_of(answer: Answer) -> int:
    """Return how many characters an answer has, in the longer of its forms."""
    words = sum([len(words_of(block)) for block in answer.blocks])
    return words if answer.structured is None else max(words, len(compact(answer.structured)))


class Shrinker:
    """Leaves out of structured content what does not fit, and keeps it."""

    def __init__(self, envelope: Envelope, most: int, keeper: Keeper, notes: Sequence[str] = ()) -> None:
        self._envelope = envelope
        self._most = most
        self._keeper = keeper
        self._notes = list(notes)
        self._room_for_names = int(most * _NAMES)

    async def shrunk(self, facts: Facts) -> dict[str, Any]:
        """Return the content within its limit, without its longest fields or else without some rows."""
        if facts.failures and self._size(facts.only([])) > self._most // 2:
            self._notes.append(await self._about("failed", dict(facts.failures)))
            facts = replace(facts, failures={})
        if facts.page is None and not isinstance(facts.values, dict):
            note = await self._about("the result", facts.values)
            return self._written(replace(facts, values=None), [note])
        names, sizes = _labels(facts.names()), self._sizes(facts)
        total = self._size(facts)

        def one_each(count: int, length: int) -> int:
            values = count * len(names)
            words = min(values, _MOST_NOTES) * _NOTE + max(values - _MOST_NOTES, 0) * _ITEM
            return words + length * len(names) + count * sum(map(len, names))

        def shared(count: int, length: int) -> int:
            return _NOTE + min(length + 2 * count, self._room_for_names) if count else 0

        fields = self._longest(sizes, total, one_each)
        short = facts.without(fields)
        if self._size(short) + one_each(len(fields), sum(map(len, _labels(fields)))) <= self._most:
            return self._written(short, await self._about_values(facts, fields))
        if len(names) > 1:
            return await self._without_rows(facts)
        fields = self._longest(sizes, total, shared)
        left = {name: row[name] for row in facts.rows for name in fields}
        notes = [await self._about(_listed(_labels(fields), self._room_for_names), left)] if left else []
        return self._written(facts.without(fields), notes)

    def _sizes(self, facts: Facts) -> dict[str, int]:
        """Return how many characters each field takes; each is encoded once, however many there are."""
        always = [facts.key] if facts.key else []
        base = self._size(facts.only_fields(always))
        fields = {name: None for row in facts.rows for name in row if name != facts.key}
        return {name: self._size(facts.only_fields([*always, name])) - base for name in fields}

    def _longest(self, sizes: Mapping[str, int], total: int, about: Callable[[int, int], int]) -> list[str]:
        """Return the longest fields, as many as must be left out.

        `about` is the length of the notes about so many fields with names of this length in all.
        """
        left: list[str] = []
        length = 0
        for name in sorted(sizes, key=lambda name: -sizes[name]):
            if total + about(len(left), length) <= self._most:
                break
            left.append(name)
            length += len(label(name))
            total -= sizes[name]
        return left

    async def _about_values(self, facts: Facts, fields: Sequence[str]) -> list[str]:
        notes: list[str] = []
        left: list[_Left] = []
        room = _NOTE if len(fields) * len(facts.rows) <= _MOST_NOTES else _ITEM
        for name, row in zip(_labels(facts.names()), facts.rows, strict=True):
            of = f"{name}: " if len(facts.rows) > 1 else ""
            for field in fields:
                what = f"{of}{label(field)}"
                note = f"{what}: {compact(row[field])}"
                if len(compact(note)) < room + len(name) + len(label(field)):
                    notes += [note] if row[field] is not None else []
                else:
                    left.append(await self._kept(what, row[field]))
        return [*self._told(left), *notes]

    async def _about(self, what: str, value: Any) -> str:
        return self._told([await self._kept(what, value)])[0]

    async def _kept(self, what: str, value: Any) -> _Left:
        text = value if isinstance(value, str) else compact(value)
        kind = texts.kind_of(text) if isinstance(value, str) else "json"
        return _Left(what, len(text), await self._keeper.keep(text, kind), kind)

    def _told(self, left: Sequence[_Left]) -> list[str]:
        """Return a note for each kind of text, with the ways to read it once."""
        notes: list[str] = []
        for kind in dict.fromkeys(one.kind for one in left):
            same = [one for one in left if one.kind == kind]
            if len(same) == 1:
                (one,) = same
                notes.append(left_out(one.what, one.size, self._keeper.ways(one.handle, kind)))
            else:
                words = ", ".join(
                    f"{one.what} ({one.size:,} characters, handle='{one.handle}')" for one in same
                )
                notes.append(f"Left out: {words}. {self._keeper.ways(None, kind)}")
        return notes

    async def _without_rows(self, facts: Facts) -> dict[str, Any]:
        """Leave out the rows that do not fit; those that do keep their order."""
        base = self._size(facts.only([]))
        names, room = _labels(facts.names()), self._most - base - _NOTE - self._room_for_names
        shown: list[int] = []
        for place in range(len(names)):
            size = self._size(facts.only([place])) - base + 1
            if size <= room:
                shown.append(place)
                room -= size
        left, rows = sorted({*range(len(names))} - {*shown}), facts.rows
        words = _listed([names[place] for place in left], self._room_for_names)
        notes = [await self._about(words, [rows[place] for place in left])] if left else []
        return self._written(facts.only(shown), notes)

    def _size(self, facts: Facts) -> int:
        return len(compact(self._written(facts, ())))

    def _written(self, facts: Facts, notes: Sequence[str]) -> dict[str, Any]:
        return with_notes(facts.inside(self._envelope), [*self._notes, *notes])


def _labels(names: Sequence[str]) -> list[str]:
    """Return names as they are told among words of the kit: quoted unless they are simple."""
    return [label(name) for name in names]


def _listed(names: Sequence[str], room: int) -> str:
    """Return names with commas, the first of them if they are many."""
    shown: list[str] = []
    for name in names:
        room -= len(name) + 2
        if room < 0 and shown:
            break
        shown.append(name)
    more = len(names) - len(shown)
    return ", ".join(shown) + (f" and {more:,} more" if more else "")


def left_out(what: str, size: int, ways: str) -> str:
    """Return the note about a value that did not fit."""
    return f"Left out: {what} ({size:,} characters). {ways}"
