"""Arguments are checked once; a cursor restores the query it was made for."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from laconic.kit.answers.pages import Within
from laconic.kit.arguments.known import arguments_of
from laconic.kit.arguments.schema import Arguments
from laconic.kit.cursors import Cursors
from laconic.kit.declaring.signature import Unset
from laconic.kit.errors import BadArguments, Problem
from laconic.kit.pipeline import Answer, Call, Inner, Step


def arguments(cursors: Cursors, make: Callable[[Call], Awaitable[None]]) -> Step:
    """Check the arguments, open the cursor if there is one, and make what the toolset makes for each call."""

    def step(call: Call, inner: Inner) -> Awaitable[Answer]:
        signature, known = call.spec.signature, arguments_of(call.spec)
        call.arguments = known.gathered(call.arguments)  # first, because a cursor is bound to them
        if signature.window is not None or signature.each:
            return waiting(call, inner, known)
        _check(call, known)
        return inner(call)

    async def waiting(call: Call, inner: Inner, known: Arguments) -> Answer:
        if call.spec.signature.window is not None:
            await _open(call, cursors, known)
        _check(call, known)
        if call.spec.signature.each:
            await make(call)
        return await inner(call)

    return step


def _check(call: Call, known: Arguments) -> None:
    call.checked = known.check(call.arguments)
    call.notes += call.checked.notes


async def _open(call: Call, cursors: Cursors, known: Arguments) -> None:
    query, view = _parted(call, known)
    cursor = call.arguments.get("cursor")
    if cursor is None or cursor == "":
        call.arguments.pop("cursor", None)
        call.query, call.view = query, view
        return
    if not isinstance(cursor, str):
        raise BadArguments(
            [Problem("cursor", "Invalid cursor. Expected: the string from the previous page.", cursor)]
        )
    opened = await cursors.open(call.scope, cursor, query, view, known.secret)
    if isinstance(opened.place, Within):
        call.within, call.position = opened.place, opened.place.page
    else:
        call.position = opened.place
    if "offset" in known.extras and call.arguments.get("offset") is not None:
        del call.arguments["offset"]
        call.notes.append("cursor and offset were both given; cursor was used.")
    call.query, call.view = opened.query, _renewed(call, known, opened.view, view)
    given = {name: value for name, value in call.arguments.items() if value is not None}
    call.arguments = {**call.query, **call.view, **given}


def _parted(call: Call, known: Arguments) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the filters, to which a cursor is bound, and the view, which may differ from page to page."""
    added = known.extras.keys()  # a parameter of the same name that the tool declares is a filter
    views = added & {"limit", "format", "budget", call.spec.fields, call.spec.json}
    places = added & {"cursor", "offset"}
    query: dict[str, Any] = {}
    view: dict[str, Any] = {}
    for name, value in call.arguments.items():
        if value is None and not _means_null(call, name):
            continue
        if name in views:
            view[name] = value
        elif name in known.names and name not in places:
            query[name] = value
    return query, view


def _means_null(call: Call, name: str) -> bool:
    """True if null is a value of this parameter and not the same as leaving it out."""
    return any(one.wire == name and isinstance(one.default, Unset) for one in call.spec.signature.parameters)


def _renewed(call: Call, known: Arguments, before: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    """Return the view of the page before with what is given now; format and fields replace each other."""
    form = known.extras.keys() & {"format", call.spec.fields}
    kept = {name: value for name, value in before.items() if not (name in form and form & now.keys())}
    return {**kept, **now}
