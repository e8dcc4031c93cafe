"""An answer that is too long is kept whole; the caller gets its beginning, its outline and the ways on."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from laconic.kit.content import Block, Resource, Text
from laconic.kit.handles import Handles
from laconic.kit.pipeline import Answer, Call, Inner, Step
from laconic.text import estimate_tokens, kind_of, outline, slices

_ROOM = 500  # characters for the words about the rest


def budget(handles: Handles, limit: int, tool: str) -> Step:
    """Keep what goes beyond the budget aside, and drop what a write made untrue."""

    async def step(call: Call, inner: Inner) -> Answer:
        began = handles.now()
        subject = _subject(call)
        try:
            answer = await inner(call)
        finally:
            if call.spec.writes and subject:
                await handles.touch(subject)
        most = limit if call.spec.budget is None else call.spec.budget
        most = call.checked.budget or most if call.checked else most
        if most and answer.failure is None and _size(answer) > most:
            return await _Shortener(handles, call, most, tool, subject, began).shortened(answer)
        return answer

    return step


def _subject(call: Call) -> str | None:
    if call.spec.subject is None or call.checked is None:
        return None
    return f"{call.spec.toolset}:{call.spec.subject.format_map(_Blank(call.checked.wire))}"


class _Blank(dict[str, Any]):
    def __missing__(self, key: str) -> str:
        return ""


def _words(block: Block) -> str:
    if isinstance(block, Text):
        return block.text
    return block.content if isinstance(block, Resource) and isinstance(block.content, str) else ""


def _size(answer: Answer) -> int:
    words = sum(len(_words(block)) for block in answer.blocks)
    return max(words, len(_json(answer.structured))) if answer.structured is not None else words


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


class _Shortener:
    def __init__(
        self, handles: Handles, call: Call, most: int, tool: str, subject: str | None, began: float
    ) -> None:
        self._handles = handles
        self._call = call
        self._most = most
        self._tool = tool
        self._subject = subject
        self._began = began

    async def shortened(self, answer: Answer) -> Answer:
        """The same answer within the budget, all of it kept."""
        blocks = list(answer.blocks)
        note = ""
        while sum(len(_words(block)) for block in blocks) > self._most:
            sizes = [len(_words(block)) for block in blocks]
            largest = sizes.index(max(sizes))
            room = max(self._most - sum(sizes) + sizes[largest], self._most // 4)
            if sizes[largest] <= room or largest in [
                n for n, b in enumerate(blocks) if b is not answer.blocks[n]
            ]:
                break
            blocks[largest], note = await self._block(blocks[largest], room, answer.tail)
        structured = answer.structured
        if structured is not None and len(_json(structured)) > self._most:
            note = note or self._ways(await self._keep(_json(structured)), "json", 0)
            structured = _fitting(structured, self._most - len(note) - 50)
            structured = {**structured, "notes": [*structured.get("notes", ()), note]}
        return replace(answer, blocks=blocks, structured=structured)

    async def _keep(self, text: str) -> str:
        return await self._handles.keep(
            self._call.peer.caller.name,
            text,
            tool=self._call.spec.name,
            subject=self._subject,
            began=self._began,
        )

    async def _block(self, block: Block, room: int, tail: str) -> tuple[Block, str]:
        text = _words(block)
        body = text.removesuffix(tail).rstrip("\n") if tail else text
        handle = await self._keep(body)
        kind = kind_of(body)
        shape = outline(body)
        shape = shape if len(shape) < room // 3 else ""
        piece = slices.beginning(body, max(room - len(shape) - len(tail) - _ROOM, room // 4))
        note = self._ways(handle, kind, piece.end)
        minutes = self._handles.seconds / 60
        about = (
            f"[{piece.end:,} of {len(body):,} characters shown, about {estimate_tokens(body):,} tokens in all; "
            f"the whole is kept for {minutes:g} minutes.]"
        )
        parts = [
            piece.text.rstrip("\n"),
            "",
            about,
            *([shape] if shape else []),
            note,
            *([tail] if tail else []),
        ]
        said = "\n".join(parts)
        return (Text(said) if isinstance(block, Text) else replace(block, content=said)), note  # type: ignore[call-arg]

    def _ways(self, handle: str, kind: str, end: int) -> str:
        """How to read on, best way for this kind of text first."""
        ways = {"markdown": ["section='…'"], "json": ["items='1-20'"], "table": ["items='1-20'"]}.get(
            kind, []
        )
        ways += [f"characters='{end}-'", "lines='1-50'", "find='words'"]
        return f"Read on: {self._tool} with handle='{handle}' and {', '.join(ways[:-1])} or {ways[-1]}."


def _fitting(structured: dict[str, Any], room: int) -> dict[str, Any]:
    """Leave out whole items of the longest list, or else the largest fields, until it fits the room."""
    place, rows = _longest_list(structured)
    if rows:
        low, high = 0, len(rows)
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (
                (middle, high)
                if len(_json(_with(structured, place, rows[:middle]))) <= room
                else (low, middle - 1)
            )
        structured = _with(structured, place, rows[:low])
    while len(_json(structured)) > room:
        holder = structured.get("data") if isinstance(structured.get("data"), dict) else structured
        sizes = {name: len(_json(value)) for name, value in holder.items() if isinstance(value, str | dict)}
        if not sizes:
            break
        largest = max(sizes, key=lambda name: sizes[name])
        less = {name: value for name, value in holder.items() if name != largest}
        structured = less if holder is structured else {**structured, "data": less}
    return structured


def _longest_list(structured: dict[str, Any]) -> tuple[tuple[str, ...], list[Any]]:
    found: tuple[tuple[str, ...], list[Any]] = ((), [])
    for name, value in structured.items():
        inner = value.items() if isinstance(value, dict) else ()
        for path, one in [((name,), value), *(((name, key), under) for key, under in inner)]:
            if isinstance(one, list) and path[-1] != "columns" and len(_json(one)) > len(_json(found[1])):
                found = (path, one)
    return found


def _with(structured: dict[str, Any], place: tuple[str, ...], rows: list[Any]) -> dict[str, Any]:
    if len(place) == 1:
        return {**structured, place[0]: rows}
    return {**structured, place[0]: {**structured[place[0]], place[1]: rows}}
