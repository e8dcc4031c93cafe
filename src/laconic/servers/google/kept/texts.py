"""Kept texts: by account, file, view and revision; the store bounds their bytes."""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from laconic.servers.google.kept.known import KnownVersions
from laconic.servers.google.kept.marks import ChangeMarks, name_of
from laconic.servers.google.kept.shown import ShownVersions, mark_of
from laconic.stores import StoreError
from laconic.stores.keyvalue import KeyValue

LASTS: Final = 30 * 60.0  # seconds
_FRESH: Final = 5.0  # seconds in which a revision is not asked for again
_VERSIONS: Final = 8  # of a file in one view


def as_json(data: Any) -> str:
    """Return data as text that is the same whenever the data is."""
    return json.dumps(data, sort_keys=True)  # noqa: TID251  # no answer of a tool


@dataclass(frozen=True)
class KeptText:
    """The text of a file in one view, as it was at a revision."""

    title: str
    media: str
    revision: str
    text: str = field(repr=False)
    began: float = 0.0  # when it was asked for
    remark: str = ""  # what the view leaves out

    @property
    def mark(self) -> str:
        """What names its revision in an address."""
        return mark_of(self.revision)

    @classmethod
    def of_data(cls, data: Any, revision: str, began: float, title: str = "") -> KeptText:
        """Return data as JSON, to be kept."""
        return cls(title, "application/json", revision, as_json(data), began)

    @property
    def data(self) -> Any:
        """What `of_data` was given."""
        return json.loads(self.text)

    def packed(self) -> bytes:
        """Return it for a store."""
        head = {name: value for name, value in asdict(self).items() if name != "text"}
        body = zlib.compress(self.text.encode("utf-8", "surrogatepass"), 1)
        return json.dumps(head).encode() + b"\n" + body  # noqa: TID251  # no answer of a tool

    @classmethod
    def unpacked(cls, raw: bytes) -> KeptText:
        """Return what `packed` wrote."""
        head, _, body = raw.partition(b"\n")
        return cls(text=zlib.decompress(body).decode("utf-8", "surrogatepass"), **json.loads(head))


@dataclass
class Kept:
    """The texts that one account has read."""

    store: KeyValue
    account: str
    now: Callable[[], float] = time.time
    caller: str = ""  # who reads: several callers may share an account
    shown: ShownVersions = field(init=False)
    known: KnownVersions = field(init=False)
    _present: dict[str, tuple[float, str]] = field(default_factory=dict)  # revisions, and when each was told
    _marks: ChangeMarks = field(init=False)

    def __post_init__(self) -> None:
        """Begin to note changes, and what is shown."""
        self._marks = ChangeMarks(self.store, self.account, self.now, LASTS)
        reader = f"{self.account}\n{self.caller}"
        self.shown = ShownVersions(self.store, reader, LASTS)
        self.known = KnownVersions(self.store, reader)

    async def get(self, file: str, view: str, mark: str = "") -> KeptText | None:
        """Return a text at a revision, by its mark, or at the last one that was read.

        None if that is too long ago, or if we changed the file since.
        """
        try:
            mark = mark or (await self.store.get(self._name(file, view)) or b"").decode()
            raw = await self.store.get(self._name(file, view, mark)) if mark else None
            changed = await self._marks.last(file)
            if raw is not None:
                await self._used(file, view, mark)
        except StoreError:
            return None
        found = KeptText.unpacked(raw) if raw is not None else None
        return found if found is not None and found.began > changed else None

    async def as_read(self, file: str, view: str, mark: str) -> KeptText | None:
        """Return a text at a revision, whatever was changed since; None if that is too long ago."""
        with suppress(StoreError):
            raw = await self.store.get(self._name(file, view, mark))
            return KeptText.unpacked(raw) if raw is not None else None
        return None

    async def was_ours(self, file: str, view: str, mark: str) -> bool:
        """True if a text is out of date because we changed its file."""
        try:
            raw = await self.store.get(self._name(file, view, mark))
            return raw is not None and KeptText.unpacked(raw).began <= await self._marks.last(file)
        except StoreError:
            return False

    async def put(self, file: str, view: str, found: KeptText) -> None:
        """Keep a text; where that fails, the next read fetches it again."""
        with suppress(StoreError):
            await self.store.put(self._name(file, view, found.mark), found.packed(), LASTS)
            await self.store.put(self._name(file, view), found.mark.encode(), LASTS)
            await self._used(file, view, found.mark)

    async def _used(self, file: str, view: str, mark: str) -> None:
        """Note which version was used last; of a file that others change all the time, few are kept."""
        name = name_of("versions", self.account, file, view)
        before = (await self.store.get(name) or b"").decode().split()
        if before[-1:] == [mark]:
            return
        marks = [*(one for one in before if one != mark), mark]
        for old in marks[:-_VERSIONS]:
            await self.store.delete(self._name(file, view, old))
        await self.store.put(name, " ".join(marks[-_VERSIONS:]).encode(), LASTS)

    async def touch(self, file: str) -> None:
        """Drop what is kept of a file that we change."""
        self._present.pop(file, None)
        await self._marks.put(file)
        await self.known.forget(file)

    def present(self, file: str) -> str | None:
        """Return the revision that a file has, if that was told only seconds ago."""
        at, revision = self._present.get(file, (float("-inf"), ""))
        return revision if self.now() - at < _FRESH else None

    def tell(self, file: str, revision: str) -> None:
        """Note which revision a file has at present."""
        old = self.now() - _FRESH
        self._present = {key: one for key, one in self._present.items() if one[0] > old}
        self._present[file] = (self.now(), revision)

    def _name(self, file: str, view: str, mark: str = "") -> str:
        return name_of("text", self.account, file, view, mark)
