"""`laconic prompts list`, `show`, `render` and `history`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from laconic.cli.library.opening import DatabaseOption
from laconic.cli.prompts.opening import AsJson, in_library
from laconic.cli.prompts.texts import given
from laconic.cli.screen import clean, line, moment, write, write_json
from laconic.kit.errors import BadConfiguration

if TYPE_CHECKING:
    from laconic.servers.prompts.service import Library

__all__ = ["history", "prompts_list", "render", "show"]

_PAGE = 100
_ENTRIES = 10_000
_STATES = ("active", "archived", "deleted")
NAME = Annotated[str, typer.Argument(metavar="NAME", help="such as review, review@3 or review@production")]


def prompts_list(
    query: Annotated[
        str | None, typer.Argument(metavar="QUERY", help='words, "phrases", -without, OR')
    ] = None,
    tag: Annotated[list[str] | None, typer.Option("--tag", "-t", help="only with this; repeatable")] = None,
    state: Annotated[
        str, typer.Option("--state", metavar="STATE", help="active, archived, deleted or all")
    ] = "active",
    as_json: AsJson = False,
    database: DatabaseOption = None,
) -> None:
    """List prompts: the best matches of a query first, else the newest."""
    from laconic.kit import Window
    from laconic.servers.prompts.service import PromptQuery

    if state not in (*_STATES, "all"):
        raise BadConfiguration(
            f"There is no state '{state[:80]}'.", advice=f"Known: {', '.join(_STATES)}, all."
        )
    states: Any = _STATES if state == "all" else (state,)
    wanted = PromptQuery(query or "", tag or (), states=states)

    async def work(library: Library) -> list[Any]:
        found: list[Any] = []
        place: Any = None
        while True:
            page = await library.reading.find(Window(size=_PAGE, most=_PAGE, position=place), wanted)
            found += page.items
            place = page.next
            if place is None:
                return found

    prompts = in_library(work, database)
    if as_json:
        write_json([_data(prompt) for prompt in prompts])
    elif not prompts:
        is_all = not query and not tag and state in ("active", "all")
        typer.echo("There are no prompts yet." if is_all else "No prompts match.", err=True)
    for prompt in () if as_json else prompts:
        about = prompt.title or prompt.description or ""
        write("\t".join([prompt.name, str(prompt.version), ",".join(prompt.tags), line(about)]))


def show(name: NAME, as_json: AsJson = False, database: DatabaseOption = None) -> None:
    """Print a prompt's template as it is, or all about it as JSON."""
    prompt = in_library(lambda library: library.reading.get(name), database)
    if as_json:
        write_json(_data(prompt))
    else:
        _write_text(prompt.content or "")


def render(
    name: NAME,
    values: Annotated[
        list[str] | None, typer.Argument(metavar="KEY=VALUE", help="arguments; KEY=- reads stdin")
    ] = None,
    database: DatabaseOption = None,
) -> None:
    """Fill in a prompt and print it."""
    arguments: dict[str, str] = {}
    for word in values or ():
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise BadConfiguration(f"'{word[:80]}' is not an argument. Expected: key=value.", advice="")
        arguments[key] = given(Path("-")) if value == "-" else value
    _write_text(in_library(lambda library: library.templates.render(name, arguments), database))


def history(name: NAME, as_json: AsJson = False, database: DatabaseOption = None) -> None:
    """Show what was done to a prompt, by whom and when, newest first."""
    from laconic.servers.prompts.service.records import field_names

    entries = in_library(lambda library: library.versions.history(name, _ENTRIES), database)
    if as_json:
        write_json(
            [
                {
                    "version": one.number,
                    "action": one.action,
                    "at": one.at.isoformat(),
                    "by": one.by.author,
                    "source": one.by.source,
                    "changed": field_names(one.changed),
                    "labels": list(one.labels),
                }
                for one in entries
            ]
        )
        return
    for one in entries:
        cells = [
            str(one.number or ""),
            moment(one.at),
            one.action,
            one.by.author,
            ",".join(field_names(one.changed)),
        ]
        write("\t".join([*map(line, cells), *(f"@{label}" for label in one.labels)]))


def _data(prompt: Any) -> dict[str, Any]:
    found: dict[str, Any] = prompt.model_dump(mode="json", exclude_none=True)
    return found


def _write_text(text: str) -> None:
    """Print a text to the byte; on a terminal without what would control it."""
    if sys.stdout.isatty():
        text = clean(text)
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode(errors="replace"))
    sys.stdout.buffer.flush()
