"""Parameters that several issue commands share, with the same names and completions everywhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final

import typer

from laconic.cli.issues.completion import (
    complete_assignee,
    complete_id,
    complete_label,
    complete_project,
    complete_value,
)

__all__ = [
    "AsJson",
    "Assignee",
    "Every",
    "Labels",
    "Limit",
    "ListLimit",
    "Priorities",
    "Project",
    "Reference",
    "References",
    "Search",
    "Types",
    "option",
]

_OPTIONS: Final[Mapping[str, tuple[tuple[str, ...], Callable[..., Any]]]] = {
    "status": (("--status", "-s"), complete_value("status")),
    "statuses": (("--status", "-s"), complete_value("status", "all")),
    "type": (("--type", "-t"), complete_value("type")),
    "priority": (("--priority", "-p"), complete_value("priority")),
    "label": (("--label", "--labels", "-l"), complete_label),
    "add-label": (("--add-label", "-l"), complete_label),
    "remove-label": (("--remove-label",), complete_label),
    "assignee": (("--assignee", "-a"), complete_assignee),
    "as": (("--as",), complete_assignee),
    "project": (("--project", "-P"), complete_project),
    "blocked-by": (("--blocked-by",), complete_id),
}
_METAVARS: Final = {
    **{name: name.upper() for name in ("status", "type", "priority", "label")},
    **{"statuses": "STATUS", "add-label": "LABEL", "remove-label": "LABEL", "blocked-by": "ID"},
}


def option(name: str, help: str) -> Any:
    """Return an option for a field of an issue, with the help text of one command."""
    flags, complete = _OPTIONS[name]
    return typer.Option(*flags, metavar=_METAVARS.get(name, "NAME"), help=help, autocompletion=complete)


_NAMED = typer.Argument(metavar="ID", help="id, number, file name or path", autocompletion=complete_id)

Reference = Annotated[str, _NAMED]
References = Annotated[list[str], _NAMED]
Types = Annotated[list[str] | None, option("type", "only issue, specification or idea; repeatable")]
Priorities = Annotated[list[str] | None, option("priority", "only low, medium, high or critical; repeatable")]
Labels = Annotated[list[str] | None, option("label", "only with at least one of these labels; repeatable")]
Assignee = Annotated[str | None, option("assignee", "only issues of this person")]
Project = Annotated[str | None, option("project", "only issues of this project")]
Search = Annotated[
    str | None,
    typer.Option("--search", "-S", metavar="WORDS", help="only with these words in title, text or labels"),
]
Limit = Annotated[int, typer.Option("--limit", "-n", metavar="N", min=1, help="show at most N issues")]
ListLimit = Annotated[
    int | None,
    typer.Option("--limit", "-n", metavar="N", min=1, help="show at most N issues; on a terminal 25"),
]
Every = Annotated[bool, typer.Option("--all", help="show all")]
AsJson = Annotated[bool, typer.Option("--json", help="print JSON")]
