"""The names of the folders in a workspace, and whether it is there at all."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from laconic.kit import BadConfiguration

HOME: Final = ".wrangler"  # for all that is kept, unless another is set
TREES: Final = ".worktrees"  # for the worktrees of sessions


def check_there(workspace: Path) -> None:
    """Refuse to work in a workspace that is gone, which would look like an empty one.

    Raises:
        BadConfiguration: it was deleted, or moved elsewhere.
    """
    if not workspace.is_dir():
        raise BadConfiguration(
            "The workspace is gone: its folder was moved or deleted while it was served.",
            advice="A person must start the server again, in a folder that exists.",
            changed=False,
        )
