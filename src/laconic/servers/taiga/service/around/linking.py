"""Linking stories to epics by themselves: what is so already is left alone."""

from laconic.servers.taiga.models.kinds import EPIC, STORY
from laconic.servers.taiga.models.more import EpicLink
from laconic.servers.taiga.service.items.epic_links import EpicLinks
from laconic.servers.taiga.service.items.work_items import UNCHANGED, WorkItems


async def linked(items: WorkItems, epic_id: str, user_story_id: str, *, is_wanted: bool) -> EpicLink:
    """Link a story to an epic, or remove the link."""
    epics, links = items.of(EPIC), EpicLinks(items.client)
    epic = int((await epics.read(epic_id, "epicId"))["id"])
    story = await items.of(STORY).read(user_story_id, "userStoryId")
    remarks = []
    if any(one["id"] == epic for one in story.get("epics") or ()) is is_wanted:
        remarks.append(UNCHANGED)
    else:
        write = links.link if is_wanted else links.unlink
        await epics.allowed(write(epic, story["id"]), "modify", epic)
    return EpicLink(epic_id=epic, user_story_id=story["id"], is_linked=is_wanted, remarks=remarks)
