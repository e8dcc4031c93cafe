"""Conflicts: what others changed meanwhile is told, and never overwritten unseen."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from laconic.kit import Guard, Moved
from laconic.servers.taiga.api.client import Client
from laconic.servers.taiga.models.kinds import STORY, Kind
from laconic.servers.taiga.service.failures import ARGUMENTS, about
from laconic.upstream import Clash

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Conflicts:
    """Checks around one change of one item."""

    client: Client
    kind: Kind

    def check_expected(self, guard: Guard, before: Row, wanted: Row) -> None:
        """Refuse a change of an item that is no longer at the version the caller read.

        Raises:
            Moved: with both versions.
        """
        if guard.expected is not None and int(guard.expected) != before["version"]:
            raise self._moved(before, int(guard.expected), wanted)

    async def changed(self, before: Row, wanted: Row) -> dict[str, Any]:
        """Change an item from the version that was read.

        Raises:
            Moved: somebody changed one of the fields in between.
        """
        sent = before["version"]
        try:
            return await self.client.change(self.kind.path, before["id"], body={**wanted, "version": sent})
        except Clash as error:
            now = await self.client.get(self.kind.path, before["id"])
            raise self._moved(now, sent, wanted, before, **about(error)) from error

    def _moved(self, now: Row, sent: int, wanted: Row, before: Row | None = None, **more: Any) -> Moved:
        """Return the conflict: Taiga does not say which field, so those that differ are named."""
        since = before or {}
        differs = [name for name in wanted if name not in since or since[name] != now.get(name)]
        fields = list(dict.fromkeys(ARGUMENTS.get(name, name) for name in differs or wanted))
        current = now["version"]
        return Moved(
            f"{self.kind.noun.capitalize()} {now['id']}",
            expected=sent,
            current=current,
            category="validation",
            details={"conflict": True, "sentVersion": sent, "currentVersion": current, "fields": fields},
            about=more,
        )

    def overwritten(self, before: Row, after: Row, wanted: Row) -> list[str]:
        """Return what this change replaced although somebody had changed it in between.

        Taiga compares no assignees of stories: the last write wins without a word.
        """
        others = after["version"] - before["version"] - 1
        if self.kind is not STORY or "assigned_to" not in wanted or not others:
            return []
        return [f"Others changed it {others} times meanwhile; if they assigned somebody, this replaced it."]
