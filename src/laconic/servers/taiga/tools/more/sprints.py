"""Tools for sprints: list, create, move items, and how far one is."""

from datetime import date
from typing import Annotated, Literal

from laconic.kit import Batch, Page, Window
from laconic.servers.taiga.models.kinds import KINDS
from laconic.servers.taiga.models.more import AnyItem, Sprint, SprintProgress
from laconic.servers.taiga.service import ActiveProject, Taiga
from laconic.servers.taiga.service.around.batches import Batches, Change
from laconic.servers.taiga.tools.more.toolset import PART, Ids, Name, part, taiga_more


@taiga_more.read(attempts=1, unlisted=PART)
async def taiga_list_sprints(
    taiga: Taiga, project: ActiveProject, is_closed: bool | None = None, window: Window = part(50)
) -> Page[Sprint]:
    """List sprints, latest first."""
    return await taiga.sprints(project).find(window, is_closed=is_closed)


@taiga_more.create(unlisted=["idempotencyKey"])
async def taiga_create_sprint(
    taiga: Taiga, project: ActiveProject, name: Name, start: date, finish: date
) -> Sprint:
    """Create a sprint."""
    return await taiga.sprints(project).create(name, start, finish)


@taiga_more.update
async def taiga_move_to_sprint(
    taiga: Taiga,
    project: ActiveProject,
    ids: Ids,
    sprint_id: Annotated[str | None, "Id or name; null: backlog."],
    kind: Literal["user_story", "issue"] = "user_story",
) -> Batch[AnyItem]:
    """Move stories or issues to a sprint; tasks follow their story."""
    changes = [Change(one, {"sprint_id": sprint_id}) for one in dict.fromkeys(ids)]
    return await Batches(taiga.items(KINDS[kind], project)).update(changes)


@taiga_more.read(attempts=1, hint="taiga_list_sprints", fields=None)
async def taiga_sprint_stats(
    taiga: Taiga, project: ActiveProject, sprint_id: Annotated[str, "Id or name."]
) -> SprintProgress:
    """Read how far a sprint is."""
    return await taiga.sprints(project).progress(sprint_id)
