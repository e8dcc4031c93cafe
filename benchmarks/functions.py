"""The typical tools that both the kit and the bare SDK serve: plain functions, no kit, no SDK."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from datetime import date
from typing import Annotated, Literal

from pydantic import BaseModel, Field

__all__ = ["Function", "Ticket", "echo", "ticket_create", "tickets", "typical"]

Function = Callable[..., Awaitable[object]]
Status = Literal["open", "in_progress", "done", "cancelled"]
Priority = Literal["low", "medium", "high"]

_NOUNS = re.findall(
    r"\w+",
    """account album article asset booking branch budget build calendar campaign card channel chart comment
    contact contract course customer deal device document event expense folder form goal group invoice issue
    job label lead lesson message meeting milestone note offer order page payment person plan product project
    quote report room task ticket""",
)


def typical(count: int) -> dict[str, Function]:
    """Return that many tools of six parameters each, by wire name: five verbs per noun."""
    makers = (_search, _get, _create, _update, _delete)
    made: dict[str, Function] = {}
    for number in range(count):
        noun = _NOUNS[number // len(makers)]
        verb, function = makers[number % len(makers)](noun)
        function.__name__ = f"{noun}_{verb}"
        made[function.__name__] = function
    return made


def _search(noun: str) -> tuple[str, Function]:
    async def run(
        query: Annotated[str, "Words to find in title and text."],
        status: Annotated[list[Status] | None, "Keep only these."] = None,
        owner: Annotated[str | None, "Keep only this person's."] = None,
        changed_after: Annotated[date | None, "Keep what changed since that day."] = None,
        limit: Annotated[int, Field(ge=1, le=100)] = 25,
        archived: Annotated[bool, "Look among the archived ones, too."] = False,
    ) -> str:
        return f"{limit} {noun}s with {query}"

    run.__doc__ = f"Find {noun}s by words, newest change first. Read one in full with {noun}_get."
    return "search", run


def _get(noun: str) -> tuple[str, Function]:
    async def run(
        id: Annotated[str, "Such as A-12."],
        revision: Annotated[int | None, Field(ge=1), "An older state of it."] = None,
        comments: Annotated[bool, "With what people said about it."] = False,
        links: Annotated[bool, "With what it points to."] = False,
        history: Annotated[int, Field(ge=0, le=100), "How many changes to show."] = 0,
        language: Annotated[str | None, "Such as en."] = None,
    ) -> str:
        return f"{noun} {id} {revision} {comments} {links} {history} {language}"

    run.__doc__ = f"Read one {noun} in full, with its comments, links and changes where asked for."
    return "get", run


def _create(noun: str) -> tuple[str, Function]:
    async def run(
        title: Annotated[str, Field(min_length=1, max_length=200), "One line."],
        text: Annotated[str, "Markdown."] = "",
        priority: Priority = "medium",
        labels: Annotated[list[str] | None, "Words to find it by."] = None,
        due: Annotated[date | None, "The day it must be done."] = None,
        owner: Annotated[str | None, "Who takes care of it."] = None,
    ) -> str:
        return f"added {noun} {title}"

    run.__doc__ = f"Add a {noun}; gives its id."
    return "create", run


def _update(noun: str) -> tuple[str, Function]:
    async def run(
        id: Annotated[str, "Such as A-12."],
        title: Annotated[str | None, "New title."] = None,
        text: Annotated[str | None, "New text, whole."] = None,
        status: Status | None = None,
        priority: Priority | None = None,
        owner: Annotated[str | None, "Who takes care of it."] = None,
    ) -> str:
        return f"changed {noun} {id}"

    run.__doc__ = f"Change a {noun}; what is left out stays."
    return "update", run


def _delete(noun: str) -> tuple[str, Function]:
    async def run(
        id: Annotated[str, "Such as A-12."],
        reason: Annotated[str | None, "Kept in the log."] = None,
        archive: Annotated[bool, "Keep a copy in the archive."] = True,
        cascade: Annotated[bool, "With everything under it."] = False,
        notify: Annotated[list[str] | None, "People to tell."] = None,
        after: Annotated[date | None, "Not before that day."] = None,
    ) -> str:
        return f"deleted {noun} {id}"

    run.__doc__ = f"Delete a {noun} for good, or into the archive."
    return "delete", run


class Ticket(BaseModel):
    """What the timed calls take and return."""

    id: str
    title: str
    status: Status
    priority: Priority
    labels: list[str]
    owner: str | None
    due: date | None
    estimate: int
    watched: bool
    notes: str


async def echo(text: Annotated[str, "What to say."]) -> str:
    """Say it again."""
    return text


async def ticket_create(
    id: Annotated[str, "Such as A-12."],
    title: Annotated[str, Field(min_length=1, max_length=200), "One line."],
    status: Status = "open",
    priority: Priority = "medium",
    labels: Annotated[list[str] | None, "Words to find it by."] = None,
    owner: Annotated[str | None, "Who takes care of it."] = None,
    due: Annotated[date | None, "The day it must be done."] = None,
    estimate: Annotated[int, Field(ge=0, le=1000), "Hours."] = 0,
    watched: bool = False,
    notes: Annotated[str, "Markdown."] = "",
) -> Ticket:
    """Add a ticket."""
    return Ticket(
        id=id,
        title=title,
        status=status,
        priority=priority,
        labels=labels or [],
        owner=owner,
        due=due,
        estimate=estimate,
        watched=watched,
        notes=notes,
    )


def tickets(count: int) -> list[Ticket]:
    """Return the rows of a list, always the same ones."""
    statuses: tuple[Status, ...] = ("open", "in_progress", "done", "cancelled")
    priorities: tuple[Priority, ...] = ("low", "medium", "high")
    return [
        Ticket(
            id=f"A-{number}",
            title=f"The pump of hall {number} loses pressure overnight",
            status=statuses[number % 4],
            priority=priorities[number % 3],
            labels=["pump", "hall"] if number % 2 else ["pump"],
            owner="ann" if number % 3 else None,
            due=date(2026, 5, 1 + number % 28),
            estimate=number % 40,
            watched=number % 5 == 0,
            notes=f"Measured twice. Hall {number} has the old valve.",
        )
        for number in range(1, count + 1)
    ]
