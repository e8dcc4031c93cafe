"""The toolset of the issues server, and the services that its tools use."""

from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path
from typing import Any

from laconic.kit import Toolset
from laconic.servers.issues.service import Categories, Tracker
from laconic.servers.issues.service.sightings import Sightings
from laconic.servers.issues.sessions.service import Sessions
from laconic.servers.issues.settings import IssuesSettings
from laconic.servers.issues.setup.workspace import Workspace

issues = Toolset(
    "issues",
    "Issues, specifications, ideas and agent sessions, kept as files in the repository.",
    case="camel",
    provides=(Tracker, Categories, Sessions, Workspace),
    settings=IssuesSettings,
    threads=1,  # the index is shared without locks
    instructions=Path(__file__).parent.with_name("instructions.md").read_text(encoding="utf-8"),
)


@issues.ahead
def load(section: IssuesSettings) -> Iterator[None]:
    """Load the index."""
    return section.opened.ahead()


@issues.metadata_keys
def former_keys(tool: str, arguments: Mapping[str, Any], value: Any) -> dict[str, Any]:
    """Return the keys that Wrangler's answers had under `metadata`."""
    from laconic.servers.issues.tools import former

    return former.former_keys(tool, arguments, value)


@issues.factory
async def open_issues(
    section: IssuesSettings,
) -> AsyncIterator[tuple[Tracker, Categories, Sessions, Workspace]]:
    """Open the workspace."""
    root = section.workspace.resolve()
    store = section.opened
    sightings = Sightings(store)
    try:
        sessions = Sessions(
            root,
            find=lambda reference: store.layout.at(sightings.find(reference).path),
            home=section.folder,
        )
        yield Tracker(store), Categories(store), sessions, Workspace(root, store)
    finally:
        store.close()
