"""The editor of the user."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import typer

from laconic.kit.errors import BadConfiguration, Failure

__all__ = ["draft", "edit", "editor"]

_USUAL: Final = ("sensible-editor", "nano", "vi", "notepad")


def edit(path: Path) -> None:
    """Open a file in the editor and wait until it is closed.

    Raises:
        BadConfiguration: there is no editor.
        Failure: it failed.
    """
    words = editor()
    try:
        done = subprocess.run([*words, str(path)], check=False)
    except OSError as error:
        raise BadConfiguration(
            f"The editor {words[0]} cannot be started: {error.strerror}.", advice="Set EDITOR to another."
        ) from None
    if done.returncode:
        raise Failure(f"The editor {words[0]} ended with status {done.returncode}.", advice="")


@contextmanager
def draft(name: str, text: str) -> Iterator[Path]:
    """Make a file to write in; what somebody wrote there is kept and told if nothing came of it."""
    folder = Path(tempfile.mkdtemp(prefix="laconic-"))
    file, before = folder / name, text.encode()
    file.write_bytes(before)
    try:
        yield file
    except BaseException:
        if file.is_file() and file.read_bytes() not in (before, b""):
            typer.echo(f"Your text is in {file}", err=True)
            raise
        shutil.rmtree(folder)
        raise
    shutil.rmtree(folder)


def editor(environ: Mapping[str, str] = os.environ) -> list[str]:
    """Return the command that VISUAL or EDITOR names, or an editor that is installed.

    Raises:
        BadConfiguration: there is no editor.
    """
    for name in ("VISUAL", "EDITOR"):
        if words := shlex.split(environ.get(name, ""), posix=os.name == "posix"):
            return words
    for name in _USUAL if sys.stdin.isatty() else ():  # without a terminal an editor would wait forever
        if found := shutil.which(name, path=environ.get("PATH")):
            return [found]
    raise BadConfiguration("No editor was found.", advice="Set EDITOR, or pass the change as an option.")
