"""Shrinking structured content: fields or rows are left out, each by name and with a way to read it."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from laconic.kit.answers.content import Block, Resource, Text
from laconic.kit.answers.envelope import Envelope, with_notes
from laconic.kit.answers.facts import Facts
from laconic.kit.pipeline import Answer
from laconic.text import Kind, kind_of

__all__ = ["Shrinker", "compact", "left_out", "size_of", "words_of"]

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=str)
_NOTE = 180  # characters of a note about something left out, without its name
_NAMES = 0.25  # of the room, for the names of rows or fields left out

Keep = Callable[[str, Kind], Awaitable[str]]
"""Keeps a text, and returns how to read it."""


def compact(value: Any) -> str:
    """Return a value as compact JSON."""
    return _ENCODER.encode(value)


def words_of(block: Block) -> str:
    """Return the text of a block; of an image, nothing."""
    if isinstance(block, Text):
        return block.text
    return block.content if isinstance(block, Resource) and isinstance(block.content, str) else ""


def size_of(answer: Answer) -> int:
    """Return how many characters an answer has, in the longer of its forms."""
    words = sum(len(words_of(block)) for block in answer.blocks)
    return words if answer.structured is None else max(words, len(compact(answer.structured)))


class Shrinker:
    """Leaves out of structured content what does not fit, and keeps it."""

    def __init__(self, envelope: Envelope, most: int, keep: Keep, notes: Sequence[str] = ()) -> None:
        self._envelope = envelope
        self._most = most
        self._keep = keep
        self._notes = list(notes)
        self._room_for_names = int(most * _NAMES)

    async def shrunk(self, facts: Facts) -> dict[str, Any]:
        """Return the content within its limit, without its longest fields or else without some rows."""
        if facts.failures and self._size(facts.only([])) > self._most // 2:
            self._notes.append(await self._about("failed", dict(facts.failures)))
            facts = replace(facts, failures={})
        names, sizes = facts.names(), self._sizes(facts)
        total = self._size(facts)

        def one_each(count: int, length: int) -> int:
            return (count * _NOTE + length) * len(names) + count * sum(map(len, names))

        def shared(count: int, length: int) -> int:
            return _NOTE + min(length + 2 * count, self._room_for_names) if count else 0

        fields = self._longest(sizes, total, one_each)
        short = facts.without(fields)
        if self._size(short) + one_each(len(fields), sum(map(len, fields))) <= self._most:
            return self._written(short, await self._about_values(facts, fields))
        if len(names) > 1:
            return await self._without_rows(facts)
        fields = self._longest(sizes, total, shared)
        left = {name: row[name] for row in facts.rows for name in fields}
        notes = [await self._about(_listed(fields, self._room_for_names), left)] if left else []
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
            length += len(name)
            total -= sizes[name]
        return left

    async def _about_values(self, facts: Facts, fields: Sequence[str]) -> list[str]:
        notes: list[str] = []
        for name, row in zip(facts.names(), facts.rows, strict=True):
            of = f"{name}: " if len(facts.rows) > 1 else ""
            for field in fields:
                short = compact(row[field])
                if len(short) <= _NOTE:
                    notes += [f"{of}{field}: {short}"] if row[field] is not None else []
                else:
                    notes.append(await self._about(f"{of}{field}", row[field]))
        return notes

    async def _about(self, what: str, value: Any) -> str:
        text = value if isinstance(value, str) else compact(value)
        ways = await self._keep(text, kind_of(text) if isinstance(value, str) else "json")
        return left_out(what, len(text), ways)

    async def _without_rows(self, facts: Facts) -> dict[str, Any]:
        """Leave out the rows that do not fit; those that do keep their order."""
        base = self._size(facts.only([]))
        names, room = facts.names(), self._most - base - _NOTE - self._room_for_names
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
