"""Safekeeping: the library is the user's only copy, so it can be backed up, put back and checked.

A backup is one SQLite file, also of a PostgreSQL: what was kept in the one can be put into the other.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

from anyio import to_thread

from laconic.kit import BadArguments, NotFound
from laconic.library.trash import empty_trash
from laconic.stores import Database, Shelf, Unusable
from laconic.stores.database.address import file_of
from laconic.stores.database.sqlite.copies import copy_file, faults_of, put_back, tables_of

__all__ = ["LibraryCheck", "Safekeeping"]

_DRAFTS: Final = "laconic-library-"  # how folders begin in which a copy is prepared
_LEFT: Final = 24 * 3600  # seconds after which nobody works in one any longer


@dataclass(frozen=True)
class LibraryCheck:
    """How a library is: what it has, and what is wrong with it."""

    items: dict[str, int]  # by kind, in whatever state
    versions: int
    faults: list[str]
    index: list[str] = field(default_factory=list)  # faults of the index of search, which can be rebuilt


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
            Unusable: the library is damaged.
            StoreDown: the library cannot be read, or the file not be written.
        """
        _refuse_taken(target)
        await self._write(target, sound=True)

    async def _write(self, target: Path, sound: bool) -> None:
        self._refuse_none()
        if self._file is not None:
            await to_thread.run_sync(partial(copy_file, self._file, target, sound=sound))
            return
        from laconic.stores.shelf.upkeep.moving import move_rows

        with _drafts() as folder:
            draft = folder / "library.db"
            async with _opened(self._address) as library, _opened(str(draft)) as copy:
                await move_rows(library, copy)
            await to_thread.run_sync(copy_file, draft, target)

    async def restore(self, source: Path, now: datetime | None = None) -> Path | None:
        """Put a backup in the place of everything; returns the file that has what was there before.

        Raises:
            NotFound: there is no such file.
            Unusable: it is damaged, or no library of this version or an older one; or what is there is none.
        """
        from laconic.stores.shelf.upkeep.moving import pass_revisions

        if not _is_there(source):
            raise NotFound("File", source.name)
        self._refuse_foreign()
        with _drafts() as folder:
            draft = folder / "library.db"
            faults = await to_thread.run_sync(faults_of, source)
            if faults:
                raise Unusable(f"{source.name} is no sound library: {faults[0]}.")
            if Shelf.schema.table not in await to_thread.run_sync(tables_of, source):
                raise Unusable(f"{source.name} is no library.")
            await to_thread.run_sync(copy_file, source, draft)
            async with _opened(str(draft)) as copy:
                await copy.run(pass_revisions(await self._revision()))  # and brings an older one up to date
            before = await self._keep(now or datetime.now(UTC))
            aside = await self._put(draft)
        return before or aside

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
            await self._write(target, sound=False)
        except (NotFound, Unusable):  # a damaged one is moved aside when it is replaced
            return None
        return target

    async def _put(self, draft: Path) -> Path | None:
        if self._file is not None:
            return await to_thread.run_sync(put_back, draft, self._file)
        from laconic.stores.shelf.upkeep.moving import move_rows

        async with _opened(str(draft)) as copy, _opened(self._address) as library:
            await move_rows(copy, library)
        return None

    async def check(self) -> LibraryCheck:
        """Count what there is, and look for damage; nothing is changed.

        Raises:
            NotFound: there is no library yet.
        """
        self._refuse_none()
        if self._file is not None and (faults := await to_thread.run_sync(faults_of, self._file)):
            return LibraryCheck({}, 0, faults)
        async with _opened(self._address) as library:
            from laconic.stores.shelf.upkeep.checking import count_items, count_versions, faults_of_items
            from laconic.stores.shelf.upkeep.index import faults_of_index

            items, versions = await library.read(count_items), await library.read(count_versions)
            faults, index = await library.read(faults_of_items), await library.read(faults_of_index)
            return LibraryCheck(items, versions, faults, index)

    async def repair(self) -> None:
        """Rebuild the index of search from the items, which are left as they are.

        Raises:
            NotFound: there is no library yet.
            Unusable: the file is damaged in other ways, too.
        """
        from laconic.stores.shelf.upkeep.index import rebuild_index

        self._refuse_none()
        async with _opened(self._address) as library:
            await library.run(rebuild_index)

    async def empty_trash(self, days: float) -> int:
        """Delete for good what has been in the trash for so many days; returns how many items.

        Raises:
            NotFound: there is no library yet.
        """
        self._refuse_none()
        async with _opened(self._address) as library:
            return await empty_trash(Shelf(library), (), days)

    def _refuse_none(self) -> None:
        """Raise NotFound if there is no library yet, and Unusable if the file is that of something else."""
        if self._file is not None and not _is_there(self._file):
            raise NotFound("Library", self._file.name)
        self._refuse_foreign()

    def _refuse_foreign(self) -> None:
        """Raise Unusable if the file is a database of some other program, which is not ours to change."""
        if self._file is None or not _is_there(self._file):
            return
        tables = tables_of(self._file)
        if tables and Shelf.schema.table not in tables:
            raise Unusable(f"{self._file.name} is no library.")


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


def _refuse_taken(target: Path) -> None:
    """Raise BadArguments if there is something of that name already."""
    if target.is_dir():
        raise BadArguments(
            f"There is a folder {target.name} already.", field="file", advice="Name a file in it."
        )
    if _is_there(target):
        raise BadArguments(f"There is a file {target.name} already.", field="file", advice="Name another.")


@contextmanager
def _drafts() -> Iterator[Path]:
    """Return a folder for what is not finished; those that a killed process left long ago are deleted."""
    with tempfile.TemporaryDirectory(prefix=_DRAFTS) as folder:
        for left in Path(folder).parent.glob(f"{_DRAFTS}*"):
            with suppress(OSError):  # somebody else's, or gone
                if left.stat().st_mtime < time.time() - _LEFT:
                    shutil.rmtree(left)
        yield Path(folder)
