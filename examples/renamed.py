"""A tool, a parameter and a type that changed, and callers that do not know yet.

Old calls are answered, with a note to the model and a warning in the log, until the version that drops them.
`listed=True` keeps the old name in the list, as deprecated, for hosts that call only what is listed.

    laconic call --server examples.renamed:toolset search q=cursor
    laconic serve examples.renamed:toolset
"""

from typing import Annotated

from pydantic import Field

from laconic.kit import Toolset, Was

PROJECTS = {
    "laconic": ["mcp", "kit"],
    "cursors": ["paging", "kit"],
    "outline": ["markdown"],
    "slices": ["markdown", "paging"],
}

toolset = Toolset("renamed", "Projects, under names that changed.")


@toolset.read(was={"search": {"q": "query"}}, until="2.0", listed=True)
async def project_search(
    query: Annotated[str, "Part of the name."] = "",
    labels: Annotated[
        list[str] | None,
        "Keep only those with all of these.",
        Was("tags", until="2.0"),
        Was(type=str, convert=lambda text: text.split(","), until="2.0"),
    ] = None,
    limit: Annotated[int, Field(ge=1, le=30), "How many to show."] = 10,
) -> str:
    """Search projects by name and label."""
    found = [name for name, own in PROJECTS.items() if query in name and set(labels or ()) <= set(own)]
    return "\n".join(found[:limit]) or "No project fits. Leave out query or labels to see more."
