"""Parameters that several commands share, and their completions."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from laconic.cli import toolsets
from laconic.cli.configuration import settings
from laconic.cli.configuration.options import OPTIONS, ServerOptions, help_of

__all__ = [
    "Server",
    "Verbose",
    "Workspace",
    "Yes",
    "beginning",
    "chosen",
    "complete_choice",
    "complete_server",
    "complete_tool",
]


def complete_server(incomplete: str) -> list[str]:
    """Complete the names of installed toolsets."""
    return beginning({**toolsets.installed(), **toolsets.OWN}, incomplete)


def complete_tool(incomplete: str) -> list[str]:
    """Complete the tools of the servers that variables or laconic.toml choose."""
    from laconic.cli.assemble import listed

    try:
        return beginning((tool["name"] for tool in listed(chosen()).tools), incomplete)
    except Exception:  # completion must not print errors
        return []


def complete_choice(option: str) -> Callable[[str], list[str]]:
    """Return a completion of the allowed words of an option."""
    return lambda incomplete: beginning(OPTIONS[option].choices, incomplete)


def beginning(words: Iterable[str], incomplete: str) -> list[str]:
    """Return the words that start with the typed text, sorted."""
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
Yes = Annotated[bool, typer.Option("--yes", "-y", help="do not ask, also in Laconic's own checkout")]
Verbose = Annotated[bool, typer.Option("--verbose", help=help_of("verbose"))]


def chosen(**flags: Any) -> ServerOptions:
    """Read the options; variables and laconic.toml supply what the flags do not."""
    given = {name: _plain(value) for name, value in flags.items() if value not in (None, False, [], ())}
    return settings.read(given, os.environ)


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Path) else value
