"""History: what commits show about a workspace's files when the files alone are not enough."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import PurePosixPath
from typing import Final

from laconic.servers.issues.git.asking import ask_git
from laconic.servers.issues.index.entries import Entry, parse
from laconic.servers.issues.index.layout import ARCHIVE, Layout
from laconic.servers.issues.writing.repairs import names_of, references_of
from laconic.stores.locks import git_head, git_top

_MOST: Final = 50  # commits examined per file


class History:
    """Asks git; outside a repository it returns nothing."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._is_kept = git_top(layout.root) is not None
        self._trees: dict[str, list[str]] = {}

    @cached_property
    def _heads(self) -> list[str]:
        """What is checked out; while a merge is not committed, also what it brings in."""
        head = git_head(self._layout.root)
        is_merging = head is not None and head.with_name("MERGE_HEAD").exists()
        return ["HEAD", "MERGE_HEAD"] if is_merging else ["HEAD"]

    def first_seen(self, entry: Entry) -> int | None:
        """Return when a file was first committed, in seconds since 1970."""
        told = self._ask("log", "--format=%ct", *self._heads, "--", *self._places(entry))
        return min(map(int, (told or "").split()), default=None)

    def meant(self, referring: Entry, reference: str, candidates: Mapping[str, Entry]) -> Entry | None:
        """Return which of several issues a reference means; the issues are given by their file names then.

        It means the only one that existed in a commit that already contains the reference; None if no commit
        since the reference was last set shows that.
        """
        told = self._ask("log", "--format=%H", *self._heads, "--", *self._places(referring))
        for commit in (told or "").split()[:_MOST]:
            files = self._files(commit)
            if not self._holds(commit, files, referring, reference):
                return None
            there = {PurePosixPath(path).name for path in files} & candidates.keys()
            if len(there) == 1:
                return candidates[there.pop()]
        return None

    def _holds(self, commit: str, files: list[str], referring: Entry, reference: str) -> bool:
        names = names_of(referring)
        for path in files:
            if PurePosixPath(path).name in names:
                text = self._ask("show", f"{commit}:./{path}") or ""
                content = text.encode(errors="surrogateescape")
                entry = parse(path, content, self._layout.collection(path), (0, 0, 0, 0)).entry
                return reference in references_of(entry)
        return False

    def _files(self, commit: str) -> list[str]:
        if commit not in self._trees:
            folders = self._layout.folders.values()
            told = self._ask(
                "ls-tree", "-r", "-z", "--name-only", commit, "--", *(f"{at}/" for at in folders)
            )
            self._trees[commit] = [name for name in (told or "").split("\0") if name]
        return self._trees[commit]

    def _places(self, entry: Entry) -> Iterator[str]:
        """Return the paths under which a file may have been committed."""
        own = str(PurePosixPath(entry.path).parent)
        homes = [f"{at}{more}" for at in self._layout.folders.values() for more in ("", f"/{ARCHIVE}")]
        for name in names_of(entry):
            yield from (f"{folder}/{name}" for folder in dict.fromkeys([own, *homes]))

    def _ask(self, *words: str) -> str | None:
        return ask_git(self._layout.root, "--literal-pathspecs", *words) if self._is_kept else None
