"""Issues as files: found, read, searched and changed, whoever else does so at the same time."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from laconic.servers.issues.index.entries import Entry, digest_of
from laconic.servers.issues.index.index import Index
from laconic.servers.issues.index.layout import Layout
from laconic.servers.issues.index.order import newness
from laconic.servers.issues.index.reading import decode, description_of
from laconic.servers.issues.index.references import Lookup
from laconic.servers.issues.index.shared_ids import shared_id
from laconic.servers.issues.models import Issue
from laconic.servers.issues.search.text_search import FIELDS, Hit, Search, loader
from laconic.servers.issues.search.texts import Texts
from laconic.servers.issues.search.titles import TitleIndex
from laconic.servers.issues.writing.changes import Change
from laconic.servers.issues.writing.repairs import Repairs
from laconic.servers.issues.writing.writing import Writer
from laconic.text import folder_name

__all__ = ["Change", "Entry", "Hit", "IssueStore", "newness"]

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
        kept = cache / "issues" / folder_name(self.layout.root) if cache is not None and is_kept else None
        self._index = Index(self.layout, kept and kept / "entries.json", ttl=ttl, is_kept=is_kept)
        self._contents = self._index.contents
        self._lookup = Lookup(self._index)
        self._writer = Writer(self._index, self._lookup, patience)
        self.repairs: Final = Repairs(self._index, self._lookup, patience)
        self._texts = Texts(kept)
        self._titles: tuple[int, TitleIndex] | None = None  # and of which generation they are
        self._searching = threading.Lock()

    @property
    def parses(self) -> int:
        """How many files were parsed so far."""
        return self._index.parses

    def entries(self) -> list[Entry]:
        """Return every issue there is, without its text: the last changed first, without a date last."""
        self._index.refresh()
        return self._index.entries()

    def known(self) -> list[Entry]:
        """Return the same as of the last look, without another one."""
        return self._index.entries()

    def find(self, reference: str) -> Entry:
        """Find an issue by its id, path, file name or number.

        Raises:
            NotFound: there is none; names ids that are like it.
            Conflict: it could be several; names them, and how to pick one.
        """
        self._index.refresh()
        return self._lookup.find(reference)

    def read(self, entry: Entry) -> Issue:
        """Read the whole of an issue, as it is now.

        Raises:
            NotFound: it is gone.
        """
        try:
            issue = self._contents.parsed(entry.path)[1].issue
            shared = shared_id(entry)
            more = [shared.sentence] if shared else []
            return issue.model_copy(update={"warnings": [*more, *issue.warnings]}) if more else issue
        except FileNotFoundError:  # moved since, or deleted
            self._index.refresh(anyway=True)
            return self._contents.parsed(self._lookup.find(entry.id).path)[1].issue
        except OSError:
            return entry.issue()  # which says in its warnings why it cannot be read

    def content(self, entry: Entry) -> bytes:
        """Return an issue's file as it is now; nothing if it is gone or cannot be read."""
        try:
            return self._contents.read(entry.path).data
        except OSError:
            return b""

    def search(
        self, query: str, fields: Collection[str] = FIELDS, keep: Callable[[Entry], bool] | None = None
    ) -> list[Hit]:
        """Find all issues that hold the query, or, if none does, all of its words; the last changed first."""
        self._index.refresh()
        search = Search(query, fields, self._description)
        with self._searching:
            try:
                return self._hits(search, keep)
            except OSError:  # another process has merged segments just now
                self._texts.forget()
                return self._hits(search, keep)

    def one_look(self) -> AbstractContextManager[None]:
        """Look at the files now, and not again before the end: for several questions of one call."""
        return self._index.one_look()

    def create(self, values: Mapping[str, Any], body: str) -> Issue:
        """Make an issue of header values and a text; its id, its dates and its place are given here."""
        return self._writer.create(values, body)

    def edit(self, target: Entry | str, change: Change) -> tuple[Issue, Issue]:
        """Change a header or text, and return the issue before and after; `updatedAt` follows by itself.

        An entry must still be the one that was found; a reference is looked up inside the lock.

        Raises:
            NotFound, Conflict: as `find` does; or the entry has moved or become another one.
            Unreadable: the file cannot be edited without harm.
        """
        return self._writer.edit(target, change)

    def delete(self, target: Entry | str) -> Issue:
        """Delete an issue for good, and return it; its number is never given again."""
        return self._writer.delete(target)

    def settle(self, target: Entry | str) -> Issue:
        """Move a file to where its type and status say that it belongs."""
        return self._writer.settle(target)

    def fingerprint(self) -> str:
        """Tell the state of all files."""
        self._index.refresh()
        known = sorted((entry.path, entry.digest) for entry in self._index.entries())
        return blake2b(repr(known).encode(errors="surrogatepass"), digest_size=8).hexdigest()

    def twins(self) -> dict[str, str]:
        """Name files that have a second name, as a killed move leaves them, with the name that counts."""
        self._index.refresh()
        return dict(self._index.twins)

    def is_linked(self, entry: Entry) -> bool:
        """Whether an issue is reached through a link."""
        return self._index.is_linked(entry.path)

    def left_out(self) -> list[str]:
        """Name links in the collections that are not followed: they lead out of the workspace, or nowhere."""
        self._index.refresh()
        return self._index.left_out()

    def close(self) -> None:
        """Keep what is known for the next process."""
        self._index.close()

    def _hits(self, search: Search, keep: Callable[[Entry], bool] | None) -> list[Hit]:
        generation = self._index.generation
        if self._titles is None or self._titles[0] != generation:
            self._titles = generation, TitleIndex(self._index.entries())
        titles = self._titles[1]
        if "description" in search.fields:
            self._texts.cover(titles.entries, generation, loader(self._text))
        try:
            return search.hits(self._texts, titles, keep)
        finally:
            self._texts.release()

    def _text(self, entry: Entry) -> tuple[int, str] | None:
        try:
            content = self._contents.read(entry.path).data
        except OSError:
            return None
        return digest_of(content), description_of(decode(content)[0])

    def _description(self, entry: Entry) -> str:
        found = self._text(entry)
        return found[1] if found else ""
