"""Work items: find, read, create, change and delete those of one kind in one project."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from laconic.kit import Guard, NotFound, Page, Window
from laconic.servers.taiga.api.client import Client
from laconic.servers.taiga.models.items import Deleted
from laconic.servers.taiga.models.kinds import EPIC, STORY, Kind
from laconic.servers.taiga.service.bodies import BodyWriter
from laconic.servers.taiga.service.conflicts import Conflicts
from laconic.servers.taiga.service.projects import ActiveProject
from laconic.servers.taiga.service.queries import query_of
from laconic.servers.taiga.service.records import record_of
from laconic.servers.taiga.service.refs import ref_of
from laconic.text import to_camel

_OTHERS: Final = {"epic_id": EPIC, "user_story_id": STORY}
Row = dict[str, Any]


@dataclass(frozen=True)
class Items:
    """The items of one kind in one project."""

    client: Client
    kind: Kind
    project: ActiveProject
    priorities: Literal["tag", "refuse"] = "tag"

    async def find(self, window: Window, filters: Mapping[str, Any], text: str | None = None) -> Page[Any]:
        """List items, in Taiga's order."""
        start = window.position[0] if window.position else window.start
        query = query_of(self.kind, self.project, await self._resolved(filters), text)
        found = await self.client.list(self.kind.path, query, start, window.count)
        items = [self._record(row) for row in found.rows]
        end = start + len(items)
        return Page(items, found.total, (end,) if items and end < found.total else None, start)

    async def _resolved(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return what was given, with ids in place of the numbers that people use."""
        found = dict(given)
        for name, kind in _OTHERS.items():
            if given.get(name) is not None:
                other = replace(self, kind=kind)
                found[name] = await other.id_of(given[name], to_camel(name))
        return found

    async def id_of(self, given: str, argument: str) -> int:
        """Return the id of an item; asks only if it is known by the number that people use."""
        number, is_ref = ref_of(given, argument)
        return int((await self.read(given, argument))["id"]) if is_ref else number

    async def get(self, given: str) -> Any:
        """Read an item."""
        return self._record(await self.read(given))

    async def read(self, given: str, argument: str = "id") -> Row:
        """Return an item by its id, or by the number that people use.

        Raises:
            NotFound: there is none, or it is in another project.
        """
        number, is_ref = ref_of(given, argument)
        if is_ref:
            row = await self.client.find(self.kind.path, "by_ref", ref=number, project=self.project.id)
        else:
            row = await self.client.find(self.kind.path, number)
        if row is None:
            raise NotFound(self.kind.noun.capitalize(), given, about={"httpStatus": 404})
        self._check_project(row, given)
        return row

    def _check_project(self, row: Row, given: str) -> None:
        if row["project"] == self.project.id:
            return
        other = (row.get("project_extra_info") or {}).get("name", "another")
        raise NotFound(
            f"{self.kind.noun.capitalize()} of project {self.project.id}",
            given,
            advice=f"It is in project {row['project']} ({other}): pass projectId {row['project']}.",
            details={"projectId": row["project"]},
        )

    async def create(self, given: Mapping[str, Any]) -> Any:
        """Create an item."""
        body = self._writer.write({name: value for name, value in given.items() if value is not None})
        row = await self.client.create(self.kind.path, body={"project": self.project.id, **body.fields})
        return self._record(row, body.remarks)

    async def update(self, given: str, guard: Guard, changes: Mapping[str, Any]) -> Any:
        """Change an item; what is already so is not sent, and nothing is overwritten unseen."""
        before = await self.read(given)
        conflicts = Conflicts(self.client, self.kind)
        tags = [str(pair[0]) for pair in before["tags"]]
        body = self._writer.write(changes, tags)
        differing = {name: value for name, value in body.fields.items() if _now(before, name) != value}
        await conflicts.check_expected(guard, before, body.fields)
        if not differing:
            return self._record(before, ["It was so already: nothing was changed."])
        row = await conflicts.changed(before, differing)
        return self._record(row, [*body.remarks, *await conflicts.overwritten(before, row, differing)])

    async def delete(self, given: str) -> Deleted:
        """Delete an item."""
        row = await self.read(given)
        tasks = 0
        if self.kind is STORY:
            tasks = (await self.client.list("tasks", {"user_story": row["id"]}, 0, 1)).total
        await self.client.delete(self.kind.path, row["id"])
        plural = "task was" if tasks == 1 else "tasks were"
        return Deleted(id=row["id"], remarks=[f"{tasks} {plural} deleted with it."] if tasks else [])

    @property
    def _writer(self) -> BodyWriter:
        return BodyWriter(self.kind, self.project, self.priorities)

    def _record(self, row: Row, remarks: list[str] | None = None) -> Any:
        record = record_of(self.kind, row, self.project)
        record.remarks = remarks or []
        return record


def _now(row: Row, name: str) -> Any:
    """Return what a field of an item is now, in the form in which it is sent."""
    return [str(pair[0]) for pair in row["tags"]] if name == "tags" else row.get(name)
