"""Taiga: one instance, as one account."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from laconic.kit import Page, Window
from laconic.servers.taiga.api.account import claims_of
from laconic.servers.taiga.api.client import Client
from laconic.servers.taiga.models.kinds import Kind
from laconic.servers.taiga.models.more import AnyItem
from laconic.servers.taiga.models.projects import Member, Project
from laconic.servers.taiga.service.around.my_work import find_my_work
from laconic.servers.taiga.service.around.sprints import Sprints
from laconic.servers.taiga.service.items.work_items import WorkItems
from laconic.servers.taiga.service.metadata import members_of
from laconic.servers.taiga.service.projects import ActiveProject, Projects, no_project
from laconic.servers.taiga.settings import TaigaSettings


@dataclass
class Taiga:
    """Everything that tools ask for."""

    client: Client
    projects: Projects
    instance: str
    settings: TaigaSettings
    token: Callable[[], Awaitable[str]]

    def items(self, kind: Kind, project: ActiveProject) -> WorkItems:
        """Return the items of a kind in a project."""

        async def fresh() -> ActiveProject:
            return await self.projects.get(project.id, fresh=True)

        return WorkItems(self.client, kind, project, fresh, self.settings.priorities)

    def sprints(self, project: ActiveProject) -> Sprints:
        """Return the sprints of a project."""
        return Sprints(self.client, self.projects, project)

    async def my_work(self, window: Window) -> Page[AnyItem]:
        """List what is assigned to the account, in all projects."""
        return await find_my_work(self.client, await self.me(), window)

    async def list_projects(self, window: Window, *, include_public: bool) -> Page[Project]:
        """List the account's projects, or all that it can see."""
        return await self.projects.find(window, None if include_public else await self.me())

    async def read_project(self, chosen: int | str | None, active: int | None) -> Project:
        """Return a project, by default the active one.

        Raises:
            BadArguments: there is neither.
        """
        if chosen is None and active is None:
            raise no_project()
        found = await self.projects.get(chosen or active or 0)
        return self.projects.record(found, is_active=found.id == active)

    async def members(self, project: ActiveProject, window: Window) -> Page[Member]:
        """List the members of a project."""
        rows = await self.client.every("memberships", {"project": project.id})
        return members_of(project, rows, window)

    async def me(self) -> int:
        """Return the id of the account's user, which its token names."""
        known = claims_of(await self.token()).get("user_id")
        return int(known if known is not None else (await self.client.get("users", "me"))["id"])
