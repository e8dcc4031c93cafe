"""Who signed in with Google: with several, the tools list the argument that chooses one."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from laconic.cli.configuration.options import ServerOptions
    from laconic.cli.configuration.workspace import Places
    from laconic.cli.toolsets import Reference

__all__ = ["with_logins"]

_SERVER: Final = "laconic.servers.google"


def with_logins(options: ServerOptions, found: Iterable[Reference], places: Places) -> ServerOptions:
    """Return the options with the aliases of those who signed in, if the Google server is served.

    What is listed depends on the configuration alone, so they become part of it.
    """
    if options.sandbox or not any(one.module.startswith(_SERVER) for one in found):
        return options
    try:
        written = json.loads((places.data / "credentials" / "google" / "logins.json").read_bytes())
        logins = dict.fromkeys(written["logins"], "")
    except (OSError, ValueError, TypeError, KeyError):  # nobody, or who calls is told
        return options
    section = {**options.sections.get("google", {}), "logins": logins}
    return replace(options, sections={**options.sections, "google": section})
