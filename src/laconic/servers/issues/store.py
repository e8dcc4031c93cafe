"""Issues as files: find, read, search and change them, also while other processes do."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Generator, Iterator, Mapping
from contextlib import AbstractContextManager
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from laconic.effects import note_change
from laconic.servers.issues.claims.claims import Claims, Wish
from laconic.servers.issues.claims.siblings import Siblings
from laconic.servers.issues.index.entries import Entry
from laconic.servers.issues.index.index import Index
from laconic.servers.issues.index.layout import Layout
from laconic.servers.issues.index.order import newness
from laconic.servers.issues.index.references import Lookup
from laconic.servers.issues.index.shared_ids import shared_id
from laconic.servers.issues.models import Issue
from laconic.servers.issues.places import HOME
from laconic.text import folder_name

if TYPE_CHECKING:
    from laconic.servers.issues.search.searches import Searches
    from laconic.servers.issues.search.text_search import Hit
    from laconic.servers.issues.writing.changes import Change
    from laconic.servers.issues.writing.repairs import Repairs
    from laconic.servers.issues.writing.writing import Writer

__all__ = ["Entry", "IssueStore", "Wish", "newness"]

_VALUES: Final = ("type", "status", "priority", "assignee", "project", "labels", "blocked_by")
_TEXTS: Final = ("title", "description", "wrangler_context")  # of these, only that they changed is noted
_OFF: Final = frozenset({"false", "0", "no", "off"})


class IssueStore:
    """The issues of one workspace. Only the files count; everything else is a cache that can be deleted."""

    def __init__(
        self,
        root: Path,
        *,
        cache: Path | None = None,
        folders: Mapping[str, str] | None = None,
        home: str = HOME,
        environ: Mapping[str, str] = os.environ,
        ttl: float = 0.0,
        patience: float = 10.0,
        lease: float = 0.0,
    ) -> None:
        """Open a workspace; nothing is read or created yet.

        `cache` is the user's cache folder, `home` the workspace's folder, `folders` gives others by type,
        `ttl` is how long entries are trusted without checking (0: never), `patience` how long to wait for
        another writer, `lease` after how long without a change a claim lapses (0: never), all in seconds.
        """
        self.layout: Final = Layout.configured(root, environ, folders, home)
        is_kept = environ.get("WRANGLER_MCP_CACHE", "").strip().lower() not in _OFF
        kept = cache / "issues" / folder_name(self.layout.root) if cache is not None and is_kept else None
        self._index = Index(self.layout, kept and kept / "entries.json", ttl=ttl, is_kept=is_kept)
        self._contents = self._index.contents
        self._lookup = Lookup(self._index)
        self.siblings: Final = Siblings(self.layout)
        self.claims: Final = Claims(self.layout, self.siblings, lease)
        self._patience = patience
        self._kept = kept

    # What a first call does without is imported by the call that needs it.
    @cached_property
    def _writer(self) -> Writer:
        from laconic.servers.issues.writing.writing import Writer

        return Writer(self._index, self._lookup, self._patience, self.claims)

    @cached_property
    def repairs(self) -> Repairs:
        """What the doctor changes in files."""
        from laconic.servers.issues.writing.repairs import Repairs

        return Repairs(self._index, self._lookup, self._patience, self.claims)

    @cached_property
    def _searches(self) -> Searches:
        from laconic.servers.issues.search.searches import Searches

        return Searches(self._index, self._kept)

    @property
    def parses(self) -> int:
        """Number of files parsed so far."""
        return self._index.parses

    def ahead(self) -> Generator[None, None, None]:
        """Look at all files before the first call does, some at each step."""
        yield from self._index.ahead()
        self._index.entries()

    def entries(self) -> list[Entry]:
        """Return all issues without their texts: last changed first, undated ones last."""
        self._index.refresh()
        return self._index.entries()

    def known(self) -> list[Entry]:
        """Return all issues as of the last scan, without another scan."""
        return self._index.entries()

    def find(self, reference: str) -> Entry:
        """Find an issue by its id, path, file name or number.

        Raises:
            NotFound: no such issue; names similar ids.
            Conflict: several match; names them, and how to pick one.
        """
        self._index.refresh()
        return self._lookup.find(reference)

    def read(self, entry: Entry) -> Issue:
        """Read a whole issue as it is now.

        Raises:
            NotFound: it is gone.
        """
        try:
            issue = self._contents.parsed(entry.path)[1].issue
            shared = shared_id(entry)
            more = [shared.sentence] if shared else []
            return issue.model_copy(update={"warnings": [*more, *issue.warnings]}) if more else issue
        except FileNotFoundError:  # moved or deleted meanwhile
            self._index.refresh(anyway=True)
            return self._contents.parsed(self._lookup.find(entry.id).path)[1].issue
        except OSError:
            return entry.issue()  # its warnings tell why it cannot be read

    def content(self, entry: Entry) -> bytes:
        """Return the content of an issue's file; empty if it is gone or cannot be read."""
        try:
            return self._contents.read(entry.path).data
        except OSError:
            return b""

    def search(
        self,
        query: str,
        fields: Collection[str] | None = None,
        keep: Callable[[Entry], bool] | None = None,
    ) -> list[Hit]:
        """Find issues that contain the query or, if none does, all of its words; last changed first."""
        self._index.refresh()
        return self._searches.hits(query, fields, keep)

    def gathering(self) -> Iterator[None]:
        """Keep the texts that the last search read from files, so that the next one is faster; in steps."""
        return self._searches.gathering()

    def one_scan(self) -> AbstractContextManager[None]:
        """Scan the files now and not again inside this context: for several reads in one call."""
        return self._index.one_scan()

    def create(self, values: Mapping[str, Any], body: str) -> Issue:
        """Create an issue from header values and a text; this assigns its id, dates and folder."""
        made = self._writer.create(values, body)
        note_change(
            made.id, *_TEXTS, **{name: (None, value) for name, value in _values(made).items() if value}
        )
        return made

    def edit(self, target: Entry | str, change: Change, wish: Wish | None = None) -> tuple[Issue, Issue]:
        """Change a header or text, and return the issue before and after; this also sets `updatedAt`.

        An entry must still match its file; a reference is looked up while the lock is held. A wish to hold
        the issue is refused if somebody else does.

        Raises:
            NotFound, Conflict: as in `find`; or the entry has moved or changed its id.
            Unreadable: the file cannot be edited without harm.
        """
        before, after = self._writer.edit(target, change, wish)
        old, new = _values(before), _values(after)
        texts = [name for name in _TEXTS if getattr(before, name) != getattr(after, name)]
        note_change(
            after.id, *texts, **{name: (old[name], new[name]) for name in old if old[name] != new[name]}
        )
        return before, after

    def delete(self, target: Entry | str) -> Issue:
        """Delete an issue permanently and return it; its number is never used again."""
        gone = self._writer.delete(target)
        note_change(gone.id, **{name: (value, None) for name, value in _values(gone).items() if value})
        return gone

    def release(self, target: Entry | str) -> bool:
        """End the claim of an issue, whoever has it; False if nobody has."""
        return self._writer.release(target)

    def relocate(self, target: Entry | str) -> Issue:
        """Move a file to the folder for its type and status."""
        return self._writer.relocate(target)

    def fingerprint(self) -> str:
        """Return a digest of the state of all files."""
        self._index.refresh()
        known = sorted((entry.path, entry.digest) for entry in self._index.entries())
        return blake2b(repr(known).encode(errors="surrogatepass"), digest_size=8).hexdigest()

    def twins(self) -> dict[str, str]:
        """Map the extra names of files that a killed move left under two names to the name that counts."""
        self._index.refresh()
        return dict(self._index.twins)

    def is_linked(self, entry: Entry) -> bool:
        """True if an issue's file is reached through a link."""
        return self._index.is_linked(entry.path)

    def left_out(self) -> list[str]:
        """List links in the collections that are not followed: they lead out of the workspace, or nowhere."""
        self._index.refresh()
        return self._index.left_out()

    def close(self) -> None:
        """Save the index for the next process."""
        self._index.close()


def _values(issue: Issue) -> dict[str, Any]:
    return {name: getattr(issue, name) for name in _VALUES}
