"""`laconic prompts edit`: change a template in the editor, or from a file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from laconic.cli import editor
from laconic.cli.library.opening import DatabaseOption
from laconic.cli.prompts.opening import author, in_library
from laconic.cli.prompts.texts import given
from laconic.cli.screen import clean
from laconic.kit.errors import Conflict, Failure, NotFound

if TYPE_CHECKING:
    from laconic.servers.prompts.models import Prompt, Saved

__all__ = ["edit"]


def edit(
    name: Annotated[str, typer.Argument(metavar="NAME", help="name of the prompt")],
    file: Annotated[
        Path | None, typer.Option("--file", "-f", metavar="FILE", help="take this template; - for stdin")
    ] = None,
    new: Annotated[bool, typer.Option("--new", help="create it if there is none")] = False,
    database: DatabaseOption = None,
) -> None:
    """Change a template in your editor; it is checked, then saved."""
    before = _present(name, new, database)
    if file:
        if not _is_saved(name, given(file), before, database):
            raise typer.Exit(1)
        return
    base = name.partition("@")[0]
    with editor.draft(f"{base}.jinja", (before.content or "") if before else "") as draft:
        editor.edit(draft)
        while not _is_saved(base, given(draft), before, database):
            before = _newest(base, before, database)
            if not (sys.stdin.isatty() and typer.confirm("Edit it again?", default=True)):
                raise typer.Exit(1)
            editor.edit(draft)


def _present(name: str, may_be_new: bool, database: str | None) -> Prompt | None:
    """Return the prompt as it is, before anybody writes anything; None if it is to be created.

    Raises:
        NotFound: there is none, or it is archived.
        Conflict: the name has an older version, which nobody can change.
    """
    base, _, version = name.partition("@")
    try:
        prompt = in_library(lambda library: library.reading.get(name), database)
    except NotFound as failure:
        if may_be_new and not version and _is_free(base, database):
            return None
        failure.advice = failure.advice or "--new creates it."
        raise
    newest = in_library(lambda library: library.reading.metadata(base), database) if version else prompt
    if prompt.version != newest.version:
        advice = f"'laconic prompts restore {name}' makes it the newest."
        raise Conflict(f"{name} is not the newest version: that is {base}@{newest.version}.", advice=advice)
    return prompt


def _is_free(name: str, database: str | None) -> bool:
    from laconic.servers.prompts.service.failing import refuse_bad_name

    refuse_bad_name(name)
    named = in_library(lambda library: library.shelving.named(name), database)
    return all(one.state == "deleted" for one in named)


def _is_saved(name: str, content: str, before: Prompt | None, database: str | None) -> bool:
    """Save a template, and tell what came of it; if somebody else has changed it meanwhile, it is refused."""
    if content == ((before.content or "") if before else ""):
        typer.echo(f"{name}: nothing changed.")
        return True
    try:
        saved = _save(name, content, before, database)
    except Failure as failure:
        meanwhile = "Somebody else saved it meanwhile."
        typer.echo(f"{name}: {meanwhile if isinstance(failure, Conflict) else failure.words}", err=True)
        return False
    typer.echo(f"{saved.name} is version {saved.version}.")
    return True


def _save(name: str, content: str, before: Prompt | None, database: str | None) -> Saved:
    from laconic.servers.prompts.service import PromptChanges
    from laconic.servers.prompts.store import Expected

    if before is None:
        return in_library(lambda library: library.editing.create(name, content, author()), database)
    wanted, expected = PromptChanges(content=content), Expected(before.version)
    return in_library(
        lambda library: library.editing.change(name, wanted, author(), expected=expected), database
    )


def _newest(name: str, before: Prompt | None, database: str | None) -> Prompt | None:
    """Return the prompt as it is by now; what others changed is shown, so that it can be taken over."""
    from laconic.text import unified_diff

    try:
        now = in_library(lambda library: library.reading.get(name), database)
    except Failure:  # it was renamed or put away, or there is none yet
        return before
    if before is None or now.version != before.version:
        typer.echo(f"Version {now.version} changed:", err=True)
        diff = unified_diff((before.content or "") if before else "", now.content or "")
        typer.echo(clean(diff.text) or "not the template", err=True)
    return now
