"""Projects: one detail of a project answers what its statuses, members and sprints are called."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from laconic.kit import BadArguments, NotFound, Page, Problem, Refused, Window
from laconic.servers.taiga.api.client import Client
from laconic.servers.taiga.models.kinds import KINDS, Kind
from laconic.servers.taiga.models.projects import Project
from laconic.servers.taiga.service.parts import page_of, start_of
from laconic.text import nearest
from laconic.upstream import Forbidden

_KEPT: Final = 30 * 60.0  # seconds
_MODULES: Final = ("epics", "backlog", "kanban", "issues", "wiki")
_FIND: Final = "Use taiga_list_projects to find it."


class NotInProject(BadArguments):
    """A name or an id that a project does not have, or did not have when it was read."""


@dataclass(frozen=True)
class ActiveProject:
    """The project that a call works on."""

    detail: Mapping[str, Any] = field(repr=False)

    @property
    def id(self) -> int:
        """Its id."""
        return int(self.detail["id"])

    @property
    def pins(self) -> dict[str, Any]:
        """What a cursor of a call is bound to."""
        return {"projectId": self.id}

    def statuses(self, kind: Kind) -> list[Mapping[str, Any]]:
        """Return the statuses that items of a kind may have."""
        return list(self.detail[kind.statuses])

    def named(self, key: str, value: str, argument: str) -> Mapping[str, Any]:
        """Return the row of a list in the detail that an id or a name means.

        Raises:
            NotInProject: there is none.
        """
        rows: list[Mapping[str, Any]] = list(self.detail[key])
        for row in rows:
            if value == str(row["id"]) or value.casefold() in _names(row):
                return row
        allowed = tuple(f"{row['id']} {_title(row)}" for row in rows)
        near = nearest(value, [_title(row) for row in rows])
        hint = f" Did you mean '{near[0]}'?" if near else ""
        message = f"Invalid {argument} '{value}'. Valid values: {', '.join(allowed) or 'none'}.{hint}"
        raise NotInProject([Problem(argument, message, value, allowed)])

    def title_of(self, key: str, id: Any) -> str | None:
        """Return what a row of a list in the detail is called."""
        return next((_title(row) for row in self.detail[key] if row["id"] == id), None)

    def is_off(self, kind: Kind) -> bool:
        """True if the project does not use a kind; the API creates such items all the same."""
        return bool(kind.module) and not self.detail.get(kind.module, True)


def _names(row: Mapping[str, Any]) -> set[str]:
    keys = ("name", "slug", "username", "full_name", "full_name_display")
    return {str(row[key]).casefold() for key in keys if row.get(key)}


def _title(row: Mapping[str, Any]) -> str:
    return str(row.get("full_name_display") or row.get("name") or row.get("username"))


class Projects:
    """Finds projects, and keeps their details for a while."""

    def __init__(self, client: Client, instance: str, now: Callable[[], float]) -> None:
        self._client, self._instance, self._now = client, instance, now
        self._kept: dict[int, tuple[float, dict[str, Any]]] = {}

    async def find(self, window: Window, member: int | None) -> Page[Project]:
        """List projects: those of a member, or everything that the account can see."""
        start = start_of(window)
        query = {"member": member, "order_by": "user_order"}
        found = await self._client.part("projects", query, start, window.count)
        return page_of([self._record(row) for row in found.rows], found.total, start)

    async def get(self, project: int | str, *, fresh: bool = False) -> ActiveProject:
        """Return a project by its id or its slug; its detail may be half an hour old.

        Raises:
            NotFound: there is none, or the account cannot see it.
            Refused: it exists, and the account is not a member.
        """
        if isinstance(project, str) and not project.isdecimal():
            return self._keep(await self._client.find("projects", "by_slug", slug=project), project)
        id = int(project)
        at, detail = self._kept.get(id, (0.0, None))
        if detail is not None and not fresh and self._now() - at < _KEPT:
            return ActiveProject(detail)
        try:
            return self._keep(await self._client.find("projects", id), project)
        except Forbidden as error:
            raise Refused(
                f"Project {id} is private, and this account is not a member.",
                advice="Ask its owner for access, or choose another: taiga_list_projects shows yours.",
                about={"httpStatus": error.status},
            ) from error

    def _keep(self, detail: dict[str, Any] | None, asked: int | str) -> ActiveProject:
        if detail is None:
            raise NotFound("Project", asked, advice=_FIND, about={"httpStatus": 404})
        self._kept[detail["id"]] = (self._now(), detail)
        return ActiveProject(detail)

    def forget(self, id: int | None = None) -> None:
        """Forget the detail of a project, or all details."""
        if id is None:
            self._kept.clear()
        else:
            self._kept.pop(id, None)

    def record(self, project: ActiveProject, *, is_active: bool | None = None) -> Project:
        """Return everything about a project that a caller can use."""
        return self._record(project.detail, is_active=is_active)

    def _record(self, row: Mapping[str, Any], *, is_active: bool | None = None) -> Project:
        is_detail = "us_statuses" in row
        record = Project(
            id=row["id"],
            slug=row["slug"],
            name=row["name"],
            is_private=row["is_private"],
            state=_state(row),
            description=row.get("description"),
            created_date=row.get("created_date"),
            modified_date=row.get("modified_date"),
            modules=[name for name in _MODULES if row.get(f"is_{name}_activated")],
            is_admin=row.get("i_am_admin"),
            members=len(row.get("members", ())),
            instance=self._instance,
            is_active=is_active,
        )
        if is_detail:
            record.tags = [str(pair[0]) for pair in row.get("tags_colors") or ()]
            record.sprints = [f"{one['id']} {one['name']}" for one in row["milestones"] if not one["closed"]]
            record.remarks = list(_remarks(row))
        return record


def no_project() -> BadArguments:
    """Return the failure of a call that names no project before one is active."""
    return BadArguments("Active project not set", advice="Call taiga_set_active_project, or pass projectId.")


def _state(row: Mapping[str, Any]) -> str | None:
    return row.get("archived_code") or row.get("blocked_code") or None


def _remarks(row: Mapping[str, Any]) -> Iterable[str]:
    if state := _state(row):
        yield f"It is {state.replace('-', ' ')}: it can be read and not changed."
    off = [kind.nouns for kind in KINDS.values() if kind.module and not row.get(kind.module, True)]
    if off:
        yield f"Its web pages show no {' and no '.join(off)}: that module is switched off."
