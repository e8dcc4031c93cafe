"""Who signed in with Google: with several, the tools list the argument that chooses one."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from laconic.cli.configuration.options import ServerOptions
    from laconic.cli.configuration.workspace import Places

__all__ = ["with_logins"]


def with_logins(options: ServerOptions, places: Places) -> ServerOptions:
    """Return the options with the aliases of those who signed in.

    What is listed depends on the configuration alone, so they become part of it.
    """
    try:
        written = json.loads((places.data / "credentials" / "google" / "logins.json").read_bytes())
        logins = dict.fromkeys(written["logins"], "")
    except (OSError, ValueError, TypeError, KeyError):  # nobody, or who calls is told
        return options
    section = {**options.sections.get("google", {}), "logins": logins}
    return replace(options, sections={**options.sections, "google": section})
