"""Groups of commands, such as `laconic prompts …`: how they all look."""

from __future__ import annotations

import typer

__all__ = ["command_group"]


def command_group(name: str, help: str, epilog: str | None = None) -> typer.Typer:
    """Return a group without commands; called alone it prints its help, as plain text."""
    app = typer.Typer(name=name, help=help, epilog=epilog, no_args_is_help=True, rich_markup_mode=None)
    app.callback()(_nothing)  # so that a single command keeps its name
    return app


def _nothing() -> None: ...
