"""What a call of the library does, and the same by the bare driver: one class for each kind of database."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from itertools import count
from pathlib import Path
from typing import Any, Final

import psycopg

from laconic.kit import Changes, Window
from laconic.library.lists import page_of
from laconic.servers.prompts.models import Edit
from laconic.servers.prompts.service import Library, PromptQuery
from laconic.servers.prompts.store import KIND
from laconic.servers.prompts.templates.judge import Judge
from laconic.stores import By, Database, ItemQuery, Shelf

__all__ = ["BareDriver", "Client", "Served"]

Call = Callable[[], Awaitable[object]]
_PAGE: Final = 50
_COLUMNS: Final = "id, name, title, description, extra, version, created_at, updated_at, substr(body, 1, 500)"
_NAMED: Final = "kind = 'prompt' AND name = ? AND deleted_at IS NULL"  # what the index of names needs
_FIELDS: Final = ("name", "title", "description", "terms", "body")


class Served:
    """The service that tools, commands and REST share, on one database."""

    def __init__(self, address: str | Path) -> None:
        self._database = Database(address, [Shelf.schema])
        self._shelf = Shelf(self._database, [KIND])
        self.library = Library(self._shelf, Judge(), Changes())
        self._edits = count()

    async def names(self, many: int) -> list[str]:
        """Return some names, from all over the library."""
        page = await self._shelf.read(lambda desk: desk.search(ItemQuery(["prompt"], sort="name"), 10_000))
        names = [item.name or "" for item in page.items]
        return names[:: max(1, len(names) // many)][:many]

    async def search(self, text: str, kinds: Sequence[str]) -> int:
        """Return how many items a text finds; the best page of them is read."""
        page = await page_of(self._shelf, ItemQuery(kinds, text), Window(size=_PAGE), lambda item: item)
        return page.total or 0

    async def last_position(self) -> tuple[Any, ...]:
        """Return the position after which the last page begins."""

        def work(desk: Any) -> tuple[Any, ...]:
            query = ItemQuery(["prompt"])
            skip = max(0, desk.count(query) - _PAGE - 1)
            after: tuple[Any, ...] = desk.search(query, 1, skip=skip).after
            return (skip + 1, *after)

        return await self._shelf.read(work)

    async def listed(self, position: tuple[Any, ...] | None) -> object:
        """Return the first page of the list, or another one."""
        return await self.library.reading.find(Window(size=_PAGE, position=position), PromptQuery())

    async def get(self, name: str) -> object:
        """Read a prompt."""
        return await self.library.reading.get(name)

    async def edit(self, name: str) -> object:
        """Change the last line of a prompt; its template is checked."""
        prompt = await self.library.reading.get(name)
        last = (prompt.content or "").rpartition("\n")[2]
        change = Edit(old_str=f"\n{last}", new_str=f"\nItem changed {next(self._edits)}.")
        return await self.library.editing.edit(name, [change], By("bench", "bench"))

    async def close(self) -> None:
        """End the workers and close the database."""
        await self.library.close()
        await self._database.close()


class BareDriver:
    """The fewest statements that do the same, on a connection of the driver itself."""

    def __init__(self, address: str | Path) -> None:
        self._is_file = isinstance(address, Path)
        self._db: Any
        if isinstance(address, Path):
            self._db = sqlite3.connect(address, isolation_level=None, check_same_thread=False, timeout=60)
            self._db.execute("PRAGMA synchronous = NORMAL")
        else:
            self._db = psycopg.connect(address, autocommit=True)

    def like(self, text: str, kinds: Sequence[str]) -> int:
        """Return how many items have all words of a text; the best page of them is read, as ours is.

        It is what can be done without an index: every field of every item is looked at once.
        """
        words = text.split() if text.replace(" ", "").isalpha() else [text.strip('"')]
        hit = " AND ".join("(" + " OR ".join(f"{field} LIKE ?" for field in _FIELDS) + ")" for _ in words)
        best = " ".join(f"WHEN {field} LIKE ? THEN {rank}" for rank, field in enumerate(_FIELDS))
        among = ", ".join("?" for _ in kinds)
        found = self._all(
            f"SELECT {_COLUMNS}, count(*) OVER () FROM items WHERE kind IN ({among}) AND deleted_at IS NULL"
            f" AND {hit} ORDER BY CASE {best} END, created_at DESC, id DESC LIMIT {_PAGE}",
            [*kinds, *(f"%{word}%" for word in words for _ in _FIELDS), *[f"%{words[0]}%"] * len(_FIELDS)],
        )
        return int(found[0][-1]) if found else 0

    def listed(self, position: tuple[Any, ...] | None) -> object:
        """Read a page of the list."""
        after = "" if position is None else "AND (created_at, id) < (?, ?)"
        query = f"SELECT {_COLUMNS} FROM items WHERE kind = 'prompt' {after}"
        values = [] if position is None else list(position[1:])
        return self._all(f"{query} ORDER BY created_at DESC, id DESC LIMIT {_PAGE}", values)

    def get(self, name: str) -> object:
        """Read a prompt."""
        return self._all(f"SELECT {_COLUMNS}, body FROM items WHERE {_NAMED}", [name])

    def edit(self, name: str) -> None:
        """Read a prompt, write its body and keep a version, in a transaction."""
        self._db.execute("BEGIN IMMEDIATE" if self._is_file else "BEGIN")
        lock = "" if self._is_file else " FOR UPDATE"
        query = f"SELECT n, version, body FROM items WHERE {_NAMED}{lock}"
        number, version, body = self._all(query, [name])[0]
        body = f"{body.rpartition(chr(10))[0]}\nItem changed {version}."
        self._run("UPDATE items SET body = ?, version = ? WHERE n = ?", [body, version + 1, number])
        self._run(
            "INSERT INTO item_versions (item, number, action, at, author, source, details, changed, snapshot,"
            " body_number, body) VALUES (?, ?, 'update', 0, '', '', '{}', '[]', '{}', ?, ?)",
            [number, version + 1, version + 1, body],
        )
        self._db.execute("COMMIT")

    def close(self) -> None:
        """Close the connection."""
        self._db.close()

    def _all(self, sql: str, values: Sequence[Any]) -> list[Any]:
        found: list[Any] = self._run(sql, values).fetchall()
        return found

    def _run(self, sql: str, values: Sequence[Any]) -> Any:
        return self._db.execute(sql if self._is_file else sql.replace("?", "%s"), values)


class Client:
    """One of several clients at the same time: its own prompts, and its own connection of the bare driver."""

    def __init__(self, served: Served, address: str | Path, names: Sequence[str]) -> None:
        self.served, self.bare = served, BareDriver(address)
        self._names, self._next = names, count()

    def name(self) -> str:
        """Return the next of its names."""
        return self._names[next(self._next) % len(self._names)]
