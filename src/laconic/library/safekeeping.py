"""Safekeeping: the library is the user's only copy, so it can be backed up, put back and checked.

A backup is one SQLite file, also of a PostgreSQL: what was kept in the one can be put into the other.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from anyio import to_thread

from laconic.kit import BadArguments, NotFound
from laconic.stores import Database, Shelf, Unusable
from laconic.stores.database.address import file_of
from laconic.stores.database.sqlite.copies import copy_file, faults_of, put_back, tables_of

__all__ = ["LibraryCheck", "Safekeeping"]


@dataclass(frozen=True)
class LibraryCheck:
    """How a library is: what it has, and what is wrong with it."""

    items: dict[str, int]  # by kind, in whatever state
    versions: int
    faults: list[str]


class Safekeeping:
    """Backs up, restores and checks the library at one address."""

    def __init__(self, address: str, folder: Path) -> None:
        """Take the library, and the folder for copies that are made without being asked for."""
        self._address = address
        self._file = file_of(address)
        self._folder = folder

    async def backup(self, target: Path) -> None:
        """Write everything into a new file.

        Raises:
            NotFound: there is no library yet.
            BadArguments: there is such a file already.
            StoreDown: the library cannot be read, or the file not be written.
        """
        if _is_there(target):
            said = f"There is a file {target.name} already."
            raise BadArguments(said, field="file", advice="Name another.")
        await self._write(target)

    async def _write(self, target: Path) -> None:
        if self._file is not None:
            if not _is_there(self._file):
                raise NotFound("Library", self._file.name)
            await to_thread.run_sync(copy_file, self._file, target)
            return
        from laconic.stores.shelf.upkeep.moving import move_rows

        with tempfile.TemporaryDirectory() as folder:
            draft = Path(folder) / "library.db"
            async with _opened(self._address) as library, _opened(str(draft)) as copy:
                await move_rows(library, copy)
            await to_thread.run_sync(copy_file, draft, target)

    async def restore(self, source: Path, now: datetime | None = None) -> Path | None:
        """Put a backup in the place of everything; returns the copy of what was there before.

        Raises:
            NotFound: there is no such file.
            Unusable: it is damaged, or no library of this version or an older one.
        """
        from laconic.stores.shelf.upkeep.moving import pass_revisions

        if not _is_there(source):
            raise NotFound("File", source.name)
        with tempfile.TemporaryDirectory() as folder:
            draft = Path(folder) / "library.db"
            faults = await to_thread.run_sync(faults_of, source)
            if faults:
                raise Unusable(f"{source.name} is no sound library: {faults[0]}.")
            if Shelf.schema.table not in await to_thread.run_sync(tables_of, source):
                raise Unusable(f"{source.name} is no library.")
            await to_thread.run_sync(copy_file, source, draft)
            async with _opened(str(draft)) as copy:
                await copy.run(pass_revisions(await self._revision()))  # and brings an older one up to date
            before = await self._keep(now or datetime.now(UTC))
            await self._put(draft)
        return before

    async def _revision(self) -> int:
        """Return the highest revision that somebody may have kept a list of; 0 if it cannot be known."""
        from laconic.stores.shelf.upkeep.moving import last_revision

        if self._file is not None and not _is_there(self._file):
            return 0
        try:
            async with _opened(self._address) as library:
                return await library.read(last_revision)
        except Unusable:
            return 0

    async def _keep(self, now: datetime) -> Path | None:
        """Copy what is there, if there is something that can be read."""
        target = self._folder / f"library-before-restore-{now:%Y-%m-%d-%H%M%S}.db"
        try:
            await self._write(target)
        except (NotFound, Unusable):  # a damaged one is moved aside when it is replaced
            return None
        return target

    async def _put(self, draft: Path) -> None:
        if self._file is not None:
            await to_thread.run_sync(put_back, draft, self._file)
            return
        from laconic.stores.shelf.upkeep.moving import move_rows

        async with _opened(str(draft)) as copy, _opened(self._address) as library:
            await move_rows(copy, library)

    async def check(self) -> LibraryCheck:
        """Count what there is, and look for damage; nothing is changed.

        Raises:
            NotFound: there is no library yet.
        """
        faults: list[str] = []
        if self._file is not None:
            if not _is_there(self._file):
                raise NotFound("Library", self._file.name)
            faults = await to_thread.run_sync(faults_of, self._file)
            if faults:
                return LibraryCheck({}, 0, faults)
        async with _opened(self._address) as library:
            from laconic.stores.shelf.upkeep.checking import count_items, count_versions, faults_of_items

            items, versions = await library.read(count_items), await library.read(count_versions)
            return LibraryCheck(items, versions, await library.read(faults_of_items))


class _opened:
    """A database for one piece of work."""

    def __init__(self, address: str) -> None:
        self._database = Database(address, [Shelf.schema])

    async def __aenter__(self) -> Database:
        return self._database

    async def __aexit__(self, *error: object) -> None:
        await self._database.close()


def _is_there(path: Path) -> bool:
    return path.exists()
