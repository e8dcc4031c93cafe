"""Talk about an item: its comments, its history, and who watches it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from laconic.kit import Page, Window
from laconic.servers.taiga.models.kinds import EPIC, ISSUE, STORY, TASK
from laconic.servers.taiga.models.more import Comment, Commented, HistoryEntry, Watching
from laconic.servers.taiga.service.items.work_items import WorkItems
from laconic.servers.taiga.service.parts import page_of, start_of

_PATHS: Final = {EPIC: "epic", STORY: "userstory", TASK: "task", ISSUE: "issue"}
_LISTS: Final = {  # where names of ids in a history are
    "assigned_to": "members",
    "milestone": "milestones",
    "priority": "priorities",
    "severity": "severities",
    "type": "issue_types",
}
_TEXTS: Final = ("description", "blocked_note")  # too long for a line
_LONGEST: Final = 80  # letters of a value in a history


@dataclass(frozen=True)
class Talk:
    """What people say and do about the items of one kind in one project."""

    items: WorkItems

    async def comments(self, given: str, window: Window) -> Page[Comment]:
        """List comments, the newest first; of deleted ones only that they were there."""
        rows, total, start = await self._history(given, window, "comment")
        return page_of([_comment(row) for row in rows], total, start)

    async def history(self, given: str, window: Window) -> Page[HistoryEntry]:
        """List what happened, the newest first."""
        rows, total, start = await self._history(given, window, None)
        return page_of([self._entry(row) for row in rows], total, start)

    async def _history(
        self, given: str, window: Window, type: str | None
    ) -> tuple[list[dict[str, Any]], int, int]:
        start, id = start_of(window), (await self.items.read(given))["id"]
        path = f"history/{_PATHS[self.items.kind]}/{id}"
        found = await self.items.client.part(path, {"type": type}, start, window.count)
        return found.rows, found.total, start

    async def add_comment(self, given: str, text: str) -> Commented:
        """Add a comment; that needs the permission to comment, and none to change."""
        row = await self.items.comment(given, text)
        return Commented(id=row["id"], ref=row["ref"], subject=row["subject"])

    async def watch(self, given: str, *, is_wanted: bool, me: int) -> Watching:
        """Watch an item, or no longer; which changes nothing that others see but the list of watchers."""
        before = await self.items.read(given)
        watchers = list(before["watchers"])
        if (me in watchers) is not is_wanted:
            await self.items.client.post(
                self.items.kind.path, before["id"], "watch" if is_wanted else "unwatch"
            )
            watchers = [*(one for one in watchers if one != me), *([me] if is_wanted else [])]
        names = [self.items.project.title_of("members", one) or f"user {one}" for one in watchers]
        return Watching(id=before["id"], is_watched=is_wanted, watchers=names)

    def _entry(self, row: Mapping[str, Any]) -> HistoryEntry:
        return HistoryEntry(
            at=_minute(row["created_at"]),
            by=_person(row),
            changes="; ".join(self._changes(row.get("values_diff") or row.get("diff") or {})) or None,
            comment=row.get("comment") or None,
        )

    def _changes(self, diff: Mapping[str, Any]) -> Iterator[str]:
        for name, pair in diff.items():
            if name in _TEXTS or not isinstance(pair, list) or len(pair) != 2:
                yield name
            else:
                before, after = (self._named(name, value) for value in pair)
                yield f"{name}: {before} → {after}"

    def _named(self, name: str, value: Any) -> str:
        """Return a value of a history in words: Taiga sends names or ids."""
        if value in (None, "", []):
            return "none"
        if isinstance(value, list):
            return ", ".join(str(one[0] if isinstance(one, list) else one) for one in value)[:_LONGEST]
        key = self.items.kind.statuses if name == "status" else _LISTS.get(name, "")
        known = self.items.project.title_of(key, value) if key and isinstance(value, int) else None
        return (known or " ".join(str(value).split()))[:_LONGEST]


def _comment(row: Mapping[str, Any]) -> Comment:
    return Comment(
        at=_minute(row["created_at"]),
        by=_person(row),
        text="(deleted)" if row.get("delete_comment_date") else row["comment"],
        edited_at=_minute(row["edit_comment_date"]) if row.get("edit_comment_date") else None,
    )


def _minute(moment: str) -> str:
    return f"{moment[:16]}Z"


def _person(row: Mapping[str, Any]) -> str | None:
    user = row.get("user") or {}
    return user.get("name") or user.get("username")
