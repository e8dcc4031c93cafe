"""The text of an issue: from an option, a file, stdin or the editor."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final

import typer

from laconic.cli import editor
from laconic.kit.errors import BadConfiguration

__all__ = ["Body", "File", "given", "written"]

_SCISSORS: Final = "<!-- Write above this line: the text of "
_ADVICE: Final = ". This line is removed; an empty text cancels. -->"

Body = Annotated[str | None, typer.Option("--body", "-b", metavar="TEXT", help="text in markdown")]
File = Annotated[
    Path | None, typer.Option("--file", "-F", metavar="FILE", help="read the text from a file; - for stdin")
]


def given(body: str | None, file: Path | None) -> str | None:
    """Return the text that the options give, or None.

    Raises:
        BadConfiguration: both options are given, or the file cannot be read.
    """
    if body is not None and file is not None:
        raise BadConfiguration("--body and --file both give a text.", advice="Pass one of them.")
    if file is None:
        return body
    try:
        content = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        return content.decode("utf-8-sig")
    except OSError as error:
        raise BadConfiguration(f"{file} cannot be read: {error.strerror}.", advice="") from None
    except UnicodeDecodeError:
        raise BadConfiguration(f"{file} is not UTF-8 text.", advice="") from None


@contextmanager
def written(title: str) -> Iterator[str]:
    """Open the editor and yield the text, empty if there is none; the draft is kept until the text is used.

    Raises:
        BadConfiguration: the editor failed.
    """
    advice = f"{_SCISSORS}{title.replace('--', '-')}{_ADVICE}"
    with editor.draft("issue.md", f"\n\n{advice}\n") as draft:
        editor.edit(draft)
        yield _text_of(draft)


def _text_of(draft: Path) -> str:
    try:
        text = draft.read_text(encoding="utf-8", errors="replace").partition(_SCISSORS)[0].strip()
    except OSError:  # the editor removed it
        return ""
    return f"{text}\n" if text else ""
