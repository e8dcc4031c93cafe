"""Tools for several items at once, each with a result of its own."""

from typing import Annotated

from pydantic import Field

from laconic.kit import Batch
from laconic.servers.taiga.models.kinds import KINDS
from laconic.servers.taiga.models.more import AnyItem
from laconic.servers.taiga.service import ActiveProject, Taiga
from laconic.servers.taiga.service.around.batches import Batches
from laconic.servers.taiga.service.around.bulk import created_in_bulk
from laconic.servers.taiga.tools.more.parts import BatchChange, NewOfBatch
from laconic.servers.taiga.tools.more.toolset import VIEW, Ids, Kind, Name, taiga_more


@taiga_more.create(unlisted=["idempotencyKey"])
async def taiga_bulk_create(
    taiga: Taiga,
    project: ActiveProject,
    kind: Kind,
    subjects: Annotated[list[Name], Field(min_length=1, max_length=200)],
    status_id: Annotated[str | None, "Id or name."] = None,
    user_story_id: Annotated[str | None, "For tasks: id or #ref."] = None,
    sprint_id: Annotated[str | None, "For tasks and issues."] = None,
) -> Batch[AnyItem]:
    """Create items from subjects alone, all or none."""
    given = {"status_id": status_id, "user_story_id": user_story_id, "sprint_id": sprint_id}
    return await created_in_bulk(taiga.items(KINDS[kind], project), subjects, given)


@taiga_more.read(attempts=1, format="full", unlisted=VIEW)
async def taiga_get_batch(
    taiga: Taiga, project: ActiveProject, ids: Ids, kind: Kind = "user_story"
) -> Batch[AnyItem]:
    """Read up to 50 items at once."""
    return await Batches(taiga.items(KINDS[kind], project)).get(ids)


@taiga_more.update
async def taiga_update_batch(
    taiga: Taiga,
    project: ActiveProject,
    updates: Annotated[list[BatchChange], Field(min_length=1, max_length=50)],
    kind: Kind = "user_story",
) -> Batch[AnyItem]:
    """Change up to 50 items; each succeeds or fails by itself."""
    changes = [one.change(kind) for one in updates]
    return await Batches(taiga.items(KINDS[kind], project)).update(changes)


@taiga_more.create(unlisted=["idempotencyKey"])
async def taiga_create_batch(
    taiga: Taiga,
    project: ActiveProject,
    items: Annotated[list[NewOfBatch], Field(min_length=1, max_length=50)],
    kind: Kind = "user_story",
) -> Batch[AnyItem]:
    """Create up to 50 items; each succeeds or fails by itself."""
    new = [one.change(kind) for one in items]
    return await Batches(taiga.items(KINDS[kind], project)).create(new)
