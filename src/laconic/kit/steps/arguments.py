"""Arguments are checked once; a cursor restores the query it was made for."""

from __future__ import annotations

from typing import Any

from laconic.kit.arguments.schema import Arguments, arguments_of
from laconic.kit.cursors import Cursors
from laconic.kit.errors import BadArguments, Problem
from laconic.kit.pipeline import Answer, Call, Inner, Step

_VIEW = ("cursor", "limit", "offset", "format")  # may differ from page to page


def arguments(cursors: Cursors) -> Step:
    """Check the arguments, and open the cursor if there is one."""

    async def step(call: Call, inner: Inner) -> Answer:
        spec = call.spec
        known = arguments_of(spec)
        call.arguments = known.gathered(call.arguments)  # first, because a cursor is bound to them
        if spec.signature.window is not None:
            await _open(call, cursors, known)
        call.checked = known.check(call.arguments)
        call.notes += call.checked.notes
        return await inner(call)

    return step


async def _open(call: Call, cursors: Cursors, known: Arguments) -> None:
    own = _filters(call, known)
    cursor = call.arguments.get("cursor")
    if cursor is None or cursor == "":
        call.arguments.pop("cursor", None)
        call.query = own
        return
    if not isinstance(cursor, str):
        raise BadArguments(
            [Problem("cursor", "Invalid cursor. Expected: the string from the previous page.", cursor)]
        )
    call.position, call.query = await cursors.open(call.scope, cursor, own)
    if call.arguments.get("offset") is not None:
        del call.arguments["offset"]
        call.notes.append("cursor and offset were both given; cursor was used.")
    call.arguments = {**call.query, **call.arguments}


def _filters(call: Call, known: Arguments) -> dict[str, Any]:
    """Return the arguments that a cursor is bound to: all but those about the form of a page."""
    return {
        name: value
        for name, value in call.arguments.items()
        if name not in _VIEW and name != call.spec.fields and value is not None and name in known.names
    }
