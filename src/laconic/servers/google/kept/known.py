"""Known versions: what a caller has read of a file, and what its own changes made of it since."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Final, NamedTuple

from laconic.servers.google.kept.marks import name_of
from laconic.stores import StoreError
from laconic.stores.keyvalue import KeyValue

_LASTS: Final = 24 * 3600.0  # seconds, as Google's revisions


class Known(NamedTuple):
    """Two versions of a file by their marks; empty if there are none."""

    read: str = ""  # the one that was read
    last: str = ""  # the one after the caller's own changes since

    def after(self, old: str, new: str) -> Known:
        """Return what is known after a change of one version made another one."""
        return Known(self.read, new) if self.last in ("", old) else self


@dataclass(frozen=True)
class KnownVersions:
    """The versions that one caller knows, as one account."""

    store: KeyValue
    reader: str

    async def of(self, file: str) -> Known:
        """Return what the caller knows of a file."""
        with suppress(StoreError):
            marks = (await self.store.get(self._name(file)) or b"").decode().split(" ")
            return Known(*marks) if len(marks) == 2 else Known()
        return Known()

    async def put(self, file: str, known: Known) -> None:
        """Note what the caller knows of a file."""
        with suppress(StoreError):
            if known.last:
                await self.store.put(self._name(file), " ".join(known).encode(), _LASTS)

    async def forget(self, file: str) -> None:
        """Note that the caller changed a file, nobody knows from which version to which."""
        with suppress(StoreError):
            await self.store.delete(self._name(file))

    def _name(self, file: str) -> str:
        return name_of("known", self.reader, file)
