"""The names of the folders in a workspace."""

from __future__ import annotations

from typing import Final

HOME: Final = ".wrangler"  # for all that is kept, unless another is set
TREES: Final = ".worktrees"  # for the worktrees of sessions
