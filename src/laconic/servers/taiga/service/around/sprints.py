"""Sprints: list, create, and how far one is."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from laconic.kit import Page, Window
from laconic.servers.taiga.api.client import Client
from laconic.servers.taiga.models.kinds import SPRINT
from laconic.servers.taiga.models.more import Sprint, SprintProgress
from laconic.servers.taiga.service.items.refusing import Refusing
from laconic.servers.taiga.service.parts import page_of, start_of
from laconic.servers.taiga.service.projects import ActiveProject, NotInProject, Projects
from laconic.upstream import Forbidden


@dataclass(frozen=True)
class Sprints:
    """The sprints of one project."""

    client: Client
    projects: Projects
    project: ActiveProject

    async def find(self, window: Window, *, is_closed: bool | None) -> Page[Sprint]:
        """List sprints, the latest first."""
        start = start_of(window)
        closed = None if is_closed is None else str(is_closed).lower()
        query = {"project": self.project.id, "closed": closed}
        found = await self.client.part("milestones", query, start, window.count)
        if not found.total:
            self._refusing.check_view(self.project)
        return page_of([_sprint(row) for row in found.rows], found.total, start)

    async def create(self, name: str, start: date, finish: date) -> Sprint:
        """Create a sprint; the project knows it from now on."""
        body = {"project": self.project.id, "name": name}
        body |= {"estimated_start": start.isoformat(), "estimated_finish": finish.isoformat()}
        try:
            row = await self.client.create("milestones", body=body)
        except Forbidden as error:
            raise await self._refusing.explained(error, "add") from error
        self.projects.forget(self.project.id)
        return _sprint(row)

    async def progress(self, given: str) -> SprintProgress:
        """Return how far a sprint is."""
        try:
            sprint = self.project.named("milestones", given, "sprintId")
        except NotInProject:
            sprint = (await self._fresh()).named("milestones", given, "sprintId")
        found = await self.client.get("milestones", sprint["id"], "stats")
        return SprintProgress(
            id=sprint["id"],
            name=found["name"],
            start=found["estimated_start"],
            finish=found["estimated_finish"],
            stories=found["total_userstories"],
            stories_done=found["completed_userstories"],
            tasks=found["total_tasks"],
            tasks_done=found["completed_tasks"],
            points=_sum(found.get("total_points")),
            points_done=_sum(found.get("completed_points")),
        )

    async def _fresh(self) -> ActiveProject:
        return await self.projects.get(self.project.id, fresh=True)

    @property
    def _refusing(self) -> Refusing:
        return Refusing(self.client, SPRINT, self._fresh)


def _sum(points: Any) -> float:
    """Return points in all: Taiga sends them by role, or as a list."""
    values = points.values() if isinstance(points, dict) else points if isinstance(points, list) else ()
    return float(sum(value for value in values if isinstance(value, int | float)))


def _sprint(row: Mapping[str, Any]) -> Sprint:
    return Sprint(
        id=row["id"],
        name=row["name"],
        start=row["estimated_start"],
        finish=row["estimated_finish"],
        is_closed=row["closed"],
        stories=len(row.get("user_stories") or ()),
        points=row.get("total_points"),
        closed_points=row.get("closed_points"),
    )
