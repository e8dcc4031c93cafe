"""The section [issues] of the configuration."""

import os
from pathlib import Path

from pydantic import BaseModel, Field

from laconic.servers.issues.store import IssueStore

__all__ = ["IssuesSettings"]


def _workspace() -> Path:
    return Path(os.environ.get("WRANGLER_WORKSPACE_ROOT", "."))


class IssuesSettings(BaseModel):
    """Where issues lie, and how long what was read is trusted."""

    workspace: Path = Field(default_factory=_workspace)
    cache: Path | None = None  # the user's cache folder; without one nothing is kept between starts
    folders: dict[str, str] | None = None  # by type, from the workspace
    ttl: float = 0.0  # seconds an entry is trusted without a look at its file

    def store(self) -> IssueStore:
        """Open the files."""
        root = self.workspace.resolve()
        return IssueStore(root, cache=self.cache, folders=self.folders, ttl=self.ttl)
