"""Tools for projects: list them, choose one, read one."""

from typing import Annotated

from laconic.kit import Memory, Page, Window, exactly_one
from laconic.servers.taiga.models.projects import Project
from laconic.servers.taiga.service import Taiga
from laconic.servers.taiga.tools.toolset import taiga


@taiga.read(unlisted=["includePublic", "format", "fields"])
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
    await memory.put(f"project {taiga.instance}", chosen.id)
    return taiga.projects.record(chosen, is_active=True)
