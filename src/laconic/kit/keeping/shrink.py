"""Shrinking structured content: fields or rows are left out, each by name and with a way to read it."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

from laconic.kit.answers.content import Block, Resource, Text
from laconic.kit.answers.envelope import Envelope, with_notes
from laconic.kit.answers.facts import Facts
from laconic.kit.pipeline import Answer
from laconic.text import Kind, kind_of

__all__ = ["Shrinker", "compact", "size_of", "words_of"]

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=str)
_NOTE = 180  # characters of a note about something left out, without its name
_NAMES = 0.25  # of the room, for the names of rows left out

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

    async def shrunk(self, facts: Facts) -> dict[str, Any]:
        """Return the content within its limit, without its longest fields or else without some rows."""
        if facts.failures and self._size(facts.only([])) > self._most // 2:
            self._notes.append(await self._about("failed", dict(facts.failures)))
            facts = replace(facts, failures={})
        names = facts.names()

        def one_each(fields: Sequence[str]) -> int:
            return sum(_NOTE + len(field) + len(name) for field in fields for name in names)

        fields = self._longest(facts, one_each)
        if self._size(facts.without(fields)) + one_each(fields) <= self._most:
            return self._written(facts.without(fields), await self._about_values(facts, fields))
        if len(names) > 1:
            return await self._without_rows(facts)
        fields = self._longest(facts, lambda fields: _NOTE + len(", ".join(fields)))
        left = {name: value for row in facts.rows for name, value in row.items() if name in fields}
        notes = [await self._about(", ".join(fields), left)] if left else []
        return self._written(facts.without(fields), notes)

    def _longest(self, facts: Facts, about: Callable[[Sequence[str]], int]) -> list[str]:
        """Return the longest fields, as many as must be left out; `about` is the length of their notes."""
        sizes = {name: 0 for row in facts.rows for name in row if name != facts.key}
        for row in facts.rows:
            for name in sizes:
                sizes[name] += len(compact(row.get(name)))
        left: list[str] = []
        for name in sorted(sizes, key=lambda name: -sizes[name]):
            if self._size(facts.without(left)) + about(left) <= self._most:
                break
            left.append(name)
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
        return f"Left out: {what} ({len(text):,} characters). {ways}"

    async def _without_rows(self, facts: Facts) -> dict[str, Any]:
        """Leave out the rows that do not fit; those that do keep their order."""
        base = self._size(facts.only([]))
        names, room = facts.names(), self._most - base - _NOTE - int(self._most * _NAMES)
        shown: list[int] = []
        for place in range(len(names)):
            size = self._size(facts.only([place])) - base + 1
            if size <= room:
                shown.append(place)
                room -= size
        left, rows = sorted({*range(len(names))} - {*shown}), facts.rows
        words = _listed([names[place] for place in left], int(self._most * _NAMES))
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
