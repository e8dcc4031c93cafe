"""Work items: create, change and delete those of one kind in one project."""

from collections.abc import Mapping
from typing import Any, Final

from laconic.effects import note_change
from laconic.kit import Failure, Guard
from laconic.servers.taiga.api.client import rows_of
from laconic.servers.taiga.models.items import Deleted
from laconic.servers.taiga.models.kinds import EPIC, STORY
from laconic.servers.taiga.service.failures import told
from laconic.servers.taiga.service.items.bodies import BodyWriter
from laconic.servers.taiga.service.items.conflicts import Conflicts
from laconic.servers.taiga.service.items.epic_links import EpicLinks
from laconic.servers.taiga.service.items.found_items import FoundItems, Row
from laconic.servers.taiga.service.projects import ActiveProject
from laconic.upstream import Forbidden, UpstreamError

UNCHANGED: Final = "It was so already: nothing was changed."


class WorkItems(FoundItems):
    """The items of one kind in one project."""

    async def create(self, given: Mapping[str, Any]) -> Any:
        """Create an item; a story is then linked to its epic, which may fail by itself."""
        wanted = {name: value for name, value in given.items() if value is not None}
        if "user_story_id" in wanted:
            story = await self.of(STORY).read(wanted["user_story_id"], "userStoryId")
            wanted["user_story_id"] = story["id"]
        wanted = await self._epic_resolved(wanted)
        body = await self.said(lambda project: self._writer(project).write(wanted))
        sent = {"project": self.project.id, **body.fields}
        row = await self.allowed(self.client.create(self.kind.path, body=sent), "add")
        remarks = [*body.remarks, *([self.off] if self.off else [])]
        if "epic_id" in wanted:
            remarks += await EpicLinks(self.client).added(row, wanted["epic_id"])
        return self.record(row, remarks)

    async def _epic_resolved(self, wanted: Mapping[str, Any]) -> dict[str, Any]:
        if wanted.get("epic_id") is None:
            return dict(wanted)
        return {**wanted, "epic_id": (await self.of(EPIC).read(wanted["epic_id"], "epicId"))["id"]}

    async def update(self, given: str, guard: Guard, changes: Mapping[str, Any]) -> Any:
        """Change an item; what is already so is not sent, and nothing is overwritten unseen."""
        before = await self.read(given)
        conflicts = Conflicts(self.client, self.kind)
        resolved = await self.resolved(await self._epic_resolved(changes))
        tags = [str(pair[0]) for pair in before["tags"]]
        body = await self.said(lambda project: self._writer(project).write(resolved, tags))
        differing = {name: value for name, value in body.fields.items() if _now(before, name) != value}
        conflicts.check_expected(guard, before, body.fields)
        row, remarks = before, list(body.remarks)
        if differing:
            row = await self.allowed(conflicts.changed(before, differing), "modify", before["id"])
            remarks += await conflicts.overwritten(before, row, differing)
        if "epic_id" in resolved:
            remarks += await self._linked(before, resolved["epic_id"], is_alone=not differing)
        if not differing and not remarks:
            remarks.append(UNCHANGED)
        return self.record(row, remarks)

    async def _linked(self, story: Row, epic: int | None, *, is_alone: bool) -> list[str]:
        """Link a story to an epic; after other changes a failure is a remark, because they were made."""
        try:
            return await self.of(EPIC).allowed(EpicLinks(self.client).moved(story, epic), "modify", epic)
        except (Failure, UpstreamError) as error:
            if is_alone:
                raise
            why = (told(error) if isinstance(error, UpstreamError) else error).message
            return [f"The rest was changed, and its epics were not: {why}"]

    async def create_in_bulk(self, body: Mapping[str, Any]) -> list[Row]:
        """Create several items with one request, and return them."""
        reply = await self.allowed(self.client.post(self.kind.path, "bulk_create", body=body), "add")
        rows = rows_of(reply)
        for row in rows:
            note_change(f"{self.kind.path}/{row['id']}")
        return rows

    async def comment(self, given: str, text: str) -> Row:
        """Add a comment to an item, and return the item; no field of it is touched."""
        before = await self.read(given)
        body = {"comment": text, "version": before["version"]}
        write = self.client.change(self.kind.path, before["id"], body=body)
        return await self.allowed(write, "comment", before["id"])

    async def delete(self, given: str) -> Deleted:
        """Delete an item."""
        row = await self.read(given)
        tasks = 0
        if self.kind is STORY:
            tasks = (await self.client.part("tasks", {"user_story": row["id"]}, 0, 1)).total
        await self.allowed(self._gone(row["id"]), "delete", row["id"])
        plural = "task was" if tasks == 1 else "tasks were"
        return Deleted(id=row["id"], remarks=[f"{tasks} {plural} deleted with it."] if tasks else [])

    async def _gone(self, id: int) -> None:
        """Delete an item; if an answer was lost, Taiga refuses the next try because it is gone already."""
        try:
            await self.client.delete(self.kind.path, id)
        except Forbidden as error:
            if error.changed is False or await self.client.find(self.kind.path, id) is not None:
                raise

    def _writer(self, project: ActiveProject) -> BodyWriter:
        return BodyWriter(self.kind, project, self.priorities)


def _now(row: Row, name: str) -> Any:
    """Return what a field of an item is now, in the form in which it is sent."""
    return [str(pair[0]) for pair in row["tags"]] if name == "tags" else row.get(name)
