"""Epic links: a story belongs to epics by links of their own, which are written after the story."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from laconic.servers.taiga.api.client import Client
from laconic.servers.taiga.service.failures import told
from laconic.upstream import UpstreamError

_LINKS = "related_userstories"


@dataclass(frozen=True)
class EpicLinks:
    """Links stories to epics."""

    client: Client

    async def link(self, epic: int, story: int) -> None:
        """Link a story to an epic."""
        await self.client.create("epics", epic, _LINKS, body={"epic": epic, "user_story": story})

    async def unlink(self, epic: int, story: int) -> None:
        """Remove a link."""
        await self.client.delete("epics", epic, _LINKS, story)

    async def added(self, story: dict[str, Any], epic: int) -> list[str]:
        """Link a new story; it exists whatever happens, so a failure is a remark."""
        try:
            await self.link(epic, story["id"])
        except UpstreamError as error:
            why = told(error).message
            return [
                f"Created as {story['id']}, and not linked to epic {epic}: {why}. Do not create it again."
            ]
        story["epics"] = [{"id": epic}]
        return []

    async def moved(self, story: Mapping[str, Any], epic: int | None) -> list[str]:
        """Link a story to an epic besides its others; None removes all of its links."""
        linked = [one["id"] for one in story.get("epics") or ()]
        if epic is None:
            for one in linked:
                await self.unlink(one, story["id"])
            return [f"Removed from {len(linked)} epics."] if linked else []
        if epic in linked:
            return []
        await self.link(epic, story["id"])
        return [f"Linked to epic {epic}."]
