"""Shown versions: which revisions of a file a caller has started to read, known to all its processes."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Final

from laconic.kit import Conflict
from laconic.servers.google.kept.marks import name_of
from laconic.stores import StoreError
from laconic.stores.keyvalue import KeyValue

_MOST: Final = 4  # versions of a file that are remembered
_FILES: Final = 1_000  # files that are remembered without a store


def mark_of(revision: str) -> str:
    """Return a short name of a revision."""
    return blake2b(revision.encode(), digest_size=4).hexdigest()


@dataclass
class ShownVersions:
    """The versions that one caller has read as one account."""

    store: KeyValue
    reader: str
    lasts: float  # seconds
    _own: dict[str, list[str]] = field(default_factory=dict)  # where the store does not answer

    async def of(self, file: str) -> list[str]:
        """Return the marks of a file's versions, the one that was read last at the end."""
        with suppress(StoreError):
            return (await self.store.get(name_of("shown", self.reader, file)) or b"").decode().split()
        return self._own.get(file, [])

    async def add(self, file: str, mark: str) -> None:
        """Note that a version is read."""
        before = await self.of(file)
        marks = [*(one for one in before if one != mark), mark][-_MOST:]
        self._own[file] = marks
        while len(self._own) > _FILES:
            del self._own[next(iter(self._own))]
        with suppress(StoreError):
            await self.store.put(name_of("shown", self.reader, file), " ".join(marks).encode(), self.lasts)

    async def go_on(self, file: str, revision: str, *, begins: bool) -> None:
        """Note which version of a file is shown, where an older one cannot be had.

        Raises:
            Conflict: a part is to be shown, and the parts before it were of another version; said once.
        """
        mark, before = mark_of(revision), await self.of(file)
        await self.add(file, mark)
        if before and before[-1] != mark and not begins:
            raise Conflict(
                "It was changed since you read the parts before, so places have moved.",
                code="RESOURCE_LOCKED",
                advice="Begin again: with its outline, or at 0.",
            )
