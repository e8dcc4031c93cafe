"""Cells: each field of an issue as a terminal shows it, and as piped output has it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from laconic.cli import screen

if TYPE_CHECKING:
    from datetime import datetime

    from rich.text import Text

    from laconic.servers.issues.models import Issue

__all__ = ["CELLS", "Cell", "as_data", "facts", "heading"]

_STATUS: Final[Mapping[str, str]] = {
    "open": "green",
    "in_progress": "yellow",
    "closed": "dim",
    "cancelled": "dim",
}
_PRIORITY: Final[Mapping[str, str]] = {"critical": "bold red", "high": "red", "low": "dim"}
_WARNING: Final = "!"


@dataclass(frozen=True)
class Cell:
    """One column."""

    shown: Callable[[Issue], str]
    style: Callable[[Issue], str] = lambda issue: ""
    plain: Callable[[Issue], str] | None = None  # in piped output, if it differs
    min_width: int = 0  # of a terminal that shows the column

    def text(self, issue: Issue) -> Text:
        """Return the cell for a terminal."""
        from rich.text import Text

        return Text(screen.line(self.shown(issue)), style=self.style(issue))

    def word(self, issue: Issue) -> str:
        """Return the cell for piped output: no tab, no second line."""
        return screen.line((self.plain or self.shown)(issue))


def _day(at: datetime | None) -> str:
    return f"{at:%Y-%m-%d}" if at else ""


def _who(issue: Issue) -> str:
    """Return who has an issue; if that is in another work tree, also where and for how long."""
    return issue.held.removeprefix("held by ") if issue.held else issue.assignee or ""


CELLS: Final[Mapping[str, Cell]] = {
    "id": Cell(lambda issue: issue.id, lambda issue: "bold"),
    "status": Cell(
        lambda issue: issue.status.replace("_", " "),
        lambda issue: _STATUS.get(issue.status, "magenta"),
        plain=lambda issue: issue.status,
    ),
    "priority": Cell(lambda issue: issue.priority, lambda issue: _PRIORITY.get(issue.priority, "")),
    "title": Cell(
        lambda issue: issue.title + (f" {_WARNING}" if issue.warnings else ""), plain=lambda i: i.title
    ),
    "assignee": Cell(lambda issue: _who(issue), lambda issue: "cyan"),
    "age": Cell(
        lambda issue: screen.age(issue.created_at),
        lambda issue: "dim",
        plain=lambda issue: _day(issue.created_at),
    ),
    "project": Cell(lambda issue: issue.project or "", lambda issue: "blue", min_width=110),
    "labels": Cell(lambda issue: ", ".join(issue.labels), lambda issue: "dim", min_width=140),
}


def heading(issue: Issue, *names: str) -> Text:
    """Return the first line of a card: id, priority, these cells, and the assignee."""
    from rich.text import Text

    parts = [CELLS[name].text(issue) for name in ("id", "priority", *names)]
    if who := _who(issue):
        parts.append(Text(f"@{screen.line(who)}", style=CELLS["assignee"].style(issue)))
    return Text(" ").join(part for part in parts if part.plain)


_FIELDS: Final = (
    *("id", "title", "type", "status", "priority", "labels", "assignee", "project", "blocked_by"),
    *("created_at", "updated_at", "closed_at", "wrangler_context", "path", "warnings", "held"),
)


def as_data(issue: Issue, *more: str) -> dict[str, Any]:
    """Return an issue as JSON data: all fields, with the keys of the files."""
    from laconic.text import to_camel

    values = issue.model_dump(mode="json")
    return {to_camel(name): values[name] for name in (*_FIELDS, *more)}


def facts(issue: Issue) -> list[Text]:
    """Return the fields of the header, for the top of a page."""
    from rich.text import Text

    first = [CELLS[name].text(issue) for name in ("status", "priority")]
    first += [Text(issue.type)] if issue.type != "issue" else []
    if who := _who(issue):
        first.append(Text(f"@{screen.line(who)}", style="cyan"))
    if issue.project:
        first.append(CELLS["project"].text(issue))
    if issue.labels:
        first.append(CELLS["labels"].text(issue))
    dates = {"created": issue.created_at, "changed": issue.updated_at, "closed": issue.closed_at}
    times = [f"{name} {screen.moment(at)} ({screen.age(at)})" for name, at in dates.items() if at]
    return [Text(" · ", style="dim").join(first), Text(" · ".join(times), style="dim")]
