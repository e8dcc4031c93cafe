"""The question before something is set up in Laconic's own checkout."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from laconic.cli.program import is_own_checkout
from laconic.kit.errors import Refused

__all__ = ["ask_in_own_checkout"]

_HERE = "This is Laconic's own checkout, not your project."


def ask_in_own_checkout(folder: Path, *, yes: bool) -> None:
    """Ask whether to go on if the folder is in Laconic's own checkout, where a new user may still be.

    Raises:
        Refused: the answer is no, or there is no terminal to ask on.
    """
    if yes or not is_own_checkout(folder):
        return
    if not sys.stdin.isatty():
        raise Refused(_HERE, advice="Run the same command in your project (cd your-project), or add --yes.")
    if not typer.confirm(f"{_HERE} Write here anyway?", err=True):
        raise Refused(
            "Nothing was changed.", advice="Run the same command in your project (cd your-project)."
        )
