"""The same tools declared with the kit: `laconic serve benchmarks.served:tools_20`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from benchmarks.functions import Function, Ticket, echo, ticket_create, tickets, typical
from laconic.kit import Page, Record, Toolset, Window

__all__ = ["long_toolset", "small", "toolset_of"]

small = Toolset("small", "What the calls that are timed go to.")
small.read(echo)
small.read(typical(2)["account_search"])
small.create(ticket_create)


_ROWS = 20


class TicketRow(
    Ticket,
    Record,
    noun="ticket",
    formats={
        "minimal": ("title", "status"),
        "summary": ("title", "status", "priority", "labels", "owner", "due"),
    },
):
    """A ticket in a list."""


_ALL = [TicketRow(**ticket.model_dump()) for ticket in tickets(_ROWS)]


@small.read
async def tickets_list(
    window: Window = Window(size=_ROWS), owner: Annotated[str | None, "Keep only this person's."] = None
) -> Page[TicketRow]:
    """List tickets."""
    return window.cut([row for row in _ALL if owner in (None, row.owner)], key=lambda row: (row.id,))


def toolset_of(count: int) -> Toolset:
    """Return a toolset of that many typical tools."""
    toolset = Toolset(f"typical_{count}", "Typical tools.")
    for name, function in typical(count).items():
        _verb(toolset, name)(function)
    return toolset


def _verb(toolset: Toolset, name: str) -> Callable[[Function], Function]:
    match name.rpartition("_")[2]:
        case "create":
            return toolset.create
        case "update":
            return toolset.update
        case "delete":
            return toolset.delete
        case _:
            return toolset.read


def long_toolset() -> Toolset:
    """Return a toolset whose answers are far too long."""
    from benchmarks.long_texts import long_get  # here: the texts take time to build

    toolset = Toolset("long", "Answers that are far too long.")
    toolset.read(long_get)
    return toolset


def __getattr__(name: str) -> Toolset:
    """Declare `tools_250` or `long` on first use."""
    if name == "long":
        return long_toolset()
    kind, _, count = name.partition("_")
    if kind != "tools" or not count.isdigit():
        raise AttributeError(name)
    return toolset_of(int(count))
