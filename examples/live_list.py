"""A cursor over a list that changes while it is read.

A position is the last item's key, not a number of items to skip: items added or removed between two pages do
not make others appear twice or not at all. The cursor knows its filters, so it is passed alone.

    laconic call --server examples.live_list:toolset ticket_list status=open limit=5
    laconic serve examples.live_list:toolset
"""

from collections.abc import AsyncIterator, Mapping
from typing import Annotated, Any, Literal

from laconic.kit import NotFound, Page, Record, Toolset, Window

Status = Literal["open", "waiting"]


class Ticket(Record, formats={"minimal": ("topic",), "full": ("topic", "status")}):
    id: int
    topic: str
    status: Status = "open"


class Desk:
    """Tickets that come and go."""

    def __init__(self) -> None:
        self.tickets: dict[int, Ticket] = {}
        self.last = 0
        for number in range(1, 41):
            self.add(f"Question {number}", "waiting" if number % 4 == 0 else "open")

    def add(self, topic: str, status: Status = "open") -> Ticket:
        """Add a ticket; a number is never used twice."""
        self.last += 1
        self.tickets[self.last] = Ticket(id=self.last, topic=topic, status=status)
        return self.tickets[self.last]


toolset = Toolset("live_list", "Tickets of a help desk, which come and go.", provides=(Desk,))


@toolset.factory
async def open_desk(section: Mapping[str, Any]) -> AsyncIterator[Desk]:
    """Open the desk."""
    yield Desk()


@toolset.read
async def ticket_list(
    desk: Desk,
    window: Window = Window(size=10, most=100),
    status: Annotated[Status | None, "Keep only these."] = None,
) -> Page[Ticket]:
    """List tickets, newest first."""
    found = [ticket for ticket in desk.tickets.values() if status in (None, ticket.status)]
    return window.cut(found, key=lambda ticket: (ticket.id,), reverse=True)


@toolset.create(hint="ticket_list")
async def ticket_open(desk: Desk, topic: Annotated[str, "One line."]) -> Ticket:
    """Open a ticket."""
    return desk.add(topic)


@toolset.delete(hint="ticket_list")
async def ticket_close(desk: Desk, id: Annotated[int, "The ticket's number."]) -> str:
    """Close a ticket for good."""
    if desk.tickets.pop(id, None) is None:
        raise NotFound("Ticket", id)
    return f"Closed {id}."
