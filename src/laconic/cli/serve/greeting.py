"""The greeting of `serve` on a terminal: what it serves, and how a host connects."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from laconic.cli.configuration.options import ServerOptions
    from laconic.kit.listing import Listing

__all__ = ["greet"]


def greet(
    listing: Listing, options: ServerOptions, address: str | None = None, to: TextIO | None = None
) -> None:
    """Print the greeting on stderr if that is a terminal; a host needs none."""
    file = to or sys.stderr
    if file.isatty():
        for line in _lines(listing, options, address):
            print(line, file=file)


def _lines(listing: Listing, options: ServerOptions, address: str | None) -> list[str]:
    servers, count = ", ".join(listing.toolsets), len(listing.tools)
    where = address or "on stdin and stdout, for a host that starts it"
    first = f"Serving {servers} ({count} tools) for {options.workspace or Path.cwd()}"
    if address is None:
        return [
            f"{first} {where}.",
            "Connect a host: laconic install claude-code (or claude-desktop, cursor, vscode).",
            "Serve over HTTP: laconic serve --http 127.0.0.1:8321. Stop: Ctrl-C.",
        ]
    needs = "" if not _asks_for_token(options) else ' --header "Authorization: Bearer TOKEN"'
    return [
        f"{first} at {where}",
        f"Connect a host: claude mcp add --transport http laconic {where}{needs}",
        "Stop: Ctrl-C.",
    ]


def _asks_for_token(options: ServerOptions) -> bool:
    return bool(options.token or options.tokens or options.jwt_key)
