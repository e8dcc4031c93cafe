"""The client: lists with exact totals, single things, and writes, as plain data."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from laconic.effects import note_change
from laconic.servers.taiga.api.paging import cuts_for
from laconic.servers.taiga.api.waits import note_wait
from laconic.servers.taiga.api.written import note_written
from laconic.upstream import Absent, ApiReply, ApiSession, BadReply, path_of

Query = Mapping[str, Any]
_MOST: Final = 1000  # rows of a page


@dataclass(frozen=True)
class Rows:
    """A part of a list, and how long the whole list is."""

    rows: list[dict[str, Any]]
    total: int


@dataclass
class Client:
    """Requests to one instance."""

    session: ApiSession

    async def part(self, table: str, query: Query, offset: int, limit: int) -> Rows:
        """Return a part of a list, never more than asked for; past the end there are none."""
        rows: list[dict[str, Any]] = []
        total = 0
        for cut in cuts_for(offset, limit):
            paging = {"page": cut.page, "page_size": cut.size}
            try:
                reply = await self._get(path_of(table), {**query, **paging})
            except Absent:
                if cut.page == 1:
                    raise
                break
            rows += rows_of(reply)[cut.skip :]
            total = _total(reply)
        if not rows and offset:
            total = _total(await self._get(path_of(table), {**query, "page": 1, "page_size": 1}))
        return Rows(rows[:limit], total)

    async def every(self, table: str, query: Query) -> list[dict[str, Any]]:
        """Return all rows of a list."""
        found = await self.part(table, query, 0, _MOST)
        rows = found.rows
        while len(rows) < found.total and found.rows:
            found = await self.part(table, query, len(rows), _MOST)
            rows = [*rows, *found.rows]
        return rows

    async def get(self, *parts: Any, **query: Any) -> dict[str, Any]:
        """Return one thing."""
        return _object(await self.reply(*parts, **query))

    async def reply(self, *parts: Any, **query: Any) -> ApiReply:
        """Return the whole reply about one thing."""
        return await self._get(path_of(*parts), query)

    async def find(self, *parts: Any, **query: Any) -> dict[str, Any] | None:
        """Return one thing; None if there is no such thing."""
        try:
            return await self.get(*parts, **query)
        except Absent:
            return None

    async def create(self, *parts: Any, body: Mapping[str, Any]) -> dict[str, Any]:
        """Create something, and return it as it is now."""
        row = _object(await self.post(*parts, body=body))
        note_written(parts, row, body, {})
        return row

    async def post(self, *parts: Any, body: Mapping[str, Any] | None = None) -> ApiReply:
        """Send a POST that is never repeated, and return whatever comes back."""
        reply = await self.session.post(path_of(*parts), body=dict(body or {}), group="writes")
        return self._noted(reply, "writes")

    async def change(
        self, *parts: Any, body: Mapping[str, Any], before: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """Change something, and return it as it is now; `before` is what it was, for the journal."""
        reply = await self.session.patch(path_of(*parts), body=dict(body), group="writes")
        row = _object(self._noted(reply, "writes"))
        note_written(parts[:-1], row, body, before)
        return row

    async def delete(self, *parts: Any) -> None:
        """Delete something."""
        self._noted(await self.session.delete(path_of(*parts), group="writes"), "writes")
        note_change("/".join(map(str, parts)))

    async def _get(self, path: str, query: Query) -> ApiReply:
        return self._noted(await self.session.get(path, query=query, group="reads"), "reads")

    def _noted(self, reply: ApiReply, group: str) -> ApiReply:
        note_wait(reply.waited, self.session.outlook(group))
        return reply


def rows_of(reply: ApiReply) -> list[dict[str, Any]]:
    """Return the rows that a reply has.

    Raises:
        BadReply: it has none.
    """
    if not isinstance(reply.data, list):
        raise BadReply("Taiga sent no list where one was expected.", changed=False)
    return reply.data


def _object(reply: ApiReply) -> dict[str, Any]:
    if not isinstance(reply.data, dict):
        raise BadReply("Taiga sent no object where one was expected.")
    return reply.data


def _total(reply: ApiReply) -> int:
    count = reply.headers.get("x-pagination-count", "")
    if not count.isdecimal():
        raise BadReply(
            "Taiga did not say how long the list is: a proxy may remove its headers.", changed=False
        )
    return int(count)
