"""Print a list of issues: a table, two lines each on a narrow terminal, or tab-separated lines if piped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

import typer

from laconic.cli import screen
from laconic.cli.issues.viewing.cells import CELLS, as_data, heading

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from laconic.kit.answers.pages import Page
    from laconic.servers.issues.dependencies import Dependencies
    from laconic.servers.issues.models import Issue

__all__ = ["as_json", "cards", "remark", "show", "with_dependencies"]

NARROW: Final = 72  # below this width a table leaves no space for titles
_MAY_BE_EMPTY: Final = ("assignee", "project", "labels")  # no column if no row has a value
_MOST_NAME: Final = 18  # characters of an assignee or project


def show(issues: Sequence[Issue], columns: Sequence[str], waiting: Dependencies | None = None) -> None:
    """Print issues with these columns; on a terminal, also what they wait for."""
    if not screen.is_terminal():
        for issue in issues:
            screen.write("\t".join(CELLS[name].word(issue) for name in columns))
        return
    issues = with_dependencies(issues, waiting)
    console = screen.console()
    if console.width < NARROW:
        cards(console, issues, *(name for name in ("status", "age") if name in columns))
    elif issues:
        console.print(_table(issues, columns, console.width))


def with_dependencies(issues: Sequence[Issue], waiting: Dependencies | None) -> list[Issue]:
    """Return issues for a terminal: what each waits for, and what waits for it, follows its title."""
    found = [(issue, waiting.words(issue.id) if waiting else "") for issue in issues]
    return [
        issue.model_copy(update={"title": f"{issue.title} ({words})"}) if words else issue
        for issue, words in found
    ]


def _table(issues: Sequence[Issue], columns: Sequence[str], width: int) -> RenderableType:
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim underline")
    names = [name for name in columns if _has_place(name, issues, width)]
    for name in names:
        is_free = name in ("title", "labels")
        table.add_column(
            name,
            no_wrap=not is_free,
            overflow="fold" if is_free else "ellipsis",
            max_width=_MOST_NAME if name in ("assignee", "project") else None,
            justify="right" if name == "age" else "left",
            ratio={"title": 3, "labels": 1}.get(name),
        )
    for issue in issues:
        table.add_row(*(CELLS[name].text(issue) for name in names))
    return table


def _has_place(name: str, issues: Sequence[Issue], width: int) -> bool:
    if CELLS[name].min_width > width:
        return False
    return name not in _MAY_BE_EMPTY or any(CELLS[name].shown(issue) for issue in issues)


def cards(console: Console, issues: Iterable[Issue], *more: str) -> None:
    """Print issues on two lines each: the facts, and the title below."""
    from rich.padding import Padding

    for issue in issues:
        console.print(heading(issue, *more), no_wrap=True, overflow="ellipsis")
        console.print(Padding(CELLS["title"].text(issue), (0, 0, 0, 2)))


def as_json(page: Page[Issue], waiting: Dependencies | None = None) -> None:
    """Print issues as JSON, and how many there are in total."""
    found = [as_data(issue) for issue in page.items]
    if waiting is not None:
        found = [one | {"blocks": waiting.blocks.get(one["id"], [])} for one in found]
    screen.write_json({"total": page.total, "issues": found})


def remark(page: Page[Issue], more: str = "") -> None:
    """Print how many issues there are and how to see the rest; on stderr if stdout is piped."""
    shown, total = len(page.items), page.total or 0
    cut = f"{shown:,} of {total:,}. More: --limit N or --all."
    parts = [page.remark, cut if shown < total else _count(total)]
    if screen.is_terminal():
        warned = sum(bool(issue.warnings) for issue in page.items)
        parts += [f"{warned:,} with a warning (!): laconic issues show ID."] if warned else []
    typer.secho(" ".join(part for part in [*parts, more] if part), dim=True, err=not screen.is_terminal())


def _count(total: int) -> str:
    return f"{total:,} issue{'' if total == 1 else 's'}." if total else "No issues."
