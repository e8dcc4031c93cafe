"""What `serve` prints on stderr when it is ready: a greeting on a terminal; over HTTP, always the address."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from laconic.cli.logs import is_human
from laconic.kit.redaction import redacted_log

if TYPE_CHECKING:
    from laconic.cli.configuration.options import ServerOptions
    from laconic.kit.listing import Listing

__all__ = ["announce", "greet"]

log = redacted_log("laconic.serve")


def greet(listing: Listing, options: ServerOptions) -> None:
    """Greet a person who serves on stdio; a host needs no greeting."""
    if _is_for_a_person(options):
        first = _serving(listing, options)
        _print(
            f"{first} on stdin and stdout, for a host that starts it.",
            "Connect a host: laconic install claude-code (or claude-desktop, codex, cursor, vscode).",
            "Serve over HTTP: laconic serve --http 127.0.0.1:8321. Stop: Ctrl-C.",
        )


def announce(listing: Listing, options: ServerOptions, address: str) -> None:
    """Print the address; where nobody watches, as a line of the log, whatever its level."""
    first = f"{_serving(listing, options)} at {address}"
    if not _is_for_a_person(options):
        log.setLevel(logging.INFO)
        log.info(first, extra={"facts": {"message": first, "address": address}})
        return
    needs = ' --header "Authorization: Bearer TOKEN"' if _asks_for_token(options) else ""
    _print(
        first, f"Connect a host: claude mcp add --transport http laconic {address}{needs}", "Stop: Ctrl-C."
    )


def _is_for_a_person(options: ServerOptions) -> bool:
    return sys.stderr.isatty() and is_human(options)


def _print(*lines: str) -> None:
    for line in lines:
        print(line, file=sys.stderr)


def _serving(listing: Listing, options: ServerOptions) -> str:
    servers, count = ", ".join(listing.toolsets), len(listing.tools)
    practice = " with practice data" if options.sandbox else ""
    return f"Serving {servers} ({count} tools){practice} for {options.workspace or Path.cwd()}"


def _asks_for_token(options: ServerOptions) -> bool:
    return bool(options.token or options.tokens or options.jwt_key)
