"""Tools for what people say and do about items: comments, history, watching, epics, their own work."""

from typing import Annotated

from laconic.kit import Page, Window
from laconic.servers.taiga.models.kinds import EPIC, KINDS
from laconic.servers.taiga.models.more import AnyItem, Comment, Commented, EpicLink, HistoryEntry, Watching
from laconic.servers.taiga.service import ActiveProject, Taiga
from laconic.servers.taiga.service.around.linking import linked
from laconic.servers.taiga.service.around.talk import Talk
from laconic.servers.taiga.tools.more.toolset import PART, VIEW, Id, Kind, Words, part, taiga_more


@taiga_more.read(attempts=1, unlisted=PART)
async def taiga_list_comments(
    taiga: Taiga, project: ActiveProject, kind: Kind, id: Id, window: Window = part()
) -> Page[Comment]:
    """List comments on an item, newest first."""
    return await Talk(taiga.items(KINDS[kind], project)).comments(id, window)


@taiga_more.create(unlisted=["idempotencyKey"])
async def taiga_add_comment(
    taiga: Taiga, project: ActiveProject, kind: Kind, id: Id, text: Annotated[Words, "Markdown."]
) -> Commented:
    """Comment on an item."""
    return await Talk(taiga.items(KINDS[kind], project)).add_comment(id, text)


@taiga_more.read(attempts=1, unlisted=PART)
async def taiga_get_history(
    taiga: Taiga, project: ActiveProject, kind: Kind, id: Id, window: Window = part()
) -> Page[HistoryEntry]:
    """List what changed on an item, newest first."""
    return await Talk(taiga.items(KINDS[kind], project)).history(id, window)


@taiga_more.update
async def taiga_watch(
    taiga: Taiga,
    project: ActiveProject,
    kind: Kind,
    id: Id,
    watch: Annotated[bool, "false: stop."] = True,
) -> Watching:
    """Watch an item, and see who does."""
    talk = Talk(taiga.items(KINDS[kind], project))
    return await talk.watch(id, is_wanted=watch, me=await taiga.me())


@taiga_more.update(hint="taiga_list_epics and taiga_list_user_stories find ids.")
async def taiga_link_epic(taiga: Taiga, project: ActiveProject, epic_id: Id, user_story_id: Id) -> EpicLink:
    """Add a story to an epic."""
    return await linked(taiga.items(EPIC, project), epic_id, user_story_id, is_wanted=True)


@taiga_more.update(hint="taiga_list_epics and taiga_list_user_stories find ids.")
async def taiga_unlink_epic(taiga: Taiga, project: ActiveProject, epic_id: Id, user_story_id: Id) -> EpicLink:
    """Remove a story from an epic; both stay."""
    return await linked(taiga.items(EPIC, project), epic_id, user_story_id, is_wanted=False)


@taiga_more.read(attempts=1, unlisted=VIEW)
async def taiga_my_work(taiga: Taiga, window: Window = part(50)) -> Page[AnyItem]:
    """List open items assigned to you in all projects, soonest due first."""
    return await taiga.my_work(window)
