"""Finding and reading work items of one kind in one project."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, Self, TypeVar

from laconic.kit import NotFound, Page, Window
from laconic.servers.taiga.api.client import Client, Rows
from laconic.servers.taiga.models.kinds import EPIC, KINDS, STORY, Kind
from laconic.servers.taiga.service.items.queries import NONE, query_of
from laconic.servers.taiga.service.items.records import record_of
from laconic.servers.taiga.service.items.refs import ref_of
from laconic.servers.taiga.service.items.refusing import Refusing, unseen
from laconic.servers.taiga.service.parts import page_of, start_of
from laconic.servers.taiga.service.projects import ActiveProject, NotInProject
from laconic.text import to_camel
from laconic.upstream import Forbidden, UpstreamError

_OTHERS: Final = {"epic_id": EPIC, "user_story_id": STORY}  # arguments that name items of another kind
Row = dict[str, Any]
Done = TypeVar("Done")


@dataclass(frozen=True)
class FoundItems:
    """The items of one kind in one project, to find and read."""

    client: Client
    kind: Kind
    project: ActiveProject
    fresh: Callable[[], Awaitable[ActiveProject]]  # the project as it is now
    priorities: Literal["tag", "refuse"] = "tag"

    async def find(self, window: Window, filters: Mapping[str, Any], text: str | None = None) -> Page[Any]:
        """List items, in Taiga's order."""
        start = start_of(window)
        resolved = await self.resolved(filters)
        query = await self.said(lambda project: query_of(self.kind, project, resolved, text))
        if query.tests:
            every = await self.client.every(self.kind.path, query.sent)
            kept = [row for row in every if all(test(row) for test in query.tests)]
            found = Rows(kept[start : start + window.count], len(kept))
        else:
            found = await self.client.part(self.kind.path, query.sent, start, window.count)
        if not found.total:
            self.refusing.check_view(self.project)
        items = [self.record(row) for row in found.rows]
        return page_of(items, found.total, start, remark=self.off)

    async def resolved(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return what was given, with ids in place of the numbers that people use."""
        found = dict(given)
        for name, kind in _OTHERS.items():
            if isinstance(given.get(name), str) and given[name] != NONE:
                found[name] = await self.of(kind).id_of(given[name], to_camel(name))
        return found

    async def id_of(self, given: str, argument: str) -> int:
        """Return the id of an item; asks only if it is known by the number that people use."""
        number, is_ref = ref_of(given, argument)
        return int((await self.read(given, argument))["id"]) if is_ref else number

    async def get(self, given: str) -> Any:
        """Read an item."""
        return self.record(await self.read(given))

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
            advice = await self._meant(number) if is_ref else ""
            advice = advice or f"Use {self.kind.finder} to find it."
            raise NotFound(self.kind.noun.capitalize(), given, advice=advice, about={"httpStatus": 404})
        self._check_project(row)
        return row

    async def _meant(self, ref: int) -> str:
        """Return what a number is instead: all kinds of items in a project are numbered together."""
        found: Row = {}
        with suppress(UpstreamError):  # that it is not here is known in any case
            found = await self.client.get("resolver", project=self.project.detail["slug"], ref=ref)
        for kind in KINDS.values():
            if kind.word in found:
                return f"#{ref} is {kind.one}, with the id {found[kind.word]}: {kind.finder} lists them."
        return ""

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

    async def named(self, key: str, value: str, argument: str) -> Mapping[str, Any]:
        """Return what a name or an id means in this project."""
        return await self.said(lambda project: project.named(key, value, argument))

    def of(self, kind: Kind) -> Self:
        """Return the items of another kind in the same project."""
        return replace(self, kind=kind)

    async def allowed(self, write: Awaitable[Done], verb: str, id: int | None = None) -> Done:
        """Return what a write returns; if it is refused, find out why."""
        try:
            return await write
        except Forbidden as error:
            raise await self.refusing.explained(error, verb, id) from error

    @property
    def refusing(self) -> Refusing:
        """Whoever explains refusals."""
        return Refusing(self.client, self.kind, self.fresh)

    async def said(self, make: Callable[[ActiveProject], Done]) -> Done:
        """Return what is made of a caller's words; before they are refused, the project is read again."""
        try:
            return make(self.project)
        except NotInProject:  # its detail may be half an hour old
            return make(await self.fresh())

    @property
    def off(self) -> str:
        """The remark that the project does not use this kind; empty if it does."""
        if not self.project.is_off(self.kind):
            return ""
        return (
            f"{self.project.detail['name']} has switched {self.kind.nouns} off: its pages do not show them."
        )

    def record(self, row: Row, remarks: Sequence[str] = ()) -> Any:
        """Return an item as callers see it."""
        return record_of(self.kind, row, self.project, remarks)
