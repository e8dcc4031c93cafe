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
            return await self._sent(before, wanted, sent)
        except Clash as error:
            now = await self.client.get(self.kind.path, before["id"])
            if any(_differs(name, before, now) for name in wanted):
                raise self._moved(now, sent, wanted, before, **about(error)) from error
        # Changes that change nothing make Taiga see conflicts where none of these fields was touched.
        try:
            return await self._sent(now, wanted, now["version"])
        except Clash as error:
            later = await self.client.get(self.kind.path, before["id"])
            raise self._moved(later, now["version"], wanted, now, **about(error)) from error

    async def _sent(self, before: Row, wanted: Row, version: int) -> dict[str, Any]:
        body = {**wanted, "version": version}
        return await self.client.change(self.kind.path, before["id"], body=body, before=before)

    def _moved(self, now: Row, sent: int, wanted: Row, before: Row | None = None, **more: Any) -> Moved:
        """Return the conflict: Taiga does not say which field, so those that differ are named."""
        since = before or {}
        differs = [name for name in wanted if _differs(name, since, now)]
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

    async def overwritten(self, before: Row, after: Row, wanted: Row) -> list[str]:
        """Return what this change replaced although somebody had changed it in between.

        Taiga compares no assignees of stories: the last write wins without a word. Its history tells.
        """
        others = after["version"] - before["version"] - 1
        if self.kind is not STORY or "assigned_to" not in wanted or others <= 0:
            return []
        found = await self.client.part(f"history/userstory/{after['id']}", {}, 0, others + 1)
        for entry in found.rows[1:]:  # the first is this change
            if "assigned_to" in (entry.get("diff") or {}):
                who = (entry.get("user") or {}).get("name") or "Somebody"
                return [
                    f"Conflict: {who} changed assignedToId meanwhile, and this replaced it "
                    f"(version {before['version']} was read, {after['version']} is current)."
                ]
        return []


def _differs(name: str, one: Row, other: Row) -> bool:
    return name not in one or one[name] != other.get(name)
