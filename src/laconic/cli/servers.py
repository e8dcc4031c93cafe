"""The commands of our own servers: the package here that has a server's name."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from laconic.cli.toolsets import OWN

if TYPE_CHECKING:
    import typer

__all__ = ["commands"]


def commands() -> Iterator[typer.Typer]:
    """Yield the commands of every server that has some."""
    here = Path(__file__).parent
    for name in sorted(OWN):
        if (here / name / "app.py").is_file():
            yield import_module(f"{__package__}.{name}.app").app
