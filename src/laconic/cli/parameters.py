"""Options that several commands offer, and the words to complete them with."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from laconic.cli import toolsets
from laconic.cli.configuration import settings
from laconic.cli.configuration.options import Options, help_of

__all__ = ["Server", "Verbose", "Workspace", "beginning", "chosen", "complete_server", "complete_tool"]


def complete_server(incomplete: str) -> list[str]:
    """Toolsets that are installed."""
    return beginning({**toolsets.installed(), **toolsets.OWN}, incomplete)


def complete_tool(incomplete: str) -> list[str]:
    """Tools of the servers chosen by variables or laconic.toml."""
    from laconic.cli.assemble import listed

    try:
        return beginning((tool["name"] for tool in listed(chosen()).tools), incomplete)
    except Exception:  # a shell that completes shows no errors, and waits for none
        return []


def beginning(words: Iterable[str], incomplete: str) -> list[str]:
    """Return the words that begin with what was typed, in order."""
    return sorted(word for word in words if word.startswith(incomplete))


Server = Annotated[
    list[str] | None,
    typer.Option(
        "--server", "-s", metavar="SERVER", help="toolset to use; repeatable", autocompletion=complete_server
    ),
]
Workspace = Annotated[
    Path | None, typer.Option("--workspace", "-w", "-C", metavar="DIR", help=help_of("workspace"))
]
Verbose = Annotated[bool, typer.Option("--verbose", help=help_of("verbose"))]


def chosen(**flags: Any) -> Options:
    """Read the options; what a flag left open comes from variables and laconic.toml."""
    given = {name: _plain(value) for name, value in flags.items() if value not in (None, False, [], ())}
    return settings.read(given, os.environ)


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Path) else value
