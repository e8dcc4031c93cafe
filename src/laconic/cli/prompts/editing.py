"""`laconic prompts edit`: change a template in the editor, or from a file."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from laconic.cli import editor
from laconic.cli.library.opening import DatabaseOption
from laconic.cli.prompts.opening import author, in_library
from laconic.kit.errors import BadConfiguration, Failure, NotFound

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
    text = (before.content or "") if before else ""
    while True:
        wanted = _given(file) if file else _written(name, text)
        if wanted == text:
            typer.echo(f"{name}: nothing changed.")
            return
        try:
            saved = _save(name, wanted, before, database)
        except Failure as failure:
            typer.echo(f"{name}: {failure.words}", err=True)
            text = wanted
            if file or not (sys.stdin.isatty() and typer.confirm("Edit it again?", default=True)):
                raise typer.Exit(1) from None
        else:
            typer.echo(f"{saved.name} is version {saved.version}.")
            return


def _present(name: str, may_be_new: bool, database: str | None) -> Prompt | None:
    try:
        return in_library(lambda library: library.reading.get(name), database)
    except NotFound as failure:
        if may_be_new:
            return None
        failure.advice = failure.advice or "--new creates it."
        raise


def _save(name: str, content: str, before: Prompt | None, database: str | None) -> Saved:
    """Save a template; if somebody else has changed it meanwhile, it is refused."""
    from laconic.servers.prompts.service import PromptChanges
    from laconic.servers.prompts.store import Expected

    if before is None:
        return in_library(lambda library: library.editing.create(name, content, author()), database)
    wanted, expected = PromptChanges(content=content), Expected(before.version)
    return in_library(
        lambda library: library.editing.change(name, wanted, author(), expected=expected), database
    )


def _given(file: Path) -> str:
    try:
        if str(file) == "-":
            return sys.stdin.read()
        return file.read_bytes().decode()  # as it is: reading as text would change line breaks
    except (OSError, UnicodeDecodeError) as error:
        raise BadConfiguration(f"{file} cannot be read: {error}.", advice="") from None


def _written(name: str, text: str) -> str:
    """Return what the user made of a text in the editor."""
    with tempfile.TemporaryDirectory(prefix="laconic-") as folder:
        draft = Path(folder) / f"{name.partition('@')[0]}.jinja"
        draft.write_bytes(text.encode())
        editor.edit(draft)
        return draft.read_bytes().decode(errors="replace")
