"""Work items: find, read, create, change and delete those of one kind in one project."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeVar

from laconic.kit import Guard, NotFound, Page, Window
from laconic.servers.taiga.api.client import Client, Rows
from laconic.servers.taiga.models.items import Deleted
from laconic.servers.taiga.models.kinds import EPIC, STORY, Kind
from laconic.servers.taiga.service.bodies import BodyWriter
from laconic.servers.taiga.service.conflicts import Conflicts
from laconic.servers.taiga.service.epic_links import EpicLinks
from laconic.servers.taiga.service.parts import page_of, start_of
from laconic.servers.taiga.service.projects import ActiveProject
from laconic.servers.taiga.service.queries import query_of
from laconic.servers.taiga.service.records import record_of
from laconic.servers.taiga.service.refs import ref_of
from laconic.servers.taiga.service.refusing import Refusing, unseen
from laconic.text import to_camel
from laconic.upstream import Forbidden

_OTHERS: Final = {"epic_id": EPIC, "user_story_id": STORY}  # arguments that name items of another kind
Row = dict[str, Any]
Done = TypeVar("Done")


@dataclass(frozen=True)
class Items:
    """The items of one kind in one project."""

    client: Client
    kind: Kind
    project: ActiveProject
    fresh: Callable[[], Awaitable[ActiveProject]]  # the project as it is now
    priorities: Literal["tag", "refuse"] = "tag"

    async def find(self, window: Window, filters: Mapping[str, Any], text: str | None = None) -> Page[Any]:
        """List items, in Taiga's order."""
        start = start_of(window)
        query = query_of(self.kind, self.project, await self._resolved(filters), text)
        if query.tests:
            every = await self.client.every(self.kind.path, query.sent)
            kept = [row for row in every if all(test(row) for test in query.tests)]
            found = Rows(kept[start : start + window.count], len(kept))
        else:
            found = await self.client.part(self.kind.path, query.sent, start, window.count)
        if not found.total:
            self._refusing.check_view(self.project)
        items = [self._record(row) for row in found.rows]
        return page_of(items, found.total, start, remark=self._off)

    async def _resolved(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return what was given, with ids in place of the numbers that people use."""
        found = dict(given)
        for name, kind in _OTHERS.items():
            if given.get(name) is not None:
                found[name] = await replace(self, kind=kind).id_of(given[name], to_camel(name))
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
        try:
            if is_ref:
                row = await self.client.find(self.kind.path, "by_ref", ref=number, project=self.project.id)
            else:
                row = await self.client.find(self.kind.path, number)
        except Forbidden as error:
            raise unseen(self.kind, given, error) from error
        if row is None:
            advice = f"Use {self.kind.finder} to find it."
            raise NotFound(self.kind.noun.capitalize(), given, advice=advice, about={"httpStatus": 404})
        self._check_project(row)
        return row

    def _check_project(self, row: Row) -> None:
        if row["project"] == self.project.id:
            return
        other = (row.get("project_extra_info") or {}).get("name", "another")
        raise NotFound(
            f"In project {self.project.id}, {self.kind.noun}",
            row["id"],
            advice=f"It is in project {row['project']} ({other}): pass projectId {row['project']}.",
            details={"projectId": row["project"]},
        )

    async def create(self, given: Mapping[str, Any]) -> Any:
        """Create an item; a story is then linked to its epic, which may fail by itself."""
        wanted = {name: value for name, value in given.items() if value is not None}
        if "user_story_id" in wanted:
            story = await replace(self, kind=STORY).read(wanted["user_story_id"], "userStoryId")
            wanted["user_story_id"] = story["id"]
        wanted = await self._epic_resolved(wanted)
        body = self._writer.write(wanted)
        sent = {"project": self.project.id, **body.fields}
        row = await self._allowed(self.client.create(self.kind.path, body=sent), "add")
        remarks = [*body.remarks, *([self._off] if self._off else [])]
        if "epic_id" in wanted:
            remarks += await EpicLinks(self.client).added(row, wanted["epic_id"])
        return self._record(row, remarks)

    async def _epic_resolved(self, wanted: dict[str, Any]) -> dict[str, Any]:
        if wanted.get("epic_id") is None:
            return wanted
        return {**wanted, "epic_id": (await replace(self, kind=EPIC).read(wanted["epic_id"], "epicId"))["id"]}

    async def update(self, given: str, guard: Guard, changes: Mapping[str, Any]) -> Any:
        """Change an item; what is already so is not sent, and nothing is overwritten unseen."""
        before = await self.read(given)
        conflicts = Conflicts(self.client, self.kind)
        resolved = await self._resolved(changes)
        body = self._writer.write(resolved, [str(pair[0]) for pair in before["tags"]])
        differing = {name: value for name, value in body.fields.items() if _now(before, name) != value}
        conflicts.check_expected(guard, before, body.fields)
        row, remarks = before, list(body.remarks)
        if differing:
            row = await self._allowed(conflicts.changed(before, differing), "modify", before["id"])
            remarks += conflicts.overwritten(before, row, differing)
        if "epic_id" in resolved:
            remarks += await EpicLinks(self.client).moved(before, resolved["epic_id"])
        elif not differing:
            remarks.append("It was so already: nothing was changed.")
        return self._record(row, remarks)

    async def delete(self, given: str) -> Deleted:
        """Delete an item."""
        row = await self.read(given)
        tasks = 0
        if self.kind is STORY:
            tasks = (await self.client.part("tasks", {"user_story": row["id"]}, 0, 1)).total
        await self._allowed(self.client.delete(self.kind.path, row["id"]), "delete", row["id"])
        plural = "task was" if tasks == 1 else "tasks were"
        return Deleted(id=row["id"], remarks=[f"{tasks} {plural} deleted with it."] if tasks else [])

    async def _allowed(self, write: Awaitable[Done], verb: str, id: int | None = None) -> Done:
        """Return what a write returns; if it is refused, find out why."""
        try:
            return await write
        except Forbidden as error:
            raise await self._refusing.explained(error, verb, id) from error

    @property
    def _refusing(self) -> Refusing:
        return Refusing(self.client, self.kind, self.fresh)

    @property
    def _writer(self) -> BodyWriter:
        return BodyWriter(self.kind, self.project, self.priorities)

    @property
    def _off(self) -> str:
        if not self.project.is_off(self.kind):
            return ""
        return (
            f"{self.project.detail['name']} has switched {self.kind.nouns} off: its pages do not show them."
        )

    def _record(self, row: Row, remarks: list[str] | None = None) -> Any:
        record = record_of(self.kind, row, self.project)
        record.remarks = remarks or []
        return record


def _now(row: Row, name: str) -> Any:
    """Return what a field of an item is now, in the form in which it is sent."""
    return [str(pair[0]) for pair in row["tags"]] if name == "tags" else row.get(name)
