"""Resources for hosts: a text that is too long for one answer is its beginning, and how to read on."""

from __future__ import annotations

from dataclasses import replace

from laconic import text as texts
from laconic.kit.answers.content import Resource, Verbatim
from laconic.kit.declaring.spec import ResourceSpec
from laconic.kit.keeping.handles import SCHEME, TOOL, Handles, shown_of, way_to_read
from laconic.kit.pipeline import Answer, Call
from laconic.text.halves import without_halves

__all__ = ["host_part"]


async def host_part(
    handles: Handles, call: Call, answer: Answer, most: int, subject: str | None, began: float
) -> Answer:
    """Return a resource as it is if it has at most so many bytes, or is no text; else its beginning.

    All of it is kept, about a subject as it was when the call began. The words about the rest are a content
    of their own: texts stay as they are.
    """
    value = answer.value if isinstance(answer.value, Verbatim) else Verbatim(str(answer.value))
    if not isinstance(answer.value, str | Verbatim) or not most or _bytes(value.text) <= most:
        return answer
    assert isinstance(call.spec, ResourceSpec)
    kind = texts.kind_of(value.text)
    room = most
    while True:
        piece = texts.beginning(value.text, room, kind)
        if _bytes(piece.text) <= most:
            break
        room //= 2  # letters of several bytes
    caller, name = call.peer.caller.name, call.spec.name
    handle = await handles.keep(caller, value.text, tool=name, subject=subject, began=began, kind=kind)
    address = f"{SCHEME}://{handle}/characters/{piece.end}-"
    way = way_to_read(TOOL, handle, "section='…'", f"characters='{piece.end}-'", "find='words'")
    about = shown_of(piece.end, value.text, handles.seconds)
    words = "\n".join(filter(None, [about, f"Read on: {address}, or {way}.", value.remark]))
    parts = [Resource(call.name, piece.text, call.spec.mime), Resource(call.name, words)]
    return replace(answer, value=parts)


def _bytes(text: str) -> int:
    return len(without_halves(text).encode())
