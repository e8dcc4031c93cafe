"""Shell completion: ids with their titles, and the values of fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from laconic.cli.issues.workspace import OpenWorkspace
    from laconic.servers.issues.store import Entry

__all__ = ["complete_assignee", "complete_id", "complete_label", "complete_project", "complete_value"]

Offers = list[tuple[str, str]]
_ROUND = str.maketrans("[]", "()")  # square brackets would be taken for markup
_MOST = 100  # more would fill the screen; typing another letter narrows them down


def complete_id(ctx: typer.Context, incomplete: str) -> Offers:
    """Complete ids, or numbers after a digit; unfinished issues come first."""
    return _offer(ctx, lambda opened: _ids(opened, incomplete))


def complete_value(kind: str, *more: str) -> Callable[[str], list[str]]:
    """Return a completion of `status`, `type` or `priority`, and of more words."""

    def complete(incomplete: str) -> list[str]:
        from laconic.cli.issues.values import known

        return [value for value in (*known(kind), *more) if value.startswith(incomplete)]

    return complete


def complete_label(ctx: typer.Context, incomplete: str) -> Offers:
    """Complete labels in use."""
    return _offer(ctx, lambda opened: _words(opened.categories.used_labels(), incomplete))


def complete_project(ctx: typer.Context, incomplete: str) -> Offers:
    """Complete projects in use."""
    return _offer(ctx, lambda opened: _words(opened.categories.used_projects(), incomplete))


def complete_assignee(ctx: typer.Context, incomplete: str) -> Offers:
    """Complete people who have an issue."""
    return _offer(ctx, lambda opened: _words(_assignees(opened), incomplete))


def _offer(ctx: typer.Context, find: Callable[[OpenWorkspace], Offers]) -> Offers:
    try:
        from laconic.cli.issues.workspace import open_workspace

        with open_workspace(ctx.params.get("workspace")) as opened:
            return find(opened)
    except (Exception, typer.Exit):  # completion must not print errors
        return []


def _words(words: Iterable[str], incomplete: str) -> Offers:
    return [(word, "") for word in sorted(words) if word.startswith(incomplete)][:_MOST]


def _assignees(opened: OpenWorkspace) -> list[str]:
    return sorted({entry.assignee for entry in opened.store.entries() if entry.assignee})


def _ids(opened: OpenWorkspace, incomplete: str) -> Offers:
    from laconic.cli.screen import line
    from laconic.servers.issues.models import COMPLETE

    entries = sorted(
        opened.store.entries(), key=lambda entry: entry.status in COMPLETE
    )  # newest first otherwise
    offers: dict[str, str] = {}
    for entry in entries:
        for word in _spelled(entry, incomplete):
            offers.setdefault(word, line(entry.title).translate(_ROUND))
        if len(offers) >= _MOST:
            break
    return list(offers.items())


def _spelled(entry: Entry, incomplete: str) -> Iterator[str]:
    """Yield the id as the user started to type it: as a number, in lower case, or unchanged."""
    if entry.id.upper().startswith(incomplete.upper()):
        yield incomplete + entry.id[len(incomplete) :]
    number = entry.id.rpartition("-")[2].lstrip("0")
    if incomplete.isdigit() and number.isdigit() and number.startswith(incomplete):
        yield number
