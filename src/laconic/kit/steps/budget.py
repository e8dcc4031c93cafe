"""An answer that is too long is kept whole; the caller gets its beginning, its outline and how to read on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from laconic import text as texts  # what only long answers need is imported when it is used
from laconic.kit.answers.content import Block, Resource, Text
from laconic.kit.answers.envelope import NOTES, TABLE, Envelope
from laconic.kit.answers.facts import Facts
from laconic.kit.compact import compact
from laconic.kit.declaring.spec import ResourceSpec, Spec
from laconic.kit.effects import recorded
from laconic.kit.keeping.bodies import BodyCut, cuts_of
from laconic.kit.keeping.handles import Handles, shown_of, way_to_read
from laconic.kit.keeping.hosts import host_part
from laconic.kit.keeping.shrink import Shrinker, size_of, words_of
from laconic.kit.pipeline import Answer, Call, Inner, Step
from laconic.stores.errors import StoreError
from laconic.text import tagged

if TYPE_CHECKING:
    from laconic.text import Kind, Slice

_ABOUT = 500  # characters for the text about the rest
_NOT_TOUCHED = "Texts kept before this call may be out of date."
_NOT_SHORTENED = "This answer is longer than usual: its rest could not be kept aside."
_SHARE = 5  # next to an outline, the beginning takes a fifth of the budget


def budget(
    handles: Handles, sizes: tuple[int, int], tool: str, envelope_of: Callable[[Spec], Envelope]
) -> Step:
    """Keep answers that exceed the budget, and drop those that a write made out of date.

    `sizes` are the budget, in characters, and the most bytes of a resource that a host gets.
    """
    limit, most = sizes

    async def step(call: Call, inner: Inner) -> Answer:
        call.budget = _budget(call, limit)
        began = handles.now()
        subject = _subject(call)
        try:
            answer = await inner(call)
        finally:
            if call.spec.writes and subject:
                await recorded(call, handles.touch(subject), _NOT_TOUCHED)
        if answer.failure is None and isinstance(call.spec, ResourceSpec) and call.reader == "host":
            return await host_part(handles, call, answer, most, subject, began) if limit else answer
        if not call.budget or answer.failure is not None or size_of(answer) <= call.budget:
            return answer
        try:
            shortener = _Shortener(handles, call, tool, subject, began)
            return await shortener.shortened(answer, envelope_of(call.spec))
        except StoreError:
            if not call.spec.writes:
                raise
            call.notes.append(_NOT_SHORTENED)
            return answer

    return step


def _budget(call: Call, limit: int) -> int:
    """Return the caller's budget, else the tool's, else the server's; 0 always means no limit."""
    if not limit:  # nothing can be kept: there is no tool that reads it
        return 0
    if call.checked is not None and call.checked.budget:  # a caller cannot ask for 0
        return call.checked.budget
    if isinstance(call.spec, ResourceSpec):
        return limit if call.reader == "tool" else 0
    return limit if call.spec.budget is None else call.spec.budget


def _subject(call: Call) -> str | None:
    if call.spec.subject is None or call.checked is None:
        return None
    return f"{call.spec.service}:{call.spec.subject.format(**call.spec.defaults | call.checked.wire)}"


def read_on(tool: str, handle: str | None, *ways: str) -> str:
    """Return the line that says how to read the rest."""
    way = way_to_read(tool, handle, *ways, "find='words'")
    return f"Read on: {way}."


class _Shortener:
    def __init__(self, handles: Handles, call: Call, tool: str, subject: str | None, began: float) -> None:
        self._handles = handles
        self._call = call
        self._most = call.budget
        self._tool = tool
        self._subject = subject
        self._began = began

    async def shortened(self, answer: Answer, envelope: Envelope) -> Answer:
        """Return the answer within the budget, and keep all of it."""
        blocks = list(answer.blocks)
        order = sorted(range(len(blocks)), key=lambda index: -len(words_of(blocks[index])))
        for index in order:  # the longest first, until the rest fits
            over = sum(len(words_of(block)) for block in blocks) - self._most
            if over <= 0:
                break
            room = max(len(words_of(blocks[index])) - over, self._most // 4)
            blocks[index] = await self._block(blocks[index], room, answer.tail)
        structured = answer.structured
        if structured is not None and len(compact(structured)) > self._most:
            structured = await self._shrunk(structured, answer.facts, envelope)
        return replace(answer, blocks=blocks, structured=structured)

    async def _shrunk(
        self, structured: dict[str, Any], facts: Facts | None, envelope: Envelope
    ) -> dict[str, Any]:
        if facts is None:  # the tool made its own data
            own = {name: value for name, value in structured.items() if name != NOTES}
            facts, envelope = Facts(own), TABLE
        shrinker = Shrinker(envelope, self._most, self, structured.get(NOTES, ()))
        return await shrinker.shrunk(facts)

    async def keep(self, text: str, kind: Kind) -> str:
        """Keep a text, and return its handle."""
        caller, tool = self._call.peer.caller.name, self._call.spec.name
        return await self._handles.keep(
            caller, text, tool=tool, subject=self._subject, began=self._began, kind=kind
        )

    async def _block(self, block: Block, room: int, tail: str) -> Block:
        text = words_of(block)
        tail = tail if text.endswith(tail) else ""
        body = text.removesuffix(tail).rstrip("\n") if tail else text
        if len(text) <= room:
            return block
        if isinstance(block, Text) and (cuts := cuts_of(block, room - len(tail), self._most // 4)):
            return Text(await self._with_cuts(block.text, cuts))
        kind = texts.kind_of(body)
        text = self._shortened(body, kind, await self.keep(body, kind), room, tail)
        return Text(text) if isinstance(block, Text) else Resource(_uri(block), text, "text/plain")

    async def _with_cuts(self, text: str, cuts: Sequence[BodyCut]) -> str:
        """Return a text with some of its bodies shortened, each kept by itself."""
        for cut in reversed(cuts):  # so that the spans of those before it still fit
            kind = texts.kind_of(cut.body)
            short = self._shortened(cut.body, kind, await self.keep(cut.body, kind), cut.room, "", cut.name)
            text = text[: cut.start] + short + text[cut.end :]
        return text

    def _shortened(self, body: str, kind: Kind, handle: str, room: int, tail: str, name: str = "") -> str:
        scan = texts.Scan(body)
        shape = texts.outline(body, kind, scan)
        shape = tagged("outline", shape) if 0 < len(shape) < room // 3 else ""  # its headings are not ours
        room = min(room, max(self._most // _SHARE, len(shape) * 2)) if shape and kind != "text" else room
        piece = texts.beginning(body, max(room - len(shape) - len(tail) - _ABOUT, room // 4), kind, scan)
        about = shown_of(piece.end, body, self._handles.seconds, name)
        parts = [tagged("beginning", piece.text), about, shape, self.ways(handle, kind, piece), tail]
        return "\n".join(part for part in parts if part)

    def ways(self, handle: str | None, kind: Kind, shown: Slice | None = None) -> str:
        """Return how to read on, the best way for this kind first; without a handle: one of several."""
        ways = ["section='…'"] if kind == "markdown" else []
        if kind in ("json", "table"):
            first = shown.last + 1 if shown and shown.unit == "items" else 1
            ways = [f"items='{first}-{first + 49}'"]
        ways += [f"characters='{shown.end if shown else 0}-'", "lines='1-50'"]
        return read_on(self._tool, handle, *ways)


def _uri(block: Block) -> str:
    return block.uri if isinstance(block, Resource) else ""
