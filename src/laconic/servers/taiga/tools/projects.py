"""Tools for projects: list them, choose one, read one, its statuses and its members."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from laconic.kit import Memory, Page, Problem, Window, exactly_one
from laconic.servers.taiga.models.projects import Member, Project, Status
from laconic.servers.taiga.service import ActiveProject, Taiga
from laconic.servers.taiga.service.metadata import statuses_of
from laconic.servers.taiga.tools.toolset import active_in, taiga


def at_most_one(arguments: Mapping[str, Any]) -> Problem | None:
    """Refuse an id together with a slug."""
    return exactly_one("projectId", "projectSlug")(arguments) if len(arguments) > 1 else None


@taiga.read(attempts=1, unlisted=["includePublic", "format", "fields"])
async def taiga_list_projects(
    taiga: Taiga,
    window: Window = Window(size=50, most=200, offset="listed"),
    include_public: Annotated[bool, "Also public projects of others."] = False,
) -> Page[Project]:
    """List your projects."""
    return await taiga.list_projects(window, include_public=include_public)


@taiga.update(hint="taiga_list_projects", rules=[exactly_one("projectId", "projectSlug")])
async def taiga_set_active_project(
    taiga: Taiga,
    memory: Memory,
    project_id: int | None = None,
    project_slug: str | None = None,
) -> Project:
    """Choose the project that later calls work on."""
    chosen = await taiga.projects.get(project_id or project_slug or 0, fresh=True)
    await memory.put(active_in(taiga), chosen.id)
    return taiga.projects.record(chosen, is_active=True)


@taiga.read(
    hint="taiga_list_projects", attempts=1, rules=[at_most_one], format="full", unlisted=["format", "fields"]
)
async def taiga_get_project(
    taiga: Taiga,
    memory: Memory,
    project_id: int | None = None,
    project_slug: str | None = None,
) -> Project:
    """Read a project, by default the active one."""
    active = await memory.get(active_in(taiga))
    return await taiga.read_project(project_id or project_slug, active)


@taiga.read(attempts=1, unlisted=["limit", "offset", "format", "fields"])
async def taiga_get_statuses(
    project: ActiveProject,
    window: Window = Window(size=200, most=200, offset="listed"),
    kind: Literal["epic", "user_story", "task", "issue"] | None = None,
) -> Page[Status]:
    """List statuses by kind of item; for issues also priorities, severities and types."""
    return statuses_of(project, kind, window)


@taiga.read(attempts=1, unlisted=["format", "fields"])
async def taiga_get_members(
    taiga: Taiga, project: ActiveProject, window: Window = Window(size=50, most=200, offset="listed")
) -> Page[Member]:
    """List members, with the user ids that assignedToId takes."""
    return await taiga.members(project, window)
