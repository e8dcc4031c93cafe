"""Issues as files: found, read, created, edited, moved and deleted, whoever else does so at the same time."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from laconic.kit import Conflict
from laconic.servers.issues import changes
from laconic.servers.issues.changes import Change
from laconic.servers.issues.entries import Entry, Parsed, digest_of, parse
from laconic.servers.issues.files import Layout, file_name
from laconic.servers.issues.index import Index
from laconic.servers.issues.models import PREFIXES, Issue
from laconic.servers.issues.numbers import Numbers
from laconic.servers.issues.reading import decode, description_of
from laconic.servers.issues.references import References
from laconic.servers.issues.text_search import FIELDS, Hit, Search, loader
from laconic.servers.issues.texts import Texts
from laconic.stores import StoreDown, StoreError, Taken, Unreadable
from laconic.stores.durable import clear_drafts, write_new, write_over
from laconic.stores.locks import file_lock

__all__ = ["Change", "Entry", "Hit", "IssueStore"]

_OFF: Final = frozenset({"false", "0", "no", "off"})


class IssueStore:
    """The issues of one workspace. Files are the only truth; all else is a cache that can be deleted."""

    def __init__(
        self,
        root: Path,
        *,
        cache: Path | None = None,
        folders: Mapping[str, str] | None = None,
        environ: Mapping[str, str] = os.environ,
        ttl: float = 0.0,
        patience: float = 10.0,
    ) -> None:
        """Open a workspace; nothing is read or made yet.

        `cache` is the user's cache folder, `folders` names other folders by type, `ttl` is how long entries
        are trusted without a look (0: never), `patience` how long another writer is waited for, in seconds.
        """
        self.layout: Final = Layout.configured(root, environ, folders)
        is_kept = environ.get("WRANGLER_MCP_CACHE", "").strip().lower() not in _OFF
        kept = _cache_folder(cache, self.layout.root) if cache is not None and is_kept else None
        self._index = Index(self.layout, kept and kept / "entries.json", ttl=ttl, is_kept=is_kept)
        self._texts = Texts(kept)
        self._numbers = Numbers(self.layout)
        self._patience = patience
        self._known: tuple[int, References] | None = None
        self._searching = threading.Lock()

    @property
    def parses(self) -> int:
        """How many files were parsed so far."""
        return self._index.parses

    def entries(self) -> list[Entry]:
        """Return every issue there is, without its text, in no particular order."""
        self._index.refresh()
        return self._index.entries()

    def find(self, reference: str) -> Entry:
        """Find an issue by its id, path, file name or number.

        Raises:
            NotFound: there is none; names ids that are like it.
            Conflict: it could be several; names them, and how to pick one.
        """
        self._index.refresh()
        return self._find(reference)

    def read(self, entry: Entry) -> Issue:
        """Read the whole of an issue, as it is now.

        Raises:
            NotFound: it is gone.
        """
        try:
            return self._parsed(entry.path)[1].issue
        except FileNotFoundError:  # moved since, or deleted
            self._index.refresh(anyway=True)
            return self._parsed(self._find(entry.id).path)[1].issue

    def search(
        self, query: str, fields: Collection[str] = FIELDS, keep: Callable[[Entry], bool] | None = None
    ) -> list[Hit]:
        """Find all issues that hold the query, or, if none does, all of its words; in no particular order."""
        self._index.refresh()
        entries = self._index.entries()
        search = Search(query, fields, self._description)
        with self._searching:
            try:
                return self._hits(search, entries, keep)
            except OSError:  # another process has merged segments just now
                self._texts.forget()
                return self._hits(search, entries, keep)

    def one_look(self) -> AbstractContextManager[None]:
        """Look at the files now, and not again before the end: for several questions of one call."""
        return self._index.one_look()

    def create(self, values: Mapping[str, Any], body: str) -> Issue:
        """Make an issue of header values and a text; its id, dates and place are given here."""
        kind, status = str(values.get("type") or "issue"), str(values.get("status") or "open")
        with self._locked():
            self._index.refresh(anyway=True)
            folder = self.layout.at(self.layout.folder("", kind, status))
            while True:
                number = self._numbers.next(kind, self._index.entries())
                id = f"{PREFIXES.get(kind, 'ISS')}-{number:06d}"
                path = folder / file_name(id, str(values["title"]))
                try:
                    write_new(path, changes.composed(id, values, body))
                except Taken:
                    continue
                return self._taken_in(changes.relative(self.layout, path))

    def edit(self, target: Entry | str, change: Change) -> tuple[Issue, Issue]:
        """Change a header or text, and return the issue before and after; `updatedAt` follows by itself.

        An entry must still be the one that was found, a reference is looked up inside the lock.

        Raises:
            NotFound, Conflict: as `find` does; or the entry has moved or become another one.
            Unreadable: the file cannot be edited without harm.
        """
        with self._locked():
            content, before = self._present(target)
            new = changes.edited(content, before.issue, change)
            if new is None:
                return before.issue, before.issue
            self._unlink_twins(before.entry.path)
            write_over(self.layout.at(before.entry.path), new)
            return before.issue, self._settled(before.entry)

    def delete(self, target: Entry | str) -> Issue:
        """Delete an issue for good; its number is not given again."""
        with self._locked():
            _, before = self._present(target)
            path = before.entry.path
            self._numbers.remember(self._index.entries())
            self._unlink_twins(path)
            self._unlink(path)
            return before.issue

    def settle(self, target: Entry | str) -> Issue:
        """Move a file to where its type and status say that it belongs."""
        with self._locked():
            entry = self._present(target)[1].entry
            self._unlink_twins(entry.path)
            folder = self.layout.folder(entry.path, entry.type, entry.status)
            is_there = self.layout.fits(entry.path, entry.type, entry.status)
            return self._taken_in(entry.path) if is_there else self._moved(entry.path, folder)

    def fingerprint(self) -> str:
        """Tell the state of all files."""
        self._index.refresh()
        known = sorted((entry.path, entry.digest) for entry in self._index.entries())
        return blake2b(repr(known).encode(errors="surrogatepass"), digest_size=8).hexdigest()

    def twins(self) -> dict[str, str]:
        """Name files that have a second name, as a killed move leaves them, with the name that counts."""
        self._index.refresh()
        return dict(self._index.twins)

    def left_out(self) -> list[str]:
        """Name links in the collections that are not followed: they lead out of the workspace, or nowhere."""
        self._index.refresh()
        return self._index.left_out()

    def close(self) -> None:
        """Keep what is known for the next process."""
        self._index.close()
