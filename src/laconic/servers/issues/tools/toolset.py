"""The toolset of the issues server: where its tools are declared, and what they are given to work with."""

from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

from laconic.kit import Toolset
from laconic.servers.issues.sessions import Sessions
from laconic.servers.issues.workspace import Workspace

issues = Toolset(
    "issues",
    "Issues, specifications, ideas and agent sessions, kept as files in the repository.",
    case="camel",
    provides=(Sessions, Workspace),
)


@issues.factory
async def open_issues(section: Mapping[str, Any]) -> AsyncIterator[tuple[Sessions, Workspace]]:
    """Open the workspace."""
    root = Path(section.get("workspace", "."))
    yield Sessions(root), Workspace(root)
