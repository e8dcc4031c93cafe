"""Refusing: Taiga answers 403 for half of what can be wrong; these questions find out which half."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from laconic.kit import Failure, NotFound, Refused
from laconic.servers.taiga.api.client import Client
from laconic.servers.taiga.models.kinds import Kind
from laconic.servers.taiga.service.failures import about
from laconic.servers.taiga.service.projects import ActiveProject
from laconic.upstream import Forbidden

_ASK = "Ask an administrator of the project for it."


@dataclass(frozen=True)
class Refusing:
    """Explains refusals of writes to one kind in one project."""

    client: Client
    kind: Kind
    fresh: Callable[[], Awaitable[ActiveProject]]  # the project as it is now

    async def explained(self, error: Forbidden, verb: str, id: int | None = None) -> Failure:
        """Return why a write was refused."""
        detail = (await self.fresh()).detail
        name, facts = detail["name"], about(error)
        state = detail.get("archived_code") or detail.get("blocked_code")
        if state:
            words = f"Project {name} is {state.replace('-', ' ')}: it can be read and not changed."
            return Refused(words, advice="Work on another project.", about=facts)
        needed = f"{verb}_{self.kind.word}"
        if needed not in detail.get("my_permissions", ()):
            words = f"This account may not {verb} {self.kind.nouns} in {name}: it lacks {needed}."
            return Refused(words, advice=_ASK, about=facts)
        if id is not None and await self.client.find(self.kind.path, id) is None:
            return NotFound(self.kind.noun.capitalize(), id, about=facts)
        return Refused(
            f"Taiga refused to {verb} {self.kind.one} in {name}, and did not say why.", about=facts
        )

    def check_view(self, project: ActiveProject) -> None:
        """Refuse where an empty list only means that the account may not look.

        Raises:
            Refused: the permission to view is missing.
        """
        needed = f"view_{self.kind.view}"
        if needed not in project.detail.get("my_permissions", (needed,)):
            name = project.detail["name"]
            raise Refused(
                f"This account may not see {self.kind.nouns} of {name}: it lacks {needed}.", advice=_ASK
            )


def unseen(kind: Kind, given: Any, error: Forbidden) -> Refused:
    """Return the failure for an item of a project that the account cannot see."""
    words = f"{kind.noun.capitalize()} {given} is in a project that this account cannot see."
    return Refused(words, advice=f"Use {kind.finder} to find others.", about=about(error))
