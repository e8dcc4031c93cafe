"""The section [issues] of the configuration, and the environment variables of Wrangler workspaces."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from pydantic import BaseModel, Field, field_validator

from laconic.kit import BadConfiguration
from laconic.servers.issues.places import HOME, TREES
from laconic.servers.issues.store import IssueStore

__all__ = ["IssuesSettings"]

_CACHE, _PROVIDER, _ROOT = "WRANGLER_MCP_CACHE", "WRANGLER_ISSUE_PROVIDER", "WRANGLER_WORKSPACE_ROOT"

_NAME = re.compile(r"\.?[A-Za-z0-9_][A-Za-z0-9_-]{0,63}")
_TAKEN = frozenset([".git", TREES])  # git's own, and the worktrees of sessions


def _workspace() -> Path:
    return Path(os.environ.get(_ROOT, "."))


class IssuesSettings(BaseModel):
    """Where the issues are, and how long cached entries are trusted."""

    workspace: Path = Field(default_factory=_workspace)
    cache: Path | None = None  # the user's cache folder; without it nothing is kept between starts
    folder: str = HOME  # a name in the workspace, for all that is kept there
    folders: dict[str, str] | None = None  # by type, relative to the workspace
    ttl: float = Field(default=0.0, ge=0)  # seconds an entry is trusted without checking its file
    lease: float = Field(default=0.0, ge=0)  # minutes without a change after which a claim lapses; 0: never
    index: bool = True  # False: nothing is cached, not even in memory

    @field_validator("folder")
    @classmethod
    def _is_a_name(cls, given: str) -> str:
        if not _NAME.fullmatch(given) or given.lower() in _TAKEN:
            raise ValueError("Use one name of letters, digits, '-', '_' and a leading '.', like .issues.")
        return given

    @cached_property
    def opened(self) -> IssueStore:
        """The store, opened once."""
        return self.store()

    def store(self, environ: Mapping[str, str] = os.environ) -> IssueStore:
        """Open the store.

        Raises:
            BadConfiguration: a variable asks for an issue provider other than files.
        """
        provider = environ.get(_PROVIDER, "").strip() or "markdown"
        if provider not in ("markdown", "mock"):
            raise BadConfiguration(
                f"{_PROVIDER} is '{provider[:40]}'. Expected: markdown or mock.", advice=""
            )
        if provider == "mock":  # the same files, in the default folders
            environ = {name: environ[name] for name in (_CACHE,) if name in environ}
        if not self.index:
            environ = {**environ, _CACHE: "false"}
        root = self.workspace.resolve()
        return IssueStore(
            root,
            cache=self.cache,
            folders=self.folders,
            home=self.folder,
            ttl=self.ttl,
            lease=self.lease * 60,
            environ=environ,
        )
